package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// deads knows conditions that can never hold: those that read a key which the
// state does not have and nothing sets.
type deads struct {
	p *code.Program
	r *agentgraph.Reading
}

// never reports whether a node runs only under a condition that cannot hold.
func (x *deads) never(n code.Node) bool {
	if x.p.Dead(n) {
		return true
	}
	for _, g := range x.p.Guards(n) {
		if !g.Negated && g.Kind != "except" && x.falsy(g.Condition, 0) {
			return true
		}
	}
	return false
}

// maxFalsy bounds how far an empty value is followed.
const maxFalsy = 12

// falsy reports whether an expression is surely false or empty.
func (x *deads) falsy(n code.Node, depth int) bool {
	n = n.Unparen()
	if !n.Valid() || depth > maxFalsy {
		return false
	}
	switch n.Kind() {
	case "false", "none":
		return true
	case "boolean_operator":
		l, r := x.falsy(n.Field("left"), depth+1), x.falsy(n.Field("right"), depth+1)
		if n.Field("operator").Text() == "and" {
			return l || r
		}
		return l && r
	case "call":
		return x.falsyCall(n, depth)
	case "subscript":
		return x.missing(n)
	case "dictionary", "list", "tuple", "set":
		return n.Child(0) == code.Node{}
	case "identifier":
		return x.falsyName(n, depth)
	}
	return false
}

// falsyCall covers getattr and get on the state, and get on what is empty.
func (x *deads) falsyCall(n code.Node, depth int) bool {
	c := x.p.Call(n)
	if c == nil {
		return false
	}
	if c.Name == "getattr" && !c.Receiver.Valid() {
		key, ok := literal(c.Arg("", 1))
		return ok && x.isState(c.Arg("", 0)) && x.lacks(key) && x.falsyDefault(c.Arg("", 2), depth)
	}
	if c.Name != "get" || !c.Receiver.Valid() {
		return false
	}
	if x.falsy(c.Receiver, depth+1) {
		return x.falsyDefault(c.Arg("default", 1), depth)
	}
	key, ok := literal(c.Arg("key", 0))
	return ok && x.isState(c.Receiver) && x.lacks(key) && x.falsyDefault(c.Arg("default", 1), depth)
}

func (x *deads) falsyDefault(n code.Node, depth int) bool {
	return !n.Valid() || x.falsy(n, depth+1)
}

// missing recognises state["key"] of a key that is never there.
func (x *deads) missing(n code.Node) bool {
	for _, s := range n.Fields("subscript") {
		if key, ok := literal(s); ok && x.isState(n.Field("value")) && x.lacks(key) {
			return true
		}
	}
	return false
}

// falsyName follows a name to everything that it may stand for.
func (x *deads) falsyName(n code.Node, depth int) bool {
	d := x.p.Enclosing(n)
	if d == nil || !d.IsFunction() {
		return false
	}
	found := false
	for s := range d.Body().WalkScope() {
		switch s.Kind() {
		case "assignment":
			if !slices.Contains(targets(s.Field("left")), n.Text()) {
				continue
			}
			if !s.Field("left").Is("identifier") || !x.falsy(s.Field("right"), depth+1) {
				return false
			}
			found = true
		case "call":
			if f := s.Field("function"); f.Is("attribute") && f.Field("object").Text() == n.Text() && !slices.Contains([]string{"get", "items", "keys", "values", "copy"}, f.Field("attribute").Text()) {
				return false // append and the like fill it
			}
		case "augmented_assignment", "for_statement", "named_expression":
			if left := s.Field("left"); slices.Contains(targets(left), n.Text()) || s.Field("name").Text() == n.Text() {
				return false
			}
		}
	}
	return found || x.falsyParameter(d, n.Text(), depth)
}

// falsyParameter reports whether every caller passes what is surely empty.
func (x *deads) falsyParameter(d *code.Definition, name string, depth int) bool {
	calls := x.p.Callers(d)
	if len(calls) == 0 || x.p.PassedOn(d) || !slices.ContainsFunc(d.Params(), func(p code.Param) bool { return p.Name == name }) {
		return false
	}
	for _, c := range calls {
		v, ok := x.p.Parameters(c)[name]
		if !ok || !x.falsy(v, depth+1) {
			return false
		}
	}
	return true
}

// isState reports whether an expression is the graph's state: a first
// parameter of that name or type.
func (x *deads) isState(n code.Node) bool {
	if x.r.State == nil || !n.Is("identifier") {
		return false
	}
	d := x.p.Enclosing(n)
	if d == nil || !d.IsFunction() {
		return false
	}
	for _, p := range d.Params() {
		if p.Name != n.Text() {
			continue
		}
		if t := x.p.Resolve(p.Annotation); langgraph.Def(x.r.State.Source) != nil && t.Def == langgraph.Def(x.r.State.Source) {
			return true
		}
		return p.Name == "state" && !p.Annotation.Valid()
	}
	return false
}

// lacks reports whether the state has no such key and nothing sets it.
func (x *deads) lacks(key string) bool {
	st := x.r.State
	if st == nil || st.Open || len(st.Fields) == 0 || st.Field(key) != nil {
		return false
	}
	if x.r.Main != nil && slices.ContainsFunc(x.r.Main.Writes, func(w agentgraph.Write) bool { return w.Key == key }) {
		return false
	}
	for _, m := range x.p.Modules { // a keyword or a key of that name anywhere may set it
		if m.Scope != code.ScopeProduction {
			continue
		}
		for n := range m.Root().Walk() {
			switch n.Kind() {
			case "pair":
				if k, ok := literal(n.Field("key")); ok && k == key {
					return false
				}
			case "keyword_argument":
				if n.Field("name").Text() == key && !x.p.Resolve(n.Parent().Parent().Field("function")).Known() {
					return false
				}
			case "assignment":
				left := n.Field("left")
				if left.Is("attribute") && left.Field("attribute").Text() == key {
					return false
				}
				for _, s := range left.Fields("subscript") {
					if k, ok := literal(s); ok && k == key {
						return false
					}
				}
			}
		}
	}
	return true
}
