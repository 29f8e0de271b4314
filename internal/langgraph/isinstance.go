package langgraph

import (
	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// tests returns the types of the isinstance tests that a name has passed where
// it is used: each list are alternatives.
func (r *reader) tests(n code.Node, d *code.Definition) [][]code.Symbol {
	var out [][]code.Symbol
	for a := range n.Around() {
		if a == d.Node {
			break
		}
		if !a.Is("if_statement", "elif_clause") || !a.Field("consequence").Contains(n) {
			continue
		}
		for _, c := range conjuncts(a.Field("condition")) {
			args := c.Field("arguments")
			if !c.Is("call") || args.Child(0).Text() != n.Text() || !r.p.Resolve(c.Field("function")).Matches("builtins.isinstance") {
				continue
			}
			types := []code.Node{args.Child(1)}
			if types[0].Is("tuple") {
				types = nil
				for t := range args.Child(1).Children() {
					types = append(types, t)
				}
			}
			var list []code.Symbol
			for _, t := range types {
				list = append(list, r.p.Resolve(t))
			}
			out = append(out, list)
		}
	}
	return out
}

// conjuncts returns the parts of a condition that all have to hold.
func conjuncts(n code.Node) []code.Node {
	n = n.Unparen()
	if n.Is("boolean_operator") && n.Field("operator").Text() == "and" {
		return append(conjuncts(n.Field("left")), conjuncts(n.Field("right"))...)
	}
	return []code.Node{n}
}

// isDict says that an object is a plain dictionary, for passes.
const isDict = "builtins.dict"

// passes reports whether an object may have passed the tests of what is being
// read: one of a first-party class, or a plain dictionary when that is nil.
func (u *updates) passes(class *code.Definition) bool {
	for _, types := range u.only {
		some := false
		for _, t := range types {
			some = some || u.instance(class, t)
		}
		if !some {
			return false
		}
	}
	return true
}

// instance reports whether an object may be an instance of a type.
func (u *updates) instance(class *code.Definition, t code.Symbol) bool {
	switch {
	case !t.Known() || t.Def != nil && t.Def.Kind != code.DefClass:
		return true
	case class == nil:
		return t.Def == nil && !t.Matches("builtins.list", "builtins.str", "builtins.tuple", "builtins.int", "pydantic.BaseModel")
	case class == t.Def || u.p.Inherits(class, t.Qualified):
		return true
	}
	kind, open := u.kindOf(class)
	switch {
	case open || kind == agentgraph.KindUnknown:
		return true
	case t.Matches(isDict):
		return kind == agentgraph.KindTypedDict || kind == agentgraph.KindDict
	default:
		return t.Def == nil && !t.Matches("builtins.list", "builtins.str", "builtins.tuple", "builtins.int")
	}
}

// asWhole reports whether the whole state may have passed the tests.
func (u *updates) asWhole() bool {
	if u.state == nil {
		return true
	}
	switch u.state.Kind {
	case agentgraph.KindBaseModel, agentgraph.KindDataclass:
		return Def(u.state.Source) == nil || u.passes(Def(u.state.Source))
	case agentgraph.KindTypedDict, agentgraph.KindDict:
		return u.passes(nil)
	default:
		return true
	}
}

// free reads something without the tests around it: what an object holds need
// not pass them.
func (u *updates) free(read func()) {
	kept := u.only
	u.only = nil
	read()
	u.only = kept
}

// updating reports whether the constructor of a class makes a state update: of
// the state type, its relatives, and dictionaries. Objects of other classes
// are data.
func (u *updates) updating(class *code.Definition) bool {
	if u.state == nil || u.state.Kind == agentgraph.KindUnknown || Def(u.state.Source) == class {
		return true
	}
	if kind, _ := u.kindOf(class); kind == agentgraph.KindTypedDict || kind == agentgraph.KindDict {
		return true
	}
	of := Def(u.state.Source)
	return of != nil && (u.p.Inherits(class, of.Qualified) || u.p.Inherits(of, class.Qualified))
}
