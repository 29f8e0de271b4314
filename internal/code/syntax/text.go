package syntax

import (
	"slices"
	"strings"
)

// maxText bounds how far the text of an expression is followed, in expressions in
// each other.
const maxText = 12

// Text is the constant text of an expression: written out, put together, of a
// variable that is given one value, or of a parameter that one call fills. ok is
// false for any other. What a value may be besides is asked of the intermediate
// language.
func (p *Program) Text(n Node) (text string, ok bool) { return p.text(n, 0) }

func (p *Program) text(n Node, depth int) (string, bool) {
	if depth > maxText {
		return "", false
	}
	switch n.Kind() {
	case "string":
		return n.Name(), true
	case "template":
		var parts []Node
		return p.joined(slices.AppendSeq(parts, n.Children("")), depth)
	case "binary":
		if n.Detail() == "+" {
			return p.joined([]Node{n.Child("left"), n.Child("right")}, depth)
		}
	case "cast":
		return p.text(n.Child("value"), depth+1)
	case "unary":
		if n.Detail() == "&" || n.Detail() == "*" || n.Detail() == "(" {
			return p.text(n.Child("value"), depth+1)
		}
	case "name", "member":
		if v := p.only(p.Declared(n)); v.Valid() {
			return p.text(v, depth+1)
		}
	}
	return "", false
}

func (p *Program) joined(parts []Node, depth int) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		text, ok := p.text(part, depth+1)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// only is the one value that a variable, a constant field or a parameter has.
func (p *Program) only(d Node) Node {
	switch {
	case d.Is("param"):
		if callers := p.productive(d.Parent()); len(callers) == 1 && !open(d.Parent()) {
			return argument(callers[0], d.Parent(), d)
		}
		return Node{}
	case !d.Is("name") || len(p.Given(d)) > 0:
		return Node{}
	}
	by := declaring(d)
	if !by.Is("assign") || by.Has(Field) && !by.Has(Constant) || d.Role() != "target" {
		if v := d.Parent().Child("value"); d.Parent().Has(Constant) {
			return v
		}
		return Node{}
	}
	values, at, count := slices.Collect(by.Children("value")), 0, 0
	for t := range by.Children("target") {
		if t == d {
			at = count
		}
		count++
	}
	if len(values) != count {
		return Node{}
	}
	return values[at]
}

// Declared is the first-party declaration that a name or member means: a
// parameter, the name of a variable, a function or a class.
func (p *Program) Declared(n Node) Node {
	r := resolver{p: p}
	switch n.Kind() {
	case "name":
		d := n.lookup(n.Name())
		if !d.Valid() {
			if n.File().Language == "go" {
				return p.top(p.index().homes[p.Home(n.File())], n.Name())
			}
			return Node{}
		}
		if d.Is("bind") {
			return r.importedDeclaration(d)
		}
		return d
	case "member":
		m := r.object(n.Child("object"))
		switch {
		case len(m.files) > 0:
			d := p.top(m.files, n.Name())
			if d.Is("bind") {
				return r.importedDeclaration(d)
			}
			return d
		case m.node.Is("class"):
			f := r.field(m.node, n.Name())
			if f.Is("assign") && f.Child("target").Valid() {
				return f.Child("target")
			}
			return f
		}
	default:
	}
	return Node{}
}

// importedDeclaration is what an imported name is declared as.
func (r *resolver) importedDeclaration(b Node) Node {
	for range maxBases { // from one re-export to the next
		of := b.Child("of")
		switch {
		case !of.Valid():
			return Node{}
		case !b.Parent().Is("import"):
			return of.lookup(of.Name())
		}
		d := r.p.top(r.module(b.Parent()).files, of.Name())
		if !d.Is("bind") {
			return d
		}
		b = d
	}
	return Node{}
}

// productive are the callers of a function outside of tests.
func (p *Program) productive(fn Node) []Node {
	var out []Node
	for _, c := range p.Callers(fn) {
		if c.File().Scope != "test" && !inTest(c) {
			out = append(out, c)
		}
	}
	return out
}

// inTest tells code of a test case.
func inTest(n Node) bool {
	for a := range n.Around() {
		if a.Has(Test) {
			return true
		}
	}
	return false
}

// open tells a function that may be called from outside of what is read: what
// is exported, has no name, implements something, or is handed on as a value.
func open(fn Node) bool {
	return fn.Has(Exported) || fn.Has(Lambda) && !fn.Parent().Is("assign") || fn.Child("decorator").Valid() || fn.Has(Method) && fn.File().Language != "rust"
}

// argument is what a call gives a parameter of a function.
func argument(call, fn, param Node) Node {
	at, i := -1, 0
	for x := range fn.Children("param") {
		if x == param {
			at = i
		}
		if name := x.Name(); name != "self" && name != "this" {
			i++
		}
	}
	i = 0
	for a := range call.Children("arg") {
		switch {
		case a.Has(Keyword):
			if a.Name() == param.Name() {
				return a
			}
		case a.Is("unary") && a.Detail() == "...":
			return a
		case i == at:
			return a
		}
		i++
	}
	return Node{}
}

func orNode(a, b Node) Node {
	if a.Valid() {
		return a
	}
	return b
}
