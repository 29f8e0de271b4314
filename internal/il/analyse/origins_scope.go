package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// name follows a name that another scope binds.
func (t *trace) name(v visit) {
	name := v.f.Word(v.o)
	s := t.Names.Lookup(v.f, name)
	if s != nil && !s.empty() {
		kind := FromName
		if s.Const != nil {
			kind = FromConst
		}
		t.is(v, kind, nil, s, "")
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
		v.env = nil
		if v.f = t.Names.top(s.At.Path); v.f != nil {
			for _, in := range v.f.Instructions() {
				switch {
				case v.f.Place(in.Span) != s.At:
				case in.Op == il.Set && len(in.Args) > 2:
					t.to(v, in.Args[2], v.path, in, false)
					return
				case in.Dst != il.NoDst && binds(v.f.Versions[in.Dst]):
					t.bound(v, v.f.Versions[in.Dst].Var)
					return
				}
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
	sites, handed := t.sites(v.f)
	for e := v.env; e != nil; e = e.outer {
		if e.site.symbol.Function != v.f {
			continue
		}
		t.argument(v, e.site, e.outer, i)
		for _, s := range sites {
			if s.Function == v.f { // it calls itself
				t.argument(v, s, v.env, i)
			}
		}
		return
	}
	if len(sites) == 0 || v.up >= maxEntered {
		t.is(v, FromParameter, nil, nil, "")
		return
	}
	if handed {
		t.is(v, FromParameter, nil, nil, "")
	}
	v.up++
	for _, s := range sites {
		t.argument(v, s, nil, i)
	}
}

// sites are the calls of a function that count, and whether it is handed on: to
// who may call it with something else.
func (t *trace) sites(f *il.Function) (calls []Site, handed bool) {
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
			calls = append(calls, s)
		default:
			handed = true
		}
	}
	return calls, handed || len(f.Decorators) > 0 && !plain(f)
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
	for _, in := range v.f.Outer.Instructions() {
		if i := slices.Index(in.Names, "="+name); in.Op == il.Define && in.Ref == v.f && i >= 0 {
			v.f, v.env = v.f.Outer, nil
			t.to(v, in.Args[i], v.path, in, false)
			return
		}
	}
	t.lost(v, "a default that was not lowered")
}

// field follows a field of a method's object to what the methods of its class put
// there, what the class says, and what the makers of a plain record give.
func (t *trace) field(v visit, class *il.Function) (found bool) {
	head, rest := v.path.split()
	v.env = nil
	for _, m := range t.Names.siblings(class) {
		for _, in := range m.Instructions() {
			if in.Op != il.Set || in.Kind != "attr" || !t.Names.self(m, in.Args[0]) {
				continue
			}
			if key, known := keyOf(m, in.Args[1]); known && meet(head, key) {
				u := v
				u.f, found = m, true
				t.to(u, in.Args[2], rest, in, false)
			}
		}
	}
	if !t.declared(v, class) || t.Names.Method(class, "__init__") != nil {
		return found
	}
	for _, s := range t.Names.Sites(class) {
		if s.Call && (t.Counts == nil || t.Counts(s)) {
			t.constructed(visit{f: s.Function, path: v.path, up: v.up}, s.At, class)
		}
	}
	return true
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

// call follows what a call gives.
func (t *trace) call(v visit, in *il.Instr) {
	s, skip := called(t.Names, v.f, in)
	switch {
	case s.Function != nil && s.Function.Kind == il.ClassBody:
		t.construct(v, in, s)
	case s.Function != nil:
		t.enter(v, Site{v.f, in, true, skip, s})
	case hands[s.Outside] != notKnown:
		t.handed(v, in, hands[s.Outside])
	default:
		t.method(v, in, s)
	}
}

// filledBy follows an object that a call fills to what the call reads.
func (t *trace) filledBy(v visit, version il.Version) {
	if t.Fills == nil {
		return
	}
	for _, in := range version.Uses {
		if in.Op != il.Call || !slices.Contains(in.Args[1:], v.o) || !t.Fills(v.f, in) {
			continue
		}
		if t.Ends != nil && t.Ends(v.f, in) {
			t.is(v, FromCall, in, t.symbol(v.f, in), "")
			continue
		}
		if get := v.f.Def(v.f.Root(in.Args[0])); get != nil && get.Op == il.Get {
			t.to(v, get.Args[0], "", in, true)
		}
		for _, o := range in.Args[1:] {
			if o != v.o {
				t.to(v, o, "", in, true)
			}
		}
	}
}

// module tells an operand that is a module outside of the program, or what it has: by
// the name that begins it.
func (t *trace) module(f *il.Function, o il.Operand) bool {
	if s := t.Names.Operand(f, o); s == nil || s.empty() || s.Const != nil {
		return false
	}
	for {
		o = f.Root(o)
		def := f.Def(o)
		switch {
		case def == nil || t.Ends != nil && t.Ends(f, def):
			return o.Kind == il.Free
		case def.Op == il.Import:
			return true
		case def.Op != il.Get || def.Kind != "attr":
			return false
		}
		o = def.Args[0]
	}
}

// madeOf follows a call to its object and to all that it is given.
func (t *trace) madeOf(v visit, in *il.Instr) {
	if get := v.f.Def(v.f.Root(in.Args[0])); get != nil && get.Op == il.Get {
		if !t.module(v.f, get.Args[0]) {
			t.to(v, get.Args[0], "", in, true)
		}
	}
	for _, o := range in.Args[1:] {
		t.to(v, o, "", in, true)
	}
	if len(in.Args) == 1 {
		t.is(v, FromCall, in, t.symbol(v.f, in), "")
	}
}

func (t *trace) enter(v visit, s Site) {
	f := s.symbol.Function
	deep := 0
	for e := v.env; e != nil; e = e.outer {
		if deep++; e.site.symbol.Function == f {
			return // it calls itself: what it gives comes from its other ways
		}
	}
	if deep >= maxEntered || f.Lost != "" || !plain(f) || len(f.Blocks) == 0 {
		t.is(v, FromCall, s.At, s.symbol, "")
		return
	}
	u := v
	u.f, u.env = f, &entering{site: s, outer: v.env, deep: deep + 1}
	for _, in := range f.Instructions() {
		switch {
		case in.Op == il.Return:
			t.to(u, in.Args[0], v.path, in, false)
		case in.Op == il.Yield && in.Kind == "yield":
			_, rest := v.path.split()
			t.to(u, in.Args[0], rest, in, true)
		}
	}
}

// construct follows an object: what one asks of it to its maker or the argument of
// its name; the object itself is made from its arguments.
func (t *trace) construct(v visit, in *il.Instr, s *Symbol) {
	head, rest := v.path.split()
	if head == "" {
		t.is(v, FromCall, in, s, "")
		for _, o := range in.Args[1:] {
			t.to(v, o, "", in, true)
		}
		return
	}
	for _, name := range []string{"__init__", "constructor", lastName(s.Function.Name)} {
		init := t.Names.Method(s.Function, name)
		if init == nil || !receives(init) {
			continue
		}
		u := v
		u.f, u.env = init, &entering{site: Site{v.f, in, true, 0, &Symbol{Function: init, Bound: true}}, outer: v.env}
		found := false
		for _, set := range init.Instructions() {
			if set.Op != il.Set || set.Kind != "attr" || !t.Names.self(init, set.Args[0]) {
				continue
			}
			if key, known := keyOf(init, set.Args[1]); known && meet(head, key) {
				found = true
				t.to(u, set.Args[2], rest, set, false)
			}
		}
		if !found {
			t.is(v, FromCall, in, s, "")
		}
		return
	}
	t.constructed(v, in, s.Function)
	t.declared(v, s.Function)
}

// handed follows a call of a function that is known to make its result of its
// arguments.
func (t *trace) handed(v visit, in *il.Instr, how handing) {
	if how == telling || len(in.Args) == 1 {
		t.is(v, FromConst, in, nil, "")
		return
	}
	for _, o := range in.Args[1:] {
		t.through(v, o, in, how)
	}
}

// through follows one operand of a call by what the call does with it.
func (t *trace) through(v visit, o il.Operand, in *il.Instr, how handing) {
	head, rest := v.path.split()
	switch how {
	case copying:
		t.to(v, o, v.path, in, false)
	case listing:
		p := v.path
		if isPlace(head) {
			p, _ = rest.under(anyKey)
		}
		t.to(v, o, p, in, true)
	case pairing:
		_, rest = rest.split()
		p, _ := rest.under(anyKey)
		t.to(v, o, p, in, true)
	default:
		t.to(v, o, v.path.loose(), in, true)
	}
}

// method follows a call of a method of the language's own things to its object, and
// any other to the call itself.
func (t *trace) method(v visit, in *il.Instr, s *Symbol) {
	get := v.f.Def(v.f.Root(in.Args[0]))
	attribute := get != nil && get.Op == il.Get && get.Kind == "attr"
	how := notKnown
	if attribute {
		name, _ := v.f.Str(get.Args[1])
		how = method(name)
		if t.module(v.f, get.Args[0]) {
			how = notKnown
		}
	}
	switch {
	case how != notKnown:
	case t.Through != nil && t.Through(v.f, in):
		t.madeOf(v, in)
		return
	default:
		t.is(v, FromCall, in, s, "")
		return
	}
	name, _ := v.f.Str(get.Args[1])
	switch how {
	case telling:
		t.is(v, FromConst, in, nil, "")
		return
	case looking:
		key := anyKey
		if len(in.Args) > 1 {
			key, _ = keyOf(v.f, in.Args[1])
		}
		p, _ := v.path.under(key)
		t.to(v, get.Args[0], p, in, false)
		if len(in.Args) > 2 {
			t.to(v, in.Args[2], v.path, in, false)
		}
		return
	case applying:
		t.applied(v, in, get)
	default:
		t.through(v, get.Args[0], in, how)
	}
	if composing[name] {
		for _, o := range in.Args[1:] {
			t.to(v, o, "", in, true)
		}
	}
}

// applied follows what a function makes of each element: to what it gives, and to
// the elements.
func (t *trace) applied(v visit, in, get *il.Instr) {
	for _, o := range in.Args[1:] {
		if s := t.Names.Operand(v.f, o); s != nil && s.Function != nil && s.Function.Kind != il.ClassBody {
			u := v
			u.f, u.env = s.Function, nil
			for _, ret := range s.Function.Instructions() {
				if ret.Op == il.Return {
					t.to(u, ret.Args[0], "", ret, true)
				}
			}
		}
	}
	t.to(v, get.Args[0], anyKey+"\x00", in, true)
}
