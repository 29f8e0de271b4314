// Package body tells what the functions behind a graph of agents do with the state
// that they are given, whatever language they are written in: what they read of it,
// which of it their conditions hang on, and what their results are made of.
//
// It stands on the intermediate language. It must not run anything, open files, know
// of rubrics or give marks.
package body

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Bodies asks about the functions of one program. Of a function that was not lowered,
// nil, nothing is known. Who asks holds the lock of the analyses.
type Bodies struct {
	*analyse.Analyses
	// Entry is where a key stands in the map or the call that a stretch of a file writes,
	// "**" for what brings keys of its own; the zero place where it does not. nil: keys
	// are where their map is.
	Entry func(path string, at il.Span, key string) agentgraph.Place
}

// state is the number of the parameter that takes the state: the first that is not
// the object of a method.
func state(f *il.Function) int {
	if f.Class != "" && len(f.Params) > 0 && (f.Params[0].Name == "self" || f.Params[0].Name == "cls") {
		return 1
	}
	return 0
}

// Idle tells a function that makes no call which could do more than log, and sets
// nothing but names of its own.
func (b Bodies) Idle(f *il.Function) bool {
	if f == nil || len(f.Blocks) == 0 {
		return false
	}
	for _, g := range Within(f) {
		for _, in := range g.Instructions() {
			switch {
			case in.Op == il.Call && !slices.Contains(harmless, in.Kind[strings.LastIndexByte(in.Kind, '.')+1:]),
				in.Op == il.Raise, in.Op == il.Delete, in.Op == il.Unknown,
				in.Op == il.Set && in.Kind != "add" && (in.Args[0].Kind != il.Local || g.Versions[in.Args[0].ID].Var != g.Versions[in.Dst].Var): // but for what fills a new map
				return false
			}
		}
	}
	return true
}

// harmless are the last names of calls that do no work of a node.
var harmless = []string{"print", "debug", "info", "warning", "log", "get", "len", "copy", "dict"}

// Within are a function and those that it defines, to any depth.
func Within(f *il.Function) []*il.Function {
	if f == nil {
		return nil
	}
	out := []*il.Function{f}
	for _, g := range f.Module.Functions { // those around come before those inside
		if slices.Contains(out, g.Outer) && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// Reads are the keys that a function, or one that it hands its state on to, asks the state
// for, as an item or by get, at each place once. What getattr asks for may be missing, and
// what is read as an attribute is for the class of the state to tell.
func (b Bodies) Reads(f *il.Function) (out []agentgraph.Access) {
	if f == nil {
		return nil
	}
	b.walk(f).each(func(w *walk) {
		for _, r := range w.reads() {
			if !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	})
	return out
}

// reads are those of the function itself.
func (w *walk) reads() (out []agentgraph.Access) {
	f := w.of
	for _, in := range f.Instructions() {
		of := in
		if in.Op == il.Bind && in.Kind == "" && f.Versions[in.Dst].Var[0] == '%' { // what is read again is a copy
			of = f.Def(f.Root(in.Args[0]))
		}
		if of == nil || of.Op != il.Get && of != in || of.Op == il.Get && of.Kind != "item" || of.Kind == "getattr" {
			continue
		}
		object, _ := part(f, of)
		if key, ok := w.key(f, of); ok && w.onlyState(f, object) {
			p := f.Place(in.Span)
			out = append(out, agentgraph.Access{Key: key, At: agentgraph.Place{Path: p.Path, Line: p.Line, End: p.EndLine}})
		}
	}
	return out
}

// comparing are the operators whose result is a truth.
var comparing = []string{"==", "!=", "===", "!==", "<", "<=", ">", ">=", "is", "is not", "in", "not in"}

// Tests are the keys of the state that a function compares, or that its conditions
// hang on, sorted. It follows what it hands its state on to.
func (b Bodies) Tests(f *il.Function) []string {
	if f == nil {
		return nil
	}
	var keys []string
	b.walk(f).each(func(w *walk) {
		for _, g := range Within(w.of) {
			for _, in := range g.Instructions() {
				if in.Op == il.Branch || in.Op == il.Bind && slices.Contains(comparing, in.Kind) {
					for _, o := range in.Args {
						w.operand(g, o)
					}
				}
			}
		}
		keys = append(keys, w.keys...)
	})
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Picks are the constant texts that a function compares entries with, by the entry's key: what
// it takes of several things, or leaves.
func (b Bodies) Picks(f *il.Function) map[string][]string {
	out := map[string][]string{}
	for _, g := range Within(f) {
		for _, in := range g.Instructions() {
			if in.Op != il.Branch && in.Op != il.Bind || len(in.Args) != 2 || !slices.Contains(comparing, in.Kind) {
				continue
			}
			for i, o := range in.Args {
				entry := g.Def(g.Root(o))
				if entry == nil {
					continue
				}
				_, at := part(g, entry)
				key, ok := g.Str(at)
				words := []il.Operand{in.Args[1-i]}
				if made := g.Def(g.Root(words[0])); made != nil && made.Op == il.Make {
					words = made.Args
				}
				for _, w := range words {
					if word, known := g.Str(g.Root(w)); ok && known {
						out[key] = append(out[key], word)
					}
				}
			}
		}
	}
	return out
}

// maxReducer bounds the versions of variables in a reducer that is looked through.
const maxReducer = 2000

// Merges tells whether a function of what is there and what comes makes its result of
// both: some value that it returns is. No: each is one of them, or of one.
func (b Bodies) Merges(f *il.Function) agentgraph.Truth {
	out := agentgraph.Unknown
	if f == nil || len(f.Params) < state(f)+2 || len(f.Versions) > maxReducer {
		return out
	}
	for _, in := range f.Instructions() {
		if in.Op != il.Return {
			continue
		}
		for _, o := range f.Alternatives(in.Args[0]) {
			w := b.walk(f)
			w.changes = true
			w.operand(f, o)
			one, two := w.params[state(f)], w.params[state(f)+1]
			if one && two {
				return agentgraph.Yes
			}
			if one || two {
				out = agentgraph.No
			}
		}
	}
	return out
}
