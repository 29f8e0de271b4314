package flow

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var graphUsed = probe.Probe{
	ID: "graph.used", Version: "3", Target: court.GithubRepo,
	Title:  "The graph is compiled and invoked from an entry point",
	Doc:    "Looks for compile on the builder and invoke, stream or the like on the result, and whether a script, a main block, a server or langgraph.json leads there.",
	Remedy: "Compile the graph and invoke it from the program's entry point.", Effort: 15,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		return asks(ctx, s, func(g *agentgraph.Graph) []probe.Finding {
			where := append(callsAt(g.Invokes), callsAt(g.Compiles)...)
			switch {
			case g.Run:
				return []probe.Finding{probe.Present(court.AST, orBuilder(where, g), "The graph is compiled and run, and an entry point reaches it.")}
			case g.Invoked:
				return []probe.Finding{probe.Partly(court.One/2, court.AST, orBuilder(where, g), "The graph is compiled and run, but no entry point that reaches it was found.").Do("Invoke the graph from the program's entry point: app.invoke(state) in the main block, or in what a console script runs.")}
			case g.Compiled:
				return []probe.Finding{probe.Partly(court.One/2, court.AST, orBuilder(where, g), "The graph is compiled, but nothing that runs it was found.").Do("Invoke the compiled graph from the program's entry point: app.invoke(state).")}
			}
			return []probe.Finding{probe.Against(court.AST, facts.At(g.Builder), "The graph is built, but never compiled.").Do("Compile the graph built at %s and invoke it from the program's entry point: app = graph.compile(), app.invoke(state).", at(g))}
		})
	},
}

func callsAt(calls []agentgraph.Call) []court.Place {
	var out []court.Place
	for _, c := range calls {
		out = append(out, court.Place{Path: c.At.Path, Line: c.At.Line})
	}
	return out
}

func orBuilder(where []court.Place, g *agentgraph.Graph) []court.Place {
	if len(where) == 0 {
		return facts.At(g.Builder)
	}
	return where
}

var graphOps = probe.Probe{
	ID: "graph.ops", Version: "1", Target: court.GithubRepo,
	Title:  "The graph is run with checkpoints, retries and limits",
	Doc:    "Asks four questions of equal weight: is there a checkpointer, a retry policy on a node, a recursion limit, a time limit around a step or an invocation.",
	Remedy: "Compile with a checkpointer, give nodes a RetryPolicy, and invoke with recursion_limit and a timeout.", Effort: 30,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		return asksFacts(ctx, s, func(r *reading) []probe.Finding {
			g := r.Main
			var where []court.Place
			var has, missing []string
			for _, q := range []struct {
				name string
				at   []court.Place
			}{{"checkpointer", r.Keeps().At}, {"retry policy", facts.At(g.Ops.RetryPolicy...)}, {"recursion limit", facts.At(g.Ops.RecursionLimit...)}, {"time limit", facts.At(g.Ops.Timeout...)}} {
				if len(q.at) > 0 {
					where, has = append(where, q.at...), append(has, q.name)
				} else {
					missing = append(missing, q.name)
				}
			}
			if len(has) == 0 {
				return []probe.Finding{probe.Against(court.AST, facts.At(g.Builder), "The graph runs without %s.", safetext.Either(missing)).Do("%s", lacks(g, missing))}
			}
			words := "The graph has a " + safetext.List(has) + "."
			if len(missing) > 0 {
				words += " It has no " + safetext.Either(missing) + "."
			}
			return []probe.Finding{probe.Partly(probe.Ratio(len(has), 4), court.AST, where, "%s", words).Do("%s", lacks(g, missing))}
		})
	},
}

func comma(list, more string) string {
	if list == "" {
		return more
	}
	return list + ", " + more
}
