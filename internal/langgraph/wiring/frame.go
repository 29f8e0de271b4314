package wiring

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// frame is one run of a function.
type frame struct {
	f        *il.Function
	up       *frame // what is around the function
	caller   *frame
	at       *il.Instr // the call
	entry    cond      // under which it is called
	now      cond      // under which the current instruction runs
	versions []value
	names    map[string]value
	order    []string // of names
	exports  map[string]value
	edges    map[way]cond
	turns    map[*il.Block]value // what the loop at a block goes over now
	result   value
	said     bool // it returns something by a statement
	yields   []item
}

// way is an edge between blocks.
type way struct{ from, to *il.Block }

// plan is what is known of the blocks of a function, once.
type plan struct {
	order []*il.Block
	loops map[*il.Block]map[*il.Block]bool // by header
}

// planOf orders the blocks of a function so that a block comes after those that lead to
// it, ways back aside, and finds its loops.
func (x *machine) planOf(f *il.Function) *plan {
	if p := x.plans[f]; p != nil {
		return p
	}
	p := &plan{order: f.Blocks, loops: f.Loops()}
	for h, in := range p.loops {
		for _, b := range p.order {
			if !in[b] && h.Dominates(b) && x.inLoop(f, h, b) {
				in[b] = true
			}
		}
	}
	x.plans[f] = p
	return p
}

// join is what is one or the other.
func (x *machine) join(v, w value) value {
	v = slices.Grow(slices.Clone(v), len(w))
	for _, a := range w {
		v = x.with(v, a)
	}
	return v
}

// with is a value that nobody else has, and may be one thing more.
func (x *machine) with(v value, a alt) value {
	i := slices.IndexFunc(v, func(o alt) bool { return o.thing == a.thing || repeats(a.thing, o.thing) })
	switch {
	case i >= 0:
		v[i].when = x.bounded(x.or(v[i].when, a.when))
	case len(v) < maxAlts:
		v = append(v, a)
	default:
		v[len(v)-1] = alt{unknownOf(""), always}
	}
	return v
}

// repeats tells a constant that is another, or the same terminal.
func repeats(a, b *thing) bool {
	if a.kind != constant {
		return false
	}
	if b.kind == constant {
		return a.lit.Type == b.lit.Type && a.lit.String() == b.lit.String()
	}
	return b.kind == outside && a.key() == b.key()
}

// under is a value where a condition holds.
func (x *machine) under(v value, c cond) value {
	if c == always {
		return v
	}
	var out value
	for _, a := range v {
		if w := x.bounded(x.and(a.when, c)); w != never {
			out = append(out, alt{a.thing, w})
		}
	}
	return out
}

// known is a value as it is read where a condition holds: what cannot be there is left out,
// and what is surely it hangs on nothing more.
func (x *machine) known(v value, c cond) value {
	read := func(a alt) (alt, bool) {
		if x.and(a.when, c) == never {
			return a, false
		}
		if x.and(c, x.not(a.when)) == never {
			a.when = always
		}
		return a, true
	}
	i := slices.IndexFunc(v, func(a alt) bool { b, there := read(a); return !there || a.when != b.when })
	if i < 0 {
		return v
	}
	out := v[:i:i]
	for _, a := range v[i:] {
		if a, there := read(a); there {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// bind gives a version its value, and its name.
func (x *machine) bind(fr *frame, id int32, v value) {
	if id == il.NoDst {
		return
	}
	fr.versions[id] = v
	if name := fr.f.Versions[id].Var; name != "" && name[0] != '%' {
		x.set(fr, name, v, fr.now)
	}
}

// set gives a name of a frame a value.
func (x *machine) set(fr *frame, name string, v value, when cond) {
	old, there := fr.names[name]
	if !there {
		fr.order = append(fr.order, name)
	}
	if there && when != fr.entry && when != always {
		v = x.join(x.under(v, when), x.under(old, x.not(when)))
	}
	fr.names[name] = v
}

// operand is what an operand is worth.
func (x *machine) operand(fr *frame, o il.Operand) value {
	switch o.Kind {
	case il.Constant:
		k := &fr.f.Module.Consts[o.ID]
		v := x.consts[k]
		if v == nil {
			v = one(constantOf(*k))
			x.consts[k] = v
		}
		return v
	case il.Local:
		if name := fr.f.Versions[o.ID].Var; slices.Contains(fr.f.Shared, name) {
			if v, ok := fr.names[name]; ok {
				return x.known(v, fr.now)
			}
		}
		if v := fr.versions[o.ID]; v != nil {
			return x.known(v, fr.now)
		}
	case il.Free:
		return x.word(fr, fr.f.Word(o))
	default:
	}
	return one(unknownOf(""))
}
