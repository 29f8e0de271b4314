package trial

import (
	"errors"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Comparable says why a record cannot be the baseline of a hearing: a score
// under another rubric, other checks or another law is another score.
func Comparable(baseline *court.Record, rubric *court.Rubric) error {
	switch {
	case baseline.Hypothetical:
		return errors.New("it says how a case would stand, not how it stood")
	case baseline.Verdict == nil:
		return ErrNoVerdict
	case baseline.Rubric.Digest != rubric.Digest:
		return errors.New("it was heard under another rubric")
	case baseline.Rubric.Checks != rubric.Checks:
		return errors.New("it was heard with other checks")
	case baseline.Origin.Law != court.Law:
		return fmt.Errorf("it was heard under law %d, this is law %d", baseline.Origin.Law, court.Law)
	}
	return nil
}

// fallen lists in words the scores that are lower than in the baseline. Those
// of criteria that one of the two did not hear are not compared.
func (h Hearing) fallen(v *court.Verdict) []string {
	if h.Baseline == nil || Comparable(h.Baseline, h.Rubric) != nil {
		return nil
	}
	var out []string
	fell := func(what string, was, is court.Fixed) {
		if is < was {
			out = append(out, fmt.Sprintf("%s was %s, is %s", what, was.Shown(), is.Shown()))
		}
	}
	same := len(h.Baseline.Verdict.Rulings) == len(v.Rulings)
	for _, r := range v.Rulings {
		heard := false
		for _, old := range h.Baseline.Verdict.Rulings {
			if old.Criterion != r.Criterion {
				continue
			}
			heard = true
			switch {
			case old.Final != nil && r.Final != nil:
				fell(r.Criterion, old.Exact, r.Exact)
			case old.Final != nil:
				out = append(out, fmt.Sprintf("%s was %s, has no score", r.Criterion, old.Exact.Shown()))
			}
		}
		same = same && heard
	}
	if same {
		fell("overall", h.Baseline.Verdict.Overall.Exact, v.Overall.Exact)
	}
	return out
}
