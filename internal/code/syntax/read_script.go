package syntax

import (
	"slices"
	"strings"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// readScript reads JavaScript and TypeScript, with or without JSX: the grammars
// of the three name their nodes alike.
func readScript(w *writer, text []byte, root *sitter.Node) error {
	top, err := gather(w, text, root)
	if err != nil {
		return err
	}
	s := &scriptWriter{writer: w, src: text, exported: exportedNames(top)}
	w.begin("file", "", 0, len(text))
	if top.broken() {
		s.broken("", top)
	} else {
		s.statements("", top)
	}
	w.end()
	return w.err
}

// scriptWriter writes the nodes of a file in JavaScript or TypeScript.
type scriptWriter struct {
	*writer
	src      []byte
	exported map[string]bool // names of the file that are exported apart from their declarations
	nested   int             // blocks, functions and classes around
	inside   int             // functions around
	outer    outer
	overload string // the function whose documented signature was the last statement
}

// outer is what stands around a declaration and belongs to it.
type outer struct {
	valid    bool
	from, to int
	flags    Flags
	marks    []piece // decorators
}

// statements writes the children of a program or a block.
func (s *scriptWriter) statements(role string, p piece) {
	for c := range p.parts() {
		s.statement(role, c)
	}
}

func (s *scriptWriter) statement(role string, p piece) {
	if s.err != nil {
		return
	}
	switch p.kind() {
	case "expression_statement":
		for c := range p.parts() {
			s.expr(role, c)
		}
	case "statement_block":
		s.block(role, p)
	case "empty_statement":
	case "import_statement":
		s.imported(role, p)
	case "export_statement":
		s.export(role, p)
	case "lexical_declaration", "variable_declaration", "using_declaration":
		s.variables(role, p)
	case "return_statement", "throw_statement":
		s.open(Kind(strings.TrimSuffix(p.kind(), "_statement")), role, p)
		s.exprs("value", p)
		s.end()
	case "break_statement", "continue_statement":
		s.open(Kind(strings.TrimSuffix(p.kind(), "_statement")), role, p)
		s.name(p.get("label").text())
		s.end()
	case "labeled_statement":
		s.statement(role, p.get("body"))
	case "import_alias", "enum_declaration", "interface_declaration", "type_alias_declaration", "ambient_declaration",
		"module", "internal_module":
		s.typescript(role, p)
	case "class_declaration", "abstract_class_declaration":
		s.class(role, p)
	case "function_declaration", "generator_function_declaration", "function_signature", "method_definition":
		s.function(role, p)
	default:
		s.control(role, p)
	}
}

func (s *scriptWriter) block(role string, p piece) {
	s.over("block", role, p)
	s.nested++
	s.statements("", p)
	s.nested--
	s.end()
}

// control writes statements that hold others.
func (s *scriptWriter) control(role string, p piece) {
	switch p.kind() {
	case "if_statement":
		s.open("if", role, p)
		s.expr("cond", p.get("condition"))
		s.statement("then", p.get("consequence"))
		s.statement("else", p.get("alternative").part())
		s.end()
	case "for_statement":
		s.open("loop", role, p)
		s.detail("for")
		s.statement("init", p.get("initializer"))
		s.statement("cond", p.get("condition"))
		s.expr("step", p.get("increment"))
		s.statement("body", p.get("body"))
		s.end()
	case "for_in_statement":
		s.each(role, p)
	case "while_statement", "do_statement":
		s.open("loop", role, p)
		s.detail(strings.TrimSuffix(p.kind(), "_statement"))
		if p.kind() == "do_statement" {
			s.statement("body", p.get("body"))
			s.expr("cond", p.get("condition"))
		} else {
			s.expr("cond", p.get("condition"))
			s.statement("body", p.get("body"))
		}
		s.end()
	case "switch_statement":
		s.open("switch", role, p)
		s.detail("switch")
		s.expr("subject", p.get("value"))
		for c := range p.get("body").parts() {
			s.switchCase(c)
		}
		s.end()
	case "try_statement":
		s.try(role, p)
	case "with_statement", "debugger_statement":
		s.open("other", role, p)
		s.detail(p.kind())
		s.expr("", p.get("object"))
		s.statement("body", p.get("body"))
		s.end()
	default:
		s.expr(role, p)
	}
}

func (s *scriptWriter) each(role string, p piece) {
	s.open("loop", role, p)
	s.detail("each")
	if p.has("await") {
		s.flag(Async)
	}
	flags := Flags(0)
	if p.get("kind").valid() {
		flags = Declare
	}
	s.pattern("target", p.get("left"), flags)
	s.expr("over", p.get("right"))
	s.statement("body", p.get("body"))
	s.end()
}

func (s *scriptWriter) switchCase(p piece) {
	if p.broken() {
		s.broken("", p)
		return
	}
	s.open("case", "case", p)
	s.expr("match", p.get("value"))
	from, to := p.to(), p.to()
	for c := range p.parts("body") {
		from = min(from, c.from())
	}
	s.begin("block", "body", from, to)
	s.nested++
	for c := range p.parts("body") {
		s.statement("", c)
	}
	s.nested--
	s.end()
	s.end()
}

func (s *scriptWriter) try(role string, p piece) {
	s.open("try", role, p)
	s.statement("body", p.get("body"))
	if c := p.get("handler"); c.valid() {
		s.open("catch", "catch", c)
		s.pattern("target", c.get("parameter"), Declare)
		s.typed("type", c.get("type"))
		s.statement("body", c.get("body"))
		s.end()
	}
	if c := p.get("finalizer"); c.valid() {
		s.statement("finally", c.get("body"))
	}
	s.end()
}

// open opens a node whose children are read by name. What is broken between
// them is written first, since nobody else would.
func (s *scriptWriter) open(kind Kind, role string, p piece) {
	s.over(kind, role, p)
	s.damage(p)
}

func (s *scriptWriter) damage(p piece) {
	if !p.valid() || p.g.sound {
		return
	}
	for c := range p.all() {
		if c.broken() {
			s.broken("", c)
		}
	}
}

// broken writes what could not be parsed, and what is whole inside of it.
func (s *scriptWriter) broken(role string, p piece) { s.salvage(role, p, s.statement, survives) }

// survives tells a kind that is whole in itself among broken text.
func survives(kind string) bool {
	switch kind {
	case "statement_block", "function_expression", "arrow_function", "method_definition", "call_expression", "new_expression",
		"class", "jsx_element", "jsx_self_closing_element":
		return true
	}
	return strings.HasSuffix(kind, "_statement") || strings.HasSuffix(kind, "_declaration")
}

// fileTags mark a comment that speaks of the file.
var fileTags = []string{"@packageDocumentation", "@file", "@overview", "@module", "@license", "@copyright", "@preserve", "@jest-environment"}

// documented tells whether a JSDoc comment belongs to what begins at from:
// other comments may stand between, as TypeScript has it.
func (s *scriptWriter) documented(from int) bool {
	for text := range s.commentsBefore(s.src, from) {
		if strings.HasPrefix(text, "/**") && len(text) > len("/***/") {
			return !slices.ContainsFunc(fileTags, func(tag string) bool { return strings.Contains(text, tag) })
		}
	}
	return false
}
