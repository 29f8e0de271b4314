package syntax

import (
	"slices"
	"strings"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// readJava reads Java.
func readJava(w *writer, text []byte, root *sitter.Node) error {
	p, err := gather(w, text, root)
	if err != nil {
		return err
	}
	j := &javaFile{writer: w, text: text}
	w.begin("file", "", 0, len(text))
	if p.broken() {
		j.salvage("", p, j.node, javaSound)
	} else {
		j.nodes("", p)
	}
	w.end()
	return w.err
}

// javaFile writes the nodes of a Java file.
type javaFile struct {
	*writer
	text    []byte
	classes []javaClass // around what is being read, the innermost last
	quick   bool        // a library of property tests is imported
}

// javaClass is what the members of a class need to know of it.
type javaClass struct {
	name     string
	open     bool // members are public unless they say otherwise
	old      bool // extends JUnit 3's TestCase
	allTests bool // is marked as a test as a whole
}

func (j *javaFile) class() javaClass {
	if n := len(j.classes); n > 0 {
		return j.classes[n-1]
	}
	return javaClass{}
}

// nodes writes everything below a piece.
func (j *javaFile) nodes(role string, p piece) {
	for c := range p.parts() {
		j.node(role, c)
	}
}

func (j *javaFile) node(role string, p piece) {
	switch {
	case !p.valid():
	case p.broken():
		j.salvage(role, p, j.node, javaSound)
	case j.declaration(role, p), j.statement(role, p), j.expression(role, p), j.rarer(role, p):
	default:
		j.over("other", role, p)
		j.detail(p.kind())
		j.nodes("", p)
		j.end()
	}
}

// javaSound tells what stands for itself also amid broken text.
func javaSound(kind string) bool {
	return strings.HasSuffix(kind, "_declaration") || strings.HasSuffix(kind, "_statement")
}

func (j *javaFile) declaration(role string, p piece) bool {
	switch p.kind() {
	case "package_declaration":
		name := p.part("scoped_identifier", "identifier")
		j.over("package", role, p)
		j.name(solid(name.text()))
		j.decorators(p)
		j.end()
	case "import_declaration":
		j.imported(role, p)
	case "module_declaration":
		j.module(role, p)
	case "class_declaration":
		j.classLike(role, p, "class")
	case "interface_declaration":
		j.classLike(role, p, "interface")
	case "enum_declaration":
		j.classLike(role, p, "enum")
	case "record_declaration":
		j.classLike(role, p, "record")
	case "annotation_type_declaration":
		j.classLike(role, p, "annotation")
	case "field_declaration", "constant_declaration":
		j.variables(role, p, Field)
	case "local_variable_declaration":
		j.variables(role, p, 0)
	case "method_declaration", "constructor_declaration", "compact_constructor_declaration", "annotation_type_element_declaration":
		j.function(role, p)
	case "static_initializer":
		b := p.part("block")
		j.over("block", role, b)
		j.flag(Static)
		j.nodes("", b)
		j.end()
	case "enum_constant":
		j.enumConstant(role, p)
	case "enum_body_declarations":
		j.nodes(role, p)
	default:
		return false
	}
	return true
}

func (j *javaFile) imported(role string, p piece) {
	name := p.part("scoped_identifier", "identifier")
	path := solid(name.text())
	j.quick = j.quick || strings.HasPrefix(path, "net.jqwik.") || strings.HasPrefix(path, "com.pholser.junit.quickcheck")
	j.over("import", role, p)
	j.name(path)
	if p.has("static") {
		j.flag(Static)
	}
	if all := p.part("asterisk"); all.valid() {
		j.over("bind", "bind", all)
		j.name("*")
		j.leaf("name", "of", "*", all.from(), all.to())
		j.end()
	} else {
		j.leaf("bind", "bind", path[strings.LastIndexByte(path, '.')+1:], name.from(), name.to())
	}
	j.end()
}

// module writes a module's descriptor: what it names stays as names.
func (j *javaFile) module(role string, p piece) {
	j.over("other", role, p)
	j.detail("module_declaration")
	j.name(solid(p.get("name").text()))
	j.decorators(p)
	for d := range p.get("body").parts() {
		if d.broken() {
			j.salvage("", d, j.node, javaSound)
			continue
		}
		j.over("other", "", d)
		j.detail(d.kind())
		for c := range d.parts() {
			if c.is("identifier", "scoped_identifier") {
				j.node("", c)
			}
		}
		j.end()
	}
	j.end()
}

// classLike writes a class, an interface, an enum, a record or an annotation type.
func (j *javaFile) classLike(role string, p piece, detail string) {
	c := javaClass{
		name:     p.get("name").text(),
		open:     detail == "interface" || detail == "annotation",
		old:      strings.HasSuffix(simpleName(p.get("superclass").part().text()), "TestCase"),
		allTests: slices.Contains(j.marks(p), "Test"),
	}
	j.over("class", role, p)
	j.name(c.name)
	j.detail(detail)
	j.modified(p, j.class().open)
	j.decorators(p)
	for f := range p.parts() {
		switch {
		case f.is("superclass", "super_interfaces", "extends_interfaces"):
			j.bases(f)
		case f.field() == "parameters":
			j.components(f)
		case f.field() == "body":
			j.members(c, f)
		case f.broken():
			j.salvage("", f, j.node, javaSound)
		}
	}
	j.end()
}

// bases writes the types below extends and implements.
func (j *javaFile) bases(p piece) {
	for t := range p.parts() {
		if t.is("type_list") {
			j.bases(t)
			continue
		}
		j.typed("base", t, "")
	}
}

func (j *javaFile) members(c javaClass, body piece) {
	j.classes = append(j.classes, c)
	j.nodes("member", body)
	j.classes = j.classes[:len(j.classes)-1]
}

// components writes what a record is made of: final fields, each with a public
// accessor.
func (j *javaFile) components(p piece) {
	for c := range p.parts("") {
		name, typ := c.get("name"), c.get("type")
		if !c.is("formal_parameter") || !name.valid() {
			continue
		}
		j.over("assign", "member", c)
		j.name(name.text())
		j.detail("=")
		j.flag(Declare | Field | Constant | Exported)
		j.decorators(c)
		j.typed("type", typ, c.get("dimensions").text())
		j.leaf("name", "target", name.text(), name.from(), name.to())
		j.end()
	}
}

func (j *javaFile) enumConstant(role string, p piece) {
	name, args, body := p.get("name"), p.get("arguments"), p.get("body")
	j.over("assign", role, p)
	j.name(name.text())
	j.detail("=")
	j.flag(Declare | Field | Constant | Static | Exported)
	j.documented(p)
	j.decorators(p)
	j.leaf("name", "target", name.text(), name.from(), name.to())
	if args.valid() || body.valid() {
		j.begin("call", "value", name.to(), p.to())
		j.flag(New)
		j.leaf("name", "callee", j.class().name, name.to(), name.to())
		j.arguments(args)
		j.anonymous(body, j.class().name)
		j.end()
	}
	j.end()
}

// anonymous writes the body that follows a new expression.
func (j *javaFile) anonymous(body piece, base string) {
	if !body.valid() {
		return
	}
	j.over("class", "body", body)
	j.detail("class")
	j.leaf("type", "base", base, body.from(), body.from())
	j.members(javaClass{}, body)
	j.end()
}

// variables writes one assignment for each name that is declared.
func (j *javaFile) variables(role string, p piece, flags Flags) {
	list := slices.Collect(p.parts("declarator"))
	for i, d := range list {
		name := d.get("name")
		if i == 0 {
			j.begin("assign", role, p.from(), lastOf(list, p, i))
		} else {
			j.over("assign", role, d)
		}
		j.name(name.text())
		j.detail("=")
		j.flag(Declare | flags)
		j.modified(p, flags == Field && j.class().open)
		if p.is("constant_declaration") {
			j.flag(Constant | Static)
		}
		if typ := p.get("type"); i == 0 {
			j.decorators(p)
			j.typed("type", typ, d.get("dimensions").text())
		} else if typ.text() != "var" {
			j.leaf("type", "type", typeName(typ.text()+d.get("dimensions").text()), d.from(), d.from())
		}
		j.leaf("name", "target", name.text(), name.from(), name.to())
		j.node("value", d.get("value"))
		j.end()
	}
	for c := range p.parts() {
		if c.broken() {
			j.salvage(role, c, j.node, javaSound)
		}
	}
}

// lastOf is where the declaration of the first of some names ends.
func lastOf(list []piece, p piece, i int) int {
	if len(list) == 1 {
		return p.to()
	}
	return list[i].to()
}

// modified sets the flags that modifiers and a comment before them give.
func (j *javaFile) modified(p piece, open bool) {
	m := p.part("modifiers")
	if m.has("public") || m.has("protected") || open && !m.has("private") {
		j.flag(Exported)
	}
	if m.has("static") {
		j.flag(Static)
	}
	if m.has("abstract") {
		j.flag(Abstract)
	}
	if m.has("final") {
		j.flag(Constant)
	}
	j.documented(p)
}

// documented looks for Javadoc directly before a declaration.
func (j *javaFile) documented(p piece) {
	for c := range j.commentsBefore(j.text, p.from()) {
		if strings.HasPrefix(c, "/**") && len(c) > len("/***/") {
			j.flag(Documented)
			return
		}
	}
}

// marks are the simple names of the annotations of a declaration.
func (j *javaFile) marks(p piece) []string {
	var out []string
	for a := range p.part("modifiers").parts() {
		if a.is("marker_annotation", "annotation") {
			out = append(out, simpleName(a.get("name").text()))
		}
	}
	return out
}

// decorators writes the annotations of a declaration.
func (j *javaFile) decorators(p piece) {
	for _, from := range []piece{p, p.part("modifiers")} {
		for a := range from.parts() {
			if a.is("marker_annotation", "annotation") {
				j.annotation("decorator", a)
			}
		}
	}
}

func (j *javaFile) annotation(role string, p piece) {
	j.over("decorator", role, p)
	j.name(solid(p.get("name").text()))
	for a := range p.get("arguments").parts() {
		if !a.is("element_value_pair") {
			j.node("arg", a)
			continue
		}
		j.over("entry", "arg", a)
		j.name(a.get("key").text())
		j.flag(Keyword)
		j.node("value", a.get("value"))
		j.end()
	}
	j.end()
}

// typed writes a type; var says none.
func (j *javaFile) typed(role string, p piece, more string) {
	if p.valid() && p.text() != "var" {
		j.leaf("type", role, typeName(p.text()+more), p.from(), p.to())
	}
}
