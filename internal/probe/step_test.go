package probe_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// several makes probes that all do the same.
func several(n int, run run) ([]probe.Probe, probe.Assignment) {
	var probes []probe.Probe
	var checks []court.Check
	for i := range n {
		id := fmt.Sprintf("p.%c", 'a'+i)
		probes = append(probes, probe.Probe{ID: id, Version: "1", Target: court.GithubRepo, Run: run})
		checks = append(checks, court.Check{ID: id, Weight: 1, Asks: []court.Ask{{Probe: id}}})
	}
	return probes, probe.Assignment{Detective: court.RepoInvestigator,
		Criteria: []court.Criterion{{ID: "k", Artifacts: []court.Artifact{court.GithubRepo}, Checks: checks}}}
}

// nap sleeps in the bubble's time, or until the context ends.
func nap(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// However long probes take, and no matter who asks first for what they share, they
// all have the same answer: only the end of the step cuts them short.
func TestSlowWorkIsAnswered(t *testing.T) {
	var want map[string][]court.Evidence
	for jobs := range 5 {
		s := scene(t)
		synctest.Test(t, func(t *testing.T) {
			computed := 0
			probes, b := several(4, func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
				if err := nap(ctx, time.Hour); err != nil {
					return nil, err
				}
				v, err := probe.Shared(s, "slow", func() (int, error) {
					computed++
					return probe.Shared(s, "below", func() (int, error) { return 7, nap(ctx, time.Hour) })
				})
				if err != nil {
					return nil, err
				}
				return []probe.Finding{probe.Clean(court.One, court.AST, "%d", v)}, nil
			})
			b.Jobs = jobs
			got, faults := probe.Investigate(t.Context(), s, probes, b)
			if len(faults) > 0 || computed != 1 {
				t.Errorf("%d jobs: computed %d times, faults %v", jobs, computed, faults)
			}
			if want == nil {
				want = got
			}
			if d := cmp.Diff(want, got); d != "" || got["k"][0].Rationale != "7" {
				t.Errorf("%d jobs: %v\n%s", jobs, got, d)
			}
		})
	}
}

// The end of one step of the case is not a fact for the next.
func TestEndOfAStepIsNotKept(t *testing.T) {
	for name, ask := range map[string]func(context.Context, *probe.Scene) error{
		"files": func(ctx context.Context, s *probe.Scene) error { _, err := s.Files(ctx); return err },
		"shared": func(ctx context.Context, s *probe.Scene) error {
			_, err := probe.Shared(s, "x", func() (int, error) { return 1, ctx.Err() })
			return err
		},
	} {
		s := scene(t)
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if err := ask(over, s); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: after the end: %v", name, err)
		}
		if err := ask(t.Context(), s); err != nil {
			t.Errorf("%s: the next step is told %v", name, err)
		}
	}
}

// Who waits for a value goes when its step ends, and a late asker finds it.
func TestWaitingEndsWithTheStep(t *testing.T) {
	s := scene(t)
	synctest.Test(t, func(t *testing.T) {
		step, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		release := make(chan struct{})
		slow, b := several(1, func(_ context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			_, err := probe.Shared(s, "x", func() (int, error) { <-release; return 1, nil })
			return nil, err
		})
		go probe.Investigate(t.Context(), s, slow, b)
		synctest.Wait()
		probe.Investigate(step, s, slow, b)
		if step.Err() == nil {
			t.Error("the value came before it was made")
		}
		close(release)
		synctest.Wait()
		if v, err := probe.Shared(s, "x", func() (int, error) { return 2, nil }); v != 1 || err != nil {
			t.Errorf("got %d, %v", v, err)
		}
	})
}

// A panic in a shared analysis is an error for all who ask, never a value.
func TestPanicInSharedWork(t *testing.T) {
	probes, b := several(3, func(_ context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		v, err := probe.Shared(s, "x", func() (map[string]int, error) { panic(&struct{ p *int }{new(int)}) })
		if err != nil {
			return nil, err
		}
		return []probe.Finding{probe.Missing(court.One, court.AST, "%d things", len(v))}, nil
	})
	got, faults := probe.Investigate(t.Context(), scene(t), probes, b)
	for _, e := range got["k"] {
		if e.Outcome != court.Unknown || e.Reason != court.Limit {
			t.Errorf("%s: %s", e.Outcome, e.Rationale)
		}
	}
	if len(got["k"]) != 3 || len(faults) != 3 {
		t.Errorf("%d pieces of evidence, faults %v", len(got["k"]), faults)
	}
	for _, f := range faults {
		if f.Reason != "computing x: panic: a *struct { p *int }" {
			t.Errorf("%q", f.Reason)
		}
	}
}

// A fault of a panic says what, not where: stacks and addresses differ each time.
func TestPanicLeavesNoStack(t *testing.T) {
	probes, b := several(1, func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) {
		var m map[string]int
		m["x"] = 1 //nolint:staticcheck // it is the panic that is wanted
		return nil, nil
	})
	_, faults := probe.Investigate(t.Context(), scene(t), probes, b)
	if len(faults) != 1 || !strings.HasPrefix(faults[0].Reason, "panic: ") || strings.Contains(faults[0].Reason, "0x") || strings.Contains(faults[0].Reason, ".go") {
		t.Errorf("got %v", faults)
	}
}
