package syntax

import (
	"slices"
	"strings"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// readCSharp reads C#.
func readCSharp(w *writer, text []byte, root *sitter.Node) error {
	p, err := gather(w, text, root)
	if err != nil {
		return err
	}
	c := &csharpFile{writer: w, text: text, space: soleNamespace(p)}
	w.begin("file", "", 0, len(text))
	if p.broken() {
		c.salvage("", p, c.node, csharpSound)
	} else {
		c.statements("", p, len(text))
	}
	w.end()
	return w.err
}

// csharpFile writes the nodes of a C# file.
type csharpFile struct {
	*writer
	text    []byte
	space   []piece // the one namespace of the file, the outermost part first
	classes []csharpClass
}

// csharpClass is what the members of a type need to know of it.
type csharpClass struct {
	name string
	open bool // members are public unless they say otherwise
}

func (c *csharpFile) class() csharpClass {
	if n := len(c.classes); n > 0 {
		return c.classes[n-1]
	}
	return csharpClass{}
}

// soleNamespace is the namespace that everything in a file lies in, with those
// inside that hold all of it. A file of several namespaces has none.
func soleNamespace(p piece) (out []piece) {
	for {
		var found piece
		for x := range p.parts() {
			switch {
			case x.is("file_scoped_namespace_declaration"):
				return append(out, x)
			case x.is("using_directive", "extern_alias_directive", "global_attribute") || x.broken():
			case found.valid() || !x.is("namespace_declaration"):
				return out
			default:
				found = x
			}
		}
		if !found.valid() {
			return out
		}
		out, p = append(out, found), found.get("body")
	}
}

// value tells what stands for itself among the children of a node: the words
// this and base, too.
func (c *csharpFile) value(p piece) bool { return p.named() || p.is("this", "base") }

// nodes writes everything below a piece.
func (c *csharpFile) nodes(role string, p piece) {
	for x := range p.all() {
		if c.value(x) {
			c.node(role, x)
		}
	}
}

func (c *csharpFile) node(role string, p piece) {
	switch {
	case !p.valid() || p.is("modifier", "type_parameter_list", "type_parameter_constraints_clause"):
	case p.broken():
		c.salvage(role, p, c.node, csharpSound)
	case c.declaration(role, p), c.statement(role, p), c.expression(role, p), c.rarer(role, p):
	default:
		c.over("other", role, p)
		c.detail(p.kind())
		c.nodes("", p)
		c.end()
	}
}

// csharpSound tells what stands for itself also amid broken text.
func csharpSound(kind string) bool {
	return strings.HasSuffix(kind, "_declaration") || strings.HasSuffix(kind, "_statement") || kind == "using_directive"
}

func (c *csharpFile) declaration(role string, p piece) bool {
	switch p.kind() {
	case "namespace_declaration", "file_scoped_namespace_declaration":
		c.namespace(role, p)
	case "using_directive":
		c.using(role, p)
	case "class_declaration", "struct_declaration", "interface_declaration", "record_declaration", "enum_declaration":
		c.classLike(role, p)
	case "delegate_declaration":
		c.delegate(role, p)
	case "declaration_list", "enum_member_declaration_list", "global_statement":
		c.nodes(role, p)
	case "enum_member_declaration":
		c.enumMember(role, p)
	case "field_declaration", "event_field_declaration":
		c.variables(role, p, p.part("variable_declaration"), Field)
	case "property_declaration", "event_declaration", "indexer_declaration":
		c.property(role, p)
	case "method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration", "conversion_operator_declaration",
		"local_function_statement":
		c.function(role, p)
	case "attribute_list":
		c.nodes(role, p)
	case "attribute":
		c.attribute(role, p)
	case "preproc_if":
		c.conditional(role, p)
	default:
		return false
	}
	return true
}

// namespace writes the namespace of a whole file as its package, of which what
// lies in it is a part of the file, and any other as a module inside of it.
func (c *csharpFile) namespace(role string, p piece) {
	name, body := p.get("name"), p.get("body")
	at := slices.IndexFunc(c.space, func(s piece) bool { return s.i == p.i })
	if at < 0 {
		c.over("class", role, p)
		c.name(solid(name.text()))
		c.detail("namespace")
		c.flag(Module | Exported)
		c.nodes("member", body)
		c.end()
		return
	}
	if at == len(c.space)-1 {
		var names []string
		for _, s := range c.space {
			names = append(names, solid(s.get("name").text()))
		}
		c.leaf("package", role, strings.Join(names, "."), p.from(), name.to())
	}
	c.nodes(role, body)
}

// using writes an import: of all types of a namespace, of the static members of
// a type, or of one thing under another name.
func (c *csharpFile) using(role string, p piece) {
	alias, of := p.get("name"), piece{}
	for x := range p.parts() {
		if x.i != alias.i {
			of = x
		}
	}
	if alias.valid() && !of.is("identifier", "qualified_name", "alias_qualified_name", "generic_name") {
		c.over("class", role, p) // a name for a type that has none
		c.name(alias.text())
		c.detail("alias")
		c.typed("base", of)
		c.end()
		return
	}
	c.over("import", role, p)
	c.name(rooted(plainType(of.text())))
	if p.has("static") {
		c.flag(Static)
	}
	if p.has("global") {
		c.flag(Reexport)
	}
	if alias.valid() {
		c.leaf("bind", "bind", alias.text(), alias.from(), alias.to())
	} else {
		c.over("bind", "bind", of)
		c.name("*")
		c.leaf("name", "of", "*", of.from(), of.to())
		c.end()
	}
	c.end()
}

// rooted is a name without the word that says that it is a full one.
func rooted(name string) string { return strings.TrimPrefix(name, "global::") }

// decorators writes the attributes of a declaration.
func (c *csharpFile) decorators(p piece) {
	for x := range p.parts() {
		if x.is("attribute_list") {
			c.nodes("decorator", x)
		}
	}
}

func (c *csharpFile) attribute(role string, p piece) {
	c.over("decorator", role, p)
	c.name(rooted(plainType(p.get("name").text())))
	for a := range p.part("attribute_argument_list").parts() {
		name := a.part()
		if name.is("assignment_expression") {
			c.set("arg", name, Keyword)
		} else if a.part("=", ":").valid() && name.is("identifier") {
			c.over("entry", "arg", a)
			c.name(name.text())
			c.flag(Keyword)
			c.last("value", a)
			c.end()
		} else {
			c.nodes("arg", a)
		}
	}
	c.end()
}

// last writes the last child of a piece.
func (c *csharpFile) last(role string, p piece) {
	var last piece
	for x := range p.all() {
		if c.value(x) {
			last = x
		}
	}
	c.node(role, last)
}

// conditional writes what is only compiled where a symbol is set. Declarations
// and statements stand as if there were no condition; where some of the
// statements leave, as what is done on a condition that is not known.
func (c *csharpFile) conditional(role string, p piece) {
	leaves := false
	for x := range p.parts() {
		leaves = leaves || x.is("return_statement", "throw_statement", "break_statement", "continue_statement")
	}
	if !leaves {
		for x := range p.parts() {
			if x.field() != "condition" && !x.is("preproc_else", "preproc_elif") {
				c.node(role, x)
			}
		}
		if other := p.get("alternative"); other.valid() {
			c.conditional(role, other)
		}
		return
	}
	c.over("if", role, p)
	cond := p.get("condition")
	if !cond.valid() { // an else
		cond = p
	}
	c.begin("other", "cond", cond.from(), cond.to())
	c.detail("preproc_condition")
	c.end()
	c.over("block", "then", p)
	for x := range p.parts() {
		if x.field() != "condition" && !x.is("preproc_else", "preproc_elif") {
			c.node("", x)
		}
	}
	c.end()
	if other := p.get("alternative"); other.valid() {
		c.over("block", "else", other)
		c.conditional("", other)
		c.end()
	}
	c.end()
}
