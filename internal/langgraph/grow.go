package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// old says whether what a node writes under a key holds what the state has
// there already, and whether that is all. Where the function sets the key of
// the state itself, or a helper makes the value, it is taken for new.
func (r *reader) old(d *code.Definition, w agentgraph.Write) (holds, all bool) {
	state := stateParam(d)
	if w.Key == "" || w.Grows || state == "" || r.p.Enclosing(Expr(w.Source)) != d {
		return false, false
	}
	for m := range d.Body().WalkScope() {
		left := m.Field("left")
		if m.Is("assignment") && left.Is("subscript") && left.Field("value").Text() == state && !m.Contains(Expr(w.Source)) {
			if text, ok := r.p.Eval(left.Field("subscript")).Str(); !ok || text == w.Key {
				return false, false
			}
		}
	}
	return r.oldIn(Expr(w.Source), d, state, w.Key, 0)
}

// oldIn is old for one expression.
func (r *reader) oldIn(n code.Node, d *code.Definition, state, key string, depth int) (holds, all bool) {
	n = n.Unparen()
	if !n.Valid() || depth > maxCalls {
		return false, false
	}
	either := func(parts ...code.Node) (holds, all bool) {
		all = true
		for _, p := range parts {
			h, a := r.oldIn(p, d, state, key, depth+1)
			holds, all = holds || h, all && (a || emptyValue(p))
		}
		return holds, holds && all
	}
	is := func(k code.Node) bool {
		text, ok := r.p.Eval(k).Str()
		return ok && text == key
	}
	switch n.Kind() {
	case "subscript":
		own := n.Field("value").Text() == state && is(n.Field("subscript"))
		return own, own
	case "attribute":
		own := n.Field("object").Text() == state && n.Field("attribute").Text() == key
		return own, own
	case "binary_operator", "boolean_operator":
		return either(n.Field("left"), n.Field("right"))
	case "list":
		var parts []code.Node
		for c := range n.Children() {
			if c.Is("list_splat") {
				parts = append(parts, c.Child(0))
			} else {
				parts = append(parts, code.Node{})
			}
		}
		return either(parts...)
	case "call":
		f, first := n.Field("function"), n.Field("arguments").Child(0)
		switch {
		case f.Text() == state+".get" && is(first):
			return true, true
		case f.Is("attribute") && f.Field("attribute").Text() == "copy":
			return either(f.Field("object"))
		case f.Is("identifier") && f.Text() == "list" && first.Valid():
			return either(first)
		}
	case "identifier":
		for _, v := range assigned(d, n.Text(), n) {
			h, _ := r.oldIn(v, d, state, key, depth+1)
			holds = holds || h
		}
	}
	return holds, false
}

// grown returns the key of a state field to which a statement adds in place:
// state["key"].append(x), state.get("key").extend(xs), state["key"] += xs.
func (u *updates) grown(n code.Node, state string) (key, value code.Node) {
	var target code.Node
	switch {
	case n.Is("augmented_assignment"):
		target, value = n.Field("left"), n.Field("right")
	case n.Is("call") && slices.Contains([]string{"append", "extend", "insert"}, lastName(n.Field("function"))):
		target, value = n.Field("function").Field("object"), n.Field("arguments").Child(0)
	default:
		return key, value
	}
	switch {
	case target.Is("subscript") && target.Field("value").Text() == state:
		return target.Field("subscript"), value
	case target.Is("call") && slices.Contains([]string{state + ".get", state + ".setdefault"}, target.Field("function").Text()):
		return target.Field("arguments").Child(0), value
	}
	return code.Node{}, value
}
