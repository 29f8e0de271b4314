package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// call follows what a call gives.
func (t *trace) call(v visit, in *il.Instr) {
	s, skip := called(t.Names, v.f, in)
	switch {
	case s.Function != nil && s.Function.Kind == il.ClassBody:
		t.construct(v, in, s)
	case s.Function != nil:
		t.enter(v, Site{v.f, in, true, skip, s})
	case s.Outside == "builtins.getattr" && len(in.Args) > 2:
		t.looked(v, in, in.Args[1], in.Args[2:])
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
	u.f, u.env = f, &entering{s, v.env}
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
		u.f, u.env = init, &entering{Site{v.f, in, true, 0, &Symbol{Function: init, Bound: true}}, v.env}
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
	v.met = 0
	head, rest := v.path.split()
	switch how {
	case copying:
		t.to(v, o, v.path, in, false)
	case listing:
		p := v.path
		if isPlace(head) {
			p, _ = rest.under(anyKey)
		}
		t.to(v, o, p, in, head == "")
	case pairing:
		at, rest := rest.split()
		p, _ := rest.under(anyKey)
		pair := strings.HasSuffix(in.Kind, ".items")
		if pair && at == "#0" {
			p, _ = rest.under(eachKey)
		}
		t.to(v, o, p, in, !pair || at == "")
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
	switch head, rest := v.path.split(); {
	case head == eachKey && name == "keys":
		how = copying
	case head == eachKey && name == "values":
		v.path, _ = rest.under(anyKey)
	}
	switch how {
	case telling:
		t.is(v, FromConst, in, nil, "")
		return
	case looking:
		t.looked(v, in, get.Args[0], in.Args[1:])
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

// looked follows a read of what lies under a key to the object, and to what is given
// where it has none.
func (t *trace) looked(v visit, in *il.Instr, object il.Operand, args []il.Operand) {
	key := anyKey
	if len(args) > 0 {
		key, _ = keyOf(v.f, args[0])
	}
	p, _ := v.path.under(key)
	t.to(v, object, p, in, false)
	if len(args) > 1 {
		t.to(v, args[1], v.path, in, false)
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
