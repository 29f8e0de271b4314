package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// means are functions that make one number of several without preferring one.
var means = []string{"mean", "fmean", "median", "median_low", "median_high", "average"}

// ofAllJudges reports whether a term of a sum is reckoned from scores of no one judge: it has
// as much of each judge as of any other, so that what a sum adds of the tech lead is more.
func (b *bench) ofAllJudges(n code.Node) bool {
	v, ok := intree.Value(b.il.Analyses, n)
	return ok && b.weighs.shared(v.Function, v.Operand, map[analyse.Use]bool{})
}

// shared tells a value that is reckoned from scores which are not one judge's: their sum,
// mean or extreme, or one by its rank, whichever way it came about.
func (k *marks) shared(f *il.Function, o il.Operand, seen map[analyse.Use]bool) (some bool) {
	for _, o := range f.Alternatives(o) {
		if o.Kind == il.Constant {
			continue
		}
		at := analyse.Use{Function: f, Operand: o}
		is, known := seen[at]
		if !known {
			seen[at] = true // of a loop what comes into it decides
			is = k.reckoned(f, o, seen)
			seen[at] = is
		}
		if !is {
			return false
		}
		some = true
	}
	return some
}

// reckoned is shared of one alternative.
func (k *marks) reckoned(f *il.Function, o il.Operand, seen map[analyse.Use]bool) bool {
	def := f.Def(o)
	one := func(args []il.Operand) bool {
		return slices.ContainsFunc(args, func(o il.Operand) bool { return k.shared(f, o, seen) })
	}
	switch {
	case def == nil:
		return o.Kind == il.Local && k.filled(f, f.Versions[o.ID].Param, seen)
	case def.Op == il.Bind && has([]string{def.Kind}, "+", "-", "*", "/", "//"):
		return one(def.Args)
	case def.Op == il.Get && def.Kind == "item":
		of := f.Def(f.Root(def.Args[0]))
		switch {
		case of == nil || of.Op != il.Call:
			return false
		case k.b.il.callee(f, of) != nil:
			return k.gives(k.b.il.callee(f, of), keyOf(def), f, seen)
		}
		return lastName(of) == "sorted" && k.everybodys(f, of)
	case def.Op == il.Call && k.b.il.callee(f, def) != nil:
		return k.gives(k.b.il.callee(f, def), il.Operand{}, f, seen)
	case def.Op == il.Call && len(def.Args) == 2 && has([]string{lastName(def)}, append([]string{"sum", "min", "max"}, means...)...):
		return k.everybodys(f, def)
	case def.Op == il.Call && has([]string{lastName(def)}, "round", "int", "float", "min", "max"):
		return one(def.Args[1:])
	}
	return false
}

// gives tells a function that gives back such values, in all that it gives back, or in the
// element of a tuple under a key.
func (k *marks) gives(g *il.Function, key il.Operand, at *il.Function, seen map[analyse.Use]bool) (all bool) {
	i, element := at.Const(key)
	for in := range returns(g) {
		o := in.Args[0]
		if tuple := g.Def(g.Root(o)); element && tuple != nil && tuple.Op == il.Make && int(i.Num) < len(tuple.Args) && i.Num >= 0 {
			o = tuple.Args[int(i.Num)]
		} else if element {
			return false
		}
		if all = k.shared(g, o, seen); !all {
			return false
		}
	}
	return all
}

// filled tells a parameter that is given such values, and no others.
func (k *marks) filled(f *il.Function, param int, seen map[analyse.Use]bool) (some bool) {
	for _, s := range k.b.il.Names.Sites(f) {
		given, ok := s.Argument(param)
		if !ok || !k.counts(s) {
			continue
		}
		if !k.shared(s.Function, given, seen) {
			return false
		}
		some = true
	}
	return some
}

// everybodys tells a call whose list holds scores, and not those of one judge.
func (k *marks) everybodys(f *il.Function, call *il.Instr) bool {
	m := k.of(analyse.Use{Function: f, Operand: call.Args[1], At: call}).data
	return m&judged != 0 && judge(m) == nobody
}

// judge is the one judge whose something is; nobody for none or several.
func judge(m mark) persona {
	return max(nobody, persona(slices.Index([]mark{prosecutor: ofProsecutor, defense: ofDefense, techLead: ofLead}, m&anyJudge)))
}
