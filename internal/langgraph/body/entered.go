package body

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Entered are the blocks of a function of the state that a run may come to, though the state
// lacks some keys which it asks for.
func (b Bodies) Entered(f *il.Function, lacked []string) map[*il.Block]bool {
	w := b.walk(f)
	return b.Values.Enters(f, func(test *il.Instr) bool { return w.asksFor(f, test.Args[0], lacked) })
}

// asksFor tells a value that is what the state has under a key that it lacks: nothing, or a
// default that holds nothing.
func (w *walk) asksFor(f *il.Function, o il.Operand, lacked []string) bool {
	in := f.Def(f.Root(o))
	if in == nil {
		return false
	}
	key, ok := w.key(f, in)
	of, _ := part(f, in)
	if !ok || in.Op != il.Call || !slices.Contains(lacked, key) || !w.onlyState(f, of) {
		return false
	}
	if len(in.Args) < 3 {
		return true
	}
	given := f.Root(in.Args[2])
	if c, constant := f.Const(given); constant {
		return c.Num == 0 && c.Text == "" || c.Type == il.NoneConst
	}
	made := f.Def(given)
	return made != nil && made.Op == il.Make && len(made.Args) == 0
}
