package judicial

import "github.com/automaton-auditor/automaton/internal/code"

// boundToLead reports whether a term of a sum holds a name that stands for
// what the tech lead said, though the name itself does not say so.
func (b *bench) boundToLead(n code.Node) bool {
	for x := range n.Walk() {
		if x.Is("identifier") && x.FieldName() != "attribute" && b.standsForLead(x) {
			return true
		}
	}
	return false
}

// standsForLead reports whether a local name is set once, to one thing that is
// taken by the tech lead's name, or is a parameter that is always given so.
func (b *bench) standsForLead(n code.Node) bool {
	d := b.p.Enclosing(n)
	if d == nil || !d.IsFunction() {
		return false
	}
	if set := b.weighs.settings(n); len(set) > 0 {
		return len(set) == 1 && set[0].node.Is("assignment") && b.takesLead(set[0].value)
	}
	given := 0
	for _, c := range b.p.Callers(d) {
		if v, ok := b.p.Parameters(c)[n.Text()]; ok && c.Node.Module().Scope == code.ScopeProduction {
			if !b.takesLead(v) && !(v.Is("identifier") && b.setToLead(v)) {
				return false
			}
			given++
		}
	}
	return given > 0
}

// setToLead is standsForLead for what a caller passes, one call deep.
func (b *bench) setToLead(n code.Node) bool {
	set := b.weighs.settings(n)
	return len(set) == 1 && b.takesLead(set[0].value)
}

// takesLead reports whether a value is looked up by the tech lead's name, or
// is what such a name holds: one thing, no reckoning.
func (b *bench) takesLead(v code.Node) bool {
	if who(split(v.Text())) != techLead {
		return false
	}
	if plain(v) {
		return true
	}
	byName := false
	for x := range v.Walk() {
		if x.Is("binary_operator") {
			return false
		}
		text, ok := literal(x)
		byName = byName || ok && who(split(text)) == techLead
	}
	return byName
}
