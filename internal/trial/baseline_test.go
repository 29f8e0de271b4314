package trial

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// A case that fell from its baseline fails the gate, and says where; one that
// did not, and one whose baseline says nothing about it, do not.
func TestBaseline(t *testing.T) {
	good := try(t, hearing(t, miniature(t).Scene(t)))
	worse := miniature(t)
	delete(worse.Files, "src/graph.py")
	elsewhere := *good
	elsewhere.Rubric.Digest = strings.Repeat("0", 64)
	for name, tt := range map[string]struct {
		baseline *court.Record
		outcome  string
	}{
		"fell":           {good, verdict.Fail},
		"no baseline":    {nil, verdict.Pass},
		"another rubric": {&elsewhere, verdict.Pass},
	} {
		h := hearing(t, worse.Scene(t))
		h.Baseline, h.Bar = tt.baseline, &verdict.Bar{FailOn: []string{verdict.FailOnRegression}}
		rec := try(t, h)
		if rec.Gate.Outcome != tt.outcome {
			t.Errorf("%s: %+v", name, rec.Gate)
		}
		if fell := strings.Join(rec.Gate.Missed, "\n"); tt.outcome == verdict.Fail && (!strings.Contains(fell, "regression: overall was ") || !strings.Contains(fell, "regression: graph_orchestration was ")) {
			t.Errorf("%s: %q", name, fell)
		}
	}
	h := hearing(t, miniature(t).Scene(t))
	h.Baseline, h.Bar = good, &verdict.Bar{FailOn: []string{verdict.FailOnRegression}}
	if rec := try(t, h); rec.Gate.Outcome != verdict.Pass {
		t.Errorf("the same: %+v", rec.Gate)
	}
}
