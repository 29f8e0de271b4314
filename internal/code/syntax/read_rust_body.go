package syntax

import "slices"

func (r *rustFile) control(role string, p piece) bool {
	switch p.kind() {
	case "expression_statement":
		r.list(role, p)
	case "block", "declaration_list":
		r.block(role, p, 0)
	case "unsafe_block":
		r.block(role, p.part("block"), Unsafe)
	case "async_block":
		r.block(role, p.part("block"), Async)
	case "const_block":
		r.block(role, p.get("body"), 0)
	case "if_expression":
		r.over("if", role, p)
		r.node("cond", p.get("condition"))
		r.node("then", p.get("consequence"))
		r.node("else", p.get("alternative"))
		r.end()
	case "else_clause", "parenthesized_expression":
		r.list(role, p)
	case "let_condition":
		r.over("assign", role, p)
		r.detail("=")
		r.flag(Declare)
		r.bound("target", p.get("pattern"))
		r.node("value", p.get("value"))
		r.end()
	case "let_chain":
		r.chain(role, slices.Collect(p.parts()))
	case "match_expression":
		r.match(role, p)
	case "while_expression", "loop_expression", "for_expression":
		r.loop(role, p)
	case "return_expression":
		r.leave("return", role, p)
	case "break_expression":
		r.leave("break", role, p)
	case "continue_expression":
		r.leave("continue", role, p)
	case "closure_expression":
		r.closure(role, p)
	default:
		return false
	}
	return true
}

// block writes statements; the last one, when it is what the block gives, has
// the role "value".
func (r *rustFile) block(role string, p piece, flags Flags) {
	r.over("block", role, p)
	r.flag(flags)
	var attributes []piece
	list := slices.Collect(p.parts())
	for i, c := range list {
		switch {
		case c.is("attribute_item"):
			attributes = append(attributes, c)
			continue
		case c.is("label", "empty_statement"):
		case i == len(list)-1 && isValue(c):
			r.item("value", attributes, c)
		default:
			r.item("", attributes, c)
		}
		attributes = nil
	}
	r.loose(attributes)
	r.end()
}

// isValue tells the expression at the end of a block, which no semicolon ends.
func isValue(p piece) bool {
	if p.is("expression_statement") {
		return !p.has(";") && isValue(p.part())
	}
	return !p.broken() && !p.is("while_expression", "for_expression", "let_declaration", "use_declaration", "macro_definition", "inner_attribute_item", "associated_type") && !rustSound(p.kind())
}

// chain writes conditions that are joined by "&&" and hold a let.
func (r *rustFile) chain(role string, list []piece) {
	if len(list) == 0 {
		return
	}
	if len(list) == 1 {
		r.node(role, list[0])
		return
	}
	r.begin("binary", role, list[0].from(), list[len(list)-1].to())
	r.detail("&&")
	r.node("left", list[0])
	r.chain("right", list[1:])
	r.end()
}

func (r *rustFile) match(role string, p piece) {
	r.over("switch", role, p)
	r.detail("match")
	r.node("subject", p.get("value"))
	for arm := range p.get("body").parts() {
		if !arm.is("match_arm") {
			r.node("case", arm)
			continue
		}
		r.over("case", "case", arm)
		pattern := arm.get("pattern")
		for c := range pattern.parts("") {
			r.alternatives(c)
		}
		r.node("cond", pattern.get("condition"))
		r.node("body", arm.get("value"))
		r.end()
	}
	r.end()
}

// alternatives writes each pattern of a | b | c.
func (r *rustFile) alternatives(p piece) {
	if !p.is("or_pattern") {
		r.node("match", p)
		return
	}
	for c := range p.parts() {
		r.alternatives(c)
	}
}

func (r *rustFile) loop(role string, p piece) {
	r.over("loop", role, p)
	switch p.kind() {
	case "while_expression":
		r.detail("while")
		r.node("cond", p.get("condition"))
	case "loop_expression":
		r.detail("loop")
	default:
		r.detail("each")
		r.node("target", p.get("pattern"))
		r.node("over", p.get("value"))
	}
	r.node("body", p.get("body"))
	r.end()
}

func (r *rustFile) leave(kind Kind, role string, p piece) {
	r.over(kind, role, p)
	r.list("value", p)
	r.end()
}

func (r *rustFile) closure(role string, p piece) {
	r.over("func", role, p)
	r.flag(Lambda)
	r.flagged(p, "async", Async)
	for c := range p.get("parameters").all() {
		switch {
		case c.is("parameter"):
			r.parameter(nil, c)
		case c.is("|", ","):
		default:
			r.over("param", "param", c)
			r.bound("pattern", c)
			r.end()
		}
	}
	r.typed("result", p.get("return_type"))
	if body := p.get("body"); body.named() {
		r.node("body", body)
	}
	r.end()
}
