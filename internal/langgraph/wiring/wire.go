package wiring

import (
	"slices"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
)

// wirer turns the operations of one builder into wiring.
type wirer struct {
	*machine
	g      *agentgraph.Graph
	bare   []string              // what the nodes of which no part of the name is known go over
	made   map[string]*operation // the first operation that added a pattern
	nodes  map[string]cond
	edges  map[int]cond
	routes map[int]cond
	runs   map[string]*thing // the function of a node
}

// apply turns operations into nodes, edges and routes: nodes first, so that names can be
// told from patterns.
func (w *wirer) apply(ops []*operation) {
	for _, o := range ops {
		switch o.name {
		case "add_node", "add_nodes":
			w.addNode(o)
		case "add_sequence":
			w.addSequence(o)
		}
	}
	start, end := []label{{text: agentgraph.START, when: always}}, []label{{text: agentgraph.END, when: always}}
	for _, o := range ops {
		switch o.name {
		case "add_edge", "add_edges":
			w.addEdge(o)
		case "set_entry_point":
			w.oneOf(o, start, w.argument(o, 0, "key", "name", "node"), agentgraph.Entry)
		case "set_finish_point":
			w.oneOf(o, w.argument(o, 0, "key", "name", "node"), end, agentgraph.Finish)
		case "add_conditional_edges", "add_conditional_edge":
			w.addRoutes(o, w.argument(o, 0, "source", "start", "start_key", "from_node"), 1)
		case "set_conditional_entry_point":
			w.addRoutes(o, start, 0)
		}
	}
}

// settle writes the conditions of nodes and edges.
func (w *wirer) settle() {
	for i := range w.g.Nodes {
		n := &w.g.Nodes[i]
		n.Guarded = w.nodes[n.Name] != always
	}
	for i := range w.g.Edges {
		if c, e := w.edges[i], &w.g.Edges[i]; c != always {
			e.Guarded, e.When = true, w.branches(c)
		}
	}
	for i := range w.g.Routes {
		if c, r := w.routes[i], &w.g.Routes[i]; c != always {
			r.Guarded, r.When = true, w.branches(c)
		}
	}
}

// argument returns the labels of an argument.
func (w *wirer) argument(o *operation, pos int, names ...string) []label {
	v := o.given(pos, names...)
	if v == nil {
		w.unresolved(o, agentgraph.Unresolved{})
		return nil
	}
	return w.labels(v)
}

// unresolved notes wiring that was not read.
func (w *wirer) unresolved(o *operation, u agentgraph.Unresolved) {
	u.Expr, u.At = w.Unknown(o.at.f, o.at.in.Span), w.Place(o.at.f, o.at.in.Span)
	for _, old := range w.g.Unresolved {
		if old.Expr == u.Expr && old.At == u.At && slices.Equal(old.From, u.From) && slices.Equal(old.To, u.To) {
			return
		}
	}
	w.g.Unresolved = append(w.g.Unresolved, u)
}

// addEdge reads add_edge: its sources may be a list.
func (w *wirer) addEdge(o *operation) {
	from := o.given(0, "start_key", "source", "start", "from_node", "src", "from_")
	to := o.given(1, "end_key", "target", "end", "to_node", "dst", "to")
	if from == nil || to == nil {
		w.unresolved(o, agentgraph.Unresolved{})
		return
	}
	sources, fromLists := w.collections(from)
	targets, toLists := w.collections(to)
	for _, t := range toLists {
		for _, l := range t.labels {
			l.when = w.and(l.when, t.when)
			targets = append(targets, l)
		}
		if len(t.labels) == 0 {
			w.unresolved(o, agentgraph.Unresolved{})
		}
	}
	if len(toLists) > 0 {
		for _, f := range sources {
			for _, t := range targets {
				w.edge(o, f, t, agentgraph.Plain, nil)
			}
		}
	} else {
		w.oneOf(o, sources, targets, agentgraph.Plain)
	}
	for _, from := range fromLists {
		var names []string
		for _, f := range from.labels {
			names = append(names, f.text)
		}
		slices.Sort(names)
		names = slices.Compact(names)
		for _, f := range from.labels {
			for _, t := range targets {
				f.when = w.and(f.when, from.when)
				w.edge(o, f, t, agentgraph.Barrier, names)
			}
		}
		if from.open {
			w.unresolved(o, agentgraph.Unresolved{})
		}
	}
}

// oneOf reads an edge of which an end may be one of several: each on its side of a
// condition, or unresolved where nothing tells them apart.
func (w *wirer) oneOf(o *operation, sources, targets []label, kind agentgraph.EdgeKind) {
	apart := true
	for _, list := range [][]label{sources, targets} {
		for i, a := range list {
			for _, b := range list[:i] {
				apart = apart && w.and(a.when, b.when) == never
			}
		}
	}
	if !apart {
		u := agentgraph.Unresolved{From: []string{}, To: []string{}}
		for _, f := range sources {
			u.From = append(u.From, w.matching(f)...)
		}
		for _, t := range targets {
			u.To = append(u.To, w.matching(t)...)
		}
		w.unresolved(o, u)
		return
	}
	for _, f := range sources {
		for _, t := range targets {
			w.edge(o, f, t, kind, nil)
		}
	}
}

// labelled are the names that a list holds.
type labelled struct {
	labels []label
	when   cond
	open   bool
}

// collections returns the labels of a value, and those of the lists that it may be.
func (w *wirer) collections(v value) (single []label, lists []labelled) {
	var rest value
	for _, a := range v {
		if !a.is(list) {
			rest = append(rest, a)
			continue
		}
		l := labelled{when: a.when, open: a.obj.open}
		for _, i := range a.obj.items {
			for _, n := range w.labels(i.value) {
				n.when = w.and(n.when, i.when)
				l.labels = append(l.labels, n)
			}
		}
		lists = append(lists, l)
	}
	return w.labels(rest), lists
}

// edge adds an edge once. An end that is not known makes it unresolved.
func (w *wirer) edge(o *operation, from, to label, kind agentgraph.EdgeKind, sources []string) {
	when := w.and(o.when, w.and(from.when, to.when))
	if when == never {
		return
	}
	from, to = w.place(from, true), w.place(to, false)
	if !w.resolved(from) || !w.resolved(to) {
		w.unresolved(o, agentgraph.Unresolved{From: w.matching(from), To: w.matching(to)})
		return
	}
	for i := range w.g.Edges {
		e := &w.g.Edges[i]
		if e.From == from.text && e.To == to.text && (e.Kind == agentgraph.Barrier) == (kind == agentgraph.Barrier) && slices.Equal(e.Sources, sources) {
			w.edges[i] = w.or(w.edges[i], when)
			return
		}
	}
	w.edges[len(w.g.Edges)] = when
	w.g.Edges = append(w.g.Edges, agentgraph.Edge{From: from.text, To: to.text, Kind: kind, Sources: sources, At: w.Place(o.at.f, o.at.in.Span)})
}

// resolved reports whether a label names a node: a pattern does when a node was added under
// the same pattern, and one without any known part when all such nodes were added under the
// same expression over the same collection.
func (w *wirer) resolved(l label) bool {
	if l.pattern && !l.known() {
		return l.over != "" && len(w.bare) == 1 && w.bare[0] == l.over
	}
	return !l.pattern || w.g.Node(l.text) != nil
}

// place turns the words "START" and "END" into terminals when no node has that name.
func (w *wirer) place(l label, source bool) label {
	switch {
	case l.pattern || w.g.Node(l.text) != nil:
	case l.text == "START" && source:
		l.text = agentgraph.START
	case l.text == "END" && !source:
		l.text = agentgraph.END
	}
	return l
}

// matching returns the nodes that a label may stand for; nil is any.
func (w *wirer) matching(l label) []string {
	if !l.pattern {
		return []string{l.text}
	}
	if !l.known() {
		if w.resolved(l) {
			return []string{l.text}
		}
		return nil
	}
	out := []string{}
	for _, n := range w.g.Nodes {
		if matchPattern(l.text, n.Name) {
			out = append(out, n.Name)
		}
	}
	return out
}

// addNode reads add_node in all its forms.
func (w *wirer) addNode(o *operation) {
	first := o.given(0, "node", "name", "key", "node_name")
	second := o.given(1, "action", "func", "function", "fn", "runnable", "handler")
	if first == nil {
		w.unresolved(o, agentgraph.Unresolved{Node: true})
		return
	}
	t := first.only()
	switch {
	case w.Camel && t.is(table):
		for _, e := range t.obj.items {
			w.named(o, w.labels(e.key), e.value)
		}
		if t.obj.open {
			w.unresolved(o, agentgraph.Unresolved{Node: true})
		}
	case (w.Camel || o.name == "add_nodes") && t.is(list):
		w.several(o, t)
	case second == nil && t.is(instance) && w.member(t.obj.class, "__call__") == nil && w.carries(o, t):
	case second == nil && !slices.ContainsFunc(first, func(a alt) bool { return isText(a.thing) }):
		w.named(o, []label{w.nameOf(first)}, first)
	default:
		w.named(o, w.labels(first), second)
	}
}

// carries adds a node given as an object that a name and a function make: Node("a", f).
func (w *wirer) carries(o *operation, t *thing) bool {
	var name string
	var runs value
	for _, a := range t.args {
		if s, ok := a.only().str(); ok && name == "" {
			name = s
		} else if f, _ := w.callable(a.only()); f != nil && runs == nil {
			runs = a
		}
	}
	if name == "" || runs == nil {
		return false
	}
	w.named(o, []label{{text: name, when: always}}, runs)
	return true
}

// nameOf is the name of a node that is named after what it runs.
func (w *wirer) nameOf(v value) label {
	for _, a := range v {
		t := a.thing
		for t.kind == partial {
			t = t.self
		}
		switch {
		case t.kind == function:
			_, _, name := w.Source(t.fn, nil)
			return label{text: name, when: always}
		case t.kind == class:
			return label{text: last(t.fn.Name), when: always}
		case t.is(instance):
			return label{text: last(t.obj.class.fn.Name), when: always}
		case t.kind == outside && !strings.HasPrefix(t.name, "?"):
			return label{text: last(t.name), when: always}
		case t.kind == made: // an object of a class that is not of the program
			class, _, _ := strings.Cut(t.name, "(")
			if class = last(class); class != "" && unicode.IsUpper(rune(class[0])) {
				return label{text: class, when: always}
			}
		}
	}
	return label{text: "*", pattern: true, when: always}
}

// named adds a node under each name that it may have.
func (w *wirer) named(o *operation, names []label, runs value) {
	for _, l := range names {
		w.node(o, l, w.known(runs, l.when))
	}
	if len(names) == 0 {
		w.unresolved(o, agentgraph.Unresolved{Node: true})
	}
}
