package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/langgraph/wiring"
)

// graphs reads the graphs that the program builds.
func (r *reader) graphs() []*agentgraph.Graph {
	var out []*agentgraph.Graph
	for _, g := range wiring.Read(r.wiring()) {
		side := r.side(g.Graph)
		ctor := r.node(g.In, g.At.Span)
		side.call = r.p.Call(ctor)
		if owner := r.p.Enclosing(ctor); owner != nil {
			g.Name = owner.Qualified
		}
		if g.Provenance == agentgraph.FromHome && side.call != nil {
			g.AtOnce = r.atOnce(side.call.Callee.Def)
		}
		side.schema = r.schema(side.call, g)
		r.operation(g.Graph, ctor, g.Around)
		r.broken(g.Graph, ctor.Module())
		out = append(out, g.Graph)
	}
	return out
}

// wiring is what the reader of wiring asks of Python's text.
func (r *reader) wiring() wiring.Program {
	return wiring.Program{
		Analyses: r.bodies.Analyses, Idle: r.bodies.Idle, Tests: r.bodies.Tests, Words: r.words, Library: "langgraph",
		Scope: func(path string) wiring.Scope {
			switch m := r.p.Module(path); {
			case m == nil || m.Shadowed || m.Scope == code.ScopeVendor || m.Scope == code.ScopeGenerated:
				return wiring.Foreign
			case m.Scope == code.ScopeProduction:
				return wiring.Production
			}
			return wiring.Aside
		},
		Place: func(f *il.Function, s il.Span) agentgraph.Place {
			p := f.Place(s)
			return agentgraph.Place{Path: p.Path, Line: p.Line, End: p.EndLine}
		},
		Text: func(f *il.Function, s il.Span) string { return r.p.Module(f.Module.Path).Text()[s.From:s.To] },
		Keys: func(f *il.Function, s il.Span) (out []il.Span) {
			for c := range r.node(f, s).Children() {
				k := c.Field("key")
				if !k.Valid() {
					k = c
				}
				out = append(out, il.Span{From: uint32(k.Start()), To: uint32(k.End())})
			}
			return out
		},
		Statement: func(f *il.Function, s il.Span) string { return r.node(f, s).Statement().Text() },
		Unknown:   func(f *il.Function, s il.Span) string { return r.node(f, s).Unknown() },
		Node:      func(f *il.Function, s il.Span) any { return r.node(f, s) },
		Source: func(inner, outer *il.Function) (any, agentgraph.Place, string) {
			d := r.p.Origins.Definition(inner)
			if d == nil {
				return nil, agentgraph.Place{}, ""
			}
			name := d.Name
			if name == "__call__" && d.Parent != nil {
				name = d.Parent.Name
			}
			return &function{d, r.p.Origins.Definition(outer)}, placeOfDef(d), name
		},
	}
}

// node is the node that a stretch of text is.
func (r *reader) node(f *il.Function, s il.Span) code.Node {
	m := r.p.Module(f.Module.Path)
	if m == nil {
		return code.Node{}
	}
	return m.At(int(s.From), int(s.To))
}

// Router is the function that decides, of what a route has for its source.
func (f *function) Router() any { return f.def }

// schemaArgument returns what a constructor is given as state.
func schemaArgument(c *intree.Call) code.Node {
	for i, name := range []string{"state_schema", "schema", "state", "state_type"} {
		pos := 0
		if i > 0 {
			pos = -1
		}
		if a := c.Arg(name, pos); a.Valid() {
			return a
		}
	}
	return code.Node{}
}

// schemaGiven reports whether the constructor is given a state type, or may be
// by a splat. A home-made one may need none.
func (s *side) schemaGiven() bool {
	return s.call == nil || schemaArgument(s.call).Valid() || s.call.Splat()
}

// schema says what is passed as state.
func (r *reader) schema(c *intree.Call, g wiring.Graph) intree.Symbol {
	if c == nil {
		return intree.Symbol{Qualified: "?"}
	}
	a := schemaArgument(c)
	if !a.Valid() {
		return intree.Symbol{Qualified: c.Node.Unknown()}
	}
	if d := r.p.Origins.Definition(g.Schema); d != nil {
		return intree.Symbol{Qualified: d.Qualified, Def: d}
	}
	if s := r.p.Resolve(a); s.Known() || g.Named == "" {
		return s
	}
	return intree.Symbol{Qualified: g.Named, External: true}
}

// wirers are the methods that wire, as they are written in text that does not parse.
var wirers = []string{"add_node(", "add_edge(", "add_conditional_edges(", "add_sequence(", "set_entry_point(", "set_finish_point("}

// broken notes wiring that does not parse.
func (r *reader) broken(g *agentgraph.Graph, m *code.Module) {
	for _, b := range m.Broken() {
		if slices.ContainsFunc(wirers, func(name string) bool { return strings.Contains(b.Text(), name) }) {
			g.Unresolved = append(g.Unresolved, agentgraph.Unresolved{Expr: b.Unknown(), Node: true, At: placeOf(b)})
		}
	}
	g.Finish()
}
