package verdict

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// orchestrationFraud caps a criterion when every check that the rule rests on
// is proven to fail, where the rubric turns the rule on. Which checks these are
// the rubric says.
func orchestrationFraud(s *Sitting) {
	law := s.Law.OrchestrationFraud
	basis := law.Checks()
	switch {
	case !law.On || !s.applies(law.AppliesTo):
		s.hold(court.Holding{Rule: orchestrationFraudID, Outcome: court.Off, Text: elsewhere}, s.value)
	case slices.ContainsFunc(basis, func(check string) bool { return !s.provenToFail(check) }):
		s.hold(court.Holding{Rule: orchestrationFraudID, Outcome: court.Idle, Text: "not every check of this rule is proven to fail: " + safetext.List(basis)}, s.value)
	default:
		s.top = min(s.top, law.Cap)
		var proof []string
		for _, check := range basis {
			if x, ok := s.against(check); ok {
				proof = append(proof, x.ID)
			}
		}
		s.hold(court.Holding{Rule: orchestrationFraudID, Outcome: court.Fired, Evidence: proof,
			Text: "proven to fail: " + safetext.List(basis) + "; the score is at most " + law.Cap.Shown()}, min(s.value, law.Cap))
	}
}

// provenFrom is the disbelief from which a check is proven to fail.
const provenFrom = 9 * court.One / 10

// provenToFail tells whether the court's own standard, the TechLead's, takes a
// check to be proven to fail.
func (s *Sitting) provenToFail(check string) bool {
	return slices.ContainsFunc(s.hearing.Ledger[court.TechLead], func(r court.Row) bool { return r.Check == check && r.D >= provenFrom })
}

// against is the strongest evidence that a check does not hold; of equals the
// smallest id.
func (s *Sitting) against(check string) (best court.Exhibit, ok bool) {
	for _, x := range s.Exhibits {
		if x.Check != check || !x.Stands() || !speaksAgainst(x) {
			continue
		}
		if !ok || x.Strength > best.Strength || x.Strength == best.Strength && x.ID < best.ID {
			best, ok = x, true
		}
	}
	return best, ok
}

func speaksAgainst(x court.Exhibit) bool {
	return x.Outcome == court.Violation || x.Outcome == court.Absent || x.Outcome == court.Partial && x.Share < court.One || x.Withheld
}
