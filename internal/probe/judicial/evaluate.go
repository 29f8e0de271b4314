package judicial

import (
	"math"

	"github.com/automaton-auditor/automaton/internal/code"
)

// evaluator computes what a small function of one number returns, without
// running it: arithmetic, min, max, round, int, comparisons, assignments, if,
// and calls of functions that are as small. Everything else makes the answer
// unknown.
type evaluator struct {
	b     *bench
	env   map[string]float64
	left  int // steps that may still be taken
	depth int // calls that are open
}

// maxSteps bounds one evaluation.
const maxSteps = 2000

// of returns what a function gives for one input.
func (b *bench) of(d *code.Definition, param string, x float64) (float64, bool) {
	r := &evaluator{b: b, env: map[string]float64{param: x}, left: maxSteps}
	if d.Kind == code.DefLambda {
		return r.expr(d.Body())
	}
	v, done, ok := r.block(d.Body())
	return v, done && ok
}

// block runs statements; done says that a return was met.
func (r *evaluator) block(n code.Node) (v float64, done, ok bool) {
	for s := range n.Children() {
		if r.left--; r.left < 0 {
			return 0, false, false
		}
		v, done, ok = r.statement(s)
		if done || !ok {
			return v, done, ok
		}
	}
	return 0, false, true
}

func (r *evaluator) statement(s code.Node) (v float64, done, ok bool) {
	switch s.Kind() {
	case "return_statement":
		v, ok = r.expr(s.Child(0))
		return v, true, ok
	case "if_statement":
		return r.branch(s)
	case "pass_statement", "comment":
		return 0, false, true
	case "expression_statement":
		a := s.Child(0)
		if a.Is("string") {
			return 0, false, true
		}
		if a.Is("assignment") && a.Field("left").Is("identifier") {
			v, ok = r.expr(a.Field("right"))
			r.env[a.Field("left").Text()] = v
			return 0, false, ok
		}
	}
	return 0, false, false
}

func (r *evaluator) branch(s code.Node) (float64, bool, bool) {
	yes, ok := r.test(s.Field("condition"))
	if !ok {
		return 0, false, false
	}
	if yes {
		return r.block(s.Field("consequence"))
	}
	for _, a := range s.Fields("alternative") {
		if a.Is("elif_clause") {
			yes, ok := r.test(a.Field("condition"))
			if !ok {
				return 0, false, false
			}
			if yes {
				return r.block(a.Field("consequence"))
			}
			continue
		}
		return r.block(a.Field("body"))
	}
	return 0, false, true
}

// test decides a condition.
func (r *evaluator) test(n code.Node) (yes, ok bool) {
	n = n.Unparen()
	switch n.Kind() {
	case "not_operator":
		yes, ok = r.test(n.Field("argument"))
		return !yes, ok
	case "boolean_operator":
		a, ok1 := r.test(n.Field("left"))
		b, ok2 := r.test(n.Field("right"))
		if n.Field("operator").Text() == "and" {
			return a && b, ok1 && ok2
		}
		return a || b, ok1 && ok2
	case "comparison_operator":
		return r.compare(n)
	case "call":
		return last(n) == "isinstance", last(n) == "isinstance"
	}
	return false, false
}

// compare decides a chain of comparisons.
func (r *evaluator) compare(n code.Node) (yes, ok bool) {
	var xs []float64
	for c := range n.Children() {
		v, ok := r.expr(c)
		if !ok {
			return false, false
		}
		xs = append(xs, v)
	}
	ops := n.Fields("operators")
	if len(xs) != len(ops)+1 {
		return false, false
	}
	for i, op := range ops {
		a, b := xs[i], xs[i+1]
		holds := false
		switch op.Text() {
		case "<":
			holds = a < b
		case "<=":
			holds = a <= b
		case ">":
			holds = a > b
		case ">=":
			holds = a >= b
		case "==":
			holds = a == b
		case "!=":
			holds = a != b
		default:
			return false, false
		}
		if !holds {
			return false, true
		}
	}
	return true, true
}

// expr computes a number.
func (r *evaluator) expr(n code.Node) (float64, bool) {
	n = n.Unparen()
	if r.left--; r.left < 0 || !n.Valid() {
		return 0, false
	}
	switch n.Kind() {
	case "identifier":
		if v, ok := r.env[n.Text()]; ok {
			return v, true
		}
		return r.b.number(n)
	case "integer", "float":
		return r.b.number(n)
	case "unary_operator":
		v, ok := r.expr(n.Field("argument"))
		return -v, ok && n.Field("operator").Text() == "-"
	case "binary_operator":
		return r.binary(n)
	case "conditional_expression":
		yes, ok := r.test(n.Child(1))
		if !ok {
			return 0, false
		}
		if yes {
			return r.expr(n.Child(0))
		}
		return r.expr(n.Child(2))
	case "call":
		return r.call(n)
	}
	return 0, false
}

func (r *evaluator) binary(n code.Node) (float64, bool) {
	a, ok1 := r.expr(n.Field("left"))
	b, ok2 := r.expr(n.Field("right"))
	if !ok1 || !ok2 {
		return 0, false
	}
	switch n.Field("operator").Text() {
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	case "/":
		return a / b, b != 0
	case "//":
		return math.Floor(a / b), b != 0
	case "**":
		return math.Pow(a, b), true
	}
	return 0, false
}

func (r *evaluator) call(n code.Node) (float64, bool) {
	var xs []float64
	for a := range n.Field("arguments").Children() {
		v, ok := r.expr(a)
		if !ok {
			return 0, false
		}
		xs = append(xs, v)
	}
	f := n.Field("function")
	if len(xs) == 0 || !f.Is("identifier") {
		return 0, false
	}
	out := xs[0]
	switch f.Text() {
	case "int":
		return math.Trunc(out), len(xs) == 1
	case "float", "abs":
		return math.Abs(out), len(xs) == 1 && (out >= 0 || f.Text() == "abs")
	case "round":
		return math.RoundToEven(out), len(xs) == 1
	case "min", "max":
		for _, x := range xs[1:] {
			if f.Text() == "min" {
				out = math.Min(out, x)
			} else {
				out = math.Max(out, x)
			}
		}
		return out, len(xs) > 1
	}
	return r.inner(n, xs)
}

// maxOpen bounds calls within calls.
const maxOpen = 3

// inner computes a call of a first-party function with numbers by position.
func (r *evaluator) inner(n code.Node, xs []float64) (float64, bool) {
	d := r.b.p.Resolve(n.Field("function")).Def
	if d == nil || d.Kind != code.DefFunction || r.depth >= maxOpen || len(xs) > len(d.Params()) {
		return 0, false
	}
	in := &evaluator{b: r.b, env: map[string]float64{}, left: r.left, depth: r.depth + 1}
	for i, p := range d.Params() {
		x, ok := 0.0, false
		if i < len(xs) {
			x, ok = xs[i], true
		} else {
			x, ok = r.b.number(p.Default)
		}
		if !ok {
			return 0, false
		}
		in.env[p.Name] = x
	}
	v, done, ok := in.block(d.Body())
	r.left = in.left
	return v, done && ok
}
