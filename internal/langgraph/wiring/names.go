package wiring

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// word is what a name stands for that a function does not bind.
func (x *machine) word(fr *frame, name string) value {
	for up := fr.up; up != nil; up = up.up {
		if up.f.Kind == il.ClassBody && fr.f.Module.Language == "python" {
			continue
		}
		if v, ok := up.names[name]; ok {
			return x.read(up, v, fr)
		}
	}
	if top := fr.f.Module.Top; fr.f != top {
		if v, ok := x.top(top).names[name]; ok {
			return x.read(x.top(top), v, fr)
		}
	}
	s := x.Names.Lookup(fr.f, name)
	if s != nil && s.Function == nil && s.Modules == nil && s.Package == "" && s.Const == nil && s.Outside == "" {
		return one(unknownOf(""))
	}
	if s == nil || s.Outside != "" || s.Modules != nil || s.Package != "" {
		return one(x.symbolOf(s, name))
	}
	if s.Const != nil {
		t := constantOf(*s.Const)
		t.setting = true
		return one(t)
	}
	return one(x.symbolOf(s, name))
}

// read is what a name of a scope around is worth in a function: constants of a module are
// settings.
func (x *machine) read(from *frame, v value, fr *frame) value {
	v = x.known(v, fr.now)
	if from.f.Kind != il.Top {
		return v
	}
	out := slices.Clone(v)
	for i, a := range out {
		if a.kind == constant && !a.setting {
			c := *a.thing
			c.setting = true
			out[i].thing = &c
		}
	}
	return out
}

// top runs the top level of a module, once, and gives what it has bound so far.
func (x *machine) top(f *il.Function) *frame {
	if fr := x.tops[f]; fr != nil {
		return fr
	}
	fr := x.frame(f, nil)
	x.tops[f] = fr
	turns, stack := x.turns, x.stack
	x.turns, x.stack = nil, nil
	x.run(fr)
	x.turns, x.stack = turns, stack
	return fr
}

func (x *machine) frame(f *il.Function, up *frame) *frame {
	return &frame{f: f, up: up, entry: always, now: always, versions: make([]value, len(f.Versions)), names: map[string]value{},
		exports: map[string]value{}, edges: map[way]cond{}, turns: map[*il.Block]value{}}
}

// run runs a frame.
func (x *machine) run(fr *frame) {
	x.ran[fr.f] = true
	x.last[fr.f] = fr
	x.stack = append(x.stack, fr)
	if len(fr.f.Versions) > 0 || len(fr.f.Blocks) > 0 {
		x.body(fr)
	}
	x.stack = x.stack[:len(x.stack)-1]
}

// imported is what an import binds.
func (x *machine) imported(fr *frame, in *il.Instr) value {
	link := fr.f.Module.Links[in.Kind]
	if link.Own && len(in.Names) > 1 {
		for _, m := range link.Modules {
			if m.Top == fr.f {
				continue
			}
			top := x.top(m.Top)
			if in.Names[1] == "*" {
				for _, name := range top.order {
					if !strings.HasPrefix(name, "_") {
						x.set(fr, name, top.names[name], fr.now)
					}
				}
				continue
			}
			if v, ok := top.exports[in.Names[1]]; ok {
				return v
			}
			if v, ok := top.names[in.Names[1]]; ok {
				return v
			}
		}
	}
	s := x.Names.Imported(fr.f.Module, in)
	name := in.Names[0]
	if len(in.Names) > 1 {
		name = in.Names[1]
	}
	if s != nil && s.Function == nil && s.Modules == nil && s.Package == "" && s.Const == nil && s.Outside == "" {
		s = nil
	}
	return one(x.symbolOf(s, name))
}

// define makes a function or class.
func (x *machine) define(fr *frame, in *il.Instr) *thing {
	t := &thing{kind: function, fn: in.Ref, up: fr, at: place{fr.f, in}, given: map[string]value{}}
	if in.Ref == nil {
		return unknownOf("")
	}
	for k, a := range in.Args {
		if name, ok := strings.CutPrefix(in.Names[k], "="); ok {
			t.given[name] = x.operand(fr, a)
		}
	}
	if in.Ref.Kind == il.ClassBody {
		t.kind, t.frame = class, x.frame(in.Ref, fr)
		t.frame.entry, t.frame.now = always, always
		x.classes[in.Ref] = t
		x.run(t.frame)
	}
	x.defined[in.Ref] = t
	return t
}

// aroundOf is the frame around a function that was found by its name.
func (x *machine) aroundOf(f *il.Function) *frame {
	switch o := f.Outer; {
	case o == nil:
		return nil
	case o.Kind == il.Top:
		return x.top(o)
	case x.last[o] != nil:
		return x.last[o]
	case o.Kind == il.ClassBody:
		return x.classOf(o).frame
	default:
		return x.top(f.Module.Top)
	}
}

// classOf is the class of a body.
func (x *machine) classOf(body *il.Function) *thing {
	x.top(body.Module.Top)
	if t := x.classes[body]; t != nil {
		return t
	}
	t := &thing{kind: class, fn: body, frame: x.frame(body, x.aroundOf(body))}
	x.classes[body] = t
	x.run(t.frame)
	return t
}

// bases are the classes of the program right above one.
func (x *machine) bases(t *thing) (out []*thing) {
	c := x.Names.Class(t.fn)
	if c == nil {
		return nil
	}
	for _, written := range c.Bases {
		if b := x.Names.Type(t.fn, written); b != nil && b != t.fn {
			out = append(out, x.classOf(b))
		}
	}
	return out
}

// member is an attribute of a class; nil where neither it nor a class above it in the
// program has one.
func (x *machine) member(t *thing, name string) value { return x.memberAt(t, name, 0) }

func (x *machine) memberAt(t *thing, name string, depth int) value {
	if v, ok := t.frame.names[name]; ok {
		if v.only().kind == constant && x.enumeration(t) {
			c := *v.only()
			c.member = name
			return one(&c)
		}
		return v
	}
	if depth > 8 {
		return nil
	}
	for _, b := range x.bases(t) {
		if v := x.memberAt(b, name, depth+1); v != nil {
			return v
		}
	}
	return nil
}

func (x *machine) enumeration(t *thing) bool {
	c := x.Names.Class(t.fn)
	return c != nil && (c.Kind == "enum" || slices.ContainsFunc(x.Names.Above(t.fn), func(s string) bool { return strings.HasPrefix(s, "enum.") }))
}

// attribute is an attribute of a thing.
func (x *machine) attribute(fr *frame, t *thing, name string, in *il.Instr) value {
	switch t.kind {
	case constant:
		switch {
		case t.member != "" && name == "value":
			return one(t)
		case t.member != "" && name == "name":
			return one(textOf(t.member))
		}
		return one(&thing{kind: bound, self: t, name: name})
	case text, bound, partial:
		return one(&thing{kind: bound, self: t, name: name})
	case outside:
		return one(&thing{kind: outside, name: t.name + "." + name})
	case module:
		return x.part(fr, t, name, in)
	case function:
		if name == "__name__" || name == "name" {
			return one(textOf(last(t.fn.Name)))
		}
		return one(&thing{kind: bound, self: t, name: name})
	case class:
		if name == "__name__" {
			return one(textOf(last(t.fn.Name)))
		}
		if v := x.member(t, name); v != nil {
			return x.of(v, t, true)
		}
		return one(unknownOf(""))
	case object:
		return x.field(t, name, in)
	case made:
		switch {
		case last(t.name) == "super":
			return x.above(t, name)
		case t.named(x.Library, "Send", "Command"):
			for i, n := range t.names {
				if n == name {
					return t.args[i]
				}
			}
		}
	default:
	}
	u := &thing{kind: unknown, self: t, member: name}
	if k := t.key(); k != "" {
		u.name = unknownOf(k + "." + name + x.version(k)).name
	}
	return one(u)
}

// of are the attributes of a class as one reads them of an object: methods are bound, and
// properties computed.
func (x *machine) of(v value, self *thing, ofClass bool) (out value) {
	for _, a := range v {
		t := a.thing
		if t.kind == function && t.fn.Outer != nil && t.fn.Outer.Kind == il.ClassBody && t.fn.Kind != il.Lambda {
			d := t.fn.Decorators
			switch {
			case slices.Contains(d, "staticmethod"):
			case ofClass && !slices.Contains(d, "classmethod"):
			case !ofClass && slices.ContainsFunc(d, func(s string) bool { return strings.HasSuffix(s, "property") }):
				out = x.join(out, x.enter(t, []value{one(self)}, []string{""}, nil, a.when))
				continue
			default:
				m := *t
				m.self, t = self, &m
			}
		}
		out = x.join(out, value{{t, a.when}})
	}
	return out
}

// above is an attribute of the classes above the one that calls super.
func (x *machine) above(t *thing, name string) value {
	if t.self == nil {
		return one(unknownOf(""))
	}
	for _, b := range x.bases(t.args[0].only()) {
		if v := x.member(b, name); v != nil {
			return x.of(v, t.self, false)
		}
	}
	if t.self.is(graph) && name != "__init__" {
		return one(&thing{kind: bound, self: t.self, name: name})
	}
	return one(unknownOf(""))
}

// field is an attribute of an object.
func (x *machine) field(t *thing, name string, in *il.Instr) value {
	o := t.obj
	if v, ok := o.fields[name]; ok {
		return v
	}
	if o.form == graph && (x.wires(name) || name == "compile" || o.built.from.provenance == agentgraph.FromHome && slices.Contains(runMethods, name)) {
		return one(&thing{kind: bound, self: t, name: name, at: place{in: in}})
	}
	if o.class != nil {
		if v := x.member(o.class, name); v != nil {
			return x.of(v, t, false)
		}
		if name == "__class__" || name == "constructor" {
			return one(o.class)
		}
		if o.form == instance {
			return one(unknownOf(""))
		}
	}
	if o.form == list && name == "length" && !o.open && !slices.ContainsFunc(o.items, func(i item) bool { return i.many || i.when != always }) {
		return one(numberOf(len(o.items)))
	}
	return one(&thing{kind: bound, self: t, name: name, at: place{in: in}})
}

// part is a member of a module.
func (x *machine) part(fr *frame, t *thing, name string, in *il.Instr) value {
	for _, m := range t.symbol.Modules {
		top := x.top(m.Top)
		if v, ok := top.exports[name]; ok {
			return v
		}
		if v, ok := top.names[name]; ok {
			return x.read(top, v, fr)
		}
	}
	if s := x.Names.Operand(fr.f, il.Operand{Kind: il.Local, ID: in.Dst}); s != nil && full(s) {
		return one(x.symbolOf(s, name))
	}
	return one(unknownOf(""))
}

func full(s *analyse.Symbol) bool {
	return s.Function != nil || s.Modules != nil || s.Package != "" || s.Const != nil || s.Outside != ""
}
