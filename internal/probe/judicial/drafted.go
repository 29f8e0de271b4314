package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
)

// drafted lists the bindings by which the chief justice's code has a model fill
// a part of the result, told by the words of its field's name, that the program
// reads again.
func (b *bench) drafted(words ...string) []code.Node {
	var out []code.Node
	for _, c := range b.chief.calls(b.p, b.il) {
		for _, x := range b.native(c) {
			s := b.p.Resolve(x.schema)
			if s.Def == nil || s.Def.Kind != code.DefClass {
				continue
			}
			if slices.ContainsFunc(b.p.Fields(s), func(f intree.Field) bool { return starts(split(f.Name), words...) && b.readsField(f.Name) }) {
				out = append(out, x.at)
			}
		}
	}
	return out
}

// readsField reports whether production code reads an attribute of this name.
func (b *bench) readsField(name string) bool {
	for _, m := range b.p.Mentions(name, code.ScopeProduction) {
		for n := range m.Root().Walk() {
			if n.Is("attribute") && n.Field("attribute").Text() == name && n.FieldName() != "left" {
				return true
			}
		}
	}
	return false
}
