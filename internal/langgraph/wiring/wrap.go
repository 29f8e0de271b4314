package wiring

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// callable is the function that runs when a thing is called, with the texts that it is
// bound to: none for a class.
func (x *machine) callable(t *thing) (f *thing, given []string) {
	for range maxCalls {
		switch {
		case t.kind == function:
			return t, given
		case t.kind == partial:
			for _, a := range t.args {
				if s, ok := a.only().str(); ok {
					given = append(given, s)
				}
			}
			t = t.self
		case t.is(instance):
			v := x.member(t.obj.class, "__call__")
			if v == nil || v.only().kind != function {
				return nil, nil
			}
			return x.of(v, t, false).only(), given
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// inner looks through functions that call what the one around them is given: of traced(f)
// it is f. outer is what stands around f and works on what f returns.
func (x *machine) inner(t *thing) (f, outer *thing) {
	for range maxCalls {
		next, handsOn := x.wraps(t)
		if next == nil {
			return t, outer
		}
		if !handsOn && outer == nil {
			outer = t
		}
		t = next
	}
	return t, outer
}

// wraps is the function that a wrapper calls, and whether it hands on what that returns.
func (x *machine) wraps(t *thing) (*thing, bool) {
	if t.up == nil || t.up.f.Kind == il.Top || t.up.f.Kind == il.ClassBody {
		return nil, false
	}
	for _, p := range t.up.f.Params {
		if p.Name == "" || p.Spread != "" {
			continue
		}
		for _, f := range x.withIn(t.fn) {
			for _, in := range f.Instructions() {
				if in.Op != il.Call || f.Word(in.Args[0]) != p.Name {
					continue
				}
				for _, a := range t.up.names[p.Name] {
					if g, _ := x.callable(a.thing); g != nil {
						return g, f == t.fn && handsOn(f, in)
					}
				}
			}
		}
	}
	return nil, false
}

// withIn are a function and those that it defines.
func (x *machine) withIn(f *il.Function) []*il.Function {
	out := []*il.Function{f}
	for _, g := range f.Module.Functions {
		if g.Outer == f {
			out = append(out, g)
		}
	}
	return out
}

// handsOn tells whether what a function returns may be what a call in it gives, or takes it
// in as a whole.
func handsOn(f *il.Function, call *il.Instr) bool {
	seen := map[il.Operand]bool{}
	var from func(o il.Operand) bool
	from = func(o il.Operand) bool {
		def := f.Def(o)
		if def == nil || seen[o] {
			return false
		}
		seen[o] = true
		some := func(args []il.Operand) bool { return slices.ContainsFunc(args, from) }
		switch {
		case def == call:
			return true
		case def.Op == il.Phi || def.Op == il.Assume || def.Op == il.Bind || def.Op == il.Set:
			return some(def.Args)
		case def.Op == il.Make:
			for k, a := range def.Args {
				if k < len(def.Names) && def.Names[k] == "**" && from(a) {
					return true
				}
			}
		case def.Op == il.Call && slices.Contains([]string{"dict", "cast", "Command", "wait_for"}, last(def.Kind)):
			return some(def.Args[1:])
		}
		return false
	}
	for _, in := range f.Instructions() {
		if in.Op == il.Return && from(in.Args[0]) {
			return true
		}
	}
	return false
}
