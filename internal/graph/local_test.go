package graph_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/graph"
)

type nodeFunc = func(context.Context, lines) (lines, error)

// one is a graph of one node whose failure becomes a line.
func one(t *testing.T, fn nodeFunc, p graph.Policy) *graph.Graph[lines] {
	t.Helper()
	b := graph.New[lines]("one")
	b.Node("A", fn, p)
	b.Edge(graph.Start, "A")
	b.Edge("A", graph.End)
	b.OnFailure(func(task graph.Task, why string) lines { return lines{Lines: []string{task.Node + ": " + why}} })
	return compiled(t, b)
}

func flaky(ok int) nodeFunc {
	n := 0
	return func(context.Context, lines) (lines, error) {
		if n++; n < ok {
			return lines{Lines: []string{"half done"}}, errors.New("busy")
		}
		return lines{Lines: []string{"done"}}, nil
	}
}

func TestPolicies(t *testing.T) {
	tests := map[string]struct {
		fn   nodeFunc
		p    graph.Policy
		want string
		took time.Duration
		seen count
	}{
		"third attempt": {flaky(3), graph.Policy{Attempts: 3, Backoff: time.Second}, "done", 3 * time.Second,
			count{graph.Queued: 1, graph.Started: 3, graph.Retried: 2, graph.Finished: 1}},
		"no attempt left": {flaky(3), graph.Policy{Attempts: 2, Backoff: time.Second}, "A: busy", time.Second,
			count{graph.Queued: 1, graph.Started: 2, graph.Retried: 1, graph.Failed: 1}},
		"one attempt unless told": {flaky(2), graph.Policy{}, "A: busy", 0,
			count{graph.Queued: 1, graph.Started: 1, graph.Failed: 1}},
		"backoff has a limit": {flaky(4), graph.Policy{Attempts: 4, Backoff: 40 * time.Second}, "done", 160 * time.Second,
			count{graph.Queued: 1, graph.Started: 4, graph.Retried: 3, graph.Finished: 1}},
		"permanent": {func(context.Context, lines) (lines, error) { return lines{}, graph.Permanent(errClone) },
			graph.Policy{Attempts: 5, Backoff: time.Hour}, "A: " + errClone.Error(), 0,
			count{graph.Queued: 1, graph.Started: 1, graph.Failed: 1}},
		"panic": {func(context.Context, lines) (lines, error) { panic("no") },
			graph.Policy{Attempts: 5, Backoff: time.Hour}, "A: panic: no", 0,
			count{graph.Queued: 1, graph.Started: 1, graph.Failed: 1}},
		"goroutine ended": {func(context.Context, lines) (lines, error) { runtime.Goexit(); return lines{}, nil },
			graph.Policy{}, "A: the node ended its goroutine", 0,
			count{graph.Queued: 1, graph.Started: 1, graph.Failed: 1}},
		"deadline": {func(ctx context.Context, _ lines) (lines, error) { <-ctx.Done(); return lines{}, ctx.Err() },
			graph.Policy{Timeout: time.Minute, Attempts: 2}, "A: no answer in 1m0s; another machine may have one: context deadline exceeded", 2 * time.Minute,
			count{graph.Queued: 1, graph.Started: 2, graph.Retried: 1, graph.Failed: 1}},
		"an answer after the deadline counts": {func(ctx context.Context, _ lines) (lines, error) {
			<-ctx.Done()
			return lines{Lines: []string{"what there is"}}, nil
		}, graph.Policy{Timeout: time.Minute}, "what there is", time.Minute,
			count{graph.Queued: 1, graph.Started: 1, graph.Finished: 1}},
		"left behind": {func(context.Context, lines) (lines, error) { time.Sleep(time.Hour); return lines{}, nil },
			graph.Policy{Timeout: time.Minute, Attempts: 3}, "A: no answer in 1m0s; another machine may have one: still at work after its grace, left behind", 65 * time.Second,
			count{graph.Queued: 1, graph.Started: 1, graph.Failed: 1}},
		"grace of its own": {func(context.Context, lines) (lines, error) { time.Sleep(time.Hour); return lines{}, nil },
			graph.Policy{Timeout: time.Minute, Grace: time.Second}, "A: no answer in 1m0s; another machine may have one: still at work after its grace, left behind", 61 * time.Second,
			count{graph.Queued: 1, graph.Started: 1, graph.Failed: 1}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seen, began := count{}, time.Now()
				out := finish(t, &graph.Local[lines]{Graph: one(t, tt.fn, tt.p), Observe: seen.event, Strict: true}, lines{})
				if len(out.Lines) != 1 || out.Lines[0] != tt.want || time.Since(began) != tt.took {
					t.Errorf("%q after %v, want %q after %v", out.Lines, time.Since(began), tt.want, tt.took)
				}
				if diff := cmp.Diff(tt.seen, seen); diff != "" {
					t.Error(diff)
				}
				time.Sleep(2 * time.Hour) // until who was left behind is done
			})
		})
	}
}

func TestPermanentNil(t *testing.T) {
	if err := graph.Permanent(nil); err != nil {
		t.Error(err)
	}
}

// Events carry task, kind, attempt, duration and error text.
func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		work := flaky(2)
		slow := func(ctx context.Context, s lines) (lines, error) { time.Sleep(3 * time.Second); return work(ctx, s) }
		var got []graph.Event
		l := &graph.Local[lines]{Graph: one(t, slow, graph.Policy{Attempts: 2}), Now: time.Now, Journal: &memory{},
			Observe: func(e graph.Event) { got = append(got, e) }}
		finish(t, l, lines{})
		finish(t, l, lines{})
		task := graph.Task{Node: "A"}
		want := []graph.Event{
			{Kind: graph.Queued, Task: task},
			{Kind: graph.Started, Task: task, Attempt: 1},
			{Kind: graph.Retried, Task: task, Attempt: 1, Took: 3 * time.Second, Err: "busy"},
			{Kind: graph.Started, Task: task, Attempt: 2},
			{Kind: graph.Finished, Task: task, Attempt: 2, Took: 3 * time.Second},
			{Kind: graph.Replayed, Task: task},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if at := l.Journal.(*memory).recs[1].At; at != time.Now() {
			t.Error("the record is of", at)
		}
	})
}

// The failure that becomes state is the same on every run: no stack, no
// addresses, bounded. The stack goes to the observer.
func TestFailureText(t *testing.T) {
	var stack string
	long := strings.Repeat("é", 2000) + "\xff"
	l := &graph.Local[lines]{Graph: one(t, func(context.Context, lines) (lines, error) { panic("xy" + long) }, graph.Policy{}),
		Observe: func(e graph.Event) { stack += e.Stack }}
	out := finish(t, l, lines{})
	if want := "A: panic: xy" + strings.Repeat("é", 995); out.Lines[0] != want { // 2000 bytes would split a letter
		t.Error(len(out.Lines[0]), len(want))
	}
	if !strings.Contains(stack, "local_test.go") {
		t.Error(stack)
	}
}

func TestFailureWithoutText(t *testing.T) {
	out := finish(t, &graph.Local[lines]{Graph: one(t, func(context.Context, lines) (lines, error) { return lines{}, errors.New("") }, graph.Policy{})}, lines{})
	if len(out.Lines) != 1 || out.Lines[0] != "A: unknown failure" {
		t.Error(out)
	}
}

// Without OnFailure a failure ends the run, and a resume as well, until it is
// rewound.
func TestNoOnFailure(t *testing.T) {
	b := graph.New[lines]("g")
	b.Node("A", flaky(2), graph.Policy{})
	b.Edge(graph.Start, "A")
	b.Edge("A", graph.End)
	j := &memory{}
	l := &graph.Local[lines]{Graph: compiled(t, b), Journal: j}
	for range 2 {
		if _, err := l.Run(t.Context(), lines{}); err == nil || err.Error() != "running graph g: uniting step 0: 000/A: busy" {
			t.Error(err)
		}
	}
	if dropped, err := graph.Rewind(t.Context(), j); err != nil || dropped != 1 {
		t.Fatal(dropped, err)
	}
	if out := finish(t, l, lines{}); !slices.Equal(out.Lines, []string{"done"}) || !slices.Equal(j.tasks(), []string{"head", "000/A", "rewind/1", "000/A~1"}) {
		t.Error(out, j.tasks())
	}
}
