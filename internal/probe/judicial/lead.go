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

// maxLead bounds how far a name is followed to the tech lead.
const maxLead = 3

// standsForLead reports whether a local name is set once, to one thing that is
// taken by the tech lead's name, or is a parameter that is always given so.
func (b *bench) standsForLead(n code.Node) bool { return b.leads(n, 0) }

func (b *bench) leads(n code.Node, depth int) bool {
	d := b.p.Enclosing(n)
	if d == nil || !d.IsFunction() || depth > maxLead {
		return false
	}
	if set := b.weighs.settings(n); len(set) > 0 {
		return len(set) == 1 && set[0].node.Is("assignment", "case_clause") && b.takesLead(set[0].value, depth)
	}
	given := 0
	for _, c := range b.p.Callers(d) {
		if v, ok := b.p.Parameters(c)[n.Text()]; ok && c.Node.Module().Scope == code.ScopeProduction {
			if !b.takesLead(v, depth) && !(v.Is("identifier") && b.leads(v, depth+1)) {
				return false
			}
			given++
		}
	}
	return given > 0
}

// takesLead reports whether a value is looked up by the tech lead's name, or
// is what such a name holds: one thing, no reckoning. What stands for the tech
// lead when there is none does not matter.
func (b *bench) takesLead(v code.Node, depth int) bool {
	v = v.Unparen()
	if v.Is("conditional_expression") {
		return b.takesLead(v.Child(0), depth) && v.Child(2).Unparen().Is("integer", "float", "none")
	}
	if who(split(v.Text())) == techLead {
		return plain(v) || b.lookedUp(v)
	}
	switch v.Kind() {
	case "attribute":
		return b.takesLead(v.Field("object"), depth)
	case "identifier":
		return b.leads(v, depth+1)
	}
	return false
}

// lookedUp reports whether a value is found by the tech lead's name.
func (b *bench) lookedUp(v code.Node) bool {
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
