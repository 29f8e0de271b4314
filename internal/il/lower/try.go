package lower

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// tried lowers try with its handlers and what happens in the end, and Python's
// with, which is a try with resources.
func (b *body) tried(n syntax.Node) {
	if !b.language.whole {
		defer b.push()()
	}
	ends, swallows := b.resources(n)
	catches := slices.Collect(n.Children("catch"))
	final := n.Child("finally")
	after := b.block()
	if len(catches) == 0 && !final.Valid() && swallows == nil {
		b.scoped(n.Child("body"))
		b.closed(n, ends)
		b.jump(span(n), after, after)
		return
	}
	t := &try{handler: b.block()}
	dispatch, onward := t.handler, after
	if final.Valid() {
		t.finally = b.block()
		onward = t.finally
		t.exits = append(t.exits, exit{op: il.Jump, to: []*il.Block{after}, tries: len(b.tries)})
	}
	b.tries = append(b.tries, t)
	b.scoped(n.Child("body"))
	b.closed(n, ends)
	b.split(span(n)) // the last statement may have raised after it bound
	t.handler = nil  // what the rest raises goes outward, by way of finally
	if final.Valid() {
		t.handler = b.block()
	}
	if e := n.Child("else"); e.Valid() {
		b.scoped(e)
	}
	b.jump(span(n), dispatch, onward)
	b.catches(n, catches, onward, swallows)
	b.tries = b.tries[:len(b.tries)-1]
	if final.Valid() {
		b.finally(final, t)
	}
	b.now = after
}

// resources opens what a with or try statement closes in the end. What swallows
// exceptions is a handler that does nothing.
func (b *body) resources(n syntax.Node) (ends []il.Operand, swallows *il.Instr) {
	for r := range n.Children("resource") {
		opened := r
		if r.Is("assign") {
			opened = r.Child("value")
		}
		v := b.expr(r)
		if made := b.last(); made != nil && made.Op == il.Call && opened.Is("call") && (made.Kind == "suppress" || strings.HasSuffix(made.Kind, ".suppress")) {
			swallows = &il.Instr{Op: il.Catch, Kind: "suppress", Args: made.Args[1:], Span: span(r)}
		}
		end := b.value(&il.Instr{Op: il.Get, Kind: "attr", Args: []il.Operand{v, b.text("close")}, Span: span(r)})
		b.value(&il.Instr{Op: il.Call, Mode: il.Deferred, Kind: "close", Args: []il.Operand{end}, Names: []string{}, Span: span(r)})
		ends = append(ends, end)
	}
	return ends, swallows
}

// closed is where a with or try statement closes what it opened, on the way past
// it: that may change any object.
func (b *body) closed(n syntax.Node, ends []il.Operand) {
	at := il.Span{From: uint32(n.End()), To: uint32(n.End())}
	for _, end := range slices.Backward(ends) {
		b.value(&il.Instr{Op: il.Call, Kind: "close", Args: []il.Operand{end}, Names: []string{}, Span: at})
	}
}

// catches lowers the handlers. The current block is where an exception arrives.
func (b *body) catches(n syntax.Node, catches []syntax.Node, onward *il.Block, swallows *il.Instr) {
	dispatch := b.now
	var ways []*il.Block
	all := false
	for _, c := range catches {
		all = all || catchesAll(c)
		b.now = b.block()
		ways = append(ways, b.now)
		leave := b.push()
		if b.language.whole {
			leave()
			leave = func() {}
		}
		got := &il.Instr{Op: il.Catch, Span: span(c)}
		for t := range c.Children("type") {
			got.Args = append(got.Args, b.caught(t)...)
		}
		v := b.value(got)
		if t := c.Child("target"); t.Valid() {
			b.assign(t, v, true)
		}
		b.scoped(c.Child("body"))
		leave()
		b.jump(span(c), nil, onward)
	}
	if swallows != nil {
		b.now = b.block()
		ways = append(ways, b.now)
		b.value(swallows)
		b.jump(swallows.Span, nil, onward)
	}
	if !all {
		b.now = b.block()
		ways = append(ways, b.now)
		b.raise(il.Operand{}, span(n))
	}
	b.now = dispatch
	b.jump(span(n), nil, ways...)
}

// caught are the types of a handler: Java writes several with "|" between them,
// Python as a tuple.
func (b *body) caught(t syntax.Node) (types []il.Operand) {
	for name := range strings.FieldsFuncSeq(t.Name(), func(r rune) bool { return r == '|' || r == ',' || r == '*' || r == '(' || r == ')' || r == ' ' }) {
		types = append(types, b.dotted(name, span(t)))
	}
	return types
}

// catchesAll tells a handler that nothing which a program usually raises gets
// past.
func catchesAll(c syntax.Node) bool {
	types := 0
	for t := range c.Children("type") {
		types++
		switch t.Name() {
		case "Exception", "BaseException", "Throwable":
			return true
		}
	}
	return types == 0
}

// finally lowers what happens in the end, once, with an edge to everything that
// may follow.
func (b *body) finally(final syntax.Node, t *try) {
	b.now = t.handler
	t.exits = append(t.exits, exit{op: il.Raise})
	b.jump(span(final), t.finally, t.finally)
	b.scoped(final)
	at := b.now
	var ways []*il.Block
	for i, e := range t.exits {
		b.now = b.block()
		ways = append(ways, b.now)
		if i == 0 { // the way past the statement
			b.jump(span(final), nil, e.to...)
			continue
		}
		b.leave(e, span(final))
	}
	b.now = at
	b.jump(span(final), nil, ways...)
}
