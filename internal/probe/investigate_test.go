package probe_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

const archive = `-- a.py --
one = 1
two = "sk-proj-Zk3mQ9xV7bT2wLp8RcY5"
three = 3
-- b.py --
x
`

func scene(t *testing.T) *probe.Scene {
	t.Helper()
	file := filepath.Join(t.TempDir(), "scene.txtar")
	if err := os.WriteFile(file, []byte(archive), 0o600); err != nil {
		t.Fatal(err)
	}
	return probetest.Load(t, file).Scene(t)
}

type run = func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error)

func investigate(t *testing.T, p probe.Probe, polarity court.Polarity) ([]court.Evidence, []court.Fault) {
	t.Helper()
	return investigateIn(t, scene(t), p, polarity)
}

func investigateIn(t *testing.T, s *probe.Scene, p probe.Probe, polarity court.Polarity) ([]court.Evidence, []court.Fault) {
	t.Helper()
	return investigateFor(t.Context(), t, s, p, polarity)
}

func investigateFor(step context.Context, t *testing.T, s *probe.Scene, p probe.Probe, polarity court.Polarity) ([]court.Evidence, []court.Fault) {
	t.Helper()
	check := court.Check{ID: "c", Weight: 1, Polarity: polarity, Text: "It holds", Asks: []court.Ask{{Probe: "x.y"}}}
	found, faults := probe.Investigate(step, s, []probe.Probe{p}, probe.Assignment{Detective: court.RepoInvestigator,
		Criteria: []court.Criterion{{ID: "k", Artifacts: []court.Artifact{court.GithubRepo}, Checks: []court.Check{check}}}})
	for _, e := range found["k"] {
		if err := e.Validate(); err != nil {
			t.Error(err)
		}
	}
	return found["k"], faults
}

// Whatever happens in a probe, its check has evidence, and what went wrong in
// our inquiry is a fault.
func TestEveryCheckHasEvidence(t *testing.T) {
	at := []court.Place{{Path: "a.py", Line: 1}}
	tests := map[string]struct {
		id       string
		run      run
		polarity court.Polarity
		generic  bool
		want     string
		faults   int
	}{
		"present":          {run: gives(probe.Present(court.AST, at, "there")), want: "present 1 a.py:1 one = 1"},
		"no such probe":    {id: "other", run: gives(), want: "unknown(no_detector) 0 nowhere "},
		"nothing returned": {run: gives(), want: "unknown(no_detector) 0 nowhere ", faults: 1},
		"error":            {run: fails(errors.New("disk on fire")), want: "unknown(limit) 0 nowhere ", faults: 1},
		"unable":           {run: fails(&probe.Unable{Reason: court.Encrypted, Why: "locked"}), want: "unknown(encrypted) 0 nowhere "},
		"panic":            {run: func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) { panic("loop") }, want: "unknown(limit) 0 nowhere ", faults: 1},
		"no such place":    {run: gives(probe.Present(court.AST, []court.Place{{Path: "z.py", Line: 1}}, "there")), want: "unknown(unverified) 0 nowhere ", faults: 1},
		"no such line":     {run: gives(probe.Against(court.AST, []court.Place{{Path: "a.py", Line: 99}}, "there")), want: "unknown(unverified) 0 nowhere ", faults: 1},
		"not applicable":   {run: gives(probe.Finding{Outcome: court.NotApplicable, Source: court.AST, Rationale: "no"}), want: "not_applicable 0 nowhere "},
		"nothing to check": {run: gives(probe.Nothing(9000, court.AST, "no")), want: "not_applicable 0.855 nowhere "},
		"too little read":  {run: gives(probe.Nothing(8999, court.AST, "no")), want: "unknown(no_detector) 0 nowhere "},
		"searched":         {run: gives(probe.Missing(8000, court.AST, "nothing")), want: "absent 0.76 nowhere "},
		"avoided and found": {run: gives(probe.Present(court.AST, at, "there")), polarity: court.Avoid, generic: true,
			want: "violation 1 a.py:1 one = 1"},
		"avoided and not there": {run: gives(probe.Missing(court.One, court.AST, "nothing")), polarity: court.Avoid, generic: true,
			want: "present 0.95 nowhere "},
		"a direction of its own": {run: gives(probe.Present(court.AST, at, "clean")), polarity: court.Avoid, want: "present 1 a.py:1 one = 1"},
		"a share of nothing":     {run: gives(probe.Partly(0, court.AST, at, "none")), want: "violation 1 a.py:1 one = 1"},
		"a share of all":         {run: gives(probe.Partly(court.One, court.AST, at, "all")), want: "present 1 a.py:1 one = 1"},
		"a secret is masked":     {run: gives(probe.Present(court.AST, []court.Place{{Path: "a.py", Line: 2}}, "there")), want: `present 1 a.py:2 two = "[redacted:openai_key]"`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			id := tc.id
			if id == "" {
				id = "x.y"
			}
			got, faults := investigate(t, probe.Probe{ID: id, Version: "1", Target: court.GithubRepo, Run: tc.run, Generic: tc.generic}, tc.polarity)
			if len(got) != 1 {
				t.Fatalf("%d pieces of evidence", len(got))
			}
			line := string(got[0].Outcome)
			if got[0].Reason != "" {
				line += "(" + string(got[0].Reason) + ")"
			}
			line += " " + got[0].Confidence.String() + " " + got[0].Location + " " + got[0].Content
			if line != tc.want || len(faults) != tc.faults {
				t.Errorf("got %q with %d faults %v\nwant %q with %d", line, len(faults), faults, tc.want, tc.faults)
			}
		})
	}
}

func gives(f ...probe.Finding) run {
	return func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) { return f, nil }
}

func fails(err error) run {
	return func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) { return nil, err }
}

// A probe that the end of the step cuts short is left behind, and the fault says
// that this is a matter of the machine.
func TestSlowProbe(t *testing.T) {
	s := scene(t)
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		p := probe.Probe{ID: "x.y", Version: "1", Target: court.GithubRepo, Run: func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) {
			<-stop
			return nil, nil
		}}
		step, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		got, faults := investigateFor(step, t, s, p, court.Want)
		if len(got) != 1 || got[0].Reason != court.TimedOut || len(faults) != 1 || !strings.Contains(faults[0].Reason, "on another machine") {
			t.Errorf("got %v, faults %v", got, faults)
		}
		close(stop)
	})
}

// The order of the catalogue and the number of workers leave no trace.
func TestOrderLeavesNoTrace(t *testing.T) {
	var probes []probe.Probe
	var checks []court.Check
	for _, id := range []string{"p.a", "p.b", "p.c", "p.d"} {
		probes = append(probes, probe.Probe{ID: id, Version: "1", Target: court.GithubRepo,
			Run: gives(probe.Present(court.AST, []court.Place{{Path: "b.py", Line: 1}}, "%s", id), probe.Cannot(court.Limit, nil, "%s", id))})
		checks = append(checks, court.Check{ID: id, Weight: 1, Asks: []court.Ask{{Probe: id}}})
	}
	b := probe.Assignment{Detective: court.RepoInvestigator, Criteria: []court.Criterion{{ID: "k", Artifacts: []court.Artifact{court.GithubRepo}, Checks: checks}}}
	want, _ := probe.Investigate(t.Context(), scene(t), probes, b)
	for jobs := range 5 {
		slices.Reverse(probes)
		b.Jobs = jobs
		got, _ := probe.Investigate(t.Context(), scene(t), probes, b)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	}
}

// A quote that does not stand at its place is noticed, wherever it was changed.
func TestVerify(t *testing.T) {
	s := scene(t)
	found, _ := investigateIn(t, s, probe.Probe{ID: "x.y", Version: "1", Target: court.GithubRepo,
		Run: gives(probe.Present(court.AST, []court.Place{{Path: "a.py", Line: 1, EndLine: 3}}, "there"))}, court.Want)
	e := found[0]
	if err := probe.Verify(t.Context(), s, e); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*court.Evidence){
		"content": func(e *court.Evidence) { e.Content = strings.Replace(e.Content, "1", "2", 1) },
		"line":    func(e *court.Evidence) { e.At[0].Line++ },
		"path":    func(e *court.Evidence) { e.At[0].Path = "b.py" },
		"blob":    func(e *court.Evidence) { e.At[0].Blob = strings.Repeat("0", 40) },
	} {
		c := e
		c.At = slices.Clone(e.At)
		change(&c)
		if probe.Verify(t.Context(), s, c) == nil {
			t.Errorf("a changed %s passes", name)
		}
	}
}
