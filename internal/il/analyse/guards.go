package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Guard is a test that every way to a use has passed with the same outcome.
type Guard struct {
	Test   *il.Instr // a branch, or the call of a function that tests and raises
	At     il.Place
	Truth  bool   // the outcome on the way to the use
	Leaves string // how the other side goes: raise, return, exit, or "" for elsewhere
}

// Guards lists the tests of a value that dominate a use, the closest first: every
// way to it takes the same side of them. How the other side goes needs no proof of
// its own: it comes back only through the test.
//
// It is sound for "not tested": a test counts if its condition depends in any way
// on the same value (not the same name: a value bound anew is another). That a
// test which counts is the right one is not said. Exceptions inside of a call are
// not ways, but for those that a try statement around it catches.
func Guards(f *il.Function, names *Names, value il.Operand, use *il.Instr) []Guard {
	at := f.Block(use)
	if at == nil {
		return nil
	}
	return guards(f, names, f.Root(value), at, use, 0)
}

// guards are the tests of a value on every way to a place in a block; before use,
// where it stands in the block.
func guards(f *il.Function, names *Names, about il.Operand, at *il.Block, use *il.Instr, depth int) (out []Guard) {
	for b := at; b != nil; b = b.Dominator() {
		for _, in := range b.Instrs {
			if in == use {
				break
			}
			if in.Op == il.Call {
				if test, ok := inside(f, names, in, about, depth); ok {
					out = append(out, Guard{in, test, true, "raise"})
				}
			}
		}
		if len(b.Preds) != 1 {
			continue
		}
		d := b.Preds[0]
		if end := d.End(); end.Op == il.Branch && slices.Contains(origins(f, end.Args), about) {
			side := slices.Index(d.Succs, b)
			out = append(out, Guard{end, f.Place(end.Span), side == 0, leaves(d, d.Succs[1-side])})
		}
	}
	return out
}

// maxLeaves bounds the blocks that are looked at for how a side ends.
const maxLeaves = 64

// leaves says how all ways from a side of a test end, "" where they end differently,
// come to the test again, or return from where others come, too: such a side only
// goes on elsewhere. That others raise from there, as behind the parts of one
// condition, changes nothing.
func leaves(test, from *il.Block) string {
	how, shared := "", false
	seen := map[*il.Block]bool{}
	for work := []*il.Block{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		if seen[b] = true; len(seen) > maxLeaves || b == test {
			return ""
		}
		shared = shared || !from.Dominates(b)
		if len(b.Succs) == 0 {
			end := b.End().Op.String()
			if how != "" && how != end {
				return ""
			}
			how = end
		}
		work = append(work, b.Succs...)
	}
	if shared && how == "return" {
		return ""
	}
	return how
}

// maxInside bounds the calls in calls that are looked into for a test.
const maxInside = 3

// Comes tells whether a way leads from a block to an instruction over no side of a test
// that is left out. It is sound for "no way": no edge of a function is missing.
func Comes(f *il.Function, from *il.Block, to *il.Instr, left func(test *il.Instr, truth bool) bool) bool {
	home := f.Block(to)
	seen := map[*il.Block]bool{}
	for work := []*il.Block{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		if seen[b] = true; b == home {
			return true
		}
		end := b.End()
		for i, next := range b.Succs {
			if end.Op != il.Branch || !left(end, i == 0) {
				work = append(work, next)
			}
		}
	}
	return false
}

// Ends says how a side of a test ends, as Guard.Leaves does.
func Ends(f *il.Function, test *il.Instr, truth bool) string {
	b := f.Block(test)
	if truth {
		return leaves(b, b.Succs[0])
	}
	return leaves(b, b.Succs[1])
}

// inside tells where a function of the program that is called tests a value, so
// that the call returns only if the test passed.
func inside(f *il.Function, names *Names, call *il.Instr, value il.Operand, depth int) (il.Place, bool) {
	s := names.Operand(f, call.Args[0])
	if s == nil || s.Function == nil || s.Function == f || s.Function.Kind == il.ClassBody || depth >= maxInside ||
		len(s.Function.Decorators) > 0 || s.Function.Async && call.Mode != il.Awaited || call.Mode == il.Spawned || call.Mode == il.Deferred || yields(s.Function) {
		return il.Place{}, false
	}
	for i, a := range call.Args[1:] {
		if p := position(s, call, i); p >= 0 && f.Root(a) == value {
			if at, ok := tests(s.Function, names, p, depth+1); ok {
				return at, true
			}
		}
	}
	return il.Place{}, false
}

// tests tells where every way of a function to its return has passed a test of a
// parameter whose other side raises.
func tests(g *il.Function, names *Names, param, depth int) (at il.Place, every bool) {
	about := il.Operand{Kind: il.Local, ID: g.Params[param].Var}
	for _, b := range g.Blocks {
		if b.End().Op != il.Return {
			continue
		}
		all := guards(g, names, about, b, b.End(), depth)
		i := slices.IndexFunc(all, func(t Guard) bool { return t.Leaves == "raise" || t.Leaves == "exit" })
		if i < 0 {
			return il.Place{}, false
		}
		at, every = all[i].At, true
	}
	return at, every
}

// position is which parameter argument i of a call (0 is the first after the
// callee) is bound to, -1 where that is not known.
func position(callee *Symbol, call *il.Instr, i int) int {
	if i >= len(call.Names) || call.Names[i] == "*" || call.Names[i] == "**" || slices.Contains(call.Names[:i], "*") {
		return -1
	}
	shift := 0
	if callee.Bound {
		shift = 1
	}
	for p, param := range callee.Function.Params {
		switch name := call.Names[i]; {
		case param.Spread == "*" && name == "": // what stands behind it is given by name only
			return -1
		case param.Spread != "":
		case name != "" && param.Name == name, name == "" && p == i+shift:
			return p
		}
	}
	return -1
}

// origins are the versions and outside names that operands are computed from,
// themselves included, each followed to its root.
func origins(f *il.Function, from []il.Operand) (out []il.Operand) {
	seen := map[il.Operand]bool{}
	for work := slices.Clone(from); len(work) > 0; {
		o := f.Root(work[len(work)-1])
		work = work[:len(work)-1]
		if seen[o] || o.Kind != il.Local && o.Kind != il.Free {
			continue
		}
		seen[o] = true
		out = append(out, o)
		if def := f.Def(o); def != nil {
			work = append(work, def.Args...)
		}
	}
	return out
}
