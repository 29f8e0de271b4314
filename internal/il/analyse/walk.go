package analyse

import (
	"maps"
	"slices"
	"strconv"

	"github.com/automaton-auditor/automaton/internal/il"
)

// at is a value, or what lies in it under a path.
type at struct {
	o    il.Operand
	path path
}

// walk follows one question through one function.
type walk struct {
	*Flow
	ask
	locals [][]part // by the number of the version
	words  map[int32]*[]part
	queue  []at       // what was reached
	spread map[at]int // how often a change of an object was told, by its class
	out    *summary
}

func (w *Flow) walk(a ask) *summary {
	k := &walk{Flow: w, ask: a, locals: make([][]part, len(a.f.Versions)), words: map[int32]*[]part{}, spread: map[at]int{}, out: &summary{result: map[path]*trail{}, into: map[spot]*trail{}}}
	start := &trail{at: a.f.Place(a.f.Span), sure: true}
	if def := a.f.Def(a.o); def != nil {
		start.at = a.f.Place(def.Span)
	}
	if a.f.Lost != "" {
		k.out.lose(a.f.Lost)
	}
	k.reach(at{a.o, a.path}, start)
	for i := 0; i < len(k.queue) && !(a.glance && k.out.shown()); i++ {
		now := k.queue[i]
		for _, in := range k.usesOf(a.f, now.o) {
			if w.Work++; w.Work > w.Budget {
				w.quitting = true
				return k.out
			}
			if k.Dead != nil && k.Dead(k.f, k.home(k.f, in)) {
				continue
			}
			for i, o := range in.Args {
				if o == now.o {
					parts := *k.met(now.o)
					k.use(now, in, i, parts[index(parts, now.path)].way)
				}
			}
		}
	}
	k.later()
	return k.out
}

// part is where the value lies in an operand, and the way there.
type part struct {
	path path
	way  *trail
}

// met are the parts of an operand that were reached.
func (k *walk) met(o il.Operand) *[]part {
	if o.Kind == il.Local {
		return &k.locals[o.ID]
	}
	parts, ok := k.words[o.ID]
	if !ok {
		parts = &[]part{}
		k.words[o.ID] = parts
	}
	return parts
}

func index(parts []part, p path) int {
	return slices.IndexFunc(parts, func(x part) bool { return x.path == p })
}

// reach notes that the value arrives; a better way replaces another.
func (k *walk) reach(to at, t *trail) {
	if to.o.Kind != il.Local && to.o.Kind != il.Free {
		return
	}
	parts := k.met(to.o)
	i := index(*parts, to.path)
	if i < 0 && to.path != "" && len(*parts) >= maxParts && (len(*parts) > maxParts || index(*parts, "") < 0) {
		to.path = anyKey + "\x00"
		if i = index(*parts, to.path); i >= 0 {
			return // one that may arrive is no better
		}
		maybe := *t
		maybe.sure = false
		t = &maybe
	}
	switch {
	case i < 0:
		*parts = append(*parts, part{to.path, t})
	case t.better((*parts)[i].way):
		(*parts)[i].way = t
	default:
		return
	}
	k.queue = append(k.queue, to)
	if to.o.Kind != il.Local {
		return
	}
	v := k.f.Versions[to.o.ID]
	switch {
	case slices.Contains(k.f.Shared, v.Var):
		k.out.lose("a function inside binds " + v.Var)
	case k.f.Kind == il.Top && v.Def != nil && binds(v):
		k.named(to, v.Var, t)
	}
}

// named hands on a value that a name of the module stands for: every function of
// the file may read it, and other files may.
func (k *walk) named(to at, name string, t *trail) {
	k.out.lose("a name of the module")
	table, ok := k.readers[k.f]
	if !ok {
		table = map[string][]*il.Function{}
		for g := range k.f.Module.All() {
			for word := range wordsOf(g) {
				table[word] = append(table[word], g)
			}
		}
		k.readers[k.f] = table
	}
	for _, g := range table[name] {
		for id, word := range g.Module.Words {
			if word == name {
				s := k.question(g, il.Operand{Kind: il.Free, ID: int32(id)}, to.path, k.ask)
				k.end(k.step(t, g, nil, s.end, true), s.end)
			}
		}
	}
}

// wordsOf are the names that a function reads of the scopes around it.
func wordsOf(f *il.Function) map[string]bool {
	out := map[string]bool{}
	for _, in := range f.Instructions() {
		for _, a := range in.Args {
			if a.Kind == il.Free {
				out[f.Word(a)] = true
			}
		}
	}
	return out
}

// step extends a way by an instruction of f, or by the function itself, and by the
// way inside of what it calls.
func (k *walk) step(t *trail, f *il.Function, in *il.Instr, inside *trail, sure bool) *trail {
	out := &trail{inside: inside, before: t, sure: t.sure && sure, at: f.Place(f.Span)}
	if in != nil {
		out.at = f.Place(in.Span)
	}
	if inside != nil {
		out.sure = out.sure && inside.sure
	}
	return out
}

func (k *walk) next(t *trail, in *il.Instr, sure bool) *trail { return k.step(t, k.f, in, nil, sure) }

// end notes a way to an end; through is nil where there is none.
func (k *walk) end(t, through *trail) {
	if through != nil && t.better(k.out.end) {
		k.out.end = t
	}
}

// use hands a value on through one instruction, of which it is one operand.
func (k *walk) use(from at, in *il.Instr, arg int, t *trail) {
	if k.To(k.f, in, arg) {
		k.end(k.next(t, in, true), t)
	}
	if k.Stops != nil && k.Stops(k.f, in, arg) {
		return
	}
	switch in.Op {
	case il.Phi, il.Assume:
		k.reach(at{local(in.Dst), from.path}, t) // the same value: no place of its own
	case il.Bind:
		k.bind(from, in, t)
	case il.Get:
		if arg == 0 { // the key chooses, and is not handed on
			k.get(from, in, t)
		}
	case il.Set:
		k.set(from, in, arg, t)
	case il.Make:
		k.make(from, in, arg, t)
	case il.Call:
		if arg > 0 {
			k.call(from, in, arg, t)
		} else if def := k.f.Def(from.o); def == nil || def.Op != il.Get || def.Kind != "attr" { // else its object was asked
			k.reach(at{local(in.Dst), ""}, k.next(t, in, false))
			k.out.lose("a value that is called")
		}
	case il.Return:
		k.result(from.path, k.next(t, in, true))
	case il.Yield:
		k.yield(from, in, t)
	case il.Unknown:
		k.reach(at{local(in.Dst), ""}, k.next(t, in, false))
		k.out.lose("a construct that is not read: " + in.Kind)
	case il.Define:
		k.capture(from, in, arg, t)
	case il.Raise:
		if len(k.home(k.f, in).Succs) > 0 {
			k.out.lose("an exception that is caught")
		}
	default:
	}
}

func local(id int32) il.Operand { return il.Operand{Kind: il.Local, ID: id} }

func (k *walk) result(p path, t *trail) {
	if t.better(k.out.result[p]) {
		k.out.result[p] = t
	}
}

func (k *walk) yield(from at, in *il.Instr, t *trail) {
	if in.Kind == "await" {
		k.reach(at{local(in.Dst), from.path}, t)
		return
	}
	if in.Kind == "yield" {
		p, exact := from.path.under(anyKey)
		k.result(p, k.next(t, in, exact))
		return
	}
	k.result(from.path.loose(), k.next(t, in, true))
}

func (k *walk) bind(from at, in *il.Instr, t *trail) {
	switch {
	case in.Kind == "" || in.Kind == "cast":
		k.reach(at{local(in.Dst), from.path}, t)
	case negated[in.Kind] != "" || in.Kind == "!" || in.Kind == "not":
	default:
		k.reach(at{local(in.Dst), from.path.loose()}, k.next(t, in, true))
	}
}

// get reads a part.
func (k *walk) get(from at, in *il.Instr, t *trail) {
	if in.Kind == "attr" {
		for _, call := range k.f.Versions[in.Dst].Uses {
			if call.Op == il.Call && call.Args[0].Is(in.Dst) {
				k.method(from, in, call, t)
			}
		}
	}
	head, rest := from.path.split()
	key, known := keyOf(k.f, in.Args[1])
	to := at{local(in.Dst), rest}
	switch {
	case in.Kind == "key":
		k.reach(to, k.next(t, in, false))
	case head == "":
		k.reach(at{local(in.Dst), ""}, k.next(t, in, true))
	case in.Kind == "each":
		k.reach(to, k.next(t, in, isPlace(head)))
	case known && key == head:
		k.reach(to, k.next(t, in, true))
	case !known || head == anyKey:
		k.reach(to, k.next(t, in, false))
	}
}

// set changes an object. A key that is set anew is gone.
func (k *walk) set(from at, in *il.Instr, arg int, t *trail) {
	key, known := keyOf(k.f, in.Args[1])
	if in.Kind == "add" && !known {
		key = anyKey
	}
	switch arg {
	case 0:
		if head, _ := from.path.split(); head == "" || head != key || in.Kind == "add" || !known {
			k.reach(at{local(in.Dst), from.path}, t)
		}
	case 1: // whoever goes over the keys meets it
		if in.Kind == "item" || in.Kind == "add" {
			p, _ := from.path.under(anyKey)
			next := k.next(t, in, false)
			k.reach(at{local(in.Dst), p}, next)
			k.change(in.Args[0], in.Dst, p, next)
		}
	case 2:
		switch in.Kind {
		case "outer":
			k.out.lose("a name of a scope around")
			return
		case "export":
			k.out.lose("what the module hands out")
			return
		}
		p, exact := from.path.under(key)
		next := k.next(t, in, exact)
		k.reach(at{local(in.Dst), p}, next)
		k.change(in.Args[0], in.Dst, p, next)
	}
}

func (k *walk) make(from at, in *il.Instr, arg int, t *trail) {
	dst := local(in.Dst)
	name := ""
	if arg < len(in.Names) {
		name = in.Names[arg]
	}
	switch {
	case in.Kind == "text" || in.Kind == "pattern":
		k.reach(at{dst, ""}, k.next(t, in, true)) // what an object shows holds what it holds
	case name == "*" || name == "**":
		k.reach(at{dst, from.path.loose()}, k.next(t, in, true))
	case in.Kind == "map" && name == "":
		p, _ := from.path.under(anyKey)
		k.reach(at{dst, p}, k.next(t, in, true))
	case in.Kind == "map":
		p, exact := from.path.under(nameKey(name))
		k.reach(at{dst, p}, k.next(t, in, exact))
	default:
		key := "#" + strconv.Itoa(arg)
		if slices.Contains(in.Names[:min(arg, len(in.Names))], "*") {
			key = anyKey
		}
		p, exact := from.path.under(key)
		k.reach(at{dst, p}, k.next(t, in, exact))
	}
}

// capture hands a value on to a function inside that reads it.
func (k *walk) capture(from at, in *il.Instr, arg int, t *trail) {
	g := in.Ref
	for id, word := range g.Module.Words {
		if word != in.Names[arg] {
			continue
		}
		s := k.question(g, il.Operand{Kind: il.Free, ID: int32(id)}, from.path, k.ask)
		calls := k.callsOf(k.f, g)
		k.end(k.step(t, k.f, in, s.end, len(calls) > 0), s.end)
		for _, p := range s.paths() {
			for _, call := range calls {
				k.reach(at{local(call.Dst), p}, k.step(t, k.f, call, s.result[p], true))
			}
			if len(calls) == 0 {
				k.out.lose("what a function inside gives back")
			}
		}
		if s.lost != "" {
			k.out.lose(s.lost)
		}
	}
}

// later hands on what outlives the call: fields of the object, and the state that
// other functions are given.
func (k *walk) later() {
	for _, s := range sortedSpots(k.out.into) {
		if k.root && s.param == 0 && receives(k.f) && k.f.Params[0].Var != k.o.ID {
			k.fields(s, k.out.into[s])
		}
	}
	for _, p := range slices.Sorted(maps.Keys(k.out.result)) {
		for _, g := range k.After[k.f] {
			i := 0
			if len(g.Params) > 1 && receives(g) {
				i = 1
			}
			if p == "" || i >= len(g.Params) {
				continue
			}
			s := k.question(g, local(g.Params[i].Var), p, k.ask)
			k.end(k.step(k.out.result[p], g, nil, s.end, true), s.end)
			if s.lost != "" {
				k.out.lose(s.lost)
			}
		}
	}
}
