package body

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Skipped are the blocks of a function of the state that no run comes to, because a test on
// every way there asks for one of the keys that the state lacks.
func (b Bodies) Skipped(f *il.Function, lacked []string) map[*il.Block]bool {
	w, entered := b.walk(f), map[*il.Block]bool{}
	for work := f.Blocks[:1]; len(work) > 0; {
		k := work[0]
		if work = work[1:]; entered[k] || b.Values.Dead(f, k) {
			continue
		}
		entered[k] = true
		next := k.Succs
		if test := k.End(); test.Op == il.Branch && test.Kind == "true" && w.asksFor(f, test.Args[0], lacked) {
			next = next[1:]
		}
		work = append(slices.Clone(work), next...)
	}
	out := map[*il.Block]bool{}
	for _, k := range f.Blocks {
		if !entered[k] {
			out[k] = true
		}
	}
	return out
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
	made, c, constant := f.Def(f.Root(in.Args[2])), il.Const{}, false
	if c, constant = f.Const(f.Root(in.Args[2])); constant {
		return c.Num == 0 && c.Text == "" || c.Type == il.NoneConst
	}
	return made != nil && made.Op == il.Make && len(made.Args) == 0
}
