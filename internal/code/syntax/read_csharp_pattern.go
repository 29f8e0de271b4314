package syntax

import "slices"

// test writes "subject is pattern" as the comparisons that it is made of, where
// the subject may be written again, or as a test against a whole pattern.
func (c *csharpFile) test(role string, subject, pattern, over piece) {
	if both, not := joint(pattern); both.valid() {
		c.jointly(role, subject, both, over, not)
		return
	}
	switch pattern.kind() {
	case "parenthesized_pattern":
		c.test(role, subject, pattern.part(), over)
		return
	case "negated_pattern":
		c.over("unary", role, over)
		c.detail("!")
		c.test("value", subject, pattern.part(), over)
		c.end()
		return
	case "and_pattern", "or_pattern":
		if subject.is("identifier", "this") {
			c.over("binary", role, over)
			c.detail(map[string]string{"and_pattern": "&&", "or_pattern": "||"}[pattern.kind()])
			c.test("left", subject, pattern.get("left"), over)
			c.test("right", subject, pattern.get("right"), over)
			c.end()
			return
		}
	}
	op, right := "instanceof", piece{}
	switch inner := pattern.part(); {
	case pattern.is("relational_pattern"):
		op, right = sign(pattern), inner
	case pattern.is("constant_pattern") && !inner.is("identifier", "generic_name", "qualified_name", "member_access_expression", "tuple_expression"):
		op, right = "==", inner
	}
	c.over("binary", role, over)
	c.detail(op)
	c.node("left", subject)
	if right.valid() {
		c.node("right", right)
	} else {
		c.pattern("right", pattern, true)
	}
	c.end()
}

// joint is what the grammar takes for the constant of a pattern where it is more
// than that: "x is not null && y" is read as "x is not (null && y)".
func joint(pattern piece) (both piece, not bool) {
	for pattern.is("negated_pattern") {
		pattern, not = pattern.part(), !not
	}
	if both = pattern.part("binary_expression"); !pattern.is("constant_pattern") || !both.valid() || both.get("operator").text() != "&&" && both.get("operator").text() != "||" {
		return piece{}, false
	}
	return both, not
}

// jointly writes such a test as it is meant.
func (c *csharpFile) jointly(role string, subject, both, over piece, not bool) {
	c.over("binary", role, over)
	c.detail(both.get("operator").text())
	switch left := both.get("left"); {
	case left.is("binary_expression") && (left.get("operator").text() == "&&" || left.get("operator").text() == "||"):
		c.jointly("left", subject, left, over, not)
	case not:
		c.over("unary", "left", over)
		c.detail("!")
		c.against("value", subject, left, over)
		c.end()
	default:
		c.against("left", subject, left, over)
	}
	c.node("right", both.get("right"))
	c.end()
}

// against writes a test against a constant, or against the type of that name.
func (c *csharpFile) against(role string, subject, value, over piece) {
	c.over("binary", role, over)
	if c.node("left", subject); value.is("identifier", "generic_name", "qualified_name", "member_access_expression", "tuple_expression") {
		c.detail("instanceof")
		c.pattern("right", value, true)
	} else {
		c.detail("==")
		c.node("right", value)
	}
	c.end()
}

// choice writes a switch that has a value. One that no arm fits throws.
func (c *csharpFile) choice(role string, p piece) {
	c.over("switch", role, p)
	c.detail("switch")
	other, subject := false, p.part()
	for x := range p.all() {
		if !c.value(x) {
			continue
		}
		if !x.is("switch_expression_arm") {
			c.node("subject", x)
			continue
		}
		if v := x.part("var_pattern"); v.get("name").valid() && !x.part("when_clause").valid() {
			other = true
			c.rest(x, v, subject)
			continue
		}
		c.over("case", "case", x)
		parts := slices.Collect(x.all())
		parts = slices.DeleteFunc(parts, func(y piece) bool { return !c.value(y) })
		for i, y := range parts {
			switch {
			case i == 0 && y.is("discard") && !x.part("when_clause").valid():
				other = true
			case i == 0:
				c.alternatives("match", y)
			case y.is("when_clause"):
				c.nodes("cond", y)
			default:
				c.node("body", y)
			}
		}
		c.end()
	}
	if !other {
		c.begin("case", "case", p.to(), p.to())
		c.begin("throw", "body", p.to(), p.to())
		c.begin("call", "value", p.to(), p.to())
		c.flag(New)
		c.leaf("name", "callee", "SwitchExpressionException", p.to(), p.to())
		c.end()
		c.end()
		c.end()
	}
	c.end()
}

// rest writes the arm that is met by all that is left, and gives it a name.
func (c *csharpFile) rest(p, pattern, subject piece) {
	c.over("case", "case", p)
	c.over("block", "body", p)
	c.over("assign", "", pattern)
	c.name(unmarked(pattern.get("name")))
	c.detail("=")
	c.flag(Declare)
	c.target(pattern.get("name"))
	if subject.is("identifier") {
		c.leaf("name", "value", unmarked(subject), pattern.to(), pattern.to())
	}
	c.end()
	c.last("value", p)
	c.end()
	c.end()
}

// alternatives writes the patterns that "or" stands between, each by itself.
func (c *csharpFile) alternatives(role string, p piece) {
	switch {
	case p.is("parenthesized_pattern"):
		c.alternatives(role, p.part())
	case p.is("or_pattern"):
		c.alternatives(role, p.get("left"))
		c.alternatives(role, p.get("right"))
	default:
		c.pattern(role, p, true)
	}
}

// pattern writes a pattern in the words of patterns. A name in it is a constant:
// inside of another pattern it is written as what is compared with, since names
// there are those that a pattern declares.
func (c *csharpFile) pattern(role string, p piece, top bool) {
	switch p.kind() {
	case "":
	case "parenthesized_pattern":
		c.pattern(role, p.part(), top)
	case "constant_pattern":
		c.pattern(role, p.part(), top)
	case "type_pattern":
		c.typed(role, p.get("type"))
	case "declaration_pattern", "var_pattern", "declaration_expression":
		c.designated(role, p, p.get("type"))
	case "recursive_pattern":
		c.recursive(role, p)
	case "list_pattern", "tuple_expression", "element_binding_expression":
		c.over("list", role, p)
		for x := range p.all() {
			if x.is("..") {
				c.over("unary", "", x)
				c.detail("...")
				c.end()
			} else if c.value(x) {
				c.pattern("", x, false)
			}
		}
		c.end()
	case "argument":
		c.pattern(role, p.part(), top)
	case "invocation_expression": // a call is no constant
		c.over("record", role, p)
		c.typed("type", p.get("function"))
		for x := range p.get("arguments").parts() {
			c.subpattern(x)
		}
		c.end()
	case "range_expression": // of a list: what is left over
		c.over("unary", role, p)
		c.detail("...")
		c.end()
	case "and_pattern": // both are tried with the same value
		c.over("binary", role, p)
		c.detail("@")
		c.pattern("left", p.get("left"), false)
		c.pattern("right", p.get("right"), false)
		c.end()
	case "or_pattern", "negated_pattern":
		c.over("other", role, p)
		c.detail(p.kind())
		for x := range p.parts() {
			c.pattern("", x, false)
		}
		c.end()
	case "relational_pattern":
		c.over("binary", role, p)
		c.detail(sign(p))
		c.nodes("right", p)
		c.end()
	case "discard":
		c.leaf("name", role, "_", p.from(), p.to())
	default:
		c.constant(role, p, top)
	}
}

func (c *csharpFile) constant(role string, p piece, top bool) {
	if top || p.text() == "_" || p.is("string_literal", "integer_literal", "real_literal", "boolean_literal", "null_literal", "character_literal") {
		c.node(role, p)
		return
	}
	c.over("binary", role, p)
	c.detail("==")
	c.node("right", p)
	c.end()
}

// designated writes the variables that a pattern declares.
func (c *csharpFile) designated(role string, p, typ piece) {
	if list := p.part("parenthesized_variable_designation"); list.valid() {
		c.tuplePattern(role, list)
		return
	}
	if name := p.get("name"); name.valid() {
		c.binding(role, p, typ, name)
		return
	}
	if typ.valid() {
		c.typed(role, typ)
		return
	}
	c.leaf("name", role, "_", p.from(), p.to())
}

// recursive writes a pattern that looks into a value, with the name that it may
// give to the whole.
func (c *csharpFile) recursive(role string, p piece) {
	name := p.get("name")
	if name.valid() {
		c.over("binary", role, p)
		c.detail("@")
		c.begin("assign", "left", p.from(), p.to())
		c.name(unmarked(name))
		c.flag(Declare)
		c.typed("type", p.get("type"))
		c.target(name)
		c.end()
		role = "right"
	}
	c.over("record", role, p)
	c.typed("type", p.get("type"))
	for list := range p.parts() {
		if !list.is("positional_pattern_clause", "property_pattern_clause") {
			continue
		}
		for x := range list.parts() {
			c.subpattern(x)
		}
	}
	c.end()
	if name.valid() {
		c.end()
	}
}

func (c *csharpFile) subpattern(p piece) {
	parts := slices.Collect(p.parts())
	if len(parts) < 2 {
		c.pattern("", p.part(), false)
		return
	}
	c.over("entry", "", p)
	c.name(solid(parts[0].text()))
	c.pattern("value", parts[1], false)
	c.end()
}
