package syntax

import (
	"slices"
	"strings"
)

// Part is one thing that a value is made of.
type Part struct {
	// Kind is "text" (constant text), "number" (a number or a truth value,
	// known or not), "param" (a parameter whose callers are not all known),
	// "call", "member" or "index" (what code gives that is not first-party or not
	// followed), "nil", or "unknown".
	Kind string
	Text string // text only
	Name string // of a call's callee, or a member: see Resolve
	Node Node   // the expression, or the parameter
	Via  []Node // the expressions that the value passes on its way, the last first

	at *frame
}

// Value are the parts that an expression is made of, in the order of a text
// that is put together: through local and package variables, concatenation,
// templates, format calls, first-party functions and the arguments of their
// callers. Where a variable is given several values, they follow each other:
// the order of what runs is not followed.
func (p *Program) Value(n Node) []Part {
	w := flow{p: p}
	w.expr(n, nil)
	return w.out
}

// Inside are the parts of an expression where it stands in the function that a
// part of another value comes from: its parameters are what that call gave.
func (p *Program) Inside(part Part, n Node) []Part {
	w := flow{p: p}
	w.expr(n, part.at)
	return w.out
}

// Text is the constant text of an expression; ok is false where it is not all
// known.
func (p *Program) Text(n Node) (text string, ok bool) {
	parts := p.Value(n)
	var b strings.Builder
	for _, x := range parts {
		if x.Kind != "text" {
			return "", false
		}
		b.WriteString(x.Text)
	}
	return b.String(), len(parts) > 0
}

// Bounds on how far a value is followed.
const (
	maxFlow    = 600 // expressions
	maxParts   = 60
	maxCalls   = 3 // first-party functions in each direction
	maxCallers = 12
)

// flow follows one value.
type flow struct {
	p    *Program
	out  []Part
	via  []Node
	at   *frame // of the expression that is being followed
	seen []Node // variables and functions that are being followed
	step int
	up   int // callers that were followed
}

// frame is a call whose function's results are followed.
type frame struct {
	call, fn Node
	out      *frame
	depth    int
}

func (w *flow) put(kind, name string, n Node) {
	if len(w.out) < maxParts {
		w.out = append(w.out, Part{Kind: kind, Name: name, Node: n, Via: slices.Clone(w.via), at: w.at})
	}
}

// expr follows an expression; fr says through which calls it was reached.
func (w *flow) expr(n Node, fr *frame) {
	if w.step++; w.step > maxFlow || !n.Valid() {
		w.put("unknown", "", n)
		return
	}
	was := w.at
	w.via, w.at = append(w.via, n), fr
	defer func() { w.via, w.at = w.via[:len(w.via)-1], was }()
	switch n.Kind() {
	case "string":
		w.put("text", "", n)
		w.out[len(w.out)-1].Text = n.Name()
	case "number", "bool", "regexp":
		w.put("number", "", n)
	case "nil":
		w.put("nil", "", n)
	case "template", "list":
		if n.Is("template") && len(w.out) < maxParts && !n.Child("").Valid() {
			w.put("text", "", n)
		}
		for c := range n.Children("") {
			w.expr(c, fr)
		}
	case "record":
		for c := range n.Children("") {
			w.expr(orNode(c.Child("value"), c), fr)
		}
	case "ternary":
		w.expr(n.Child("then"), fr)
		w.expr(n.Child("else"), fr)
	case "cast":
		w.expr(n.Child("value"), fr)
	case "binary":
		w.binary(n, fr)
	case "unary":
		w.unary(n, fr)
	case "name":
		w.name(n, fr)
	case "member":
		w.member(n, fr)
	case "index":
		w.index(n, fr)
	case "call":
		w.call(n, 0, fr)
	case "entry":
		w.expr(n.Child("value"), fr)
	case "assign": // x = y as an expression
		w.expr(n.Child("value"), fr)
	case "func", "class", "import":
		w.put("nil", "", n)
	default:
		w.put("unknown", "", n)
	}
}

func orNode(a, b Node) Node {
	if a.Valid() {
		return a
	}
	return b
}

func (w *flow) binary(n Node, fr *frame) {
	switch n.Detail() {
	case "+", "||", "??", "&&":
		w.expr(n.Child("left"), fr)
		w.expr(n.Child("right"), fr)
	default:
		w.put("number", "", n)
	}
}

func (w *flow) unary(n Node, fr *frame) {
	switch n.Detail() {
	case "!", "-", "++", "--", "typeof", "~", "delete", "void":
		w.put("number", "", n)
	default:
		w.expr(n.Child("value"), fr)
	}
}

func (w *flow) name(n Node, fr *frame) {
	d := w.p.Declared(n)
	switch {
	case d.Is("param"):
		w.param(n, d, fr)
	case d.Is("name"):
		w.variable(n, d, fr)
	case d.Is("func", "class"):
		w.put("nil", "", n)
	default:
		if full := w.p.Resolve(n); full != "" {
			w.put("member", full, n)
			return
		}
		w.put("unknown", "", n)
	}
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

// following tells whether a declaration is already being followed, and keeps
// it until the function that it returns is called.
func (w *flow) following(d Node) (again bool, done func()) {
	if slices.Contains(w.seen, d) {
		return true, func() {}
	}
	w.seen = append(w.seen, d)
	return false, func() { w.seen = w.seen[:len(w.seen)-1] }
}

// variable follows everything that a variable is given.
func (w *flow) variable(use, d Node, fr *frame) {
	again, done := w.following(d)
	defer done()
	if again {
		return // x = x + y
	}
	by := declaring(d)
	start := len(w.out)
	switch {
	case by.Is("assign"):
		w.assigned(by, d, fr)
	case by.Is("loop"):
		w.expr(by.Child("over"), fr)
	case by.Is("param"):
		w.param(use, by, fr)
	case by.Is("catch"):
		w.put("nil", "", d)
	default: // a field: what its class gives it
		if v := d.Parent().Child("value"); v.Valid() && d.Parent().Has(Constant) {
			w.expr(v, fr)
		} else {
			w.put("member", w.p.Resolve(use), use)
		}
	}
	for _, x := range w.p.Given(d) {
		w.given(x, fr)
	}
	if len(w.out) == start {
		w.put("unknown", "", use)
	}
}

// assigned follows the value that a declaration gives a target.
func (w *flow) assigned(by, d Node, fr *frame) {
	if by.Has(Field) && !by.Has(Constant) {
		w.put("member", w.p.Resolve(d), d)
		return
	}
	values, at, count := slices.Collect(by.Children("value")), 0, 0
	for t := range by.Children("target") {
		if t == d {
			at = count
		}
		count++
	}
	switch {
	case len(values) == 0:
		if by.Role() == "match" || by.Role() == "right" { // a pattern of a value that is elsewhere
			w.put("unknown", "", d)
		}
	case d.Role() != "target":
		w.pattern(by, d, fr)
	case len(values) == count:
		w.expr(values[at], fr)
	case values[0].Is("call"):
		w.via = append(w.via, values[0])
		w.call(values[0], at, fr)
		w.via = w.via[:len(w.via)-1]
	default:
		w.expr(values[0], fr)
	}
}

// pattern follows what a pattern takes out of a value: the entry of that name
// where the value is written out, else the whole value.
func (w *flow) pattern(by, d Node, fr *frame) {
	v := by.Child("value")
	entry := d.Parent()
	if entry.Is("entry") && v.Is("record") {
		for e := range v.Children("") {
			if e.Is("entry") && e.Name() == entry.Name() {
				w.expr(e.Child("value"), fr)
				return
			}
		}
	}
	if full := w.p.Resolve(d); full != "" {
		w.put("member", full, d)
		return
	}
	w.expr(v, fr)
}

// given follows what is put into a variable after its declaration: an
// assignment, or a call of a method that adds its arguments.
func (w *flow) given(x Node, fr *frame) {
	if x.Is("assign") {
		targets, values := slices.Collect(x.Children("target")), slices.Collect(x.Children("value"))
		for i := range targets {
			switch {
			case len(targets) == len(values):
				if w.p.root(targets[i]) == w.seen[len(w.seen)-1] {
					w.expr(values[i], fr)
				}
			case len(values) == 1 && values[0].Is("call") && w.p.root(targets[i]) == w.seen[len(w.seen)-1]:
				w.via = append(w.via, values[0])
				w.call(values[0], i, fr)
				w.via = w.via[:len(w.via)-1]
			}
		}
		return
	}
	for a := range x.Children("arg") {
		w.expr(a, fr)
	}
}

func (w *flow) member(n Node, fr *frame) {
	d := w.p.Declared(n)
	if d.Is("name") {
		w.variable(n, d, fr)
		return
	}
	w.put("member", w.p.Resolve(n), n)
}

// index follows an element: of a value that is written out, any of its
// elements.
func (w *flow) index(n Node, fr *frame) {
	object := n.Child("object")
	if d := w.p.Declared(object); d.Is("name") {
		by := declaring(d)
		if v := by.Child("value"); by.Is("assign") && v.Is("list", "record") && len(w.p.Given(d)) == 0 {
			w.expr(v, fr)
			return
		}
	}
	w.put("index", w.p.Resolve(n), n)
}
