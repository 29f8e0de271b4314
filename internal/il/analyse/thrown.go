package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Thrown lists the handlers that an exception of an instruction comes to first,
// those of its own function in the order in which they are tried, and whether one
// that none of them names may leave the function. It takes every handler for one
// that may catch, and over-approximates both.
func (o *Outcome) Thrown(f *il.Function, in *il.Instr) (by []Handler, leaves bool) {
	work := tried(f.Block(in), in)
	leaves = len(work) == 0
	seen := map[*il.Block]bool{}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if seen[b] {
			continue
		}
		seen[b] = true
		if got := catch(b); got != nil {
			by = append(by, o.handler(f, b, got))
			continue
		}
		leaves = leaves || len(b.Succs) == 0
		work = append(work, b.Succs...)
	}
	return by, leaves
}

// Fallout are the blocks that a run comes to when an instruction raises, in the same turn of
// a loop: true of those where what was raised is still on its way, as in a finally clause. It
// over-approximates: each handler may catch.
func (o *Outcome) Fallout(f *il.Function, in *il.Instr) map[*il.Block]bool {
	type stop struct {
		block   *il.Block
		pending bool
	}
	out, seen := map[*il.Block]bool{}, map[stop]bool{}
	var work []stop
	on := func(pending bool, blocks ...*il.Block) {
		for _, b := range blocks {
			work = append(work, stop{b, pending && catch(b) == nil})
		}
	}
	for on(true, tried(f.Block(in), in)...); len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		b := at.block
		out[b] = out[b] || at.pending
		switch {
		case at.pending && finishes(b):
			on(true, b.Succs[1:]...)
		case at.pending && splits(b):
			on(true, b.Succs[0])
		case at.pending || b.End().Op == il.Raise:
			on(true, b.Succs...)
		default:
			on(false, usually(b)...)
		}
	}
	return out
}

// Aside tells whether an instruction stands on a side of a test behind another that goes on
// where the other side does not, and that is written first: what is done when the result of
// the other says that it failed.
func (o *Outcome) Aside(f *il.Function, after, in *il.Instr) bool {
	home := f.Block(in)
	var later map[*il.Block]bool
	for b := home; b.Dominator() != nil; b = b.Dominator() {
		test := b.Dominator()
		if test.End().Op != il.Branch || len(b.Preds) != 1 || test.End().Span.From < after.Span.From {
			continue
		}
		if later == nil {
			later = o.Usual(home)
		}
		other := test.Succs[0]
		if other == b {
			other = test.Succs[1]
		}
		for forwards(other) && len(other.Succs) == 1 {
			other = other.Succs[0]
		}
		if !later[other] && slices.ContainsFunc(other.Instrs, func(i *il.Instr) bool { return i.Span.From > in.Span.From }) {
			return true
		}
	}
	return false
}

// Usual are the blocks behind one in the same turn of a loop, itself among them, by no exception.
func (o *Outcome) Usual(from *il.Block) map[*il.Block]bool {
	seen := map[*il.Block]bool{}
	for work := []*il.Block{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[b] {
			seen[b] = true
			work = append(work, usually(b)...)
		}
	}
	return seen
}

// usually are the blocks that follow one in the same turn of a loop when nothing raises.
func usually(b *il.Block) (out []*il.Block) {
	for i, s := range b.Succs {
		if !s.Dominates(b) && b.End().Op != il.Raise && (i == 0 || !splits(b)) && (!finishes(b) || s.End().Op != il.Raise) {
			out = append(out, s)
		}
	}
	return out
}

// finishes tells the end of a finally clause: past its statement it goes on first.
func finishes(b *il.Block) bool {
	return b.End().Op == il.Jump && len(b.Succs) > 1 && !slices.ContainsFunc(b.Succs, func(s *il.Block) bool {
		return dispatches(s) || s.End().Span != b.End().Span
	})
}

// splits tells where a statement of a try block begins.
func splits(b *il.Block) bool {
	return b.End().Op == il.Jump && len(b.Succs) == 2 && catch(b.Succs[0]) == nil && !finishes(b)
}

// tried is where exceptions of an instruction go on: a statement of a try block
// begins behind a jump that leads to it or to the handlers, and spans it.
func tried(home *il.Block, in *il.Instr) []*il.Block {
	for b := home; b != nil; b = b.Dominator() {
		for _, p := range b.Preds {
			if end := p.End(); end.Op == il.Jump && len(p.Succs) > 1 && p.Succs[0] == b && catch(b) == nil && within(end.Span, in.Span) && !passed(p.Succs[1], in) {
				return slices.Clone(p.Succs[1:])
			}
		}
	}
	return nil
}

// passed tells handlers that stand before an instruction: it is in the else clause of
// their try statement, which is tried no more.
func passed(handlers *il.Block, in *il.Instr) bool {
	return slices.ContainsFunc(append(slices.Clone(handlers.Succs), handlers), func(b *il.Block) bool {
		got := catch(b)
		return got != nil && got.Span.From < in.Span.From
	})
}

// catch is where a block gets an exception, nil where it gets none.
func catch(b *il.Block) *il.Instr {
	for _, in := range b.Instrs {
		if in.Op == il.Catch {
			return in
		}
	}
	return nil
}

// Holds tells a block that is only run when the handler has caught something, and
// stands in it.
func (h Handler) Holds(b *il.Block) bool { return slices.Contains(h.body, b) }

// Onward are the blocks that a run may come to from a block, itself among them, in
// the order of the function. It over-approximates: a block that is not among them
// does not run any more, unless the function is called anew.
func (o *Outcome) Onward(f *il.Function, from ...*il.Block) (out []*il.Block) {
	seen := onward(from, func(b *il.Block) bool { return o.Dead != nil && o.Dead(f, b) })
	for _, b := range f.Blocks {
		if seen[b] {
			out = append(out, b)
		}
	}
	return out
}

// onward are the blocks that a run may come to from some, themselves among them, by none
// that is dead.
func onward(from []*il.Block, dead func(*il.Block) bool) map[*il.Block]bool {
	seen := map[*il.Block]bool{}
	for work := slices.Clone(from); len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[b] && !dead(b) {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return seen
}
