package trial

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// rule is the ChiefJustice: criteria in dispute are sent back once, then every
// criterion is settled.
func (c *chambers) rule(_ context.Context, s court.State) (court.State, error) {
	if s.Round() == 1 {
		if again := verdict.Disputed(s.Rubric, s.Case.Only, s.Hearings, s.Opinions); len(again) > 0 {
			return court.State{Disputed: again}, nil
		}
	}
	v := verdict.Decide(s.Rubric, s.Case.Only, s.Hearings, s.Opinions, allExhibits(s))
	return court.State{Verdict: &v}, nil
}

// mistrial is the ErrorHandler: nothing could be examined, so nothing is
// decided.
func (c *chambers) mistrial(_ context.Context, _ court.State) (court.State, error) {
	return court.State{Faults: []court.Fault{{Stage: errorHandler, Subject: "case", Reason: "nothing of the submission could be examined"}}}, nil
}

// allExhibits is the evidence of every criterion with its seals.
func allExhibits(s court.State) map[string][]court.Exhibit {
	out := map[string][]court.Exhibit{}
	for id := range s.Evidences {
		out[id] = exhibits(s, id)
	}
	return out
}
