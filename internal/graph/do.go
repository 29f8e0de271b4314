package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// Permanent marks an error that no further attempt would mend. Of nil it is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return permanent{err}
}

type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// panicked is a panic of a node. Its text has no stack: failures become state,
// and state must be the same on every run.
type panicked struct {
	value any
	stack []byte
}

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

var (
	errGone       = errors.New("the node ended its goroutine")
	errLeftBehind = errors.New("still at work after its grace, left behind")
)

// usualGrace is the grace of a Policy that names none.
const usualGrace = 5 * time.Second

// Do makes one attempt of one task: the only place where node code is called.
// A panic of the node is an error. A node that returns no error after its time
// ran out has answered: its patch counts. One that does not return within its
// grace after the end of its context is left behind: its goroutine may go on,
// but nothing that it returns counts any more.
func (g *Graph[S]) Do(ctx context.Context, t Task, s S) (patch S, err error) {
	n := g.nodes[t.Node]
	if n == nil {
		return patch, Permanent(fmt.Errorf("unknown node %q", t.Node))
	}
	if n.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, n.Timeout, overtime(n.Timeout))
		defer cancel()
	}
	answers := make(chan answer[S], 1) // room for an answer that nobody awaits
	go func() { n.answer(ctx, t, s, answers) }()
	a := await(ctx, answers, cmp.Or(n.Grace, usualGrace))
	if a.err == nil {
		return a.patch, nil
	}
	if ctx.Err() != nil {
		a.err = fmt.Errorf("%w: %w", context.Cause(ctx), a.err)
	}
	return patch, a.err
}

// overtime is the end of a node's own time.
type overtime time.Duration

func (o overtime) Error() string {
	return fmt.Sprintf("no answer in %v; another machine may have one", time.Duration(o))
}

// Overtime tells whether the context of a node ended because the node's own
// time did, and the run goes on: it may return what it has.
func Overtime(ctx context.Context) bool {
	_, own := errors.AsType[overtime](context.Cause(ctx))
	return own
}

type answer[S any] struct {
	patch S
	err   error
}

// answer runs the node and sends what came of it, whatever it was.
func (n *node[S]) answer(ctx context.Context, t Task, s S, to chan<- answer[S]) {
	a := answer[S]{err: Permanent(errGone)} // stands when the node calls runtime.Goexit
	defer func() {
		if p := recover(); p != nil {
			a = answer[S]{err: Permanent(panicked{p, debug.Stack()})}
		}
		to <- a
	}()
	patch, err := n.run(ctx, s, t.Item)
	a = answer[S]{patch, err}
}

func await[S any](ctx context.Context, answers <-chan answer[S], grace time.Duration) answer[S] {
	select {
	case a := <-answers:
		return a
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case a := <-answers:
		return a
	case <-late.C:
		return answer[S]{err: Permanent(errLeftBehind)}
	}
}

// mostFailure bounds what a failure may carry into the state, in bytes.
const mostFailure = 2000

// failureText is the text of an error as the state keeps it: never empty.
func failureText(err error) string {
	text := strings.ToValidUTF8(err.Error(), "\uFFFD")
	if len(text) > mostFailure {
		text = strings.ToValidUTF8(text[:mostFailure], "") // drops a letter that the cut split
	}
	return cmp.Or(text, "unknown failure")
}
