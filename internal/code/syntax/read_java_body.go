package syntax

import "slices"

func (j *javaFile) statement(role string, p piece) bool {
	switch p.kind() {
	case "block", "constructor_body":
		j.block(role, p)
	case "expression_statement":
		j.nodes(role, p)
	case "labeled_statement":
		for i, c := range slices.Collect(p.parts()) {
			if i > 0 {
				j.node(role, c)
			}
		}
	case "if_statement":
		j.over("if", role, p)
		j.node("cond", p.get("condition"))
		j.node("then", p.get("consequence"))
		j.node("else", p.get("alternative"))
		j.end()
	case "while_statement", "do_statement", "for_statement", "enhanced_for_statement":
		j.loop(role, p)
	case "switch_expression":
		j.selection(role, p)
	case "try_statement", "try_with_resources_statement":
		j.try(role, p)
	case "return_statement":
		j.leave("return", role, p)
	case "throw_statement":
		j.leave("throw", role, p)
	case "yield_statement":
		j.leave("break", role, p)
	case "break_statement", "continue_statement": // a label is no value
		kind := Kind("continue")
		if p.is("break_statement") {
			kind = "break"
		}
		j.over(kind, role, p)
		j.end()
	case "explicit_constructor_invocation":
		j.delegation(role, p)
	default:
		return false
	}
	return true
}

// leave writes a statement that leaves something, with its value.
func (j *javaFile) leave(kind Kind, role string, p piece) {
	j.over(kind, role, p)
	j.nodes("value", p)
	j.end()
}

func (j *javaFile) loop(role string, p piece) {
	j.over("loop", role, p)
	switch p.kind() {
	case "do_statement":
		j.detail("do")
		j.node("body", p.get("body"))
		j.node("cond", p.get("condition"))
		j.end()
		return
	case "while_statement":
		j.detail("while")
	case "for_statement":
		j.detail("for")
	default:
		j.detail("each")
		name := p.get("name")
		j.typed("type", p.get("type"), p.get("dimensions").text())
		j.leaf("name", "target", name.text(), name.from(), name.to())
		j.node("over", p.get("value"))
	}
	for c := range p.parts("init", "condition", "update") {
		j.node(map[string]string{"init": "init", "condition": "cond", "update": "step"}[c.field()], c)
	}
	j.node("body", p.get("body"))
	j.end()
}

// selection writes a switch, a statement or an expression.
func (j *javaFile) selection(role string, p piece) {
	j.over("switch", role, p)
	j.detail("switch")
	j.node("subject", p.get("condition"))
	for c := range p.get("body").parts() {
		switch c.kind() {
		case "switch_rule":
			j.rule(c)
		case "switch_block_statement_group":
			j.group(c)
		default:
			j.node("case", c)
		}
	}
	j.end()
}

// rule writes "case X -> body".
func (j *javaFile) rule(p piece) {
	j.over("case", "case", p)
	for c := range p.parts() {
		if c.is("switch_label") {
			j.label(c)
		} else {
			j.node("body", c)
		}
	}
	j.end()
}

// group writes "case X: case Y: body". A default among the labels is a case of
// its own, so that one without matches always is the default.
func (j *javaFile) group(p piece) {
	var labels, body []piece
	for c := range p.parts() {
		if c.is("switch_label") {
			labels = append(labels, c)
		} else {
			body = append(body, c)
		}
	}
	mixed := len(labels) > 1 && slices.ContainsFunc(labels, func(l piece) bool { return l.has("default") })
	j.begin("case", "case", p.from(), p.to())
	for i, l := range labels {
		if i > 0 && mixed {
			j.top().to = uint32(labels[i-1].to())
			j.end()
			j.begin("case", "case", l.from(), p.to())
		}
		j.label(l)
	}
	from := p.to()
	if len(body) > 0 {
		from = body[0].from()
	}
	j.begin("block", "body", from, p.to())
	for _, c := range body {
		j.node("", c)
	}
	j.end()
	j.end()
}

func (j *javaFile) label(p piece) {
	for c := range p.parts() {
		if c.is("guard") {
			j.nodes("cond", c)
		} else {
			j.node("match", c)
		}
	}
}

func (j *javaFile) try(role string, p piece) {
	j.over("try", role, p)
	for r := range p.get("resources").parts() {
		if r.get("name").valid() {
			j.resource(r)
		} else {
			j.nodes("resource", r)
		}
	}
	j.node("body", p.get("body"))
	for c := range p.parts() {
		switch {
		case c.is("catch_clause"):
			j.handler(c)
		case c.is("finally_clause"):
			j.node("finally", c.part("block"))
		case c.broken():
			j.salvage("", c, j.node, javaSound)
		}
	}
	j.end()
}

func (j *javaFile) resource(p piece) {
	name := p.get("name")
	j.over("assign", "resource", p)
	j.name(name.text())
	j.detail("=")
	j.flag(Declare)
	j.decorators(p)
	j.typed("type", p.get("type"), p.get("dimensions").text())
	j.leaf("name", "target", name.text(), name.from(), name.to())
	j.node("value", p.get("value"))
	j.end()
}

func (j *javaFile) handler(p piece) {
	j.over("catch", "catch", p)
	param := p.part("catch_formal_parameter")
	for t := range param.part("catch_type").parts() {
		j.typed("type", t, "")
	}
	if name := param.get("name"); name.valid() {
		j.leaf("name", "target", name.text(), name.from(), name.to())
	}
	j.node("body", p.get("body"))
	j.end()
}

// delegation writes this(...) and super(...).
func (j *javaFile) delegation(role string, p piece) {
	j.over("call", role, p)
	to := p.get("constructor")
	if object := p.get("object"); object.valid() {
		j.begin("member", "callee", object.from(), to.to())
		j.name(to.text())
		j.node("object", object)
		j.end()
	} else {
		j.leaf("name", "callee", to.text(), to.from(), to.to())
	}
	j.arguments(p.get("arguments"))
	j.end()
}
