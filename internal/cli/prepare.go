package cli

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// prepared is what was checked before anything is fetched.
type prepared struct {
	format  report.Format
	outputs []output
	only    []string
	answers []court.Answer
	marks   *court.Calibration
	bar     *verdict.Bar
	before  *court.Record // of --baseline
	docs    []trial.Document
	clock   func() time.Time
	shelf   *store.Shelf
	models  *seated
}

// sought are the documents of the case, unless no check asks for one.
func (p prepared) sought(r *court.Rubric) []trial.Document {
	asked := probe.Assignment{Criteria: r.Heard(p.only)}
	if p.docs[0].From == "none" || asked.Reads(trial.Probes()).Has(probe.Papers) {
		return p.docs
	}
	return []trial.Document{{From: trial.Unsought}}
}

func (a *app) prepare(c *cobra.Command, at aim, r *court.Rubric, o auditFlags) (p prepared, err error) {
	if p.format, p.outputs, err = a.outputs(c, o.format, o.outputs); err != nil {
		return p, err
	}
	if p.only, err = a.onlyThese(r, o.only); err != nil {
		return p, err
	}
	if len(r.Heard(p.only)) == 0 {
		return p, usage("automaton rubric show "+a.chosenRubric()+" lists the criteria", "judging the case: %w", trial.ErrNothingToJudge)
	}
	if p.answers, err = a.answers(o.answers, r); err != nil {
		return p, err
	}
	if p.bar, err = a.bar(r); err != nil {
		return p, err
	}
	if p.models, err = a.seat(o.models, o.offline); err != nil {
		return p, err
	}
	if p.marks, err = a.calibration(o.calibration, r, p.models.bench(a)); err != nil {
		return p, err
	}
	if p.before, err = a.baseline(o.baseline, p.bar, r, p.models.bench(a)); err != nil {
		return p, err
	}
	if p.clock, err = a.clock(); err != nil {
		return p, err
	}
	if p.docs, err = a.documents(o.pdfs); err != nil {
		return p, err
	}
	if o.offline && at.local == "" {
		return p, usage("give a local clone, or leave --offline out", "reading target: %q is not on this machine, and --offline uses no network", at.raw)
	}
	if o.offline && slices.ContainsFunc(p.docs, func(d trial.Document) bool { return d.From == trial.Address }) {
		return p, usage("give a file, or leave --offline out", "reading document: its address is not on this machine, and --offline uses no network")
	}
	out := a.path(a.config.Text("out"))
	if inGitDir(filepath.Join(out, "case")) {
		return p, usage("--out DIR names another folder", "opening output folder %q: it lies in the git folder of a repository", out)
	}
	if p.shelf, err = store.Open(out); err != nil {
		return p, coded(exitUsage, err, "--out DIR names another folder")
	}
	if err := p.shelf.Room(expectedSize); err != nil {
		return p, errors.Join(coded(exitUsage, err, "free some space, or give --out on another disk"), p.shelf.Close())
	}
	return p, nil
}

// onlyThese are the criteria that --only names, in the rubric's order.
func (a *app) onlyThese(r *court.Rubric, flag string) ([]string, error) {
	if flag == "" {
		return nil, nil
	}
	asked := strings.Split(flag, ",")
	for _, id := range asked {
		if !slices.ContainsFunc(r.Criteria, func(c court.Criterion) bool { return c.ID == id }) {
			return nil, usage("automaton rubric show "+a.chosenRubric()+" lists the criteria", "reading flags: --only %q is not a criterion of this rubric", id)
		}
	}
	var only []string
	for _, c := range r.Criteria {
		if slices.Contains(asked, c.ID) {
			only = append(only, c.ID)
		}
	}
	return only, nil
}

// expectedSize is about what a case folder takes, in bytes.
const expectedSize = 16 << 20
