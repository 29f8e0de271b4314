package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// compares returns the state keys that a function tests: compared with
// something that is not state, or taken as a condition by itself.
func (r *reader) compares(d *code.Definition) []string {
	var out []string
	k := &keyReader{reader: r, d: d, state: stateParam(d), active: map[code.Node]bool{}}
	add := func(keys []string) {
		for _, key := range keys {
			if !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	for n := range d.Node.Walk() {
		switch n.Kind() {
		case "comparison_operator":
			var with, without int
			var keys []string
			for c := range n.Children() {
				if found := k.keys(c); len(found) > 0 {
					with++
					keys = append(keys, found...)
				} else {
					without++
				}
			}
			if with > 0 && without > 0 {
				add(keys)
			}
		case "if_statement", "elif_clause", "while_statement":
			add(k.tested(n.Field("condition")))
		case "conditional_expression":
			add(k.tested(n.Child(1)))
		}
	}
	slices.Sort(out)
	return out
}

// keyReader finds the state keys that an expression reads.
type keyReader struct {
	*reader
	d      *code.Definition
	state  string
	active map[code.Node]bool
}

// tested returns the keys that a condition takes as they are.
func (k *keyReader) tested(n code.Node) []string {
	n = n.Unparen()
	switch n.Kind() {
	case "not_operator":
		return k.tested(n.Field("argument"))
	case "boolean_operator":
		return append(k.tested(n.Field("left")), k.tested(n.Field("right"))...)
	case "comparison_operator":
		return nil
	default:
		return k.keys(n)
	}
}

// keys returns the state keys in an expression, also through local names.
func (k *keyReader) keys(n code.Node) []string {
	if k.active[n] || len(k.active) > maxDepth {
		return nil
	}
	k.active[n] = true
	defer delete(k.active, n)
	var out []string
	for m := range n.Walk() {
		switch m.Kind() {
		case "subscript":
			if m.Field("value").Text() == k.state {
				if text, ok := k.p.Eval(m.Field("subscript")).Str(); ok {
					out = append(out, text)
				}
			}
		case "attribute":
			if m.Field("object").Text() == k.state && m.FieldName() != "function" {
				out = append(out, m.Field("attribute").Text())
			}
		case "call":
			if f := m.Field("function"); f.Is("attribute") && f.Field("object").Text() == k.state && f.Field("attribute").Text() == "get" ||
				f.Text() == "getattr" && m.Field("arguments").Child(0).Text() == k.state {
				arg := m.Field("arguments").Child(0)
				if f.Text() == "getattr" {
					arg = m.Field("arguments").Child(1)
				}
				if text, ok := k.p.Eval(arg).Str(); ok {
					out = append(out, text)
				}
			}
		case "identifier":
			if m.Text() == k.state || m.FieldName() == "attribute" {
				continue
			}
			for _, v := range assigned(k.d, m.Text(), m) {
				out = append(out, k.keys(v)...)
			}
		}
	}
	return out
}
