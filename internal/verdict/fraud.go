package verdict

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// orchestrationFraud caps a criterion when every check that the rule rests on
// is proven to fail, where the rubric turns the rule on. Which checks these are
// the rubric says.
func orchestrationFraud(s *Sitting) {
	law := s.Law.OrchestrationFraud
	basis, proven, idle := restsOn(law)
	switch {
	case !law.On || !s.applies(law.AppliesTo):
		s.hold(court.Holding{Rule: orchestrationFraudID, Outcome: court.Off, Text: "not for this criterion"}, s.value)
	case slices.ContainsFunc(basis, func(check string) bool { return !s.provenToFail(check) }):
		s.hold(court.Holding{Rule: orchestrationFraudID, Outcome: court.Idle, Text: idle}, s.value)
	default:
		s.top = min(s.top, law.Cap)
		var proof []string
		for _, check := range basis {
			if x, ok := s.against(check); ok {
				proof = append(proof, x.ID)
			}
		}
		s.hold(court.Holding{Rule: orchestrationFraudID, Outcome: court.Fired, Evidence: proof,
			Text: proven + "; at most " + law.Cap.Shown()}, min(s.value, law.Cap))
	}
}

// restsOn lists the checks of the rule, with the words for their being proven
// to fail and for not. A record that was made before rubrics named the checks
// rested on two, and says so in the words of that time: it replays to the same
// verdict.
func restsOn(law court.FraudRule) (checks []string, proven, idle string) {
	if len(law.WhenAll) == 0 {
		return []string{"graph.detectives_parallel", "graph.judges_parallel"}, "the graph is proven linear", "the graph is not proven linear"
	}
	list := strings.Join(law.WhenAll, ", ")
	return law.WhenAll, "proven to fail: " + list, "not all proven to fail: " + list
}

// provenFrom is the disbelief from which a check is proven to fail.
const provenFrom = 9 * court.One / 10

// provenToFail tells whether the court's own standard, the TechLead's, takes a
// check to be proven to fail.
func (s *Sitting) provenToFail(check string) bool {
	return slices.ContainsFunc(s.hearing.Ledger[court.TechLead], func(r court.Row) bool { return r.Check == check && r.D >= provenFrom })
}
