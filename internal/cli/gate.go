package cli

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// bar reads the gate.
func (a *app) bar(r *court.Rubric) (*verdict.Bar, error) {
	under, err := a.unlessNone("fail_under")
	if err != nil {
		return nil, err
	}
	on, err := a.unlessNone("fail_on")
	if err != nil {
		return nil, err
	}
	if len(under) == 0 && len(on) == 0 {
		return nil, nil
	}
	b := &verdict.Bar{Bars: map[string]court.Fixed{}, FailOn: on}
	for _, v := range under {
		id, score, ok := strings.Cut(v, "=")
		if !ok {
			id, score = court.OverallID, v
		}
		n, err := court.ParseFixed(score)
		if err != nil || n < court.One || n > 5*court.One || n%100 != 0 {
			return nil, usage("--fail-under 3.5, or --fail-under CRITERION=3.5", "reading gate: %q is not a score: scores go from 1 to 5, with at most two decimals", score)
		}
		if ok && !slices.ContainsFunc(r.Criteria, func(c court.Criterion) bool { return c.ID == id }) {
			return nil, usage("automaton rubric show "+a.chosenRubric()+" lists the criteria", "reading gate: %q is not a criterion of this rubric", id)
		}
		if _, twice := b.Bars[id]; twice {
			return nil, usage("give --fail-under once for each", "reading gate: %s has two limits", id)
		}
		b.Bars[id] = n
	}
	return b, nil
}

// unlessNone are the values of a part of the gate. none alone takes away what a file or an earlier run of the class had.
func (a *app) unlessNone(key string) ([]string, error) {
	list := a.config.List(key)
	switch {
	case !slices.Contains(list, "none"):
		return list, nil
	case len(list) > 1:
		return nil, usage("", "reading gate: %s: none is given together with others", strings.ReplaceAll(key, "_", "-"))
	}
	return nil, nil
}
