package verdict

import "github.com/automaton-auditor/automaton/internal/court"

// elsewhere is said of a rule that is confined to other criteria.
const elsewhere = "this rule does not apply to the criterion"

// functionalityWeight weighs the seats where the rubric says so. It always
// does there, whatever the TechLead says: a weight that came only with praise
// would let a better opinion lower a score.
func functionalityWeight(s *Sitting) {
	law := s.Law.FunctionalityWeight
	if !law.On || !s.applies(law.AppliesTo) {
		s.hold(court.Holding{Rule: functionalityWeightID, Outcome: court.Off, Text: elsewhere}, s.value)
		return
	}
	h := court.Holding{Rule: functionalityWeightID, Outcome: court.Fired, Text: "the Tech Lead weighs more, with a score under 4"}
	if s.heard[court.TechLead].Score() >= 4 {
		h.Text = "the Tech Lead weighs more, with a score of 4 or more"
	}
	s.hold(h, s.heard.mean(law.Weights))
}
