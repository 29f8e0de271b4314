package syntax

import (
	"strings"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// readPython reads Python. What the vocabulary has no word of its own for is
// written with those that it has: with is a try with resources, a comprehension
// a loop with the detail "collect" in which a unary "collect" stands for the
// element, a comparison in a chain a binary "chain" of an operand and unary
// comparisons.
func readPython(w *writer, text []byte, root *sitter.Node) error {
	top, err := gather(w, text, root)
	if err != nil {
		return err
	}
	p := &pythonWriter{writer: w}
	w.begin("file", "", 0, len(text))
	if top.broken() {
		p.broken("", top)
	} else {
		p.statements("", top)
	}
	w.end()
	return w.err
}

// pythonWriter writes the nodes of a file in Python.
type pythonWriter struct {
	*writer
	class bool // the statement stands in the body of a class
}

func (p *pythonWriter) statements(role string, block piece) {
	for c := range block.parts() {
		p.statement(role, c)
	}
}

// block writes the statements of a suite.
func (p *pythonWriter) block(role string, s piece) {
	if !s.valid() {
		return
	}
	p.over("block", role, s)
	p.statements("", s)
	p.end()
}

func (p *pythonWriter) statement(role string, s piece) {
	if p.err != nil {
		return
	}
	switch s.kind() {
	case "expression_statement":
		if first := s.part(); first.valid() && s.has(",") {
			p.sequence("list", role, s)
			return
		}
		for c := range s.parts() {
			p.expr(role, c)
		}
	case "pass_statement":
	case "import_statement", "import_from_statement", "future_import_statement":
		p.imported(role, s)
	case "return_statement", "raise_statement":
		kind := Kind("return")
		if s.is("raise_statement") {
			kind = "throw"
		}
		p.open(kind, role, s)
		for c := range s.parts() {
			if c.field() != "cause" {
				p.expr("value", c)
			}
		}
		p.end()
	case "break_statement", "continue_statement":
		p.open(Kind(strings.TrimSuffix(s.kind(), "_statement")), role, s)
		p.end()
	case "function_definition", "class_definition", "decorated_definition":
		p.definition(role, s)
	case "delete_statement":
		p.open("unary", role, s)
		p.detail("delete")
		for c := range s.parts() {
			if !c.is("expression_list") {
				p.expr("value", c)
				continue
			}
			for v := range c.parts() {
				p.expr("value", v)
			}
		}
		p.end()
	case "type_alias_statement":
		p.alias(role, s)
	default:
		p.control(role, s)
	}
}

// alias writes type X = Y.
func (p *pythonWriter) alias(role string, s piece) {
	p.open("assign", role, s)
	p.detail("=")
	p.flag(Declare)
	name := plainName(s.get("left").text())
	p.name(name)
	p.leaf("name", "target", name, s.get("left").from(), s.get("left").to())
	p.leaf("type", "value", typeName(s.get("right").text()), s.get("right").from(), s.get("right").to())
	p.end()
}

// plainName is a name without the parameters of its type.
func plainName(s string) string {
	s, _, _ = strings.Cut(s, "[")
	return strings.TrimSpace(s)
}

// control writes statements that hold others.
func (p *pythonWriter) control(role string, s piece) {
	switch s.kind() {
	case "if_statement":
		p.ifs(role, s, s.from())
	case "for_statement", "while_statement":
		p.open("loop", role, s)
		if s.is("for_statement") {
			p.detail("each")
			if s.has("async") {
				p.flag(Async)
			}
			p.target("target", s.get("left"))
			p.expr("over", s.get("right"))
		} else {
			p.detail("while")
			p.expr("cond", s.get("condition"))
		}
		p.block("body", s.get("body"))
		p.block("else", s.get("alternative").get("body"))
		p.end()
	case "try_statement":
		p.try(role, s)
	case "with_statement":
		p.with(role, s)
	case "match_statement":
		p.open("switch", role, s)
		p.detail("match")
		p.grouped("subject", s, "subject")
		for c := range s.get("body").parts() {
			p.matchCase(c)
		}
		p.end()
	default:
		p.expr(role, s)
	}
}

// grouped writes what fills a field, several as a list.
func (p *pythonWriter) grouped(role string, s piece, field string) {
	var all []piece
	for c := range s.parts(field) {
		all = append(all, c)
	}
	if len(all) == 1 {
		p.expr(role, all[0])
		return
	}
	if len(all) > 0 {
		p.begin("list", role, all[0].from(), all[len(all)-1].to())
		for _, c := range all {
			p.expr("", c)
		}
		p.end()
	}
}

// ifs writes if with its elifs, each of which is an if in the else of the one
// before.
func (p *pythonWriter) ifs(role string, s piece, from int) {
	p.begin("if", role, from, s.to())
	p.damage(s)
	p.expr("cond", s.get("condition"))
	p.block("then", s.get("consequence"))
	var rest []piece
	for c := range s.parts("alternative") {
		rest = append(rest, c)
	}
	opened := 0
	for _, c := range rest {
		if c.is("else_clause") {
			p.block("else", c.get("body"))
			continue
		}
		p.begin("if", "else", c.from(), s.to())
		p.expr("cond", c.get("condition"))
		p.block("then", c.get("consequence"))
		opened++
	}
	for range opened {
		p.end()
	}
	p.end()
}

func (p *pythonWriter) try(role string, s piece) {
	p.open("try", role, s)
	p.block("body", s.get("body"))
	for c := range s.parts() {
		switch c.kind() {
		case "except_clause", "except_group_clause":
			p.except(c)
		case "else_clause":
			p.block("else", c.get("body"))
		case "finally_clause":
			p.block("finally", c.part("block"))
		}
	}
	p.end()
}

// except writes a handler: its types, and the name of what it caught.
func (p *pythonWriter) except(c piece) {
	p.open("catch", "catch", c)
	value, alias := c.get("value"), c.get("alias")
	if value.is("as_pattern") {
		value, alias = value.part(), value.part("as_pattern_target").part()
	}
	if alias.valid() {
		p.target("target", alias)
	}
	if value.is("tuple") {
		for t := range value.parts() {
			p.typed("type", t)
		}
	} else {
		p.typed("type", value)
	}
	p.block("body", c.part("block"))
	p.end()
}

// with writes a with statement as a try with resources.
func (p *pythonWriter) with(role string, s piece) {
	p.open("try", role, s)
	p.detail("with")
	if s.has("async") {
		p.flag(Async)
	}
	for item := range s.part("with_clause").parts() {
		v := item.get("value")
		for v.is("parenthesized_expression") {
			v = v.part()
		}
		if !v.is("as_pattern") {
			p.expr("resource", v)
			continue
		}
		p.open("assign", "resource", v)
		p.detail("=")
		p.flag(Declare)
		p.target("target", v.part("as_pattern_target").part())
		p.expr("value", v.part())
		p.end()
	}
	p.block("body", s.get("body"))
	p.end()
}

// imported writes an import with the names that it binds.
func (p *pythonWriter) imported(role string, s piece) {
	if s.is("import_statement") {
		for c := range s.parts("name") {
			p.over("import", role, c)
			name, local := c.text(), ""
			if c.is("aliased_import") {
				name, local = c.get("name").text(), c.get("alias").text()
			}
			p.name(solid(name))
			p.open("bind", "bind", c)
			if local == "" {
				local, _, _ = strings.Cut(solid(name), ".")
			}
			p.name(local)
			p.end()
			p.end()
		}
		return
	}
	p.open("import", role, s)
	module := solid(s.get("module_name").text())
	if s.is("future_import_statement") {
		module = "__future__"
	}
	p.name(module)
	if star := s.part("wildcard_import"); star.valid() {
		p.bound("*", "*", star)
	}
	for c := range s.parts("name") {
		name, local := c.text(), c.text()
		if c.is("aliased_import") {
			name, local = c.get("name").text(), c.get("alias").text()
		}
		p.bound(local, name, c)
	}
	p.end()
}

// bound writes one name of an import.
func (p *pythonWriter) bound(local, of string, c piece) {
	p.open("bind", "bind", c)
	p.name(local)
	p.leaf("name", "of", of, c.from(), c.to())
	p.end()
}

// open opens a node whose children are read by name. What is broken between them
// is written first.
func (p *pythonWriter) open(kind Kind, role string, s piece) {
	p.over(kind, role, s)
	p.damage(s)
}

func (p *pythonWriter) damage(s piece) {
	if !s.valid() || s.g.sound {
		return
	}
	for c := range s.all() {
		if c.broken() {
			p.broken("", c)
		}
	}
}

// broken writes what could not be parsed, and what is whole inside of it.
func (p *pythonWriter) broken(role string, s piece) { p.salvage(role, s, p.statement, pythonSound) }

// pythonSound tells a kind that is whole in itself among broken text.
func pythonSound(kind string) bool {
	return strings.HasSuffix(kind, "_statement") || strings.HasSuffix(kind, "_definition") || kind == "block" || kind == "call"
}
