package body

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// tests are the types of the isinstance tests that a value has passed where an
// instruction reads it: of each list it is one.
func (u *updates) tests(f *il.Function, o il.Operand, at *il.Instr) (out [][]*analyse.Symbol) {
	if at == nil || o.Kind != il.Local {
		return nil
	}
	for _, g := range analyse.Guards(f, u.Names, o, at) {
		if g.Test.Op != il.Branch || g.Test.Kind != "true" || !g.Truth {
			continue
		}
		c := f.Def(f.Root(g.Test.Args[0]))
		if c == nil || c.Op != il.Call || len(c.Args) != 3 || f.Root(c.Args[1]) != f.Root(o) {
			continue
		}
		if name, _ := u.Names.Called(f, c); name != "builtins.isinstance" {
			continue
		}
		types := c.Args[2:]
		if list := f.Def(f.Root(types[0])); list != nil && list.Op == il.Make {
			types = list.Args
		}
		var list []*analyse.Symbol
		for _, t := range types {
			list = append(list, u.Names.Operand(f, t))
		}
		out = append(out, list)
	}
	return out
}

// passes tells whether an object may have passed the tests of what is read: one of a class
// of the program, by its body, or a plain map where that is nil.
func (u *updates) passes(class *il.Function) bool {
	return !slices.ContainsFunc(u.only, func(types []*analyse.Symbol) bool {
		return !slices.ContainsFunc(types, func(t *analyse.Symbol) bool { return u.instance(class, t) })
	})
}

// instance tells whether an object may be of a type.
func (u *updates) instance(class *il.Function, t *analyse.Symbol) bool {
	name, own := t.Full()
	switch {
	case name == "" || own != nil && own.Kind != il.ClassBody:
		return true
	case class == nil:
		return own == nil && !slices.Contains([]string{"builtins.list", "builtins.str", "builtins.tuple", "builtins.int", "pydantic.BaseModel"}, name)
	case own != nil && u.Names.Below(class, own), slices.Contains(u.Names.Above(class), name):
		return true
	}
	kind, open := u.Kind(class)
	switch {
	case open || kind == agentgraph.KindUnknown:
		return true
	case name == "builtins.dict":
		return kind == agentgraph.KindTypedDict || kind == agentgraph.KindDict
	default:
		return own == nil && !strings.HasPrefix(name, "builtins.")
	}
}

// updating tells whether what makes objects of a class makes an update of the state: of
// its type, its relatives, and maps. Objects of other classes are data.
func (u *updates) updating(class *il.Function) bool {
	if u.of.Kind == agentgraph.KindUnknown {
		return true
	}
	kind, _ := u.Kind(class)
	return kind == agentgraph.KindTypedDict || kind == agentgraph.KindDict || u.Names.Below(class, u.of.Class) || u.Names.Below(u.of.Class, class)
}
