package lower

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// other lowers what has no word in the tree but is known by the grammar's.
func (b *body) other(n syntax.Node) il.Operand {
	switch n.Detail() {
	case "":
		if n.Is("decorator") { // an annotation as a value
			in := &il.Instr{Op: il.Make, Kind: "map", Span: span(n)}
			b.arguments(n, in)
			return b.value(in)
		}
		return b.unknown(n)
	case "ellipsis":
		return b.free("Ellipsis")
	case "slice", "default_expression", "sizeof_expression": // of a value that is not known
		for c := range n.Children() {
			b.expr(c)
		}
		return il.Operand{}
	case "print_statement": // of Python 2
		in := &il.Instr{Op: il.Call, Kind: "print", Args: []il.Operand{b.free("print")}, Names: []string{}, Span: span(n)}
		for c := range n.Children() {
			in.Args, in.Names = append(in.Args, b.expr(c)), append(in.Names, "")
		}
		return b.value(in)
	case "sequence_expression":
		var last il.Operand
		for c := range n.Children() {
			last = b.expr(c)
		}
		return last
	case "assert_statement":
		b.assert(n)
		return b.none()
	case "preproc_condition": // of a symbol that a build sets
		return il.Operand{}
	case "synchronized_statement": // others may have been in before
		b.value(&il.Instr{Op: il.Call, Kind: "synchronized", Args: []il.Operand{{}}, Names: []string{}, Span: il.Span{From: uint32(n.Start()), To: uint32(n.Start())}})
		for c := range n.Children() {
			b.expr(c)
		}
		return b.none()
	case "with_statement", "labeled_statement", "unsafe_block", "ambient_declaration":
		for c := range n.Children() {
			b.expr(c)
		}
		return b.none()
	case "module":
		if text := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(strings.TrimPrefix(n.Text(), "declare"), " "), "module"), " "); text != "" && (text[0] == '"' || text[0] == '\'') {
			return b.none() // types of a module elsewhere
		}
		return b.unknown(n)
	default:
		if nothing[n.Detail()] {
			return b.none()
		}
		return b.unknown(n)
	}
}

// nothing are constructs that do nothing when they are run: they tell a compiler
// of types, modules and macros.
var nothing = set("global_statement", "nonlocal_statement", "debugger_statement", "pass_statement", "empty_statement", "line_continuation",
	"index_signature", "macro_definition", "global_attribute", "extern_alias_directive", "module_declaration", "requires_module_directive",
	"exports_module_directive", "opens_module_directive", "provides_module_directive", "uses_module_directive")

// markup lowers an element of JSX: a call of its component with a map of what it is
// given, or, where it has none, that map.
func (b *body) markup(n syntax.Node) il.Operand {
	in := &il.Instr{Op: il.Make, Kind: "map", Span: span(n)}
	put := func(name string, v il.Operand) { in.Args, in.Names = append(in.Args, v), append(in.Names, name) }
	var inside []il.Operand
	for c := range n.Children("") {
		switch {
		case c.Is("entry") && !c.Child("value").Valid(): // one that is only named is true
			put(c.Name(), b.truth(true))
		case c.Is("entry"):
			put(c.Name(), b.expr(c.Child("value")))
		case c.Is("unary") && c.Detail() == "...":
			put("**", b.expr(c.Child("value")))
		default:
			inside = append(inside, b.expr(c))
		}
	}
	if len(inside) > 0 {
		put("children", b.value(&il.Instr{Op: il.Make, Kind: "list", Args: inside, Names: make([]string, len(inside)), Span: span(n)}))
	}
	given := b.value(in)
	callee := n.Child("callee")
	if !callee.Valid() {
		return given
	}
	return b.value(&il.Instr{Op: il.Call, Kind: b.written(callee), Args: []il.Operand{b.expr(callee), given}, Names: []string{""}, Span: span(n)})
}

// matches is the pattern of Rust's matches!.
func matches(n syntax.Node) syntax.Node {
	if n.Is("call") && n.Has(syntax.Macro) && n.Nth("arg", 1).Is("case") {
		return n.Nth("arg", 1)
	}
	return syntax.Node{}
}

// assert leaves by an exception where its condition does not hold, in languages
// that run assertions.
func (b *body) assert(n syntax.Node) {
	cond := n.Nth("", 0)
	if !cond.Valid() {
		return
	}
	if !b.language.asserts {
		b.expr(cond)
		return
	}
	yes, no := b.block(), b.block()
	b.cond(cond, yes, no)
	b.now = no
	v := il.Operand{}
	if message := n.Nth("", 1); message.Valid() {
		v = b.expr(message)
	}
	b.raise(v, span(n))
	b.now = yes
}

// typeParams binds the types that a function of Go is given, or that its receiver
// names, to what is not known. The tree does not have them.
func (b *body) typeParams(n syntax.Node) {
	text := n.Child("receiver").Child("type").Name()
	if !n.Child("receiver").Valid() {
		_, text, _ = strings.Cut(n.Text(), n.Name())
	}
	from := strings.IndexByte(text, '[')
	if b.m.Language != "go" || from < 0 || strings.ContainsAny(text[:from], "()") || n.Has(syntax.Lambda) {
		return
	}
	depth, start := 0, from+1
	for i, c := range text[from:] {
		switch {
		case strings.ContainsRune("[({", c):
			depth++
		case strings.ContainsRune("])}", c):
			depth--
		}
		if depth == 0 || depth == 1 && c == ',' {
			if name, _, _ := strings.Cut(strings.TrimSpace(text[start:from+i]), " "); name != "" {
				b.emit(&il.Instr{Op: il.Bind, Dst: b.declare(name), Args: []il.Operand{{}}, Span: span(n)})
			}
			start = from + i + 1
		}
		if depth == 0 {
			return
		}
	}
}
