package flow

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var graphFanIn = probe.Probe{
	ID: "graph.fan_in", Version: "1", Target: court.GithubRepo,
	Title:  "Parallel branches join before the next layer",
	Doc:    "Looks for a node that at least two of the sources lead into, also through gates and handlers, and from which the next layer is reached. END is no join, nor is an aggregator with one input in a chain.",
	Remedy: "Lead every branch into one node before the next layer starts", Effort: 30,
	Args: []probe.Arg{{Name: "of", Type: "string", Allowed: []string{"detectives", "judges"}, Default: "detectives", Doc: "whose branches"}},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		return asks(ctx, s, func(g *agentgraph.Graph) []probe.Finding {
			role, answer, layer := agentgraph.RoleDetective, g.FanIn(), g.DetectivesParallel()
			if a.String("of") == "judges" {
				role, answer, layer = agentgraph.RoleJudge, g.JudgesJoin(), g.JudgesParallel()
			}
			switch {
			case answer.Value == agentgraph.Yes:
				return []probe.Finding{probe.Present(court.AST, proof(answer.Items), "%s", reasons(answer.Items))}
			case answer.Value == agentgraph.Unknown:
				return []probe.Finding{probe.Cannot(court.Dynamic, proof(answer.Items), "%s", court.Clean(answer.Reason, 200))}
			case layer.Value == agentgraph.Yes && g.Meeting(role) != "":
				return []probe.Finding{probe.Missing(court.One, court.AST, "the %ss start together and meet only in %s, which is no join before the next layer", role, court.Clean(g.Meeting(role), 60))}
			case layer.Value == agentgraph.Yes:
				return []probe.Finding{probe.Against(court.AST, proof(layer.Items), "the %ss start together and never join", role)}
			}
			return []probe.Finding{probe.Missing(court.One, court.AST, "no node of the graph at %s:%d joins several %ss", g.Builder.Path, g.Builder.Line, role)}
		})
	},
}
