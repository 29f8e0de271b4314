package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Papers is everything that the chief justice decides a case from.
type Papers struct {
	Rubric     court.Rubric
	Only       []string                   // criteria heard; empty: all
	Answers    []court.Answer             // what people said of criteria
	Hearings   []court.Hearing            // of all criteria and rounds
	Opinions   []court.Opinion            // of all criteria, rounds and seats
	Exhibits   map[string][]court.Exhibit // by criterion
	Incomplete bool                       // the inquiry itself fell short somewhere
	Modelled   bool                       // a model is among those who were heard
	Edition    int                        // the law's version that is followed; 0: the newest
	// Points shows an exact score on a criterion's own scale; nil: none has one.
	Points func(court.Criterion, court.Fixed) *court.Points
}

// matters sorts the papers by criterion, in the order of the rubric.
func (p Papers) matters() []Matter {
	var out []Matter
	for _, c := range p.Rubric.Heard(p.Only) {
		m := Matter{Criterion: c, Law: p.Rubric.Synthesis, Exhibits: inOrder(c, p.Exhibits[c.ID]), Edition: p.Edition, Points: p.Points}
		for _, h := range p.Hearings {
			if h.Criterion == c.ID {
				m.Hearings = append(m.Hearings, h)
			}
		}
		for _, o := range p.Opinions {
			if o.Criterion == c.ID {
				m.Opinions = append(m.Opinions, o)
			}
		}
		out = append(out, m)
	}
	return out
}

// Decide rules on every criterion that was to be heard, and on the case. A
// criterion without a hearing is an error: the denominator is the rubric's, and
// nothing may drop out of it unnoticed.
//
// Where models were heard, each score stands beside what the embedded bench
// alone would have said.
func Decide(p Papers) (court.Verdict, error) {
	v, err := decide(p)
	if err != nil || !p.Modelled {
		return v, err
	}
	p.Opinions = nil // every seat is filled from the bench
	alone, err := decide(p)
	if err != nil {
		return v, err
	}
	v.Overall.Embedded = &alone.Overall.Exact
	for i := range v.Rulings {
		v.Rulings[i].Embedded = &alone.Rulings[i].Exact
	}
	return v, nil
}

func decide(p Papers) (court.Verdict, error) {
	v := court.Verdict{Rulings: []court.Ruling{}}
	var all []*Sitting
	var shares []Share
	flaw := false
	for _, m := range p.matters() {
		if len(m.Hearings) == 0 {
			return court.Verdict{}, fmt.Errorf("ruling on %q: it was not heard", m.Criterion.ID)
		}
		s := ruleOn(m)
		all = append(all, s)
		v.Rulings = append(v.Rulings, s.ruling)
		shares = append(shares, ShareOf(m, s.ruling, s.hearing))
		flaw = flaw || len(confirmedIn(m.Law.SecurityOverride, m.Exhibits)) > 0
	}
	v.Overall = Total(Answered(shares, p.Rubric, p.Only, p.Answers), flaw, p.Rubric.Synthesis.SecurityOverride)
	v.Headline = headline(v, flaw, p.Incomplete)
	return v, nil
}

// inOrder is the evidence of a criterion by check, then by id: whatever order
// the papers come in, the same is named first.
func inOrder(c court.Criterion, list []court.Exhibit) []court.Exhibit {
	at := map[string]int{}
	for i, ch := range c.Checks {
		at[ch.ID] = i
	}
	return slices.SortedFunc(slices.Values(list), func(x, y court.Exhibit) int {
		return cmp.Or(cmp.Compare(at[x.Check], at[y.Check]), cmp.Compare(x.ID, y.ID))
	})
}
