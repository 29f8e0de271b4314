package wiring

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// turn is a loop that a run is in.
type turn struct {
	over  string // as it is written
	items []item
	many  bool // how many turns it has is not known
	n     int  // which turn it is in
}

// inLoop tells a block that a loop's text holds though it leads out of the loop.
func (x *machine) inLoop(f *il.Function, h, b *il.Block) bool {
	end := h.End()
	if end.Op == il.Loop && h.Succs[1].Dominates(b) {
		return false
	}
	s := statement(place{f, end})
	return slices.ContainsFunc(b.Instrs, func(in *il.Instr) bool {
		return in.Span.From >= s.From && in.Span.To <= s.To && in.Span != s && in.Span.From != in.Span.To
	})
}

// loop runs a loop, turn by turn where what it goes over is known.
func (x *machine) loop(fr *frame, p *plan, h *il.Block, in map[*il.Block]bool) {
	c := x.entering(fr, h, in)
	if c == never {
		return
	}
	x.phis(fr, h, func(b *il.Block) bool { return !in[b] })
	t := &turn{}
	x.turns = append(x.turns, t)
	defer func() { x.turns = x.turns[:len(x.turns)-1] }()
	end := h.End()
	if end.Op != il.Loop {
		x.while(fr, p, h, in, t, c)
		return
	}
	x.block(fr, h, c)
	over := x.operand(fr, end.Args[0])
	t.over = x.Text(fr.f, end.Span)
	items, whole := x.each(fr, over, end)
	t.items = items
	if def := fr.f.Def(end.Args[0]); whole && len(items) == 0 && def != nil && def.Op == il.Get && def.Kind == "attr" {
		name, _ := fr.f.Str(def.Args[1])
		whole = !x.filledLater(name) // it may have been filled by code that did not run
	}
	for n, i := range items {
		t.n = n
		w := x.and(c, i.when)
		if w == never {
			continue
		}
		t.many = i.many
		fr.turns[h] = i.value
		skipped := x.and(c, x.not(i.when))
		c = x.or(skipped, x.turn(fr, p, h, in, w))
		if i.many {
			c = x.or(c, w)
		}
	}
	if !whole {
		t.many = true
		fr.turns[h] = one(x.element(over, end))
		x.loose(fr, p, h, in, c)
	}
	x.through(fr, h, 1, c)
}

// through goes on behind a loop.
func (x *machine) through(fr *frame, h *il.Block, succ int, c cond) {
	for i, s := range h.Succs {
		if i == succ {
			fr.edges[way{h, s}] = c
		}
	}
}

// turn runs the blocks of a loop once and gives the condition that the loop goes on.
func (x *machine) turn(fr *frame, p *plan, h *il.Block, in map[*il.Block]bool, c cond) cond {
	for b := range in {
		for _, s := range b.Succs {
			if in[s] {
				delete(fr.edges, way{b, s})
			}
		}
	}
	back := func() (c cond) {
		for _, b := range h.Preds {
			if in[b] {
				c = x.or(c, fr.edges[way{b, h}])
			}
		}
		return c
	}
	if h.End().Op == il.Loop {
		fr.edges[way{h, h.Succs[0]}] = c
	} else {
		before := map[*il.Block]cond{}
		for _, s := range h.Succs {
			before[s] = fr.edges[way{h, s}]
			delete(fr.edges, way{h, s})
		}
		x.block(fr, h, c)
		for _, s := range h.Succs {
			if !in[s] {
				fr.edges[way{h, s}] = x.or(before[s], fr.edges[way{h, s}])
			}
		}
	}
	x.blocks(fr, p, in, h)
	c = back()
	if c != never {
		x.phis(fr, h, func(b *il.Block) bool { return in[b] })
	}
	return c
}

// loose runs a loop of which the number of turns is not known: once as it begins, and
// where that changed something, once more with what is not known then.
func (x *machine) loose(fr *frame, p *plan, h *il.Block, in map[*il.Block]bool, c cond) {
	before := map[int32]value{}
	for _, i := range h.Instrs {
		if i.Op == il.Phi {
			before[i.Dst] = fr.versions[i.Dst]
		}
	}
	if x.turn(fr, p, h, in, c) == never {
		return
	}
	changed := false
	after := map[int32]value{}
	for id, v := range before {
		if w := fr.versions[id]; !equal(v, w) {
			changed = true
			after[id] = x.join(v, w)
			x.bind(fr, id, one(unknownOf("")))
		}
	}
	if changed {
		x.turn(fr, p, h, in, c)
	}
	for id, v := range after {
		x.bind(fr, id, x.join(v, fr.versions[id]))
	}
}

func equal(v, w value) bool {
	return slices.EqualFunc(v, w, func(a, b alt) bool {
		return a.thing == b.thing || a.key() != "" && a.key() == b.key()
	})
}

// while runs a loop that a condition ends: as long as that is known, else once.
func (x *machine) while(fr *frame, p *plan, h *il.Block, in map[*il.Block]bool, t *turn, c cond) {
	end := h.End()
	counted := end.Op == il.Branch && end.Args[0].Kind != il.Constant
	for range maxTurns {
		if !counted {
			break
		}
		tests := len(x.tests)
		back := x.turn(fr, p, h, in, c)
		if back == never {
			return
		}
		c = back
		if len(x.tests) > tests || x.steps > x.limit {
			counted = false // it hangs on something unknown: what was run stands for all turns
			t.many = true
			x.after(fr, h, in, c)
			return
		}
	}
	t.many = true
	x.loose(fr, p, h, in, c)
	x.after(fr, h, in, c)
}

// after leaves a loop behind its condition, whatever that says.
func (x *machine) after(fr *frame, h *il.Block, in map[*il.Block]bool, c cond) {
	for _, s := range h.Succs {
		if !in[s] {
			fr.edges[way{h, s}] = x.or(fr.edges[way{h, s}], c)
		}
	}
}
