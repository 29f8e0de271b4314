package syntax

import "strings"

// classLike writes a struct, union, enum, trait, alias or impl.
func (r *rustFile) classLike(role string, attributes []piece, p piece) {
	detail := strings.TrimSuffix(p.kind(), "_item")
	name := p.get("name").text()
	body := p.get("body")
	r.head("class", role, attributes, p)
	switch p.kind() {
	case "impl_item":
		name = implName(p.get("type"))
		r.flagged(p, "unsafe", Unsafe)
		if of := p.get("trait"); of.valid() {
			r.typed("of", of)
		}
	case "trait_item":
		r.flagged(p, "unsafe", Unsafe)
		r.bounds(p.get("bounds"))
	case "type_item", "associated_type":
		detail = "alias"
		r.bounds(p.get("bounds"))
		if t := p.get("type"); t.valid() {
			r.typed("base", t)
		} else {
			r.flag(Abstract)
		}
	}
	r.name(name)
	r.detail(detail)
	open := r.top().flags&Exported != 0
	switch {
	case body.is("field_declaration_list"):
		r.fields(body)
	case body.is("ordered_field_declaration_list"):
		r.ordered(body)
	case body.is("enum_variant_list"):
		r.variants(body, open)
	case body.valid():
		r.within(rustOwner{kind: detail, name: name, open: open && detail == "trait"}, "member", body)
	}
	r.end()
}

func (r *rustFile) flagged(p piece, word string, f Flags) {
	if p.has(word) {
		r.flag(f)
	}
}

// implName is what an impl is for: the name without what it is applied to.
func implName(t piece) string {
	if t.is("type_identifier", "generic_type", "scoped_type_identifier") {
		return plainType(t.text())
	}
	return typeName(t.text())
}

// bounds writes the traits that are asked for as bases.
func (r *rustFile) bounds(p piece) {
	for c := range p.parts() {
		if !c.is("lifetime") {
			r.typed("base", c)
		}
	}
}

func (r *rustFile) fields(p piece) {
	r.members(p, func(c piece, attributes []piece) {
		name := c.get("name")
		r.head("assign", "member", attributes, c)
		r.name(name.text())
		r.flag(Declare | Field)
		r.leaf("name", "target", name.text(), name.from(), name.to())
		r.typed("type", c.get("type"))
		r.end()
	})
}

// members hands over what stands in a list, with the attributes in front of it.
func (r *rustFile) members(p piece, write func(c piece, attributes []piece)) {
	var attributes []piece
	for c := range p.parts() {
		switch {
		case c.is("attribute_item"):
			attributes = append(attributes, c)
			continue
		case c.broken():
			r.salvage("member", c, r.node, rustSound)
		default:
			write(c, attributes)
		}
		attributes = nil
	}
}

// ordered writes the fields of a tuple struct, which are called by their numbers.
func (r *rustFile) ordered(p piece) {
	var attributes []piece
	count, public := 0, false
	for c := range p.parts() {
		switch {
		case c.is("attribute_item"):
			attributes = append(attributes, c)
			continue
		case c.is("visibility_modifier"):
			public = c.text() == "pub"
			continue
		case c.broken():
			r.salvage("member", c, r.node, rustSound)
		default:
			r.head("assign", "member", attributes, c)
			r.name(digits(count))
			r.flag(Declare | Field)
			if public {
				r.flag(Exported)
			}
			r.typed("type", c)
			r.end()
			count++
		}
		attributes, public = nil, false
	}
}

// variants writes the variants of an enum; what they hold is their type.
func (r *rustFile) variants(p piece, open bool) {
	r.members(p, func(c piece, attributes []piece) {
		name := c.get("name")
		r.head("assign", "member", attributes, c)
		r.name(name.text())
		r.flag(Declare | Field | Constant | Static)
		if open {
			r.flag(Exported)
		}
		r.leaf("name", "target", name.text(), name.from(), name.to())
		r.typed("type", c.get("body"))
		r.node("value", c.get("value"))
		r.end()
	})
}
