package graph_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/automaton-auditor/automaton/internal/graph"
)

// An interrupted task leaves no outcome, finished ones do, and what a node
// returns after the interruption is not taken for an answer.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		interrupted := errors.New("interrupted")
		ctx, cancel := context.WithCancelCause(t.Context())
		c := fake()
		c.doc = func(ctx context.Context, _ State) (State, error) {
			time.Sleep(time.Second)
			cancel(interrupted)
			return State{Faults: []Fault{{Reason: "half"}}}, nil
		}
		c.vision = func(ctx context.Context, _ State) (State, error) { <-ctx.Done(); return State{}, nil }
		j := &memory{}
		_, err := (&graph.Local[State]{Graph: audit(t, c), Journal: j}).Run(ctx, docket(2))
		if !errors.Is(err, interrupted) || !slices.Equal(j.tasks(), []string{"head", "000/RepoInvestigator"}) {
			t.Error(err, j.tasks())
		}
		want := text(t, finish(t, &graph.Local[State]{Graph: audit(t, fake())}, docket(2)))
		if got := text(t, finish(t, &graph.Local[State]{Graph: audit(t, fake()), Journal: j}, docket(2))); got != want {
			t.Error("the resumed audit differs")
		}
	})
}

// A run whose context has ended starts nothing, waits for nothing.
func TestCancelBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		seen, j := count{}, &memory{}
		_, err := (&graph.Local[State]{Graph: audit(t, fake()), Journal: j, Jobs: 1, Observe: seen.event}).Run(ctx, docket(2))
		if !errors.Is(err, context.Canceled) || seen[graph.Started] != 0 || len(j.recs) != 1 {
			t.Error(err, seen)
		}
	})
}

// Cancelling ends the waits for a retry and for a place.
func TestCancelWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		l := &graph.Local[lines]{Graph: one(t, flaky(9), graph.Policy{Attempts: 9, Backoff: time.Hour})}
		if _, err := l.Run(ctx, lines{}); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Error(err, time.Since(began))
		}
	})
}

// crowd is how many tasks were at work at once at most.
func crowd(t *testing.T, width, jobs int) (most, first int64) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var now, peak, inA, peakA atomic.Int64
		b := graph.New[lines]("wide")
		work := func(mine, top *atomic.Int64) func(context.Context, lines, int) (lines, error) {
			return func(context.Context, lines, int) (lines, error) {
				n, m := now.Add(1), mine.Add(1)
				defer func() { now.Add(-1); mine.Add(-1) }()
				for p := peak.Load(); n > p && !peak.CompareAndSwap(p, n); p = peak.Load() {
				}
				for p := top.Load(); m > p && !top.CompareAndSwap(p, m); p = top.Load() {
				}
				time.Sleep(time.Second)
				return lines{}, nil
			}
		}
		many := func(lines) []int { return make([]int, 20) }
		graph.Map(b, "A", many, work(&inA, &peakA), graph.Policy{Width: width})
		graph.Map(b, "B", many, work(new(atomic.Int64), new(atomic.Int64)), graph.Policy{})
		b.Edge(graph.Start, "A", "B")
		b.Edge("A", graph.End)
		b.Edge("B", graph.End)
		finish(t, &graph.Local[lines]{Graph: compiled(t, b), Jobs: jobs}, lines{})
		most, first = peak.Load(), peakA.Load()
	})
	return most, first
}

func TestWidthAndJobs(t *testing.T) {
	for name, tt := range map[string]struct {
		width, jobs int
		most, first int64
	}{
		"no limit": {0, 0, 40, 20},
		"width":    {7, 0, 27, 7},
		"jobs":     {0, 5, 5, 0},
		"one job":  {7, 1, 1, 1},
		"both":     {2, 12, 12, 2},
	} {
		most, first := crowd(t, tt.width, tt.jobs)
		if most != tt.most || tt.first > 0 && first != tt.first {
			t.Errorf("%s: %d at once, %d of A; want %d, %d", name, most, first, tt.most, tt.first)
		}
	}
}

// Who waits for another attempt is not at work.
func TestJobsFreeDuringBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := graph.New[lines]("g")
		for _, n := range []string{"A", "B", "C"} {
			b.Node(n, flaky(2), graph.Policy{Attempts: 2, Backoff: 30 * time.Second})
			b.Edge(graph.Start, n)
			b.Edge(n, graph.End)
		}
		began := time.Now()
		finish(t, &graph.Local[lines]{Graph: compiled(t, b), Jobs: 1}, lines{})
		if took := time.Since(began); took != 30*time.Second {
			t.Error(took)
		}
	})
}

// heedful is a journal that does not write for a context that ended.
type heedful struct{ *memory }

func (h heedful) Append(ctx context.Context, r graph.Record) (graph.Record, error) {
	if ctx.Err() != nil {
		return graph.Record{}, ctx.Err()
	}
	return h.memory.Append(ctx, r)
}

// What finished before the run was cancelled is kept.
func TestCancelAfterTheAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls, j := 0, heedful{&memory{}}
	l := &graph.Local[lines]{Graph: one(t, say("x"), graph.Policy{}), Journal: j, Now: func() time.Time {
		if calls++; calls == 4 { // the head, begin and end of the attempt, the outcome
			cancel()
		}
		return time.Time{}
	}}
	if _, err := l.Run(ctx, lines{}); !errors.Is(err, context.Canceled) || !slices.Equal(j.tasks(), []string{"head", "000/A"}) {
		t.Error(err, j.tasks())
	}
}
