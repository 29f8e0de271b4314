package judicial

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// ofCondition is what a condition is made of: the data in it, and what decided
// the flags and predicates in it. That a list is not empty does not count as
// what decided its elements.
func (k *marks) ofCondition(n code.Node) mark {
	was := k.strict
	k.strict = true
	m := k.of(n).data
	k.strict = was
	for x := range n.Walk() {
		switch x.Kind() {
		case "identifier":
			if k.flag(x) {
				m |= k.named(x).when
			}
		case "call":
			if c := k.p.Call(x); c != nil && c.Callee.Def != nil && c.Callee.Def.IsFunction() {
				m |= k.result(c.Callee.Def).when
			}
		case "comparison_operator":
			for _, op := range x.Fields("operators") {
				if strings.HasSuffix(op.Text(), "in") && x.Child(1).Is("identifier", "subscript") { // what decided that it is an element
					m |= k.of(x.Child(1)).when
				}
			}
		}
	}
	return m
}

// flag reports whether a name only ever holds a truth value.
func (k *marks) flag(n code.Node) bool {
	found := false
	for _, s := range k.settings(n) {
		found = true
		v := s.value.Unparen()
		if c := k.p.Call(v); c != nil && (c.Name == "any" || c.Name == "all" || c.Name == "bool") {
			continue
		}
		if !s.node.Is("assignment") || !v.Is("true", "false", "none", "comparison_operator", "boolean_operator", "not_operator") {
			return false
		}
	}
	return found
}
