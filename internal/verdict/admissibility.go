package verdict

import (
	"github.com/automaton-auditor/automaton/internal/court"
)

// admissibility fills the three seats. Whoever fills them, the value is then
// the plain mean, and a mean of all three it stays until a cap.
func admissibility(s *Sitting) {
	s.seat()
	s.value = s.raw.mean(nil)
	h := court.Holding{Rule: admissibilityID, Outcome: court.Idle, Judges: s.ruling.Substituted, Text: "three opinions count"}
	if len(s.ruling.Substituted) > 0 {
		h.Outcome, h.Text = court.Fired, "the built-in judge takes the seat of "+names(s.ruling.Substituted)
	}
	s.hold(h, s.value)
}

// seat takes the opinions of the hearing in force. A seat without exactly one
// admissible opinion is filled from the bench.
func (s *Sitting) seat() {
	s.raw, s.ruling.Substituted = scores{}, []court.Persona{}
	for _, j := range court.Personas() {
		exact, ok := s.opinion(j)
		if !ok {
			exact = s.hearing.Bench[j]
			s.ruling.Substituted = append(s.ruling.Substituted, j)
		}
		s.raw[j] = exact
	}
}

// opinion is the exact score that a judge gave in the hearing in force. Two
// opinions for one seat are none.
func (s *Sitting) opinion(j court.Persona) (exact court.Fixed, ok bool) {
	n := 0
	for _, o := range s.Opinions {
		if o.Judge == j && o.Round == s.hearing.Round {
			n++
			exact = o.Exact
			ok = o.Substituted == "" && exact >= court.One && exact <= fullMark && exact.Score() == o.Score
		}
	}
	return exact, ok && n == 1
}
