package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Called is the full name of what a call calls, with dots, and the function, or the body
// of the class, where it is the program's own. What a call gives is named as Object.Outside
// has it; "" where that is not known.
func (n *Names) Called(f *il.Function, call *il.Instr) (name string, own *il.Function) {
	return n.Operand(f, call.Args[0]).Full()
}

// Full is the full name of what a symbol stands for, and the function, or the body of the
// class, where it is the program's own; "" of a module, of a constant, and of nil. Rust's
// own macros are named as functions of std.
func (s *Symbol) Full() (name string, own *il.Function) {
	switch {
	case s == nil:
		return "", nil
	case s.Function != nil:
		return s.Function.Module.Name + "." + s.Function.Name, s.Function
	}
	name, macro := strings.CutSuffix(s.Outside, "!")
	if macro && !strings.Contains(name, ".") {
		name = "std." + name
	}
	return name, nil
}

// Stands are the functions, and the bodies of classes, that an operand may stand for as far as
// names tell: by each way that leads to it, each place that binds it and each element of a table
// that it is taken from, but for more than maxChoices; of a method, those that classes below have in its place are among them,
// but for more than maxOverriding.
func (n *Names) Stands(f *il.Function, o il.Operand) []*il.Function {
	return n.standFor(f, n.alternatives(f, o))
}

// alternatives are those of an operand, found once where ways join.
func (n *Names) alternatives(f *il.Function, o il.Operand) []il.Operand {
	def := f.Def(f.Root(o))
	if def == nil || def.Op != il.Phi {
		return f.Alternatives(o)
	}
	out, known := n.ways[def]
	if !known {
		out = f.Alternatives(o)
		n.ways[def] = out
	}
	return out
}

func (n *Names) standFor(f *il.Function, alternatives []il.Operand) (out []*il.Function) {
	add := func(list ...*il.Function) {
		for _, g := range list {
			if g != nil && !slices.Contains(out, g) {
				out = append(out, g)
			}
		}
	}
	for _, one := range alternatives {
		s, def := n.Operand(f, one), f.Def(one)
		if s != nil && !s.empty() {
			add(s.Function)
			continue
		}
		var bound []Site
		switch {
		case one.Kind == il.Free:
			bound = n.Bound(f, f.Word(one))
		case def != nil && def.Op == il.Get:
			bound = n.BoundBy(f, def)
			if key, _ := f.Str(def.Args[1]); def.Kind == "attr" {
				class := n.Instance(f, def.Args[0]).Class
				if has(f, "classmethod") && len(f.Params) > 0 && n.Unchanged(f, def.Args[0]).Is(f.Params[0].Var) {
					class = n.bodyOf(f)
				}
				add(n.Method(class, key))
				if over := n.overriding(class, key, maxOverriding); len(over) <= maxOverriding {
					add(over...)
				}
			}
		}
		chosen, known := n.chosen[def]
		if !known {
			chosen = n.choices(f, one, nil, map[*il.Instr]int{})
			if def != nil {
				n.chosen[def] = chosen
			}
		}
		add(chosen...)
		for _, at := range bound {
			o := at.Value()
			if at.At.Op == il.Set {
				o = at.At.Args[2]
			}
			if s := n.Operand(at.Function, o); s != nil {
				add(s.Function)
			}
		}
	}
	return out
}

// Unchanged is an operand as it was before fields of it were set.
func (n *Names) Unchanged(f *il.Function, o il.Operand) il.Operand {
	for o = f.Root(o); ; o = f.Root(f.Def(o).Args[0]) {
		if def := f.Def(o); def == nil || def.Op != il.Set || def.Kind != "attr" {
			return o
		}
	}
}

// Bound are the instructions that bind a name which a function sees, in its own scope or in
// one around it, or where it is imported from. All of them are there, but for those of
// code that was not lowered.
func (n *Names) Bound(f *il.Function, name string) []Site {
	for g := f; g != nil; g = g.Outer {
		if (g == f || n.sees(f, g, name)) && slices.Contains(g.Vars, name) {
			return n.binding(g, name, map[word]bool{})
		}
	}
	if _, ok := n.tops[f.Module][name]; ok { // only functions bind it
		return n.binding(f.Module.Top, name, map[word]bool{})
	}
	return nil
}

// BoundBy are the instructions that bind what an attribute is read of: a name of a module
// of the program, or a field that the body of a class has.
func (n *Names) BoundBy(f *il.Function, get *il.Instr) (out []Site) {
	key, ok := f.Str(get.Args[1])
	if !ok || get.Kind != "attr" {
		return nil
	}
	s := n.Operand(f, get.Args[0])
	if s != nil && s.Modules != nil {
		return n.handing(s.Modules, key, map[word]bool{})
	}
	if o := n.Instance(f, get.Args[0]); o.Class != nil {
		return n.binding(o.Class, key, map[word]bool{})
	}
	return nil
}

// binding are the instructions that bind a variable of a function.
func (n *Names) binding(g *il.Function, name string, seen map[word]bool) (out []Site) {
	for i, v := range g.Versions {
		if v.Var != name || !binds(v) || v.Def == nil || v.Def.Op == il.Set {
			continue
		}
		if from := g.Def(g.Root(local(int32(i)))); from != nil && from.Op == il.Import && len(from.Names) > 1 {
			if own := g.Module.Links[from.Kind]; own.Own {
				out = append(out, n.handing(own.Modules, from.Names[1], seen)...)
				continue
			}
		}
		out = append(out, Site{Function: g, At: v.Def})
	}
	if slices.Contains(g.Shared, name) || g.Kind == il.Top && len(out) == 0 {
		for f := range g.Module.All() {
			for _, in := range f.Instructions() {
				if outer, ok := f.Str(outerName(in)); ok && outer == name {
					out = append(out, Site{Function: f, At: in})
				}
			}
		}
	}
	return out
}

// handing are the instructions that bind a name which modules hand out.
func (n *Names) handing(modules []*il.Module, name string, seen map[word]bool) (out []Site) {
	for _, m := range modules {
		if seen[word{m, name}] {
			continue
		}
		seen[word{m, name}] = true
		if b, ok := n.exports[m][name]; ok && m.Top.Def(b.value) != nil {
			out = append(out, Site{Function: m.Top, At: m.Top.Def(b.value)})
		} else {
			out = append(out, n.binding(m.Top, name, seen)...)
		}
	}
	return out
}
