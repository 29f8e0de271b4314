package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// reEvaluation goes on with the second hearing when the first one left the
// judges too far apart or core evidence in conflict. If nothing new was found
// there is no other hearing, and the first one stands. A criterion without
// checks has nothing to be looked at again.
func reEvaluation(s *Sitting) {
	s.ruling.FirstSpread = s.heard.spread()
	s.ruling.Spread = s.ruling.FirstSpread
	if !s.disputed() {
		s.hold(court.Holding{Rule: reEvaluationID, Outcome: court.Idle,
			Text: fmt.Sprintf("%s; more than %s opens a re-evaluation", apartWords(s.ruling.Spread), s.Law.Spread.GT)}, s.value)
		return
	}
	s.ruling.Reheard = true
	s.hearing = slices.MaxFunc(s.Hearings, func(a, b court.Hearing) int { return cmp.Compare(a.Round, b.Round) })
	s.seat()
	s.hold(court.Holding{Rule: reEvaluationID, Outcome: court.Fired, Text: s.why()}, s.raw.mean(nil))
	factSupremacy(s)
	s.ruling.Spread = s.heard.spread()
}

// disputed tells whether the criterion has to be re-evaluated.
func (s *Sitting) disputed() bool {
	law := s.Law.ReEvaluation
	return law.On && law.MaxRounds > 0 && !s.hearing.Blind &&
		(wide(s.ruling.FirstSpread, s.Law.Spread.GT) || s.hearing.Conflict >= law.CoreConflict)
}

// why says what opened the second hearing.
func (s *Sitting) why() string {
	if wide(s.ruling.FirstSpread, s.Law.Spread.GT) {
		return fmt.Sprintf("re-evaluated because the whole scores were %d apart, which is more than %s", s.ruling.FirstSpread, s.Law.Spread.GT)
	}
	return fmt.Sprintf("re-evaluated because the evidence on a core check contradicts itself by %s", s.first.Conflict.Shown())
}

// Disputed lists the criteria that need a second hearing, in the order of the
// rubric. Criteria that were not heard at all are not among them.
func Disputed(p Papers) []string {
	var out []string
	for _, m := range p.matters(nil) {
		if len(m.Hearings) == 0 {
			continue
		}
		s := sit(m)
		admissibility(s)
		factSupremacy(s)
		s.ruling.FirstSpread = s.heard.spread()
		if s.disputed() {
			out = append(out, m.Criterion.ID)
		}
	}
	return out
}

// apartWords says how far apart the judges' whole scores are.
func apartWords(spread int) string {
	if spread == 0 {
		return "the whole scores are equal"
	}
	return fmt.Sprintf("the whole scores are %d apart", spread)
}
