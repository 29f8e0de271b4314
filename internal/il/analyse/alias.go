package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// aliases says which versions of a function may see a change of an object: two
// classes for each version, of the object itself and of what it holds, joined by
// what copies references. It over-approximates within the function: what a call
// hands out may be any of its arguments, or a part of one. Arguments of one call
// are taken to stay apart. The source is Steensgaard, Points-to Analysis in Almost
// Linear Time, 1996.
type aliases struct {
	parent []int32 // of 2*id the object, of 2*id+1 what it holds
	seers  map[int32][]int32
}

// scalars are calls whose results cannot be changed.
var scalars = map[string]bool{"str": true, "int": true, "float": true, "bool": true, "len": true, "isinstance": true, "join": true,
	"format": true, "strip": true, "lower": true, "round": true, "sum": true, "print": true, "String": true, "Number": true, "toString": true,
	"trim": true, "Sprintf": true, "to_string": true, "format!": true, "dumps": true, "stringify": true}

func aliasesOf(f *il.Function) *aliases {
	a := &aliases{parent: make([]int32, 2*len(f.Versions)), seers: map[int32][]int32{}}
	for i := range a.parent {
		a.parent[i] = int32(i)
	}
	for _, in := range f.Instructions() {
		if in.Dst != il.NoDst {
			a.link(f, in)
		}
	}
	for i := range f.Versions {
		object, held := a.find(int32(2*i)), a.find(int32(2*i+1))
		a.seers[object] = append(a.seers[object], int32(i))
		if held != object {
			a.seers[held] = append(a.seers[held], int32(i))
		}
	}
	return a
}

// link joins what an instruction lets see the same.
func (a *aliases) link(f *il.Function, in *il.Instr) {
	switch in.Op {
	case il.Phi, il.Assume, il.Bind:
		if in.Op != il.Bind || in.Kind == "" || in.Kind == "cast" {
			for _, o := range in.Args {
				a.same(in.Dst, o)
			}
		} else if augmented(f, in) {
			a.same(in.Dst, in.Args[0])
		}
	case il.Get:
		a.part(in.Args[0], in.Dst)
	case il.Set:
		a.same(in.Dst, in.Args[0])
		if v := in.Args[2]; v.Kind == il.Local {
			a.part(in.Args[0], v.ID)
		}
	case il.Make:
		for _, o := range in.Args {
			if o.Kind == il.Local && in.Kind != "text" && !handsBack(f, in.Dst, 0) {
				a.part(il.Operand{Kind: il.Local, ID: in.Dst}, o.ID)
			}
		}
	case il.Call:
		a.call(f, in)
	default:
	}
}

// handsBack tells a version that is only returned, as such or in what is: nothing is
// reached by it in the function.
func handsBack(f *il.Function, id int32, depth int) bool {
	return depth < maxInside && !slices.ContainsFunc(f.Versions[id].Uses, func(use *il.Instr) bool {
		return use.Op != il.Return && (use.Op != il.Make || !handsBack(f, use.Dst, depth+1))
	})
}

func (a *aliases) call(f *il.Function, in *il.Instr) {
	name := lastName(in.Kind)
	if scalars[name] || len(f.Versions[in.Dst].Uses) == 0 {
		return
	}
	sources := in.Args[1:len(in.Args):len(in.Args)]
	if get := f.Def(in.Args[0]); get != nil && get.Op == il.Get {
		sources = append(sources, get.Args[0])
	}
	for _, o := range sources {
		if o.Kind != il.Local {
			continue
		}
		a.join(2*in.Dst+1, 2*o.ID+1)
		if method(name) != copying { // it may be the argument, or a part of it
			a.join(2*in.Dst, 2*o.ID)
			a.join(2*in.Dst, 2*o.ID+1)
		}
	}
}

func (a *aliases) find(i int32) int32 {
	for a.parent[i] != i {
		a.parent[i] = a.parent[a.parent[i]]
		i = a.parent[i]
	}
	return i
}

func (a *aliases) join(i, j int32) { a.parent[a.find(i)] = a.find(j) }

func (a *aliases) same(id int32, o il.Operand) {
	if o.Kind == il.Local {
		a.join(2*id, 2*o.ID)
		a.join(2*id+1, 2*o.ID+1)
	}
}

// part says that an object holds another.
func (a *aliases) part(whole il.Operand, id int32) {
	if whole.Kind == il.Local {
		a.join(2*id, 2*whole.ID+1)
		a.join(2*id+1, 2*whole.ID+1)
	}
}

// see are the versions that may see a change of the object in a version.
func (a *aliases) see(id int32) []int32 { return a.seers[a.find(2*id)] }

// looksAt tells whether a method reads a field of its object, or one that is not
// known.
func (w *Flow) looksAt(m *il.Function, key string) bool {
	table, ok := w.looks[m]
	if !ok {
		table = map[string]bool{}
		for _, in := range m.Instructions() {
			if in.Op == il.Get && w.Names.self(m, in.Args[0]) {
				name, known := keyOf(m, in.Args[1])
				table[name] = true
				table[anyKey] = table[anyKey] || !known
			} else if in.Op == il.Call && slices.ContainsFunc(in.Args[1:], func(o il.Operand) bool { return w.Names.self(m, o) }) {
				table[anyKey] = true // it is handed on
			}
		}
		w.looks[m] = table
	}
	return table[key] || table[anyKey] || key == anyKey
}

// fields asks the other methods of a class about a field that one of them set: in
// which order they run is not known.
func (k *walk) fields(s spot, t *trail) {
	class := k.Names.bodyOf(k.f)
	if class == nil {
		return
	}
	key, _ := s.path.split()
	for _, m := range k.Names.siblings(class) {
		if m == k.f || !receives(m) || !k.looksAt(m, key) {
			continue
		}
		sum := k.question(m, local(m.Params[0].Var), s.path, k.ask)
		k.end(k.step(t, m, nil, sum.end, false), sum.end)
		if len(sum.result) > 0 || sum.lost != "" {
			k.out.lose("a field of an object")
		}
	}
}
