package syntax

import "slices"

// tokens writes what single tokens tell where nobody knows what they mean:
// literals, names, members of names, and calls. Signs and words are left out.
func (r *rustFile) tokens(role string, p piece) {
	if !p.valid() {
		return
	}
	r.over("other", role, p)
	r.detail("token_tree")
	r.sequence("", p)
	r.end()
}

// tokenNames are the tokens that a path begins with.
var tokenNames = []string{"identifier", "self", "super", "crate", "metavariable", "primitive_type"}

func (r *rustFile) sequence(role string, p piece) {
	list := slices.Collect(p.all())
	for i := 0; i < len(list); i++ {
		c := list[i]
		switch {
		case c.is(tokenNames...):
			links, next := chained(list, i)
			r.link(role, links)
			i = next - 1
		case c.is("token_tree", "token_repetition"):
			r.sequence(role, c)
		case c.is("string_literal", "raw_string_literal", "char_literal", "boolean_literal", "integer_literal", "float_literal"):
			r.node(role, c)
		}
	}
}

// rustLink is one step of a chain of tokens: a name, a member, or a call.
type rustLink struct {
	name  piece // of a name or member
	args  piece // of a call
	macro bool
}

// chained are the links that begin at i, and where the list goes on.
func chained(list []piece, i int) ([]rustLink, int) {
	links := []rustLink{{name: list[i]}}
	i++
	for i < len(list) {
		c := list[i]
		bang := c.is("!") && i+1 < len(list) && list[i+1].is("token_tree")
		switch {
		case c.is(".", "::") && i+1 < len(list) && list[i+1].is("identifier"):
			links = append(links, rustLink{name: list[i+1]})
			i += 2
		case bang:
			links = append(links, rustLink{args: list[i+1], macro: true})
			i += 2
		case c.is("token_tree") && r0(c) == '(' && c.from() == list[i-1].to():
			links = append(links, rustLink{args: c})
			i++
		default:
			return links, i
		}
	}
	return links, i
}

func r0(p piece) byte { return p.g.text[p.from()] }

// link writes a chain from its last link, which is around the others.
func (r *rustFile) link(role string, links []rustLink) {
	last, before := links[len(links)-1], links[:len(links)-1]
	from := links[0].name.from()
	switch {
	case last.args.valid():
		r.begin("call", role, from, last.args.to())
		if last.macro {
			r.flag(Macro)
		}
		r.link("callee", before)
		r.sequence("arg", last.args)
		r.end()
	case len(before) == 0:
		r.leaf("name", role, last.name.text(), from, last.name.to())
	default:
		r.begin("member", role, from, last.name.to())
		r.name(last.name.text())
		r.link("object", before)
		r.end()
	}
}
