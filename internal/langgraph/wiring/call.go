package wiring

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// call runs a call.
func (x *machine) call(fr *frame, in *il.Instr) value {
	callee := x.operand(fr, in.Args[0])
	if in.Mode == il.Decorate {
		x.decorate(fr, in, callee.only())
		return one(unknownOf(""))
	}
	if in.Mode == il.Deferred {
		return one(unknownOf(""))
	}
	var args []value
	var names []string
	for k, a := range in.Args[1:] {
		v, name := x.operand(fr, a), ""
		if k < len(in.Names) {
			name = in.Names[k]
		}
		if t := v.only(); name == "*" && t.is(list) && !t.obj.open && !slices.ContainsFunc(t.obj.items, func(i item) bool { return i.many || i.when != always }) {
			for _, i := range t.obj.items {
				args, names = append(args, i.value), append(names, "")
			}
			continue
		} else if name == "**" && t.is(table) && !t.obj.open {
			for _, i := range t.obj.items {
				s, _ := i.key.only().str()
				args, names = append(args, i.value), append(names, s)
			}
			continue
		}
		args, names = append(args, x.at(v, place{fr.f, in})), append(names, name)
	}
	var out value
	before := fr.now
	if b := x.builderOf(callee); b != nil {
		return x.construct(fr, in, b, args, names)
	}
	for _, a := range callee {
		c := x.and(before, a.when)
		if c == never {
			continue
		}
		fr.now = c
		out = x.join(out, x.under(x.apply(fr, in, a.thing, args, names), a.when))
	}
	fr.now = before
	return out
}

// decorate calls a decorator of the program for what else it does: what it decorates stays
// what its name stands for.
func (x *machine) decorate(fr *frame, in *il.Instr, f *thing) {
	if f.kind != function {
		return
	}
	if strings.HasSuffix(x.Text(fr.f, in.Span), ")") {
		var args []value
		for _, a := range in.Args[2:] {
			args = append(args, x.operand(fr, a))
		}
		if f = x.apply(fr, in, f, args, append(slices.Clone(in.Names), make([]string, len(args))...)[min(1, len(in.Names)):][:len(args)]).only(); f.kind != function {
			return
		}
	}
	x.apply(fr, in, f, []value{x.operand(fr, in.Args[1])}, []string{""})
}

// apply calls one thing.
func (x *machine) apply(fr *frame, in *il.Instr, t *thing, args []value, names []string) value {
	switch t.kind {
	case function:
		if t.self != nil {
			args, names = append([]value{one(t.self)}, args...), append([]string{""}, names...)
		}
		return x.enter(t, args, names, in, x.here(fr, in))
	case class:
		return x.instantiate(fr, t, args, names, in)
	case partial:
		args, names = slices.Concat(t.args, args), slices.Concat(t.names, names)
		return x.apply(fr, in, t.self, args, names)
	case bound:
		return x.method(fr, in, t, args, names)
	case object:
		if t.obj.class != nil {
			if v := x.member(t.obj.class, "__call__"); v != nil {
				return x.apply(fr, in, x.of(v, t, false).only(), args, names)
			}
		}
	case unknown:
		if t.self != nil {
			return x.method(fr, in, &thing{kind: bound, self: t.self, name: t.member}, args, names)
		}
	case outside, made:
		return x.outer(fr, in, t, args, names)
	default:
	}
	x.handed(fr, in, t, args)
	return one(x.result(fr, in, ""))
}

// result is what a call gives that is not followed.
func (x *machine) result(fr *frame, in *il.Instr, name string, args ...value) *thing {
	given, each := "", false
	for _, v := range args {
		k := v.only().key()
		if e := v.only().each; e != "" {
			k, each = e, true
		}
		given += k + ","
		each = each && k != ""
	}
	if each { // one for each of something: the same again where another loop goes over that
		return &thing{kind: made, name: unknownOf(name + "(" + given + ")").name, at: place{fr.f, in}}
	}
	return &thing{kind: made, name: name + "()@" + x.key(fr.f, in.Span), at: place{fr.f, in}}
}

// enter runs a function of the program.
func (x *machine) enter(t *thing, args []value, names []string, in *il.Instr, when cond) value {
	f := t.fn
	open := 0
	for _, s := range x.stack {
		if s.f == f {
			open++
		}
	}
	if open > 1 || len(x.stack) > maxCalls || f.Lost != "" || f.Kind == il.Declared || x.steps > x.limit {
		return one(unknownOf(""))
	}
	fr := x.frame(f, t.up)
	if fr.up == nil {
		fr.up = x.aroundOf(f)
	}
	fr.entry, fr.now = when, when
	fr.at = in
	if len(x.stack) > 0 {
		fr.caller = x.stack[len(x.stack)-1]
	}
	x.parameters(fr, t, args, names)
	x.run(fr)
	if len(fr.yields) > 0 {
		if slices.ContainsFunc(f.Decorators, func(d string) bool { return strings.HasSuffix(d, "contextmanager") }) {
			var out value
			for _, y := range fr.yields {
				out = x.join(out, y.value)
			}
			return out
		}
		return one(&thing{kind: object, obj: &record{items: fr.yields, depth: len(x.turns)}})
	}
	if len(fr.result) == 0 {
		return one(unknownOf(""))
	}
	return x.known(fr.result, when)
}

// parameters binds what a function is given.
func (x *machine) parameters(fr *frame, t *thing, args []value, names []string) {
	f := fr.f
	values := make([]value, len(f.Params))
	rest := map[int]*record{}
	position, open := 0, false
	for i, p := range f.Params {
		if p.Spread != "" {
			rest[i] = &record{depth: len(x.turns)}
			if p.Spread == "**" {
				rest[i].form = table
			}
			values[i] = one(&thing{kind: object, obj: rest[i]})
		}
	}
	for k, a := range args {
		switch names[k] {
		case "":
			for position < len(values) && values[position] != nil && f.Params[position].Spread == "" {
				position++
			}
			switch {
			case position >= len(f.Params):
			case f.Params[position].Spread == "*" || f.Params[position].Spread == "...":
				rest[position].items = append(rest[position].items, item{value: a, when: always})
			case f.Params[position].Spread == "":
				values[position] = a
				position++
			}
		case "*", "**":
			open = true
		default:
			i := slices.IndexFunc(f.Params, func(p il.Param) bool { return p.Name == names[k] && p.Spread == "" })
			if i >= 0 {
				values[i] = a
			} else if j := slices.IndexFunc(f.Params, func(p il.Param) bool { return p.Spread == "**" }); j >= 0 {
				rest[j].items = append(rest[j].items, item{key: one(textOf(names[k])), value: a, when: always})
			}
		}
	}
	for i, p := range f.Params {
		if open && p.Spread != "" {
			rest[i].open = true
		}
		if values[i] == nil {
			values[i] = x.missing(fr, t, p, open)
		}
		fr.versions[p.Var] = values[i]
		if p.Name != "" {
			x.set(fr, p.Name, values[i], always)
		}
	}
}

// missing is what a parameter is that a call does not give.
func (x *machine) missing(fr *frame, t *thing, p il.Param, open bool) value {
	u := unknownOf(p.Name + "@" + x.key(fr.f, fr.f.Span))
	var usual value
	if v, ok := t.given[p.Name]; ok {
		usual = v
	} else if p.Filled && p.Default.Kind == il.Constant {
		usual = x.operand(fr, p.Default)
	}
	if usual != nil && fr.at != nil && !open {
		return usual
	}
	if usual != nil {
		u.usual = usual.only()
		if k := u.usual.kind; k != constant || u.usual.lit.Type == il.StrConst {
			return value{{u.usual, always}}
		}
	}
	return one(u)
}

// instantiate makes an object of a class of the program.
func (x *machine) instantiate(fr *frame, t *thing, args []value, names []string, in *il.Instr) value {
	if x.enumeration(t) {
		return one(unknownOf(""))
	}
	o := &thing{kind: object, args: args, names: names, obj: &record{form: instance, class: t, fields: map[string]value{}, depth: len(x.turns)}, at: place{fr.f, in}}
	x.objects[t.fn] = append(x.objects[t.fn], o)
	x.initialise(fr, o, args, names, in)
	return one(o)
}

// initialise runs what makes an object ready.
func (x *machine) initialise(fr *frame, o *thing, args []value, names []string, in *il.Instr) {
	t := o.obj.class
	for _, name := range []string{"__init__", "constructor"} {
		if v := x.member(t, name); v != nil && v.only().kind == function {
			x.enter(v.only(), append([]value{one(o)}, args...), append([]string{""}, names...), in, x.here(fr, in))
			return
		}
	}
	var fields []string
	for _, c := range append(x.bases(t), t) {
		for _, name := range c.frame.order {
			if v := c.frame.names[name]; v.only().kind != function && !slices.Contains(fields, name) {
				fields = append(fields, name)
			}
		}
	}
	settings := slices.ContainsFunc(x.Names.Above(t.fn), func(above string) bool { return last(above) == "BaseSettings" })
	for _, name := range fields {
		v := x.member(t, name)
		if d := v.only(); d.kind == made { // field(default_factory=list)
			for k, n := range d.names {
				switch n {
				case "default":
					v = d.args[k]
				case "default_factory", "factory":
					v = x.apply(fr, in, d.args[k].only(), nil, nil)
				}
			}
		}
		if settings { // the environment may say otherwise
			u := unknownOf(name + "@" + x.key(t.fn, t.fn.Span))
			u.usual = v.only()
			v = one(u)
		}
		if settings || v.only().kind != unknown && v.only().kind != made {
			o.obj.fields[name] = v
		}
	}
	for k, a := range args {
		switch {
		case names[k] != "" && names[k][0] != '*':
			o.obj.fields[names[k]] = a
		case names[k] == "" && k < len(fields):
			o.obj.fields[fields[k]] = a
		}
	}
}

// handed notes builders that are given to code which is not known.
func (x *machine) handed(fr *frame, in *il.Instr, t *thing, args []value) {
	if x.harmless(t, in) {
		return
	}
	for k, v := range args {
		for _, a := range v {
			switch {
			case a.is(graph):
				x.touch(fr, a.thing, in, nil)
			case a.kind == bound && a.self.is(graph) && x.wires(a.name):
				if def := fr.f.Def(in.Args[min(k+1, len(in.Args)-1)]); def != nil {
					x.touch(fr, a.self, def, nil)
				}
			}
		}
	}
}

// harmless tells code that does not wire what it is given.
func (x *machine) harmless(t *thing, in *il.Instr) bool {
	name := last(in.Kind)
	if x.wires(name) || slices.Contains([]string{"append", "add", "set", "put", "info", "debug"}, name) {
		return true
	}
	switch t.kind {
	case outside:
		if strings.HasPrefix(t.name, "?.") {
			return false
		}
		return slices.ContainsFunc(harmless, func(p string) bool { return strings.HasPrefix(t.name, p) })
	case bound:
		return t.self.kind != unknown && t.self.kind != made || name == "update"
	case unknown:
		return name == "update"
	}
	return false
}

// harmless are the beginnings of names of packages whose functions do not wire what they are given.
var harmless = []string{
	"builtins.", "typing.", "langgraph", "langchain", "@langchain", "langsmith", "logging.", "json.", "pprint.", "inspect.", "functools.", "console.",
	"contextlib.", "copy.", "weakref.", "asyncio.", "unittest.", "pytest.", "rich.", "IPython.", "streamlit.", "fastapi.", "pickle.", "time.",
	"Object.", "Array.", "JSON.", "Promise.",
}
