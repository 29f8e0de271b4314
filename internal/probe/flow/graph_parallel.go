package flow

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var graphParallel = probe.Probe{
	ID: "graph.parallel", Version: "1", Target: court.GithubRepo,
	Title:  "The nodes of a role run in parallel",
	Doc:    "Two nodes are parallel when neither leads to the other and some node starts the ways to both at once: by two plain edges, by an edge and a route, or by a route that returns a list or Sends. Alternatives of one exclusive router are not parallel. Concurrency inside one node counts half for detectives.",
	Remedy: "Give each of these nodes its own edge from one common node", Effort: 30,
	Args: []probe.Arg{{Name: "role", Type: "string", Allowed: []string{"detectives", "judges"}, Default: "detectives", Doc: "whose nodes"}},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		return asks(ctx, s, func(g *agentgraph.Graph) []probe.Finding {
			role := agentgraph.RoleDetective
			if a.String("role") == "judges" {
				role = agentgraph.RoleJudge
			}
			return []probe.Finding{parallel(g, role)}
		})
	},
}

func parallel(g *agentgraph.Graph, role agentgraph.Role) probe.Finding {
	answer := g.DetectivesParallel()
	if role == agentgraph.RoleJudge {
		answer = g.JudgesParallel()
	}
	switch answer.Value {
	case agentgraph.Yes:
		return allOfThem(g, role, answer)
	case agentgraph.Unknown:
		return probe.Cannot(court.Dynamic, proof(answer.Items), "%s", court.Clean(answer.Reason, 200))
	default: // not as nodes of the graph
	}
	if inside := g.InsideNode(role); inside.Value == agentgraph.Yes {
		return probe.Partly(court.One/2, court.AST, proof(inside.Items), "%s; in the graph itself they are one node", reasons(inside.Items))
	}
	if chain := g.Sequence(role); chain.Value == agentgraph.Yes {
		return probe.Against(court.AST, proof(chain.Items), "%s", reasons(chain.Items))
	}
	if n := g.ByRole(role); len(n) > 0 {
		var where []court.Place
		for _, x := range n {
			where = append(where, at(x.At)...)
		}
		return probe.Against(court.AST, where, "%s: no two %ss are started together", nodesOf(n), role)
	}
	return probe.Missing(court.One, court.AST, "the graph at %s:%d has no %s nodes", g.Builder.Path, g.Builder.Line, role)
}

// allOfThem is full only when no two nodes of the role run one after the other.
func allOfThem(g *agentgraph.Graph, role agentgraph.Role, answer agentgraph.Answer) probe.Finding {
	nodes := g.ByRole(role)
	pairs, unknown := g.ParallelPairs(role)
	if want := len(nodes) * (len(nodes) - 1) / 2; len(nodes) > 2 && len(unknown) == 0 && len(pairs) > 0 && len(pairs) < want {
		return probe.Partly(court.One/2, court.AST, proof(pairs), "only some run together: %s; %s", reasons(pairs), apart(nodes, pairs))
	}
	return probe.Present(court.AST, proof(answer.Items), "%s", reasons(answer.Items))
}

// apart says which of the nodes do not run at the same time.
func apart(nodes []*agentgraph.Node, pairs []agentgraph.Item) string {
	var out []agentgraph.Item
	for i, a := range nodes {
		for _, b := range nodes[i+1:] {
			if !slices.ContainsFunc(pairs, func(p agentgraph.Item) bool {
				return slices.Contains(p.Nodes, a.Name) && slices.Contains(p.Nodes, b.Name)
			}) {
				out = append(out, agentgraph.Item{Reason: a.Name + " and " + b.Name + " do not"})
			}
		}
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
