package syntax

import "slices"

// function writes a function of any kind: declarations, expressions, arrows,
// methods and signatures.
func (s *scriptWriter) function(role string, p piece) {
	o := s.take(p)
	kind, name := p.kind(), ""
	flags := o.flags
	if n := p.get("name"); n.valid() {
		name, _ = propertyName(n)
	} else if p.is("arrow_function", "function_expression", "generator_function") {
		flags |= Lambda
	}
	switch kind {
	case "function_declaration", "generator_function_declaration", "function_signature":
		flags |= s.exportFlag(name) | s.overloadFlag(name, kind, flags)
	case "method_definition", "method_signature", "abstract_method_signature", "call_signature":
		flags |= Method
		if name == "constructor" && role == "member" {
			flags |= Constructor
		}
	case "construct_signature":
		name, flags = "new", flags|Method|Constructor
	}
	s.begin("func", role, o.from, o.to)
	s.damage(p)
	s.name(name)
	s.flag(flags | s.modifiers(p))
	if !p.get("body").valid() {
		s.flag(Abstract)
	}
	for _, d := range o.marks {
		s.decorator(d)
	}
	s.signature(p)
	s.nested++
	s.inside++
	if body := p.get("body"); body.kind() == "statement_block" {
		s.block("body", body)
	} else {
		s.expr("body", body)
	}
	s.inside--
	s.nested--
	s.end()
}

// overloadFlag hands the documentation of the first signature of a function on
// to the ones that follow.
func (s *scriptWriter) overloadFlag(name, kind string, flags Flags) Flags {
	handed := Flags(0)
	if s.overload == name && name != "" {
		handed = Documented
	}
	s.overload = ""
	if kind == "function_signature" && (flags|handed)&Documented != 0 {
		s.overload = name
	}
	return handed
}

// modifiers are the flags of the words before a function's name.
func (s *scriptWriter) modifiers(p piece) Flags {
	flags := Flags(0)
	for c := range p.all() {
		if f := c.field(); f == "name" || f == "parameters" || f == "body" {
			break
		}
		switch c.kind() {
		case "async":
			flags |= Async
		case "static":
			flags |= Static
		case "static get":
			flags |= Static | Getter
		case "get", "set":
			flags |= Getter
			s.detail(c.kind())
		case "*":
			s.detail("*")
		}
	}
	return flags
}

func (s *scriptWriter) signature(p piece) {
	if single := p.get("parameter"); single.valid() {
		s.param(single)
	}
	for c := range p.get("parameters").parts() {
		s.param(c)
	}
	s.typed("result", p.get("return_type"))
	if p.kind() == "construct_signature" {
		s.typed("result", p.get("type"))
	}
}

func (s *scriptWriter) param(p piece) {
	switch {
	case p.broken():
		s.broken("", p)
		return
	case p.get("pattern").kind() == "this":
		s.open("param", "receiver", p)
		s.name("this")
		s.typed("type", p.get("type"))
		s.end()
		return
	}
	s.open("param", "param", p)
	switch p.kind() {
	case "required_parameter", "optional_parameter":
		if p.kind() == "optional_parameter" {
			s.detail("?")
		}
		if access := p.part("accessibility_modifier", "readonly", "override_modifier"); access.valid() {
			s.flag(Field)
			if access.text() != "private" {
				s.flag(Exported)
			}
		}
		for d := range p.parts("decorator") {
			s.decorator(d)
		}
		s.bound(p.get("pattern"))
		s.typed("type", p.get("type"))
		s.expr("value", p.get("value"))
	case "assignment_pattern":
		s.bound(p.get("left"))
		s.expr("value", p.get("right"))
	default:
		s.bound(p)
	}
	s.end()
}

// bound says what a parameter is called, or the pattern it is taken apart by.
func (s *scriptWriter) bound(p piece) {
	if p.kind() == "rest_pattern" {
		s.detail("...")
		p = p.part()
	}
	if p.is("object_pattern", "array_pattern") {
		s.pattern("pattern", p, Declare)
		return
	}
	s.name(p.text())
}

func (s *scriptWriter) decorator(p piece) {
	s.open("decorator", "decorator", p)
	value := p.part()
	if value.kind() == "parenthesized_expression" {
		value = value.part()
	}
	if value.kind() == "call_expression" {
		s.name(value.get("function").text())
		s.args(value.get("arguments"))
	} else {
		s.name(value.text())
	}
	s.end()
}

// testMembers are what may follow the name of a test function: it.only,
// test.each(table).
var testMembers = []string{"only", "skip", "each", "concurrent", "sequential", "failing", "fails", "todo", "serial", "cb",
	"for", "runIf", "skipIf", "if", "effect", "live", "scoped", "prop"}

// testCall tells a call that declares a test case: it("does", f),
// test.each(rows)("does", f), Deno.test("does", f).
func testCall(call piece) bool {
	p := call.get("function")
	for {
		switch p.kind() {
		case "call_expression":
			p = p.get("function")
		case "member_expression":
			object, member := p.get("object"), p.get("property").text()
			if member == "test" && object.kind() == "identifier" {
				return slices.Contains([]string{"Deno", "QUnit", "t"}, object.text())
			}
			if !slices.Contains(testMembers, member) {
				return false
			}
			p = object
		case "identifier":
			return slices.Contains([]string{"it", "test", "specify", "fit", "xit", "xtest", "xspecify"}, p.text())
		default:
			return false
		}
	}
}
