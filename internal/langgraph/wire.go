package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// operation is one wiring call at one site.
type operation struct {
	name string // of the method, also when it was bound to a name before
	call *code.Call
	site site
	cond conditions
}

// wirer collects the operations of one graph and turns them into wiring.
type wirer struct {
	*reader
	g    *agentgraph.Graph
	bare []string             // what the nodes of which no part of the name is known go over
	made map[string]operation // the first operation that added a pattern
}

// apply turns operations into nodes, edges and routes: nodes first, so that
// names can be told from patterns.
func (w *wirer) apply(ops []operation) {
	for _, o := range ops {
		switch o.name {
		case "add_node", "add_nodes":
			w.addNode(o)
		case "add_sequence":
			w.addSequence(o)
		}
	}
	for _, o := range ops {
		switch o.name {
		case "add_edge", "add_edges":
			w.addEdge(o)
		case "set_entry_point":
			for _, l := range w.argument(o, 0, "key", "name", "node") {
				w.edge(o, label{text: agentgraph.START}, l, agentgraph.Entry, nil)
			}
		case "set_finish_point":
			for _, l := range w.argument(o, 0, "key", "name", "node") {
				w.edge(o, l, label{text: agentgraph.END}, agentgraph.Finish, nil)
			}
		case "add_conditional_edges", "add_conditional_edge":
			w.addRoutes(o, w.argument(o, 0, "source", "start", "start_key", "from_node"), 1)
		case "set_conditional_entry_point":
			w.addRoutes(o, []label{{text: agentgraph.START}}, 0)
		}
	}
}

// given returns an argument by position or by one of its names.
func given(c *code.Call, pos int, names ...string) code.Node {
	for i, name := range names {
		if i > 0 {
			pos = -1
		}
		if a := c.Arg(name, pos); a.Valid() {
			return a
		}
	}
	return code.Node{}
}

// argument returns the labels of an argument.
func (w *wirer) argument(o operation, pos int, names ...string) []label {
	a := given(o.call, pos, names...)
	if !a.Valid() {
		w.unresolved(o, o.call.Node, agentgraph.Unresolved{})
		return nil
	}
	return w.labels(a, o.site)
}

// unresolved notes wiring that was not read.
func (w *wirer) unresolved(o operation, n code.Node, u agentgraph.Unresolved) {
	u.Expr, u.At = n.Unknown(), placeOf(o.call.Node)
	for _, old := range w.g.Unresolved {
		if old.Expr == u.Expr && old.At == u.At && slices.Equal(old.From, u.From) && slices.Equal(old.To, u.To) {
			return
		}
	}
	w.g.Unresolved = append(w.g.Unresolved, u)
}

// addEdge reads add_edge: its sources may be a list.
func (w *wirer) addEdge(o operation) {
	from := given(o.call, 0, "start_key", "source", "start", "from_node", "src", "from_")
	to := given(o.call, 1, "end_key", "target", "end", "to_node", "dst", "to")
	if !from.Valid() || !to.Valid() {
		w.unresolved(o, o.call.Node, agentgraph.Unresolved{})
		return
	}
	sources, several := w.collection(from, o.site)
	targets, many := w.collection(to, o.site)
	if !several && !many && len(sources)*len(targets) > 1 {
		w.oneOf(o, from, to, sources, targets)
		return
	}
	for _, t := range targets {
		if !several {
			for _, f := range sources {
				w.edge(o, f, t, agentgraph.Plain, nil)
			}
			continue
		}
		var names []string
		for _, f := range sources {
			names = append(names, f.text)
		}
		slices.Sort(names)
		for _, f := range sources {
			w.edge(o, f, t, agentgraph.Barrier, names)
		}
	}
	if many && len(targets) == 0 {
		w.unresolved(o, to, agentgraph.Unresolved{})
	}
}

// oneOf reads an edge of which an end may be one of several: "a" if x else "b".
// Two alternatives are the sides of a condition, more are left unresolved.
func (w *wirer) oneOf(o operation, from, to code.Node, sources, targets []label) {
	if len(sources)*len(targets) > 2 {
		u := agentgraph.Unresolved{From: []string{}, To: []string{}}
		for _, f := range sources {
			u.From = append(u.From, w.matching(f)...)
		}
		for _, t := range targets {
			u.To = append(u.To, w.matching(t)...)
		}
		w.unresolved(o, o.call.Node, u)
		return
	}
	at := placeOf(to)
	if len(sources) > 1 {
		at = placeOf(from)
	}
	o.cond.guarded = true
	when := o.cond.when
	for i, f := range sources {
		for k, t := range targets {
			o.cond.when = append(slices.Clone(when), agentgraph.Branch{At: at, Negated: i+k > 0})
			w.edge(o, f, t, agentgraph.Plain, nil)
		}
	}
}

// collection returns the labels of an expression, or of the elements of a
// list; several says that it is a list.
func (w *wirer) collection(n code.Node, s site) (out []label, several bool) {
	v := w.eval(n, s)
	switch v.Kind {
	case code.ValueList, code.ValueTuple, code.ValueSet:
		for _, i := range v.Items {
			for _, c := range i.Choices() {
				out = append(out, w.labelOf(c, n))
			}
		}
		return out, true
	default:
		if body, ok := element(n.Unparen()); ok && n.Unparen().Is("list_comprehension") {
			if over := w.oneEach(body, s); over != "" {
				l := w.labelOf(w.eval(body, s), body)
				if !l.known() {
					l.over = over
				}
				return []label{l}, true
			}
		}
		return w.labels(n, s), false
	}
}

// edge adds an edge once. An end that is not known makes it unresolved.
func (w *wirer) edge(o operation, from, to label, kind agentgraph.EdgeKind, sources []string) {
	from, to = w.place(from, true), w.place(to, false)
	if !w.resolved(from) || !w.resolved(to) {
		w.unresolved(o, o.call.Node, agentgraph.Unresolved{From: w.matching(from), To: w.matching(to)})
		return
	}
	for i := range w.g.Edges {
		e := &w.g.Edges[i]
		if e.From == from.text && e.To == to.text && (e.Kind == agentgraph.Barrier) == (kind == agentgraph.Barrier) && slices.Equal(e.Sources, sources) {
			if !o.cond.guarded {
				e.Guarded, e.When = false, nil
			} else if !slices.Equal(e.When, o.cond.when) {
				e.When = nil
			}
			return
		}
	}
	w.g.Edges = append(w.g.Edges, agentgraph.Edge{
		From: from.text, To: to.text, Kind: kind, Sources: sources,
		Guarded: o.cond.guarded, At: placeOf(o.call.Node), When: o.cond.when,
	})
}

// resolved reports whether a label names a node: a pattern does when a node was
// added under the same pattern, and one without any known part when all such
// nodes were added under the same expression over the same collection.
func (w *wirer) resolved(l label) bool {
	if l.pattern && !l.known() {
		return l.over != "" && len(w.bare) == 1 && w.bare[0] == l.over
	}
	return !l.pattern || w.g.Node(l.text) != nil
}

// place turns the words "START" and "END" into terminals when no node has
// that name.
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
