package lower

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// expr lowers an expression to an operand. Statements that have a value are
// expressions, too.
func (b *body) expr(n syntax.Node) il.Operand {
	switch n.Kind() {
	case "name":
		return b.read(n.Name())
	case "string", "number", "bool", "nil", "regexp":
		return b.literal(n)
	case "member":
		return b.value(&il.Instr{Op: il.Get, Kind: "attr", Args: []il.Operand{b.expr(n.Child("object")), b.text(n.Name())}, Span: span(n)})
	case "index":
		text := n.Text()
		if text = strings.ReplaceAll(text[max(len(text)-8, 0):], " ", ""); strings.HasSuffix(text, "[:0]") || strings.HasSuffix(text, "[0:0]") {
			b.expr(n.Child("object"))
			return b.value(&il.Instr{Op: il.Make, Kind: "list", Span: span(n)}) // nothing of it is left
		}
		return b.value(&il.Instr{Op: il.Get, Kind: "item", Args: []il.Operand{b.expr(n.Child("object")), b.key(n)}, Span: span(n)})
	case "call":
		return b.call(n)
	case "template":
		return b.template(n)
	case "binary":
		return b.binary(n)
	case "unary":
		return b.unary(n)
	case "ternary":
		return b.choice(span(n), func(yes, no *il.Block) { b.cond(n.Child("cond"), yes, no) },
			func() il.Operand { return b.expr(n.Child("then")) }, func() il.Operand { return b.expr(n.Child("else")) })
	case "list":
		return b.list(n)
	case "record":
		return b.record(n)
	case "cast":
		return b.value(&il.Instr{Op: il.Bind, Kind: "cast", Args: []il.Operand{b.expr(n.Child("value"))}, Names: []string{n.Child("type").Name()}, Span: span(n)})
	case "func":
		return b.function(n)
	case "class":
		return b.class(n)
	case "type":
		return b.typed(n)
	case "assign", "import", "block", "if", "loop", "switch", "try", "return", "throw", "break", "continue", "defer", "spawn":
		return b.statement(n)
	case "element":
		return b.markup(n)
	case "other", "decorator", "case":
		return b.other(n)
	default:
		if !n.Valid() { // nothing stands there: an end of a range
			return il.Operand{}
		}
		return b.unknown(n)
	}
}

// literal is the operand of a constant.
func (b *body) literal(n syntax.Node) il.Operand {
	switch n.Kind() {
	case "string":
		return b.str(n)
	case "number":
		return b.number(n.Name())
	case "bool":
		return b.truth(strings.EqualFold(n.Name(), "true"))
	case "nil":
		return b.none()
	default: // a pattern is an object with behaviour of its own
		return b.value(&il.Instr{Op: il.Make, Kind: "pattern", Args: []il.Operand{b.str(n)}, Span: span(n)})
	}
}

// typed is a type that stands where a value does: its name, without what it is
// applied to.
func (b *body) typed(n syntax.Node) il.Operand {
	name := strings.TrimLeft(n.Name(), "*&<[] ")
	if i := strings.IndexAny(name, "<[({ "); i >= 0 {
		name = name[:i]
	}
	return b.dotted(strings.ReplaceAll(name, "::", "."), span(n))
}

// typeWords begin a type that has no name.
var typeWords = set("chan", "struct", "map", "func", "interface", "fn", "impl", "dyn", "mut")

// dotted is what a name with dots stands for.
func (b *body) dotted(name string, at il.Span) il.Operand {
	if name == "" {
		return il.Operand{}
	}
	first, rest, more := strings.Cut(name, ".")
	if typeWords[first] {
		return il.Operand{}
	}
	o := b.read(first)
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ".")
		o = b.value(&il.Instr{Op: il.Get, Kind: "attr", Args: []il.Operand{o, b.text(part)}, Span: at})
	}
	return o
}

// key is what an index asks for; of a slice it is not known.
func (b *body) key(n syntax.Node) il.Operand {
	first := n.Child("index")
	if !first.Valid() || n.Nth("index", 1).Valid() || first.Is("other") || first.Is("binary") && strings.HasPrefix(first.Detail(), "..") {
		for c := range n.Children("index") {
			b.expr(c)
		}
		return il.Operand{}
	}
	return b.expr(first)
}

// template lowers a text of parts: a constant where all are.
func (b *body) template(n syntax.Node) il.Operand {
	if n.Detail() == "tagged" {
		return b.call(n)
	}
	var parts []il.Operand
	whole, constant := "", true
	for c := range n.Children() {
		o := b.expr(c)
		parts = append(parts, o)
		k, ok := b.constantOf(o)
		whole, constant = whole+k.Text, constant && ok && k.Type == il.StrConst
	}
	if constant && len(whole) < maxConst {
		return b.text(whole)
	}
	return b.value(&il.Instr{Op: il.Make, Kind: "text", Args: parts, Span: span(n)})
}

// constantOf is the constant of an operand.
func (b *body) constantOf(o il.Operand) (il.Const, bool) {
	if o.Kind != il.Constant {
		return il.Const{}, false
	}
	return b.m.Consts[o.ID], true
}

// list lowers a list, tuple or set.
func (b *body) list(n syntax.Node) il.Operand {
	for c := range n.Children("") {
		if c.Is("entry") { // Go's with positions
			args, names := b.entries(slices.Collect(n.Children("")))
			return b.value(&il.Instr{Op: il.Make, Kind: "map", Args: args, Names: names, Span: span(n)})
		}
	}
	var args []il.Operand
	var names []string
	for c := range n.Children("") {
		name := ""
		if c.Is("unary") && c.Detail() == "..." {
			c, name = c.Child("value"), "*"
		}
		args, names = append(args, b.expr(c)), append(names, name)
	}
	return b.value(&il.Instr{Op: il.Make, Kind: "list", Args: args, Names: names, Span: span(n)})
}

// record lowers an object or a map; a literal of a declared type is a call of
// the type with its fields as names. What stands behind the first computed key is set one by one.
func (b *body) record(n syntax.Node) il.Operand {
	list, later := slices.Collect(n.Children("")), []syntax.Node(nil)
	computed := func(c syntax.Node) bool {
		return c.Is("entry") && c.Name() == "" && !c.Child("key").Is("string", "number", "bool", "nil")
	}
	if i := slices.IndexFunc(list, computed); i >= 0 && len(list)-i <= maxSet && !slices.ContainsFunc(list[i:], func(c syntax.Node) bool { return !c.Is("entry") }) {
		list, later = list[:i], list[i:]
	}
	args, names := b.entries(list)
	t := n.Child("type")
	if name := t.Name(); t.Valid() && !strings.HasPrefix(name, "map[") && !strings.HasPrefix(name, "[") {
		return b.value(&il.Instr{Op: il.Call, Mode: il.New, Kind: name, Args: append([]il.Operand{b.typed(t)}, args...), Names: names, Span: span(n)})
	}
	made := b.value(&il.Instr{Op: il.Make, Kind: "map", Args: args, Names: names, Span: span(n)})
	for _, c := range later {
		key := b.text(c.Name())
		if c.Name() == "" {
			key = b.expr(c.Child("key"))
		}
		b.emit(&il.Instr{Op: il.Set, Kind: "item", Dst: made.ID, Args: []il.Operand{made, key, b.expr(c.Child("value"))}, Span: span(c)})
	}
	return made
}

// maxSet bounds the entries of a record that are set one by one.
const maxSet = 64

// entries are the values of a record with their keys: "" a key that is not known,
// "**" what brings keys of its own.
func (b *body) entries(list []syntax.Node) (args []il.Operand, names []string) {
	for _, c := range list {
		name := ""
		switch {
		case c.Is("entry"):
			if name = c.Name(); name == "" {
				if k, ok := b.constantOf(b.expr(c.Child("key"))); ok {
					name = k.Text
				}
			}
			c = c.Child("value")
		case c.Is("unary") && (c.Detail() == "..." || c.Detail() == "**"):
			c, name = c.Child("value"), "**"
		}
		args, names = append(args, b.expr(c)), append(names, name)
	}
	return args, names
}

// unary lowers an operator of one operand.
func (b *body) unary(n syntax.Node) il.Operand {
	value, op := n.Child("value"), n.Detail()
	switch op {
	case "!", "not":
		return b.truthOf(n)
	case "&":
		if a := b.language.address; a != "" && strings.HasPrefix(n.Text(), a) {
			b.addressed(value)
		}
		return b.expr(value)
	case "*", "ref", "mut", "box", "...", "**":
		return b.expr(value)
	case "await":
		v := b.expr(value)
		if last := b.last(); last != nil && last.Op == il.Call && v == local(last.Dst) {
			last.Mode = il.Awaited
			return v
		}
		return b.value(&il.Instr{Op: il.Yield, Kind: op, Args: []il.Operand{v}, Span: span(n)})
	case "yield", "yield*":
		v := b.none()
		if value.Valid() {
			v = b.expr(value)
		}
		return b.value(&il.Instr{Op: il.Yield, Kind: op, Args: []il.Operand{v}, Span: span(n)})
	case "<-":
		return b.value(&il.Instr{Op: il.Get, Kind: "each", Args: []il.Operand{b.expr(value), {}}, Span: span(n)})
	case "++", "--":
		old := b.value(&il.Instr{Op: il.Bind, Args: []il.Operand{b.expr(value)}, Span: span(n)})
		v := b.value(&il.Instr{Op: il.Bind, Kind: op[:1], Args: []il.Operand{old, b.constant(il.Const{Type: il.IntConst, Num: 1, Text: "1"})}, Span: span(n)})
		b.assign(value, v, false)
		if value.Start() == n.Start() { // x++ is what x was
			return old
		}
		return v
	case "collect":
		return b.collect(n)
	case "?":
		return b.attempt(n)
	case "delete":
		return b.remove(n)
	}
	v := b.expr(value)
	if c, ok := b.constantOf(v); ok && op == "-" && (c.Type == il.IntConst || c.Type == il.FloatConst) {
		return b.constant(il.Const{Type: c.Type, Num: -c.Num, Text: "-" + c.Text})
	}
	return b.value(&il.Instr{Op: il.Bind, Kind: op, Args: []il.Operand{v}, Span: span(n)})
}

// addressed notes that the one who is given the address of a variable may bind it.
func (b *body) addressed(n syntax.Node) {
	if !n.Is("name") {
		return
	}
	for o := b; o != nil; o = o.outer {
		if _, ok := o.find(n.Name()); ok {
			o.share(n.Name())
			return
		}
	}
}

// last is the last instruction of the current block.
func (b *body) last() *il.Instr {
	if n := len(b.now.Instrs); n > 0 {
		return b.now.Instrs[n-1]
	}
	return nil
}

// collect adds an element to what the comprehension around it makes.
func (b *body) collect(n syntax.Node) il.Operand {
	key, element := b.none(), n.Child("value")
	if element.Is("entry") {
		key = b.expr(element.Child("key"))
		element = element.Child("value")
	}
	v := b.expr(element)
	if len(b.collected) > 0 {
		all := b.collected[len(b.collected)-1]
		b.emit(&il.Instr{Op: il.Set, Kind: "add", Dst: all, Args: []il.Operand{local(all), key, v}, Span: span(n)})
	}
	return b.none()
}

// attempt lowers Rust's "?": what is wrong leaves the function as its result.
func (b *body) attempt(n syntax.Node) il.Operand {
	v := b.expr(n.Child("value"))
	yes, no := b.block(), b.block()
	b.branch("match", span(n), yes, no, v, il.Operand{})
	b.now = no
	b.leaveWith(v, span(n))
	b.now = yes
	return b.value(&il.Instr{Op: il.Get, Kind: "item", Args: []il.Operand{v, b.constant(il.Const{Type: il.IntConst, Text: "0"})}, Span: span(n)})
}

// remove lowers del and delete.
func (b *body) remove(n syntax.Node) il.Operand {
	for v := range n.Children("value") {
		switch v.Kind() {
		case "name":
			if x, ok := b.find(v.Name()); ok && b.language.whole && !b.outers[v.Name()] {
				b.emit(&il.Instr{Op: il.Delete, Dst: x, Span: span(n)})
			}
		case "member":
			b.set("attr", v.Child("object"), b.text(v.Name()), il.Operand{}, span(n))
		case "index":
			b.set("item", v.Child("object"), b.key(v), il.Operand{}, span(n))
		default:
			b.expr(v)
		}
	}
	return b.none()
}
