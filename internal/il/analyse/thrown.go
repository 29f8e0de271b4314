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
