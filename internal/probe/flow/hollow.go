package flow

import (
	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// hollowed is the finding that nodes of a role are wired after a look into
// them: one whose function does nothing is found, empty, and counts half.
func (r *reading) hollowed(role agentgraph.Role, f probe.Finding) probe.Finding {
	nodes := r.Main.ByRole(role)
	var empty []court.Place
	for _, n := range nodes {
		if d := langgraph.Def(n.Source); d != nil && n.Nested == nil && r.program.Hollow(d) {
			empty = append(empty, court.Place{Path: n.Body.Path, Line: n.Body.Line})
		}
	}
	if len(empty) == 0 {
		return f
	}
	return probe.Partly(probe.Ratio(2*len(nodes)-len(empty), 2*len(nodes)), court.AST, empty,
		"%s But the functions of %d of the %d %s nodes are empty: they do nothing.", f.Rationale, len(empty), len(nodes), role).
		Do("Write the function at %s: it is a node of the graph and does nothing.", court.Clean(empty[0].String(), 160))
}

// joined is the answer about reducers where a function is the graph: it joins what its
// tasks return itself, and no reducer is ever run.
func joined(g *agentgraph.Graph) (probe.Finding, bool) {
	if g == nil || g.Provenance != agentgraph.FromFunctions {
		return probe.Finding{}, false
	}
	f := probe.Nothing(court.One, court.AST, "The tasks write no state: the entrypoint itself joins the values that they return.")
	f.Places = facts.At(g.Builder)
	return f, true
}

// writeless is the answer about what the nodes write when none of them writes
// anything: there is nothing that could go wrong, or right.
func writeless(g *agentgraph.Graph) (probe.Finding, bool) {
	if len(g.Writes) > 0 || len(g.Nodes) == 0 {
		return probe.Finding{}, false
	}
	for _, n := range g.Nodes {
		if n.Opaque || n.Nested != nil || n.Source == nil {
			return probe.Finding{}, false
		}
	}
	f := probe.Missing(court.One, court.AST, "No node of the graph writes anything into the state.").Do("Return from each node the keys of the state that the node fills.")
	f.Places = facts.At(g.Builder)
	return f, true
}
