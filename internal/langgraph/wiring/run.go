package wiring

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
)

// Limits on how far the building code is followed.
const (
	maxCalls    = 24        // calls in each other
	maxTurns    = 256       // turns of one loop
	maxSteps    = 1_000_000 // instructions of one reading
	maxAlts     = 32        // things that one value may be
	routerSteps = 50_000    // instructions of one router
)

// body runs the blocks of a frame's function.
func (x *machine) body(fr *frame) {
	p := x.planOf(fr.f)
	all := map[*il.Block]bool{}
	for _, b := range p.order {
		all[b] = true
	}
	x.blocks(fr, p, all, nil)
}

// blocks runs some blocks in their order; those of a loop inside as that loop runs.
func (x *machine) blocks(fr *frame, p *plan, in map[*il.Block]bool, header *il.Block) {
	done := map[*il.Block]bool{}
	for _, b := range p.order {
		if !in[b] || done[b] || b == header {
			continue
		}
		if loop := p.loops[b]; loop != nil {
			for c := range loop {
				done[c] = true
			}
			x.loop(fr, p, b, loop)
			continue
		}
		if c := x.entering(fr, b, nil); c != never {
			x.phis(fr, b, nil)
			x.block(fr, b, c)
		}
	}
}

// entering is the condition under which a run comes to a block, from outside of some
// others.
func (x *machine) entering(fr *frame, b *il.Block, but map[*il.Block]bool) cond {
	if len(b.Preds) == 0 {
		return fr.entry
	}
	c := never
	for i, p := range b.Preds {
		if !but[p] && !slices.Contains(b.Preds[:i], p) {
			c = x.or(c, fr.edges[way{p, b}])
		}
	}
	if b == fr.f.Blocks[0] && but == nil {
		c = x.or(c, fr.entry)
	}
	return x.bounded(c)
}

// phis bind the versions that differ by where a run comes from; but are blocks that do not
// count.
func (x *machine) phis(fr *frame, b *il.Block, counts func(*il.Block) bool) {
	var to []int32
	var values []value
	for _, in := range b.Instrs {
		if in.Op != il.Phi {
			continue
		}
		var v value
		for i, a := range in.Args {
			e := fr.edges[way{b.Preds[i], b}]
			if e == never || counts != nil && !counts(b.Preds[i]) {
				continue
			}
			fr.now = e
			v = x.join(v, x.under(x.operand(fr, a), e))
		}
		to, values = append(to, in.Dst), append(values, v)
	}
	fr.now = x.entering(fr, b, nil)
	for i, id := range to {
		x.bind(fr, id, values[i])
	}
}

// block runs one block.
func (x *machine) block(fr *frame, b *il.Block, c cond) {
	fr.now = c
	for i, in := range b.Instrs {
		if in.Op == il.Phi {
			continue
		}
		if x.steps++; x.steps > x.limit {
			x.spent = x.spent || !x.asking
			return
		}
		if in.Op.Ends() {
			x.leave(fr, b, in)
			return
		}
		if i > 0 && in.Op == il.Set && in.Kind == "add" && b.Instrs[i-1].Op == il.Call && b.Instrs[i-1].Span == in.Span && !in.Args[2].Is(b.Instrs[i-1].Dst) {
			x.bind(fr, in.Dst, x.operand(fr, in.Args[0])) // the call has done it
			continue
		}
		x.instruction(fr, in)
	}
}

// leave goes from the end of a block on to others.
func (x *machine) leave(fr *frame, b *il.Block, in *il.Instr) {
	go_ := func(i int, c cond) {
		if i < len(b.Succs) && c != never {
			e := way{b, b.Succs[i]}
			fr.edges[e] = x.or(fr.edges[e], c)
		}
	}
	switch in.Op {
	case il.Branch:
		if x.coarse(fr) {
			yes, no := x.may(fr, in)
			if yes {
				go_(0, fr.now)
			}
			if no {
				go_(1, fr.now)
			}
			return
		}
		yes := x.decide(fr, in)
		go_(0, x.and(fr.now, yes))
		go_(1, x.and(fr.now, x.not(yes)))
	case il.Loop:
		go_(0, fr.now)
		go_(1, fr.now)
	case il.Return:
		v := x.operand(fr, in.Args[0])
		if in.Span.From != in.Span.To || fr.f.Kind == il.Lambda {
			if !fr.said {
				fr.result, fr.said = nil, true
			}
		} else if fr.said {
			return
		}
		for _, a := range x.known(v, fr.now) {
			t := a.thing
			if t.kind == constant && t.at.in == nil {
				c := *t
				c.at, t = place{fr.f, in}, &c
			}
			fr.result = x.join(fr.result, value{{t, x.and(a.when, fr.now)}})
		}
	case il.Raise:
		for i := range b.Succs {
			go_(i, x.and(fr.now, x.thrown(fr, b.Succs[i])))
		}
	case il.Jump:
		go_(0, fr.now)
		for i := 1; i < len(b.Succs); i++ {
			go_(i, x.and(fr.now, x.thrown(fr, b.Succs[i])))
		}
	default:
	}
}

// coarse tells a function in which it is no longer kept what a run hangs on: too much was
// tested already, and it does not wire.
func (x *machine) coarse(fr *frame) bool {
	n := len(x.nodes)
	if n < x.fine {
		return false
	}
	wires, ok := x.wiring[fr.f]
	if !ok {
		for _, in := range fr.f.Instructions() {
			wires = wires || in.Op == il.Call && (x.wires(last(in.Kind)) || slices.Contains(builderNames, last(in.Kind)))
		}
		x.wiring[fr.f] = wires
	}
	return !wires || n > maxNodes/2
}

// may tells which sides of a branch a run may take.
func (x *machine) may(fr *frame, in *il.Instr) (yes, no bool) {
	right := one(nothing())
	if len(in.Args) > 1 {
		right = x.operand(fr, in.Args[1])
	}
	for _, a := range x.operand(fr, in.Args[0]) {
		for _, b := range right {
			is := compare(in.Kind, a.thing, b.thing)
			yes, no = yes || is != agentgraph.No, no || is != agentgraph.Yes
		}
	}
	return yes, no
}

// thrown is the condition that a run comes to a handler.
func (x *machine) thrown(fr *frame, to *il.Block) cond {
	if x.coarse(fr) {
		return always
	}
	var at place
	for b, n := to, 0; b != nil && n < 4; n++ {
		for _, in := range b.Instrs {
			if in.Op == il.Catch {
				at = place{fr.f, in}
			}
		}
		if at.in != nil || len(b.Succs) == 0 {
			break
		}
		b = b.Succs[0]
	}
	c := x.literal(fmt.Sprintf("thrown %p %p", fr, to), at, agentgraph.Unknown)
	if c > always {
		x.tests[x.nodes[c].test].thrown = true
	}
	return c
}

// here is the condition under which an instruction runs, as the statements around it say:
// what an earlier statement did by leaving does not count.
func (x *machine) here(fr *frame, in *il.Instr) cond {
	return x.without(fr.now, func(t int32) bool {
		test := x.tests[t]
		return len(test.at) == 0 || test.of(fr.f) && !x.around(test, in, fr.f)
	})
}
