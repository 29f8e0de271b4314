package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// at is what an expression is made of.
func (k *marks) at(n code.Node) origin { return k.settle(k.expression(n)) }

// condition is what a condition is made of, and what decided the flags and predicates in it.
func (k *marks) condition(n code.Node) mark { return k.decided([]code.Node{n}) }

// guards is the marks of the conditions around a node in its function.
func (k *marks) guards(n code.Node) mark { return k.decided(k.b.conditions(n)) }

// returned is what a function gives back.
func (k *marks) returned(f *il.Function) origin {
	var all made
	if f != nil {
		for in := range returns(f) {
			all.add(k.of(analyse.Use{Function: f, Operand: in.Args[0], At: in}))
			all.tests = append(all.tests, k.around(f, in)...)
		}
	}
	return k.settle(all)
}

// holds is what a name of a function holds.
func (k *marks) holds(f *il.Function, name string) origin { return k.bound(f, name, f.Span) }

// bound is what a name is bound to, or is filled with, in a stretch of a function.
func (k *marks) bound(f *il.Function, name string, in il.Span) origin {
	var all made
	for id, v := range f.Versions {
		def := v.Def
		if v.Var == name && (v.Param >= 0 || def != nil && def.Op != il.Phi && def.Op != il.Assume && in.From <= def.Span.From && def.Span.To <= in.To) {
			all.add(k.of(analyse.Use{Function: f, Operand: il.Operand{Kind: il.Local, ID: int32(id)}}))
		}
	}
	return k.settle(all)
}

// settle adds what decides the conditions.
func (k *marks) settle(m made) origin { return origin{m.data, k.decided(m.tests)} }

// decided is what conditions are made of: the data in them, and what decided the flags and
// predicates in them.
func (k *marks) decided(tests []code.Node) (m mark) {
	all := made{tests: slices.Clone(tests)}
	for i := 0; i < len(all.tests); i++ {
		all.add(k.test(all.tests[i]))
	}
	return all.data
}

// test is one condition. That a list is not empty does not count as what decided its
// elements, unless a predicate of the program chose them.
func (k *marks) test(n code.Node) made {
	n = n.Unparen()
	out, ok := k.asked[n]
	if !ok {
		k.asked[n] = made{}
		out = k.examine(n)
		k.asked[n] = out
	}
	return out
}

// examine reads a condition.
func (k *marks) examine(n code.Node) (out made) {
	if n.Is("boolean_operator", "not_operator") {
		for c := range n.Children() {
			out.add(k.test(c))
		}
		return out
	}
	var work []analyse.Use
	for _, s := range k.b.il.Written(n.Path(), n.Start(), n.End()) {
		if s.At.Op == il.Branch && len(work) == 0 && !n.Is("case_pattern") {
			work = parts(s.Function, s.At)
			if s.At.Kind == "==" && slices.ContainsFunc(s.At.Args, func(o il.Operand) bool {
				text, _ := s.Function.Str(o)
				return has(split(text), "safe", "safety") && starts(split(text), "tool")
			}) {
				out.data |= security // the name of a criterion on the safety of tools
			}
			if s.At.Kind == "in" { // what decided that it is an element
				out.tests = slices.Clone(k.of(work[len(work)-1]).tests)
			}
		}
	}
	if v, ok := intree.Value(k.b.il.Analyses, n); ok && len(work) == 0 && !n.Is("case_pattern") {
		work = append(work, analyse.Use{Function: v.Function, Operand: v.Operand, At: v.Use})
	}
	if len(work) == 0 {
		out.data |= k.expression(n).data
	}
	seen, texts := map[il.Operand]bool{}, map[il.Operand]bool{}
	for ; len(work) > 0; work = work[1:] {
		u := work[0]
		if seen[u.Operand] && u.Operand.Kind == il.Local {
			continue
		}
		seen[u.Operand] = true
		def, temp := u.Function.Def(u.Operand), u.Function.Variable(u.Operand) == ""
		if temp && def != nil && (def.Op == il.Bind || def.Op == il.Make || def.Op == il.Phi || def.Op == il.Set && def.Kind == "add" || def.Op == il.Call && k.b.il.callee(u.Function, def) == nil && keyOf(def).Kind == il.Opaque) {
			got, more := k.note(u.Function, u.Operand)
			out.data |= got.data
			if def.Op == il.Call && receiver(u.Function, def) == def.Args[0] { // a predicate that was handed over
				out.data |= k.of(analyse.Use{Function: u.Function, Operand: def.Args[0], At: def}).data
			}
			for _, part := range parts(u.Function, def) {
				work, texts[part.Operand] = append(work, part), def.Kind == "in" || def.Op == il.Call && slices.Contains(writing, lastName(def))
			}
			work = append(work, more...)
			continue
		}
		got := k.of(u)
		if !temp && got.data&judged != 0 && !texts[u.Operand] { // a score is only a score, whatever rules it went through
			got.data = k.name(u.Function, u.Operand) | got.data&^(security|evidence|argued|pleaded)
		}
		if (!temp || def != nil && def.Op == il.Get) && !k.flag(u.Function, u.Operand) {
			got.tests = nil
			got.data |= k.chosen(u) & (evidence | security)
		}
		out.add(got)
	}
	return out
}

// chosen is what predicates of the program decide when they choose what a list holds.
func (k *marks) chosen(list analyse.Use) (m mark) {
	f := list.Function
	for _, o := range append(f.Alternatives(list.Operand), f.Root(list.Operand)) {
		if def := f.Def(o); def != nil && f.Variable(o) == "" {
			for _, u := range tested(f, k.b.comprehension(f, def)) {
				if call := f.Def(u.Operand); call != nil && call.Op == il.Call && k.b.il.callee(f, call) != nil {
					o := k.settle(k.of(u))
					m |= o.data | o.when
				}
			}
		}
	}
	return m
}

// flag tells a value that is only ever a truth, or a constant that a function chose.
func (k *marks) flag(f *il.Function, o il.Operand) bool {
	return !slices.ContainsFunc(f.Alternatives(o), func(o il.Operand) bool {
		if c, ok := f.Const(o); ok {
			return c.Type != il.BoolConst && c.Type != il.NoneConst
		}
		switch def := f.Def(o); {
		case def == nil:
			return true
		case def.Op == il.Bind:
			return !slices.Contains([]string{"<", "<=", ">", ">=", "==", "!=", "is", "in", "not"}, def.Kind)
		default:
			return !has([]string{def.Kind}, "any", "all", "bool") && !k.constant(f, def)
		}
	})
}

// constant tells a call of a function of the program that knows constants only: which one
// it gives tells what decided it.
func (k *marks) constant(f *il.Function, call *il.Instr) (some bool) {
	if call.Op != il.Call {
		return false
	}
	g := k.b.il.callee(f, call)
	if g == nil || g.Kind == il.ClassBody {
		return false
	}
	for in := range returns(g) {
		for _, o := range g.Alternatives(in.Args[0]) {
			if o.Kind != il.Constant {
				return false
			}
			some = true
		}
	}
	return some
}
