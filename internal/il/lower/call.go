package lower

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// maxWritten bounds a callee as it is written, in bytes.
const maxWritten = 200

// call lowers a call. A method of a container that puts its argument in changes
// the container; a call that does not come back ends its block.
func (b *body) call(n syntax.Node) il.Operand {
	if matches(n).Valid() {
		return b.truthOf(n)
	}
	callee := n.Child("callee")
	name := b.written(callee)
	if n.Has(syntax.Macro) {
		name += "!"
	}
	in := &il.Instr{Op: il.Call, Kind: name, Span: span(n)}
	var object il.Operand
	switch {
	case n.Has(syntax.Macro):
		in.Args = []il.Operand{b.free(name)}
	case callee.Is("member"):
		object = b.expr(callee.Child("object"))
		in.Args = []il.Operand{b.value(&il.Instr{Op: il.Get, Kind: "attr", Args: []il.Operand{object, b.text(callee.Name())}, Span: span(callee)})}
	default:
		in.Args = []il.Operand{b.expr(callee)}
	}
	if n.Has(syntax.New) {
		in.Mode = il.New
	}
	b.arguments(n, in)
	if n.Is("template") {
		for c := range n.Children("") {
			in.Args, in.Names = append(in.Args, b.expr(c)), append(in.Names, "")
		}
	}
	if body := n.Child("body"); body.Valid() {
		in.Args, in.Names = append(in.Args, b.class(body)), append(in.Names, "")
	}
	v := b.value(in)
	if b.language.adds[callee.Name()] && callee.Is("member") && len(in.Args) > 1 {
		key := b.none()
		if len(in.Args) > 2 {
			key = in.Args[1]
		}
		b.change("add", callee.Child("object"), object, key, in.Args[len(in.Args)-1], span(n))
	}
	b.leaves(name, in)
	return v
}

// leaves ends the block behind a call that does not come back.
func (b *body) leaves(name string, in *il.Instr) {
	first, _, _ := strings.Cut(strings.TrimSuffix(name, "!"), ".")
	if x, ok := b.find(first); ok && b.f.Kind != il.Top && x < int32(len(b.f.Params)) {
		return // a parameter of that name is something else
	}
	switch {
	case b.language.exits[name]:
		b.end(&il.Instr{Op: il.Exit, Span: in.Span}, nil)
	case b.language.raises[name]:
		v := il.Operand{}
		if len(in.Args) > 1 {
			v = in.Args[1]
		}
		b.raise(v, in.Span)
	}
}

// arguments lowers the arguments of a call with their names.
func (b *body) arguments(n syntax.Node, in *il.Instr) {
	in.Names = []string{}
	for a := range n.Children("arg") {
		name := ""
		switch {
		case a.Is("entry") && a.Has(syntax.Keyword):
			a, name = a.Child("value"), a.Name()
		case a.Is("unary") && (a.Detail() == "..." || a.Detail() == "**"):
			if name = "*"; a.Detail() == "**" {
				name = "**"
			}
			a = a.Child("value")
		}
		in.Args, in.Names = append(in.Args, b.expr(a)), append(in.Names, name)
	}
}

// written is a callee as it is written, without what it is called with.
func (b *body) written(n syntax.Node) string {
	var parts []string
	for range 16 {
		switch n.Kind() {
		case "name", "type":
			parts = append(parts, n.Name())
			return cut(parts)
		case "member":
			parts = append(parts, n.Name())
			n = n.Child("object")
		case "call":
			parts = append(parts, "()")
			n = n.Child("callee")
		default:
			parts = append(parts, "?")
			return cut(parts)
		}
	}
	return "?"
}

// cut joins the parts of a name, the last first.
func cut(parts []string) string {
	var w strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		if w.Len() > 0 && parts[i] != "()" {
			w.WriteByte('.')
		}
		w.WriteString(parts[i])
	}
	if s := w.String(); len(s) <= maxWritten {
		return s
	}
	return "?"
}
