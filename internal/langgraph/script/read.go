package script

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/langgraph/body"
)

// library is what the names of LangGraph.js begin with.
const library = "@langchain/langgraph"

// maxSteps bounds how far a builder, a router or a value is followed.
const maxSteps = 24

var (
	builders = []string{"StateGraph", "MessageGraph", "Graph"}
	wirers   = []string{"addNode", "addEdge", "addConditionalEdges", "addSequence", "setEntryPoint", "setFinishPoint"}
	runners  = []string{"invoke", "stream", "streamEvents", "batch"}
)

// Read reads the program. manifests are the texts of its langgraph.json files
// by path; the profile says what such programs call the parts of their graphs. all are
// the analyses of the same program, whose lock the caller holds. It never fails: what it
// cannot follow it names.
func Read(p *syntax.Program, all *analyse.Analyses, manifests map[string]string, words *agentgraph.Profile) *agentgraph.Reading {
	r := &reader{p: p, graphs: map[syntax.Node]*wirer{}}
	r.bodies = body.Bodies{Analyses: all, Entry: r.place}
	var calls []syntax.Node
	for _, f := range p.Files {
		if f.Language != "javascript" && f.Language != "typescript" {
			continue
		}
		for n := range f.Root().Walk() {
			if n.Is("call") {
				calls = append(calls, n)
				r.builder(n, manifests)
			}
		}
	}
	out := &agentgraph.Reading{}
	if len(r.order) == 0 {
		return out
	}
	for _, c := range calls {
		r.use(c)
	}
	for _, w := range r.order {
		w.finish()
		out.Graphs = append(out.Graphs, w.g)
	}
	out.Unnest()
	out.Settle(words)
	if out.Main != nil {
		out.State = out.Main.State
	}
	return out
}

// reader is the state of one Read.
type reader struct {
	p      *syntax.Program
	bodies body.Bodies
	graphs map[syntax.Node]*wirer
	order  []*wirer
}

// builder notes a call that makes a builder.
func (r *reader) builder(n syntax.Node, manifests map[string]string) {
	if !n.Has(syntax.New) {
		return
	}
	name, of := strings.CutPrefix(r.called(n), library)
	if !of || !slices.Contains(builders, name[strings.LastIndex(name, ".")+1:]) {
		return
	}
	g := &agentgraph.Graph{Builder: placeOf(n), Provenance: agentgraph.FromLangGraph, Production: n.File().Scope == code.ScopeProduction, Name: n.Path()}
	g.State = r.state(n.Nth("arg", 0))
	g.Schema = g.State.Name
	for at, text := range manifests {
		if rel, ok := strings.CutPrefix(n.Path(), strings.TrimPrefix(path.Dir(at)+"/", "./")); ok && strings.Contains(text, rel+":") {
			g.Live, g.Invoked, g.Run = true, true, true
		}
	}
	w := &wirer{reader: r, g: g, ctor: n}
	r.graphs[n], r.order = w, append(r.order, w)
}

// use adds what a call does to the builders that it is made on.
func (r *reader) use(c syntax.Node) {
	callee := c.Child("callee")
	name := callee.Name()
	if !callee.Is("member") {
		return
	}
	switch object := callee.Child("object"); {
	case slices.Contains(wirers, name):
		w, _ := r.trace(object, 0)
		if w != nil {
			w.calls = append(w.calls, c)
			return
		}
		full := r.object(c)
		for _, w := range r.order { // wiring of something that was not followed: a parameter, most often
			if (full == "" || strings.HasPrefix(full, library)) && (w.ctor.File() == c.File() || len(r.order) == 1) {
				w.unresolved(c, agentgraph.Unresolved{Node: true})
			}
		}
	case name == "compile":
		if w, _ := r.trace(object, 0); w != nil {
			w.compile(c)
		}
	case slices.Contains(runners, name):
		if w, compiled := r.trace(object, 0); w != nil && compiled {
			w.g.Invokes = append(w.g.Invokes, agentgraph.Call{At: placeOf(c), Source: c})
			w.g.Invoked = w.g.Invoked || c.File().Scope == code.ScopeProduction
			w.g.Live, w.g.Run = w.g.Live || w.g.Invoked, w.g.Invoked
		}
	}
}

// trace follows an expression to the builder that it is, or that it was
// compiled from.
func (r *reader) trace(n syntax.Node, depth int) (w *wirer, compiled bool) {
	n = chained(n)
	if w := r.graphs[n]; w != nil || depth > maxSteps || !n.Valid() {
		return w, false
	}
	switch n.Kind() {
	case "call":
		callee := n.Child("callee")
		switch {
		case callee.Is("member") && callee.Name() == "compile":
			w, _ := r.trace(callee.Child("object"), depth+1)
			return w, w != nil
		}
		for _, v := range returned(r.target(n)) {
			if w, compiled := r.trace(v, depth+1); w != nil {
				return w, compiled
			}
		}
	case "unary", "cast":
		return r.trace(n.Child("value"), depth+1)
	case "name", "member":
		for _, v := range r.values(n) {
			if w, compiled := r.trace(v, depth+1); w != nil {
				return w, compiled
			}
		}
	}
	return nil, false
}

// chained is what a chain of wiring calls is made on: however long it is, it is
// one step.
func chained(n syntax.Node) syntax.Node {
	for callee := n.Child("callee"); n.Is("call") && callee.Is("member") && (callee.Name() == "withConfig" || slices.Contains(wirers, callee.Name())); callee = n.Child("callee") {
		n = callee.Child("object")
	}
	return n
}

// function is the first-party function that an expression stands for.
func (r *reader) function(n syntax.Node, depth int) syntax.Node {
	switch {
	case depth > maxSteps:
	case n.Is("func"):
		return n
	case n.Is("cast"):
		return r.function(n.Child("value"), depth+1)
	case n.Is("name", "member"):
		if d := r.written(r.symbol(n)); d.Valid() {
			return d
		}
		if v := r.values(n); len(v) == 1 {
			return r.function(v[0], depth+1)
		}
	case n.Is("call"): // RunnableLambda.from(f), new RunnableLambda({func: f})
		if strings.Contains(r.called(n), "RunnableLambda") {
			first := n.Nth("arg", 0)
			if f := entry(first, "func"); f.Valid() {
				first = f
			}
			return r.function(first, depth+1)
		}
	}
	return syntax.Node{}
}

// returned are the values that a function returns, those of functions inside
// left out.
func returned(f syntax.Node) []syntax.Node {
	body := f.Child("body")
	if !f.Is("func") || !body.Valid() {
		return nil
	}
	if !body.Is("block") {
		return []syntax.Node{body}
	}
	var out []syntax.Node
	for n := range body.Walk() {
		if n.Is("return") && n.Enclosing("func") == f {
			out = append(out, n.Child("value"))
		}
	}
	return out
}

// entry is the value under a key of a literal.
func entry(record syntax.Node, key string) syntax.Node {
	if record.Is("record") {
		for e := range record.Children() {
			if e.Is("entry") && e.Name() == key {
				return e.Child("value")
			}
		}
	}
	return syntax.Node{}
}

// placeOf is the place of a node, of a call in a chain that of its own link.
func placeOf(n syntax.Node) agentgraph.Place {
	if !n.Valid() {
		return agentgraph.Place{}
	}
	line := n.Line()
	if callee := n.Child("callee"); callee.Is("member") {
		line = callee.EndLine()
	}
	return agentgraph.Place{Path: n.Path(), Line: line, End: n.EndLine()}
}
