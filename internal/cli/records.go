package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// recordWords explains the argument of commands that read one record.
const recordWords = "RECORD is a case folder, a record.json, a report.html, or - for standard input. Without it, the command reads the latest case in the folder of --out."

// record finds the record that a command is about: a folder, a file, standard
// input, or the latest case.
func (a *app) record(c *cobra.Command, args []string) (*court.Record, error) {
	rec, _, err := a.recordBytes(c, args)
	return rec, err
}

// recordBytes is record, with the bytes that it was read from.
func (a *app) recordBytes(c *cobra.Command, args []string) (*court.Record, []byte, error) {
	if err := a.settle(c, "", false); err != nil {
		return nil, nil, err
	}
	if len(args) == 1 {
		return a.named(args[0])
	}
	path, err := a.latest()
	if err != nil {
		return nil, nil, err
	}
	return a.stored(path, path)
}

// orLatest are the records that a command was given, or the latest case.
func (a *app) orLatest(args []string) ([]string, error) {
	if len(args) > 0 {
		return args, nil
	}
	latest, err := a.latest()
	return []string{latest}, err
}

// named reads the record at a path, or from standard input for -.
func (a *app) named(name string) (*court.Record, []byte, error) {
	if name != "-" {
		return a.stored(a.path(name), name)
	}
	rec, raw, err := store.ReadFrom(a.Stdin)
	if err != nil {
		return nil, nil, coded(exitUsage, err)
	}
	return rec, raw, nil
}

// stored reads the record at a path, which its user gave by a name. The file latest stands for the case that it names.
func (a *app) stored(path, name string) (*court.Record, []byte, error) {
	if filepath.Base(path) == "latest" && !isFolder(path) {
		if newest, err := latestIn(filepath.Dir(path)); err == nil {
			path = newest
		}
	}
	rec, raw, err := store.ReadBytes(path)
	if isFolder(path) && errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("reading record %q: the folder has no record.json", name)
	}
	if err != nil {
		return nil, nil, coded(exitUsage, err, a.whereRecord(path, name))
	}
	return rec, raw, nil
}

func (a *app) latest() (string, error) {
	out := a.path(a.config.Text("out"))
	if _, err := os.Stat(out); err != nil {
		return "", a.noCase()
	}
	path, err := latestIn(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", a.noCase()
	case err != nil:
		return "", coded(exitUsage, err)
	}
	return path, nil
}

func (a *app) reportCommand() *cobra.Command {
	var format string
	var files []string
	var open bool
	var grades gradeFlags
	c := &cobra.Command{
		Use: "report [RECORD|COHORT]", Short: "Writes the report of a record again, or the grades of a cohort, in any format",
		Long: recordWords + "\n\nCOHORT is the folder of a cohort. Its formats are " + strings.Join(cohortFormats(), ", ") + ".",
		Example: "  automaton report -f md\n  automaton report --open\n  automaton report automaton-out/OWNER__NAME-1234567 -o report.html\n" +
			"  automaton report cohort7 -f csv -o grades.csv\n  automaton report cohort7 -f canvas --into export.csv --column 'Project (1234)' --scale 0..100 -o import.csv",
		Args: atMostOne,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && isFile(filepath.Join(a.path(args[0]), batch.FileName)) {
				if open {
					return usage("leave it out", "reading flags: --open is for a record")
				}
				return a.reportCohort(c, args[0], format, files, grades)
			}
			if err := grades.forRecord(format); err != nil {
				return err
			}
			f, outs, err := a.outputs(c, format, files)
			if err != nil {
				return err
			}
			rec, err := a.record(c, args)
			if err != nil {
				return err
			}
			page := ""
			if open {
				if page, err = a.pageOf(args, outs); err != nil {
					return err
				}
			}
			if err := writeOutputs(outs, rec); err != nil {
				return coded(exitUnexamined, err)
			}
			if err := a.printFormat(f, rec, a.textOf(args)); err != nil || !open {
				return err
			}
			a.show(page)
			return nil
		},
	}
	openFlag(c, &open)
	formatFlag(c, &format, slices.Concat(formatNames(), cohortOnly)...)
	grades.add(c)
	c.Flags().StringArrayVarP(&files, "output", "o", nil, "`[FORMAT=]FILE` file to write; its ending chooses the format (repeatable); of a cohort one file or folder")
	outFlag(c)
	return c
}

func (a *app) explainCommand() *cobra.Command {
	var criterion, evidence, format string
	var run, chain bool
	c := &cobra.Command{
		Use: "explain [RECORD]", Short: "Shows why a score is what it is",
		Long:    recordWords,
		Example: "  automaton explain -c safe_tool_engineering\n  automaton explain -c safe_tool_engineering --chain\n  automaton explain --evidence E4",
		Args:    atMostOne,
		RunE: func(c *cobra.Command, args []string) error {
			rec, err := a.record(c, args)
			if err != nil {
				return err
			}
			if criterion != "" {
				if criterion, err = criterionNamed(rec.Rubric.Criteria, criterion); err != nil {
					return err
				}
			}
			if chain {
				return a.explainChain(rec, criterion, format, a.textOf(args))
			}
			if format == "json" {
				return a.explainJSON(rec, criterion, evidence, run)
			}
			return a.through(func(w *lines) error { return a.why(w, rec, criterion, evidence, run, a.textOf(args)) })
		},
	}
	f := c.Flags()
	f.StringVarP(&criterion, "criterion", "c", "", "`ID` criterion to explain: its id, its name, or a part of them")
	f.StringVar(&evidence, "evidence", "", "`LABEL` piece of evidence to explain: its label or id")
	f.BoolVar(&run, "run", false, "show what ran, and how long it took")
	f.BoolVar(&chain, "chain", false, "with -c, show what would have to break for the score to fall by a point, and what would have to hold for it to rise by one")
	formatFlag(c, &format, "text", "json")
	c.MarkFlagsMutuallyExclusive("criterion", "evidence", "run")
	c.MarkFlagsMutuallyExclusive("chain", "evidence", "run")
	outFlag(c)
	return c
}

func (a *app) why(w io.Writer, rec *court.Record, criterion, evidence string, run bool, o report.TextOptions) error {
	var err error
	switch {
	case evidence != "":
		err = report.ExplainEvidence(w, rec, evidence, o)
	case run:
		err = report.ExplainRun(w, rec, o)
	default:
		err = report.Explain(w, rec, criterion, o)
	}
	if err != nil {
		return coded(exitUsage, err)
	}
	return nil
}

// explainChain tells what a score rests on, from the stored record alone.
func (a *app) explainChain(rec *court.Record, criterion, format string, o report.TextOptions) error {
	if criterion == "" {
		return usage("automaton explain -c ID --chain", "reading flags: --chain is about one criterion")
	}
	with := *rec
	with.Stakes = trial.StakesOf(rec)
	if format == "json" {
		for _, s := range with.Stakes {
			if s.Criterion == criterion {
				return a.printJSON(s)
			}
		}
		return a.printJSON(nil)
	}
	return a.through(func(w *lines) error {
		if err := report.ExplainChain(w, &with, criterion, o); err != nil {
			return coded(exitUsage, err)
		}
		return nil
	})
}

func (a *app) explainJSON(rec *court.Record, criterion, evidence string, run bool) error {
	if run {
		return a.printJSON(rec.Run)
	}
	if evidence != "" {
		x, err := report.FindEvidence(rec, evidence)
		if err != nil {
			return coded(exitUsage, err)
		}
		return a.printJSON(x)
	}
	if criterion != "" {
		e, err := report.Why(rec, criterion)
		if err != nil {
			return coded(exitUsage, err)
		}
		return a.printJSON(e)
	}
	all := []report.Explanation{}
	if rec.Verdict != nil {
		for _, r := range rec.Verdict.Rulings {
			e, err := report.Why(rec, r.Criterion)
			if err != nil {
				return coded(exitUsage, err)
			}
			all = append(all, e)
		}
	}
	return a.printJSON(all)
}

// replayed is what a second hearing of the chief justice gave.
type replayed struct {
	Same        bool     `json:"same"`
	Digest      string   `json:"digest"` // of the record
	Differences []string `json:"differences"`
}

func (a *app) replayCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "replay [RECORD]", Short: "Computes the verdict again from the record and compares the two",
		Long: recordWords,
		Args: atMostOne,
		RunE: func(c *cobra.Command, args []string) error {
			rec, err := a.record(c, args)
			if err != nil {
				return err
			}
			return a.replay(rec, format)
		},
	}
	formatFlag(c, &format, "text", "json")
	outFlag(c)
	return c
}

func (a *app) replay(rec *court.Record, format string) error {
	if rec.Origin.Law > court.Law {
		return coded(exitFailed, fmt.Errorf("replaying %s: the record was made by version %d of the rules, and this program has version %d", rec.Case.ID, rec.Origin.Law, court.Law))
	}
	again, err := trial.Replay(rec)
	if err != nil {
		return coded(exitUsage, err)
	}
	diff := store.Differences(rec.Verdict, again, rec.Origin.Tool == a.tool() && rec.Origin.Law == court.Law)
	switch {
	case format == "json":
		err = a.printJSON(replayed{len(diff) == 0, rec.Digest, append([]string{}, diff...)})
	case len(diff) == 0:
		err = a.print([]byte("same verdict, " + rec.Digest + "\n"))
	default:
		err = a.through(func(w *lines) error {
			for _, d := range diff {
				w.f("%s\n", shown(d))
			}
			return nil
		})
	}
	if err == nil && len(diff) > 0 {
		return coded(exitFailed, fmt.Errorf("replaying %s: the verdict differs in %s", rec.Case.ID, count(len(diff), "place")))
	}
	return err
}
