package safety

import (
	"cmp"
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// mark is what a node leaves in the state when a test fails.
type mark struct {
	key   string
	truth tri    // how it counts in a condition
	text  string // the constant that it is, "" when it is none
}

// marks are what a side of a branch leaves in the state: entries that it writes, and
// lists and flags that it changes and the node returns.
func (x *lowered) marks(f *il.Function, side *il.Block) (out []mark) {
	for _, in := range within(f, side) {
		switch {
		case in.Op == il.Set && (in.Kind == "item" || in.Kind == "attr"):
			if key, _ := f.Str(in.Args[1]); key != "" {
				out = append(out, x.worth(f, key, in.Args[2], side))
			}
		case in.Op == il.Make && in.Kind == "map", in.Op == il.Call:
			out = append(out, x.entries(f, in, side, true)...)
		}
	}
	for _, in := range f.Instructions() {
		if b := f.Block(in); !side.Dominates(b) && (in.Op == il.Make && in.Kind == "map" || in.Op == il.Call) {
			out = append(out, x.entries(f, in, side, false)...)
		}
	}
	return out
}

// entries are what a record that is made holds: all of it, or only what the side has
// changed.
func (x *lowered) entries(f *il.Function, in *il.Instr, side *il.Block, all bool) (out []mark) {
	shift := len(in.Args) - len(in.Names)
	for i, name := range in.Names {
		o := in.Args[i+shift]
		if _, came := bySide(f, o, side); name != "" && name != "*" && name != "**" && (all || came) {
			out = append(out, x.worth(f, name, o, side))
		}
	}
	return out
}

// bySide is the value that one has where ways meet, of a run that came by a side, also where
// other ways meet later or it is added to; false where it has none of the side.
func bySide(f *il.Function, o il.Operand, side *il.Block) (il.Operand, bool) {
	return sided(f, o, side, map[il.Operand]bool{})
}

// sided gives no operand for what a loop brings back, which is asked about already.
func sided(f *il.Function, o il.Operand, side *il.Block, asked map[il.Operand]bool) (il.Operand, bool) {
	o = f.Root(o)
	def := f.Def(o)
	switch {
	case def == nil:
	case asked[o]:
		return il.Operand{}, true
	case def.Op == il.Phi:
		preds := f.Block(def).Preds
		if i := slices.IndexFunc(preds, side.Dominates); i >= 0 {
			return f.Root(def.Args[i]), true
		}
		asked[o] = true
		out := il.Operand{}
		for _, a := range def.Args {
			v, came := sided(f, a, side, asked)
			if !came || out != (il.Operand{}) && v != (il.Operand{}) && v != out {
				return o, false
			}
			out = cmp.Or(out, v)
		}
		return out, true
	case def.Op == il.Set && def.Kind == "add":
		asked[o] = true
		if v, came := sided(f, def.Args[0], side, asked); came {
			if made := f.Def(v); made != nil && made.Op == il.Make && len(made.Args) == 0 {
				return o, true
			}
			return v, true
		}
	}
	return o, false
}

// worth is the mark that a value makes.
func (x *lowered) worth(f *il.Function, key string, o il.Operand, side *il.Block) mark {
	m := mark{key: key, truth: unsure}
	o, _ = bySide(f, o, side)
	if c, ok := f.Const(o); ok {
		m.truth = boolTri(c.Text != "" && c.Type == il.StrConst || c.Num != 0 && c.Type != il.NoneConst)
		if c.Type != il.NoneConst {
			m.text = label(c)
		}
		return m
	}
	def := f.Def(o)
	if def == nil {
		return m
	}
	switch {
	case def.Op == il.Set && def.Kind == "add", def.Op == il.Make && len(def.Args) > 0:
		m.truth = yes // what it holds is not known, but it holds something
	case def.Op == il.Make:
		m.truth = no
	case def.Op == il.Bind && (def.Kind == "not" || def.Kind == "+"):
		m.truth = x.worth(f, key, def.Args[len(def.Args)-1], side).truth
		if def.Kind == "not" {
			m.truth = m.truth.opposite()
		}
	case def.Op == il.Call && keepsTruth(x, f, def):
		m.truth = x.worth(f, key, def.Args[1], side).truth
	}
	return m
}

// keepsTruth tells a call whose result counts in a condition as its argument does.
func keepsTruth(x *lowered, f *il.Function, in *il.Instr) bool {
	name, _ := x.callee(f, in)
	return len(in.Args) > 1 && named(name, "builtins.len", "builtins.bool", "builtins.list", "builtins.any", "builtins.tuple")
}

// marked is a router that meets a mark.
type marked struct {
	*lowered
	f    *il.Function
	mark mark
}

// excluded tells a place of the router to which no run comes with the mark set.
func (m marked) excluded(at *il.Instr) bool {
	for _, o := range reads(m.f, m.mark.key) {
		for _, g := range analyse.Guards(m.f, m.Names, o, at) {
			if t := m.holds(g.Test); t == yes && !g.Truth || t == no && g.Truth {
				return true
			}
		}
	}
	return m.named(at)
}

// named tells a place to which a run comes only where the state has no entry of the
// mark's name.
func (m marked) named(at *il.Instr) bool {
	if len(m.f.Params) == 0 || m.mark.truth != yes {
		return false
	}
	state := il.Operand{Kind: il.Local, ID: m.f.Params[0].Var}
	return slices.ContainsFunc(analyse.Guards(m.f, m.Names, state, at), func(g analyse.Guard) bool {
		text, _ := m.f.Str(m.f.Root(g.Test.Args[0]))
		return text == m.mark.key && (g.Test.Kind == "in" && !g.Truth || g.Test.Kind == "not in" && g.Truth)
	})
}

// holds is the outcome of a test where the mark is set.
func (m marked) holds(test *il.Instr) tri {
	if test.Kind == "true" {
		return m.truth(test.Args[0], maxCondition)
	}
	if len(test.Args) < 2 {
		return unsure
	}
	return m.compares(test.Kind, test.Args[0], test.Args[1], maxCondition)
}

// maxCondition bounds how deep a condition is looked into.
const maxCondition = 12

func (m marked) reads(o il.Operand) bool {
	_, key := read(m.f, m.f.Def(m.f.Root(o)))
	return key == m.mark.key
}

// truth is how a value counts in a condition where the mark is set.
func (m marked) truth(o il.Operand, deep int) tri {
	if o = m.f.Root(o); m.reads(o) {
		return m.mark.truth
	}
	def := m.f.Def(o)
	switch {
	case deep == 0 || def == nil:
	case def.Op == il.Bind && def.Kind == "not":
		return m.truth(def.Args[0], deep-1).opposite()
	case def.Op == il.Bind && len(def.Args) == 2:
		return m.compares(def.Kind, def.Args[0], def.Args[1], deep-1)
	case def.Op == il.Call && keepsTruth(m.lowered, m.f, def):
		return m.truth(def.Args[1], deep-1)
	case def.Op == il.Phi: // one or the other, as "or []" has it
		return m.either(def)
	}
	return unsure
}

// either is the truth of a value that ways bring together: of those that a run can
// come by.
func (m marked) either(phi *il.Instr) tri {
	answer, first := unsure, true
	for i, p := range m.f.Block(phi).Preds {
		if m.excluded(p.End()) {
			continue
		}
		t := unsure
		if m.reads(phi.Args[i]) {
			t = m.mark.truth
		}
		if first {
			answer, first = t, false
		} else if t != answer {
			return unsure
		}
	}
	return answer
}

// compares decides a comparison of the mark with nothing, with a constant, or of its
// length with nought.
func (m marked) compares(kind string, left, right il.Operand, deep int) tri {
	t := m.truth(left, deep)
	c, constant := m.f.Const(m.f.Root(right))
	bare := m.f.Def(m.f.Root(right))
	nothing := constant && (c.Type == il.NoneConst || label(c) == "" || c.Type == il.IntConst && c.Num == 0) || bare != nil && bare.Op == il.Make && len(bare.Args) == 0
	answer := unsure
	switch {
	case t == unsure:
		return unsure
	case kind == ">=" && constant && c.Num == 1:
		return t
	case constant && c.Type == il.NoneConst && t == no:
	case nothing:
		answer = t.opposite()
	case constant && m.mark.text != "" && m.reads(left):
		answer = boolTri(label(c) == m.mark.text)
	}
	switch kind {
	case "==", "is", "===":
		return answer
	case "!=", "is not", "!==", ">":
		return answer.opposite()
	}
	return unsure
}

// label is the name that a constant stands for in a path map.
func label(c il.Const) string {
	switch {
	case c.Type == il.BoolConst && c.Num != 0:
		return "True"
	case c.Type == il.BoolConst:
		return "False"
	}
	return c.Text
}
