package verdict

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Share is what one ruling brings into the overall score.
type Share struct {
	Criterion                          string
	Weight, Exact, Low, High, Coverage court.Fixed
	Top                                court.Fixed // no score of the criterion is above it
	Unexamined                         bool        // it counts in the interval and in nothing else
}

// ShareOf is the share of a criterion that was heard.
func ShareOf(m Matter, r court.Ruling, h court.Hearing) Share {
	s := Share{Criterion: m.Criterion.ID, Weight: m.Criterion.Weight, Exact: r.Exact, Low: r.Low, High: r.High, Coverage: h.Coverage, Top: 5 * court.One, Unexamined: unexamined(h)}
	if law := m.Law.SecurityOverride; caps(law, capsCriterion) && len(confirmedIn(law, m.Exhibits)) > 0 {
		s.Top = law.Cap
	}
	return s
}

// unexamined tells whether nobody looked at half of a criterion or more, which is not the
// submission's doing: then it has no score.
func unexamined(h court.Hearing) bool { return h.Unseen >= court.One/2 }

// Total is the overall score: the mean of the rulings that were examined by the rubric's
// weights, and the cap when a flaw is confirmed anywhere in the case. When nothing that was
// heard has a weight, all of it weighs alike. The interval is over all, examined or not.
func Total(shares []Share, flaw bool, law court.OverrideRule) court.Overall {
	all := weightless(shares)
	examined := slices.DeleteFunc(slices.Clone(shares), func(s Share) bool { return s.Unexamined })
	o := court.Overall{Unexamined: len(shares) - len(examined), Unscored: len(shares) > 0 && len(examined) == 0}
	if o.Unscored {
		examined = shares
	}
	o.Exact = mean(examined, weightless(examined), func(s Share) court.Fixed { return s.Exact })
	o.Low = min(o.Exact, mean(shares, all, func(s Share) court.Fixed { return s.Low }))
	o.High = max(o.Exact, mean(shares, all, func(s Share) court.Fixed { return s.High }))
	o.Coverage = mean(shares, all, func(s Share) court.Fixed { return s.Coverage })
	o.BeforeCap = o.Exact
	if o.Capped = flaw && caps(law, capsOverall); o.Capped {
		o.Exact, o.Low, o.High = min(o.Exact, law.Cap), min(o.Low, law.Cap), min(o.High, law.Cap)
	}
	return o
}

func weightless(shares []Share) bool {
	return !slices.ContainsFunc(shares, func(s Share) bool { return s.Weight > 0 })
}

// mean of one number of the shares, by their weights or all alike.
func mean(shares []Share, alike bool, of func(Share) court.Fixed) court.Fixed {
	var m court.Mean
	for _, s := range shares {
		w := int64(s.Weight)
		if alike {
			w = 1
		}
		m.Add(w, of(s))
	}
	return m.Value()
}
