package judicial

import "github.com/automaton-auditor/automaton/internal/code"

// boundToLead reports whether a term of a sum holds a name that stands for
// what the tech lead said, though the name itself does not say so.
func (b *bench) boundToLead(n code.Node) bool {
	for x := range n.Walk() {
		if x.Is("identifier") && x.FieldName() != "attribute" && b.stands(x, techLead, 0) {
			return true
		}
	}
	return false
}

// maxLead bounds how far a name is followed to the tech lead.
const maxLead = 3

// stands reports whether a name stands for one thing that is taken by a judge's name:
// no reckoning. What it is when there is no such judge does not matter.
func (b *bench) stands(n code.Node, p persona, depth int) bool {
	some := false
	for _, v := range b.worth(n) {
		if v.Is("integer", "float", "none") {
			continue
		}
		if depth > maxLead || !b.takes(v, p, depth) {
			return false
		}
		some = true
	}
	return some
}

func (b *bench) takes(v code.Node, p persona, depth int) bool {
	switch v = v.Unparen(); {
	case v.Is("conditional_expression"):
		return b.takes(v.Child(0), p, depth) && v.Child(2).Unparen().Is("integer", "float", "none")
	case who(split(v.Text())) == p:
		return plain(v) || lookedUp(v, p) || b.ofOpinion(v, p, depth)
	case v.Is("attribute"):
		return b.takes(v.Field("object"), p, depth)
	case v.Is("subscript"):
		return b.takes(v.Field("value"), p, depth)
	case v.Is("call") && has([]string{last(v)}, "round", "int", "float", "min", "max"): // kept on the scale
		return b.kept(v, p, depth)
	}
	return v.Is("identifier") && b.stands(v, p, depth+1)
}

// ofOpinion reports whether a function of the program is given nothing but what is one
// judge's, and gives a score of it.
func (b *bench) ofOpinion(v code.Node, p persona, depth int) bool {
	args := v.Field("arguments")
	c := b.p.Call(v)
	return c != nil && c.Callee.Def != nil && c.Callee.Def.IsFunction() && args.Child(0).Valid() && !args.Child(1).Valid() &&
		b.results(c.Callee.Def)&judged != 0 && b.takes(args.Child(0), p, depth)
}

// kept reports whether the one argument of a call that is no number is one judge's.
func (b *bench) kept(v code.Node, p persona, depth int) bool {
	some := false
	for a := range v.Field("arguments").Children() {
		x, number := b.number(a)
		if number && x <= highestCap && last(v) == "min" {
			return false // a limit of its own
		}
		if !number {
			if some || !b.takes(a, p, depth) {
				return false
			}
			some = true
		}
	}
	return some
}

// lookedUp reports whether a value is found by a judge's name.
func lookedUp(v code.Node, p persona) bool {
	byName := false
	for x := range v.Walk() {
		if x.Is("binary_operator") {
			return false
		}
		text, ok := x.Literal()
		byName = byName || ok && who(split(text)) == p
	}
	return byName
}
