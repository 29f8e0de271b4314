package syntax

import "strings"

// exprs writes all named children of p.
func (s *scriptWriter) exprs(role string, p piece) {
	for c := range p.parts() {
		if !c.broken() {
			s.expr(role, c)
		}
	}
}

func (s *scriptWriter) expr(role string, p piece) {
	switch p.kind() {
	case "":
	case "identifier", "this", "super", "shorthand_property_identifier", "private_property_identifier", "property_identifier",
		"type_identifier", "statement_identifier", "shorthand_property_identifier_pattern", "import":
		s.leaf("name", role, p.text(), p.from(), p.to())
	case "string":
		s.leaf("string", role, stringValue(p), p.from(), p.to())
	case "number":
		s.leaf("number", role, p.text(), p.from(), p.to())
	case "true", "false":
		s.leaf("bool", role, p.text(), p.from(), p.to())
	case "null", "undefined":
		s.leaf("nil", role, p.text(), p.from(), p.to())
	case "regex":
		s.leaf("regexp", role, p.text(), p.from(), p.to())
	case "template_string":
		s.template(role, p, piece{})
	case "member_expression", "nested_identifier":
		s.open("member", role, p)
		s.name(p.get("property").text())
		s.optional(p)
		s.expr("object", p.get("object"))
		s.end()
	case "subscript_expression":
		s.open("index", role, p)
		s.optional(p)
		s.expr("object", p.get("object"))
		s.expr("index", p.get("index"))
		s.end()
	case "call_expression", "new_expression":
		s.call(role, p)
	case "parenthesized_expression", "instantiation_expression", "computed_property_name":
		s.bracketed(role, p)
	case "arrow_function", "function_expression", "generator_function":
		s.function(role, p)
	case "class":
		s.class(role, p)
	case "assignment_expression", "augmented_assignment_expression":
		s.assign(role, p)
	case "binary_expression":
		s.open("binary", role, p)
		s.detail(p.get("operator").text())
		s.expr("left", p.get("left"))
		s.expr("right", p.get("right"))
		s.end()
	case "object", "array":
		s.literal(role, p)
	default:
		s.rarer(role, p)
	}
}

func (s *scriptWriter) rarer(role string, p piece) {
	switch p.kind() {
	case "unary_expression", "update_expression":
		s.unary(role, p, p.get("operator").text(), p.get("argument"))
	case "await_expression":
		s.unary(role, p, "await", p.part())
	case "yield_expression":
		detail := "yield"
		if p.has("*") {
			detail = "yield*"
		}
		s.unary(role, p, detail, p.part())
	case "spread_element":
		s.unary(role, p, "...", p.part())
	case "ternary_expression":
		s.open("ternary", role, p)
		s.expr("cond", p.get("condition"))
		s.expr("then", p.get("consequence"))
		s.expr("else", p.get("alternative"))
		s.end()
	case "as_expression", "satisfies_expression", "non_null_expression", "type_assertion":
		s.cast(role, p)
	case "meta_property": // new.target, import.meta
		s.over("member", role, p)
		object, member, _ := strings.Cut(p.text(), ".")
		s.name(member)
		s.leaf("name", "object", object, p.from(), p.from()+len(object))
		s.end()
	case "jsx_element", "jsx_self_closing_element", "jsx_expression", "jsx_text", "html_character_reference":
		s.jsx(role, p)
	case "internal_module":
		s.namespace(role, p)
	default:
		if p.broken() {
			s.broken(role, p)
			return
		}
		s.other(role, p)
	}
}

// other keeps what has no word in the vocabulary.
func (s *scriptWriter) other(role string, p piece) {
	if p.broken() {
		s.broken(role, p)
		return
	}
	s.over("other", role, p)
	s.detail(p.kind())
	for c := range p.parts() {
		s.expr("", c)
	}
	s.end()
}

// optional flags a?.b.
func (s *scriptWriter) optional(p piece) {
	if p.has("optional_chain") || p.has("?.") {
		s.flag(Optional)
	}
}

func (s *scriptWriter) unary(role string, p piece, operator string, value piece) {
	s.open("unary", role, p)
	s.detail(operator)
	if !value.broken() {
		s.expr("value", value)
	}
	s.end()
}

// bracketed writes what stands in brackets; Flow's (x: T) is a conversion.
func (s *scriptWriter) bracketed(role string, p piece) {
	if t := p.get("type"); t.valid() {
		s.open("cast", role, p)
		s.detail(":")
		s.expr("value", p.part())
		s.typed("type", t)
		s.end()
		return
	}
	for c := range p.parts() {
		s.expr(role, c)
		if !c.broken() {
			return
		}
	}
}

func (s *scriptWriter) cast(role string, p piece) {
	s.open("cast", role, p)
	var parts []piece
	for c := range p.parts() {
		if !c.broken() {
			parts = append(parts, c)
		}
	}
	switch p.kind() {
	case "as_expression":
		s.detail("as")
	case "satisfies_expression":
		s.detail("satisfies")
	case "non_null_expression":
		s.detail("!")
	case "type_assertion":
		s.detail("<>")
		if len(parts) == 2 {
			s.expr("value", parts[1])
			s.typed("type", parts[0].part())
		}
		s.end()
		return
	}
	if len(parts) > 0 {
		s.expr("value", parts[0])
	}
	if len(parts) > 1 {
		s.typed("type", parts[1])
	} else if word := p.part("const"); word.valid() {
		s.leaf("type", "type", "const", word.from(), word.to())
	}
	s.end()
}

// call writes a call, or the import that it is.
func (s *scriptWriter) call(role string, p piece) {
	if args := p.get("arguments"); args.kind() == "template_string" {
		s.template(role, args, p)
		return
	}
	if module, call, dynamic := required(p); call.valid() && p.kind() == "call_expression" {
		s.load(role, p, module, dynamic)
		return
	}
	s.callOf(role, p)
}

func (s *scriptWriter) callOf(role string, p piece) {
	s.open("call", role, p)
	callee := p.get("function")
	if p.kind() == "new_expression" {
		s.flag(New)
		callee = p.get("constructor")
	}
	s.optional(p)
	s.expr("callee", callee)
	for t := range p.get("type_arguments").parts() {
		s.typed("type", t)
	}
	if p.kind() == "call_expression" && testCall(p) {
		s.testArgs(p.get("arguments"))
	} else {
		s.args(p.get("arguments"))
	}
	s.end()
}

func (s *scriptWriter) args(p piece) {
	for c := range p.parts() {
		s.expr("arg", c)
	}
}

// testArgs flags the functions among the arguments, apart from the first, which
// is what the case is called.
func (s *scriptWriter) testArgs(p piece) {
	first := true
	for c := range p.parts() {
		if first {
			s.expr("arg", c)
		} else {
			s.given("arg", c, Test)
		}
		first = false
	}
}

func (s *scriptWriter) literal(role string, p piece) {
	if p.kind() == "array" {
		s.over("list", role, p)
		s.elements(p, func(c piece) { s.expr("", c) })
		s.end()
		return
	}
	s.over("record", role, p)
	for c := range p.parts() {
		switch c.kind() {
		case "pair":
			s.open("entry", "", c)
			s.key(c.get("key"))
			s.expr("value", c.get("value"))
			s.end()
		case "shorthand_property_identifier":
			s.over("entry", "", c)
			s.name(c.text())
			s.expr("value", c)
			s.end()
		case "method_definition":
			s.over("entry", "", c)
			s.key(c.get("name"))
			s.function("value", c)
			s.end()
		default:
			s.expr("", c)
		}
	}
	s.end()
}

// key says the name of an entry, or writes what it is computed by.
func (s *scriptWriter) key(p piece) {
	if name, constant := propertyName(p); constant {
		s.name(name)
		return
	}
	s.expr("key", p.part())
}
