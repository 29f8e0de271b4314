package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/automaton-auditor/automaton/internal/graph"
)

func TestAuditLosesNothing(t *testing.T) {
	for _, jobs := range []int{0, 1, 2, 7} {
		seen := count{}
		out := finish(t, &graph.Local[State]{Graph: audit(t, fake()), Jobs: jobs, Strict: true, Observe: seen.event}, docket(10))
		for i, c := range out.Criteria {
			want := 3 + 1 // one each, and the one that all three found
			if i%2 == 0 {
				want += 3 // odd length: looked at twice
			}
			if len(out.Evidences[c]) != want {
				t.Errorf("%s: %v, want %d exhibits", c, out.Evidences[c], want)
			}
		}
		if len(out.Opinions) != 30+15 || len(out.Verdict.Scores) != 10 || len(out.Faults) != 0 {
			t.Errorf("%d opinions, %+v, %v", len(out.Opinions), out.Verdict, out.Faults)
		}
		if seen[graph.Finished] != tasksOf(10) {
			t.Errorf("ran %d tasks, want %d", seen[graph.Finished], tasksOf(10))
		}
	}
}

// The order in which parallel tasks end, the number of processors and the
// number of jobs leave no trace in the state.
func TestSameStateInAnyOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	want := text(t, finish(t, &graph.Local[State]{Graph: audit(t, fake())}, docket(6)))
	for seed := range uint64(40) {
		runtime.GOMAXPROCS(1 + int(seed%4))
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			r := rand.New(rand.NewPCG(seed, 0))
			doze := func() {
				mu.Lock()
				d := time.Duration(r.Int64N(int64(time.Second)))
				mu.Unlock()
				time.Sleep(d) // of the bubble's clock
			}
			c := fake()
			opine, repo := c.opine, c.repo
			c.opine = func(ctx context.Context, s State, judge, criterion string) (State, error) {
				doze()
				return opine(ctx, s, judge, criterion)
			}
			c.repo = func(ctx context.Context, s State) (State, error) { doze(); return repo(ctx, s) }
			l := &graph.Local[State]{Graph: audit(t, c), Jobs: int(seed % 5), Journal: &memory{}}
			if got := text(t, finish(t, l, docket(6))); got != want {
				t.Fatalf("seed %d: got  %s\nwant %s", seed, got, want)
			}
		})
	}
}

// The machine stops after every number of journal records there is. Wherever
// that happens, the resumed audit ends in the same bytes and runs no journalled
// task again.
func TestCrashAfterEveryRecord(t *testing.T) {
	undisturbed := &memory{}
	want := text(t, finish(t, &graph.Local[State]{Graph: audit(t, fake()), Journal: undisturbed}, docket(4)))
	total := len(undisturbed.recs)
	if total != 1+tasksOf(4) {
		t.Fatalf("%d records, want %d", total, 1+tasksOf(4))
	}
	for k := 1; k < total; k++ {
		j, seen := &memory{die: k}, count{}
		l := &graph.Local[State]{Graph: audit(t, fake()), Journal: j, Observe: seen.event}
		if _, err := l.Run(t.Context(), docket(4)); !errors.Is(err, errCrash) {
			t.Fatalf("crash at %d: %v", k, err)
		}
		j.die = 0
		clear(seen)
		if got := text(t, finish(t, l, docket(4))); got != want {
			t.Fatalf("crash at %d of %d: the state differs", k, total)
		}
		if seen[graph.Replayed] != k-1 || seen[graph.Finished] != total-k || len(j.recs) != total {
			t.Fatalf("crash at %d of %d: %v", k, total, seen)
		}
	}
}

// Two processes run one audit at once, with judges that never answer the same
// twice. Both must end in the same state.
func TestTwoAtOnce(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			c, j := fake(), &memory{}
			opine := c.opine
			var mu sync.Mutex
			n, r := 0, rand.New(rand.NewPCG(seed, 0))
			c.opine = func(ctx context.Context, s State, judge, criterion string) (State, error) {
				out, err := opine(ctx, s, judge, criterion)
				mu.Lock()
				n++
				out.Opinions[0].Argument = fmt.Sprint("answer ", n)
				d := time.Duration(r.IntN(1000))
				mu.Unlock()
				time.Sleep(d)
				return out, err
			}
			var out [2]string
			var yielded [2]int
			var wg sync.WaitGroup
			for i := range out {
				l := &graph.Local[State]{Graph: audit(t, c), Journal: j, Observe: func(e graph.Event) {
					if e.Yielded {
						yielded[i]++
					}
				}}
				wg.Go(func() {
					s, err := l.Run(t.Context(), docket(6))
					if err != nil {
						t.Error(err)
					}
					out[i] = text(t, s)
				})
			}
			wg.Wait()
			if out[0] != out[1] {
				t.Errorf("seed %d: the two runs disagree", seed)
			}
			if yielded[0]+yielded[1] == 0 || yielded[0]+yielded[1] != n-tasksOfJudges(6) {
				t.Errorf("seed %d: %d calls, yielded %v", seed, n, yielded)
			}
		})
	}
}

func tasksOfJudges(n int) int { return 3*n + 3*((n+1)/2) }
