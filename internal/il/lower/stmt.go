package lower

import (
	"iter"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// statements lowers statements in order. What is known before the place of its
// definition comes first.
func (b *body) statements(list iter.Seq[syntax.Node]) (last il.Operand) {
	all := slices.Collect(list)
	if !b.language.whole {
		for _, n := range all {
			if early(n) {
				b.function(n)
			}
		}
	}
	for _, n := range all {
		if n.Is("package", "decorator", "bind", "type") || exports(n) || !b.language.whole && early(n) {
			continue
		}
		b.split(span(n))
		last = b.expr(n)
	}
	return last
}

// early tells a function that is known in the whole block around it.
func early(n syntax.Node) bool { return n.Is("func") && !n.Has(syntax.Lambda) && n.Name() != "" }

// statement lowers what is more than an expression; its value is none but for
// blocks and branches of languages in which they have one.
func (b *body) statement(n syntax.Node) il.Operand {
	at := span(n)
	switch n.Kind() {
	case "assign":
		return b.assignment(n)
	case "import":
		return b.imported(n)
	case "block":
		return b.scoped(n)
	case "if":
		return b.ifs(n)
	case "loop":
		return b.loopOf(n)
	case "switch":
		return b.switched(n)
	case "try":
		b.tried(n)
	case "return":
		b.leaveWith(b.returned(n), at)
	case "throw":
		v := il.Operand{}
		if n.Child("value").Valid() {
			v = b.expr(n.Child("value"))
		}
		b.raise(v, at)
	case "break", "continue":
		b.out(n)
	case "defer", "spawn":
		v := b.expr(n.Child("value"))
		if last := b.last(); last != nil && last.Op == il.Call && v == local(last.Dst) {
			last.Mode = map[syntax.Kind]il.Mode{"defer": il.Deferred, "spawn": il.Spawned}[n.Kind()]
		}
	}
	return b.none()
}

// given is what a statement hands out: one value, several as a list, or none.
func (b *body) given(n syntax.Node) il.Operand {
	var values []il.Operand
	for v := range n.Children("value") {
		values = append(values, b.expr(v))
	}
	switch len(values) {
	case 0:
		return b.none()
	case 1:
		return values[0]
	}
	return b.value(&il.Instr{Op: il.Make, Kind: "list", Args: values, Names: make([]string, len(values)), Span: span(n)})
}

// returned is what a return hands out. Where Go's results have names, it is what
// these hold, and a function that is deferred may bind them anew.
func (b *body) returned(n syntax.Node) il.Operand {
	if len(b.results) == 0 {
		return b.given(n)
	}
	var named []il.Operand
	if !n.Child("value").Valid() {
		for _, name := range b.results {
			named = append(named, b.read(name))
		}
		if len(named) == 1 {
			return named[0]
		}
		return b.value(&il.Instr{Op: il.Make, Kind: "list", Args: named, Names: make([]string, len(named)), Span: span(n)})
	}
	v := b.given(n)
	if slices.ContainsFunc(b.results, func(name string) bool { return slices.Contains(b.f.Shared, name) }) {
		return b.value(&il.Instr{Op: il.Unknown, Kind: "deferred result", Args: []il.Operand{v}, Span: span(n)})
	}
	return v
}

// scoped lowers a block with the variables that it declares; its value is the
// value role's.
func (b *body) scoped(n syntax.Node) il.Operand {
	if !n.Is("block") {
		return b.expr(n)
	}
	if !b.language.whole {
		defer b.push()()
		b.hoist(n)
	}
	b.statements(n.Children("", "member")) // of a class, Python's may stand in blocks
	if v := n.Child("value"); v.Valid() {
		return b.expr(v)
	}
	return b.none()
}

// ifs lowers if; in languages where it has a value, the value of its arm.
func (b *body) ifs(n syntax.Node) il.Operand {
	if !b.language.whole && !b.language.flows {
		defer b.push()()
	}
	if init := n.Child("init"); init.Valid() {
		b.expr(init)
	}
	cond := func(yes, no *il.Block) { b.cond(n.Child("cond"), yes, no) }
	then := func() il.Operand { return b.scoped(n.Child("then")) }
	other := func() il.Operand {
		if e := n.Child("else"); e.Valid() {
			return b.scoped(e)
		}
		return b.none()
	}
	if b.language.values {
		return b.choice(span(n), cond, then, other)
	}
	yes, no, after := b.block(), b.block(), b.block()
	cond(yes, no)
	b.now = yes
	then()
	b.jump(span(n), no, after)
	other()
	b.jump(span(n), after, after)
	return b.none()
}

// labelled tells a break or continue that names the loop it means.
func labelled(n syntax.Node) bool {
	_, rest, _ := strings.Cut(strings.TrimRight(n.Text(), "; "), " ")
	return n.Name() != "" || rest != "" && !n.Child("value").Valid() || strings.HasPrefix(rest, "'")
}

// out lowers break and continue. A label is not followed: any loop around may be
// meant.
func (b *body) out(n syntax.Node) {
	at := span(n)
	switch word, _, _ := strings.Cut(strings.TrimRight(n.Text(), ";"), " "); word {
	case "goto":
		b.value(&il.Instr{Op: il.Unknown, Kind: "goto_statement", Span: at})
		return
	case "fallthrough":
		if l := len(b.loops) - 1; l >= 0 && b.loops[l].next != nil {
			b.jump(at, nil, b.loops[l].next)
			return
		}
	}
	v := il.Operand{}
	if n.Child("value").Valid() {
		v = b.expr(n.Child("value"))
	}
	e := exit{op: il.Jump, tries: len(b.tries)}
	for i := len(b.loops) - 1; i >= 0; i-- {
		l := b.loops[i]
		if l.on == nil && (n.Is("continue") || b.language.captures) { // nobody breaks out of a match
			continue
		}
		to := l.after
		if n.Is("continue") {
			to = l.on
		} else if l.result != il.NoDst && v.Kind != il.Opaque {
			b.emit(&il.Instr{Op: il.Bind, Dst: l.result, Args: []il.Operand{v}, Span: at})
		}
		e.to, e.tries = append(e.to, to), l.tries
		if !labelled(n) {
			break
		}
	}
	b.leave(e, at)
}

// loopOf lowers every kind of loop. What a comprehension collects is its value,
// and its names are its own.
func (b *body) loopOf(n syntax.Node) il.Operand {
	collects := n.Detail() == "collect"
	if !b.language.whole || collects {
		defer b.push()()
	}
	if collects {
		v := b.temp()
		b.emit(&il.Instr{Op: il.Make, Kind: "list", Dst: v, Span: span(n)})
		b.collected = append(b.collected, v)
		defer func() { b.collected = b.collected[:len(b.collected)-1] }()
	}
	for init := range n.Children("init") {
		b.expr(init)
	}
	head, in, step, out, after := b.block(), b.block(), b.block(), b.block(), b.block()
	l := loop{on: step, after: after, tries: len(b.tries), result: il.NoDst}
	if n.Detail() == "loop" {
		l.result = b.temp()
		b.emit(&il.Instr{Op: il.Bind, Dst: l.result, Args: []il.Operand{b.none()}, Span: span(n)})
	}
	b.enter(n, head, in, out)
	b.loops = append(b.loops, l)
	b.scoped(n.Child("body"))
	b.loops = b.loops[:len(b.loops)-1]
	b.jump(span(n), step, step)
	for s := range n.Children("step") {
		b.expr(s)
	}
	if cond := n.Child("cond"); n.Detail() == "do" && cond.Valid() {
		b.cond(cond, head, out)
		b.now = out
	} else {
		b.jump(span(n), out, head)
	}
	if e := n.Child("else"); e.Valid() {
		b.scoped(e)
	}
	b.jump(span(n), after, after)
	switch {
	case collects:
		return local(b.collected[len(b.collected)-1])
	case l.result != il.NoDst:
		return local(l.result)
	}
	return b.none()
}

// enter lowers how a loop is entered: its head decides, and its body begins with
// the element.
func (b *body) enter(n syntax.Node, head, in, out *il.Block) {
	over, cond, at := n.Child("over"), n.Child("cond"), span(n)
	var all il.Operand
	if over.Valid() {
		all = b.expr(over)
	}
	b.jump(at, head, head)
	switch {
	case over.Valid():
		b.end(&il.Instr{Op: il.Loop, Args: []il.Operand{all}, Span: span(over)}, in, in, out)
		b.element(n, all)
	case !cond.Valid() || n.Detail() == "do":
		b.jump(at, in, in)
	default:
		b.cond(cond, in, out)
		b.now = in
	}
}

// element binds the targets of a loop.
func (b *body) element(n syntax.Node, all il.Operand) {
	targets := slices.Collect(n.Children("target"))
	for i, t := range targets {
		kind := "each"
		if i == 0 && b.counts(n, len(targets)) {
			kind = "key"
		}
		b.assign(t, b.value(&il.Instr{Op: il.Get, Kind: kind, Args: []il.Operand{all, {}}, Span: span(t)}), true)
	}
}

// counts tells a loop whose first target is a key or an index: Go's, but for that
// over a channel, and JavaScript's "for (k in o)".
func (b *body) counts(n syntax.Node, targets int) bool {
	if b.m.Language == "go" {
		return true
	}
	text, over := n.Text(), n.Child("over")
	return b.language.hands && targets == 1 && over.Start() > n.Start() && strings.HasSuffix(strings.TrimRight(text[:min(over.Start()-n.Start(), len(text))], " (\n\t"), " in")
}

// switched lowers switch and match to tests in order.
func (b *body) switched(n syntax.Node) il.Operand {
	if !b.language.whole {
		defer b.push()()
	}
	if init := n.Child("init"); init.Valid() {
		b.expr(init)
	}
	subject, tests := il.Operand{}, n.Child("subject")
	if tests.Valid() {
		subject = b.expr(tests)
	}
	after, result := b.block(), b.temp()
	b.emit(&il.Instr{Op: il.Bind, Dst: result, Args: []il.Operand{b.none()}, Span: span(n)})
	b.loops = append(b.loops, loop{after: after, tries: len(b.tries), result: result})
	cases := slices.Collect(n.Children("case"))
	bodies := make([]*il.Block, len(cases))
	for i := range bodies {
		bodies[i] = b.block()
	}
	fallback := after
	for i, c := range cases {
		if !c.Child("match").Valid() && !c.Child("cond").Valid() {
			fallback = bodies[i]
			continue
		}
		if n.Detail() != "select" {
			b.match(c, subject, tests.Valid(), bodies[i])
		}
	}
	if n.Detail() == "select" && len(bodies) > 0 { // any that is ready
		b.jump(span(n), nil, bodies...)
	} else {
		b.jump(span(n), nil, fallback)
	}
	for i, c := range cases {
		b.now = bodies[i]
		if b.loops[len(b.loops)-1].next = nil; i+1 < len(cases) {
			b.loops[len(b.loops)-1].next = bodies[i+1]
		}
		next := after
		if b.language.falls && i+1 < len(cases) && !arrow(c) {
			next = bodies[i+1]
		}
		b.caseBody(c, result, next, n.Detail() == "select")
	}
	b.loops = b.loops[:len(b.loops)-1]
	b.now = after
	return local(result)
}

// match tests one case; lowering goes on where it does not hold.
func (b *body) match(c syntax.Node, subject il.Operand, has bool, to *il.Block) {
	no := b.block()
	yes := to
	if guard := c.Child("cond"); guard.Valid() {
		yes = b.block()
	}
	for m := range c.Children("match") {
		next := b.block()
		if has {
			b.pattern(m, subject, yes, next)
		} else {
			b.cond(m, yes, next)
		}
		b.now = next
	}
	if guard := c.Child("cond"); guard.Valid() {
		if !c.Child("match").Valid() {
			b.jump(span(c), no, yes)
		} else {
			b.jump(span(c), no, no)
		}
		b.now = yes
		b.cond(guard, to, no)
	} else {
		b.jump(span(c), no, no)
	}
	b.now = no
}

// caseBody lowers what a case does. One of a select communicates first.
func (b *body) caseBody(c syntax.Node, result int32, next *il.Block, communicates bool) {
	if communicates {
		defer b.push()()
		for m := range c.Children("match") {
			b.expr(m)
		}
	}
	if inner := c.Child("body"); inner.Valid() {
		if v := b.scoped(inner); !inner.Is("block") || inner.Child("value").Valid() {
			b.emit(&il.Instr{Op: il.Bind, Dst: result, Args: []il.Operand{v}, Span: span(inner)})
		}
	}
	b.jump(span(c), nil, next)
}

// arrow tells a case of Java that does not go on in the next one.
func arrow(c syntax.Node) bool {
	inner := c.Child("body")
	if !inner.Valid() || inner.Start() < c.Start() {
		return false
	}
	text := c.Text()
	return strings.Contains(text[:min(inner.Start()-c.Start(), len(text))], "->")
}
