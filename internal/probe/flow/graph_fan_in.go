package flow

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var graphFanIn = probe.Probe{
	ID: "graph.fan_in", Version: "3", Target: court.GithubRepo,
	Title:  "Parallel branches join before the next layer",
	Doc:    "Looks for a node that at least two of the sources lead into, also through gates and handlers, and from which the next layer is reached. END is not a join, nor is an aggregator with one input in a chain.",
	Remedy: "Lead every branch into one node before the next layer starts.", Effort: 30,
	Args: []probe.Arg{{Name: "of", Type: "string", Allowed: []string{"detectives", "judges"}, Default: "detectives", Doc: "whose branches"}},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		return asksFacts(ctx, s, func(r *reading) []probe.Finding {
			role := facts.Detective
			if a.String("of") == "judges" {
				role = facts.Judge
			}
			return []probe.Finding{r.joined(role)}
		})
	},
}

// joined says where the nodes of a role come together.
func (r *reading) joined(role agentgraph.Role) probe.Finding {
	join, layer := r.Join(role), r.Parallel(role)
	switch {
	case join.Answer == agentgraph.Yes:
		return probe.Present(court.AST, join.At, "%s", saying(join.Value))
	case join.Answer == agentgraph.Unknown:
		return unsettled(join.At, join.Why.Text)
	case layer.Answer != agentgraph.Yes:
		return probe.Missing(court.One, court.AST, "No node of the graph at %s:%d joins several %ss.", r.Main.Builder.Path, r.Main.Builder.Line, role).Do("%s", toJoin(r.Main, role))
	}
	if meeting := r.Main.Meeting(role); meeting != "" {
		return probe.Missing(court.One, court.AST, "The %ss start together and meet only in %s, which does not join them before the next layer.", role, court.Clean(meeting, 60)).Do("%s", toJoin(r.Main, role))
	}
	return probe.Against(court.AST, layer.At, "The %ss start together and never join.", role).Do("%s", toJoin(r.Main, role))
}
