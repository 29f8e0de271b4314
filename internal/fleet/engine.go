package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
)

// Temporal has a cohort judged by workers elsewhere. What is done and why stands on the docket.
type Temporal struct {
	Docket *docket.Docket
	Queue  string
	Window int                // submissions at once
	Limit  time.Duration      // for one of them
	Warn   func(string)       // told what keeps the cohort from going on, each thing once
	Watch  func(s batch.Step) // told what happens to submissions
	Now    func() time.Time

	client client.Client
	told   map[string]bool
}

// Open reaches the server.
func (t *Temporal) Open(ctx context.Context, l Link) (err error) {
	t.told = map[string]bool{}
	t.client, err = l.dial(ctx)
	return err
}

// Close lets the server go.
func (t *Temporal) Close() { t.client.Close() }

// Submit has what is open in a cohort judged. It is safe to say so again.
func (t *Temporal) Submit(ctx context.Context, cohort string, generation int64) error {
	_, err := t.client.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: cohortID(cohort), TaskQueue: t.Queue,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING, WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		Priority: temporal.Priority{FairnessKey: cohort}},
		cohortName, Order{Cohort: cohort, Generation: generation, After: -1, Window: t.Window, Limit: t.Limit})
	if err != nil {
		return fmt.Errorf("handing the cohort to the crew: %w", err)
	}
	return nil
}

// Cancel ends the workflow of a cohort, if there is one; those of its submissions are told by it.
func (t *Temporal) Cancel(ctx context.Context, cohort string) error {
	err := t.client.CancelWorkflow(ctx, cohortID(cohort), "")
	if _, none := errors.AsType[*serviceerror.NotFound](err); err != nil && !none {
		return fmt.Errorf("telling the crew to end the cohort: %w", err)
	}
	return nil
}

// How often the docket is asked for what changed, and the server whether somebody works.
const (
	askEvery   = 500 * time.Millisecond
	lookEvery  = 10 * time.Second
	nobodyTime = 30 * time.Second
)

// Wait watches until nothing of the cohort is open. What it needs to go on is looked after: a workflow that ended meanwhile is
// begun again.
func (t *Temporal) Wait(ctx context.Context, cohort string, generation int64) error {
	stamp, err := t.Docket.Stamp(ctx, cohort)
	if err != nil {
		return err
	}
	w := &watched{since: stamp.Changed.UnixMilli(), states: map[string]docket.State{}}
	look, alone := t.Now(), time.Time{}
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		if err := t.steps(ctx, cohort, w); err != nil {
			return err
		}
		_, open, err := t.Docket.Opens(ctx, cohort)
		if err != nil || open == 0 {
			return err
		}
		if now := t.Now(); now.Sub(look) >= lookEvery {
			look, alone = now, t.look(ctx, cohort, generation, alone)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// watched is what was told of a cohort's submissions.
type watched struct {
	since  int64
	states map[string]docket.State
}

// steps tells what happened since it was last asked.
func (t *Temporal) steps(ctx context.Context, cohort string, w *watched) error {
	list, last, err := t.Docket.Changed(ctx, cohort, w.since)
	if err != nil {
		return err
	}
	w.since = last
	for _, s := range list {
		before := w.states[s.ID]
		if before == s.State {
			continue
		}
		w.states[s.ID] = s.State
		atWork := s.State == docket.Fetching || s.State == docket.Hearing
		switch {
		case atWork && before != docket.Fetching && before != docket.Hearing:
			t.Watch(batch.Step{Row: s, Kind: batch.Begun})
		case !atWork && (s.State != docket.Pending || before != ""):
			t.Watch(batch.Step{Row: s, Kind: batch.Ended})
		}
	}
	return nil
}

// look asks the server whether the cohort goes on, and whether anybody works on it. alone is since when nobody does.
func (t *Temporal) look(ctx context.Context, cohort string, generation int64, alone time.Time) time.Time {
	limit, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	d, err := t.client.DescribeWorkflowExecution(limit, cohortID(cohort), "")
	_, none := errors.AsType[*serviceerror.NotFound](err)
	if none || err == nil && d.GetWorkflowExecutionInfo().GetStatus() != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		err = t.Submit(limit, cohort, generation)
	}
	if err != nil {
		t.once("the server of the crew does not answer; what the workers write is still shown")
		return alone
	}
	p, err := t.client.DescribeTaskQueue(limit, auditQueue(t.Queue), enums.TASK_QUEUE_TYPE_ACTIVITY) //nolint:staticcheck // the newer call is not in every server
	switch {
	case err != nil || len(p.GetPollers()) > 0:
		return time.Time{}
	case alone.IsZero():
		return t.Now()
	case t.Now().Sub(alone) >= nobodyTime-lookEvery:
		t.once("no worker on queue " + t.Queue + ": automaton worker starts one")
	}
	return alone
}

// once warns of a thing the first time.
func (t *Temporal) once(what string) {
	if !t.told[what] {
		t.told[what] = true
		t.Warn(what)
	}
}
