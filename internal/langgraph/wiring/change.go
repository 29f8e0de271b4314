package wiring

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// spread adds all that a collection holds.
func (x *machine) spread(r *record, t *thing) {
	switch {
	case t.is(list) || t.is(table):
		for _, i := range t.obj.items {
			if r.form == table {
				x.put(r, i)
			} else if t.is(table) {
				r.grow(item{value: i.key, when: i.when, many: i.many, at: i.at})
			} else {
				r.grow(i)
			}
		}
		r.open = r.open || t.obj.open
	default:
		r.open = true
	}
}

// put sets an entry of a table.
func (x *machine) put(r *record, i item) {
	if len(r.items) > maxItems {
		r.open = true
		return
	}
	k := i.key.only().key()
	for n := range r.items {
		if o := &r.items[n]; k != "" && o.key.only().key() == k && o.many == i.many {
			if i.when == always {
				o.value, o.when = i.value, always
			} else {
				o.value = x.join(x.under(i.value, i.when), x.under(o.value, x.not(i.when)))
				o.when = x.or(o.when, i.when)
			}
			return
		}
	}
	r.items = append(r.items, i)
}

// change sets a part of something.
func (x *machine) change(fr *frame, in *il.Instr) value {
	v := x.operand(fr, in.Args[2])
	when := x.here(fr, in)
	name, named := fr.f.Str(in.Args[1])
	switch in.Kind {
	case "outer":
		for up := fr.up; up != nil; up = up.up {
			if _, ok := up.names[name]; ok || up.up == nil {
				x.set(up, name, v, when)
				return one(unknownOf(""))
			}
		}
		return one(unknownOf(""))
	case "export":
		fr.exports[name] = v
		return one(unknownOf(""))
	}
	base := x.operand(fr, in.Args[0])
	for _, a := range base {
		t := a.thing
		switch {
		case in.Kind == "attr" && named && t.kind == outside && t.name == "module" && name == "exports":
			for _, e := range v.only().entries() {
				if s, ok := e.key.only().str(); ok {
					fr.exports[s] = e.value
				}
			}
		case t.kind == bound && slices.Contains(tables, t.name) && t.self.is(graph): // del g.nodes["a"]
			x.touch(fr, t.self, in, x.operand(fr, in.Args[1]))
		case t.kind != object && t.kind != class:
			x.changed[t.key()]++
		case in.Kind == "add" || in.Kind == "item" && t.is(list):
			t.obj.changed++
			if in.Kind == "item" {
				t.obj.open = true
				continue
			}
			if key := x.operand(fr, in.Args[1]); !key.only().none() { // of a comprehension that makes a table
				t.obj.form = table
				x.put(t.obj, item{key: key, value: v, when: when, many: x.many(t.obj.depth), at: in})
				continue
			}
			if x.many(t.obj.depth) {
				when = always // how many there are is not known anyway
			}
			x.add(t.obj, v, when, in)
		case in.Kind == "item" && t.is(table):
			t.obj.changed++
			if in.Args[2].Kind == il.Opaque {
				t.obj.open = true
				continue
			}
			for _, k := range x.operand(fr, in.Args[1]) {
				x.put(t.obj, item{key: one(k.thing), value: v, when: when, many: x.many(t.obj.depth), at: in})
			}
		case in.Kind == "attr" && named && t.kind == object:
			old := t.obj.fields[name]
			if len(old) > 0 && when != always {
				v = x.join(x.under(v, when), x.under(old, x.not(when)))
			}
			t.obj.fields[name] = v
		case in.Kind == "attr" && named:
			t.frame.names[name] = v
		}
	}
	return base
}

// entries are those of a table.
func (t *thing) entries() []item {
	if t.is(table) {
		return t.obj.items
	}
	return nil
}

// add puts something into a list.
func (x *machine) add(r *record, v value, when cond, in *il.Instr) {
	i := item{value: v, when: when, many: x.many(r.depth), at: in}
	if i.many && slices.ContainsFunc(r.items, func(o item) bool { return o.at == in && o.many && equal(o.value, v) }) {
		return
	}
	r.grow(i)
}

// grow adds an element to a list, up to a bound.
func (r *record) grow(i item) {
	if len(r.items) >= maxItems {
		r.open = true
		return
	}
	r.items = append(r.items, i)
}
