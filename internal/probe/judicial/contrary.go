package judicial

import (
	"iter"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// contrary reports whether a later statement cannot run after the cap: both
// ask the same name for other constants, or it wants a name empty that is given
// a text beside the cap.
func (b *bench) contrary(e, o effect) bool {
	for _, g := range e.guards {
		for _, h := range o.guards {
			if g.Kind == "if" && h.Kind == "if" && !g.Negated && !h.Negated && b.disjoint(g.Condition, h.Condition) {
				return true
			}
		}
	}
	return slices.ContainsFunc(o.guards, func(h code.Guard) bool {
		return h.Kind == "if" && !h.Negated && wantsEmpty(h.Condition.Unparen(), e.node)
	})
}

// disjoint reports whether two conditions ask one name for constants of which
// none is the same.
func (b *bench) disjoint(m, n code.Node) bool {
	for x := range conjuncts(m) {
		for y := range conjuncts(n) {
			name, some := b.among(x)
			other, rest := b.among(y)
			if name != "" && name == other && !slices.ContainsFunc(some, func(s string) bool { return slices.Contains(rest, s) }) {
				return true
			}
		}
	}
	return false
}

// among takes name == "a" and name in ["a", "b"] apart.
func (b *bench) among(n code.Node) (name string, values []string) {
	ops := n.Fields("operators")
	if !n.Is("comparison_operator") || len(ops) != 1 || !n.Child(0).Is("identifier") {
		return "", nil
	}
	v := b.p.Eval(n.Child(1))
	list, complete := v.Strings()
	text, one := v.Str()
	switch op := ops[0].Text(); {
	case op == "==" && one:
		return n.Child(0).Text(), []string{text}
	case op == "in" && complete && len(list) > 0:
		return n.Child(0).Text(), list
	}
	return "", nil
}

// conjuncts are the parts of a condition that must all hold.
func conjuncts(n code.Node) iter.Seq[code.Node] {
	return func(yield func(code.Node) bool) {
		stack := []code.Node{n}
		for len(stack) > 0 {
			x := stack[len(stack)-1].Unparen()
			stack = stack[:len(stack)-1]
			if x.Is("boolean_operator") && x.Field("operator").Text() == "and" {
				stack = append(stack, x.Field("left"), x.Field("right"))
			} else if !yield(x) {
				return
			}
		}
	}
}

// wantsEmpty reports whether a condition wants a name empty that a statement
// beside the cap gives a text or a truth.
func wantsEmpty(n, beside code.Node) bool {
	for x := range conjuncts(n) {
		name := x.Field("argument").Unparen()
		if !x.Is("not_operator") || !name.Is("identifier") {
			continue
		}
		for s := range beside.Statement().Parent().Children() {
			a := s.Child(0)
			if a.Is("assignment") && a.Field("left").Text() == name.Text() && a.Field("right").Unparen().Is("string", "concatenated_string", "true") {
				return true
			}
		}
	}
	return false
}
