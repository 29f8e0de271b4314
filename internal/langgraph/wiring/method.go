package wiring

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// tables are the attributes of a builder that hold its wiring.
var tables = []string{"nodes", "edges", "branches"}

// method calls a method of something that the languages or the library have.
func (x *machine) method(fr *frame, in *il.Instr, t *thing, args []value, names []string) value {
	self := t.self
	var out value
	switch {
	case self.is(graph):
		return x.onBuilder(fr, in, t, args, names)
	case self.is(compiled):
		return x.onGraph(fr, in, t, args, names)
	case self.kind == bound && self.self.is(graph) && slices.Contains(tables, self.name):
		if slices.Contains([]string{"pop", "clear", "update", "add", "discard", "remove"}, t.name) {
			var key value
			if t.name == "pop" && len(args) > 0 {
				key = args[0]
			}
			x.touch(fr, self.self, in, key)
		}
		return one(unknownOf(""))
	case self.is(list):
		out = x.onList(fr, in, self, t.name, args)
	case self.is(table):
		out = x.onTable(fr, in, self, t.name, args)
	case isText(self):
		out = x.onText(fr, in, self, t.name, args, names)
	case self.kind == function && (t.name == "bind" || t.name == "call"):
		return one(self)
	default:
		out = x.onUnknown(fr, in, t, args, names)
	}
	if out != nil {
		return out
	}
	x.handed(fr, in, t, args)
	return one(x.result(fr, in, ""))
}

// onUnknown calls a method of something that is not known.
func (x *machine) onUnknown(fr *frame, in *il.Instr, t *thing, args []value, names []string) value {
	switch t.name {
	case "append", "extend", "insert", "remove", "pop", "clear", "update", "add", "discard", "popitem", "setdefault", "push", "shift", "splice":
		x.changed[t.self.key()]++
	case "map", "flatMap", "forEach":
		if len(args) > 0 && args[0].only().kind == function {
			return x.mapped(fr, in, args[0].only(), one(t.self))
		}
	case "items", "keys", "values", "entries":
		if len(args) == 0 {
			return x.parts(fr, in, one(t.self), t.name)
		}
	case "get":
		if len(args) > 0 { // what it is where it is not there is one of what is not known
			if v := x.entry(t.self, args[0].only()); v != nil {
				return v
			}
		}
	}
	if x.wires(t.name) {
		x.lose(fr, in)
	}
	return nil
}

// onList calls a method of a list.
func (x *machine) onList(fr *frame, in *il.Instr, self *thing, name string, args []value) value {
	r := self.obj
	first := func() value {
		if len(args) > 0 {
			return args[0]
		}
		return one(unknownOf(""))
	}
	when := x.here(fr, in)
	switch name {
	case "append", "add", "push":
		for _, a := range args {
			x.add(r, a, when, in)
		}
	case "insert":
		if len(args) > 1 {
			i := item{value: args[1], when: when, many: x.many(r.depth), at: in}
			n, ok := number(args[0].only())
			if !ok || n < 0 || n > len(r.items) {
				n = len(r.items)
			}
			r.items = slices.Insert(r.items, n, i)
		}
	case "extend", "update":
		items, whole := x.each(fr, first(), in)
		for _, i := range items {
			r.grow(item{value: i.value, when: x.and(i.when, when), many: i.many || x.many(r.depth), at: in})
		}
		if !whole {
			if e := x.element(first(), in); e.name != "" {
				r.items = append(r.items, item{value: one(e), when: when, many: true, at: in})
			} else {
				r.open = true
			}
		}
	case "remove", "pop", "popleft", "clear", "discard", "shift", "splice":
		return x.taken(self, name, args, when)
	default:
		return x.ofList(fr, in, self, name, args)
	}
	return one(self)
}

// taken takes elements out of a list, and gives them where it is known which.
func (x *machine) taken(self *thing, name string, args []value, when cond) value {
	r := self.obj
	r.changed++
	n := len(r.items)
	sure := func(i item) bool { return when == always && !r.open && !i.many && i.when == always }
	front := name == "popleft" || name == "shift"
	if name == "pop" && len(args) == 1 {
		at, ok := number(args[0].only())
		front = ok && at == 0
	}
	switch {
	case name == "clear" && when == always:
		r.items = nil
	case front && n > 0 && sure(r.items[0]):
		v := r.items[0].value
		r.items = r.items[1:]
		return v
	case name == "pop" && len(args) == 0 && n > 0 && sure(r.items[n-1]):
		v := r.items[n-1].value
		r.items = r.items[:n-1]
		return v
	default:
		r.open = true
		for i := range r.items {
			r.items[i].value = x.vague(r.items[i].value)
		}
	}
	return one(self)
}

// ofList are methods that make something of a list; nil for others.
func (x *machine) ofList(fr *frame, in *il.Instr, self *thing, name string, args []value) value {
	r := self.obj
	first := func() value {
		if len(args) > 0 {
			return args[0]
		}
		return one(unknownOf(""))
	}
	switch name {
	case "concat":
		out := x.listOf(r.open, slices.Clone(r.items)...)
		for _, a := range args {
			if t := a.only(); t.is(list) {
				x.spread(out.obj, t)
			} else {
				out.obj.items = append(out.obj.items, item{value: a, when: always})
			}
		}
		return one(out)
	case "map", "flatMap":
		out := x.mapped(fr, in, first().only(), one(self))
		if name == "flatMap" {
			flat := x.listOf(false)
			for _, i := range out.only().obj.items {
				items, whole := x.each(fr, i.value, in)
				for _, e := range items {
					flat.obj.items = append(flat.obj.items, item{value: e.value, when: x.and(e.when, i.when), many: e.many || i.many})
				}
				flat.obj.open = flat.obj.open || !whole
			}
			return one(flat)
		}
		return out
	case "forEach":
		x.mapped(fr, in, first().only(), one(self))
	case "filter":
		return x.filtered(fr, in, first().only(), one(self))
	case "copy", "slice", "values":
		if len(args) == 0 {
			return one(x.listOf(r.open, slices.Clone(r.items)...))
		}
		return x.sliced(r, args)
	case "entries":
		return x.rows(fr, in, one(self))
	case "join":
		out := one(textOf(""))
		for i, e := range r.items {
			if i > 0 {
				out = x.pairs(out, first(), func(a, b *thing) *thing { return written(a, b) })
			}
			out = x.pairs(out, e.value, func(a, b *thing) *thing { return written(a, b) })
		}
		if !r.open {
			return out
		}
	case "includes":
		u := unknownOf("")
		u.truth = true
		return one(u)
	default:
		return nil
	}
	return one(self)
}

// vague is a value of which nothing is known any more.
func (x *machine) vague(v value) value {
	if strings.Contains(v.only().key(), "each(") {
		return one(unknownOf(""))
	}
	return v
}

// sliced is a list between two numbers.
func (x *machine) sliced(r *record, args []value) value {
	bounds := [2]int{0, len(r.items)}
	for i := range min(len(args), 2) {
		n, ok := number(args[i].only())
		if !ok || r.open {
			return one(unknownOf(""))
		}
		if n < 0 {
			n += len(r.items)
		}
		bounds[i] = min(max(n, 0), len(r.items))
	}
	if bounds[0] > bounds[1] {
		bounds[0] = bounds[1]
	}
	return one(x.listOf(false, slices.Clone(r.items[bounds[0]:bounds[1]])...))
}

// onTable calls a method of a table.
func (x *machine) onTable(fr *frame, in *il.Instr, self *thing, name string, args []value) value {
	r := self.obj
	switch name {
	case "items", "keys", "values", "entries":
		return x.parts(fr, in, one(self), name)
	case "get", "pop", "setdefault":
		if len(args) == 0 {
			return nil
		}
		var out value
		for _, k := range args[0] {
			v := x.entry(self, k.thing)
			if len(v) == 0 || !k.sure() {
				if len(args) > 1 {
					v = x.join(v, args[1])
				} else if len(v) == 0 {
					v = one(nothing())
				}
			}
			out = x.join(out, x.under(v, k.when))
		}
		if name == "setdefault" && len(args) > 1 {
			x.put(r, item{key: args[0], value: out, when: x.here(fr, in), many: x.many(r.depth), at: in})
		} else if name == "pop" {
			r.changed++
			r.open = true
		}
		return out
	case "update", "set":
		if name == "set" && len(args) > 1 {
			x.put(r, item{key: args[0], value: args[1], when: x.here(fr, in), many: x.many(r.depth), at: in})
			return one(self)
		}
		for _, a := range args {
			x.spread(r, a.only())
		}
		return one(nothing())
	case "copy":
		return one(&thing{kind: object, obj: &record{form: table, items: slices.Clone(r.items), open: r.open, depth: len(x.turns)}})
	case "forEach", "has", "clear":
		return nil
	}
	if v := x.entry(self, textOf(name)); len(v) == 1 && fr.f.Module.Language != "python" { // a function that a record holds
		return x.apply(fr, in, v.only(), args, make([]string, len(args)))
	}
	return nil
}

// onText calls a method of a text.
func (x *machine) onText(fr *frame, in *il.Instr, self *thing, name string, args []value, names []string) value {
	s, ok := self.str()
	arg := func(i int) string {
		if i < len(args) {
			a, isText := args[i].only().str()
			ok = ok && isText
			return a
		}
		return ""
	}
	truth := func(b bool) value {
		if !ok {
			u := unknownOf("")
			u.truth = true
			return one(u)
		}
		return one(truthOf(b))
	}
	switch name {
	case "format":
		var parts []*thing
		for i, a := range args {
			if names[i] != "" {
				s = strings.ReplaceAll(s, "{"+names[i]+"}", "\x00")
			}
			parts = append(parts, a.only())
		}
		if t := filled(strings.ReplaceAll(s, "{}", "\x00"), parts); ok && t != nil {
			return one(t)
		}
		return one(unknownOf(""))
	case "join":
		if len(args) == 0 || !args[0].only().is(list) {
			return one(unknownOf(""))
		}
		return x.onList(fr, in, args[0].only(), "join", []value{one(self)})
	case "startswith", "startsWith":
		return truth(strings.HasPrefix(s, arg(0)))
	case "endswith", "endsWith":
		return truth(strings.HasSuffix(s, arg(0)))
	case "includes":
		return truth(strings.Contains(s, arg(0)))
	case "split":
		if sep := arg(0); ok && sep != "" {
			l := x.listOf(false)
			for _, p := range strings.Split(s, sep) {
				l.obj.items = append(l.obj.items, item{value: one(textOf(p)), when: always})
			}
			return one(l)
		}
		return one(unknownOf(""))
	}
	change := changes[name]
	if change == nil {
		return nil
	}
	if out := change(s, arg(0), arg(1)); ok && len(out) <= maxText {
		return one(textOf(out))
	}
	return one(unknownOf(""))
}

// changes are methods that make another text of one.
var changes = map[string]func(s, a, b string) string{
	"lower": func(s, _, _ string) string { return strings.ToLower(s) }, "toLowerCase": func(s, _, _ string) string { return strings.ToLower(s) },
	"upper": func(s, _, _ string) string { return strings.ToUpper(s) }, "toUpperCase": func(s, _, _ string) string { return strings.ToUpper(s) },
	"strip": func(s, _, _ string) string { return strings.TrimSpace(s) }, "trim": func(s, _, _ string) string { return strings.TrimSpace(s) },
	"replace": strings.ReplaceAll, "replaceAll": strings.ReplaceAll,
	"removeprefix": func(s, a, _ string) string { return strings.TrimPrefix(s, a) },
	"removesuffix": func(s, a, _ string) string { return strings.TrimSuffix(s, a) },
	"capitalize": func(s, _, _ string) string {
		if s == "" {
			return s
		}
		return strings.ToUpper(s[:1]) + strings.ToLower(s[1:])
	},
}
