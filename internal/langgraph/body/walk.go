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
	state   il.Operand                  // the version of the parameter
	also    map[*il.Function]il.Operand // parameters of functions that it hands its state on to
	seen    map[use]bool
	params  map[int]bool
	keys    []string
	changes bool         // what changes an object in place counts, wherever it stands
	entered map[use]bool // parameters that were handed the state
	afters  map[asked]bool
}

type use struct {
	f *il.Function
	o il.Operand
}

func (b Bodies) walk(f *il.Function) *walk {
	w := &walk{Bodies: b, of: f, also: map[*il.Function]il.Operand{}, seen: map[use]bool{}, params: map[int]bool{}, entered: map[use]bool{}}
	if o, ok := given(f, state(f)); ok {
		w.state = o
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

// isState tells an operand that is the state as a whole, changed or not.
func (w *walk) isState(f *il.Function, o il.Operand) bool { return w.after(f, o, "") }

// asked is a question of after.
type asked struct {
	use
	key string
}

// after tells an operand that on some way is the state, changed or not, but under a key only
// by what is added there; "": wherever.
func (w *walk) after(f *il.Function, o il.Operand, key string) bool {
	f, o = w.root(f, o)
	state, known := w.also[f]
	if f == w.of {
		state, known = w.state, true
	}
	if !known || o.Kind != il.Local || o == state {
		return known && o.Kind == il.Local
	}
	q := asked{use{f, o}, key}
	if is, known := w.afters[q]; known {
		return is
	}
	if w.afters == nil {
		w.afters = map[asked]bool{}
	}
	w.afters[q] = false // as long as it is asked
	switch def := f.Def(o); {
	case def == nil:
	case def.Op == il.Phi:
		w.afters[q] = slices.ContainsFunc(def.Args, func(o il.Operand) bool { return w.after(f, o, key) })
	case def.Op == il.Set && def.Kind != "outer" && def.Kind != "export":
		at, known := f.Str(def.Args[1])
		w.afters[q] = key != "" && w.grows(f, def.Args[2], key) || (key == "" || known && at != key) && w.after(f, def.Args[0], key)
	}
	return w.afters[q]
}

// key is the key of the state that an instruction reads as it came.
func (w *walk) key(f *il.Function, in *il.Instr) (string, bool) {
	of, at := part(f, in)
	key, ok := f.Str(at)
	return key, ok && w.after(f, of, key)
}

// onlyState tells what is the state whichever way a run takes, or else holds nothing.
func (w *walk) onlyState(f *il.Function, o il.Operand) bool {
	return !slices.ContainsFunc(f.Alternatives(o), func(o il.Operand) bool {
		made := f.Def(o)
		return !w.isState(f, o) && (made == nil || made.Op != il.Make || len(made.Args) > 0)
	})
}

// part is the object that an instruction reads a part of, and the key.
func part(f *il.Function, in *il.Instr) (of, at il.Operand) {
	switch {
	case in.Op == il.Get && !called(f, in.Dst):
		of, at = in.Args[0], in.Args[1]
	case in.Op == il.Call && in.Kind == "getattr" && len(in.Args) > 2:
		of, at = in.Args[1], in.Args[2]
	case in.Op == il.Call && len(in.Args) > 1:
		if get := f.Def(f.Root(in.Args[0])); get != nil && get.Op == il.Get {
			if name, _ := f.Str(get.Args[1]); name == "get" || name == "setdefault" {
				of, at = get.Args[0], in.Args[1]
			}
		}
	}
	return of, at
}

// grown is the key of the state to which an instruction adds in place, and what it adds.
func (w *walk) grown(f *il.Function, in *il.Instr) (key string, value il.Operand, ok bool) {
	switch {
	case in.Op == il.Set && in.Kind == "add":
		value = in.Args[2]
	case in.Op == il.Bind && len(in.Args) == 2 && slices.ContainsFunc(f.Versions[in.Dst].Uses, func(set *il.Instr) bool {
		return set.Op == il.Set && set.Kind != "add" && set.Args[2].Is(in.Dst) && set.Span.From == in.Span.From && set.Span.To < in.Span.To // key += value
	}):
		value = in.Args[1]
	default:
		return "", value, false
	}
	def := f.Def(f.Root(in.Args[0]))
	if def == nil || len(def.Args) == 0 {
		return "", value, false
	}
	key, ok = w.key(f, def)
	return key, value, ok
}

// grows tells what is set under a key after the state was added to there.
func (w *walk) grows(f *il.Function, o il.Operand, key string) bool {
	if f == nil || f.Def(f.Root(o)) == nil {
		return false
	}
	at, _, ok := w.grown(f, f.Def(f.Root(o)))
	return ok && at == key
}

// has says whether a value holds what the state has under a key already, and whether that is
// all: a read of it, a copy, or a sum.
func (w *walk) has(f *il.Function, o il.Operand, key string, depth int) (holds, all bool) {
	def := f.Def(f.Root(o))
	if def == nil || depth > maxCalls {
		return false, false
	}
	if at, ok := w.key(f, def); ok {
		return at == key, at == key
	}
	switch {
	case def.Op == il.Bind && def.Kind == "+" && len(def.Args) == 2:
		one, _ := w.has(f, def.Args[0], key, depth+1)
		two, _ := w.has(f, def.Args[1], key, depth+1)
		return one || two, false
	case def.Op == il.Call:
		if get := f.Def(f.Root(def.Args[0])); get != nil && get.Op == il.Get && text(f, get.Args[1]) == "copy" {
			return w.has(f, get.Args[0], key, depth+1)
		}
	}
	return false, false
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
	w.into(f, call, arg, func(inner *walk) {
		for _, in := range inner.of.Instructions() {
			if key, ok := inner.key(inner.of, in); ok {
				w.keys = append(w.keys, key)
			}
		}
	})
}

// each visits the function, and those that it hands its state on to.
func (w *walk) each(visit func(*walk)) {
	visit(w)
	for _, in := range w.of.Instructions() {
		if _, ok := w.key(w.of, in); in.Op == il.Call && !ok {
			for i, a := range in.Args[1:] {
				if w.isState(w.of, a) {
					w.into(w.of, in, i, visit)
				}
			}
		}
	}
}

// into visits the function that takes the state as an argument of a call, once.
func (w *walk) into(f *il.Function, call *il.Instr, arg int, visit func(*walk)) {
	g, param := w.Names.Argument(f, call, arg)
	if g == nil {
		return
	}
	if o, ok := given(g, param); ok {
		inner := &walk{Bodies: w.Bodies, of: g, state: o, seen: map[use]bool{}, params: map[int]bool{}, entered: w.entered}
		if u := (use{g, inner.state}); !w.entered[u] {
			w.entered[u] = true
			inner.each(visit)
		}
	}
}

// given is a parameter of a function as it comes, by its number.
func given(f *il.Function, param int) (il.Operand, bool) {
	i := slices.IndexFunc(f.Versions, func(v il.Version) bool { return v.Def == nil && v.Param == param })
	return il.Operand{Kind: il.Local, ID: int32(i)}, i >= 0
}
