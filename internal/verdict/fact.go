package verdict

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// factSupremacy moves each opinion into the interval that the evidence allows.
// One that had to be moved far is overruled, and the evidence that did it is
// named. There is no penalty beyond the bound.
func factSupremacy(s *Sitting) {
	law := s.Law.FactSupremacy
	low, high := s.hearing.Bound()
	s.heard, s.ruling.Overruled = scores{}, []court.Persona{}
	h := court.Holding{Rule: factSupremacyID, Outcome: court.Idle}
	for _, j := range court.Personas() {
		held := min(max(s.raw[j], low), high)
		s.heard[j] = s.raw[j]
		if !law.On {
			continue
		}
		if law.Mode == "clamp" {
			s.heard[j] = held
		}
		down, up := s.raw[j]-held, held-s.raw[j]
		if max(down, up) < law.LabelAt {
			continue
		}
		s.ruling.Overruled = append(s.ruling.Overruled, j)
		if down > 0 {
			h.Evidence = union(h.Evidence, s.hearing.Against)
		}
		if up > 0 {
			h.Evidence = union(h.Evidence, s.hearing.For)
		}
	}
	h.Judges = s.ruling.Overruled
	h.Text = factText(s, h, low, high)
	if len(h.Judges) > 0 || moved(s.raw, s.heard) {
		h.Outcome = court.Fired
	}
	s.hold(h, s.heard.mean(nil))
}

func factText(s *Sitting, h court.Holding, low, high court.Fixed) string {
	switch {
	case !s.Law.FactSupremacy.On:
		return "this rubric does not bind opinions to the evidence"
	case len(h.Judges) > 0:
		return fmt.Sprintf("the evidence allows %s and overrules %s", interval(low, high), names(h.Judges))
	case moved(s.raw, s.heard):
		return fmt.Sprintf("the evidence allows %s; a score outside moves to the nearer end", interval(low, high))
	default:
		return fmt.Sprintf("the evidence allows %s; no score lies outside", interval(low, high))
	}
}

func moved(raw, heard scores) bool {
	return slices.ContainsFunc(court.Personas(), func(j court.Persona) bool { return raw[j] != heard[j] })
}

// union adds what is not there yet, in order.
func union(list, more []string) []string {
	for _, id := range more {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}
