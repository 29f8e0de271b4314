package syntax

import "slices"

func (c *csharpFile) statement(role string, p piece) bool {
	switch p.kind() {
	case "block":
		c.block(role, p)
	case "expression_statement", "checked_statement":
		c.nodes(role, p)
	case "empty_statement":
		if role != "" && role != "member" {
			c.over("block", role, p)
			c.end()
		}
	case "local_declaration_statement":
		c.variables(role, p, p.part("variable_declaration"), 0)
	case "variable_declaration":
		c.variables(role, p, p, 0)
	case "labeled_statement":
		c.last(role, p)
	case "if_statement":
		c.over("if", role, p)
		c.node("cond", p.get("condition"))
		c.node("then", p.get("consequence"))
		c.node("else", p.get("alternative"))
		c.end()
	case "while_statement", "do_statement", "for_statement", "foreach_statement":
		c.loop(role, p)
	case "switch_statement":
		c.selection(role, p)
	case "try_statement":
		c.try(role, p)
	case "using_statement":
		c.resources(role, p)
	case "lock_statement": // as Java's
		c.over("other", role, p)
		c.detail("synchronized_statement")
		c.nodes("", p)
		c.end()
	case "fixed_statement", "unsafe_statement":
		c.over("block", role, p)
		c.flag(Unsafe)
		c.nodes("", p)
		c.end()
	case "return_statement":
		c.leave("return", role, p)
	case "throw_statement", "throw_expression":
		c.leave("throw", role, p)
	case "break_statement":
		c.leave("break", role, p)
	case "continue_statement":
		c.leave("continue", role, p)
	case "yield_statement":
		c.yield(role, p)
	case "goto_statement": // a label is no value
		c.over("other", role, p)
		c.detail(p.kind())
		if p.has("case") {
			c.nodes("", p)
		}
		c.end()
	default:
		return false
	}
	return true
}

// leave writes a statement that leaves something, with its value.
func (c *csharpFile) leave(kind Kind, role string, p piece) {
	c.over(kind, role, p)
	c.nodes("value", p)
	c.end()
}

func (c *csharpFile) yield(role string, p piece) {
	if p.has("break") {
		c.over("return", role, p)
		c.end()
		return
	}
	c.over("unary", role, p)
	c.detail("yield")
	c.nodes("value", p)
	c.end()
}

func (c *csharpFile) block(role string, p piece) {
	c.over("block", role, p)
	c.statements("", p, p.to())
	c.end()
}

// statements writes the statements of a block, which ends at to. What a using
// declaration opens is closed at the end of its block: the rest of it is the
// body of a try with a resource.
func (c *csharpFile) statements(role string, p piece, to int) {
	open := 0
	for x := range p.all() {
		s := x
		if s.is("global_statement") {
			s = s.part()
		} else if open > 0 && p.is("compilation_unit") { // types follow the program
			c.close(&open)
		}
		switch {
		case !c.value(x):
		case s.is("local_declaration_statement") && s.has("using"):
			c.begin("try", role, s.from(), to)
			c.variables("resource", s, s.part("variable_declaration"), 0)
			c.begin("block", "body", s.to(), to)
			role = ""
			open += 2
		default:
			c.node(role, x)
		}
	}
	c.close(&open)
}

// close ends so many nodes.
func (c *csharpFile) close(open *int) {
	for ; *open > 0; *open-- {
		c.end()
	}
}

func (c *csharpFile) loop(role string, p piece) {
	c.over("loop", role, p)
	switch p.kind() {
	case "do_statement":
		c.detail("do")
		c.node("body", p.get("body"))
		c.node("cond", p.get("condition"))
		c.end()
		return
	case "while_statement":
		c.detail("while")
	case "for_statement":
		c.detail("for")
	default:
		c.detail("each")
		if p.has("await") {
			c.flag(Async)
		}
		c.typed("type", p.get("type"))
		c.node("target", p.get("left"))
		c.node("over", p.get("right"))
	}
	for x := range p.all() {
		if part := map[string]string{"initializer": "init", "condition": "cond", "update": "step"}[x.field()]; part != "" && c.value(x) {
			c.node(part, x)
		}
	}
	c.node("body", p.get("body"))
	c.end()
}

// selection writes a switch statement. Labels that stand together share a body;
// a default among them is met where none of the others is.
func (c *csharpFile) selection(role string, p piece) {
	c.over("switch", role, p)
	c.detail("switch")
	c.node("subject", p.get("value"))
	var labels []piece
	for s := range p.get("body").parts() {
		if !s.is("switch_section") {
			c.node("case", s)
			continue
		}
		if labels = append(labels, s); s.part("block").valid() || slices.ContainsFunc(slices.Collect(s.parts()), isStatement) {
			c.section(labels)
			labels = nil
		}
	}
	if len(labels) > 0 {
		c.section(labels)
	}
	c.end()
}

func isStatement(p piece) bool { return csharpSound(p.kind()) || p.is("block", "preproc_if") }

func (c *csharpFile) section(labels []piece) {
	last := labels[len(labels)-1]
	var body, guards []piece
	c.begin("case", "case", labels[0].from(), last.to())
	other := slices.ContainsFunc(labels, func(l piece) bool { return l.has("default") })
	for _, l := range labels {
		for x := range l.all() {
			switch {
			case !c.value(x):
			case isStatement(x):
				body = append(body, x)
			case other: // the default is reached wherever this label is
				c.over("other", "", x)
				c.detail("switch_label")
				c.nodes("", x)
				c.end()
			case x.is("when_clause"):
				guards = append(guards, x)
			default:
				c.alternatives("match", x)
			}
		}
	}
	c.guard(guards, len(labels) > 1)
	from := last.to()
	if len(body) > 0 {
		from = body[0].from()
	}
	c.begin("block", "body", from, last.to())
	for _, s := range body {
		c.node("", s)
	}
	c.end()
	c.end()
}

// guard writes the condition of a case. Of several labels each has its own: what
// holds for all of them is not known.
func (c *csharpFile) guard(guards []piece, several bool) {
	if len(guards) == 0 {
		return
	}
	if !several {
		c.nodes("cond", guards[0])
		return
	}
	c.begin("other", "cond", guards[0].from(), guards[len(guards)-1].to())
	c.detail("when_clause")
	for _, g := range guards {
		c.nodes("", g)
	}
	c.end()
}

func (c *csharpFile) try(role string, p piece) {
	c.over("try", role, p)
	c.node("body", p.get("body"))
	for x := range p.parts() {
		switch {
		case x.is("catch_clause"):
			c.handler(x)
		case x.is("finally_clause"):
			c.node("finally", x.part("block"))
		case x.broken():
			c.salvage("", x, c.node, csharpSound)
		}
	}
	c.end()
}

// handler writes a catch. Where it has a condition its body is what is done if
// that holds; else the exception goes on.
func (c *csharpFile) handler(p piece) {
	head, filter, body := p.part("catch_declaration"), p.part("catch_filter_clause"), p.get("body")
	c.over("catch", "catch", p)
	c.typed("type", head.get("type"))
	if name := head.get("name"); name.valid() {
		c.target(name)
	}
	if !filter.valid() {
		c.node("body", body)
		c.end()
		return
	}
	c.begin("block", "body", filter.from(), p.to())
	c.begin("if", "", filter.from(), p.to())
	c.nodes("cond", filter)
	c.node("then", body)
	c.begin("block", "else", p.to(), p.to())
	c.begin("throw", "", p.to(), p.to())
	c.end()
	c.end()
	c.end()
	c.end()
	c.end()
}

func (c *csharpFile) resources(role string, p piece) {
	body := p.get("body")
	c.over("try", role, p)
	for x := range p.all() {
		if c.value(x) && x.i != body.i {
			c.node("resource", x)
		}
	}
	c.node("body", body)
	c.end()
}
