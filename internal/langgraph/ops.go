package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// operation fills in how a graph is run and reached: ctor makes it, and a run has come there
// through the functions around it.
func (r *reader) operation(g *agentgraph.Graph, ctor code.Node, around []*il.Function) {
	for _, c := range g.Invokes {
		call := r.p.Call(Expr(c.Source))
		if call == nil {
			continue
		}
		g.Ops.RecursionLimit = agentgraph.Places(append(g.Ops.RecursionLimit, r.recursionLimit(call)...)...)
		if a := r.deadline(call.Node); a.Valid() {
			g.Ops.Timeout = agentgraph.Places(append(g.Ops.Timeout, placeOf(a))...)
		}
	}
	g.Compiled = len(g.Compiles) > 0 || g.Provenance == agentgraph.FromHome && len(g.Invokes) > 0
	g.Invoked = slices.ContainsFunc(g.Invokes, func(c agentgraph.Call) bool { return Expr(c.Source).Module().Scope == code.ScopeProduction })
	live := r.p.Live()
	if owner := r.p.Enclosing(ctor); owner != nil {
		g.Live = live[owner] || live[owner.Module.Body()] && owner.Kind == code.DefModule
	}
	for _, f := range around {
		if owner := r.p.Origins.Definition(f); owner != nil && live[owner] {
			g.Live = true
		}
	}
	for _, e := range r.p.Entries() {
		if e.Kind == "langgraph" && e.Def != nil && ctor.Module() == e.Def.Module {
			g.Live, g.Invoked, g.Run = true, true, true
		}
	}
}

// runs tells of each graph whether an entry point leads to a call that runs it. What the
// nodes of a graph run is run by that graph.
func (r *reader) runs(graphs []*agentgraph.Graph) {
	var nodes []*code.Definition
	for _, g := range graphs {
		for _, n := range g.Nodes {
			if d := Def(n.Source); d != nil {
				nodes = append(nodes, d)
			}
		}
	}
	live := r.p.LiveWithout(nodes...)
	for _, g := range graphs {
		for _, c := range g.Invokes {
			owner := r.p.Enclosing(Expr(c.Source))
			g.Run = g.Run || live[owner] && !r.p.Dead(Expr(c.Source))
		}
	}
}

// recursionLimit finds {"recursion_limit": n} among the arguments of a run, or
// bound by with_config.
func (r *reader) recursionLimit(c *intree.Call) []agentgraph.Place {
	var out []agentgraph.Place
	look := func(n code.Node) {
		v, ok := intree.Value(r.bodies.Analyses, n)
		if !ok {
			return
		}
		for _, s := range r.bodies.Values.Shapes(v.Function, v.Operand, v.Use) {
			if slices.ContainsFunc(s.Parts, func(p analyse.Part) bool { return p.Key == "recursion_limit" }) {
				out = append(out, placeOf(n))
			}
		}
	}
	for _, a := range c.Args {
		look(a.Value)
	}
	for n := range c.Receiver.Walk() {
		if n.Is("call") && lastName(n.Field("function")) == "with_config" {
			for a := range n.Field("arguments").Children() {
				look(a)
			}
		}
	}
	return out
}

// deadline returns the call around a run that sets it a time limit.
func (r *reader) deadline(n code.Node) code.Node {
	for a := range n.Around() {
		if a.Is("function_definition", "module") {
			return code.Node{}
		}
		if a.Is("call") && r.p.Resolve(a.Field("function")).Matches("asyncio.wait_for", "asyncio.timeout") {
			return a
		}
		if a.Is("with_statement") {
			for w := range a.Walk() {
				if w.Is("call") && r.p.Resolve(w.Field("function")).Matches("asyncio.timeout", "async_timeout.timeout", "anyio.fail_after") {
					return w
				}
				if w.Is("block") {
					break
				}
			}
		}
	}
	return code.Node{}
}
