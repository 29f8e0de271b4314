package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Imports lists the imports that cannot succeed: the program should have what
// they name, and has not. One that a handler catches may be meant to fail, and is
// Unknown.
func (n *Names) Imports() (out []Answer) {
	for f := range n.program.All() {
		for b, in := range f.Instructions() {
			if in.Op != il.Import || n.Imported(f.Module, in) != nil {
				continue
			}
			a := Answer{Is: No, Why: "no " + in.Kind, Places: []il.Place{f.Place(in.Span)}}
			if len(in.Names) > 1 {
				a.Why += " has " + in.Names[1]
			}
			if caught(b) {
				a.Is = Unknown
			}
			out = append(out, a)
		}
	}
	return out
}

// caught tells whether an exception in a block may go on at a handler.
func caught(b *il.Block) bool {
	return slices.ContainsFunc(b.Preds, func(p *il.Block) bool { return p.End().Op == il.Jump && len(p.Succs) > 1 })
}

// Unbound lists the uses of names that no way binds, each name once a function.
// It says nothing of languages whose names depend on where they run. What a handler
// catches may be meant to ask whether there is such a name, and is Unknown.
func (n *Names) Unbound() (out []Answer) {
	for f := range n.program.All() {
		if _, closed := builtins[f.Module.Language]; !closed || f.Module.Damaged || n.computes(f.Module) {
			continue
		}
		seen := map[string]bool{}
		for b, in := range f.Instructions() {
			if in.Op == il.Phi || in.Op == il.Unknown || in.Op == il.Define || in.Op == il.Bind && in.Kind == "" {
				continue // joins of nothing, and what is told where it is used
			}
			for _, a := range in.Args {
				if name, is := n.unbound(f, a); is && !seen[name] {
					seen[name] = true
					is := Yes
					if caught(b) {
						is = Unknown
					}
					out = append(out, Answer{is, name + " is not bound on any way", []il.Place{f.Place(in.Span)}})
				}
			}
		}
	}
	return out
}

// unbound tells whether an operand is a name that nothing binds.
func (n *Names) unbound(f *il.Function, o il.Operand) (string, bool) {
	o = f.Root(o)
	switch o.Kind {
	case il.Free:
		return f.Word(o), n.Lookup(f, f.Word(o)) == nil
	case il.Undef:
		name := f.Vars[o.ID]
		switch {
		case name[0] == '%':
			return "", false
		case f.Kind == il.ClassBody: // looks outside for what it has not bound yet
			return name, n.Lookup(f, name) == nil
		}
		return name, f.Kind != il.Top || !builtin(f.Module.Language, name)
	default:
		return "", false
	}
}
