package verdict

import (
	"github.com/automaton-auditor/automaton/internal/court"
)

// Share is what one ruling brings into the overall score.
type Share struct {
	Criterion                          string
	Weight, Exact, Low, High, Coverage court.Fixed
	Top                                court.Fixed // no score of the criterion is above it
}

// ShareOf is the share of a criterion that was heard.
func ShareOf(m Matter, r court.Ruling, coverage court.Fixed) Share {
	s := Share{Criterion: m.Criterion.ID, Weight: m.Criterion.Weight, Exact: r.Exact, Low: r.Low, High: r.High, Coverage: coverage, Top: 5 * court.One}
	if law := m.Law.SecurityOverride; caps(law, capsCriterion) && len(confirmedIn(law, m.Exhibits)) > 0 {
		s.Top = law.Cap
	}
	return s
}

// Total is the overall score: the mean of the rulings by the rubric's weights,
// and the cap when a flaw is confirmed anywhere in the case. When nothing that
// was heard has a weight, all of it weighs alike.
func Total(shares []Share, flaw bool, law court.OverrideRule) court.Overall {
	weightless := true
	for _, s := range shares {
		weightless = weightless && s.Weight <= 0
	}
	var exact, low, high, coverage court.Mean
	for _, s := range shares {
		w := int64(s.Weight)
		if weightless {
			w = 1
		}
		exact.Add(w, s.Exact)
		low.Add(w, s.Low)
		high.Add(w, s.High)
		coverage.Add(w, s.Coverage)
	}
	o := court.Overall{Exact: exact.Value(), BeforeCap: exact.Value(), Low: low.Value(), High: high.Value(), Coverage: coverage.Value()}
	if o.Capped = flaw && caps(law, capsOverall); o.Capped {
		o.Exact, o.Low, o.High = min(o.Exact, law.Cap), min(o.Low, law.Cap), min(o.High, law.Cap)
	}
	return o
}
