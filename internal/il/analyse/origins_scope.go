package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// name follows a name that another scope binds.
func (t *trace) name(v visit) {
	name := v.f.Word(v.o)
	s := t.Names.Lookup(v.f, name)
	if t.ofClass(v, s) {
		return
	}
	if s != nil && !s.empty() {
		t.is(v, named(s), nil, s, "")
		return
	}
	for g := v.f.Outer; g != nil; g = g.Outer {
		if t.Names.sees(v.f, g, name) && slices.ContainsFunc(g.Versions, func(x il.Version) bool { return x.Var == name && binds(x) }) {
			u := v
			u.f, u.env = g, nil // a function inside may run when the call that made it is over
			if g.Kind == il.ClassBody {
				u.path, _ = v.path.under(name)
				t.field(u, g)
			} else {
				t.bound(u, name)
			}
			return
		}
	}
	t.imported(v, s)
}

// imported follows a name that an import brings in to what binds it in the module
// that hands it out.
func (t *trace) imported(v visit, s *Symbol) {
	if s != nil {
		if top := t.Names.Top(s.At.Path); top != nil {
			u := v
			u.f, u.env = top, nil
			var set *il.Instr
			for _, in := range top.Instructions() {
				switch {
				case top.Place(in.Span) != s.At:
				case in.Op == il.Set && len(in.Args) > 2 && set == nil:
					set = in
				case in.Dst != il.NoDst && binds(top.Versions[in.Dst]): // also where the set is of an attribute of what the name stands for
					t.bound(u, top.Versions[in.Dst].Var)
					return
				}
			}
			if set != nil {
				t.to(u, set.Args[2], v.path, set, false)
				return
			}
		}
	}
	t.lost(v, "a name that nothing in sight binds")
}

// bound follows all values that a scope, or one inside of it, binds to a name.
func (t *trace) bound(v visit, name string) {
	for id, version := range v.f.Versions {
		if version.Var == name && binds(version) {
			t.to(v, local(int32(id)), v.path, nil, false)
		}
	}
	if !slices.Contains(v.f.Shared, name) {
		return
	}
	for f := range v.f.Module.All() {
		for _, in := range f.Instructions() {
			if key, ok := f.Str(outerName(in)); ok && key == name {
				u := v
				u.f = f
				t.to(u, in.Args[2], v.path, in, false)
			}
		}
	}
}

// parameter follows a parameter to the argument of the call that was entered, else
// to those of all calls that are known.
func (t *trace) parameter(v visit, i int) {
	if class := t.Names.bodyOf(v.f); i == 0 && receives(v.f) && v.path != "" && class != nil && t.field(v, class) {
		return
	}
	by := t.sites(v.f)
	for e := v.env; e != nil; e = e.outer {
		if e.site.symbol.Function != v.f {
			continue
		}
		t.argument(v, e.site, e.outer, i)
		for _, s := range by.calls {
			if s.Function == v.f { // it calls itself
				t.argument(v, s, v.env, i)
			}
		}
		return
	}
	if len(by.calls) == 0 || v.up >= maxEntered {
		t.is(v, FromParameter, nil, nil, "")
		return
	}
	if by.handed {
		t.is(v, FromParameter, nil, nil, "")
	}
	v.up++
	for _, s := range by.calls {
		t.argument(v, s, nil, i)
	}
}

// fillers are the calls of a function that count, and whether it is handed on: to
// who may call it with something else.
type fillers struct {
	calls  []Site
	handed bool
}

func (t *trace) sites(f *il.Function) fillers {
	out, known := t.fills[f]
	if !known {
		out = t.sitesOf(f)
		if t.fills == nil {
			t.fills = map[*il.Function]fillers{}
		}
		t.fills[f] = out
	}
	return out
}

func (t *trace) sitesOf(f *il.Function) (out fillers) {
	of, bound := t.Names.Sites(f), (*il.Function)(nil)
	if f.Class != "" && makes(f) {
		if bound = t.Names.bodyOf(f); bound != nil {
			of = append(slices.Clone(of), t.Names.Sites(bound)...)
		}
	}
	for _, s := range of {
		switch {
		case t.Counts != nil && !t.Counts(s):
		case s.Call:
			if s.symbol.Function == bound {
				s.symbol = &Symbol{Function: f, Bound: true}
			}
			out.calls = append(out.calls, s)
		default:
			out.handed = true
		}
	}
	out.handed = out.handed || len(f.Decorators) > 0 && !plain(f)
	return out
}

// makes tells a method that makes objects.
func makes(f *il.Function) bool {
	name := lastName(f.Name)
	return name == "__init__" || name == "constructor" || name == f.Class
}

func (t *trace) argument(v visit, s Site, env *entering, i int) {
	o, p, ok := s.argument(i, v.path)
	u := v
	u.f, u.env = s.Function, env
	switch param := v.f.Params[i]; {
	case ok:
		t.to(u, o, p, s.At, false)
	case s.spreads():
		for k, name := range s.At.Names {
			if name == "*" || name == "**" {
				t.to(u, s.At.Args[k+1], anyKey+"\x00", s.At, true)
			}
		}
	case param.Filled && param.Default.Kind == il.Constant:
		v.o, v.path = param.Default, ""
		t.is(v, FromConst, nil, t.Names.Operand(v.f, param.Default), "")
	case param.Filled:
		t.filled(v, param.Name)
	default:
		t.is(v, FromParameter, nil, nil, "")
	}
}

// filled follows a parameter that is not given to its default.
func (t *trace) filled(v visit, name string) {
	if in, i := filling(v.f, name); in != nil {
		v.f, v.env = v.f.Outer, nil
		t.to(v, in.Args[i], v.path, in, false)
		return
	}
	t.lost(v, "a default that is not read")
}

// field follows a field of a method's object to what the methods of its class put
// there, what the class says, and what the makers of a plain record give.
func (t *trace) field(v visit, class *il.Function) (found bool) {
	head, rest := v.path.split()
	v.env = nil
	if t.property(v, t.Names.Method(class, head), rest) {
		return true
	}
	for _, s := range t.Names.ownSetters(class) {
		if key, known := keyOf(s.Function, s.At.Args[1]); known && meet(head, key) {
			u := v
			u.f, found = s.Function, true
			t.to(u, s.At.Args[2], rest, s.At, false)
		}
	}
	for _, s := range t.Names.settersOf(head) {
		if t.Names.Instance(s.Function, s.At.Args[0]).Class == class {
			u := v
			u.f, found = s.Function, true
			t.to(u, s.At.Args[2], rest, s.At, false)
		}
	}
	if !t.declared(v, class) || t.Names.Method(class, "__init__") != nil {
		return found
	}
	for _, s := range t.Names.Sites(class) {
		if s.Call && (t.Counts == nil || t.Counts(s)) {
			u := v
			u.f = s.Function
			t.constructed(u, s.At, class)
		}
	}
	return true
}

// property follows a field that is a method to what that gives.
func (t *trace) property(v visit, m *il.Function, rest path) bool {
	if m == nil || !slices.ContainsFunc(m.Decorators, func(d string) bool { return lastName(d) == "property" || lastName(d) == "cached_property" }) {
		return false
	}
	v.f, v.env = m, nil
	for _, in := range m.Instructions() {
		if in.Op == il.Return {
			t.to(v, in.Args[0], rest, in, false)
		}
	}
	return true
}

// ofClass follows a name of a class to what its body, that of a class above it, or what sets it
// there binds; of a member of an enumeration its value is the same.
func (t *trace) ofClass(v visit, s *Symbol) (found bool) {
	if v.path == "" || s == nil || s.Function == nil || s.Function.Kind != il.ClassBody {
		return false
	}
	head, rest := v.path.split()
	if next, more := rest.split(); next == "value" && slices.ContainsFunc(t.Names.Above(s.Function), func(base string) bool { return strings.HasPrefix(base, "enum.") }) {
		v.path, _ = more.under(head)
	}
	for _, set := range t.Names.settersOf(head) {
		if of := t.Names.Operand(set.Function, set.At.Args[0]); of != nil && of.Function == s.Function || has(set.Function, "classmethod") && t.Names.bodyOf(set.Function) == s.Function {
			u := v
			u.f, u.env = set.Function, nil
			t.to(u, set.At.Args[2], rest, set.At, false)
		}
	}
	if t.declared(v, s.Function) {
		return true
	}
	for _, base := range t.Names.Bases(s.Function) {
		found = found || base.Function != s.Function && t.ofClass(v, base)
	}
	return found
}

// declared follows a field to its value in the body of a class.
func (t *trace) declared(v visit, class *il.Function) (found bool) {
	head, rest := v.path.split()
	v.f, v.env = class, nil
	for id, version := range class.Versions {
		if version.Var == head && binds(version) && version.Def != nil && version.Def.Op == il.Bind {
			if found = true; version.Def.Args[0].Kind != il.Opaque { // else it is only declared
				t.to(v, local(int32(id)), rest, nil, false)
			}
		}
	}
	return found
}

// constructed follows a field of an object of a class without a maker to the
// argument of its name.
func (t *trace) constructed(v visit, in *il.Instr, class *il.Function) {
	head, rest := v.path.split()
	for i, o := range in.Args[1:] {
		name := in.Names[i]
		switch {
		case name == "**" || name == "*":
			t.to(v, o, v.path, in, false)
			continue
		case name == "":
			name = t.Names.fieldAt(class, i)
		}
		if meet(head, name) {
			t.to(v, o, rest, in, head == "")
		}
	}
}
