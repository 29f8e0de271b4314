package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// plan is the way that the blocks of a function lead, as far as it is followed: exceptions lead
// to handlers from what is waited for, and nowhere else.
type plan struct {
	f      *il.Function
	starts map[*il.Block][]*il.Instr // calls of tasks, and of what starts some
	next   map[*il.Block][]*il.Block
	joins  map[*il.Block]*il.Block // where all ways from a block meet again; nil: nowhere
	loops  map[*il.Block]map[*il.Block]bool
	tries  []try
}

// try is a stretch of text whose exceptions come to a handler.
type try struct {
	from, to uint32
	handler  *il.Block
}

// fork is what a condition decides.
type fork struct {
	decides bool        // what is started, or whether the function is left
	within  []*il.Block // that hang on it
	join    *il.Block
}

// plan is that of a function.
func (w *walker) plan(f *il.Function) *plan {
	if p := w.plans[f]; p != nil {
		return p
	}
	p := &plan{f: f, starts: map[*il.Block][]*il.Instr{}, next: map[*il.Block][]*il.Block{}, joins: map[*il.Block]*il.Block{}, loops: f.Loops()}
	w.plans[f] = p
	for _, in := range w.starts(f) {
		p.starts[f.Block(in)] = append(p.starts[f.Block(in)], in)
	}
	fails := map[*il.Block]bool{} // they can only raise
	for _, b := range slices.Backward(f.Blocks) {
		next := b.Succs
		switch chosen := caught(b); {
		case len(chosen) > 0:
			next = chosen
		case b.End().Op == il.Raise:
			next = slices.DeleteFunc(slices.Clone(next), func(h *il.Block) bool { return len(caught(h)) == 0 })
		case b.End().Op == il.Jump && len(next) > 1:
			p.tried(b.End().Span.From, next[1])
			next = next[:1]
		}
		if some := slices.DeleteFunc(slices.Clone(next), func(s *il.Block) bool { return fails[s] }); len(some) > 0 {
			next = some
		} else {
			fails[b] = len(next) > 0 || b.End().Op != il.Return
		}
		p.next[b] = next
		if len(next) > 0 && !slices.ContainsFunc(next, func(s *il.Block) bool { return s.Dominates(b) }) {
			p.joins[b] = p.meet(next...)
		}
	}
	return p
}

// tried notes that the exceptions of what stands behind a place come to a handler.
func (p *plan) tried(from uint32, h *il.Block) {
	ways := caught(h)
	if len(ways) == 0 {
		return
	}
	t := try{from, head(ways[0]).Span.From, h}
	for _, c := range ways {
		t.to = min(t.to, head(c).Span.From)
	}
	if i := slices.IndexFunc(p.tries, func(o try) bool { return o.handler == h }); i >= 0 {
		p.tries[i].from = min(p.tries[i].from, from)
		return
	}
	p.tries = append(p.tries, t)
}

// head is the first instruction of a block.
func head(b *il.Block) *il.Instr {
	return b.Instrs[slices.IndexFunc(b.Instrs, func(in *il.Instr) bool { return in.Op != il.Phi })]
}

// meet is where all ways from some blocks meet.
func (p *plan) meet(list ...*il.Block) *il.Block {
	x := list[0]
	for _, y := range list[1:] {
		for x != y {
			switch {
			case x == nil || y == nil:
				return nil
			case x.ID < y.ID:
				x = p.joins[x]
			default:
				y = p.joins[y]
			}
		}
	}
	return x
}

// leaves tells instructions that leave the function, be it by way of a finally.
func (p *plan) leaves(list ...*il.Instr) bool {
	return slices.ContainsFunc(list, func(in *il.Instr) bool {
		return in.Op == il.Return || in.Op == il.Bind && p.f.Versions[in.Dst].Var == "%return"
	})
}

// out is where a loop leads when it is over; nil: nowhere.
func (p *plan) out(head *il.Block) []*il.Block {
	for _, b := range p.f.Blocks {
		for i, s := range p.next[b] {
			if p.loops[head][b] && !p.loops[head][s] {
				return p.next[b][i : i+1]
			}
		}
	}
	return nil
}

// fork is what it decides where a way goes on, but for what is started in a stretch of text.
func (p *plan) fork(next []*il.Block, from, to uint32) fork {
	k := fork{join: p.meet(next...)}
	seen := map[*il.Block]bool{k.join: true}
	for work := slices.Clone(next); len(work) > 0; {
		b := work[len(work)-1]
		if work = work[:len(work)-1]; seen[b] {
			continue
		}
		seen[b] = true
		k.within = append(k.within, b)
		k.decides = k.decides || p.leaves(b.Instrs...) || slices.ContainsFunc(p.starts[b], func(in *il.Instr) bool { return in.Span.From < from || in.Span.From >= to })
		for _, s := range p.next[b] {
			if !s.Dominates(b) {
				work = append(work, s)
			}
		}
	}
	slices.SortFunc(k.within, func(a, b *il.Block) int { return a.ID - b.ID })
	return k
}

// handler is where an exception of an instruction leads that makes a difference.
func (p point) handler(in *il.Instr) (point, bool) {
	for ; ; p, in = p.from, p.call {
		var best try
		for _, t := range p.tries {
			if t.from <= in.Span.From && in.Span.From < t.to && t.from >= best.from && (p.leaves(p.block.Instrs...) || p.fork(append([]*il.Block{t.handler}, p.next[p.block]...), t.from, t.to).decides) {
				best = t
			}
		}
		if best.handler != nil || p.call == nil {
			return point{frame: p.frame, block: best.handler}, best.handler != nil
		}
	}
}

// caught are the handlers that a block leads to, where it only chooses among them.
func caught(b *il.Block) (out []*il.Block) {
	for _, s := range b.Succs {
		if head(s).Op == il.Catch {
			out = append(out, s)
		}
	}
	return out
}
