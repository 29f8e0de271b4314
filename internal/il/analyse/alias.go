package analyse

import "github.com/automaton-auditor/automaton/internal/il"

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
			if o.Kind == il.Local && in.Kind != "text" {
				a.part(il.Operand{Kind: il.Local, ID: in.Dst}, o.ID)
			}
		}
	case il.Call:
		a.call(f, in)
	default:
	}
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
