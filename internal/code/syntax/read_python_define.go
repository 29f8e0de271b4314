package syntax

import "strings"

// definition writes a function or class with its decorators.
func (p *pythonWriter) definition(role string, s piece) {
	marks, whole := []piece(nil), s
	if s.is("decorated_definition") {
		for c := range s.parts() {
			if c.is("decorator") {
				marks = append(marks, c)
			}
		}
		s = s.get("definition")
	}
	if p.class && role == "" {
		role = "member"
	}
	if s.is("class_definition") {
		p.classDefinition(role, s, whole, marks)
		return
	}
	p.function(role, s, whole, marks)
}

func (p *pythonWriter) function(role string, s, whole piece, marks []piece) {
	p.over("func", role, whole)
	p.damage(s)
	name := folded(s.get("name"))
	p.name(name)
	if s.has("async") {
		p.flag(Async)
	}
	if p.class {
		p.flag(Method)
		if name == "__init__" || name == "__new__" {
			p.flag(Constructor)
		}
	}
	p.shown(name)
	if strings.HasPrefix(name, "test") {
		p.flag(Test)
	}
	if documentedBody(s.get("body")) {
		p.flag(Documented)
	}
	for _, m := range marks {
		switch p.decorator(m) {
		case "staticmethod":
			p.flag(Static)
		case "abstractmethod", "abc.abstractmethod":
			p.flag(Abstract)
		case "property", "cached_property", "functools.cached_property":
			p.flag(Getter)
		}
	}
	p.parameters(s.get("parameters"))
	p.typed("result", s.get("return_type"))
	outer := p.class
	p.class = false
	p.block("body", s.get("body"))
	p.class = outer
	p.end()
}

// shown flags a name that others are meant to use.
func (p *pythonWriter) shown(name string) {
	if !strings.HasPrefix(name, "_") {
		p.flag(Exported)
	}
}

// documentedBody tells a suite that begins with a docstring.
func documentedBody(body piece) bool {
	first := body.part()
	return first.is("expression_statement") && first.part().is("string")
}

// decorator writes a decorator and gives its name.
func (p *pythonWriter) decorator(m piece) string {
	value := m.part()
	callee := value
	if value.is("call") {
		callee = value.get("function")
	}
	name := solid(callee.text())
	if len(name) > maxType {
		name = name[:maxType]
	}
	p.open("decorator", "decorator", m)
	p.name(name)
	if value.is("call") {
		p.arguments(value.get("arguments"))
	}
	p.end()
	return name
}

func (p *pythonWriter) classDefinition(role string, s, whole piece, marks []piece) {
	p.over("class", role, whole)
	p.damage(s)
	p.name(folded(s.get("name")))
	p.detail("class")
	p.shown(folded(s.get("name")))
	if documentedBody(s.get("body")) {
		p.flag(Documented)
	}
	for _, m := range marks {
		p.decorator(m)
	}
	for c := range s.get("superclasses").parts() {
		if !c.is("keyword_argument") {
			p.typed("base", c)
		}
	}
	outer := p.class
	p.class = true
	p.statements("member", s.get("body"))
	p.class = outer
	p.end()
}

// parameters writes the parameters of a function or lambda.
func (p *pythonWriter) parameters(list piece) {
	for c := range list.parts() {
		id := c.get("name")
		switch c.kind() {
		case "identifier", "list_splat_pattern", "dictionary_splat_pattern", "tuple_pattern":
			id = c
		case "typed_parameter":
			id = c.part()
		case "default_parameter", "typed_default_parameter":
		default:
			if c.broken() {
				p.broken("", c)
			}
			continue // the signs * and / alone
		}
		p.open("param", "param", c)
		switch id.kind() {
		case "list_splat_pattern":
			p.detail("...")
			id = id.part()
		case "dictionary_splat_pattern":
			p.detail("**")
			id = id.part()
		}
		if id.is("tuple_pattern") {
			p.target("pattern", id)
		} else {
			p.name(folded(id))
		}
		p.typed("type", c.get("type"))
		p.expr("value", c.get("value"))
		p.end()
	}
}

// typed writes a type as it is written, with the functions that it makes on the way:
// Annotated[list, lambda a, b: a + b].
func (p *pythonWriter) typed(role string, t piece) {
	if !t.valid() {
		return
	}
	p.open("type", role, t)
	p.name(typeName(strings.Trim(t.text(), `"'`)))
	p.lambdas(t)
	p.end()
}

// lambdas writes the lambdas in an expression of types.
func (p *pythonWriter) lambdas(t piece) {
	for part := range t.parts() {
		if part.is("lambda") {
			p.lambda("value", part)
		} else {
			p.lambdas(part)
		}
	}
}

// lambda writes a lambda.
func (p *pythonWriter) lambda(role string, s piece) {
	p.open("func", role, s)
	p.flag(Lambda)
	p.parameters(s.get("parameters"))
	p.expr("body", s.get("body"))
	p.end()
}
