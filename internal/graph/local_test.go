package graph_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
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
			graph.Policy{Timeout: time.Minute, Attempts: 2}, "A: no answer in 1m0s: context deadline exceeded", 2 * time.Minute,
			count{graph.Queued: 1, graph.Started: 2, graph.Retried: 1, graph.Failed: 1}},
		"an answer after the deadline counts": {func(ctx context.Context, _ lines) (lines, error) {
			<-ctx.Done()
			return lines{Lines: []string{"what there is"}}, nil
		}, graph.Policy{Timeout: time.Minute}, "what there is", time.Minute,
			count{graph.Queued: 1, graph.Started: 1, graph.Finished: 1}},
		"left behind": {func(context.Context, lines) (lines, error) { time.Sleep(time.Hour); return lines{}, nil },
			graph.Policy{Timeout: time.Minute, Attempts: 3}, "A: no answer in 1m0s: still at work after its grace, left behind", 65 * time.Second,
			count{graph.Queued: 1, graph.Started: 1, graph.Failed: 1}},
		"grace of its own": {func(context.Context, lines) (lines, error) { time.Sleep(time.Hour); return lines{}, nil },
			graph.Policy{Timeout: time.Minute, Grace: time.Second}, "A: no answer in 1m0s: still at work after its grace, left behind", 61 * time.Second,
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

// A node that changes the state it was given is found, and named.
func TestStrict(t *testing.T) {
	b := graph.New[State]("strict")
	b.Node("Honest", aggregate, graph.Policy{})
	b.Node("Vandal", func(_ context.Context, s State) (State, error) {
		s.Evidences["c"][0].Confidence = 0
		return State{}, nil
	}, graph.Policy{})
	b.Edge(graph.Start, "Honest", "Vandal")
	b.Edge("Honest", graph.End)
	b.Edge("Vandal", graph.End)
	in := State{Evidences: map[string][]Evidence{"c": {{ID: "a", Confidence: 1}}}}
	_, err := (&graph.Local[State]{Graph: compiled(t, b), Strict: true}).Run(t.Context(), in)
	if err == nil || err.Error() != "running graph strict: 000/Vandal changed the state it was given" {
		t.Error(err)
	}
	if in.Evidences["c"][0].Confidence != 1 {
		t.Error("the caller's input changed")
	}
}

// A patch that is not JSON is its node's failure.
func TestPatchNotJSON(t *testing.T) {
	type number struct {
		N     float64  `json:"n,omitzero" reduce:"last"`
		Lines []string `json:"lines,omitzero" reduce:"append"`
	}
	b := graph.New[number]("nan")
	b.Node("A", func(context.Context, number) (number, error) { return number{N: math.NaN()}, nil }, graph.Policy{})
	b.Edge(graph.Start, "A")
	b.Edge("A", graph.End)
	b.OnFailure(func(_ graph.Task, why string) number { return number{Lines: []string{why}} })
	g, j, seen := compiled(t, b), &memory{}, count{}
	for range 2 {
		out := finish(t, &graph.Local[number]{Graph: g, Journal: j, Observe: seen.event}, number{})
		if len(out.Lines) != 1 || !strings.HasPrefix(out.Lines[0], "encoding the patch: ") {
			t.Error(out)
		}
	}
	if seen[graph.Failed] != 1 || seen[graph.Replayed] != 1 {
		t.Error(seen)
	}
	if _, err := (&graph.Local[number]{Graph: g}).Run(t.Context(), number{N: math.Inf(1)}); err == nil || !strings.Contains(err.Error(), "encoding the input") {
		t.Error(err)
	}
}

type shy struct {
	Said   string `json:"said"`
	secret string
}

// Nothing enters the state but what went through JSON: neither of the input,
// nor of patches, nor of failures.
func TestStateIsJSON(t *testing.T) {
	type state struct {
		Given shy   `json:"given"`
		Told  []shy `json:"told,omitzero" reduce:"append"`
	}
	b := graph.New[state]("shy")
	tell := func(s string) []shy { return []shy{{Said: s, secret: s}} }
	b.Node("A", func(context.Context, state) (state, error) { return state{Told: tell("a")}, nil }, graph.Policy{})
	b.Node("B", func(context.Context, state) (state, error) { return state{}, errClone }, graph.Policy{})
	b.OnFailure(func(graph.Task, string) state { return state{Told: tell("b")} })
	b.Edge(graph.Start, "A", "B")
	b.Edge("A", graph.End)
	b.Edge("B", graph.End)
	out := finish(t, &graph.Local[state]{Graph: compiled(t, b)}, state{Given: tell("in")[0]})
	for _, s := range append(out.Told, out.Given) {
		if s.Said == "" || s.secret != "" {
			t.Errorf("%+v", s)
		}
	}
	if len(out.Told) != 2 {
		t.Error(out)
	}
}

// Nodes of one step that append to a list of the state, each for itself, do
// not write into one array: no list of a state has room behind its end.
func TestStateHasNoSpareRoom(t *testing.T) {
	type box struct {
		Any    any                 `json:"any,omitzero" reduce:"last"`
		Given  []string            `json:"given"`
		Nested *Agenda             `json:"nested,omitzero" reduce:"last"`
		Lists  [1][][]int          `json:"lists,omitzero" reduce:"last"`
		Table  map[string]Agenda   `json:"table,omitzero" reduce:"upsert"`
		Log    []string            `json:"log,omitzero" reduce:"append"`
		Seen   []Evidence          `json:"seen,omitzero" reduce:"merge"`
		More   map[string][]string `json:"more,omitzero" reduce:"upsert"`
	}
	five := []string{"1", "2", "3", "4", "5"}
	b := graph.New[box]("box")
	b.Node("A", func(context.Context, box) (box, error) {
		list := []any{1, 2, 3, 4, 5}
		return box{
			Any: map[string]any{"k": list}, Nested: &Agenda{Criteria: five}, Lists: [1][][]int{{{1, 2, 3, 4, 5}}}, Log: five,
			Table: map[string]Agenda{"k": {Criteria: five}}, Seen: []Evidence{{ID: "a"}, {ID: "b"}, {ID: "a"}}, More: map[string][]string{"k": five},
		}, nil
	}, graph.Policy{})
	room := func(_ context.Context, s box) (box, error) {
		listed := s.Any.(map[string]any)["k"].([]any)
		caps := []int{cap(s.Given), cap(listed), cap(s.Nested.Criteria), cap(s.Lists[0]), cap(s.Lists[0][0]),
			cap(s.Table["k"].Criteria), cap(s.More["k"]), cap(s.Log) - len(s.Log) + 5, cap(s.Seen) + 3}
		if want := []int{5, 5, 5, 1, 5, 5, 5, 5, 5}; !slices.Equal(caps, want) {
			t.Errorf("capacities %v, want %v", caps, want)
		}
		return box{Log: five[:1]}, nil
	}
	b.Node("B", room, graph.Policy{})
	b.Node("C", room, graph.Policy{})
	b.Edge(graph.Start, "A")
	b.Edge("A", "B")
	b.Edge("B", "C")
	b.Edge("C", graph.End)
	g, j := compiled(t, b), &memory{}
	for _, strict := range []bool{false, true} {
		finish(t, &graph.Local[box]{Graph: g, Strict: strict}, box{Given: five})
	}
	finish(t, &graph.Local[box]{Graph: g, Journal: j}, box{Given: five})
	j.recs = j.recs[:2]
	finish(t, &graph.Local[box]{Graph: g, Journal: j}, box{Given: five}) // A is replayed
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
