package syntax

import "slices"

func (r *rustFile) expression(role string, p piece) bool {
	switch p.kind() {
	case "identifier", "self", "super", "crate", "metavariable", "type_identifier", "field_identifier", "shorthand_field_identifier", "primitive_type":
		r.leaf("name", role, p.text(), p.from(), p.to())
	case "string_literal", "raw_string_literal", "char_literal":
		r.leaf("string", role, rustString(p.text()), p.from(), p.to())
	case "boolean_literal":
		r.leaf("bool", role, p.text(), p.from(), p.to())
	case "integer_literal", "float_literal":
		r.leaf("number", role, p.text(), p.from(), p.to())
	case "scoped_identifier", "scoped_type_identifier":
		r.path(role, p)
	case "generic_function":
		r.node(role, p.get("function"))
	case "generic_type", "generic_type_with_turbofish":
		r.node(role, p.get("type"))
	case "field_expression":
		r.over("member", role, p)
		r.name(p.get("field").text())
		r.node("object", p.get("value"))
		r.end()
	case "call_expression":
		r.over("call", role, p)
		r.node("callee", p.get("function"))
		r.arguments(p.get("arguments"))
		r.end()
	case "macro_invocation":
		r.macro(role, p)
	case "try_expression":
		r.wrap(role, p, "?")
	case "await_expression":
		r.wrap(role, p, "await")
	case "reference_expression":
		r.over("unary", role, p)
		r.detail("&")
		r.node("value", p.get("value"))
		r.end()
	case "unary_expression", "negative_literal":
		r.wrap(role, p, sign(p))
	case "binary_expression":
		r.over("binary", role, p)
		r.detail(p.get("operator").text())
		r.node("left", p.get("left"))
		r.node("right", p.get("right"))
		r.end()
	case "assignment_expression", "compound_assignment_expr":
		r.over("assign", role, p)
		r.detail("=")
		if o := p.get("operator"); o.valid() {
			r.detail(o.text())
		}
		r.node("target", p.get("left"))
		r.node("value", p.get("right"))
		r.end()
	default:
		return false
	}
	return true
}

// wrap writes a sign around a value.
func (r *rustFile) wrap(role string, p piece, detail string) {
	r.over("unary", role, p)
	r.detail(detail)
	r.list("value", p)
	r.end()
}

func (r *rustFile) rarer(role string, p piece) bool {
	switch p.kind() {
	case "type_cast_expression":
		r.over("cast", role, p)
		r.node("value", p.get("value"))
		r.typed("type", p.get("type"))
		r.end()
	case "range_expression":
		r.span(role, p)
	case "index_expression":
		list := slices.Collect(p.parts())
		r.over("index", role, p)
		for i, c := range list {
			r.node([]string{"object", "index"}[min(i, 1)], c)
		}
		r.end()
	case "array_expression":
		r.array(role, p, 0)
	case "tuple_expression", "unit_expression":
		r.over("list", role, p)
		r.list("", p)
		r.end()
	case "struct_expression":
		r.over("record", role, p)
		r.typed("type", p.get("name"))
		for c := range p.get("body").parts() {
			r.entry(c)
		}
		r.end()
	case "try_block":
		r.over("other", role, p)
		r.detail(p.kind())
		r.node("body", p.part("block"))
		r.end()
	case "bracketed_type", "qualified_type", "reference_type", "pointer_type", "tuple_type", "unit_type", "array_type",
		"function_type", "never_type", "dynamic_type", "abstract_type", "bounded_type", "removed_trait_bound":
		r.typed(role, p)
	default:
		return false
	}
	return true
}

// path writes a::b::c as c of b of a.
func (r *rustFile) path(role string, p piece) {
	name, of := p.get("name"), p.get("path")
	if !of.valid() {
		r.leaf("name", role, name.text(), p.from(), p.to())
		return
	}
	r.over("member", role, p)
	r.name(name.text())
	r.node("object", of)
	r.end()
}

func (r *rustFile) arguments(p piece) {
	for c := range p.parts() {
		r.argument(c)
	}
}

// argument writes what is handed to a call. "name = value" only makes sense in
// attributes and macros, where it names the argument.
func (r *rustFile) argument(p piece) {
	left := p.get("left")
	switch {
	case p.is("attribute_item"):
	case p.is("assignment_expression") && left.is("identifier"):
		r.over("entry", "arg", p)
		r.name(left.text())
		r.flag(Keyword)
		r.node("value", p.get("right"))
		r.end()
	default:
		r.node("arg", p)
	}
}

// array writes [a, b], and [x; n] with n as its index.
func (r *rustFile) array(role string, p piece, flags Flags) {
	length := p.get("length")
	r.over("list", role, p)
	r.flag(flags)
	for c := range p.parts() {
		switch {
		case c.is("attribute_item"):
		case c == length:
			r.node("index", c)
		default:
			r.node("", c)
		}
	}
	r.end()
}

// span writes a range: a..b, ..b, a.. and the ones that include their end.
func (r *rustFile) span(role string, p piece) {
	r.over("binary", role, p)
	side := "left"
	for c := range p.all() {
		switch {
		case !c.named():
			r.detail(c.text())
			side = "right"
		default:
			r.node(side, c)
		}
	}
	r.end()
}

// entry writes a field of a struct literal or pattern.
func (r *rustFile) entry(p piece) {
	switch p.kind() {
	case "field_initializer":
		r.field(p, p.get("field"), p.get("value"))
	case "field_pattern":
		r.field(p, p.get("name"), p.get("pattern"))
	case "shorthand_field_initializer":
		r.field(p, p.part("identifier"), piece{})
	case "base_field_initializer", "remaining_field_pattern":
		r.wrap("", p, "...")
	default:
		r.node("", p)
	}
}

// field writes an entry; without a value the name is its own value.
func (r *rustFile) field(p, name, value piece) {
	r.over("entry", "", p)
	r.name(name.text())
	if !value.valid() {
		value = name
	}
	r.node("value", value)
	r.end()
}

func (r *rustFile) pattern(role string, p piece) bool {
	switch p.kind() {
	case "_":
		r.leaf("name", role, "_", p.from(), p.to())
	case "mut_pattern", "ref_pattern":
		r.list(role, p)
	case "generic_pattern":
		r.node(role, p.part())
	case "reference_pattern":
		r.wrap(role, p, "&")
	case "tuple_pattern", "slice_pattern":
		r.over("list", role, p)
		r.positions(p, piece{})
		r.end()
	case "tuple_struct_pattern":
		r.over("record", role, p)
		r.typed("type", p.get("type"))
		r.positions(p, p.get("type"))
		r.end()
	case "struct_pattern":
		r.over("record", role, p)
		r.typed("type", p.get("type"))
		for c := range p.parts("") {
			r.entry(c)
		}
		r.end()
	case "remaining_field_pattern":
		r.over("unary", role, p)
		r.detail("...")
		r.end()
	case "or_pattern", "captured_pattern":
		r.either(role, p)
	case "range_pattern":
		r.span(role, p)
	default:
		return false
	}
	return true
}

// positions writes what a pattern holds by position, "_" also.
func (r *rustFile) positions(p, but piece) {
	for c := range p.all() {
		if c != but && (c.named() || c.is("_")) {
			r.node("", c)
		}
	}
}

// either writes a | b, and a @ b.
func (r *rustFile) either(role string, p piece) {
	r.over("binary", role, p)
	r.detail("|")
	if p.is("captured_pattern") {
		r.detail("@")
	}
	side := "left"
	for c := range p.all() {
		if c.named() || c.is("_") {
			r.node(side, c)
			side = "right"
		}
	}
	r.end()
}
