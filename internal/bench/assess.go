package bench

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Assess says what the bench makes of the evidence on a criterion in a round.
// What does not stand any more is not heard; the order of the exhibits does not matter. A criterion
// without checks, or with nothing to check, is blind: its scores are those of
// total ignorance and its ledger is empty. The court's own standard, behind doubt, conflict, coverage,
// low and high, is the TechLead's.
func Assess(c court.Criterion, exhibits []court.Exhibit, round int) court.Hearing {
	return assess(c, pose(c.Checks, exhibits), round)
}

func assess(c court.Criterion, checks []posed, round int) court.Hearing {
	h := court.Hearing{Criterion: c.ID, Round: round, Blind: !slices.ContainsFunc(checks, posed.applies),
		Bench: map[court.Persona]court.Fixed{}, Ledger: map[court.Persona][]court.Row{},
		Against: []string{}, For: []string{}, Parted: []court.Parting{}}
	if h.Blind { // one core check of which nobody knows anything
		checks = []posed{{Check: court.Check{Weight: 1, Facet: court.Core}}}
	}
	tech, falls := ledger(checks, current().Judges[court.TechLead], nil)
	ledgers := map[court.Persona][]court.Row{}
	for _, j := range court.Personas() {
		s := current().Judges[j]
		ledgers[j], _ = ledger(checks, s, falls)
		h.Bench[j] = exact(ledgers[j], s)
		h.Ledger[j] = []court.Row{}
	}
	h.Doubt = average(tech, func(r court.Row) court.Fixed { return r.U })
	h.Conflict = conflict(checks)
	h.Coverage = coverage(checks)
	h.Unseen = unseen(checks, tech)
	h.Low, h.High = interval(checks, tech)
	if h.Blind {
		return h
	}
	h.Ledger = ledgers
	h.Against, h.For = decisive(checks, tech, true), decisive(checks, tech, false)
	h.Parted = parted(checks, h)
	return h
}

// interval is the TechLead's score with every doubt resolved against and in
// favour of the submission. Against it, what has nothing to check counts as
// failed unless what it rests on surely holds.
func interval(checks []posed, tech []court.Row) (low, high court.Fixed) {
	s, proven := current().Judges[court.TechLead], current().Proven
	gate := s.Gate
	var sure court.Mean
	for i, r := range tech {
		switch {
		case r.Applies():
			sure.Add(r.Weight, r.Sure)
		case r.Sure < court.One/2:
			sure.Add(s.weight(checks[i].Check), 0)
		}
	}
	low = court.One + 4*sure.Value()
	high = court.One + 4*(court.One-average(tech, func(r court.Row) court.Fixed { return r.D }))
	for _, r := range tech {
		if r.Core && court.One-r.Sure >= proven {
			low = min(low, gate)
		}
	}
	if slices.ContainsFunc(tech, func(r court.Row) bool { return r.Core && r.D >= proven }) {
		high = min(high, gate)
	}
	return low, high
}

// conflict is the most by which evidence for and against a core check exceeds
// what can be true at once.
func conflict(checks []posed) court.Fixed {
	var most court.Fixed
	for _, c := range checks {
		if c.Facet == court.Core {
			most = max(most, c.clash())
		}
	}
	return most
}

// clash is how far the evidence on both sides of a check exceeds One, in the
// court's own standard.
func (c posed) clash() court.Fixed {
	pro, con := c.weigh(current().Judges[court.TechLead])
	return max(pro+con-court.One, 0)
}
