package cli

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/trial"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// baseline reads the record that --fail-on regression compares with. One that
// the scores cannot be held against is told, and nothing is then called a
// regression. It may not come from the audited tree, whose author could have
// lowered it.
func (a *app) baseline(path string, bar *verdict.Bar, r *court.Rubric, b trial.Panel) (*court.Record, error) {
	wanted := bar != nil && slices.Contains(bar.FailOn, verdict.FailOnRegression)
	switch {
	case wanted && path == "":
		return nil, usage("--baseline RECORD names it", "reading gate: --fail-on regression needs a record to compare with")
	case path == "":
		return nil, nil
	case !wanted:
		return nil, usage("add --fail-on regression", "reading gate: --baseline is used with --fail-on regression only")
	}
	if path != "-" {
		if err := a.outsideTree(a.path(path), "reading baseline "+path); err != nil {
			return nil, err
		}
	}
	rec, _, err := a.named(path)
	if err != nil {
		return nil, err
	}
	if err := trial.Comparable(rec, trial.Terms(r, b)); err != nil {
		if rec.Hypothetical {
			return nil, coded(exitUsage, fmt.Errorf("reading baseline %q: %w", path, err))
		}
		a.warn("baseline %q: %v; no regression is reported", path, err)
	}
	return rec, nil
}
