package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
)

// setting is one value of the synthesis rules, as whatif --set takes it.
type setting struct{ rule, key, value string }

// settingsOf are the synthesis rules in force: what is null binds nothing and
// is left out.
func settingsOf(law court.Synthesis) ([]setting, error) {
	raw, err := json.Marshal(law)
	if err != nil {
		return nil, fmt.Errorf("encoding the synthesis rules: %w", err)
	}
	var rules map[string]map[string]json.RawMessage
	if err := json.Unmarshal(raw, &rules); err != nil {
		return nil, fmt.Errorf("reading the synthesis rules: %w", err)
	}
	var out []setting
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		for _, key := range slices.Sorted(maps.Keys(rules[rule])) {
			if value := string(rules[rule][key]); value != "null" {
				out = append(out, setting{rule, key, value})
			}
		}
	}
	return out, nil
}

func showLaw(w *lines, law court.Synthesis) error {
	list, err := settingsOf(law)
	if err != nil {
		return err
	}
	w.f("\nsynthesis rules, as automaton whatif --set takes them\n")
	for _, s := range list {
		w.f("  %s.%s=%s\n", s.rule, s.key, shown(s.value))
	}
	return nil
}

// lawOffers are the settings of a record's rubric, or the rules that can be
// left out.
func (a *app) lawOffers(off bool) func(*cobra.Command, []string) []offer {
	return func(c *cobra.Command, args []string) []offer {
		rec := a.offered(c, args)
		if rec == nil {
			return nil
		}
		list, err := settingsOf(rec.Rubric.Synthesis)
		if err != nil {
			return nil
		}
		var out []offer
		for _, s := range list {
			switch {
			case off && s.key == "on" && (s.value == "true" || s.value == "false"):
				out = append(out, offer{s.rule, ""})
			case !off:
				out = append(out, offer{s.rule + "." + s.key + "=", "now " + s.value})
			}
		}
		return out
	}
}
