package wiring

import (
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
)

// node adds a node, or completes one that is there.
func (w *wirer) node(o *operation, l label, bound value) {
	when := w.and(o.when, l.when)
	if when == never {
		return
	}
	n := agentgraph.Node{Name: l.text, Pattern: l.pattern, Many: l.pattern, At: w.Place(o.at.f, o.at.in.Span), Opaque: w.Camel}
	var runs *thing
	for _, a := range bound {
		if f, given := w.callable(a.thing); f != nil {
			inner, outer := w.inner(f)
			var around *il.Function
			if outer != nil {
				around = outer.fn
			}
			n.Source, n.Body, n.Called = w.Source(inner.fn, around)
			n.Idle, n.Given, runs = w.Idle(inner.fn), given, inner
			n.Nested = w.runBy(inner.fn)
			break
		}
		if a.is(compiled) {
			n.Nested = w.madeBy(a.obj.built)
			break
		}
	}
	if !l.known() {
		w.unresolved(o, agentgraph.Unresolved{Node: true, From: []string{}, To: []string{}})
	}
	n.Deferred = o.given(-1, "defer").truth() == agentgraph.Yes
	n.Takes = o.given(-1, "input_schema", "input") != nil
	if v := o.given(-1, "retry", "retry_policy"); v != nil && !v.only().none() {
		n.Retry = true
		w.g.Ops.RetryPolicy = agentgraph.Places(append(w.g.Ops.RetryPolicy, n.At)...)
	}
	if o.given(-1, "start").truth() == agentgraph.Yes {
		defer w.edge(o, label{text: agentgraph.START, when: always}, l, agentgraph.Entry, nil)
	}
	if l.pattern && !l.known() && !slices.Contains(w.bare, l.over) {
		w.bare = append(w.bare, l.over)
	}
	if old := w.g.Node(l.text); old != nil {
		w.nodes[l.text] = w.or(w.nodes[l.text], when)
		old.Several = old.Several || l.pattern && another(w.made[l.text], o)
		return
	}
	w.made[l.text], w.nodes[l.text], w.runs[l.text] = o, when, runs
	w.g.Nodes = append(w.g.Nodes, n)
	if ends := o.given(-1, "ends"); ends != nil && w.Camel {
		w.ends(o, &n, ends)
	}
}

// ends reads where a node says that its commands lead.
func (w *wirer) ends(o *operation, n *agentgraph.Node, v value) {
	r := agentgraph.Route{From: n.Name, Kind: agentgraph.Command, At: n.At, Source: n.Source, Router: n.Called}
	if t := w.runs[n.Name]; t != nil {
		r.Compares = w.Tests(t.fn)
	}
	single, lists := w.collections(v)
	for _, l := range append(lists, labelled{labels: single}) {
		for _, t := range l.labels {
			if t.pattern {
				w.unresolved(o, agentgraph.Unresolved{From: []string{n.Name}, Route: true})
				continue
			}
			r.Lead(agentgraph.Target{Name: t.text})
		}
	}
	w.routes[len(w.g.Routes)] = w.nodes[n.Name]
	w.g.Routes = append(w.g.Routes, r)
}

// truth is the truth of a value; Unknown of none.
func (v value) truth() agentgraph.Truth {
	if v == nil {
		return agentgraph.Unknown
	}
	return v.only().holds()
}

// another reports whether an operation adds a node under a pattern again in another turn of
// the loops around it: names that differ, since a graph takes no name twice.
func another(a, b *operation) bool {
	return a.at == b.at && a.stack[len(a.stack)-1] == b.stack[len(b.stack)-1] && a.when == b.when && a.turn != b.turn
}

// where writes which turns of the loops a run is in.
func (x *machine) where() string {
	var b strings.Builder
	for _, t := range x.turns {
		if t.many {
			b.WriteString(" *")
		} else {
			b.WriteString(" " + strconv.Itoa(t.n))
		}
	}
	return b.String()
}

// madeBy stands for the graph that a builder makes.
func (w *wirer) madeBy(b *built) *agentgraph.Graph {
	return &agentgraph.Graph{Builder: w.Place(b.at.f, b.at.in.Span)}
}

// runBy is the one graph that a function runs in its body.
func (w *wirer) runBy(f *il.Function) *agentgraph.Graph {
	var out *agentgraph.Graph
	for _, b := range w.built {
		for _, o := range b.invokes {
			if !within(o.at.f, f) || !slices.Contains([]string{"invoke", "ainvoke", "stream", "astream"}, o.name) {
				continue
			}
			g := w.madeBy(b)
			if out != nil && out.Builder != g.Builder {
				return nil
			}
			out = g
		}
	}
	if out != nil && out.Builder == w.g.Builder {
		return nil
	}
	return out
}

// within tells that a function stands in another.
func within(f, in *il.Function) bool {
	for ; f != nil; f = f.Outer {
		if f == in {
			return true
		}
	}
	return false
}

// several adds nodes from a list of names and functions, or of functions, and gives the names.
func (w *wirer) several(o *operation, t *thing) (out []label) {
	for _, i := range t.obj.items {
		l, runs := w.nameOf(i.value), i.value
		if p := i.value.only(); p.is(list) && len(p.obj.items) >= 2 {
			runs = p.obj.items[1].value
			l = label{text: "*", pattern: true, when: always}
			if names := w.labels(p.obj.items[0].value); len(names) == 1 {
				l = names[0]
			}
		}
		w.node(o, l, runs)
		out = append(out, l)
	}
	if t.obj.open {
		w.unresolved(o, agentgraph.Unresolved{Node: true})
	}
	return out
}

// addSequence reads add_sequence([f, ("g", g)]).
func (w *wirer) addSequence(o *operation) {
	t := o.given(0, "nodes").only()
	var names []label
	switch {
	case t.is(list):
		names = w.several(o, t)
	case t.is(table):
		for _, e := range t.obj.items {
			l := e.key.only().label()
			l.when = always
			w.node(o, l, e.value)
			names = append(names, l)
		}
	default:
		w.unresolved(o, agentgraph.Unresolved{Node: true})
	}
	for i := 1; i < len(names); i++ {
		w.edge(o, names[i-1], names[i], agentgraph.Plain, nil)
	}
}
