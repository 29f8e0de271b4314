package lower

import (
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// comparisons are the operators that compare, as the language here calls them.
var comparisons = map[string]string{"==": "==", "===": "==", "!=": "!=", "!==": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
	"is": "is", "is not": "is not", "in": "in", "not in": "not in", "instanceof": "instanceof"}

// cond goes to yes where an expression is true, else to no.
func (b *body) cond(n syntax.Node, yes, no *il.Block) {
	switch n.Kind() {
	case "unary":
		if n.Detail() == "!" || n.Detail() == "not" {
			b.cond(n.Child("value"), no, yes)
			return
		}
	case "binary":
		if b.condition(n, yes, no) {
			return
		}
	case "call":
		if c := matches(n); c.Valid() {
			b.match(c, b.expr(n.Child("arg")), true, yes)
			b.jump(span(n), yes, no)
			return
		}
	case "assign":
		if n.Has(syntax.Declare) && n.Child("target").Is("record", "list", "other", "unary", "binary") {
			b.pattern(n.Child("target"), b.expr(n.Child("value")), yes, no)
			return
		}
	}
	v := b.expr(n)
	b.branch("true", span(n), yes, no, v)
}

// condition goes on for the operators that tests are made of.
func (b *body) condition(n syntax.Node, yes, no *il.Block) bool {
	left, right := n.Child("left"), n.Child("right")
	switch n.Detail() {
	case "&&", "and":
		then := b.block()
		b.cond(left, then, no)
		b.now = then
		b.cond(right, yes, no)
	case "||", "or":
		other := b.block()
		b.cond(left, yes, other)
		b.now = other
		b.cond(right, yes, no)
	case "chain":
		b.chain(n, yes, no)
	case "instanceof":
		v := b.expr(left)
		b.capture(right, v) // what the test binds is only seen where it holds
		b.branch("instanceof", span(n), yes, no, v, b.kindOf(right))
	default:
		op := comparisons[n.Detail()]
		if op == "" {
			return false
		}
		l := b.expr(left)
		b.branch(op, span(n), yes, no, l, b.expr(right))
	}
	return true
}

// chain lowers a < b < c: its operands stand in order, each comparison as a unary
// with the operator and the operand behind it.
func (b *body) chain(n syntax.Node, yes, no *il.Block) {
	var left il.Operand
	first := true
	var rest []syntax.Node
	for c := range n.Children("") {
		if first {
			left, first = b.expr(c), false
			continue
		}
		rest = append(rest, c)
	}
	for i, c := range rest {
		next := yes
		if i+1 < len(rest) {
			next = b.block()
		}
		right := b.expr(c.Child("value"))
		b.branch(comparisons[c.Detail()], span(n), next, no, left, right)
		b.now, left = next, right
	}
}

// choice lowers an expression of conditions to branches that bind a temporary.
func (b *body) choice(at il.Span, cond func(yes, no *il.Block), yes, no func() il.Operand) il.Operand {
	then, other, after := b.block(), b.block(), b.block()
	t := b.temp()
	cond(then, other)
	b.now = then
	b.emit(&il.Instr{Op: il.Bind, Dst: t, Args: []il.Operand{yes()}, Span: at})
	b.jump(at, other, after)
	b.emit(&il.Instr{Op: il.Bind, Dst: t, Args: []il.Operand{no()}, Span: at})
	b.jump(at, after, after)
	return local(t)
}

// truthOf lowers a condition to a truth value.
func (b *body) truthOf(n syntax.Node) il.Operand {
	return b.choice(span(n), func(yes, no *il.Block) { b.cond(n, yes, no) },
		func() il.Operand { return b.truth(true) }, func() il.Operand { return b.truth(false) })
}

// binary lowers an operator of two operands to a value.
func (b *body) binary(n syntax.Node) il.Operand {
	left, right := n.Child("left"), n.Child("right")
	switch op := n.Detail(); op {
	case "&&", "and", "||", "or", "??":
		l := b.expr(left)
		test := func(yes, no *il.Block) { b.branch("true", span(left), yes, no, l) }
		if op == "??" {
			test = func(yes, no *il.Block) { b.branch("is not", span(left), yes, no, l, b.none()) }
		}
		same, next := func() il.Operand { return l }, func() il.Operand { return b.expr(right) }
		if op == "&&" || op == "and" {
			return b.choice(span(n), test, next, same)
		}
		return b.choice(span(n), test, same, next)
	case "chain", "instanceof":
		return b.truthOf(n)
	case "<-": // a value sent into a channel
		b.set("add", left, b.none(), b.expr(right), span(n))
		return b.none()
	default:
		if c := comparisons[op]; c != "" {
			op = c
		}
		l := b.expr(left)
		return b.value(&il.Instr{Op: il.Bind, Kind: op, Args: []il.Operand{l, b.expr(right)}, Span: span(n)})
	}
}
