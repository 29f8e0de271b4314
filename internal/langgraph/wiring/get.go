package wiring

import (
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// get reads a part of something.
func (x *machine) get(fr *frame, in *il.Instr) value {
	base := x.operand(fr, in.Args[0])
	var out value
	if in.Kind == "each" || in.Kind == "key" {
		b := fr.f.Block(in)
		for ; b != nil; b = b.Dominator() {
			if v, ok := fr.turns[b]; ok && b.End().Op == il.Loop && b.End().Args[0] == in.Args[0] {
				return v
			}
		}
		return one(unknownOf(""))
	}
	key := x.operand(fr, in.Args[1])
	name, attr := fr.f.Str(in.Args[1])
	for _, a := range base {
		var v value
		switch {
		case in.Kind == "attr" && attr:
			v = x.attribute(fr, a.thing, name, in)
		case len(in.Names) > 0 || in.Args[1].Kind == il.Opaque:
			v = x.slice(fr, a.thing, in)
		default:
			v = x.behind(fr, a.thing, key)
		}
		out = x.join(out, x.under(v, a.when))
	}
	return out
}

// behind is an element of something by its key.
func (x *machine) behind(fr *frame, t *thing, key value) (out value) {
	for _, k := range key {
		v := x.entry(t, k.thing)
		if len(v) == 0 {
			u := unknownOf("")
			if a, b := t.key(), k.key(); a != "" && b != "" {
				u.name = a + "[" + b + "]"
			}
			v = one(u)
		}
		v = x.under(v, k.when)
		out = x.join(out, v)
	}
	return out
}

// entry is what a collection holds at a key: any of its entries where the key is not known.
func (x *machine) entry(t, key *thing) (out value) {
	switch {
	case t.is(table):
		k := key.key()
		for _, i := range t.obj.items {
			ik := i.key.only().key()
			if key.sure() && ik != "" && i.key.only().sure() && ik != k {
				continue
			}
			if key.sure() && ik == k && !i.many {
				return i.value
			}
			out = x.join(out, i.value)
		}
		if t.obj.open {
			out = x.join(out, one(unknownOf("")))
		}
		return out
	case t.is(list):
		if n, ok := number(key); ok && !t.obj.open && !slices.ContainsFunc(t.obj.items, func(i item) bool { return i.when != always || i.many }) {
			if n < 0 {
				n += len(t.obj.items)
			}
			if n >= 0 && n < len(t.obj.items) {
				return t.obj.items[n].value
			}
			return nil
		}
		for _, i := range t.obj.items {
			if i.many {
				return one(unknownOf(""))
			}
			out = x.join(out, i.value)
		}
		if t.obj.open {
			out = x.join(out, one(unknownOf("")))
		}
		return out
	case t.kind == unknown || t.kind == made:
		if k := key.key(); t.name != "" && k != "" {
			return one(unknownOf(t.name + "[" + k + "]" + x.version(t.name)))
		}
	case t.kind == outside:
		return one(&thing{kind: made, name: t.name, args: []value{one(key)}})
	case t.kind == class: // an enumeration, by the names of its members
		if s, ok := key.str(); ok {
			return x.member(t, s)
		}
	}
	return nil
}

func number(t *thing) (int, bool) {
	return int(t.lit.Num), t.kind == constant && t.lit.Type == il.IntConst
}

// version tells apart what is read of something before and after it is changed.
func (x *machine) version(name string) string {
	if n := x.changed[name]; n > 0 {
		return "'" + strconv.Itoa(n)
	}
	return ""
}

// slice is a part of a list, as its text says.
func (x *machine) slice(fr *frame, t *thing, in *il.Instr) value {
	if !t.is(list) || t.obj.open {
		return one(unknownOf(""))
	}
	bounds := [2]int{0, len(t.obj.items)}
	if len(in.Names) > 0 { // the rest of a list
		n, err := strconv.Atoi(in.Names[0])
		if err != nil {
			return one(unknownOf(""))
		}
		bounds[0] = min(n, bounds[1])
	} else {
		src := strings.TrimSuffix(x.Text(fr.f, in.Span), "]")
		parts := strings.Split(src[strings.LastIndexByte(src, '[')+1:], ":")
		if len(parts) < 2 || len(parts) > 2 && strings.TrimSpace(parts[2]) != "" {
			return one(unknownOf(""))
		}
		for i := range bounds {
			s := strings.TrimSpace(parts[i])
			if s == "" {
				continue
			}
			n, err := strconv.Atoi(s)
			if err != nil {
				return one(unknownOf(""))
			}
			if n < 0 {
				n += len(t.obj.items)
			}
			bounds[i] = min(max(n, 0), len(t.obj.items))
		}
	}
	out := &record{depth: len(x.turns)}
	if bounds[0] < bounds[1] {
		out.items = slices.Clone(t.obj.items[bounds[0]:bounds[1]])
	}
	return one(&thing{kind: object, obj: out})
}
