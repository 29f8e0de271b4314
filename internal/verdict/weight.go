package verdict

import "github.com/automaton-auditor/automaton/internal/court"

// functionalityWeight weighs the seats where the rubric says so. It always
// does there, whatever the TechLead says: a weight that came only with praise
// would let a better opinion lower a score.
func functionalityWeight(s *Sitting) {
	law := s.Law.FunctionalityWeight
	if !law.On || !s.applies(law.AppliesTo) {
		s.hold(court.Holding{Rule: functionalityWeightID, Outcome: court.Off, Text: "not for this criterion"}, s.value)
		return
	}
	h := court.Holding{Rule: functionalityWeightID, Outcome: court.Fired, Text: "the TechLead weighs more; the TechLead does not confirm"}
	if s.heard[court.TechLead].Score() >= 4 {
		h.Text = "the TechLead weighs more; TechLead confirms"
	}
	s.hold(h, s.heard.mean(law.Weights))
}
