package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/calibration"
	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func (a *app) calibrateCommand() *cobra.Command {
	var records, format, file string
	c := &cobra.Command{
		Use: "calibrate MARKS", Short: "Compares the court's scores with marks that people gave",
		Long: "MARKS is a CSV file with the columns case, criterion_id, score and, where several people marked, marker. A case is the id or name of a submission, or the name of its case folder. " +
			"A score is on the scale of its criterion.\n\nFor each criterion the command prints how well court, judges and people agree. With 8 cases or more it fits a map from the court's scores to the marks, " +
			"and keeps the map if it agrees better with marks that it was not made from. With --calibration, audit shows the calibrated score beside the court's.",
		Example: "  automaton calibrate marks.csv --records cohort7\n  automaton calibrate marks.csv --records automaton-out -o calibration.json",
		Args:    one("MARKS"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.settle(c, "", false); err != nil {
				return err
			}
			if records == "" {
				return usage("--records DIR names the folder of the records", "reading flags: --records is missing")
			}
			return a.calibrate(args[0], records, format, file)
		},
	}
	f := c.Flags()
	f.StringVar(&records, "records", "", "`DIR` folder of the records: of a cohort, of case folders, or of record files")
	f.StringVarP(&file, "output", "o", "", "`FILE` file to write, for audit --calibration")
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) calibrate(marks, dir, format, file string) error {
	heard, err := a.heardIn(a.path(dir))
	if err != nil {
		return coded(exitUsage, fmt.Errorf("reading records in %s: %w", shown(dir), err))
	}
	if len(heard) == 0 {
		return usage("--records DIR names a folder that batch or audit wrote", "reading records in %s: there is none with a verdict", shown(dir))
	}
	raw, err := config.ReadFile(a.path(marks), mostExport)
	if err != nil {
		return coded(exitUsage, fmt.Errorf("reading %s: %w", shown(marks), err))
	}
	list, err := calibration.Marks(raw, &heard[0].Record.Rubric)
	if bad, ok := errors.AsType[calibration.Problems](err); ok {
		for _, line := range bad[:min(len(bad), mostNamed)] {
			a.tell(message{Kind: "place", Text: marks + ":" + line})
		}
		return coded(exitUsage, fmt.Errorf("reading %s: %s", shown(marks), count(len(bad), "error")))
	}
	if err != nil {
		return coded(exitUsage, fmt.Errorf("reading %s: %w", shown(marks), err))
	}
	f, missing, err := calibration.Make(heard, list)
	if len(missing) > 0 {
		a.warn("%s no record with a verdict: %s", counted(len(missing), "case has a mark and", "cases have marks and"), few(missing))
	}
	if err != nil {
		return coded(exitUsage, fmt.Errorf("comparing scores with marks: %w", err))
	}
	if file != "" {
		out, err := json.MarshalIndent(f, "", "  ")
		if err != nil {
			return err
		}
		if err := store.WriteFile(a.path(file), append(safetext.JSON(out), '\n')); err != nil {
			return coded(exitUnexamined, err)
		}
	}
	if format == "json" {
		return a.printJSON(f)
	}
	return a.through(func(w *lines) error { writeAgreement(w, f, heard[0].Record.Rubric); return nil })
}

// heardIn reads the records of a folder that have a verdict: the cases of a cohort, case folders, or files.
func (a *app) heardIn(dir string) ([]calibration.Heard, error) {
	student := map[string]string{} // by folder
	if isFile(filepath.Join(dir, batch.FileName)) {
		c, err := batch.ReadCohort(dir)
		if err != nil {
			return nil, err
		}
		for i, name := range batch.Folders(c.Roster) {
			student[name] = c.Roster[i].ID
		}
		dir = filepath.Join(dir, batch.CasesName)
	}
	items, err := os.ReadDir(dir)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	var list []calibration.Heard
	for _, item := range items {
		name := item.Name()
		base := strings.TrimSuffix(name, ".json")
		if strings.HasPrefix(name, ".") || !item.IsDir() && base == name {
			continue
		}
		rec, _, err := store.ReadBytes(filepath.Join(dir, name))
		if err != nil {
			a.say("%s is not read: %v", shown(name), err)
			continue
		}
		if rec.Verdict == nil || rec.Hypothetical {
			continue
		}
		names := []string{base, rec.Case.ID, cmp.Or(rec.Case.Name, rec.Case.Slug)}
		if id := student[name]; id != "" {
			names = []string{id}
		}
		slices.Sort(names)
		names = slices.DeleteFunc(slices.Compact(names), func(s string) bool { return s == "" })
		list = append(list, calibration.Heard{Record: rec, Names: names})
	}
	return list, nil
}

// writeAgreement prints how well scores and marks agree.
func writeAgreement(w *lines, f *calibration.File, r court.Rubric) {
	name := map[string]string{}
	for _, c := range r.Criteria {
		name[c.ID] = c.Name
	}
	for i, c := range f.Criteria {
		if i > 0 {
			w.f("\n")
		}
		title := name[c.ID]
		if title == "" {
			title = c.ID
		}
		w.f("%s\n  %-24s %5s  %5s  %5s  %5s  %5s\n", shown(title), "", "CASES", "SAME", "KAPPA", "ERROR", "BIAS")
		row := func(who string, g calibration.Figures) {
			w.f("  %-24s %5d  %5s  %5s  %5s  %5s\n", who, g.Anchors, g.Same.Shown(), g.Kappa.Shown(), g.Error.Shown(), g.Bias.Shown())
		}
		row("court", c.Court)
		for _, seat := range court.Personas() {
			if g, ok := c.Judges[seat]; ok {
				row(seat.Title(), g)
			}
		}
		if c.Markers != nil {
			row("one person and another", *c.Markers)
		}
		if c.Mapped != nil {
			row("court with a map, unseen", *c.Mapped)
		}
		if c.Map == nil {
			w.f("  There is no map: %s.\n", c.Why)
			continue
		}
		var to []string
		for _, v := range c.Map {
			to = append(to, v.Shown())
		}
		w.f("  The scores 1, 2, 3, 4 and 5 become %s.\n", strings.Join(to, ", "))
		w.f("  With the map ERROR goes from %s to %s, and SAME from %s to %s%s.\n", c.Court.Error.Shown(), c.Mapped.Error.Shown(), c.Court.Same.Shown(), c.Mapped.Same.Shown(), fewer(c))
	}
	w.f("\nSAME: share of cases with the same whole score. KAPPA: quadratic weighted kappa; 1 is agreement, and 0 is chance.\nERROR: mean distance in points. BIAS: mean of score less mark; above 0 the court is milder than people.\nunseen: each case under the map of all others.\n")
}

// fewer says what it means that a map brings scores closer to the marks, and fewer of them to the same whole number.
func fewer(c calibration.Criterion) string {
	if c.Mapped.Same >= c.Court.Same {
		return ""
	}
	return ": scores are closer on average, and fewer are equal as whole numbers"
}

// calibration reads the file of --calibration. It lies outside of the audited tree, and it was made under the same terms.
func (a *app) calibration(name string, r *court.Rubric, b trial.Panel) (*court.Calibration, error) {
	if name == "" {
		return nil, nil
	}
	var raw []byte
	var err error
	if name == "-" {
		raw, err = io.ReadAll(io.LimitReader(a.Stdin, mostExport))
	} else if err = a.outsideTree(a.path(name), "reading calibration "+name); err != nil {
		return nil, err
	} else {
		raw, err = config.ReadFile(a.path(name), mostExport)
	}
	if err != nil {
		return nil, coded(exitUsage, fmt.Errorf("reading %s: %w", shown(name), err))
	}
	f, err := calibration.Read(raw)
	if err != nil {
		return nil, coded(exitUsage, fmt.Errorf("reading %s: %w", shown(name), err))
	}
	c, err := f.For(trial.Terms(r, b), bench.Digest())
	if err != nil {
		return nil, coded(exitUsage, fmt.Errorf("reading %s: %w", shown(name), err), "automaton calibrate makes a calibration from records under the terms of this audit")
	}
	if len(c.Criteria) == 0 {
		a.warn("%s has no map, so it changes nothing", shown(name))
		return nil, nil
	}
	return c, nil
}
