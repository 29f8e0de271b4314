package verdict

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// dissent makes a wide spread in either hearing, or a plain disagreement of
// Prosecutor and Defense, visible with what they disagree about. It changes no
// score.
func dissent(s *Sitting) {
	r := &s.ruling
	widest := max(r.FirstSpread, r.Spread)
	r.Dissent = s.Law.Dissent.On && !s.hearing.Blind && wide(widest, s.Law.Dissent.GT)
	p, d := s.heard[court.Prosecutor], s.heard[court.Defense]
	if p != d || r.Dissent {
		r.Parted = s.hearing.Parted
		if r.Dissent && !wide(r.Spread, s.Law.Dissent.GT) { // settled by the second hearing: it was the first that was wide
			r.Parted = s.first.Parted
		}
	}
	if p != d {
		r.Disagreement = disagreement(p, d, r.Parted)
	}
	h := court.Holding{Rule: dissentID, Outcome: court.Idle, Text: fmt.Sprintf("whole scores more than %s apart need a dissent", s.Law.Dissent.GT)}
	if r.Dissent {
		h.Outcome, h.Text = court.Fired, s.resolution()
		for _, part := range r.Parted {
			h.Evidence = union(union(h.Evidence, part.Against), part.For)
		}
	}
	s.hold(h, s.value)
}

// disagreement is one line: both scores, and the checks that they disagree about.
func disagreement(p, d court.Fixed, parted []court.Parting) string {
	line := fmt.Sprintf("Prosecutor %s, Defense %s", p.Shown(), d.Shown())
	over := make([]string, len(parted))
	for i, part := range parted {
		over[i] = part.Check
	}
	if len(over) == 0 {
		return line
	}
	return line + ": " + strings.Join(over, ", ")
}

// resolution says how a spread that needs a dissent was resolved.
func (s *Sitting) resolution() string {
	r := s.ruling
	switch {
	case r.Reheard && r.Spread < r.FirstSpread:
		return fmt.Sprintf("the whole scores were %d apart; after the re-evaluation %s", r.FirstSpread, apartWords(r.Spread))
	case r.Reheard:
		return fmt.Sprintf("the whole scores are still %d apart after the re-evaluation; their mean stands", r.Spread)
	default:
		return fmt.Sprintf("the whole scores are %d apart; their mean stands", r.Spread)
	}
}
