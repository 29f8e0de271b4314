package rubric

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestAmend(t *testing.T) {
	tests := map[string]func(*court.Synthesis){
		"security_override.cap=2":                    func(s *court.Synthesis) { s.SecurityOverride.Cap = 2 * court.One },
		"security_override.scope=overall":            func(s *court.Synthesis) { s.SecurityOverride.Scope = "overall" },
		"functionality_weight.on=false":              func(s *court.Synthesis) { s.FunctionalityWeight.On = false },
		`functionality_weight.weights={"Defense":3}`: func(s *court.Synthesis) { s.FunctionalityWeight.Weights[court.Defense] = 3 * court.One },
		`orchestration_fraud.applies_to=["a"]`:       func(s *court.Synthesis) { s.OrchestrationFraud.AppliesTo = []string{"a"} },
		"dissent.gt=1.5":                             func(s *court.Synthesis) { s.Dissent.GT = 15000 },
	}
	for setting, change := range tests {
		law := court.DefaultSynthesis()
		got, err := Amend(law, setting)
		if err != nil {
			t.Fatal(err)
		}
		want := court.DefaultSynthesis()
		change(&want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", setting, diff)
		}
		if diff := cmp.Diff(court.DefaultSynthesis(), law); diff != "" {
			t.Errorf("%s changes the law that was handed in:\n%s", setting, diff)
		}
	}
}

func TestAmendRefuses(t *testing.T) {
	for setting, want := range map[string]string{
		"":                                    "is not RULE.KEY=VALUE",
		"security_override":                   "is not RULE.KEY=VALUE",
		"security_override.cap":               "is not RULE.KEY=VALUE",
		"security_override.cap=":              "is not RULE.KEY=VALUE",
		"security_override.cap=9":             "a number from 1 to 5",
		"security_override.cap=high":          "must be a number",
		"security_override.kap=2":             `unknown key "kap"`,
		"security.cap=2":                      `unknown key "security"`,
		`security_override.cap={"a":1,"a":2}`: "stands here again",
	} {
		if _, err := Amend(court.DefaultSynthesis(), setting); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", setting, err)
		}
	}
}
