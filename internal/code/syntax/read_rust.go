package syntax

import (
	"slices"
	"strings"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// readRust reads Rust.
func readRust(w *writer, text []byte, root *sitter.Node) error {
	p, err := gather(w, text, root)
	if err != nil {
		return err
	}
	r := &rustFile{writer: w, text: text, again: &reparser{g: p.g}}
	defer r.again.close()
	w.begin("file", "", 0, len(text))
	if r.innerDoc(0) {
		w.flag(Documented)
	}
	if p.broken() {
		r.salvage("", p, r.node, rustSound)
	} else {
		r.list("", p)
	}
	w.end()
	if slices.ContainsFunc(slices.Collect(p.parts()), func(c piece) bool { return c.is("inner_attribute_item") && rustTestOnly(c) }) {
		r.mark(0)
	}
	return w.err
}

// rustFile writes the nodes of a Rust file.
type rustFile struct {
	*writer
	text  []byte
	again *reparser
	owner rustOwner
	depth int // of macros in macros
}

// rustOwner is what the items of a block belong to.
type rustOwner struct {
	kind string // "impl", "trait", "enum"; "" for a module or a body
	name string
	open bool // members of a public trait are public
}

// rustSound tells what stands for itself also amid broken text.
func rustSound(kind string) bool {
	return strings.HasSuffix(kind, "_item") && kind != "attribute_item" || kind == "use_declaration" || kind == "let_declaration" || kind == "expression_statement"
}

// list writes everything below a piece, attributes with what they belong to.
func (r *rustFile) list(role string, p piece) {
	var attributes []piece
	for c := range p.parts() {
		switch c.kind() {
		case "attribute_item":
			attributes = append(attributes, c)
		case "visibility_modifier", "label", "lifetime", "shebang", "mutable_specifier", "empty_statement":
		default:
			r.item(role, attributes, c)
			attributes = nil
		}
	}
	r.loose(attributes)
}

// item writes a statement or declaration with its attributes. What is compiled
// for tests alone is marked as such, to the last node.
func (r *rustFile) item(role string, attributes []piece, p piece) {
	at := len(r.nodes)
	if !r.declaration(role, attributes, p) {
		r.loose(attributes)
		r.node(role, p)
	}
	if slices.ContainsFunc(attributes, rustTestOnly) {
		r.mark(at)
	}
}

// mark makes everything written since then test code.
func (r *rustFile) mark(from int) {
	for i := min(from, len(r.nodes)); i < len(r.nodes); i++ {
		n := &r.nodes[i]
		if kinds[n.kind] == "func" && n.flags&Test == 0 {
			n.flags |= Support
		}
		n.flags |= Test
	}
}

// loose writes attributes of what cannot have them here.
func (r *rustFile) loose(attributes []piece) {
	for _, a := range attributes {
		r.attribute("", a)
	}
}

func (r *rustFile) node(role string, p piece) {
	switch {
	case !p.valid():
	case p.broken():
		r.salvage(role, p, r.node, rustSound)
	case r.declaration(role, nil, p), r.control(role, p), r.expression(role, p), r.rarer(role, p), r.pattern(role, p):
	default:
		r.over("other", role, p)
		r.detail(p.kind())
		r.list("", p)
		r.end()
	}
}

func (r *rustFile) declaration(role string, attributes []piece, p piece) bool {
	switch p.kind() {
	case "inner_attribute_item", "attribute_item":
		r.attribute(role, p)
	case "use_declaration":
		r.use(role, attributes, p)
	case "extern_crate_declaration":
		r.externCrate(role, attributes, p)
	case "mod_item":
		r.module(role, attributes, p)
	case "function_item", "function_signature_item":
		r.function(role, attributes, p)
	case "struct_item", "union_item", "enum_item", "trait_item", "impl_item", "type_item", "associated_type":
		r.classLike(role, attributes, p)
	case "const_item", "static_item":
		r.constant(role, attributes, p)
	case "let_declaration":
		r.let(role, attributes, p)
	case "foreign_mod_item":
		r.head("other", role, attributes, p)
		r.detail(p.kind())
		r.list("", p.get("body"))
		r.end()
	case "macro_definition":
		r.head("other", role, attributes, p)
		r.detail(p.kind())
		r.name(p.get("name").text())
		for rule := range p.parts() {
			r.tokens("", rule.get("right"))
		}
		r.end()
	default:
		return false
	}
	return true
}

// head opens a node that begins with its attributes, and writes them.
func (r *rustFile) head(kind Kind, role string, attributes []piece, p piece) {
	from := p.from()
	if len(attributes) > 0 {
		from = attributes[0].from()
	}
	r.begin(kind, role, from, p.to())
	if v := p.part("visibility_modifier"); v.text() == "pub" {
		r.flag(Exported)
	}
	if r.documented(attributes, p) {
		r.flag(Documented)
	}
	for _, a := range attributes {
		r.attribute("decorator", a)
	}
}

// documented looks for a doc comment before the item or one of its attributes,
// and for #[doc].
func (r *rustFile) documented(attributes []piece, p piece) bool {
	for _, a := range append(slices.Clone(attributes), p) {
		for c := range r.commentsBefore(r.text, a.from()) {
			if strings.HasPrefix(c, "///") && !strings.HasPrefix(c, "////") || strings.HasPrefix(c, "/**") && !strings.HasPrefix(c, "/***") && c != "/**/" {
				return true
			}
		}
		if t := a.part("attribute"); t.valid() && t.part().text() == "doc" && !strings.Contains(t.get("arguments").text(), "hidden") {
			return true
		}
	}
	return false
}

// innerDoc tells whether the first thing after from is a comment that documents
// what it stands in.
func (r *rustFile) innerDoc(from int) bool {
	i, _ := slices.BinarySearchFunc(r.comments, from, func(c Comment, from int) int { return int(c.From) - from })
	if i >= len(r.comments) {
		return false
	}
	c := r.comments[i]
	text := string(r.text[c.From:c.To])
	return strings.TrimSpace(string(r.text[from:c.From])) == "" && (strings.HasPrefix(text, "//!") || strings.HasPrefix(text, "/*!"))
}

func (r *rustFile) attribute(role string, p piece) {
	a := p.part("attribute")
	r.over("decorator", role, p)
	r.name(solid(a.part().text()))
	r.node("arg", a.get("value"))
	if args := a.get("arguments"); args.valid() {
		r.macroArguments("", args)
	}
	r.end()
}

// rustTests are the last parts of the attributes that make a function a test.
var rustTests = []string{"test", "bench", "rstest", "test_case", "wasm_bindgen_test", "quickcheck", "proptest", "gtest"}

func rustTest(attribute piece) bool {
	name := solid(attribute.part("attribute").part().text())
	return slices.Contains(rustTests, name[strings.LastIndexByte(name, ':')+1:])
}

// rustTestOnly tells an attribute that keeps what it belongs to out of
// everything but tests.
func rustTestOnly(p piece) bool {
	a := p.part("attribute")
	return a.valid() && a.part().text() == "cfg" && onlyTest(solid(inside(a.get("arguments").text())))
}

// onlyTest tells a condition that holds in tests alone.
func onlyTest(cond string) bool {
	if cond == "test" {
		return true
	}
	inner, all := strings.CutPrefix(cond, "all(")
	if !all {
		var some bool
		if inner, some = strings.CutPrefix(cond, "any("); !some {
			return false
		}
	}
	parts := splitTop(strings.TrimSuffix(inner, ")"))
	if all {
		return slices.ContainsFunc(parts, onlyTest)
	}
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(s string) bool { return !onlyTest(s) })
}

// splitTop splits at commas outside of brackets.
func splitTop(s string) (out []string) {
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	if from < len(s) {
		out = append(out, s[from:])
	}
	return out
}
