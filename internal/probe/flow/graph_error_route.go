package flow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var graphErrorRoute = probe.Probe{
	ID: "graph.error_route", Version: "2", Target: court.GithubRepo,
	Title:  "Missing evidence and failing nodes have a route of their own",
	Doc:    "Looks for routes with one target that ends or handles the failure and another that goes on, and says which groups they guard: collecting evidence, and judging. Each is half.",
	Remedy: "Add a conditional edge behind the aggregator and behind the judges that leads to a handler when something is missing.", Effort: 45,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		return asksFacts(ctx, s, func(r *reading) []probe.Finding { return []probe.Finding{errorRoutes(r.Main, r.Escapes())} })
	},
}

func errorRoutes(g *agentgraph.Graph, f facts.Fact[facts.Escapes]) probe.Finding {
	routes, where := f.Value.Routes, f.At
	evidence, judging := false, false
	var said []string
	for _, r := range routes {
		evidence = evidence || slices.Contains(r.Covers, facts.Detective) || slices.Contains(r.Covers, agentgraph.RoleAggregator)
		judging = judging || slices.Contains(r.Covers, facts.Judge)
		var to []string
		for _, e := range r.Escape {
			to = append(to, agentgraph.Label(e))
		}
		said = append(said, fmt.Sprintf("%s may lead to %s", court.Clean(agentgraph.Label(r.Route.From), 60), court.Clean(strings.Join(to, ", "), 80)))
	}
	text := strings.Join(said[:min(len(said), 3)], "; ")
	switch {
	case evidence && judging:
		return probe.Present(court.AST, where, "%s", safetext.Sentence(text))
	case !f.Value.Complete:
		return probe.Cannot(court.Dynamic, where, "Some routes could not be resolved. Those that could: %s.", text)
	case evidence:
		return probe.Partly(court.One/2, court.AST, where, "%s No route guards failing judges.", safetext.Sentence(text)).Do("%s", toGuard(g, true, false))
	case judging:
		return probe.Partly(court.One/2, court.AST, where, "%s No route guards missing evidence.", safetext.Sentence(text)).Do("%s", toGuard(g, false, true))
	case len(routes) > 0:
		return probe.Partly(court.One/2, court.AST, where, "%s No route guards missing evidence or failing judges.", safetext.Sentence(text)).Do("%s", toGuard(g, false, false))
	}
	if len(g.Routes) > 0 {
		from := agentgraph.Item{}
		for _, r := range g.Routes {
			where, from.Nodes = append(where, facts.At(r.At)...), append(from.Nodes, r.From)
		}
		none := "The graph has routes, but none leads to a handler or to the end when something fails."
		if why := untaken(g, g.ByRole(agentgraph.RoleHandler)); why != "" {
			none += " " + safetext.Sentence(why)
		}
		ask := filling(func(*agentgraph.Graph, []agentgraph.Item) string { return toGuard(g, false, false) })
		return probe.Against(court.AST, where, "%s", none).Do("%s", ask(g, []agentgraph.Item{from}))
	}
	return probe.Against(court.AST, facts.At(g.Builder), "The graph has no conditional route.").Do("%s", toGuard(g, false, false))
}
