package body

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// walk collects what values are made of: parameters of a function, and keys of the one
// that takes the state. It follows definitions alone: what chooses among values is no
// part of them.
type walk struct {
	Bodies
	of      *il.Function
	state   il.Operand // the version of the parameter
	seen    map[use]bool
	params  map[int]bool
	keys    []string
	changes bool         // what changes an object in place counts, wherever it stands
	entered map[use]bool // parameters that were handed the state
}

type use struct {
	f *il.Function
	o il.Operand
}

func (b Bodies) walk(f *il.Function) *walk {
	w := &walk{Bodies: b, of: f, seen: map[use]bool{}, params: map[int]bool{}, entered: map[use]bool{}}
	for i, v := range f.Versions {
		if v.Def == nil && v.Param == state(f) {
			w.state = il.Operand{Kind: il.Local, ID: int32(i)}
		}
	}
	return w
}

// root follows an operand to what held the value first, also in a function around.
func (w *walk) root(f *il.Function, o il.Operand) (*il.Function, il.Operand) {
	if o.Kind == il.Free {
		if g, at, ok := w.Names.Binding(f, f.Word(o)); ok && g.Kind != il.Top {
			f, o = g, at
		}
	}
	return f, f.Root(o)
}

// isState tells an operand that is the state as a whole.
func (w *walk) isState(f *il.Function, o il.Operand) bool {
	g, o := w.root(f, o)
	return g == w.of && o == w.state && o.Kind == il.Local
}

// key is the key of the state that an instruction reads.
func (w *walk) key(f *il.Function, in *il.Instr) (string, bool) {
	switch {
	case in.Op == il.Get && w.isState(f, in.Args[0]) && !called(f, in.Dst):
		return f.Str(in.Args[1])
	case in.Op == il.Call && in.Kind == "getattr" && len(in.Args) > 2 && w.isState(f, in.Args[1]):
		return f.Str(in.Args[2])
	case in.Op == il.Call && len(in.Args) > 1:
		if get := f.Def(f.Root(in.Args[0])); get != nil && get.Op == il.Get && w.isState(f, get.Args[0]) {
			if name, _ := f.Str(get.Args[1]); name == "get" {
				return f.Str(in.Args[1])
			}
		}
	}
	return "", false
}

// called tells a version that is only called: a method.
func called(f *il.Function, id int32) bool {
	uses := f.Versions[id].Uses
	return len(uses) > 0 && !slices.ContainsFunc(uses, func(in *il.Instr) bool {
		return !in.Args[0].Is(id) || in.Op != il.Call && (in.Op != il.Bind || in.Kind != "" || !called(f, in.Dst))
	})
}

// operand collects what an operand is made of.
func (w *walk) operand(f *il.Function, o il.Operand) {
	f, o = w.root(f, o)
	u := use{f, o}
	if o.Kind != il.Local || w.seen[u] {
		return
	}
	w.seen[u] = true
	v := f.Versions[o.ID]
	if f == w.of && v.Param >= 0 {
		w.params[v.Param] = true
	}
	if w.changes {
		w.changed(f, o)
	}
	if v.Def == nil {
		return
	}
	key, ok := w.key(f, v.Def)
	if ok {
		w.keys = append(w.keys, key)
	}
	for i, a := range v.Def.Args {
		if v.Def.Op == il.Call && i > 0 && !ok && w.isState(f, a) {
			w.handed(f, v.Def, i-1)
		}
		w.operand(f, a)
	}
}

// changed collects what the methods of an object are given that it may take in.
func (w *walk) changed(f *il.Function, o il.Operand) {
	for i, v := range f.Versions {
		if f.Root(il.Operand{Kind: il.Local, ID: int32(i)}) != o {
			continue
		}
		for _, get := range v.Uses {
			if get.Op != il.Get || get.Kind != "attr" || get.Dst == il.NoDst || !get.Args[0].Is(int32(i)) {
				continue
			}
			for _, call := range f.Versions[get.Dst].Uses {
				if call.Op == il.Call && call.Args[0].Is(get.Dst) {
					for _, a := range call.Args[1:] {
						w.operand(f, a)
					}
				}
			}
		}
	}
}

// handed collects what a function reads of the state that it is handed as an argument.
func (w *walk) handed(f *il.Function, call *il.Instr, arg int) {
	g, param := w.Names.Argument(f, call, arg)
	if g == nil {
		return
	}
	for i, v := range g.Versions {
		if v.Def != nil || v.Param != param {
			continue
		}
		inner := &walk{Bodies: w.Bodies, of: g, state: il.Operand{Kind: il.Local, ID: int32(i)}, entered: w.entered}
		if u := (use{g, inner.state}); !w.entered[u] {
			w.entered[u] = true
			inner.all()
			w.keys = append(w.keys, inner.keys...)
		}
	}
}

// all collects every key that a function reads of the state, and hands on.
func (w *walk) all() {
	for _, in := range w.of.Instructions() {
		if key, ok := w.key(w.of, in); ok {
			w.keys = append(w.keys, key)
		} else if in.Op == il.Call {
			for i, a := range in.Args[1:] {
				if w.isState(w.of, a) {
					w.handed(w.of, in, i)
				}
			}
		}
	}
}
