package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Imports lists the imports that cannot succeed: the program should have what
// they name, and has not. One that a handler catches may be meant to fail, and is
// Unknown.
func (n *Names) Imports() (out []Failure) {
	for f := range n.program.All() {
		for b, in := range f.Instructions() {
			if in.Op != il.Import || n.Imported(f.Module, in) != nil {
				continue
			}
			a := Failure{Answer: Answer{Yes, "there is no " + in.Kind, []il.Place{f.Place(in.Span)}}, Function: f, At: in, Named: true}
			if link := f.Module.Links[in.Kind]; len(in.Names) > 1 && (len(link.Modules) > 0 || link.Name != "") {
				a.Why = in.Kind + " has no " + in.Names[1]
			}
			if other := n.spelled(f.Module, in); other != "" {
				a.Why += "; there is " + other
				a.Cased = true
			}
			if tried(b, in) != nil {
				a.Is = Unknown
			}
			out = append(out, a)
		}
	}
	return out
}

// spelled is the file that an import means, but for the case of letters in its name: some
// systems take it for that.
func (n *Names) spelled(m *il.Module, in *il.Instr) string {
	if len(m.Links[in.Kind].Modules) > 0 {
		return ""
	}
	want := "/" + strings.ReplaceAll(strings.TrimLeft(in.Kind, "."), ".", "/")
	for _, other := range n.program.Modules {
		if path := "/" + strings.TrimSuffix(other.Path, ".py"); len(want) > 1 && len(path) >= len(want) && strings.EqualFold(path[len(path)-len(want):], want) &&
			other.Language == m.Language && !strings.HasSuffix(path, want) {
			return other.Path
		}
	}
	return ""
}

// Unbound lists the uses of names that no way binds, each name once a function.
// It says nothing of languages whose names depend on where they run. What a handler
// catches may be meant to ask whether there is such a name, and is Unknown.
func (n *Names) Unbound() (out []Failure) {
	for f := range n.program.All() {
		if _, closed := builtins[f.Module.Language]; !closed || f.Module.Damaged || f.Module.Top.Lost != "" || n.computes(f.Module) {
			continue
		}
		seen := map[string]bool{}
		for b, in := range f.Instructions() {
			if in.Op == il.Phi || in.Op == il.Unknown || in.Op == il.Define || in.Op == il.Bind && in.Kind == "" {
				continue // joins of nothing, and what is told where it is used
			}
			for _, a := range in.Args {
				if name, is := n.unbound(f, a, b); is && !seen[name] {
					seen[name] = true
					is := Yes
					if tried(b, in) != nil {
						is = Unknown
					}
					out = append(out, Failure{Answer: Answer{is, n.whyUnbound(f, a, name), []il.Place{f.Place(in.Span)}}, Function: f, At: in, Named: true})
				}
			}
		}
	}
	return out
}

// whyUnbound says how nothing binds a name where it is used.
func (n *Names) whyUnbound(f *il.Function, o il.Operand, name string) string {
	if f.Root(o).Kind != il.Free {
		if slices.ContainsFunc(f.Versions, func(v il.Version) bool { return v.Var == name && v.Def != nil && v.Def.Op != il.Phi }) {
			return "the name " + name + " is read before it is set"
		}
		return "nothing defines the name " + name
	}
	for _, g := range f.Module.Functions {
		if g != f && slices.Contains(g.Vars, name) && g.Kind == il.Plainly {
			return "the name " + name + " is set only inside " + lastName(g.Name)
		}
	}
	return "nothing defines the name " + name
}

// unbound tells whether an operand that is used in a block is a name that nothing binds.
func (n *Names) unbound(f *il.Function, o il.Operand, b *il.Block) (string, bool) {
	o = f.Root(o)
	switch o.Kind {
	case il.Free:
		return f.Word(o), n.Lookup(f, f.Word(o)) == nil
	case il.Local:
		name := f.Versions[o.ID].Var
		return name, f.Kind == il.Plainly && name[0] != '%' && !strings.Contains(name, ".") && !slices.Contains(f.Shared, name) && unset(f, o, b, map[int32]bool{})
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

// unset tells a join of loops that has no value the first time a run comes to a block: what
// gives it one stands behind the block on every way.
func unset(f *il.Function, o il.Operand, b *il.Block, seen map[int32]bool) bool {
	if o.Kind != il.Local {
		return o.Kind == il.Undef
	}
	phi := f.Versions[o.ID]
	if phi.Def == nil || phi.Def.Op != il.Phi || len(seen) > maxJoined {
		return false
	}
	if seen[o.ID] {
		return true
	}
	seen[o.ID] = true
	for i, a := range phi.Def.Args {
		if !b.Dominates(phi.Block.Preds[i]) && !unset(f, f.Root(a), b, seen) {
			return false
		}
	}
	return true
}
