package syntax

import "strings"

func (c *csharpFile) expression(role string, p piece) bool {
	switch p.kind() {
	case "identifier", "implicit_parameter", "predefined_type", "this", "discard":
		c.leaf("name", role, unmarked(p), p.from(), p.to())
	case "base":
		c.leaf("name", role, "super", p.from(), p.to())
	case "generic_name":
		name := p.part("identifier")
		c.leaf("name", role, unmarked(name), name.from(), name.to())
	case "parenthesized_expression", "checked_expression":
		c.nodes(role, p)
	case "string_literal", "verbatim_string_literal", "raw_string_literal", "character_literal":
		c.leaf("string", role, csharpText(p), p.from(), p.to())
	case "interpolated_string_expression":
		c.template(role, p)
	case "boolean_literal":
		c.leaf("bool", role, p.text(), p.from(), p.to())
	case "null_literal":
		c.leaf("nil", role, p.text(), p.from(), p.to())
	case "integer_literal", "real_literal":
		c.leaf("number", role, p.text(), p.from(), p.to())
	case "invocation_expression":
		c.call(role, p)
	case "member_access_expression", "qualified_name", "alias_qualified_name", "conditional_access_expression":
		c.member(role, p)
	case "element_access_expression":
		c.over("index", role, p)
		c.node("object", p.get("expression"))
		c.list("index", p.get("subscript"))
		c.end()
	case "assignment_expression":
		c.over("assign", role, p)
		c.detail(p.get("operator").text())
		c.node("target", p.get("left"))
		c.node("value", p.get("right"))
		c.end()
	case "binary_expression":
		c.over("binary", role, p)
		c.detail(p.get("operator").text())
		c.node("left", p.get("left"))
		c.node("right", p.get("right"))
		c.end()
	case "prefix_unary_expression", "postfix_unary_expression", "await_expression", "ref_expression":
		c.unary(role, p)
	case "conditional_expression":
		c.over("ternary", role, p)
		c.node("cond", p.get("condition"))
		c.node("then", p.get("consequence"))
		c.node("else", p.get("alternative"))
		c.end()
	case "lambda_expression", "anonymous_method_expression":
		c.lambda(role, p)
	default:
		return false
	}
	return true
}

func (c *csharpFile) rarer(role string, p piece) bool {
	switch p.kind() {
	case "cast_expression":
		c.over("cast", role, p)
		c.typed("type", p.get("type"))
		c.node("value", p.get("value"))
		c.end()
	case "as_expression": // null where the value is of another type: no mere conversion
		c.over("binary", role, p)
		c.detail("as")
		c.node("left", p.get("left"))
		c.typed("right", p.get("right"))
		c.end()
	case "is_expression":
		c.over("binary", role, p)
		c.detail("instanceof")
		c.node("left", p.get("left"))
		c.typed("right", p.get("right"))
		c.end()
	case "is_pattern_expression":
		c.test(role, p.get("expression"), p.get("pattern"), p)
	case "typeof_expression":
		c.over("member", role, p)
		c.name("class")
		c.detail("::")
		c.named("object", p.get("type"))
		c.end()
	case "object_creation_expression":
		c.creation(role, p, p.get("type"))
	case "implicit_object_creation_expression":
		c.creation(role, p, piece{})
	case "array_creation_expression", "stackalloc_expression":
		c.array(role, p)
	case "implicit_array_creation_expression", "implicit_stackalloc_expression":
		c.node(role, p.part("initializer_expression"))
	case "initializer_expression", "tuple_expression", "element_binding_expression":
		c.over("list", role, p)
		c.list("", p)
		c.end()
	case "anonymous_object_creation_expression":
		c.anonymous(role, p)
	case "with_expression":
		c.with(role, p)
	case "range_expression":
		c.between(role, p)
	case "switch_expression":
		c.choice(role, p)
	case "query_expression":
		c.query(role, p)
	case "argument":
		c.argument(role, p)
	case "declaration_expression":
		c.binding(role, p, p.get("type"), p.get("name"))
	case "tuple_pattern":
		c.tuplePattern(role, p)
	case "array_type", "nullable_type", "pointer_type", "tuple_type", "function_pointer_type", "implicit_type", "ref_type", "scoped_type":
		c.leaf("type", role, typeName(p.text()), p.from(), p.to())
	default:
		return false
	}
	return true
}

func (c *csharpFile) unary(role string, p piece) {
	c.over("unary", role, p)
	op := sign(p)
	switch {
	case p.is("ref_expression"):
		op = "&"
	case op == "!" && p.is("postfix_unary_expression"): // never null: nothing runs
		op = "!."
	}
	c.detail(op)
	c.nodes("value", p)
	c.end()
}

// tuplePattern writes the names that a tuple is taken apart into.
func (c *csharpFile) tuplePattern(role string, p piece) {
	c.over("list", role, p)
	for x := range p.parts() {
		if x.is("tuple_pattern", "parenthesized_variable_designation") {
			c.tuplePattern("", x)
		} else {
			c.declares("", x)
		}
	}
	c.end()
}

// binding writes the declaration of a variable inside of an expression.
func (c *csharpFile) binding(role string, p, typ, name piece) {
	c.over("assign", role, p)
	c.name(unmarked(name))
	c.flag(Declare)
	c.typed("type", typ)
	c.target(name)
	c.end()
}

// list writes the elements of a list, a tuple, or an index.
func (c *csharpFile) list(role string, p piece) {
	for x := range p.parts() {
		inner := x
		if x.is("argument") && !x.get("name").valid() {
			inner = x.part()
		}
		if inner.is("range_expression") && inner.text() != ".." && strings.HasPrefix(inner.text(), "..") && role != "index" {
			c.over("unary", role, inner)
			c.detail("...")
			c.nodes("value", inner)
			c.end()
			continue
		}
		if x.is("argument") && x.get("name").valid() {
			c.last(role, x)
			continue
		}
		c.node(role, x)
	}
}

func (c *csharpFile) call(role string, p piece) {
	callee := p.get("function")
	c.over("call", role, p)
	c.node("callee", callee)
	if callee.is("member_access_expression") {
		callee = callee.get("name")
	}
	for t := range callee.part("type_argument_list").parts() {
		c.typed("type", t)
	}
	c.arguments(p.get("arguments"))
	c.end()
}

func (c *csharpFile) arguments(p piece) { c.nodes("arg", p) }

// argument writes an argument. One that is "out" is given a value by the call:
// which one is not known.
func (c *csharpFile) argument(role string, p piece) {
	name, value := p.get("name"), piece{}
	for x := range p.all() {
		if c.value(x) && x.i != name.i {
			value = x
		}
	}
	if name.valid() {
		c.over("entry", role, p)
		c.name(unmarked(name))
		c.flag(Keyword)
		defer c.end()
		role = "value"
	}
	switch {
	case p.has("out") && !value.is("declaration_expression"):
		c.over("assign", role, p)
		c.node("target", value)
		c.end()
	case p.has("ref"):
		word := p.part("ref")
		c.begin("unary", role, word.from(), p.to())
		c.detail("&")
		c.node("value", value)
		c.end()
	default:
		c.node(role, value)
	}
}

// member writes a member, or the element, of something.
func (c *csharpFile) member(role string, p piece) {
	object, name, optional := p.get("expression"), p.get("name"), false
	switch p.kind() {
	case "qualified_name":
		object = p.get("qualifier")
	case "alias_qualified_name":
		if object = p.get("alias"); object.text() == "global" {
			c.node(role, name)
			return
		}
	case "conditional_access_expression":
		object, optional = p.get("condition"), true
		name = p.part("member_binding_expression").get("name")
	}
	if index := p.part("element_binding_expression"); optional && index.valid() {
		c.over("index", role, p)
		c.flag(Optional)
		c.node("object", object)
		c.list("index", index)
		c.end()
		return
	}
	c.over("member", role, p)
	if name.is("generic_name") {
		name = name.part("identifier")
	}
	c.name(unmarked(name))
	if optional {
		c.flag(Optional)
	}
	c.node("object", object)
	c.end()
}

// named writes a type as the names that it is reached by, without what it is
// applied to.
func (c *csharpFile) named(role string, p piece) {
	switch p.kind() {
	case "nullable_type":
		c.named(role, p.get("type"))
	case "predefined_type", "array_type", "tuple_type", "pointer_type":
		c.leaf("type", role, typeName(p.text()), p.from(), p.to())
	default:
		c.node(role, p)
	}
}

// between writes a range, which may lack either end.
func (c *csharpFile) between(role string, p piece) {
	c.over("binary", role, p)
	c.detail("..")
	side := "left"
	for x := range p.all() {
		switch {
		case x.is(".."):
			side = "right"
		case c.value(x):
			c.node(side, x)
		}
	}
	c.end()
}
