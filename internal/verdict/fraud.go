package verdict

import "github.com/automaton-auditor/automaton/internal/court"

// orchestrationFraud caps a criterion whose graph is proven linear, where the
// rubric turns the rule on.
func orchestrationFraud(s *Sitting) {
	law := s.Law.OrchestrationFraud
	switch {
	case !law.On || !s.applies(law.AppliesTo):
		s.hold(court.Holding{Rule: orchestrationFraudID, Outcome: court.Off, Text: "not for this criterion"}, s.value)
	case !s.hearing.Linear:
		s.hold(court.Holding{Rule: orchestrationFraudID, Outcome: court.Idle, Text: "the graph is not proven linear"}, s.value)
	default:
		s.top = min(s.top, law.Cap)
		var proof []string
		for _, check := range []string{"graph.detectives_parallel", "graph.judges_parallel"} {
			if x, ok := s.against(check); ok {
				proof = append(proof, x.ID)
			}
		}
		s.hold(court.Holding{Rule: orchestrationFraudID, Outcome: court.Fired, Evidence: proof,
			Text: "the graph is proven linear; at most " + law.Cap.Shown()}, min(s.value, law.Cap))
	}
}
