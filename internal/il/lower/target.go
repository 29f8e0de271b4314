package lower

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// assignment lowers a declaration or assignment; its value is what it assigns.
func (b *body) assignment(n syntax.Node) il.Operand {
	declares, at := n.Has(syntax.Declare), span(n)
	var values []il.Operand
	for v := range n.Children("value") {
		values = append(values, b.expr(v))
	}
	if op := n.Detail(); len(op) > 1 && op != ":=" && op != "var" && len(values) == 1 {
		return b.augmented(n, op[:len(op)-1], values[0])
	}
	for made := range n.Child("type").Children("value") {
		b.expr(made)
	}
	targets := 0
	for range n.Children("target") {
		targets++
	}
	var result il.Operand
	i := 0
	for t := range n.Children("target") {
		v := il.Operand{}
		switch {
		case len(values) == 0 && declares:
			b.declaredOnly(t, n.Child("type"))
			continue
		case targets > 1 && len(values) == 1 && b.m.Language != "python":
			v = b.part(values[0], i, at)
		case i < len(values) && b.m.Language != "python":
			v = values[i]
		case len(values) > 0: // a = b = v
			v = values[len(values)-1]
		}
		result, i = v, i+1
		b.assign(t, b.as(v, n.Child("type"), at), declares)
	}
	b.otherwise(n, result)
	return result
}

// as keeps the type that a declaration gives a value.
func (b *body) as(v il.Operand, declared syntax.Node, at il.Span) il.Operand {
	if !declared.Valid() || declared.Name() == "" {
		return v
	}
	return b.value(&il.Instr{Op: il.Bind, Args: []il.Operand{v}, Names: []string{declared.Name()}, Span: at})
}

// declaredOnly is a declaration without a value: what the language gives it is
// not known here. In a language of whole functions it binds nothing, but tells
// the fields of a class.
func (b *body) declaredOnly(t, declared syntax.Node) {
	if !t.Is("name") || b.language.whole && b.f.Kind != il.ClassBody {
		return
	}
	in := &il.Instr{Op: il.Bind, Dst: b.declare(t.Name()), Args: []il.Operand{{}}, Span: span(t)}
	if declared.Valid() && declared.Name() != "" {
		in.Names = []string{declared.Name()}
	}
	b.emit(in)
}

// otherwise lowers Rust's "let PATTERN = v else { ... }".
func (b *body) otherwise(n syntax.Node, v il.Operand) {
	other := n.Child("else")
	if !other.Valid() {
		return
	}
	yes, no := b.block(), b.block()
	b.branch("match", span(n), yes, no, v, il.Operand{})
	b.now = no
	b.expr(other)
	b.jump(span(n), yes, yes)
}

// augmented lowers x += v and the like; x ||= v keeps what x has.
func (b *body) augmented(n syntax.Node, op string, v il.Operand) il.Operand {
	t := n.Child("target")
	old := b.expr(t)
	out := b.value(&il.Instr{Op: il.Bind, Kind: op, Args: []il.Operand{old, v}, Span: span(n)})
	b.assign(t, out, false)
	return out
}

// part is the element i of a value that is taken apart.
func (b *body) part(v il.Operand, i int, at il.Span) il.Operand {
	return b.value(&il.Instr{Op: il.Get, Kind: "item", Args: []il.Operand{v, b.position(i)}, Span: at})
}

func (b *body) position(i int) il.Operand {
	return b.constant(il.Const{Type: il.IntConst, Num: float64(i), Text: strconv.Itoa(i)})
}

// assign binds a target, or the names of a pattern, to a value.
func (b *body) assign(t syntax.Node, v il.Operand, declares bool) {
	at := span(t)
	switch t.Kind() {
	case "name":
		if declares && (!b.language.whole || len(b.collected) > 0) {
			b.declare(t.Name())
		}
		b.write(t.Name(), v, at)
	case "member":
		b.set("attr", t.Child("object"), b.text(t.Name()), v, at)
	case "index":
		b.set("item", t.Child("object"), b.key(t), v, at)
	case "list", "record":
		b.unpack(t, v, declares)
	case "entry":
		b.assign(t.Child("value"), v, declares)
	case "binary":
		b.assignBinary(t, v, declares)
	case "unary":
		if t.Detail() == "*" && !declares && b.m.Language != "python" {
			b.set("attr", t.Child("value"), b.text("*"), v, at)
			return
		}
		b.assign(t.Child("value"), v, declares)
	case "assign": // a name with its type in a pattern
		for c := range t.Children("target") {
			b.assign(c, v, true)
		}
	case "other", "cast":
		for c := range t.Children() {
			b.assign(c, b.value(&il.Instr{Op: il.Get, Kind: "each", Args: []il.Operand{v, {}}, Span: at}), declares)
		}
	}
}

// assignBinary binds a name with a default, or a name to what a pattern matched.
func (b *body) assignBinary(t syntax.Node, v il.Operand, declares bool) {
	left, right, at := t.Child("left"), t.Child("right"), span(t)
	switch t.Detail() {
	case "=":
		given := b.choice(at, func(yes, no *il.Block) { b.branch("is not", at, yes, no, v, b.none()) },
			func() il.Operand { return v }, func() il.Operand { return b.expr(right) })
		b.assign(left, given, declares)
	case "@":
		b.assign(left, v, declares)
		b.assign(right, v, declares)
	}
}

// unpack takes a value apart by position and by key.
func (b *body) unpack(t syntax.Node, v il.Operand, declares bool) {
	i, n, rest := 0, 0, false
	for range t.Children("") {
		n++
	}
	for c := range t.Children("") {
		at := span(c)
		switch {
		case c.Is("unary") && c.Detail() == "...":
			rest = true
			if value := c.Child("value"); value.Valid() {
				got := &il.Instr{Op: il.Get, Kind: "item", Args: []il.Operand{v, {}}, Span: at}
				if i == n-1 {
					got.Names = []string{strconv.Itoa(i)}
				}
				b.assign(value, b.value(got), declares)
			}
		case c.Is("entry"):
			key := b.text(c.Name())
			if c.Name() == "" {
				key = b.expr(c.Child("key"))
			}
			kind := "attr"
			if b.m.Language == "python" && !t.Child("type").Valid() {
				kind = "item"
			}
			b.assign(c.Child("value"), b.value(&il.Instr{Op: il.Get, Kind: kind, Args: []il.Operand{v, key}, Span: at}), declares)
		default:
			key := b.position(i)
			if rest {
				key = il.Operand{}
			}
			if binds(c) {
				b.assign(c, b.value(&il.Instr{Op: il.Get, Kind: "item", Args: []il.Operand{v, key}, Span: at}), declares)
			}
			i++
		}
	}
}

// binds tells whether a pattern has a name to bind.
func binds(p syntax.Node) bool {
	for c := range p.Walk() {
		if c.Is("name", "member", "index") {
			return true
		}
	}
	return false
}

// set changes an object, and binds anew what it was reached by.
func (b *body) set(kind string, base syntax.Node, key, v il.Operand, at il.Span) {
	b.change(kind, base, b.expr(base), key, v, at)
}

func (b *body) change(kind string, base syntax.Node, object, key, v il.Operand, at il.Span) {
	changed := b.value(&il.Instr{Op: il.Set, Kind: kind, Args: []il.Operand{object, key, v}, Span: at})
	if !simple(base) {
		return
	}
	switch base.Kind() {
	case "name":
		if x, ok := b.find(base.Name()); ok && !b.outers[base.Name()] {
			b.emit(&il.Instr{Op: il.Bind, Dst: x, Args: []il.Operand{changed}, Span: at})
		}
	case "member":
		b.set("attr", base.Child("object"), b.text(base.Name()), changed, at)
	case "index":
		b.set("item", base.Child("object"), b.key(base), changed, at)
	case "unary":
		if inner := base.Child("value"); inner.Is("name") {
			b.write(inner.Name(), changed, at)
		}
	}
}

// simple tells what can be evaluated again without doing anything again, at a
// depth that is worth it.
func simple(n syntax.Node) bool {
	for range 8 {
		switch n.Kind() {
		case "name":
			return true
		case "member":
			n = n.Child("object")
		case "index":
			if i := n.Child("index"); !i.Is("name", "string", "number") {
				return false
			}
			n = n.Child("object")
		case "unary":
			if n.Detail() != "*" && n.Detail() != "&" {
				return false
			}
			n = n.Child("value")
		default:
			return false
		}
	}
	return false
}

// pattern goes to yes where a value matches, having bound the pattern's names,
// else to no.
func (b *body) pattern(p syntax.Node, v il.Operand, yes, no *il.Block) {
	at := span(p)
	switch {
	case p.Is("name") && (p.Name() == "_" || b.bare(p)):
		b.assign(p, v, true)
		b.jump(at, yes, yes)
	case p.Is("string", "number", "bool", "nil", "template", "name", "member"), p.Is("unary") && p.Detail() == "-", b.valued(p):
		b.branch("==", at, yes, no, v, b.expr(p))
	default:
		matched := b.block()
		b.branch("match", at, matched, no, v, b.kindOf(p))
		b.now = matched
		b.capture(p, v)
		b.jump(at, yes, yes)
	}
}

// valued tells a case that is computed, in a language without patterns; with a star
// it may be a type of Go.
func (b *body) valued(p syntax.Node) bool {
	return !b.language.patterns && (b.m.Language != "go" || !p.Is("type", "unary"))
}

// bare tells a name that binds where it stands in a pattern: in Rust one that is
// not written like a constant or a type.
func (b *body) bare(p syntax.Node) bool {
	r, _ := utf8.DecodeRuneInString(p.Name())
	return b.language.captures && (b.m.Language == "python" || !unicode.IsUpper(r))
}

// kindOf is the type that a pattern asks for, if it names one.
func (b *body) kindOf(p syntax.Node) il.Operand {
	switch t := p.Child("type"); {
	case t.Valid():
		return b.typed(t)
	case p.Is("name", "member", "type"):
		return b.expr(p)
	case p.Is("list") && b.m.Language == "python":
		return il.Operand{}
	}
	return il.Operand{}
}

// capture binds the names of a pattern that matched.
func (b *body) capture(p syntax.Node, v il.Operand) {
	switch {
	case !b.language.patterns:
	case p.Is("record", "list", "assign", "entry", "binary", "unary", "other"):
		b.assign(p, v, true)
	case p.Is("name") && b.bare(p):
		b.assign(p, v, true)
	}
}
