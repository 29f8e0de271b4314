package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/llm"
)

const profilesText = `bench: {Prosecutor: best, TechLead: embedded}
budget: 2.5
profiles:
  best: {provider: anthropic, model: m-1}
  team: {provider: compatible, base_url: "https://llm.example.edu/v1", model: m-2, key_env: TEAM_KEY, rpm: 30, price_in: 0.15, price_out: 0.6}
`

func TestProfiles(t *testing.T) {
	c := New()
	if err := c.File(write(t, profilesText), "the user's config.yaml", true); err != nil {
		t.Fatal(err)
	}
	if err := c.File(write(t, "profiles: {best: {provider: openai, model: m-3}}\n"), "automaton.yaml", true); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"Prosecutor=best", "TechLead=embedded"}, c.List("bench")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"best", "team"}, c.Profiles()); d != "" {
		t.Error(d)
	}
	in, out := llm.USD(150_000), llm.USD(600_000)
	team, _ := c.Profile("team")
	if d := cmp.Diff(Profile{Provider: "compatible", Model: "m-2", BaseURL: "https://llm.example.edu/v1", KeyEnv: "TEAM_KEY", RPM: 30,
		PriceIn: &in, PriceOut: &out, Origin: "the user's config.yaml"}, team); d != "" {
		t.Error(d)
	}
	if best, _ := c.Profile("best"); best.Model != "m-3" || best.Origin != "automaton.yaml" {
		t.Errorf("the later file has profile best, got %+v", best)
	}
	if _, ok := c.Profile("worst"); ok {
		t.Error("a profile that nobody wrote")
	}
}

func TestProfileMistakes(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"unknown key":    {"profiles:\n  a: {provider: x, modell: y}\n", `2:20: unknown key "modell" (have provider, model,`},
		"no provider":    {"profiles:\n  a: {model: y}\n", "provider is missing"},
		"half a price":   {"profiles:\n  a: {provider: x, price_in: 1}\n", "price_in and price_out belong together"},
		"twice":          {"profiles:\n  a: {provider: x}\n  a: {provider: y}\n", "3:3: "},
		"key twice":      {"profiles:\n  a: {provider: x, provider: y}\n", "2:20: "},
		"reserved":       {"profiles:\n  auto: {provider: x}\n", `"auto" cannot name a profile`},
		"colon":          {"profiles:\n  'a:b': {provider: x}\n", `"a:b" cannot name a profile`},
		"list":           {"profiles: [a]\n", "names with their settings are wanted"},
		"text":           {"profiles: {a: b}\n", `profile "a": keys and values are wanted`},
		"rate":           {"profiles: {a: {provider: x, rpm: -1}}\n", `rpm: "-1" is not a number above 0`},
		"price":          {"profiles: {a: {provider: x, price_in: free}}\n", `price_in: "free" is not an amount of dollars such as 5 or 0.25`},
		"all twice":      {"profiles: {}\nprofiles: {}\n", "2:1: "},
		"budget":         {"budget: lots\n", `budget: "lots" is not a valid amount of money, for example 2.50`},
		"seat twice":     {"bench: {Defense: a, Defense: b}\n", "1:"},
		"nested bench":   {"bench: {Defense: {a: b}}\n", "a plain value or a list of them is wanted"},
		"another's maps": {"seat: {Defense: a}\n", "a plain value or a list of them is wanted"},
	} {
		t.Run(name, func(t *testing.T) {
			err := New().File(write(t, tc.text), "automaton.yaml", true)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}
