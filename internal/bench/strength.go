package bench

import "github.com/automaton-auditor/automaton/internal/court"

// Strength is what one piece of evidence can carry before any judge admits it,
// in 0..One: its confidence times the reliability of its source. Absence never
// carries more than 0.85, as searching and not finding is not proof. What is
// unknown, and that there is nothing to check, carries nothing.
func Strength(e court.Evidence) court.Fixed {
	p := current()
	reliability := p.Reliability[e.Source]
	switch e.Outcome {
	case court.Present, court.Violation, court.Partial:
	case court.Absent:
		reliability = min(reliability, p.Absence)
	default:
		return 0
	}
	return court.Mul(unit(e.Confidence), reliability)
}

// item is evidence with its weight on both sides.
type item struct {
	court.Exhibit
	strength court.Fixed
	pro, con court.Fixed
}

func weighed(x court.Exhibit) item {
	it := item{Exhibit: x, strength: Strength(x.Evidence)}
	full := it.strength
	if full >= current().Proven {
		full = court.One
	}
	switch x.Outcome {
	case court.Present:
		it.pro = full
	case court.Partial:
		it.pro = court.Mul(full, unit(x.Share))
		it.con = full - it.pro
	case court.Violation, court.Absent:
		it.con = full
	case court.Unknown, court.NotApplicable: // speak for neither side
	}
	return it
}

// side is how much the item carries against or for a check.
func (it item) side(against bool) court.Fixed {
	if against {
		return it.con
	}
	return it.pro
}

// argues ranks the item among those that may be named for one side: what is withheld speaks
// against a check, before all that says nothing.
func (it item) argues(against bool) court.Fixed {
	if against && it.Withheld {
		return max(it.con, 1)
	}
	return it.side(against)
}

// examined is the share of the scope that the item shows to have been looked at.
func (it item) examined() court.Fixed {
	if it.strength < current().Examined {
		return 0
	}
	return unit(it.Coverage)
}

// unit holds a number of foreign origin in 0..One.
func unit(f court.Fixed) court.Fixed { return min(max(f, 0), court.One) }
