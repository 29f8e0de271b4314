package fleet

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
)

// desk stands for a docket: the states of a roster's rows.
type desk struct {
	mu     sync.Mutex
	states []docket.State
	atWork int
	most   int // at work at once
	calls  map[int64]int
	// judge says what comes of a row at its n-th call; nil: it is done.
	judge func(row int64, call int) (batch.Outcome, error)
}

func newDesk(n int) *desk {
	return &desk{states: slices.Repeat([]docket.State{docket.Pending}, n), calls: map[int64]int{}}
}

func (d *desk) places(_ context.Context, _ string, after int64, n int) (list []int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, s := range d.states {
		if int64(i) > after && s == docket.Pending && len(list) < n {
			list = append(list, int64(i))
		}
	}
	return list, nil
}

func (d *desk) examine(_ context.Context, at batch.Ref, _ func(batch.Step)) (batch.Outcome, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls[at.Row]++
	out := batch.Outcome{State: docket.Done, Record: "digest"}
	if d.judge != nil {
		var err error
		if out, err = d.judge(at.Row, d.calls[at.Row]); err != nil {
			return out, err
		}
	}
	d.states[at.Row] = out.State
	return out, nil
}

// stage is a server of the SDK's tests, on which the workflows and activities of a worker run.
func (d *desk) stage(t *testing.T) *testsuite.TestWorkflowEnvironment {
	t.Helper()
	s := &testsuite.WorkflowTestSuite{}
	s.SetLogger(slog.New(slog.DiscardHandler))
	e := s.NewTestWorkflowEnvironment()
	e.RegisterWorkflowWithOptions(CohortWorkflow, workflow.RegisterOptions{Name: cohortName})
	e.RegisterWorkflowWithOptions(AuditWorkflow, workflow.RegisterOptions{Name: auditName})
	h := &hand{places: d.places, examine: d.examine, now: e.Now, log: slog.New(slog.DiscardHandler), count: &counts{}}
	e.RegisterActivityWithOptions(h.open, activity.RegisterOptions{Name: openName})
	e.RegisterActivityWithOptions(h.audit, activity.RegisterOptions{Name: caseName})
	e.SetOnChildWorkflowStartedListener(func(*workflow.Info, workflow.Context, converter.EncodedValues) { d.work(1) })
	e.SetOnChildWorkflowCompletedListener(func(*workflow.Info, converter.EncodedValue, error) { d.work(-1) })
	return e
}

func (d *desk) work(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.atWork += n
	d.most = max(d.most, d.atWork)
}

func order(window int) Order {
	return Order{Cohort: "0a1b2c3d4e5f", Generation: 1, After: -1, Window: window, Limit: time.Minute}
}

func ended(t *testing.T, e *testsuite.TestWorkflowEnvironment) map[docket.State]int {
	t.Helper()
	var got map[docket.State]int
	if err := errors.Join(e.GetWorkflowError(), e.GetWorkflowResult(&got)); err != nil {
		t.Fatal(err)
	}
	return got
}

// Everything that is open is judged once, and no more at once than the window allows.
func TestWindow(t *testing.T) {
	d := newDesk(page + 30)
	e := d.stage(t)
	e.ExecuteWorkflow(CohortWorkflow, order(7))
	if diff := cmp.Diff(map[docket.State]int{docket.Done: page + 30}, ended(t, e)); diff != "" {
		t.Error(diff)
	}
	for row, n := range d.calls {
		if n != 1 {
			t.Errorf("row %d was judged %d times", row, n)
		}
	}
	if d.most != 7 {
		t.Errorf("%d at once", d.most)
	}
}

// A long history ends when the window is empty, and the next one goes on behind the last row.
func TestContinuesAsNew(t *testing.T) {
	d := newDesk(12)
	e := d.stage(t)
	e.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, _ converter.EncodedValues) {
		if info.ActivityType.Name == caseName {
			e.SetContinueAsNewSuggested(true)
		}
	})
	e.ExecuteWorkflow(CohortWorkflow, order(4))
	again, ok := errors.AsType[*workflow.ContinueAsNewError](e.GetWorkflowError())
	if !ok {
		t.Fatal(e.GetWorkflowError())
	}
	var o Order
	if err := converter.GetDefaultDataConverter().FromPayloads(again.Input, &o); err != nil {
		t.Fatal(err)
	}
	judged := len(d.calls)
	if o.Ended[docket.Done] != judged || o.After != int64(judged-1) || judged < 4 || judged == 12 {
		t.Errorf("%+v after %d", o, judged)
	}
	next := d.stage(t)
	next.ExecuteWorkflow(CohortWorkflow, o)
	if got := ended(t, next); got[docket.Done] != 12 || len(d.calls) != 12 {
		t.Errorf("%v, %d rows", got, len(d.calls))
	}
}

// What cannot be judged for now is tried again, by its class; what is wrong with a submission is an outcome.
func TestRetries(t *testing.T) {
	d := newDesk(5)
	d.judge = func(row int64, call int) (batch.Outcome, error) {
		switch {
		case row == 0 && call == 1:
			return batch.Outcome{State: docket.Pending}, nil // the network, for now
		case row == 1 && call <= 2:
			return batch.Outcome{}, docket.ErrAway
		case row == 2 && call == 1:
			return batch.Outcome{State: docket.Hearing}, nil // another worker has it
		case row == 3 && call == 1:
			panic("a defect")
		case row == 4:
			return batch.Outcome{State: docket.Failed}, nil
		}
		return batch.Outcome{State: docket.Done}, nil
	}
	e := d.stage(t)
	e.ExecuteWorkflow(CohortWorkflow, order(2))
	if diff := cmp.Diff(map[docket.State]int{docket.Done: 4, docket.Failed: 1}, ended(t, e)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[int64]int{0: 2, 1: 3, 2: 2, 3: 2, 4: 1}, d.calls); diff != "" {
		t.Error(diff)
	}
}

// What an audit's attempts could not end is in the next pass through the roster.
func TestNextPass(t *testing.T) {
	d := newDesk(3)
	d.judge = func(row int64, call int) (batch.Outcome, error) {
		if row == 1 && call <= 20 {
			return batch.Outcome{State: docket.Pending}, nil
		}
		return batch.Outcome{State: docket.Done}, nil
	}
	e := d.stage(t)
	before := e.Now()
	e.ExecuteWorkflow(CohortWorkflow, order(3))
	if got := ended(t, e); got[docket.Done] != 3 || d.calls[1] != 21 {
		t.Errorf("%v, %d calls", got, d.calls[1])
	}
	if e.Now().Sub(before) < nextPass {
		t.Error("it did not wait before the next pass")
	}
}

// A cancelled cohort hands nothing out any more.
func TestCancelled(t *testing.T) {
	d := newDesk(40)
	e := d.stage(t)
	n := 0
	e.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, _ converter.EncodedValues) {
		if n++; info.ActivityType.Name == caseName && n == 6 {
			e.CancelWorkflow()
		}
	})
	e.ExecuteWorkflow(CohortWorkflow, order(3))
	if err := e.GetWorkflowError(); !temporal.IsCanceledError(err) {
		t.Fatal(err)
	}
	d.mu.Lock() // an activity that was under way does not know yet that it was cancelled
	defer d.mu.Unlock()
	if len(d.calls) < 4 || len(d.calls) > 12 {
		t.Errorf("%d rows were handed out", len(d.calls))
	}
	if d.atWork != 0 {
		t.Errorf("%d are still at work", d.atWork)
	}
}

// What a worker tells the server: states, digests and classes, never what went wrong.
func TestOutcomes(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	h := &hand{now: func() time.Time { return now }, log: slog.New(slog.DiscardHandler), count: &counts{}}
	secret := errors.New("connecting to db.example.org as student: password is wrong")
	drainedAt, stop := context.WithCancelCause(context.Background())
	stop(errDrained)
	for name, x := range map[string]struct {
		mine  context.Context
		out   batch.Outcome
		err   error
		class string
		after time.Duration
	}{
		"done":     {context.Background(), batch.Outcome{State: docket.Done, Record: "d"}, nil, "", 0},
		"failed":   {context.Background(), batch.Outcome{State: docket.Failed}, nil, "", 0},
		"waits":    {context.Background(), batch.Outcome{State: docket.Pending, Again: now.Add(2 * time.Minute)}, nil, transient, 2 * time.Minute},
		"at once":  {context.Background(), batch.Outcome{State: docket.Pending}, nil, transient, time.Second},
		"held":     {context.Background(), batch.Outcome{State: docket.Fetching}, nil, held, docket.RenewEvery},
		"store":    {context.Background(), batch.Outcome{}, secret, store, 0},
		"draining": {drainedAt, batch.Outcome{State: docket.Pending}, nil, drained, time.Millisecond},
	} {
		got, err := h.outcome(context.Background(), x.mine, batch.Ref{}, x.out, x.err)
		if x.class == "" {
			if err != nil || got != x.out {
				t.Errorf("%s: %v, %v", name, got, err)
			}
			continue
		}
		said, ok := errors.AsType[*temporal.ApplicationError](err)
		if !ok || said.Type() != x.class || said.Message() != x.class || said.NextRetryDelay() != x.after || said.NonRetryable() || said.Unwrap() != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
