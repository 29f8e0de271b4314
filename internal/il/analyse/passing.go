package analyse

import (
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Passing are the values, and the blocks, of those runs of a function that come by
// an instruction: what stands on another side of a condition that leads away from
// it is Dead, and what the side that leads to it says holds on. All else is as v has
// it.
//
// It is sound as Values is. Of a loop around the instruction it knows the turn in
// which the run comes by; what other turns leave behind can be anything that v says.
func (v *Values) Passing(f *il.Function, at *il.Instr) *Values {
	home := f.Block(at)
	usual := v.runs(false).state(f)
	if home == nil || usual.lost != "" || !usual.reached[home.ID] {
		return v
	}
	g := *v
	r := *v.open
	r.v, r.done, r.passing, r.usual = &g, maps.Clone(v.open.done), map[*il.Block][]bool{}, usual
	for next, b := home, home.Dominator(); b != nil; next, b = b, b.Dominator() {
		if b.End().Op == il.Loop {
			continue
		}
		leads := make([]bool, len(b.Succs))
		for i, s := range b.Succs {
			leads[i] = leadsTo(f, s, next, b) // which every way from b to home passes
		}
		r.passing[b] = leads
	}
	g.open = &r
	r.done[f] = r.solve(f)
	return &g
}

// leadsTo tells whether a way from a block comes to another without a third, if any.
func leadsTo(f *il.Function, from, to, without *il.Block) bool {
	seen := make([]bool, len(f.Blocks))
	if without != nil {
		seen[without.ID] = true
	}
	for work := []*il.Block{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if !seen[b.ID] {
			seen[b.ID] = true
			work = append(work, b.Succs...)
		}
	}
	return false
}

// Later tells whether a run may come from one instruction of a function to another
// in the same turn of the loops around both. False is sound for the ways that were
// lowered.
func (v *Values) Later(f *il.Function, from, to *il.Instr) bool {
	a, b := f.Block(from), f.Block(to)
	if a == nil || b == nil || a == b {
		return a == b && a != nil && before(a, from, to)
	}
	seen := make([]bool, len(f.Blocks))
	for work := []*il.Block{a}; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range v.onwards(f, x) {
			if s == b {
				return true
			}
			if !seen[s.ID] {
				seen[s.ID] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// onwards are the blocks behind one, but for another turn of a loop: at the end of a
// turn they are those to which the loop leads.
func (v *Values) onwards(f *il.Function, b *il.Block) (out []*il.Block) {
	for _, s := range b.Succs {
		switch {
		case v.Dead(f, s):
		case !s.Dominates(b):
			out = append(out, s)
		default:
			for _, t := range v.behind(f, s) {
				if !v.Dead(f, t) {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// behind are the blocks to which a loop leads, by where its turns begin.
func (v *Values) behind(f *il.Function, loop *il.Block) []*il.Block {
	out, known := v.loops[loop]
	if !known {
		out = slices.DeleteFunc(slices.Clone(loop.Succs), func(t *il.Block) bool { return t == loop || leadsTo(f, t, loop, nil) })
		v.loops[loop] = out
	}
	return out
}

func before(b *il.Block, first, then *il.Instr) bool {
	for _, in := range b.Instrs {
		switch in {
		case then:
			return false
		case first:
			return true
		}
	}
	return false
}
