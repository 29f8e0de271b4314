package rubric

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// officialRules are the five rules of the field; each runs with its defaults
// when a rubric does not mention it.
var officialRules = []string{"security_override", "fact_supremacy", "functionality_weight", "dissent_requirement", "variance_re_evaluation"}

// ruleOf names the typed rule that runs for a key of synthesis_rules.
var ruleOf = map[string]string{
	"security_override": "security_override", "security_override_cap": "security_override",
	"fact_supremacy": "fact_supremacy", "fact_priority": "fact_supremacy",
	"functionality_weight": "functionality_weight",
	"dissent_requirement":  "dissent", "dissent_required_on_variance": "dissent",
	"variance_re_evaluation": "re_evaluation", "variance_threshold": "spread",
	"structural_fraud_architecture_score": "orchestration_fraud",
	"score_threshold_pass":                "thresholds", "score_threshold_partial": "thresholds",
}

// aliases are the keys that stand in for an official rule.
var officialOf = map[string]string{
	"security_override_cap": "security_override", "fact_priority": "fact_supremacy",
	"dissent_required_on_variance": "dissent_requirement", "variance_threshold": "variance_re_evaluation",
}

// rules reads the author's words and the typed block: synthesis beats
// synthesis_config, and that beats synthesis_rules.
func (l *loader) rules() {
	l.out.Synthesis = court.DefaultSynthesis()
	root := l.doc.root
	said := map[string]bool{}
	if f := root.field("synthesis_rules"); f != nil {
		if f.value.kind != anObject {
			l.wrong(f.value, "rule-type", "an object of rules")
			return
		}
		for _, m := range f.value.fields {
			said[m.key] = true
			said[officialOf[m.key]] = true
			l.rule(m)
		}
	}
	if f := root.field("synthesis_config"); f != nil {
		l.feature("synthesis_config")
		l.config(f.value)
	}
	if f := root.field("synthesis"); f != nil {
		for _, official := range officialRules {
			said[official] = said[official] || f.value.has(ruleOf[official])
		}
		l.synthesis(f.value)
	}
	for _, official := range officialRules {
		if !said[official] {
			l.note(0, "rule-defaulted", court.Note{Field: official, Used: ruleOf[official]}, "no rule %s; it runs with its defaults", official)
		}
	}
	l.thresholdsInScale()
	l.spreadConflict()
	l.proseCap()
}

// rule reads one entry of synthesis_rules.
func (l *loader) rule(m field) {
	runs := ruleOf[m.key]
	l.out.Rules = append(l.out.Rules, court.RuleText{ID: m.key, Text: l.words(m.value), Runs: runs})
	if runs == "" {
		l.note(m.at, "rule-unknown", court.Note{Field: court.Clean(m.key, 80), Used: safetext.Nearest(m.key, slices.Concat(officialRules, []string{"variance_threshold", "security_override_cap"}), 2)},
			"unknown rule %q; shown, not enforced", court.Clean(m.key, 80))
		return
	}
	if !slices.Contains(officialRules, m.key) {
		l.note(m.at, "rule-alias", court.Note{Field: m.key, Used: runs}, "%s sets the rule %s", m.key, runs)
	}
	if m.value.kind == aString {
		if !slices.Contains(officialRules, m.key) && m.key != "fact_priority" {
			l.wrong(m.value, "rule-type", "a number, true or false; a text sets nothing")
		}
		return
	}
	l.feature("typed_rules")
	l.typed(m)
}

// words is a rule as its author wrote it: a string, or its JSON in one line
// with sorted keys.
func (l *loader) words(v *value) string {
	if v.kind == aString {
		return v.text
	}
	raw, err := court.Canonical(json.RawMessage(l.doc.raw(v)))
	if err != nil {
		return "" // cannot be: the parser read it
	}
	return string(raw)
}

// typed applies a value that is not text.
func (l *loader) typed(m field) {
	s := &l.out.Synthesis
	v := m.value
	switch m.key {
	case "security_override":
		l.override(m)
	case "fact_supremacy", "fact_priority":
		l.onOff(v, &s.FactSupremacy.On)
	case "functionality_weight":
		if v.kind == anObject {
			l.weights(v, &s.FunctionalityWeight)
			return
		}
		l.onOff(v, &s.FunctionalityWeight.On)
	case "dissent_requirement":
		if v.kind == anObject {
			l.oneKey(m, "variance_threshold", func(n *value) { l.within(n, &s.Dissent.GT, 0, 4*court.One) })
			return
		}
		l.onOff(v, &s.Dissent.On)
	case "dissent_required_on_variance":
		l.onOff(v, &s.Dissent.On)
	case "variance_re_evaluation":
		if v.kind == anObject {
			l.oneKey(m, "variance_threshold", func(n *value) { l.within(n, &s.Spread.GT, court.One, 4*court.One) })
			return
		}
		l.onOff(v, &s.ReEvaluation.On)
	case "security_override_cap":
		l.within(v, &s.SecurityOverride.Cap, court.One, 5*court.One)
	case "variance_threshold":
		l.within(v, &s.Spread.GT, court.One, 4*court.One)
	case "structural_fraud_architecture_score":
		s.OrchestrationFraud.On = l.within(v, &s.OrchestrationFraud.Cap, court.One, 5*court.One)
	case "score_threshold_pass":
		l.threshold(v, &s.Thresholds.Pass)
	case "score_threshold_partial":
		l.threshold(v, &s.Thresholds.Partial)
	}
}

// override reads security_override: on or off, the cap, or an object with it.
func (l *loader) override(m field) {
	o := &l.out.Synthesis.SecurityOverride
	switch m.value.kind {
	case aNumber:
		l.within(m.value, &o.Cap, court.One, 5*court.One)
	case anObject:
		l.oneKey(m, "cap", func(n *value) { l.within(n, &o.Cap, court.One, 5*court.One) })
	default:
		l.onOff(m.value, &o.On)
	}
}

// oneKey reads the one known key of a rule that is an object.
func (l *loader) oneKey(m field, known string, read func(*value)) {
	for _, in := range m.value.fields {
		if in.key == known {
			read(in.value)
			continue
		}
		l.note(in.at, "rule-unknown", court.Note{Field: m.key + "." + court.Clean(in.key, 60)},
			"%s.%s: unknown; shown, not enforced", m.key, court.Clean(in.key, 60))
	}
}

// config reads synthesis_config.
func (l *loader) config(v *value) {
	if v.kind != anObject {
		l.wrong(v, "rule-type", "an object")
		return
	}
	s := &l.out.Synthesis
	for _, m := range v.fields {
		switch m.key {
		case "variance_threshold":
			l.within(m.value, &s.Spread.GT, court.One, 4*court.One)
		case "score_threshold_pass":
			l.threshold(m.value, &s.Thresholds.Pass)
		case "score_threshold_partial":
			l.threshold(m.value, &s.Thresholds.Partial)
		default:
			l.out.Rules = append(l.out.Rules, court.RuleText{ID: m.key, Text: l.words(m.value)})
			l.note(m.at, "rule-unknown", court.Note{Field: "synthesis_config." + court.Clean(m.key, 60)},
				"synthesis_config.%s: unknown; shown, not enforced", court.Clean(m.key, 60))
		}
	}
}

// spreadConflict tells when a number and a text speak about the same rule.
func (l *loader) spreadConflict() {
	root := l.doc.root
	n := root.get("synthesis_config").field("variance_threshold")
	if n == nil {
		n = root.get("synthesis_rules").field("variance_threshold")
	}
	t := root.get("synthesis_rules").field("variance_re_evaluation")
	if n != nil && t != nil && t.value.kind == aString {
		l.note(n.at, "rule-conflict", court.Note{Field: "variance_re_evaluation", Used: "variance_threshold"},
			"variance_re_evaluation has a text and a number; the number wins: a spread greater than %s", l.out.Synthesis.Spread.GT)
	}
}

// thresholdsInScale drops marks for pass and partial that nobody can reach.
func (l *loader) thresholdsInScale() {
	t := &l.out.Synthesis.Thresholds
	top := 5 * court.One
	if sum, all := l.pointsTotal(); all {
		top = sum
	}
	for _, mark := range []*court.Fixed{t.Pass, t.Partial} {
		if mark != nil && *mark > top {
			at := l.doc.root.at
			if f := l.doc.root.first("synthesis", "synthesis_config", "synthesis_rules"); f != nil {
				at = f.at
			}
			l.note(at, "threshold-out-of-scale", court.Note{Field: "thresholds"}, "threshold %s is above the top of the scale (%s); both thresholds are dropped", *mark, top)
			*t = court.Thresholds{}
			return
		}
	}
}

// capNumber is a number in a text that reads like the score of a cap.
var capNumber = regexp.MustCompile(`(?:^|[^\w.])(\d+(?:\.\d+)?)\b`)

// proseCap compares the numbers in the text of security_override with the cap
// that runs. The text changes nothing.
func (l *loader) proseCap() {
	f := l.doc.root.get("synthesis_rules").field("security_override")
	if f == nil || f.value.kind != aString {
		return
	}
	cap := l.out.Synthesis.SecurityOverride.Cap
	var odd []string
	for _, m := range capNumber.FindAllStringSubmatch(f.value.text, -1) {
		n, err := court.ParseFixed(m[1])
		if err == nil && n == cap {
			return // the text says the cap, whatever else it counts
		}
		odd = append(odd, m[1])
	}
	if len(odd) > 0 {
		l.note(f.at, "rule-text-number", court.Note{Field: "security_override", Used: cap.String()},
			"the text says %s; the engine caps at %s. Set synthesis.security_override.cap", strings.Join(slices.Compact(odd), ", "), cap)
	}
}
