package flow

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var graphParallel = probe.Probe{
	ID: "graph.parallel", Version: "3", Target: court.GithubRepo,
	Title:  "The nodes of a role run in parallel",
	Doc:    "Two nodes are parallel when neither leads to the other and some node starts the ways to both at once: by two plain edges, by an edge and a route, or by a route that returns a list or Sends. Alternatives of one exclusive router are not parallel. Concurrency inside one node counts half for detectives.",
	Remedy: "Give each of these nodes its own edge from one common node.", Effort: 30,
	Args: []probe.Arg{{Name: "role", Type: "string", Allowed: []string{"detectives", "judges"}, Default: "detectives", Doc: "whose nodes"}},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		return asksFacts(ctx, s, func(r *reading) []probe.Finding {
			role := facts.Detective
			if a.String("role") == "judges" {
				role = facts.Judge
			}
			p := r.Parallel(role)
			f := parallel(r.Main, p)
			if f.Outcome == court.Present || f.Outcome == court.Unknown {
				return []probe.Finding{f}
			}
			if why := untaken(r.Main, p.Value.Nodes); why != "" {
				item := agentgraph.Item{Reason: why}
				for _, n := range p.Value.Nodes {
					item.Nodes = append(item.Nodes, n.Name)
				}
				ask := filling(doing("Declare the key in the state, or ask for one that it has"))
				return []probe.Finding{f.Do("%s", ask(r.Main, []agentgraph.Item{item}))}
			}
			return []probe.Finding{f.Do("%s", toSpread(r.Main, role))}
		})
	},
}

// parallel is the finding of each extent: of nodes that run together in part
// only, and of those that one node starts, half is there.
func parallel(g *agentgraph.Graph, f facts.Fact[facts.Parallel]) probe.Finding {
	switch p := f.Value; p.Extent {
	case facts.Whole:
		return probe.Present(court.AST, f.At, "%s", saying(p.Items))
	case facts.InPart:
		return probe.Partly(court.One/2, court.AST, p.Flaw(), "Only some %ss run together: %s. These do not: %s.", p.Role, reasons(p.Items), apart(p.Apart))
	case facts.Within:
		return probe.Partly(court.One/2, court.AST, f.At, "%s In the graph itself, they are one node.", saying(p.Items))
	case facts.Chained:
		return probe.Against(court.AST, f.At, "%s", saying(p.Items))
	case facts.Apart:
		if len(p.Nodes) == 0 {
			return probe.Missing(court.One, court.AST, "The graph at %s:%d has no %s nodes.", g.Builder.Path, g.Builder.Line, p.Role)
		}
		var where []court.Place
		for _, n := range p.Nodes {
			where = append(where, facts.At(n.At)...)
		}
		if len(p.Nodes) == 1 {
			return probe.Against(court.AST, where, "There is only one %s node, so none runs beside another: %s.", p.Role, nodesOf(p.Nodes))
		}
		text := fmt.Sprintf("No two of the %ss are started together: %s.", p.Role, nodesOf(p.Nodes))
		if why := untaken(g, p.Nodes); why != "" {
			text += " " + safetext.Sentence(why)
		}
		return probe.Against(court.AST, where, "%s", text)
	case facts.Unsettled:
	}
	return unsettled(f.At, f.Why.Text)
}

// untaken says why a router never starts some of the nodes, where the state lacks what it
// asks for, or never holds anything there.
func untaken(g *agentgraph.Graph, nodes []*agentgraph.Node) string {
	if g == nil {
		return ""
	}
	return court.Clean(g.Untaken(nodes), 300)
}

// apart says which of the nodes do not run at the same time.
func apart(pairs [][2]string) string {
	var out []agentgraph.Item
	for _, p := range pairs {
		out = append(out, agentgraph.Item{Reason: p[0] + " and " + p[1]})
	}
	return reasons(out)
}

func nodesOf(nodes []*agentgraph.Node) string {
	var names strings.Builder
	for i, n := range nodes {
		if i > 0 {
			names.WriteString(", ")
		}
		names.WriteString(court.Clean(n.Name, 60))
	}
	return names.String()
}
