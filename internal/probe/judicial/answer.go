package judicial

import (
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// follows reports whether what a call gives may come into an argument of a call that the
// sink accepts.
func (b *bench) follows(c *intree.Call, sink func(*intree.Call) bool) bool {
	x, ok := b.il.call(c.Node)
	if !ok {
		return false
	}
	flow := b.il.Flow()
	flow.To = func(f *il.Function, in *il.Instr, arg int) bool {
		if in.Op != il.Call || arg == 0 {
			return false
		}
		c := b.call(f, in)
		return c != nil && sink(c)
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
