package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/langgraph/body"
)

// begins reads what the runs of a graph are given.
func (r *reader) begins(g *agentgraph.Graph) {
	g.Start.Open = len(g.Invokes) == 0
	for _, c := range g.Invokes {
		call := Expr(c.Source)
		if call.Module().Scope != code.ScopeProduction {
			continue
		}
		s, known := r.bodies.CallAt(call.Path(), call.Start(), call.End())
		if !known {
			g.Start.Open = true
			continue
		}
		o, _ := s.At.Argument("input", 0)
		keys, open := r.bodies.Given(s.Function, o, s.At)
		g.Start.Keys, g.Start.Open = append(g.Start.Keys, keys...), g.Start.Open || open
	}
}

// reads notes the keys that nodes and routers read from the state they are given, as
// state["key"] and state.get("key"). A node that a Send goes to is given
// something else.
func (r *reader) reads(g *agentgraph.Graph) {
	sent := map[string]bool{}
	for _, route := range g.Routes {
		for _, t := range route.Targets {
			sent[t.Name] = sent[t.Name] || t.Send
		}
	}
	for _, n := range g.Nodes {
		sent[n.Name] = sent[n.Name] || n.Within != nil || n.Takes
	}
	for i := range g.Nodes {
		if n := &g.Nodes[i]; !sent[n.Name] {
			r.readsOf(g, called(n), n.Name, n.Name)
		}
	}
	for i := range g.Routes {
		if route := &g.Routes[i]; route.Kind == agentgraph.Conditional && !sent[route.From] {
			r.readsOf(g, Def(route.Source), route.From, "the router of "+agentgraph.Label(route.From))
		}
	}
}

// readsOf notes the keys that a function of the state reads; who is its name
// for readers.
func (r *reader) readsOf(g *agentgraph.Graph, d *code.Definition, node, who string) {
	if d == nil || r.takesOther(g, d) {
		return
	}
	asked := r.askedAside(d)
	for _, read := range r.bodies.Reads(r.p.Body(d)) {
		read.Node, read.Who, read.Doubt = node, who, asked
		g.Reads = append(g.Reads, read)
	}
}

// handsOn tells a call of a function of the state by which a caller hands on what it is given
// itself, as what wraps a node does.
func (r *reader) handsOn(c *intree.Call, d *code.Definition) bool {
	by, given := r.p.Enclosing(c.Node), c.Arg(stateParam(d), 0)
	return by != nil && given.Is("identifier") && slices.ContainsFunc(by.Params(), func(p code.Param) bool { return p.Name == given.Text() })
}

// takesOther reports whether a function declares another type for its state
// than the graph's, or was not read as a function of the state.
func (r *reader) takesOther(g *agentgraph.Graph, d *code.Definition) bool {
	name := stateParam(d)
	for _, p := range d.Params() {
		if p.Name != name {
			continue
		}
		if p.Star != 0 {
			return true
		}
		s := r.p.Resolve(p.Annotation)
		return p.Annotation.Valid() && s.Def != nil && g.State != nil && s.Def != Def(g.State.Source)
	}
	return false
}

// givers returns the keys that production code gives to anything: in a
// dictionary, by a subscript, as a keyword of a call.
func (r *reader) givers() map[string]bool {
	out := map[string]bool{}
	for _, m := range r.p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
		for _, f := range body.Within(r.p.Body(m.Body())) {
			for _, in := range f.Instructions() {
				switch {
				case in.Op == il.Call && strings.HasSuffix(in.Kind, ".setdefault") && len(in.Args) > 1, in.Op == il.Set && in.Kind == "item":
					text, _ := r.bodies.Values.Of(f, in.Args[1]).OneText()
					out[text] = true
				}
				if in.Op == il.Make || in.Op == il.Call {
					for _, name := range in.Names {
						out[name] = true
					}
				}
			}
		}
	}
	return out
}

// declaredKeys returns the keys of all state types of a reading, and of the
// types that the constructors of its graphs are given.
func (r *reader) declaredKeys(all *agentgraph.Reading) map[string]bool {
	out := map[string]bool{}
	for _, g := range all.Graphs {
		if g.State != nil {
			for _, f := range g.State.Fields {
				out[f.Name] = true
			}
		}
		call := r.side(g).call
		if call == nil {
			continue
		}
		for _, a := range call.Args {
			for _, f := range r.p.Fields(r.p.Resolve(a.Value)) {
				out[f.Name] = true
			}
		}
	}
	return out
}

// undeclaredReads fills in which keys the nodes read, and of which of them no state type declares
// and no node writes. LangGraph hands on what is declared, whatever a run is given; what a graph of the
// project's own does is for its engine to say.
func (r *reader) undeclaredReads(all *agentgraph.Reading) {
	declared := r.declaredKeys(all)
	var given map[string]bool
	for _, g := range all.Graphs {
		if g.State == nil || g.State.Open || Def(g.State.Source) == nil {
			continue
		}
		r.begins(g)
		r.reads(g)
		home := g.Provenance == agentgraph.FromHome
		for i := range g.Reads {
			a := &g.Reads[i]
			is := func(w agentgraph.Write) bool { return w.Key == a.Key }
			a.Given = slices.ContainsFunc(g.Start.Keys, is)
			if a.Known = declared[a.Key] || slices.ContainsFunc(g.Writes, is) || home && a.Given; a.Known {
				continue
			}
			if given == nil {
				given = r.givers()
			}
			a.Doubt = (a.Doubt || home) && given[a.Key]
		}
		r.voids(g)
		r.untaken(g)
	}
}
