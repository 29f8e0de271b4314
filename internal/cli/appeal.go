package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func (a *app) appealCommand() *cobra.Command {
	c := &cobra.Command{Use: "appeal", Short: "Asks for one ruling again, examines it again, decides it",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("automaton appeal --help lists file, hear and rule", "reading arguments: unknown command %q", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(a.appealFile(), a.appealHear(), a.appealRule())
	return c
}

func (a *app) appealFile() *cobra.Command {
	var criterion, reason, by, output string
	var points []string
	c := &cobra.Command{
		Use: "file RECORD", Short: "Writes an appeal: a criterion, the places to look at, and a reason",
		Long: "For the side that was audited. The file names a criterion of the record and the places where somebody should look, and it sets no score.\n\n" +
			"RECORD is a case folder, a record.json, a report.html, or - for standard input.",
		Example: "  automaton appeal file report.html -c report_accuracy --point src/graph.py:40 --reason 'The two files were renamed in March.' --by ada",
		Args:    one("RECORD"),
		RunE: func(c *cobra.Command, args []string) error {
			rec, err := a.record(c, args)
			if err != nil {
				return err
			}
			if criterion == "" {
				return usage("-c ID", "reading flags: an appeal is about one criterion")
			}
			if criterion, err = criterionNamed(rec.Rubric.Asked(rec.Case.Only), criterion); err != nil {
				return err
			}
			f := decision.Filing{Schema: decision.FilingSchema, Record: rec.Digest, Criterion: criterion, Points: points, Reason: reason, By: by}
			if err := f.Check(); err != nil {
				return usage("--point PATH:LINE --reason TEXT --by NAME", "filing an appeal: %w", err)
			}
			raw, err := json.MarshalIndent(f, "", "  ")
			if err != nil {
				return coded(exitBug, err)
			}
			if raw = append(safetext.JSON(raw), '\n'); output == "-" {
				return a.print(raw)
			}
			if err := store.WriteFile(a.path(output), raw); err != nil {
				return coded(exitUnexamined, err)
			}
			a.note("%s is written; hand it to the one who audited", shown(output))
			return nil
		},
	}
	f := c.Flags()
	f.StringVarP(&criterion, "criterion", "c", "", "`ID` criterion to look at again: its id, its name, or a part of them")
	f.StringArrayVar(&points, "point", nil, "`PLACE` place to look at: PATH:LINE, PATH:FIRST-LAST or pdf:PAGE (repeatable)")
	f.StringVar(&reason, "reason", "", fmt.Sprintf("`TEXT` reason, of at least %d characters", decision.LeastReason))
	f.StringVar(&by, "by", "", "`NAME` name of the one who appeals")
	f.StringVarP(&output, "output", "o", "appeal.json", "`FILE` file to write, or - for standard output")
	return c
}

// hearFlags are the flags of appeal hear.
type hearFlags struct {
	record, save, format string
	opened               verifyFlags
}

func (a *app) appealHear() *cobra.Command {
	var o hearFlags
	c := &cobra.Command{
		Use: "hear APPEAL", Short: "Examines the criterion of an appeal again, at the places that it names",
		Long: "The checks of the criterion look again at the recorded commit, as far as they can. Only evidence that they find at the places of the appeal can move a score. " +
			"The command prints what stands at each place, and the scores before and after, and keeps a new record. It decides nothing: automaton appeal rule does.",
		Example: "  automaton appeal hear appeal.json --record week2/cases/ada\n  automaton appeal hear appeal.json --record report.html --against ../submission",
		Args:    one("APPEAL"),
		RunE:    func(c *cobra.Command, args []string) error { return a.hear(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.record, "record", "", "`RECORD` record that the appeal is about: a case folder, a record.json or a report.html (default the latest case)")
	f.StringVar(&o.opened.against, "against", "", "`REPO` repository that was audited (default the address in the record)")
	f.StringArrayVar(&o.opened.pdfs, "pdf", nil, "`FILE` document that was audited, if it is not in the repository (repeatable)")
	f.StringVar(&o.save, "save", "", "`DIR` folder for the new record (default the name of APPEAL with -heard)")
	formatFlag(c, &o.format, "text", "json")
	outFlag(c)
	return c
}

// filed reads an appeal.
func (a *app) filed(name string) (decision.Filing, error) {
	raw, err := config.ReadFile(a.path(name), decision.MaxFiling)
	if err != nil {
		return decision.Filing{}, coded(exitUsage, fmt.Errorf("reading the appeal %q: %w", name, err), "automaton appeal file RECORD writes one")
	}
	f, err := decision.ReadFiling(raw)
	if err != nil {
		return f, coded(exitUsage, fmt.Errorf("reading the appeal %q: %w", name, err), "automaton appeal file RECORD writes one")
	}
	return f, nil
}

// heardAgain is what an appeal hearing found.
type heardAgain struct {
	Places     []store.Line      `json:"places"`
	Record     string            `json:"record"` // digest of the new one
	Comparison report.Comparison `json:"comparison"`
}

func (a *app) hear(c *cobra.Command, name string, o hearFlags) error {
	var args []string
	if o.record != "" {
		args = append(args, o.record)
	}
	rec, err := a.record(c, args)
	if err != nil {
		return err
	}
	f, err := a.filed(name)
	if err != nil {
		return err
	}
	if f.Record != rec.Digest {
		return usage("--record RECORD names the record that the appeal is about", "hearing an appeal: %q is about another record than that of %s", name, court.Clean(rec.Case.ID, 100))
	}
	if o.opened.against == "" && !strings.HasPrefix(rec.Case.RepoURL, "https://") {
		return usage("--against REPO names the repository", "hearing an appeal: the record does not say where the repository is")
	}
	if o.opened.against == "" {
		o.opened.against = rec.Case.RepoURL
	}
	opened, done, err := a.reopen(c.Context(), rec, o.opened)
	if err != nil {
		return err
	}
	defer done()
	var places []court.Place
	for _, text := range f.Points {
		p, err := court.ParsePlace(text)
		if err != nil {
			return coded(exitUsage, fmt.Errorf("reading the appeal %q: %w", name, err))
		}
		places = append(places, p)
	}
	then, told, err := trial.Appealed(c.Context(), opened, rec, f.Criterion, places, a.jobs())
	if err != nil {
		return coded(exitUnexamined, err)
	}
	if o.save == "" {
		o.save = strings.TrimSuffix(name, filepath.Ext(name)) + "-heard"
	}
	if err := a.keep(then, o.save); err != nil {
		return err
	}
	return a.printHeard(heardAgain{told, then.Digest, report.Compare(rec, then)}, o)
}

func (a *app) printHeard(h heardAgain, o hearFlags) error {
	if o.format == "json" {
		return a.printJSON(h)
	}
	words := map[store.Result]string{store.OK: "seen", store.No: "not there", store.Skipped: "nothing"}
	err := a.through(func(w *lines) error {
		for _, l := range h.Places {
			w.f("%s", hung(fmt.Sprintf("%-10s %s  ", words[l.Result], shown(l.Check)), court.Clean(l.Text, 0), a.width()))
		}
		w.f("\n")
		return nil
	})
	if err != nil {
		return err
	}
	if err := a.printComparison(h.Comparison, "text"); err != nil {
		return err
	}
	a.note("the new record is in %s; automaton appeal rule decides", shown(o.save))
	return nil
}
