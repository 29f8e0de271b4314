package rubric

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Amend is a law with one of its settings changed: RULE.KEY=VALUE with the
// names and ranges of a rubric's typed block, such as security_override.cap=2.
// The law that is handed in stays as it is.
func Amend(law court.Synthesis, setting string) (court.Synthesis, error) {
	name, text, ok := strings.Cut(setting, "=")
	rule, key, dotted := strings.Cut(name, ".")
	if !ok || !dotted || rule == "" || key == "" || text == "" {
		return law, fmt.Errorf("changing the law: %q is not RULE.KEY=VALUE", court.Clean(setting, 80))
	}
	value := json.RawMessage(text)
	if !json.Valid(value) {
		value, _ = json.Marshal(text) // a string always can be encoded
	}
	raw, err := json.Marshal(map[string]map[string]json.RawMessage{rule: {key: value}})
	if err != nil {
		return law, fmt.Errorf("changing the law: %w", err)
	}
	doc, err := decode(name, raw)
	if err != nil {
		return law, err
	}
	if err := parse(doc); err != nil {
		return law, err
	}
	l := &loader{doc: doc, out: &court.Rubric{Synthesis: law}}
	l.out.Synthesis.FunctionalityWeight.Weights = maps.Clone(law.FunctionalityWeight.Weights)
	l.synthesis(doc.root)
	if len(l.errs) > 0 {
		return law, fmt.Errorf("changing the law by %q: %s", court.Clean(setting, 80), l.errs[0].Msg)
	}
	return l.out.Synthesis, nil
}
