package trial

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// rule is the ChiefJustice: criteria in dispute are sent back once, then every
// criterion is settled.
func (c *chambers) rule(_ context.Context, s court.State) (court.State, error) {
	p := papers(s)
	patch := court.State{}
	if s.Round() == 1 {
		if apart := c.apart(s); s.Asked == 0 && len(apart) > 0 {
			return court.State{Apart: apart, Asked: 1}, nil
		}
		if s.Asked > 0 {
			patch.Asked = 2
		}
		if patch.Disputed = verdict.Disputed(p); len(patch.Disputed) > 0 {
			return patch, nil
		}
	}
	v, err := verdict.Decide(p)
	if err != nil {
		return court.State{}, graph.Permanent(err)
	}
	c.watch.ruled(v)
	patch.Verdict = &v
	return patch, nil
}

// papers is what the chief justice decides from.
func papers(s court.State) verdict.Papers {
	return verdict.Papers{Rubric: s.Rubric, Only: s.Case.Only, Answers: s.Case.Answers, Hearings: s.Hearings, Opinions: s.Opinions,
		Exhibits: allExhibits(s), Incomplete: incomplete(s), Points: points,
		Modelled: slices.ContainsFunc(s.Opinions, func(o court.Opinion) bool { return !o.Embedded() })}
}

// points shows an exact score on a criterion's own scale; a plain one needs no
// other.
func points(c court.Criterion, exact court.Fixed) *court.Points {
	if c.Scale.Kind != "points" && c.Scale.Kind != "levels" {
		return nil
	}
	p := &court.Points{Points: c.Scale.Points(exact), Max: c.Scale.Max}
	if l, ok := c.Scale.Level(exact); ok {
		p.Level = l.Name
	}
	return p
}

// incomplete tells whether our own inquiry kept something from being examined.
func incomplete(s court.State) bool {
	return s.Case.Commit == "" || blocked(s.Faults)
}

// mistrial is the ErrorHandler: nothing could be examined, so nothing is
// decided.
func (c *chambers) mistrial(_ context.Context, _ court.State) (court.State, error) {
	return court.State{Faults: []court.Fault{{Stage: ErrorHandler, Subject: "case", Reason: "nothing of the submission could be examined", Blocks: true}}}, nil
}

// allExhibits is the evidence of every criterion with its seals.
func allExhibits(s court.State) map[string][]court.Exhibit {
	out := map[string][]court.Exhibit{}
	for id := range s.Evidences {
		out[id] = exhibits(s, id)
	}
	return out
}
