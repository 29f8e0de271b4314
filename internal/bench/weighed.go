package bench

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Weighed is what the evidence on one check comes to before checks are held against
// each other: what the ledgers of the three judges are made from.
type Weighed struct {
	Check    court.Check
	Needs    []int // the checks that it rests on, by their place in the criterion
	Applies  bool
	Withheld bool
	Unseen   bool
	Pro, Con []court.Fixed // by judge, in the order of court.Personas
}

// Weigh gives what the evidence on each check of a criterion comes to.
func Weigh(c court.Criterion, exhibits []court.Exhibit) []Weighed {
	var out []Weighed
	for i, p := range pose(c.Checks, exhibits) {
		w := Weighed{Check: p.Check, Needs: []int{}, Applies: p.applies(), Withheld: p.withheld(), Unseen: p.unseen()}
		for _, parent := range p.Requires {
			if k := slices.IndexFunc(c.Checks[:i], func(x court.Check) bool { return x.ID == parent }); k >= 0 {
				w.Needs = append(w.Needs, k)
			}
		}
		for _, j := range court.Personas() {
			pro, con := p.weigh(current().Judges[j])
			w.Pro, w.Con = append(w.Pro, pro), append(w.Con, con)
		}
		out = append(out, w)
	}
	return out
}

// Measure is how one judge counts, for the one who computes scores elsewhere.
type Measure struct {
	Doubt, Gate court.Fixed
	Curve       string // strict, plain or lenient
	CoreHalves  int64
}

// Measures are those of the three judges in the order of court.Personas, and from
// where a check counts as proven to fail.
func Measures() (list []Measure, proven court.Fixed) {
	for _, j := range court.Personas() {
		s := current().Judges[j]
		list = append(list, Measure{s.Doubt, s.Gate, string(s.Curve), s.CoreHalves})
	}
	return list, current().Proven
}
