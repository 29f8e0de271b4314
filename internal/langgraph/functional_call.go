package langgraph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// callee is the function of ours that a call calls; sure is false where it may be
// another one.
func (w *walker) callee(f *il.Function, in *il.Instr) (g *il.Function, sure bool) {
	all := w.bodies.Names.Stands(f, in.Args[0])
	if len(all) == 0 && each(f, in.Args[0], 0) != nil {
		all = w.elements(f, in.Args[0], in, false)
	}
	if all = slices.DeleteFunc(all, func(g *il.Function) bool { return !runs(g) || len(g.Blocks) == 0 }); len(all) == 0 {
		return nil, word(f, in.Args[0]) != ""
	}
	return all[len(all)-1], len(all) == 1
}

// starts are the calls of a function that start tasks, themselves or by others.
func (w *walker) starts(f *il.Function) []*il.Instr {
	known, ok := w.leads[f]
	if ok || f == nil {
		return known
	}
	w.leads[f] = nil
	for _, in := range f.Instructions() {
		if in.Op != il.Call {
			continue
		}
		if g, _ := w.callee(f, in); w.isTask(g) || len(w.starts(g)) > 0 {
			w.leads[f] = append(w.leads[f], in)
		}
	}
	return w.leads[f]
}

// isTask tells a function that a decorator makes a task.
func (w *walker) isTask(f *il.Function) bool {
	d := w.p.Origins.Definition(f)
	return d != nil && d.IsFunction() && w.decorator(d, "task").Valid()
}

// frame is a helper that a call enters; nil where it is not followed: of several at once nobody
// knows the order.
func (w *walker) frame(p point, in *il.Instr, g *il.Function) *frame {
	key := p.key(in)
	for up := p.frame; ; up = up.from.frame {
		if up.f == g {
			return nil
		} else if up.call == nil {
			break
		}
	}
	if w.frames[key] == nil && (!g.Async || in.Mode == il.Awaited) && p.deep < maxHelpers {
		w.frames[key] = &frame{plan: w.plan(g), via: key, call: in, from: p, deep: p.deep + 1}
	}
	return w.frames[key]
}

// key tells apart where an instruction is run.
func (fr *frame) key(in *il.Instr) string {
	return fmt.Sprint(fr.via, " ", fr.f.Module.Path, " ", in.Span)
}

// method is the object and the name of the method that a call calls; "" for others.
func method(f *il.Function, in *il.Instr) (il.Operand, string) {
	get := f.Def(f.Root(in.Args[0]))
	if get == nil || get.Op != il.Get || get.Kind != "attr" {
		return il.Operand{}, ""
	}
	return get.Args[0], word(f, in.Args[0])
}

// passes tells a call that hands out what it is given, or keeps it in its object.
func passes(name, method string) bool {
	return strings.HasPrefix(name, "builtins.") || slices.Contains([]string{"asyncio.gather", "asyncio.wait", "asyncio.as_completed", "asyncio.wait_for", "asyncio.shield",
		"concurrent.futures.as_completed", "concurrent.futures.wait"}, name) || slices.Contains(keeping, method)
}

// keeping are methods of containers and futures that hand out what these hold, or keep what they are given.
var keeping = []string{"append", "add", "extend", "insert", "setdefault", "update", "values", "items", "keys", "get", "pop", "popleft", "copy", "done"}

// held are the nodes that values hold: futures, or what keeps them. That they were waited for
// changes nothing.
func (w *walker) held(fr *frame, list ...il.Operand) []string {
	h := holding{walker: w, seen: map[holder]bool{}}
	h.follow(fr, list...)
	w.steps += len(h.seen) / 16
	return h.out
}

// given are the nodes that what a call gives holds.
func (w *walker) given(fr *frame, in *il.Instr) []string {
	h := holding{walker: w, seen: map[holder]bool{}}
	h.call(fr, in)
	return h.out
}

// holding answers what values hold.
type holding struct {
	*walker
	seen map[holder]bool
	out  []string
}

// holder is a value of a frame.
type holder struct {
	*frame
	il.Operand
}

func (h *holding) follow(fr *frame, list ...il.Operand) {
	for _, o := range list {
		at := holder{fr, o}
		if h.seen[at] {
			continue
		}
		h.seen[at] = true
		if f, v, ok := h.bodies.Names.Binding(fr.f, fr.f.Word(o)); o.Kind == il.Free && ok {
			for up := fr; up.call != nil; {
				if up = up.from.frame; up.f == f {
					h.follow(up, v)
				}
			}
		}
		if o.Kind != il.Local {
			continue
		}
		v := fr.f.Versions[o.ID]
		switch def := v.Def; {
		case def == nil && v.Param >= 0 && fr.call != nil:
			if given, ok := h.bodies.Names.Calling(fr.from.f, fr.call, fr.f).Argument(v.Param); ok {
				h.follow(fr.from.frame, given)
			}
		case def == nil, def.Op == il.Yield && def.Kind == "await", def.Op == il.Call && def.Mode == il.Awaited:
		case def.Op == il.Call:
			h.call(fr, def)
		default:
			h.follow(fr, def.Args...)
		}
	}
}

func (h *holding) call(fr *frame, in *il.Instr) {
	key := fr.key(in)
	name, _ := h.bodies.Names.Called(fr.f, in)
	switch object, method := method(fr.f, in); {
	case h.names[key] != "":
		h.out = union(h.out, []string{h.names[key]})
	case h.frames[key] != nil:
		inner := h.frames[key]
		for _, ret := range inner.f.Instructions() {
			if ret.Op == il.Return {
				h.follow(inner, ret.Args[0])
			}
		}
	case passes(name, method):
		if h.follow(fr, in.Args[1:]...); slices.Contains(keeping, method) {
			h.follow(fr, object)
		}
	}
}

// union adds what a list lacks.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
