package analyse

import (
	"math"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// operand is what an operand can be.
func (r *run) operand(s *state, o il.Operand) Value {
	if s.lost != "" && o.Kind != il.Constant {
		return anything()
	}
	switch o.Kind {
	case il.Local:
		return s.values[o.ID]
	case il.Constant:
		c, _ := s.f.Const(o)
		return s.rules.written(constant(c))
	case il.Undef:
		if s.f.Vars[o.ID][0] == '%' || s.rules.raises && s.f.Kind != il.Top && s.f.Kind != il.ClassBody {
			return nothing()
		}
	case il.Free:
		return r.named(s, o)
	default:
	}
	return anything()
}

// written is a constant as a language of fixed widths keeps it: a decimal may be
// shortened.
func (r rules) written(v Value) Value {
	if x, ok := v.One(); ok && r.fixed && x != math.Trunc(x) {
		slack := math.Abs(x) * 1e-6
		v.Num = Interval{x - slack, x + slack}
	}
	return v
}

// named is what a name of another scope can be. A name in capitals is a constant
// of its module unless it looks like a switch; any other of a module is what it is
// bound to only by default.
func (r *run) named(s *state, o il.Operand) Value {
	c, sure, ok := r.v.bound(s.f, o)
	switch {
	case !ok && r.switches:
		if v, known := r.elsewhere(s.f, o); known {
			return v
		}
		return anything()
	case !ok:
		return anything()
	case sure || r.defaults:
		return s.rules.written(constant(*c))
	}
	switch c.Type {
	case il.BoolConst:
		return truths()
	case il.IntConst, il.FloatConst:
		return numbers(everyNumber(), false)
	default:
		return anything()
	}
}

// bound is the constant that a name of another scope is bound to; sure: nothing
// but the program's text decides it.
func (v *Values) bound(f *il.Function, o il.Operand) (c *il.Const, sure, ok bool) {
	name := f.Word(o)
	sym := v.Names.Operand(f, o)
	if name == "" || sym == nil || sym.Const == nil || v.written[name] || v.twice[homeOf(f.Module, name)] {
		return nil, false, false
	}
	if g, _, local := v.Names.Binding(f, name); local && g.Kind != il.Top && g.Kind != il.ClassBody {
		return sym.Const, true, true
	}
	switch c := sym.Const; c.Type {
	case il.StrConst:
		return c, capital(name), capital(name)
	case il.IntConst, il.FloatConst:
		return c, capital(name) && c.Num != 0 && c.Num != 1, capital(name) || f.Module.Language != "java"
	case il.BoolConst:
		return c, false, true
	default:
		return nil, false, false
	}
}

// capital tells a name that is written as constants are.
func capital(name string) bool {
	return strings.ToUpper(name) == name && strings.ToLower(name) != name && len(name) > 1
}

// passes tells whether a run can go from the end of a block to its i-th successor.
func (r *run) passes(s *state, end *il.Instr, i int) bool {
	if i == 0 && vacant(s.f, end) || r.v.forTypes(s.f, end) && (i == 0) == (end.Kind == "true") {
		return false
	}
	if end.Op != il.Branch || !r.defaults && r.v.switched(s.f, end) {
		return true
	}
	for k := range end.Args {
		if r.tested(s, end, k, i == 0).Empty() {
			return false
		}
	}
	return true
}

// switched tells a test of nothing but constants of which one has a name: it is
// there to be changed by hand.
func (v *Values) switched(f *il.Function, end *il.Instr) bool {
	named := false
	for _, a := range end.Args {
		switch a = f.Root(a); a.Kind {
		case il.Free:
			named = true
		case il.Constant:
		default:
			return false
		}
	}
	return named
}

// tested is what argument k of a test can be where its condition is truth.
func (r *run) tested(s *state, test *il.Instr, k int, truth bool) Value {
	a := r.operand(s, test.Args[k])
	if len(test.Args) < 2 {
		return s.rules.refine(a, test.Kind, truth, nothing())
	}
	b := r.operand(s, test.Args[1-k])
	op := test.Kind
	switch {
	case a.Empty() || b.Empty():
		return nothing()
	case op == "in" || op == "not in":
		if k == 1 || !s.rules.membered {
			return a
		}
		return r.member(s, a, test.Args[1], (op == "in") == truth)
	case k == 1:
		op = swapped[op]
	}
	if op == "" {
		return a
	}
	return s.rules.refine(a, op, truth, b)
}

// member is a as it can be where it is, or is not, in a collection.
func (r *run) member(s *state, a Value, all il.Operand, in bool) Value {
	list, ok := r.v.elements(s.f, all)
	if !ok {
		return a
	}
	if in {
		out := nothing()
		for _, e := range list {
			out = out.join(s.rules.equals(a, constant(e)))
		}
		out.Exact = a.Exact && !out.Empty()
		return out
	}
	for _, e := range list {
		a = s.rules.differs(a, constant(e), false)
	}
	return a
}

// result is what an instruction makes.
func (r *run) result(s *state, b *il.Block, in *il.Instr) Value {
	switch in.Op {
	case il.Phi:
		out := nothing()
		for i, p := range b.Preds {
			for k, to := range p.Succs {
				if to == b && s.taken[p.ID][k] {
					out = out.join(r.operand(s, in.Args[i]))
				}
			}
			if r.passing != nil && b.Dominates(p) && r.usual.f == s.f && r.usual.reached[p.ID] {
				out = out.join(r.operand(r.usual, in.Args[i])) // another turn
			}
		}
		return out
	case il.Assume:
		if !r.defaults && r.v.switched(s.f, in.Cond) {
			return r.operand(s, in.Args[0])
		}
		for k, a := range in.Cond.Args {
			if a == in.Args[0] {
				return r.tested(s, in.Cond, k, in.Truth)
			}
		}
		return r.operand(s, in.Args[0])
	case il.Bind:
		return r.bind(s, in)
	case il.Call:
		return r.call(s, in)
	case il.Get:
		return r.get(s, in)
	case il.Make:
		if in.Kind == "text" {
			return r.joined(s, in.Args)
		}
		return objects()
	case il.Define, il.Import:
		return anything()
	default:
		return anything()
	}
}

// joined is a text of parts: known where each part is one constant text.
func (r *run) joined(s *state, parts []il.Operand) Value {
	whole := ""
	for _, p := range parts {
		v := r.operand(s, p)
		if v.Empty() {
			return nothing()
		}
		if len(v.Strs) != 1 || len(whole) > maxText || !v.equal(texts(v.Strs[0])) && !v.within(texts(v.Strs[0])) {
			return someText()
		}
		whole += v.Strs[0]
	}
	return texts(whole)
}

// maxText bounds the texts that are put together, in bytes.
const maxText = 4096

// bind is a copy, a cast, or an operator.
func (r *run) bind(s *state, in *il.Instr) Value {
	a := r.operand(s, in.Args[0])
	switch {
	case a.Empty():
		return a
	case in.Kind == "":
		if len(in.Names) > 0 && a.any() {
			return r.typed(s, in.Names[0])
		}
		return a
	case in.Kind == "cast":
		return r.cast(s, a, in)
	case len(in.Args) < 2:
		if in.Kind == "-" && a.numeric() {
			return s.rules.kept(numbers(Interval{-a.Num.Hi, -a.Num.Lo}, a.Int))
		}
		return anything()
	}
	b := r.operand(s, in.Args[1])
	switch {
	case b.Empty():
		return b
	case negated[in.Kind] != "" && in.Kind != "instanceof":
		if r.v.switched(s.f, in) && !r.defaults {
			return truths()
		}
		v := nothing()
		v.Exact = false
		v.True = !r.tested(s, in, 0, true).Empty() && !r.tested(s, in, 1, true).Empty()
		v.False = !r.tested(s, in, 0, false).Empty() && !r.tested(s, in, 1, false).Empty()
		return v
	case a.numeric() && b.numeric():
		return s.rules.arithmetic(in.Kind, a, b)
	case in.Kind == "/":
		if v, ok := r.mean(s, in); ok {
			return v
		}
	case in.Kind == "+" && len(a.Strs) == 1 && len(b.Strs) == 1 && a.equal(texts(a.Strs[0])) && b.equal(texts(b.Strs[0])) && len(a.Strs[0]) < maxText:
		return texts(a.Strs[0] + b.Strs[0])
	}
	return anything()
}

// cast is a value under another type.
func (r *run) cast(s *state, a Value, in *il.Instr) Value {
	if !s.rules.types {
		if s.rules.lacks { // a type of TypeScript changes nothing
			return a
		}
		return anything()
	}
	t := r.typed(s, in.Names[0])
	if a.numeric() && a.Int && t.Int && a.within(numbers(t.Num, true)) {
		return a
	}
	return t
}

// typed is what a declared type holds, in languages that enforce it.
func (r *run) typed(s *state, written string) Value {
	if !s.rules.types {
		return anything()
	}
	return typeValue(s.f.Module.Language, written)
}

// kept is a number as a language of fixed widths keeps it: what any width holds
// stays, else it may have wrapped.
func (r rules) kept(v Value) Value {
	v.Exact = false
	if !r.fixed || v.Num.Lo >= 0 && v.Num.Hi <= math.MaxInt8 {
		return v
	}
	v.Num, v.Other = everyNumber(), !v.Int
	return v
}

// corners is what an operator that is monotone in each operand makes of two
// ranges.
func corners(a, b Interval, f func(x, y float64) float64) (Interval, bool) {
	out := noNumber()
	for _, x := range []float64{a.Lo, a.Hi} {
		for _, y := range []float64{b.Lo, b.Hi} {
			z := f(x, y)
			if math.IsNaN(z) {
				return out, false
			}
			out = out.join(Interval{z, z})
		}
	}
	return out, true
}

// arithmetic is an operator of two numbers.
func (r rules) arithmetic(op string, a, b Value) Value {
	zero := b.Num.Lo <= 0 && b.Num.Hi >= 0
	var f func(x, y float64) float64
	whole := a.Int && b.Int
	switch {
	case op == "+":
		f = func(x, y float64) float64 { return x + y }
	case op == "-":
		f = func(x, y float64) float64 { return x - y }
	case op == "*":
		f = func(x, y float64) float64 { return x * y }
	case op == "//" && !zero:
		f = func(x, y float64) float64 { return math.Floor(x / y) }
	case op == "/" && !zero && r.fixed:
		return r.divided(a, b)
	case op == "/" && !zero:
		f, whole = func(x, y float64) float64 { return x / y }, false
	case op == "%" && !zero:
		return r.remainder(a, b)
	case op == "**" && b.Int && b.Num.Lo >= 0 && b.Num.Hi <= 64 && a.Num.Lo >= 0:
		f = math.Pow
	default:
		return anything()
	}
	n, ok := corners(a.Num, b.Num, f)
	if !ok {
		return anything()
	}
	out := numbers(n, whole)
	if !whole && (math.IsInf(n.Lo, 0) || math.IsInf(n.Hi, 0)) {
		out.Other = true // an infinite one from another is not a number
	}
	return r.kept(out)
}

// divided is a quotient that is cut to an integer, or is not: which one is for the
// types to say. It is no larger than its dividend.
func (r rules) divided(a, b Value) Value {
	n, ok := corners(a.Num, b.Num, func(x, y float64) float64 { return x / y })
	if !ok {
		return anything()
	}
	out := numbers(Interval{min(n.Lo, math.Trunc(n.Lo)), max(n.Hi, math.Trunc(n.Hi))}, false)
	out.Other = true
	return out
}

// remainder has the sign of one of its operands, and is smaller than the divisor.
func (r rules) remainder(a, b Value) Value {
	most := max(math.Abs(b.Num.Lo), math.Abs(b.Num.Hi))
	whole := a.Int && b.Int
	if whole && most < wholeLimit {
		most--
	}
	out := numbers(Interval{-most, most}, whole)
	out.Other = !whole
	if !r.mod && a.Num.Lo >= 0 || r.mod && b.Num.Lo > 0 {
		out.Num.Lo = 0
	}
	if !r.mod && a.Num.Hi <= 0 || r.mod && b.Num.Hi < 0 {
		out.Num.Hi = 0
	}
	return out
}
