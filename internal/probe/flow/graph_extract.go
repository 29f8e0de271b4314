package flow

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var graphExtract = probe.Probe{
	ID: "graph.extract", Version: "2", Target: court.GithubRepo,
	Title:  "The code builds a state graph",
	Doc:    "Looks for constructions of StateGraph through aliases, re-exports, wrappers and subclasses, and says whose class it is. A class of the project's own that is called StateGraph counts half when it runs. An entrypoint of the functional API is such a graph, too. Names in strings and comments do not count.",
	Remedy: buildGraph, Effort: 120,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		return asks(ctx, s, func(g *agentgraph.Graph) []probe.Finding {
			where := facts.At(g.Builder)
			switch {
			case g.Provenance == agentgraph.FromFunctions:
				return []probe.Finding{probe.Present(court.AST, where, "An entrypoint of LangGraph's functional API is the graph, with %s and %s. Nothing builds a StateGraph.", court.Count(len(g.Nodes), "node"), edgesOf(g))}
			case g.Provenance == agentgraph.FromHome && g.Compiled:
				return []probe.Finding{probe.Partly(court.One/2, court.AST, where, "StateGraph is a class of the project's own, with %d nodes. The program runs it, but it is not LangGraph.", len(g.Nodes))}
			case g.Provenance == agentgraph.FromHome:
				return []probe.Finding{probe.Against(court.AST, where, "StateGraph is a class of the project's own, and nothing runs it.")}
			case g.Provenance == agentgraph.ProvenanceUnknown:
				return []probe.Finding{probe.Present(court.Structure, where, "The code builds a StateGraph with %d nodes. The origin of the class could not be resolved.", len(g.Nodes))}
			}
			return []probe.Finding{probe.Present(court.AST, where, "The code builds a StateGraph of langgraph with %s and %s.", court.Count(len(g.Nodes), "node"), edgesOf(g))}
		})
	},
}

// edgesOf counts the edges of a graph. What could not be read is not a count of none.
func edgesOf(g *agentgraph.Graph) string {
	if len(g.Edges) == 0 && len(g.Unresolved) > 0 {
		return "no edge that could be read"
	}
	return court.Count(len(g.Edges), "edge")
}
