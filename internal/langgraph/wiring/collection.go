package wiring

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// each are the elements that a loop goes over; whole tells that there are no others.
func (x *machine) each(fr *frame, v value, in *il.Instr) (out []item, whole bool) {
	whole = true
	for _, a := range v {
		if a.none() {
			continue
		}
		items, all := x.elements(a.thing)
		whole = whole && all
		for _, i := range items {
			i.when = x.and(i.when, a.when)
			if !i.many && len(v) == 1 {
				i.value = tagged(i.value, "each("+a.key()+")")
			}
			out = append(out, i)
		}
	}
	if len(out) > maxTurns {
		return out[:maxTurns], false
	}
	return out, whole
}

// tagged notes of what a value is one.
func tagged(v value, each string) value {
	out := slices.Clone(v)
	for i, a := range out {
		if a.kind == constant && a.each == "" {
			c := *a.thing
			c.each = each
			out[i].thing = &c
		}
	}
	return out
}

// elements are those of one collection.
func (x *machine) elements(t *thing) ([]item, bool) {
	switch {
	case t.is(list):
		return t.obj.items, !t.obj.open
	case t.is(table):
		out := make([]item, len(t.obj.items))
		for i, e := range t.obj.items {
			out[i] = item{value: e.key, when: e.when, many: e.many}
		}
		return out, !t.obj.open
	case t.kind == class && x.enumeration(t):
		var out []item
		for _, name := range t.frame.order {
			if v := x.member(t, name); v.only().kind == constant {
				out = append(out, item{value: v, when: always})
			}
		}
		return out, true
	}
	if s, ok := t.str(); ok && len(s) < 64 {
		var out []item
		for _, r := range s {
			out = append(out, item{value: one(textOf(string(r))), when: always})
		}
		return out, true
	}
	return nil, false
}

// element is one of a collection that is not known.
func (x *machine) element(v value, in *il.Instr) *thing {
	t := v.only()
	if k := t.key(); k != "" && (t.kind == unknown || t.kind == made) {
		return unknownOf("each(" + k + x.version(k) + ")")
	}
	return unknownOf("")
}

// listOf is a new list.
func (x *machine) listOf(open bool, items ...item) *thing {
	return &thing{kind: object, obj: &record{items: items, open: open, depth: len(x.turns)}}
}

func (x *machine) tuple(values ...value) value {
	var items []item
	for _, v := range values {
		items = append(items, item{value: v, when: always})
	}
	return one(x.listOf(false, items...))
}

// listed is a list of the elements of a collection.
func (x *machine) listed(fr *frame, in *il.Instr, name string, v value) value {
	if v == nil {
		return one(x.listOf(false))
	}
	items, whole := x.each(fr, v, in)
	if !whole && len(items) == 0 {
		if t := v.only(); t.kind == unknown || t.kind == made {
			if name == "list" || name == "tuple" {
				return v
			}
		}
		return one(x.listOf(true))
	}
	out := x.listOf(!whole, slices.Clone(items)...)
	switch name {
	case "reversed":
		slices.Reverse(out.obj.items)
	case "sorted":
		slices.SortStableFunc(out.obj.items, func(a, b item) int {
			s, _ := a.value.only().str()
			t, _ := b.value.only().str()
			return strings.Compare(s, t)
		})
	}
	return one(out)
}

// tabled is a table of entries, pairs and names.
func (x *machine) tabled(fr *frame, in *il.Instr, args []value, names []string) value {
	r := &record{form: table, depth: len(x.turns)}
	for k, a := range args {
		t := a.only()
		switch {
		case names[k] == "**" || names[k] == "" && t.is(table):
			x.spread(r, t)
		case names[k] == "" && t.is(list):
			for _, i := range t.obj.items {
				p := i.value.only()
				if !p.is(list) || len(p.obj.items) != 2 {
					r.open = true
					continue
				}
				x.put(r, item{key: p.obj.items[0].value, value: p.obj.items[1].value, when: i.when, many: i.many})
			}
			r.open = r.open || t.obj.open
		case names[k] == "":
			r.open = r.open || t.kind == unknown || t.kind == made
		default:
			x.put(r, item{key: one(textOf(names[k])), value: a, when: always})
		}
	}
	return one(&thing{kind: object, obj: r})
}

// rows are the elements of a collection with their numbers.
func (x *machine) rows(fr *frame, in *il.Instr, v value) value {
	items, whole := x.each(fr, v, in)
	out := x.listOf(false)
	for i, e := range items {
		n := one(numberOf(i))
		if e.many || e.when != always {
			n = one(unknownOf(""))
		}
		out.obj.items = append(out.obj.items, item{value: x.tuple(n, e.value), when: e.when, many: e.many})
	}
	if !whole {
		out.obj.items = append(out.obj.items, item{value: x.tuple(one(unknownOf("")), one(x.element(v, in))), when: always, many: true})
	}
	return one(out)
}

// zip pairs the elements of collections.
func (x *machine) zip(fr *frame, in *il.Instr, args []value) value {
	var columns [][]item
	for _, a := range args {
		items, whole := x.each(fr, a, in)
		if !whole {
			return one(unknownOf(""))
		}
		columns = append(columns, items)
	}
	out := x.listOf(false)
	for i := 0; len(columns) > 0; i++ {
		var row []value
		when := always
		for _, c := range columns {
			if i >= len(c) {
				return one(out)
			}
			row, when = append(row, c[i].value), x.and(when, c[i].when)
		}
		out.obj.items = append(out.obj.items, item{value: x.tuple(row...), when: when})
	}
	return one(out)
}

// parts are the keys, values or both of a table.
func (x *machine) parts(fr *frame, in *il.Instr, v value, which string) (out value) {
	for _, a := range v {
		t := a.thing
		if !t.is(table) {
			u := unknownOf("")
			if k := t.key(); k != "" && (t.kind == unknown || t.kind == made) {
				if u.name = k + "." + which + x.version(k); which == "keys" {
					u.name = k // what a loop goes over anyway
				}
			}
			out = x.join(out, value{{u, a.when}})
			continue
		}
		l := x.listOf(t.obj.open)
		for _, i := range t.obj.items {
			v := i.key
			switch which {
			case "values":
				v = i.value
			case "items", "entries":
				v = x.tuple(i.key, i.value)
			}
			l.obj.items = append(l.obj.items, item{value: v, when: i.when, many: i.many})
		}
		out = x.join(out, value{{l, a.when}})
	}
	return out
}
