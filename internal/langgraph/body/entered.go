package body

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Entered are the blocks of a function of the state that a run may come to, though the state
// has nothing under some keys which it asks for.
func (b Bodies) Entered(f *il.Function, lacked []string) map[*il.Block]bool {
	e := empties{walk: b.walk(f), lacked: lacked}
	return b.Values.Enters(f, func(test *il.Instr) analyse.Tri {
		switch {
		case !e.nothing(f, test.Args[0], 0):
		case test.Op == il.Loop || test.Kind == "true":
			return analyse.No
		case e.counts(f, test.Args[0]):
			return compares(f, test)
		}
		return analyse.Unknown
	})
}

// compares tells whether nought fulfils the comparison of a test with a number.
func compares(f *il.Function, test *il.Instr) analyse.Tri {
	c, ok := f.Const(f.Root(test.Args[1]))
	holds, known := map[string]bool{"==": c.Num == 0, "!=": c.Num != 0, "<": c.Num > 0, "<=": c.Num >= 0, ">": c.Num < 0, ">=": c.Num <= 0}[test.Kind]
	switch {
	case !ok || !known || c.Type != il.IntConst && c.Type != il.FloatConst:
		return analyse.Unknown
	case holds:
		return analyse.Yes
	default:
		return analyse.No
	}
}

// empties tells what holds nothing where the state has nothing under some keys.
type empties struct {
	*walk
	lacked []string
}

// passing are calls that make nothing of nothing: an empty list, nought, or what is not true.
var passing = []string{"any", "len", "sum", "list", "dict", "set", "tuple", "sorted", "bool"}

// parting are methods that give of nothing nothing.
var parting = []string{"values", "items", "keys", "copy"}

// nothing tells a value that is none, false, nought or holds nothing: what the state has under
// such a key, what is taken from that or made of it, and a default that holds nothing.
func (e *empties) nothing(f *il.Function, o il.Operand, depth int) bool {
	o = f.Root(o)
	if c, constant := f.Const(o); constant {
		return c.Num == 0 && c.Text == "" || c.Type == il.NoneConst
	}
	in := f.Def(o)
	if in == nil || depth > maxParts {
		return false
	}
	of, at := part(f, in)
	if key, ok := e.key(f, in); ok && slices.Contains(e.lacked, key) && e.onlyState(f, of) || at.Kind != il.Opaque && e.nothing(f, of, depth+1) {
		return in.Op == il.Get || len(in.Args) < 3 || e.nothing(f, in.Args[len(in.Args)-1], depth+1)
	}
	switch in.Op {
	case il.Make:
		return len(in.Args) == 0
	case il.Phi:
		return !slices.ContainsFunc(in.Args, func(o il.Operand) bool { return !e.within(f, o, in) && !e.nothing(f, o, depth+1) })
	case il.Call:
		if slices.Contains(passing, in.Kind) && len(in.Args) > 1 {
			return e.nothing(f, in.Args[1], depth+1)
		}
		get := f.Def(f.Root(in.Args[0]))
		return get != nil && get.Op == il.Get && slices.Contains(parting, text(f, get.Args[1])) && e.nothing(f, get.Args[0], depth+1)
	}
	return false
}

// maxParts bounds what is taken from what is taken from a value, and so on.
const maxParts = 12

// within tells a value that is only made in a loop over nothing, at whose head it comes back.
func (e *empties) within(f *il.Function, o il.Operand, join *il.Instr) bool {
	head, made := f.Block(join), f.Versions[max(o.ID, 0)].Block
	loop := head.End()
	return o.Kind == il.Local && loop.Op == il.Loop && made != nil && head.Succs[0].Dominates(made) && e.nothing(f, loop.Args[0], maxParts/2)
}

// counts tells a value that is a number.
func (e *empties) counts(f *il.Function, o il.Operand) bool {
	in := f.Def(f.Root(o))
	return in != nil && in.Op == il.Call && (in.Kind == "len" || in.Kind == "sum")
}

// Fills tells whether a function of the state, or one that it hands its state on to, may put
// something in what the state has under a key, other than by what it gives back.
func (b Bodies) Fills(f *il.Function, key string) (fills bool) {
	flow := b.Flow()
	flow.To = func(f *il.Function, in *il.Instr, arg int) bool {
		if arg != 0 || in.Op != il.Call {
			return arg == 0 && in.Op == il.Set
		}
		get := f.Def(f.Root(in.Args[0]))
		return get != nil && get.Op == il.Get && !slices.Contains(parting, text(f, get.Args[1])) && text(f, get.Args[1]) != "get"
	}
	flow.Stops = func(f *il.Function, in *il.Instr, _ int) bool { // what is made outside of it is another thing
		_, own := b.Names.Called(f, in)
		return in.Op == il.Call && own == nil && in.Kind != "iter" || in.Op == il.Bind && in.Kind != "" || in.Op == il.Make && in.Kind == "text"
	}
	b.walk(f).each(func(w *walk) {
		for _, g := range Within(w.of) {
			for _, in := range g.Instructions() {
				if at, ok := w.key(g, in); ok && at == key {
					fills = fills || !flow.Avoids(g, il.Operand{Kind: il.Local, ID: in.Dst})
				}
				fills = fills || w.asksAnother(g, in)
			}
		}
	})
	return fills
}

// asksAnother tells a call of which nobody knows what it does with the state that it is given.
func (w *walk) asksAnother(f *il.Function, call *il.Instr) bool {
	if _, reads := w.key(f, call); call.Op != il.Call || reads {
		return false
	}
	for i, a := range call.Args[1:] {
		if !w.isState(f, a) {
			continue
		}
		if g, _ := w.Names.Argument(f, call, i); g != nil {
			continue
		}
		if name, own := w.Names.Called(f, call); name == "" || own != nil && own.Kind != il.ClassBody {
			return true
		}
	}
	return false
}
