package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// A probe of these tests answers at once, from what the test says.
func answering(id string, run func(a probe.Args) ([]probe.Finding, error)) probe.Probe {
	return probe.Probe{ID: id, Version: "1", Target: court.GithubRepo, Title: "The " + id + " holds", Doc: "A stand-in.", Remedy: "Do it",
		Run: func(_ context.Context, _ *probe.Scene, a probe.Args) ([]probe.Finding, error) { return run(a) }}
}

// found answers present at a line of the miniature.
func found(line int) []probe.Finding {
	return []probe.Finding{probe.Present(court.AST, []court.Place{{Path: "src/graph.py", Line: line}}, "it is there")}
}

// twoCriteria ask one probe each in two checks.
const twoCriteria = `{"name": "two", "dimensions": [
 {"id": "hazy", "target_artifact": "github_repo", "forensic_instruction": "x", "checks": [
  {"id": "hazy.core", "probe": "hazy.core", "facet": "core", "weight": 5}, {"id": "hazy.rest", "probe": "hazy.rest", "weight": 3}]},
 {"id": "clear", "target_artifact": "github_repo", "forensic_instruction": "x", "checks": [
  {"id": "clear.core", "probe": "clear.core", "facet": "core", "weight": 5}]}]}`

// stage makes a hearing of twoCriteria in which the hazy checks are answered as
// told and the clear one is met.
func stage(t *testing.T, core, rest func(probe.Args) ([]probe.Finding, error)) Setup {
	t.Helper()
	h := hearing(t, miniature(t).Scene(t))
	h.Probes = []probe.Probe{answering("hazy.core", core), answering("hazy.rest", rest),
		answering("clear.core", func(probe.Args) ([]probe.Finding, error) { return found(1), nil })}
	h.Rubric = load(t, twoCriteria, h.Probes)
	return h
}

// atFirst answers unknown in the first hearing.
func atFirst(then []probe.Finding) func(probe.Args) ([]probe.Finding, error) {
	return func(a probe.Args) ([]probe.Finding, error) {
		if a.Depth == 1 {
			return []probe.Finding{probe.Cannot(court.Dynamic, nil, "it is not clear at first sight")}, nil
		}
		return then, nil
	}
}

// What nobody knows parts the judges by 3: the criterion is heard again, what
// the second look finds takes the place of the first, and labels go on.
func TestHeardTwice(t *testing.T) {
	rec := try(t, stage(t, atFirst(found(2)), atFirst(found(3))))
	var sat []string
	for _, h := range rec.Hearings {
		sat = append(sat, h.Key())
	}
	if d := cmp.Diff([]string{"hazy/1", "hazy/2", "clear/1"}, sat); d != "" {
		t.Fatalf("hearings (-want +got):\n%s", d)
	}
	if n := len(rec.Opinions); n != 9 {
		t.Errorf("%d opinions, want three a hearing", n)
	}
	byID := map[string]court.Exhibit{}
	for _, list := range rec.Evidences {
		for _, x := range list {
			byID[x.ID] = x
		}
	}
	for _, x := range rec.Evidences["hazy"] {
		if x.Round == 2 {
			if !x.Stands() || x.Outcome != court.Present {
				t.Errorf("%s %s of the second round: %s, superseded by %q", x.Label, x.Check, x.Outcome, x.Superseded)
			}
			continue
		}
		by := byID[x.Superseded]
		if x.Outcome != court.Unknown || by.Check != x.Check || by.Round != 2 {
			t.Errorf("%s %s of the first round: %s, superseded by %q", x.Label, x.Check, x.Outcome, x.Superseded)
		}
	}
	if n := len(rec.Evidences["hazy"]); n != 4 {
		t.Errorf("%d exhibits, want both rounds'", n)
	}
	if d := cmp.Diff(labels(len(byID)), labelled(rec)); d != "" {
		t.Errorf("labels (-want +got):\n%s", d)
	}
	for _, x := range byID {
		if n, _ := strconv.Atoi(x.Label[1:]); (n > 3) != (x.Round == 2) {
			t.Errorf("%s is of round %d; the first round has three", x.Label, x.Round)
		}
	}
	hazy := rec.Verdict.Rulings[0]
	if !hazy.Reheard || hazy.FirstSpread <= 2 || hazy.Spread != 0 || hazy.Exact < 4*court.One {
		t.Errorf("ruling: reheard %t, spread %d then %d, %s", hazy.Reheard, hazy.FirstSpread, hazy.Spread, hazy.Exact)
	}
	if rec.Verdict.Rulings[1].Reheard {
		t.Error("the criterion that was not in dispute was heard again")
	}
}

func labels(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("E%d", i+1))
	}
	slices.Sort(out)
	return out
}

func labelled(rec *court.Record) []string {
	var out []string
	for _, list := range rec.Evidences {
		for _, x := range list {
			out = append(out, x.Label)
		}
	}
	slices.Sort(out)
	return out
}

// A second look that finds the same thing is no other evidence: it stands, and
// there is no third hearing.
func TestHeardTwiceWithNothingNew(t *testing.T) {
	rounds := map[int]int{}
	same := func(a probe.Args) ([]probe.Finding, error) {
		rounds[a.Depth]++
		return []probe.Finding{probe.Cannot(court.Dynamic, nil, "it is never clear")}, nil
	}
	h := stage(t, same, func(probe.Args) ([]probe.Finding, error) {
		return []probe.Finding{probe.Cannot(court.Dynamic, nil, "nor is this")}, nil
	})
	rec := try(t, h)
	if d := cmp.Diff(map[int]int{1: 1, 2: 1}, rounds); d != "" {
		t.Errorf("looks by depth (-want +got):\n%s", d)
	}
	for _, x := range rec.Evidences["hazy"] {
		if !x.Stands() || x.Round != 2 {
			t.Errorf("%s: stands %t, last looked for in round %d", x.Label, x.Stands(), x.Round)
		}
	}
	if n := len(rec.Evidences["hazy"]); n != 2 {
		t.Errorf("%d exhibits, want 2", n)
	}
	if r := rec.Verdict.Rulings[0]; r.Status != court.Insufficient || r.FirstSpread != r.Spread {
		t.Errorf("ruling: %s, spread %d then %d", r.Status, r.FirstSpread, r.Spread)
	}
}

// A probe that fails in the second hearing takes nothing back that the first
// one found.
func TestSecondLookFails(t *testing.T) {
	core := func(a probe.Args) ([]probe.Finding, error) {
		if a.Depth == 2 {
			return nil, errors.New("the second look broke")
		}
		return []probe.Finding{probe.Cannot(court.Dynamic, nil, "not at first sight")}, nil
	}
	rec := try(t, stage(t, core, atFirst(found(3))))
	if rec.Status != court.Partway {
		t.Errorf("status %s, want partial", rec.Status)
	}
	if !slices.ContainsFunc(rec.Faults, func(f court.Fault) bool { return f.Stage == "probe" && strings.Contains(f.Reason, "second look broke") }) {
		t.Errorf("no fault tells of it: %v", rec.Faults)
	}
}
