package probe_test

import (
	"context"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// What rests on a thing that is not there is unknown, not clean; where the thing
// is only unread, the checks answer for themselves.
func TestNothingRestsOnNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		gate court.Reason
		mode string
		want court.Outcome
	}{
		"nothing there":     {court.NoArtifact, "unknown", court.Unknown},
		"cannot be read":    {court.NoDetector, "unknown", court.Present},
		"not asked as gate": {court.NoArtifact, "absent", court.Present},
	} {
		t.Run(name, func(t *testing.T) {
			gate := probe.Probe{ID: "g.g", Target: court.GithubRepo, Run: func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) {
				return []probe.Finding{probe.Cannot(tt.gate, nil, "No code.")}, nil
			}}
			clean := probe.Probe{ID: "c.c", Target: court.GithubRepo, Run: func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) {
				return []probe.Finding{probe.Clean(court.One, court.Structure, "Nothing found.")}, nil
			}}
			checks := []court.Check{
				{ID: "gate", Weight: 1, Asks: []court.Ask{{Probe: "g.g", Args: map[string]any{"else": tt.mode}}}},
				{ID: "clean", Weight: 1, Requires: []string{"gate"}, Asks: []court.Ask{{Probe: "c.c"}}},
			}
			for _, only := range []func(string, string) bool{nil, func(_, check string) bool { return check == "clean" }} {
				found, faults := probe.Investigate(t.Context(), scene(t), []probe.Probe{gate, clean}, probe.Assignment{Detective: court.RepoInvestigator, Only: only,
					Criteria: []court.Criterion{{ID: "k", Artifacts: []court.Artifact{court.GithubRepo}, Checks: checks}}})
				if len(faults) > 0 {
					t.Error(faults)
				}
				for _, e := range found["k"] {
					if e.Check == "clean" && e.Outcome != tt.want {
						t.Errorf("outcome is %s, want %s: %s", e.Outcome, tt.want, e.Rationale)
					}
				}
			}
		})
	}
}
