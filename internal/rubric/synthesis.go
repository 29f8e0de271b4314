package rubric

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// reader reads one key of a typed rule.
type reader map[string]func(*value)

// synthesis reads the typed block. It is ours: an unknown key, a wrong type and
// a value out of range are errors.
func (l *loader) synthesis(v *value) {
	s := &l.out.Synthesis
	unit := func(to *court.Fixed, low, high court.Fixed) func(*value) {
		return func(n *value) { l.within(n, to, low, high) }
	}
	on := func(to *bool) func(*value) { return func(b *value) { l.onOff(b, to) } }
	one := court.One
	l.block(v, reader{
		"spread": l.nested(reader{
			"measure": l.oneOf(&s.Spread.Measure, "range"),
			"on":      l.oneOf(&s.Spread.On, "integer"),
			"gt":      unit(&s.Spread.GT, one, 4*one),
		}),
		"fact_supremacy": l.nested(reader{
			"on":       on(&s.FactSupremacy.On),
			"mode":     l.oneOf(&s.FactSupremacy.Mode, "clamp", "label"),
			"label_at": unit(&s.FactSupremacy.LabelAt, one/10, 4*one),
		}),
		"re_evaluation": l.nested(reader{
			"on":            on(&s.ReEvaluation.On),
			"max_rounds":    l.rounds(&s.ReEvaluation.MaxRounds),
			"core_conflict": unit(&s.ReEvaluation.CoreConflict, 1, one),
			"fallback":      l.oneOf(&s.ReEvaluation.Fallback, "mean"),
		}),
		"functionality_weight": l.nested(reader{
			"on":         on(&s.FunctionalityWeight.On),
			"applies_to": l.ids(&s.FunctionalityWeight.AppliesTo, "criterion"),
			"weights":    func(w *value) { l.weights(w, &s.FunctionalityWeight) },
			"mode":       l.oneOf(&s.FunctionalityWeight.Mode, "always"),
		}),
		"orchestration_fraud": l.nested(reader{
			"on":         on(&s.OrchestrationFraud.On),
			"cap":        unit(&s.OrchestrationFraud.Cap, one, 5*one),
			"applies_to": l.ids(&s.OrchestrationFraud.AppliesTo, "criterion"),
			"when_all":   l.ids(&s.OrchestrationFraud.WhenAll, "check"), // see fraudBasis
		}),
		"security_override": l.nested(reader{
			"on":           on(&s.SecurityOverride.On),
			"cap":          unit(&s.SecurityOverride.Cap, one, 5*one),
			"scope":        l.oneOf(&s.SecurityOverride.Scope, "criterion", "overall", "both"),
			"min_severity": l.severity(&s.SecurityOverride.MinSeverity),
			"min_strength": unit(&s.SecurityOverride.MinStrength, one/2, one),
			"exclude":      l.scopes(&s.SecurityOverride.Exclude),
		}),
		"dissent": l.nested(reader{
			"on": on(&s.Dissent.On),
			"gt": unit(&s.Dissent.GT, 0, 4*one),
		}),
		"thresholds": l.nested(reader{
			"pass":    func(n *value) { l.threshold(n, &s.Thresholds.Pass) },
			"partial": func(n *value) { l.threshold(n, &s.Thresholds.Partial) },
		}),
	})
}

func (l *loader) nested(r reader) func(*value) { return func(v *value) { l.block(v, r) } }

// block reads an object whose keys are all known.
func (l *loader) block(v *value, r reader) {
	if v.kind != anObject {
		l.wrong(v, "rule-type", "an object")
		return
	}
	for _, m := range v.fields {
		read := r[m.key]
		if read == nil {
			known := make([]string, 0, len(r))
			for k := range r {
				known = append(known, k)
			}
			slices.Sort(known)
			l.failure(m.at, "rule-type", "%s: unknown key %q", strings.TrimPrefix(v.pointer(), "/"), court.Clean(m.key, 60)).Hint = didYouMean(m.key, known)
			continue
		}
		read(m.value)
	}
}

func (l *loader) onOff(v *value, to *bool) {
	if v.kind != aTruth {
		l.wrong(v, "rule-type", "true or false")
		return
	}
	*to = v.text == "true"
}

// within reads a number from low to high.
func (l *loader) within(v *value, to *court.Fixed, low, high court.Fixed) bool {
	n, ok := l.num(v, "rule-type")
	if !ok {
		return false
	}
	if n < low || n > high {
		l.wrong(v, "rule-type", "a number from "+low.String()+" to "+high.String())
		return false
	}
	*to = n
	return true
}

func (l *loader) oneOf(to *string, allowed ...string) func(*value) {
	return func(v *value) {
		if v.kind != aString || !slices.Contains(allowed, v.text) {
			l.wrong(v, "rule-type", strings.Join(allowed, " or "))
			return
		}
		*to = v.text
	}
}

func (l *loader) severity(to *court.Severity) func(*value) {
	s := string(*to)
	read := l.oneOf(&s, string(court.Info), string(court.Low), string(court.Medium), string(court.High))
	return func(v *value) {
		read(v)
		*to = court.Severity(s)
	}
}

// rounds reads 0 or 1.
func (l *loader) rounds(to *int) func(*value) {
	return func(v *value) {
		if v.kind != aNumber || v.text != "0" && v.text != "1" {
			l.wrong(v, "rule-type", "0 or 1")
			return
		}
		*to = int(v.text[0] - '0')
	}
}

// threshold reads a mark, null for none.
func (l *loader) threshold(v *value, to **court.Fixed) {
	if v.kind == aNull {
		*to = nil
		return
	}
	if n, ok := l.num(v, "rule-type"); ok {
		*to = &n
	}
}

// ids reads a list of ids of criteria or checks.
func (l *loader) ids(to *[]string, of string) func(*value) {
	return func(v *value) {
		want := "a list of " + of + " ids"
		if list, ok := l.texts(v, "rule-type", want); ok && len(list) == 0 && of == "check" {
			l.wrong(v, "rule-type", want)
		} else if ok {
			*to = list
		}
	}
}

// fraudBasis settles which checks orchestration_fraud rests on: those that the
// rubric names, where a criterion of the rule has each of them, else those of
// the courtroom, where a criterion of the rule has them all.
func (l *loader) fraudBasis() {
	law := &l.out.Synthesis.OrchestrationFraud
	var reached [][]string
	for _, d := range l.drafts {
		if slices.Contains(law.AppliesTo, d.ID) || d.bound != "" && slices.Contains(law.AppliesTo, d.bound) {
			reached = append(reached, idsOf(d.Checks))
		}
	}
	all := slices.Concat(reached...)
	if named := l.doc.root.get("synthesis").get("orchestration_fraud").get("when_all"); named != nil {
		for _, item := range named.items {
			if !slices.Contains(all, item.text) {
				l.failure(item.at, "rule-type", "when_all: no criterion that orchestration_fraud applies to has a check %q", court.Clean(item.text, 80)).Hint = didYouMean(item.text, all)
			}
		}
		return
	}
	if len(reached) == 0 {
		return
	}
	basis := l.builtin("courtroom").Synthesis.OrchestrationFraud.WhenAll
	if slices.ContainsFunc(reached, func(ids []string) bool {
		return !slices.ContainsFunc(basis, func(id string) bool { return !slices.Contains(ids, id) })
	}) {
		law.WhenAll = basis
	}
}

// scopes reads which classes of files cannot cap a score.
func (l *loader) scopes(to *[]string) func(*value) {
	allowed := []string{"test", "vendor", "example"}
	return func(v *value) {
		list, ok := l.texts(v, "rule-type", "a list of test, vendor and example")
		if !ok {
			return
		}
		for i, s := range list {
			if !slices.Contains(allowed, s) {
				l.wrong(v.items[i], "rule-type", strings.Join(allowed, " or "))
				return
			}
		}
		*to = list
	}
}

// texts reads a list of strings.
func (l *loader) texts(v *value, code, want string) ([]string, bool) {
	if v.kind != aList {
		l.wrong(v, code, want)
		return nil, false
	}
	out := []string{}
	for _, item := range v.items {
		if item.kind != aString {
			l.wrong(item, code, "a string")
			return nil, false
		}
		out = append(out, item.text)
	}
	return out, true
}

// weights reads how much each seat's opinion weighs; seats that are not named
// keep their default.
func (l *loader) weights(v *value, to *court.WeightRule) {
	if v.kind != anObject {
		l.wrong(v, "rule-type", "an object of weights by judge")
		return
	}
	for _, m := range v.fields {
		i := slices.IndexFunc(court.Personas(), func(p court.Persona) bool {
			return strings.EqualFold(string(p), strings.NewReplacer("_", "", " ", "").Replace(m.key))
		})
		if i < 0 {
			l.failure(m.at, "rule-type", "unknown judge %q", court.Clean(m.key, 60)).Hint = "known are Prosecutor, TechLead, Defense"
			continue
		}
		var w court.Fixed
		if l.within(m.value, &w, 1, 1000*court.One) {
			to.Weights[court.Personas()[i]] = w
		}
	}
}
