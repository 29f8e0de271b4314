package syntax

import "strings"

func (j *javaFile) expression(role string, p piece) bool {
	switch p.kind() {
	case "identifier", "this", "super", "type_identifier":
		j.leaf("name", role, p.text(), p.from(), p.to())
	case "parenthesized_expression":
		j.nodes(role, p)
	case "string_literal":
		j.literal(role, p)
	case "character_literal":
		j.leaf("string", role, unescaped(inside(p.text()), javaEscape), p.from(), p.to())
	case "true", "false":
		j.leaf("bool", role, p.text(), p.from(), p.to())
	case "null_literal":
		j.leaf("nil", role, p.text(), p.from(), p.to())
	case "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal",
		"decimal_floating_point_literal", "hex_floating_point_literal":
		j.leaf("number", role, p.text(), p.from(), p.to())
	case "method_invocation":
		j.call(role, p)
	case "object_creation_expression":
		j.creation(role, p)
	case "field_access", "scoped_identifier":
		j.member(role, p)
	case "array_access":
		j.over("index", role, p)
		j.node("object", p.get("array"))
		j.node("index", p.get("index"))
		j.end()
	case "assignment_expression":
		j.over("assign", role, p)
		j.detail(p.get("operator").text())
		j.node("target", p.get("left"))
		j.node("value", p.get("right"))
		j.end()
	case "binary_expression":
		j.over("binary", role, p)
		j.detail(p.get("operator").text())
		j.node("left", p.get("left"))
		j.node("right", p.get("right"))
		j.end()
	case "unary_expression", "update_expression":
		j.over("unary", role, p)
		j.detail(sign(p))
		j.nodes("value", p)
		j.end()
	case "ternary_expression":
		j.over("ternary", role, p)
		j.node("cond", p.get("condition"))
		j.node("then", p.get("consequence"))
		j.node("else", p.get("alternative"))
		j.end()
	case "lambda_expression":
		j.lambda(role, p)
	default:
		return false
	}
	return true
}

// sign is the first sign or word among the children.
func sign(p piece) string {
	for c := range p.all() {
		if !c.named() {
			return c.text()
		}
	}
	return ""
}

func (j *javaFile) rarer(role string, p piece) bool {
	switch p.kind() {
	case "cast_expression":
		j.over("cast", role, p)
		for t := range p.parts("type") {
			j.typed("type", t, "")
		}
		j.node("value", p.get("value"))
		j.end()
	case "instanceof_expression":
		j.instance(role, p)
	case "method_reference":
		j.reference(role, p)
	case "class_literal":
		j.over("member", role, p)
		j.name("class")
		j.detail("::")
		j.named("object", p.part())
		j.end()
	case "array_creation_expression":
		j.array(role, p)
	case "array_initializer", "element_value_array_initializer":
		j.over("list", role, p)
		j.nodes("", p)
		j.end()
	case "template_expression":
		j.over("template", role, p)
		j.node("", p.get("template_processor"))
		j.node("", p.get("template_argument"))
		j.end()
	case "marker_annotation", "annotation":
		j.annotation(role, p)
	case "pattern":
		j.nodes(role, p)
	case "type_pattern", "record_pattern_component":
		j.typePattern(role, p)
	case "record_pattern":
		j.over("record", role, p)
		j.typed("type", p.part(), "")
		j.nodes("", p.part("record_pattern_body"))
		j.end()
	case "underscore_pattern":
		j.leaf("name", role, "_", p.from(), p.to())
	default:
		return j.typeAsValue(role, p)
	}
	return true
}

// typeAsValue writes a type that stands where a value may.
func (j *javaFile) typeAsValue(role string, p piece) bool {
	if !p.is("scoped_type_identifier", "generic_type", "annotated_type", "array_type", "integral_type", "floating_point_type", "boolean_type", "void_type") {
		return false
	}
	j.named(role, p)
	return true
}

func (j *javaFile) call(role string, p piece) {
	name, object := p.get("name"), p.get("object")
	j.over("call", role, p)
	if object.valid() {
		j.begin("member", "callee", object.from(), name.to())
		j.name(name.text())
		j.objectOf(p, object)
		j.end()
	} else {
		j.leaf("name", "callee", name.text(), name.from(), name.to())
	}
	j.arguments(p.get("arguments"))
	j.end()
}

// objectOf writes what a member is of; "A.super" is super of A.
func (j *javaFile) objectOf(p, object piece) {
	for c := range p.parts() {
		if c.is("super") && c.i != object.i {
			j.begin("member", "object", object.from(), c.to())
			j.name("super")
			j.node("object", object)
			j.end()
			return
		}
	}
	j.node("object", object)
}

func (j *javaFile) member(role string, p piece) {
	j.over("member", role, p)
	if p.is("scoped_identifier") {
		j.name(p.get("name").text())
		j.node("object", p.get("scope"))
	} else {
		j.name(p.get("field").text())
		j.objectOf(p, p.get("object"))
	}
	j.end()
}

func (j *javaFile) arguments(p piece) { j.nodes("arg", p) }

// creation writes "new T(...)", perhaps with a body, perhaps of an outer value.
func (j *javaFile) creation(role string, p piece) {
	typ := p.get("type")
	j.over("call", role, p)
	j.flag(New)
	if outer := p.part(); outer.i < typ.i && !outer.is("type_arguments", "marker_annotation", "annotation") {
		j.begin("member", "callee", outer.from(), typ.to())
		j.name(plainType(typ.text()))
		j.node("object", outer)
		j.end()
	} else {
		j.named("callee", typ)
	}
	j.arguments(p.get("arguments"))
	j.anonymous(p.part("class_body"), typeName(typ.text()))
	j.end()
}

// named writes a type as the names that it is reached by, without what it is
// applied to.
func (j *javaFile) named(role string, p piece) {
	switch p.kind() {
	case "generic_type":
		j.named(role, p.part())
	case "annotated_type":
		for c := range p.parts() {
			if !c.is("marker_annotation", "annotation") {
				j.named(role, c)
			}
		}
	case "scoped_type_identifier":
		var last piece
		for c := range p.parts() {
			last = c
		}
		j.over("member", role, p)
		j.name(last.text())
		j.named("object", p.part())
		j.end()
	case "array_type", "integral_type", "floating_point_type", "boolean_type", "void_type":
		j.leaf("type", role, typeName(p.text()), p.from(), p.to())
	default:
		j.node(role, p)
	}
}

func (j *javaFile) array(role string, p piece) {
	typ, value := p.get("type"), p.get("value")
	if value.valid() {
		j.over("list", role, p)
		j.typed("type", typ, p.get("dimensions").text())
		j.nodes("", value)
		j.end()
		return
	}
	j.over("call", role, p)
	j.flag(New)
	depth := 0
	for d := range p.parts("dimensions") {
		depth += strings.Count(d.text(), "[")
	}
	j.typed("callee", typ, strings.Repeat("[]", depth))
	for d := range p.parts("dimensions") {
		if d.is("dimensions_expr") {
			j.nodes("arg", d)
		}
	}
	j.end()
}

// reference writes a method reference: the method of what stands before it.
func (j *javaFile) reference(role string, p piece) {
	var last piece
	for c := range p.all() {
		last = c
	}
	j.over("member", role, p)
	j.name(last.text())
	j.detail("::")
	j.named("object", p.part())
	j.end()
}

func (j *javaFile) instance(role string, p piece) {
	name, right := p.get("name"), p.get("right")
	j.over("binary", role, p)
	j.detail("instanceof")
	j.node("left", p.get("left"))
	switch {
	case name.valid():
		j.binding("right", right.from(), name.to(), right, name)
	case right.valid():
		j.typed("right", right, "")
	default:
		j.node("right", p.get("pattern"))
	}
	j.end()
}

// typePattern writes "T name" in a pattern as the declaration that it is.
func (j *javaFile) typePattern(role string, p piece) {
	var typ, name piece
	for c := range p.parts() {
		typ, name = name, c
	}
	if !typ.valid() {
		j.node(role, name)
		return
	}
	j.binding(role, p.from(), p.to(), typ, name)
}

func (j *javaFile) binding(role string, from, to int, typ, name piece) {
	j.begin("assign", role, from, to)
	j.name(name.text())
	j.flag(Declare)
	j.typed("type", typ, "")
	j.leaf("name", "target", name.text(), name.from(), name.to())
	j.end()
}
