package wiring

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// outer calls something outside of the program.
func (x *machine) outer(fr *frame, in *il.Instr, t *thing, args []value, names []string) value {
	name := strings.TrimPrefix(t.name, "builtins.")
	arg := func(i int) value {
		if i < len(args) && names[i] == "" {
			return args[i]
		}
		return nil
	}
	if v := x.builtin(fr, in, name, arg, args, names); v != nil {
		return v
	}
	if t.named(x.Library, "Send", "Command") || t.name == "?.Send" || strings.HasSuffix(t.name, ".Send") && strings.HasPrefix(t.name, "?") {
		m := &thing{kind: made, name: x.Library + "." + last(t.name), args: args, names: names, at: place{fr.f, in}, loops: slices.Clone(x.turns)}
		return one(m)
	}
	switch last(t.name) {
	case "RunnableLambda", "RunnableCallable", "ToolNode", "RunnableGenerator":
		for i, n := range names {
			if n == "" || n == "func" {
				if k := args[i].only().kind; k == function || k == partial || k == object && args[i].only().obj.form == instance {
					return args[i]
				}
			}
		}
	}
	x.handed(fr, in, t, args)
	m := x.result(fr, in, t.name, args...)
	m.args, m.names = args, names
	return one(m)
}

// builtin runs what the languages have themselves; nil where it is something else.
func (x *machine) builtin(fr *frame, in *il.Instr, name string, arg func(int) value, args []value, names []string) value {
	first := arg(0)
	switch name {
	case "list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "Array.from", "Set", "collections.deque", "dict.fromkeys":
		return x.listed(fr, in, name, first)
	case "dict", "collections.OrderedDict", "collections.defaultdict", "Map", "types.MappingProxyType":
		return x.tabled(fr, in, args, names)
	case "enumerate":
		return x.rows(fr, in, first)
	case "zip":
		return x.zip(fr, in, args)
	case "itertools.pairwise":
		if items, whole := x.each(fr, first, in); whole {
			var rows []item
			for i := 1; i < len(items); i++ {
				rows = append(rows, item{value: x.tuple(items[i-1].value, items[i].value), when: x.and(items[i-1].when, items[i].when)})
			}
			return one(x.listOf(false, rows...))
		}
	case "itertools.chain":
		out := x.listOf(false)
		for _, a := range args {
			items, whole := x.each(fr, a, in)
			out.obj.items, out.obj.open = append(out.obj.items, items...), out.obj.open || !whole
		}
		return one(out)
	case "range":
		lo, n := 0, 0
		ok := false
		if n, ok = number(first.only()); len(args) > 1 {
			lo = n
			n, ok = number(arg(1).only())
		}
		if ok && n-lo <= maxTurns && len(args) < 3 {
			out := x.listOf(false)
			for i := lo; i < n; i++ {
				out.obj.items = append(out.obj.items, item{value: one(numberOf(i)), when: always})
			}
			return one(out)
		}
	case "map":
		return x.mapped(fr, in, first.only(), arg(1))
	case "filter":
		return x.filtered(fr, in, first.only(), arg(1))
	case "Object.entries", "Object.keys", "Object.values":
		return x.parts(fr, in, first, last(name))
	}
	return x.plain(fr, in, name, arg, args, names)
}

// plain runs what the languages have themselves beside collections; nil where it is something else.
func (x *machine) plain(fr *frame, in *il.Instr, name string, arg func(int) value, args []value, names []string) value {
	first := arg(0)
	switch name {
	case "len":
		if items, whole := x.each(fr, first, in); whole && len(first) == 1 && !slices.ContainsFunc(items, func(i item) bool { return i.many || i.when != always }) {
			return one(numberOf(len(items)))
		}
	case "getattr":
		if s, ok := arg(1).only().str(); ok && first.only().kind != outside {
			return x.attribute(fr, first.only(), s, in)
		}
	case "setattr":
		if s, ok := arg(1).only().str(); ok && first.only().kind == object && first.only().obj.fields != nil {
			first.only().obj.fields[s] = arg(2)
		}
	case "str", "String", "typing.cast":
		if name == "typing.cast" {
			return arg(1)
		}
		return x.pairs(one(textOf("")), first, func(a, b *thing) *thing { return written(a, b) })
	case "isinstance", "any", "all", "bool", "callable", "hasattr", "Boolean", "issubclass":
		u := unknownOf("")
		u.truth = true
		return one(u)
	case "functools.partial", "functools.partialmethod":
		if len(args) > 0 {
			return one(&thing{kind: partial, self: first.only(), args: args[1:], names: names[1:], at: place{fr.f, in}})
		}
	case "functools.wraps", "functools.lru_cache", "functools.cache":
		return one(&thing{kind: outside, name: "identity"})
	case "identity":
		return first
	case "super":
		return x.super(fr, in, args, names)
	case "asyncio.run", "asyncio.create_task", "asyncio.ensure_future":
		return first
	case "asyncio.to_thread":
		if len(args) == 0 {
			return nil
		}
		return x.apply(fr, in, first.only(), args[1:], names[1:])
	case "Promise.resolve":
		return first
	}
	return nil
}

// super is what stands for the classes above; of JavaScript's constructors it calls theirs.
func (x *machine) super(fr *frame, in *il.Instr, args []value, names []string) value {
	m := fr
	for m != nil && (m.f.Kind == il.Lambda || m.f.Outer == nil || m.f.Outer.Kind != il.ClassBody) {
		m = m.up
	}
	if m == nil || len(m.f.Params) == 0 || x.classes[m.f.Outer] == nil {
		return nil
	}
	self := m.versions[m.f.Params[0].Var].only()
	c := x.classes[m.f.Outer]
	if fr.f.Module.Language != "python" {
		for _, b := range x.bases(c) {
			if v := x.member(b, "constructor"); v != nil && v.only().kind == function {
				x.enter(v.only(), append([]value{one(self)}, args...), append([]string{""}, names...), in, x.here(fr, in))
			}
		}
	}
	return one(&thing{kind: made, name: "super", self: self, args: []value{one(c)}})
}

// mapped calls a function for each element of a collection.
func (x *machine) mapped(fr *frame, in *il.Instr, f *thing, v value) value {
	items, whole := x.each(fr, v, in)
	over := ""
	if len(in.Args) > 0 {
		if def := fr.f.Def(in.Args[0]); def != nil {
			over = x.Text(fr.f, def.Span)
		}
	}
	t := &turn{items: items, over: over}
	x.turns = append(x.turns, t)
	out := x.listOf(false)
	out.obj.depth--
	run := func(e item) {
		t.many = e.many
		before := fr.now
		if fr.now = x.and(before, e.when); fr.now != never {
			r := x.apply(fr, in, f, []value{e.value}, []string{""})
			out.obj.items = append(out.obj.items, item{value: r, when: e.when, many: e.many})
		}
		fr.now = before
	}
	for n, e := range items {
		t.n = n
		run(e)
	}
	if !whole {
		run(item{value: one(x.element(v, in)), when: always, many: true})
	}
	x.turns = x.turns[:len(x.turns)-1]
	return one(out)
}

// filtered are the elements of a collection that a function takes.
func (x *machine) filtered(fr *frame, in *il.Instr, f *thing, v value) value {
	items, whole := x.each(fr, v, in)
	out := x.listOf(!whole)
	for _, e := range items {
		keep := never
		for _, a := range x.apply(fr, in, f, []value{e.value}, []string{""}) {
			switch a.holds().String() {
			case "yes":
				keep = x.or(keep, a.when)
			case "no":
			default:
				if x.coarse(fr) {
					keep = always
					continue
				}
				keep = x.or(keep, x.and(a.when, x.literal(x.fresh("kept"), place{fr.f, in}, 0)))
			}
		}
		if w := x.and(e.when, keep); w != never {
			out.obj.items = append(out.obj.items, item{value: e.value, when: w, many: e.many})
		}
	}
	return one(out)
}
