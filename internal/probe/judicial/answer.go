package judicial

import (
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// toward is the flow that ends in an argument of a call that the sink accepts. Whoever asks of
// several values asks the same flow: what it learned of functions on the way serves them all.
func (b *bench) toward(sink func(*intree.Call) bool) *analyse.Flow {
	flow := b.il.Flow()
	accepted := map[*il.Instr]bool{}
	flow.To = func(f *il.Function, in *il.Instr, arg int) bool {
		if in.Op != il.Call || arg == 0 {
			return false
		}
		known, asked := accepted[in]
		if !asked {
			c := b.call(f, in)
			known = c != nil && sink(c)
			accepted[in] = known
		}
		return known
	}
	return flow
}

// follows reports whether what a call gives may come to where a flow ends.
func (b *bench) follows(c *intree.Call, flow *analyse.Flow) bool {
	x, ok := b.il.call(c.Node)
	if !ok {
		return false
	}
	seen := map[*il.Instr]bool{}
	for work := []call{x}; len(work) > 0; work = work[1:] {
		x := work[0]
		if o := (il.Operand{Kind: il.Local, ID: x.in.Dst}); !seen[x.in] && x.in.Dst != il.NoDst {
			seen[x.in] = true
			if got := flow.Arrives(x.f, o); got.Is != analyse.No && len(got.Places) > 0 {
				return true
			}
			if flow.Returned(x.f, o).Is != analyse.No {
				work = append(work, b.il.callers(x.f)...)
			}
		}
	}
	return false
}
