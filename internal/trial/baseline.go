package trial

import (
	"errors"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Comparable says why a record cannot be the baseline of a hearing under these
// terms.
func Comparable(baseline *court.Record, now court.Terms) error {
	switch {
	case baseline.Hypothetical:
		return errors.New("it says how a case would stand, not how it stood")
	case baseline.Verdict == nil:
		return ErrNoVerdict
	}
	if apart := baseline.Terms().Apart(now); len(apart) > 0 {
		return errors.New(strings.Join(apart, "; "))
	}
	return nil
}

// Terms is under what cases are heard here with a rubric before a bench.
func Terms(r *court.Rubric, b Panel) court.Terms {
	return court.Terms{Rubric: r.Digest, Checks: r.Checks, Law: court.Law, Bench: b.sources(), Prompts: b.Prompts}
}

// fallen says in words what is lower than in the baseline.
func (h Setup) fallen(v *court.Verdict) []string {
	if h.Baseline == nil || Comparable(h.Baseline, Terms(h.Rubric, h.Panel)) != nil {
		return nil
	}
	var out []string
	for _, f := range v.Fallen(h.Baseline.Verdict) {
		is := "has no score"
		if f.Is != nil {
			is = "is " + f.Is.Shown()
		}
		out = append(out, fmt.Sprintf("%s was %s, %s", f.Criterion, f.Was.Shown(), is))
	}
	return out
}
