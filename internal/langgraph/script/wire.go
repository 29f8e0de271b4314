package script

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// wirer collects the calls on one builder and turns them into wiring.
type wirer struct {
	*reader
	g     *agentgraph.Graph
	ctor  syntax.Node
	calls []syntax.Node
}

// finish turns the calls into wiring, nodes first.
func (w *wirer) finish() {
	for _, c := range w.calls {
		switch c.Child("callee").Name() {
		case "addNode":
			w.addNode(c)
		case "addSequence":
			w.addSequence(c)
		}
	}
	w.writes()
	for _, c := range w.calls {
		first, second := c.Nth("arg", 0), c.Nth("arg", 1)
		switch c.Child("callee").Name() {
		case "addEdge":
			w.addEdges(c, first, second)
		case "setEntryPoint":
			w.edge(c, agentgraph.START, w.name(first), agentgraph.Entry, nil)
		case "setFinishPoint":
			w.edge(c, w.name(first), agentgraph.END, agentgraph.Finish, nil)
		case "addConditionalEdges":
			w.addRoute(c)
		}
	}
	w.commands()
	w.g.Finish()
}

// compile notes a call of compile.
func (w *wirer) compile(c syntax.Node) {
	w.g.Compiles, w.g.Compiled = append(w.g.Compiles, agentgraph.Call{At: placeOf(c), Source: c}), true
	if v := entry(c.Nth("arg", 0), "checkpointer"); v.Valid() {
		w.g.Ops.Checkpointer = agentgraph.Places(append(w.g.Ops.Checkpointer, placeOf(c))...)
	}
}

// unresolved notes wiring that was not read.
func (w *wirer) unresolved(c syntax.Node, u agentgraph.Unresolved) {
	u.Expr, u.At = fmt.Sprintf("?%s@%s:%d", c.Child("callee").Name(), c.Path(), placeOf(c).Line), placeOf(c)
	w.g.Unresolved = append(w.g.Unresolved, u)
}

// name is the node that an expression names, a terminal included; "" where
// that is not known.
func (w *wirer) name(n syntax.Node) string {
	switch w.full(n) {
	case library + ".START", library + "/web.START":
		return agentgraph.START
	case library + ".END", library + "/web.END":
		return agentgraph.END
	}
	return w.text(n)
}

// names are those of an expression or of the elements of a list; ok is false
// where one is not known.
func (w *wirer) names(n syntax.Node) (out []string, list, ok bool) {
	if v := w.values(n); n.Is("name") && len(v) == 1 && v[0].Is("list") {
		n = v[0]
	}
	if n.Is("cast") { // [...] as const
		return w.names(n.Child("value"))
	}
	if !n.Is("list") {
		name := w.name(n)
		return []string{name}, false, name != ""
	}
	ok = true
	for e := range n.Children() {
		name := w.name(e)
		out, ok = append(out, name), ok && name != ""
	}
	return out, true, ok
}

// addNode reads addNode("a", f, options), addNode({a: f}) and addNode([["a", f]]).
func (w *wirer) addNode(c syntax.Node) {
	first, second := c.Nth("arg", 0), c.Nth("arg", 1)
	switch {
	case first.Is("record"):
		for e := range first.Children() {
			if e.Is("entry") && e.Name() != "" {
				w.node(c, e.Name(), e.Child("value"), syntax.Node{})
			} else {
				w.unresolved(c, agentgraph.Unresolved{Node: true})
			}
		}
	case first.Is("list"):
		w.pairs(c, first)
	default:
		if name := w.name(first); name != "" && !inLoop(c, w.ctor) {
			w.node(c, name, second, c.Nth("arg", 2))
			return
		}
		w.unresolved(c, agentgraph.Unresolved{Node: true})
	}
}

// pairs adds nodes from a list of names and functions and returns the names.
func (w *wirer) pairs(c, list syntax.Node) (out []string) {
	for e := range list.Children() {
		var parts []syntax.Node
		for x := range e.Children() {
			parts = append(parts, x)
		}
		if !e.Is("list") || len(parts) < 2 || w.name(parts[0]) == "" {
			w.unresolved(c, agentgraph.Unresolved{Node: true})
			continue
		}
		options := syntax.Node{}
		if len(parts) > 2 {
			options = parts[2]
		}
		name := w.name(parts[0])
		w.node(c, name, parts[1], options)
		out = append(out, name)
	}
	return out
}

// addSequence reads addSequence([["a", f], ["b", g]]) and addSequence({a: f, b: g}).
func (w *wirer) addSequence(c syntax.Node) {
	first := c.Nth("arg", 0)
	var names []string
	switch {
	case first.Is("list"):
		names = w.pairs(c, first)
	case first.Is("record"):
		w.addNode(c)
		for e := range first.Children() {
			names = append(names, e.Name())
		}
	default:
		w.unresolved(c, agentgraph.Unresolved{Node: true})
	}
	for i := 1; i < len(names); i++ {
		w.edge(c, names[i-1], names[i], agentgraph.Plain, nil)
	}
}

// node adds a node.
func (w *wirer) node(c syntax.Node, name string, bound, options syntax.Node) {
	n := agentgraph.Node{Name: name, At: placeOf(c), Opaque: true}
	n.Guarded, _ = w.conditions(c)
	if f := w.function(bound, 0); f.Valid() {
		n.Source, n.Body, n.Called, n.Idle = f, placeOf(f), f.Name(), w.bodies.Idle(w.lowered(f))
		n.Inner = w.startedAtOnce(f)
	} else if sub, compiled := w.trace(bound, 0); sub != nil && compiled && sub != w {
		n.Nested = sub.g
	}
	n.Deferred = entry(options, "defer").Name() == "true"
	if v := entry(options, "retryPolicy"); v.Valid() {
		n.Retry = true
		w.g.Ops.RetryPolicy = agentgraph.Places(append(w.g.Ops.RetryPolicy, placeOf(c))...)
	}
	if w.g.Node(name) == nil {
		w.g.Nodes = append(w.g.Nodes, n)
	}
	if ends := entry(options, "ends"); ends.Valid() {
		r := agentgraph.Route{From: name, Kind: agentgraph.Command, At: n.At, Guarded: n.Guarded, Source: n.Source, Router: n.Called}
		if f, ok := n.Source.(syntax.Node); ok {
			r.Compares = w.bodies.Tests(w.lowered(f))
		}
		to, _, ok := w.names(ends)
		for _, t := range to {
			r.Lead(agentgraph.Target{Name: t})
		}
		if !ok {
			w.unresolved(c, agentgraph.Unresolved{From: []string{name}, Route: true})
		}
		w.g.Routes = append(w.g.Routes, r)
	}
}

// startedAtOnce are the places where a function waits for several promises
// together. Whose work they are is not followed.
func (w *wirer) startedAtOnce(f syntax.Node) (out []agentgraph.Inner) {
	for n := range f.Walk() {
		if !n.Is("call") {
			continue
		}
		switch w.called(n) {
		case "Promise.all", "Promise.allSettled", "Promise.any", "Promise.race":
			out = append(out, agentgraph.Inner{Role: agentgraph.RoleUnknown, Concurrent: true, At: placeOf(n)})
		}
	}
	return out
}

// addEdges reads addEdge, whose source may be a list: a barrier.
func (w *wirer) addEdges(c, from, to syntax.Node) {
	sources, list, ok := w.names(from)
	target := w.name(to)
	if !ok || inLoop(c, w.ctor) {
		u := agentgraph.Unresolved{}
		if target != "" && !inLoop(c, w.ctor) {
			u.To = []string{target}
		}
		w.unresolved(c, u)
		return
	}
	if !list {
		w.edge(c, sources[0], target, agentgraph.Plain, nil)
		return
	}
	slices.Sort(sources)
	for _, s := range sources {
		w.edge(c, s, target, agentgraph.Barrier, sources)
	}
}

// edge adds an edge once.
func (w *wirer) edge(c syntax.Node, from, to string, kind agentgraph.EdgeKind, sources []string) {
	if from == "" || to == "" {
		u := agentgraph.Unresolved{}
		if from != "" {
			u.From = []string{from}
		}
		if to != "" {
			u.To = []string{to}
		}
		w.unresolved(c, u)
		return
	}
	e := agentgraph.Edge{From: from, To: to, Kind: kind, Sources: sources, At: placeOf(c)}
	e.Guarded, e.When = w.conditions(c)
	if !slices.ContainsFunc(w.g.Edges, func(o agentgraph.Edge) bool {
		return o.From == from && o.To == to && (o.Kind == agentgraph.Barrier) == (kind == agentgraph.Barrier)
	}) {
		w.g.Edges = append(w.g.Edges, e)
	}
}

// conditions are those between a call and the function or file that it stands
// in.
func (w *wirer) conditions(c syntax.Node) (guarded bool, when []agentgraph.Branch) {
	child := c
	for a := range c.Around() {
		if a.Is("func", "file") {
			break
		}
		switch {
		case a.Is("if", "ternary") && child.Role() != "cond":
			guarded = true
			when = append(when, agentgraph.Branch{At: placeOf(a.Child("cond")), Negated: child.Role() == "else"})
		case a.Is("switch", "catch"):
			guarded = true
		}
		child = a
	}
	return guarded, when
}

// inLoop reports whether a call runs for each of several items: in a loop, or
// in a function that forEach or map is given, that the builder is made outside
// of.
func inLoop(c, ctor syntax.Node) bool {
	for a := range c.Around() {
		if a == ctor.Enclosing("func", "file") {
			return false
		}
		if a.Is("loop") || a.Is("func") && a.Role() == "arg" {
			return true
		}
	}
	return false
}
