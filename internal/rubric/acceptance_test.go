package rubric

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// expectation is one entry of EXPECTED.json beside a folder of rubrics.
type expectation struct {
	File       string          `json:"file"`
	Accepted   bool            `json:"accepted"`
	Dialect    string          `json:"dialect"`
	Features   []string        `json:"features"`
	Name       *string         `json:"name"`
	Version    *string         `json:"version"`
	Dimensions int             `json:"dimensions"`
	Points     json.Number     `json:"points_total"`
	Criteria   []expected      `json:"criteria"`
	Rules      map[string]any  `json:"rules"`
	RuleNotes  []string        `json:"rule_notes"`
	Synthesis  map[string]any  `json:"synthesis"`
	Warnings   []string        `json:"warnings"`
	Error      *expectedRefuse `json:"error"`
}

type expected struct {
	ID       string `json:"id"`
	Artifact string `json:"artifact"`
	Binding  string `json:"binding"`
	Scale    string `json:"scale"`
}

type expectedRefuse struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Code   string `json:"code"`
}

// TestRubricsOfTheField loads every rubric of the folder that the environment
// names and compares it with the EXPECTED.json beside them.
func TestRubricsOfTheField(t *testing.T) {
	dir := os.Getenv("AUTOMATON_RUBRICS")
	if dir == "" {
		t.Skip("AUTOMATON_RUBRICS names no folder of rubrics")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "EXPECTED.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Results []expectation `json:"results"`
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	bindings := map[string]int{}
	for _, want := range all.Results {
		t.Run(want.File, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join(dir, want.File))
			if err != nil {
				t.Fatal(err)
			}
			r, err := Load(want.File, strings.NewReader(string(raw)), catalogue(t))
			if !want.Accepted {
				got := refusal(t, err)
				if diff := cmp.Diff(*want.Error, got); diff != "" {
					t.Errorf("refusal (-want +got):\n%s", diff)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			compare(t, want, r)
			for _, c := range r.Criteria {
				kind, _, _ := strings.Cut(c.Binding, ":")
				bindings[kind]++
			}
			roundTrip(t, want.File, raw)
			digestHolds(t, raw)
			for _, c := range r.Criteria {
				rising(t, c.Scale)
			}

		})
	}
	if diff := cmp.Diff(map[string]int{"courtroom": 207, "alias": 61, "plan": 79, "manual": 3}, bindings); diff != "" {
		t.Errorf("bindings (-want +got):\n%s", diff)
	}
}

// rising holds the law of scales: 1 is the least, 5 the most, and every score
// in between is worth no less than the one below.
func rising(t *testing.T, s court.Scale) {
	t.Helper()
	last := s.Min
	for n := range court.Fixed(5) {
		p := s.Points((n + 1) * court.One)
		if p < last || s.Kind != levels && n > 0 && p == last || n == 0 && p != s.Min || n == 4 && p != s.Max {
			t.Errorf("scale %+v: %d is worth %s, the score below %s", s, n+1, p, last)
		}
		last = p
	}
}

func refusal(t *testing.T, err error) expectedRefuse {
	t.Helper()
	e, ok := errors.AsType[Errors](err)
	if !ok || len(e) == 0 {
		t.Fatalf("got %v, want a refusal", err)
	}
	return expectedRefuse{Line: e[0].Line, Column: e[0].Col, Code: e[0].Code}
}

func compare(t *testing.T, want expectation, r *court.Rubric) {
	t.Helper()
	diff := func(what string, want, got any) {
		t.Helper()
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
	diff("dialect", want.Dialect, r.Dialect)
	diff("features", want.Features, append([]string{}, r.Features...))
	if want.Name != nil {
		diff("name", *want.Name, r.Name)
	}
	if want.Version != nil {
		diff("version", *want.Version, r.Version)
	}
	diff("dimensions", want.Dimensions, len(r.Criteria))
	var got []expected
	for _, c := range r.Criteria {
		scale := c.Scale.Kind
		if scale != five {
			scale += " " + c.Scale.Min.String() + ".." + c.Scale.Max.String()
		}
		var artifacts []string
		for _, a := range c.Artifacts {
			artifacts = append(artifacts, string(a))
		}
		got = append(got, expected{c.ID, strings.Join(artifacts, ","), c.Binding, scale})
	}
	diff("criteria", want.Criteria, got)
	diff("points", pointsOf(want.Points), totalOf(r))
	diff("rules", want.Rules, rulesOf(r))
	diff("rule notes", want.RuleNotes, ruleNotesOf(r))
	diff("synthesis", unlikeDefault(t, want.Synthesis), changed(t, r.Synthesis))
	codes := noteCodes(r)
	slices.Sort(codes)
	diff("notes", want.Warnings, append([]string{}, codes...))
}

func pointsOf(n json.Number) string { return strings.TrimSuffix(n.String(), ".0") }

func totalOf(r *court.Rubric) string {
	var sum court.Fixed
	for _, c := range r.Criteria {
		if c.Scale.Kind == five {
			return ""
		}
		sum += c.Scale.Max
	}
	return sum.String()
}

// rulesOf says for each rule that runs how it came about.
func rulesOf(r *court.Rubric) map[string]any {
	out := map[string]any{}
	official := map[string]string{"security_override": "security_override", "fact_supremacy": "fact_supremacy",
		"functionality_weight": "functionality_weight", "dissent": "dissent_requirement", "spread": "variance_re_evaluation",
		"re_evaluation": "variance_re_evaluation", "orchestration_fraud": "orchestration_fraud", "thresholds": "thresholds"}
	for _, n := range r.Notes {
		if n.Code == "rule-defaulted" {
			out[n.Field] = "default"
		}
	}
	for _, rule := range r.Rules {
		name := official[rule.Runs]
		switch {
		case rule.Runs == "" || out[name] != nil:
		case rule.ID != name:
			out[name] = "alias:" + rule.ID
		case rule.Text == "true" || rule.Text == "false":
			out[name] = "bool"
		case strings.HasPrefix(rule.Text, "{"):
			out[name] = "object"
		default:
			out[name] = "text"
		}
	}
	if slices.ContainsFunc(r.Notes, func(n court.Note) bool { return n.Code == "rule-conflict" }) {
		out["variance_re_evaluation"] = "text+synthesis_config"
	}
	return out
}

func ruleNotesOf(r *court.Rubric) []string {
	out := []string{}
	for _, rule := range r.Rules {
		if rule.Runs == "" {
			out = append(out, rule.ID)
		}
	}
	return out
}

// changed lists what differs from the default law, as "rule.key".
func changed(t *testing.T, s court.Synthesis) map[string]any {
	t.Helper()
	out := map[string]any{}
	def, now := asMap(t, court.DefaultSynthesis()), asMap(t, s)
	for rule := range now {
		was, is := def[rule].(map[string]any), now[rule].(map[string]any)
		for key := range is {
			if !cmp.Equal(was[key], is[key]) {
				out[rule+"."+key] = is[key]
			}
		}
	}
	return out
}

// unlikeDefault drops what an expectation names although it is the default.
func unlikeDefault(t *testing.T, want map[string]any) map[string]any {
	t.Helper()
	def := asMap(t, court.DefaultSynthesis())
	out := map[string]any{}
	for name, v := range want {
		rule, key, _ := strings.Cut(name, ".")
		if !cmp.Equal(def[rule].(map[string]any)[key], v) {
			out[name] = v
		}
	}
	return out
}

func asMap(t *testing.T, v any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
