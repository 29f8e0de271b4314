package syntax

import "slices"

// imported writes an import statement.
func (s *scriptWriter) imported(role string, p piece) {
	source := p.get("source")
	clause := p.part("import_clause")
	if alias := p.part("import_require_clause"); alias.valid() {
		source, clause = alias.get("source"), alias
	}
	s.open("import", role, p)
	s.name(stringValue(source))
	types, values := p.has("type") || p.has("typeof"), 0
	for c := range clause.parts() {
		switch c.kind() {
		case "identifier":
			values++
			s.begin("bind", "bind", c.from(), c.to())
			s.name(c.text())
			if clause.kind() == "import_clause" {
				s.leaf("name", "of", "default", c.from(), c.to())
			}
			s.end()
		case "namespace_import":
			values++
			s.leaf("bind", "bind", c.part("identifier").text(), c.from(), c.to())
		case "named_imports":
			for n := range c.parts() {
				if !s.specifier(n) {
					values++
				}
			}
		}
	}
	if types || clause.kind() == "import_clause" && values == 0 && clause.part("named_imports").part("import_specifier").valid() {
		s.flag(TypeOnly)
	}
	s.end()
}

// specifier writes one name of a list of imports or exports, and tells whether
// it is a type. The local name of an import is its alias, what others see of an
// export as well.
func (s *scriptWriter) specifier(p piece) bool {
	if p.broken() {
		s.broken("", p)
		return false
	}
	name, alias := p.get("name"), p.get("alias")
	if !alias.valid() {
		alias = name
	}
	s.open("bind", "bind", p)
	s.name(exportName(alias))
	types := p.has("type") || p.has("typeof")
	if types {
		s.flag(TypeOnly)
	}
	s.leaf("name", "of", exportName(name), name.from(), name.to())
	s.end()
	return types
}

// exportName is a name in a list of imports or exports.
func exportName(p piece) string {
	if p.kind() == "string" {
		return stringValue(p)
	}
	return p.text()
}

// export writes an export: of another module's names, of names declared
// elsewhere, or the declaration itself.
func (s *scriptWriter) export(role string, p piece) {
	declaration, value := p.get("declaration"), p.get("value")
	switch {
	case p.get("source").valid():
		s.reexport(role, p)
	case p.part("export_clause").valid():
		s.open("other", role, p)
		s.detail("export_statement")
		for c := range p.part("export_clause").parts() {
			s.specifier(c)
		}
		s.end()
	case declaration.valid():
		s.exportDeclaration(role, p, declaration)
	case value.is("identifier"):
		s.open("other", role, p)
		s.detail("export_statement")
		s.exportDefault(value)
		s.end()
	case value.valid():
		s.open("assign", role, p)
		s.name("default")
		s.detail("=")
		s.flag(Exported | Declare | Constant)
		s.leaf("name", "target", "default", value.from(), value.from())
		s.given("value", value, Exported|s.docFlag(p.from()))
		s.end()
	case p.has("="): // as module.exports = X
		s.open("assign", role, p)
		s.detail("=")
		s.flag(Exported)
		s.begin("member", "target", p.from(), p.from())
		s.name("exports")
		s.leaf("name", "object", "module", p.from(), p.from())
		s.end()
		s.given("value", p.part(), Exported)
		s.end()
	default:
		s.open("other", role, p)
		s.detail("export_statement")
		s.end()
	}
}

// exportDefault writes that a name of the file is what others get by default.
func (s *scriptWriter) exportDefault(name piece) {
	s.begin("bind", "bind", name.from(), name.to())
	s.name("default")
	s.leaf("name", "of", name.text(), name.from(), name.to())
	s.end()
}

func (s *scriptWriter) exportDeclaration(role string, p, declaration piece) {
	if p.has("default") {
		if name := declaration.get("name"); name.valid() {
			s.begin("other", role, p.from(), name.to())
			s.detail("export_statement")
			s.exportDefault(name)
			s.end()
		}
	}
	s.damage(p)
	s.outer = outer{valid: true, from: p.from(), to: p.to(), flags: Exported}
	for d := range p.parts("decorator") {
		s.outer.marks = append(s.outer.marks, d)
	}
	s.statement(role, declaration)
	s.outer = outer{}
}

func (s *scriptWriter) reexport(role string, p piece) {
	s.over("import", role, p)
	s.name(stringValue(p.get("source")))
	s.flag(Reexport)
	types := p.has("type")
	if odd := p.part("ERROR"); odd.text() == "type" { // export type * from: younger than the grammar
		types = true
		s.flaws = slices.DeleteFunc(s.flaws, func(f flaw) bool { return int(f.from) == odd.from() })
	} else {
		s.damage(p)
	}
	switch {
	case p.part("export_clause").valid():
		all := true
		for c := range p.part("export_clause").parts() {
			all = s.specifier(c) && all
		}
		types = types || all && p.part("export_clause").part().valid()
	case p.part("namespace_export").valid():
		c := p.part("namespace_export")
		s.leaf("bind", "bind", exportName(c.part()), c.from(), c.to())
	default:
		star := p.part("*")
		s.begin("bind", "bind", star.from(), star.to())
		s.name("*")
		s.leaf("name", "of", "*", star.from(), star.to())
		s.end()
	}
	if types {
		s.flag(TypeOnly)
	}
	s.end()
}

// required is the module that an expression loads, and the call that does:
// require("x") or import("x").
func required(p piece) (module string, call piece, dynamic bool) {
	p = unwrapped(p)
	if p.kind() != "call_expression" {
		return "", piece{}, false
	}
	callee, args := p.get("function"), p.get("arguments")
	dynamic = callee.kind() == "import"
	if !dynamic && (callee.kind() != "identifier" || callee.text() != "require") || args.kind() != "arguments" {
		return "", piece{}, false
	}
	arg := args.part()
	if !plainText(arg) {
		return "", piece{}, false
	}
	return stringValue(arg), p, dynamic
}

// unwrapped is an expression without brackets, conversions and await around it.
func unwrapped(p piece) piece {
	for p.is("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "await_expression") {
		p = p.part()
	}
	return p
}

// load writes a call that loads a module: the import, and the call besides.
func (s *scriptWriter) load(role string, p piece, module string, dynamic bool) {
	s.over("import", role, p)
	s.loaded(module, dynamic)
	s.callOf("value", p)
	s.end()
}

func (s *scriptWriter) loaded(module string, dynamic bool) {
	s.name(module)
	if dynamic || s.inside > 0 {
		s.flag(Dynamic)
	}
}

// loadInto writes a declaration of names that are those of a loaded module, and
// tells whether it is one: const x = require("m"), const {a, b: c} =
// require("m"), const d = require("m").e.
func (s *scriptWriter) loadInto(role string, p piece, from, to int) bool {
	name, value := p.get("name"), unwrapped(p.get("value"))
	of := ""
	if value.kind() == "member_expression" && value.get("property").valid() {
		of = value.get("property").text()
		value = unwrapped(value.get("object"))
	}
	module, call, dynamic := required(value)
	if !call.valid() || dynamic && p.get("value").kind() != "await_expression" || !simple(name) || of != "" && name.kind() != "identifier" {
		return false
	}
	s.begin("import", role, from, to)
	s.damage(p)
	s.loaded(module, dynamic)
	if name.kind() == "identifier" {
		s.bind(name, of, name)
	}
	for c := range name.parts() {
		switch c.kind() {
		case "shorthand_property_identifier_pattern":
			s.bind(c, c.text(), c)
		case "pair_pattern":
			key, _ := propertyName(c.get("key"))
			s.bind(c.get("value"), key, c)
		}
	}
	s.callOf("value", call)
	s.end()
	return true
}

func (s *scriptWriter) bind(name piece, of string, p piece) {
	s.over("bind", "bind", p)
	s.name(name.text())
	if of != "" {
		s.leaf("name", "of", of, p.from(), p.to())
	}
	s.end()
}

// simple tells a pattern that only names things.
func simple(p piece) bool {
	if p.kind() == "identifier" {
		return true
	}
	if p.kind() != "object_pattern" {
		return false
	}
	for c := range p.parts() {
		switch c.kind() {
		case "shorthand_property_identifier_pattern":
		case "pair_pattern":
			if _, constant := propertyName(c.get("key")); !constant || c.get("value").kind() != "identifier" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
