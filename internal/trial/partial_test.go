package trial

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/trace"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// A run that is cut short keeps what its finished detectives found, says why it
// ended, and decides no gate.
func TestCutShort(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	h := stage(t, func(probe.Args) ([]probe.Finding, error) { return found(2), nil }, func(probe.Args) ([]probe.Finding, error) { return found(3), nil })
	h.Bar = &verdict.Bar{FailOn: []string{verdict.FailOnOverride}}
	h.Log = trace.NewLog("cut", h.Clock, func(e trace.Event) error {
		if e.Kind == trace.NodeEnd && e.Node == string(court.RepoInvestigator) {
			cancel(errors.New("time is over"))
		}
		return nil
	})
	h.Probes[2].Run = func(ctx context.Context, _ *probe.Scene, _ probe.Args) ([]probe.Finding, error) { // VisionInspector's never ends
		<-ctx.Done()
		return nil, ctx.Err()
	}
	h.Rubric = load(t, strings.Replace(twoCriteria, `"clear", "target_artifact": "github_repo"`, `"clear", "target_artifact": "pdf_images"`, 1), h.Probes)
	rec, err := Conduct(ctx, h)
	if err == nil || rec == nil {
		t.Fatalf("record %v, error %v", rec != nil, err)
	}
	if rec.Status != court.Partway || rec.Verdict != nil || rec.Gate.Outcome != verdict.Undecided {
		t.Errorf("status %s, verdict %v, gate %+v", rec.Status, rec.Verdict, rec.Gate)
	}
	if n := len(rec.Evidences["hazy"]); n != 2 || rec.Evidences["hazy"][0].Verified || rec.Evidences["hazy"][0].Label != "E1" {
		t.Errorf("%d pieces of evidence are kept, or they are vouched for: %+v", n, rec.Evidences["hazy"])
	}
	if !slices.ContainsFunc(rec.Faults, func(f court.Fault) bool { return f.Blocks && strings.Contains(f.Reason, "time is over") }) {
		t.Errorf("no fault says why the run ended: %+v", rec.Faults)
	}
}

func TestOnlyIsNormal(t *testing.T) {
	h := stage(t, func(probe.Args) ([]probe.Finding, error) { return found(2), nil }, func(probe.Args) ([]probe.Finding, error) { return found(3), nil })
	h.Only = []string{"clear", "hazy", "clear"}
	rec := try(t, h)
	if d := cmp.Diff([]string{"hazy", "clear"}, rec.Case.Only); d != "" {
		t.Error(d)
	}
}

func TestNothingToHear(t *testing.T) {
	h := stage(t, func(probe.Args) ([]probe.Finding, error) { return found(2), nil }, func(probe.Args) ([]probe.Finding, error) { return found(3), nil })
	for i := range h.Rubric.Criteria {
		h.Rubric.Criteria[i].Binding = "manual"
	}
	if _, err := Conduct(t.Context(), h); !errors.Is(err, ErrNothingToJudge) {
		t.Errorf("got %v", err)
	}
}

func TestCaseID(t *testing.T) {
	tests := map[string]struct{ slug, commit, want string }{
		"usual":    {"ada/mini", "9f2c41d07be35a0e6c1a", "ada__mini-9f2c41d"},
		"strange":  {"a b/ü", "9f2c41d07be35a0e6c1a", "a_b__ü-9f2c41d"},
		"none":     {"folder", "", "folder"},
		"too long": {strings.Repeat("x", 200), "9f2c41d07be35a0e6c1a", strings.Repeat("x", 92) + "-9f2c41d"},
		"long":     {strings.Repeat("李", 200), "9f2c41d07be35a0e6c1a", strings.Repeat("李", 30) + "-9f2c41d"},
	}
	for name, tc := range tests {
		if got := caseID(court.Case{Slug: tc.slug, Commit: tc.commit}); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// What is recorded of a repository that cannot be opened names no folder of
// this machine.
func TestPlaceless(t *testing.T) {
	got := placeless(errors.New(`opening "/home/ada/court": /home/ada/court/.git: not there, nor /home/ada`), repo.Target{Local: "/home/ada/court"})
	if strings.Contains(got, "/home") || !strings.Contains(got, "file:court") {
		t.Errorf("got %q", got)
	}
}
