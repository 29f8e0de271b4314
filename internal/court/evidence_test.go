package court_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func sample(change func(*court.Evidence)) court.Evidence {
	e := court.Evidence{Criterion: "k", Check: "c", Probe: "x.y/1", Detective: court.RepoInvestigator, Outcome: court.Violation,
		Source: court.AST, Confidence: court.One, Coverage: court.One, Rationale: "seen", At: []court.Place{{Path: "a.py", Line: 1, EndLine: 1}}}
	change(&e)
	return e.Sealed()
}

func TestEvidenceID(t *testing.T) {
	e := sample(func(*court.Evidence) {})
	if digits, ok := strings.CutPrefix(e.ID, "ev-"); !ok || len(digits) != 24 {
		t.Errorf("%q has not 24 digits", e.ID)
	}
	seen := map[string]string{e.ID: "plain"}
	for name, data := range map[string]string{"none": `{}`, "cut": `{"a":`, "cut otherwise": `{"b":`, "no text": "\xff", "a string": `"x"`} {
		x := sample(func(e *court.Evidence) { e.Data = json.RawMessage(data) })
		if seen[x.ID] != "" {
			t.Errorf("data %s and %s have one id", name, seen[x.ID])
		}
		seen[x.ID] = name
		if err := x.Validate(); err != nil {
			t.Errorf("data %s: %v", name, err)
		}
		if again := x.Sealed(); again.ID != x.ID {
			t.Errorf("data %s: sealing again gives another id", name)
		}
		if _, err := json.Marshal(x); err != nil {
			t.Errorf("data %s: %v", name, err)
		}
	}
}

func TestEvidenceNeedsAPlace(t *testing.T) {
	tests := map[string]struct {
		change func(*court.Evidence)
		bad    bool
	}{
		"violation":    {func(e *court.Evidence) { e.At = nil }, true},
		"partial":      {func(e *court.Evidence) { e.Outcome, e.Share, e.At = court.Partial, 5000, nil }, true},
		"clean search": {func(e *court.Evidence) { e.Outcome, e.At = court.Present, nil }, false},
		"absent":       {func(e *court.Evidence) { e.Outcome, e.At = court.Absent, nil }, false},
		"a flaw": {func(e *court.Evidence) {
			e.Outcome, e.At, e.Security = court.Present, nil, &court.Flaw{Severity: court.High}
		}, true},
		"located":     {func(e *court.Evidence) { e.Security = &court.Flaw{Severity: court.High} }, false},
		"empty place": {func(e *court.Evidence) { e.At = append(e.At, court.Place{}) }, true},
	}
	for name, tc := range tests {
		if err := sample(tc.change).Validate(); (err != nil) != tc.bad {
			t.Errorf("%s: %v", name, err)
		}
	}
}
