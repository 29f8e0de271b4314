package trial

import (
	"context"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// judgeTask is one criterion in one round: the item of a judge's task.
type judgeTask struct {
	Criterion string `json:"criterion_id"`
	Round     int    `json:"round"`
	Samples   int    `json:"samples,omitempty"` // answers that a model is asked for; 0: one
}

// judgeTasks lists what the judges have to hear in the round that the state is
// in. Where models sit, the second hearing wants several answers, and so do
// criteria on which their first answers lay apart.
func (c *nodes) judgeTasks(s court.State) []judgeTask {
	var out []judgeTask
	again := s.Round() == 1 && s.Asked == 1
	for _, cr := range heard(s) {
		at := judgeTask{Criterion: cr.ID, Round: s.Round()}
		switch {
		case again && !slices.Contains(s.Apart, cr.ID):
			continue
		case again:
			at.Samples = oncePolled
		case at.Round > 1 && len(c.panel.Seats) > 0:
			at.Samples = twicePolled
		}
		out = append(out, at)
	}
	return out
}

// opine is a judge's node. Whoever sits there, only an opinion of that seat on what lay before it enters.
func (c *nodes) opine(j court.Persona) func(context.Context, court.State, judgeTask) (court.State, error) {
	return func(ctx context.Context, s court.State, at judgeTask) (court.State, error) {
		speak := c.embedded
		if _, ok := c.panel.Seats[j]; ok {
			speak = c.modelled
		}
		patch, err := speak(ctx, s, at, j)
		for _, o := range patch.Opinions {
			c.watch.spoke(o)
		}
		return patch, err
	}
}

// embedded is a judge's node where no model sits.
func (c *nodes) embedded(ctx context.Context, s court.State, at judgeTask, j court.Persona) (court.State, error) {
	b := briefFor(s, at)
	o, err := bench.Embedded(j).Opine(ctx, b)
	if err == nil {
		err = admit(b, j, o)
	}
	if err != nil {
		return court.State{}, err
	}
	return court.State{Opinions: []court.Opinion{o}}, nil
}

// admit says why an opinion is none of this seat on this brief. Where nothing
// was found there is nothing to cite, as where nothing was asked.
func admit(b bench.Brief, j court.Persona, o court.Opinion) error {
	if o.Judge != j {
		return fmt.Errorf("admitting an opinion of %q: the seat is of %q", o.Judge, j)
	}
	if len(b.Exhibits) == 0 {
		b.Criterion.Checks = nil
	}
	return bench.Admit(b, o)
}

// briefFor is what a judge sees of a criterion.
func briefFor(s court.State, at judgeTask) bench.Brief {
	i := slices.IndexFunc(s.Rubric.Criteria, func(c court.Criterion) bool { return c.ID == at.Criterion })
	return bench.NewBrief(s.Rubric.Criteria[i], at.Round, exhibits(s, at.Criterion))
}

// rule is the ChiefJustice: criteria in dispute are sent back once, then every criterion is settled.
func (c *nodes) rule(_ context.Context, s court.State) (court.State, error) {
	p := papersOf(s)
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

// papersOf is what the chief justice decides from.
func papersOf(s court.State) verdict.Papers {
	return verdict.Papers{Rubric: s.Rubric, Only: s.Case.Only, Answers: s.Case.Answers, Hearings: s.Hearings, Opinions: s.Opinions, Calibration: s.Case.Calibration,
		Exhibits: allExhibits(s), Incomplete: incomplete(s), Points: points,
		Modelled: slices.ContainsFunc(s.Opinions, func(o court.Opinion) bool { return !o.Embedded() })}
}

// mistrial is the ErrorHandler: nothing could be examined, so nothing is decided.
func (c *nodes) mistrial(_ context.Context, _ court.State) (court.State, error) {
	return court.State{Faults: []court.Fault{{Stage: ErrorHandler, Subject: "case", Reason: "nothing of the submission could be examined", Blocks: true}}}, nil
}
