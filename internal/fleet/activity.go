package fleet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// The classes of errors that have an audit tried again. They are all that a history says of one.
const (
	transient = "transient" // of the network: the docket says when
	held      = "held"      // another worker has it, or had it when it died
	drained   = "drained"   // the worker is being stopped
	store     = "store"     // the database is away, or this machine cannot work
)

// errDrained ends the work of a worker that is being stopped.
var errDrained = errors.New("the worker is being stopped")

// hand is what a worker does.
type hand struct {
	places  func(ctx context.Context, cohort string, after int64, n int) ([]int64, error)
	examine batch.Examine
	drain   time.Duration // for cases at work when the worker is stopped
	now     func() time.Time
	log     *slog.Logger
	count   *counts
}

// open gives the next places of a roster that are open.
func (h *hand) open(ctx context.Context, cohort string, after int64) ([]int64, error) {
	rows, err := h.places(ctx, cohort, after, page)
	if err != nil {
		h.log.Error("asking for open submissions", "cohort", cohort, "error", err)
		return nil, temporal.NewApplicationError(store, store) // what the database says is for the log
	}
	return rows, nil
}

// audit judges one submission. What is wrong with it is an outcome; an error has it tried again.
func (h *hand) audit(ctx context.Context, at batch.Ref) (out batch.Outcome, err error) {
	mine, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var tasks atomic.Int64
	go h.accompany(mine, stop, activity.GetWorkerStopChannel(ctx), &tasks)
	defer func() {
		if r := recover(); r != nil { // a history would have its stack
			err = fmt.Errorf("a defect of this program: %v", r)
		}
		out, err = h.outcome(ctx, mine, at, out, err)
	}()
	defer h.count.begin()()
	return h.examine(mine, at, func(s batch.Step) {
		if s.Kind == batch.Worked && s.Event.Kind == trace.NodeEnd {
			tasks.Add(1)
		}
	})
}

// accompany tells the server that the work goes on and how many tasks are done, and ends it some time after the worker was told to stop.
func (h *hand) accompany(ctx context.Context, stop context.CancelCauseFunc, stopped <-chan struct{}, tasks *atomic.Int64) {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	var over <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-stopped:
			t := time.NewTimer(h.drain)
			defer t.Stop()
			over, stopped = t.C, nil
		case <-over:
			stop(errDrained)
			return
		case <-beat.C:
			activity.RecordHeartbeat(ctx, tasks.Load())
		}
	}
}

// outcome is what the server is told: where the submission stands, or the class of what has it tried again.
func (h *hand) outcome(ctx, mine context.Context, at batch.Ref, out batch.Outcome, err error) (batch.Outcome, error) {
	again := func(class string, after time.Duration) (batch.Outcome, error) {
		return batch.Outcome{}, temporal.NewApplicationErrorWithOptions(class, class, temporal.ApplicationErrorOptions{NextRetryDelay: after})
	}
	log := h.log.With("cohort", at.Cohort, "row", at.Row)
	switch {
	case errors.Is(context.Cause(mine), errDrained):
		log.Info("given back: the worker is being stopped")
		return again(drained, time.Millisecond)
	case err != nil && ctx.Err() != nil:
		return batch.Outcome{}, ctx.Err()
	case err != nil:
		log.Error("not judged", "error", err)
		return again(store, 0)
	}
	switch out.State {
	case docket.Pending:
		if ctx.Err() != nil { // cancelled
			return batch.Outcome{}, ctx.Err()
		}
		return again(transient, max(out.Again.Sub(h.now()), time.Second))
	case docket.Fetching, docket.Hearing:
		return again(held, docket.RenewEvery)
	}
	log.Info("ended", "state", out.State)
	h.count.end(string(out.State))
	return out, nil
}
