package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// ofCondition is what a condition is made of: the data in it, and what decided
// the flags and predicates in it. That a list is not empty does not count as
// what decided its elements, unless a predicate of the program chose them.
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
			if asksIfAny(x) {
				m |= k.chosen(x) & evidence
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

// asksIfAny reports whether a name stands where only counts that it holds
// anything: if x, not x, len(x) == 0.
func asksIfAny(x code.Node) bool {
	p := x.Parent()
	if p.Is("argument_list") {
		return last(p.Parent()) == "len"
	}
	return p.Is("if_statement", "elif_clause", "not_operator", "boolean_operator", "parenthesized_expression")
}

// chosen is what predicates of the program decide when they choose what a list
// holds.
func (k *marks) chosen(x code.Node) mark {
	var m mark
	for _, s := range k.settings(x) {
		if !s.value.Is("list_comprehension") {
			continue
		}
		for c := range s.value.Children() {
			if !c.Is("if_clause") {
				continue
			}
			for n := range c.Walk() {
				if call := k.p.Call(n); n.Is("call") && call != nil && call.Callee.Def != nil && call.Callee.Def.IsFunction() {
					o := k.result(call.Callee.Def)
					m |= o.data | o.when
				}
			}
		}
	}
	return m
}

// constants reports whether a value is what a first-party function returns that
// knows constants only: which one it is tells what decided it.
func (k *marks) constants(n code.Node) bool {
	c := k.p.Call(n)
	if c == nil || c.Callee.Def == nil || c.Callee.Def.Kind == code.DefClass {
		return false
	}
	vs := c.Callee.Def.ReturnValues()
	return len(vs) > 0 && !slices.ContainsFunc(vs, func(v code.Node) bool {
		if v = v.Unparen(); v.Is("unary_operator") { // -1
			v = v.Field("argument").Unparen()
		}
		return !v.Is("true", "false", "none", "integer", "float", "string", "concatenated_string", "return_statement")
	})
}

// flag reports whether a name only ever holds a truth value, or a constant that
// a function chose.
func (k *marks) flag(n code.Node) bool {
	found := false
	for _, s := range k.settings(n) {
		found = true
		v := s.value.Unparen()
		if c := k.p.Call(v); c != nil && (c.Name == "any" || c.Name == "all" || c.Name == "bool") {
			continue
		}
		if k.constants(v) {
			continue
		}
		if !s.node.Is("assignment") || !v.Is("true", "false", "none", "comparison_operator", "boolean_operator", "not_operator") {
			return false
		}
	}
	return found
}
