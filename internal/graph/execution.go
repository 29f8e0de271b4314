package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// execution is the execution of one task by Local: its attempts and its outcome.
type execution[S any] struct {
	run   *run[S]
	task  Task
	gates gates
}

// longestBackoff bounds the wait between two attempts.
const longestBackoff = time.Minute

// do makes all attempts and journals the outcome. The error it returns is of
// the run, not of the node.
func (e *execution[S]) do(ctx context.Context, s S) (Outcome[S], error) {
	p := e.run.Graph.Policy(e.task.Node)
	wait := p.Backoff
	for n := 1; ; n++ {
		patch, ev, err := e.attempt(ctx, n, s)
		if err != nil {
			return Outcome[S]{}, err
		}
		out := Outcome[S]{Patch: patch}
		if ev.Kind == Failed {
			out.Failure = failureText(errors.New(ev.Err))
		} else if e.run.Redo != nil {
			out.Redo = e.run.Redo(patch)
		}
		if ev.Kind != Retried {
			return e.settle(ctx, ev, out)
		}
		e.run.emit(ev)
		pause(ctx, wait)
		wait = min(2*wait, longestBackoff)
	}
}

// attempt makes the n-th attempt, once there is room, and says what came of it:
// Finished, Failed or Retried.
func (e *execution[S]) attempt(ctx context.Context, n int, s S) (patch S, ev Event, err error) {
	leave := e.gates.enter(ctx)
	defer leave()
	if ctx.Err() != nil {
		return patch, ev, context.Cause(ctx)
	}
	ev = Event{Kind: Started, Task: e.task, Attempt: n}
	e.run.emit(ev)
	began := e.run.now()
	patch, broke := e.call(ctx, s)
	ev.Took = e.run.now().Sub(began)
	if _, changed := errors.AsType[changedState](broke); changed {
		return patch, ev, broke
	}
	if ctx.Err() != nil {
		return patch, ev, context.Cause(ctx) // no outcome: a resume runs it again
	}
	if broke == nil {
		ev.Kind = Finished
		return patch, ev, nil
	}
	ev.Kind, ev.Err = Retried, broke.Error()
	if p, ok := errors.AsType[panicked](broke); ok {
		ev.Stack = string(p.stack)
	}
	_, final := errors.AsType[permanent](broke)
	if final || n >= e.run.Graph.Policy(e.task.Node).Attempts {
		ev.Kind = Failed
	}
	return patch, ev, nil
}

// changedState is the crime that Strict runs look for.
type changedState struct{ task string }

func (c changedState) Error() string {
	return c.task + " changed the state it was given"
}

// call is Do. In a Strict run the node works on a copy of its own, so that a
// change is not a race and the culprit has a name.
func (e *execution[S]) call(ctx context.Context, s S) (patch S, err error) {
	if !e.run.Strict {
		return e.run.Graph.Do(ctx, e.task, s)
	}
	before, err := json.Marshal(s)
	if err != nil {
		return patch, err
	}
	own, err := decode[S](before)
	if err != nil {
		return patch, err
	}
	patch, err = e.run.Graph.Do(ctx, e.task, own)
	if errors.Is(err, errLeftBehind) {
		return patch, err // it may still be reading its copy, or writing
	}
	after, broken := json.Marshal(own)
	if broken != nil || !bytes.Equal(before, after) {
		return patch, changedState{e.task.ID()}
	}
	return patch, err
}

// settle journals an outcome and returns the one that stands, as read from
// JSON: the runner that found it and the one that replays it see the same.
func (e *execution[S]) settle(ctx context.Context, ev Event, out Outcome[S]) (stands Outcome[S], err error) {
	raw, err := json.Marshal(out)
	if err != nil { // the patch is at fault, not the run
		ev.Kind, ev.Err = Failed, "encoding the patch: "+err.Error()
		if raw, err = json.Marshal(Outcome[S]{Failure: failureText(errors.New(ev.Err))}); err != nil {
			return stands, fmt.Errorf("encoding the failure of %s: %w", e.task.ID(), err)
		}
	}
	kept := Record{Task: e.run.key(e.task.Step, e.task.ID()), Outcome: raw, At: e.run.now()}
	if e.run.Journal != nil {
		// What is finished is kept, even when the run was cancelled meanwhile.
		if kept, err = e.run.Journal.Append(context.WithoutCancel(ctx), kept); err != nil {
			return stands, fmt.Errorf("journalling %s: %w", e.task.ID(), err)
		}
	}
	if stands, err = decode[Outcome[S]](kept.Outcome); err != nil {
		return stands, fmt.Errorf("reading the outcome of %s: %w", e.task.ID(), err)
	}
	ev.Yielded = !bytes.Equal(kept.Outcome, raw)
	e.run.emit(ev)
	return stands, nil
}

// pause waits, or not when ctx ends first; the next attempt sees to that.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// gates bound how many tasks are at work. A nil gate has no bound.
type gates []chan struct{}

// enter takes a place behind each gate, in order, or gives up when ctx ends.
// leave gives back what was taken.
func (g gates) enter(ctx context.Context) (leave func()) {
	var taken []chan struct{}
	leave = func() {
		for _, gate := range taken {
			<-gate
		}
	}
	for _, gate := range g {
		if gate == nil {
			continue
		}
		select {
		case gate <- struct{}{}:
			taken = append(taken, gate)
		case <-ctx.Done():
			return leave
		}
	}
	return leave
}
