package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// mapped returns what a function makes of one score, its other parameters at
// their defaults. Where a function sorts what it is given by kinds, it takes
// the way that a number takes through tests of types and try statements.
func (b *bench) mapped(d *code.Definition, param string, x float64) (float64, bool) {
	if !sorts(d) {
		return b.of(d, param, x)
	}
	r := &evaluator{b: b, env: map[string]float64{param: x}, left: maxSteps}
	for _, p := range d.Params() {
		if v, ok := b.number(p.Default); ok && p.Name != param {
			r.env[p.Name] = v
		}
	}
	v, done, ok := r.way(d.Body(), param)
	return v, done && ok
}

// sorts reports whether a function may be given other things than a number, or
// more than one thing.
func sorts(d *code.Definition) bool {
	for n := range d.Body().Walk() {
		if n.Is("try_statement", "none") || n.Is("call") && last(n) == "isinstance" {
			return true
		}
	}
	return slices.ContainsFunc(d.Params(), func(p code.Param) bool { return p.Default.Valid() })
}

// way runs the statements that a number in the parameter comes to.
func (r *evaluator) way(block code.Node, param string) (v float64, done, ok bool) {
	for s := range block.Children() {
		v, done, ok = r.stretch(s, param)
		if done || !ok {
			return v, done, ok
		}
	}
	return 0, false, true
}

// stretch runs one statement of such a way.
func (r *evaluator) stretch(s code.Node, param string) (v float64, done, ok bool) {
	switch s.Kind() {
	case "try_statement":
		return r.way(s.Field("body"), param)
	case "if_statement":
		yes, decided := r.typed(s.Field("condition"), param)
		switch {
		case decided && yes:
			return r.way(s.Field("consequence"), param)
		case decided && len(s.Fields("alternative")) == 0:
			return 0, false, true
		}
	}
	return r.statement(s)
}

// numeric are the types of numbers that a score may have.
var numeric = []string{"int", "float", "Number", "Real"}

// typed decides a test of what kind of thing a number is.
func (r *evaluator) typed(n code.Node, param string) (yes, decided bool) {
	n = n.Unparen()
	switch n.Kind() {
	case "not_operator":
		if n.Field("argument").Unparen().Text() == param {
			return r.env[param] == 0, true
		}
		yes, decided = r.typed(n.Field("argument"), param)
		return !yes, decided
	case "boolean_operator":
		a, ok1 := r.typed(n.Field("left"), param)
		b, ok2 := r.typed(n.Field("right"), param)
		if n.Field("operator").Text() == "and" {
			return a && b, ok1 && ok2 || ok1 && !a || ok2 && !b
		}
		return a || b, ok1 && ok2 || ok1 && a || ok2 && b
	case "comparison_operator":
		ops := n.Fields("operators")
		if len(ops) == 1 && n.Child(0).Text() == param && n.Child(1).Is("none") {
			return ops[0].Text() == "is not" || ops[0].Text() == "!=", true
		}
	case "call":
		args := n.Field("arguments")
		if last(n) != "isinstance" || args.Child(0).Text() != param {
			return false, false
		}
		for x := range args.Child(1).Walk() {
			if x.Is("identifier") && slices.Contains(numeric, x.Text()) {
				return true, true
			}
		}
		return false, true
	}
	return false, false
}
