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

var graphBypass = probe.Probe{
	ID: "graph.bypass", Version: "1", Target: court.GithubRepo,
	Title:  "No plain edge bypasses a conditional route",
	Doc:    "A node with an error route that also has a plain edge, or another route, into judges or chief justice runs them on the error path, too.",
	Remedy: "Remove the plain edge beside the route, or move the route in front of the join.", Effort: 15,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		return asks(ctx, s, func(g *agentgraph.Graph) []probe.Finding {
			routes, complete := g.ErrorRoutes()
			var items []agentgraph.Item
			for _, r := range routes {
				items = append(items, r.Bypass...)
			}
			switch {
			case len(items) > 0:
				return []probe.Finding{probe.Against(court.AST, facts.Shown(items), "%s", saying(items)).Do("%s", toDecide(g, routes))}
			case !complete:
				return []probe.Finding{probe.Cannot(court.Dynamic, nil, "Some routes could not be resolved.")}
			}
			if len(routes) == 0 {
				return []probe.Finding{probe.Nothing(court.One, court.AST, "The graph has no error route.")}
			}
			f := probe.Clean(court.One, court.AST, "%s is bypassed.", safetext.Capital(court.Of(0, len(routes), "error route")))
			f.Places = facts.At(g.Builder)
			return []probe.Finding{f}
		})
	},
}

var graphUnreachable = probe.Probe{
	ID: "graph.unreachable", Version: "1", Target: court.GithubRepo,
	Title:  "Every node can be reached",
	Doc:    "Follows edges and routes from START, not through targets that a router never returns.",
	Remedy: "Lead an edge to the node, or remove it.", Effort: 10,
	Run: flawed((*agentgraph.Graph).Unreachable, "every node can be reached from START", filling(toReach)),
}

var graphJoin = probe.Probe{
	ID: "graph.join", Version: "2", Target: court.GithubRepo,
	Title:  "No join runs twice or waits forever",
	Doc:    "A node with plain edges from branches of different length runs once for each; a barrier with a source that some run skips never fires. A defect that happens in some runs only counts half.",
	Remedy: "Join with add_edge([...], node), and let every source run in every case.", Effort: 20,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		return asks(ctx, s, func(g *agentgraph.Graph) []probe.Finding {
			twice, never := g.DoubleTrigger(), g.StarvedJoin()
			if twice.Value == agentgraph.Yes || never.Value == agentgraph.Yes {
				items := append(append([]agentgraph.Item{}, yes(twice)...), yes(never)...)
				always := slices.IndexFunc(items, func(i agentgraph.Item) bool { return !i.Some })
				if always < 0 {
					return []probe.Finding{probe.Partly(court.One/2, court.AST, facts.Shown(items), "%s", saying(items)).Do("%s", toMeet(g, items))}
				}
				items[0], items[always] = items[always], items[0]
				return []probe.Finding{probe.Against(court.AST, facts.Shown(items), "%s", saying(items)).Do("%s", toMeet(g, items))}
			}
			if twice.Value == agentgraph.Unknown {
				return []probe.Finding{flaw(twice, g, "", toMeet)}
			}
			return []probe.Finding{flaw(never, g, "no node is triggered twice, and no barrier waits for a node that may not run", toMeet)}
		})
	},
}

func yes(a agentgraph.Answer) []agentgraph.Item {
	if a.Value != agentgraph.Yes {
		return nil
	}
	return a.Items
}

var graphLoop = probe.Probe{
	ID: "graph.loop", Version: "1", Target: court.GithubRepo,
	Title:  "Every loop in the graph has a bound",
	Doc:    "A cycle is bounded when a router on it compares a state key with a constant while a node of the cycle changes that key.",
	Remedy: "Count the turns in the state and let the router end the loop at a limit.", Effort: 20,
	Run: flawed((*agentgraph.Graph).UnboundedLoops, "the graph has no loop without a bound", toBound),
}

var graphHidden = probe.Probe{
	ID: "graph.hidden", Version: "2", Target: court.GithubRepo,
	Title:  "Nothing makes parallel nodes run one after the other",
	Doc:    "Looks into the nodes that the wiring lets run together for a shared lock or a semaphore of one, staggered sleeps, blocking calls in async bodies, and one node that loops over the judges.",
	Remedy: "Drop the lock or sleep, or give each its own node.", Effort: 30,
	Run: flawed((*agentgraph.Graph).HiddenSequence, "nothing in the nodes makes them wait for each other", doing("Remove what makes the nodes wait for each other")),
}

var graphDecorative = probe.Probe{
	ID: "graph.decorative", Version: "1", Target: court.GithubRepo,
	Title:  "Every conditional route has a choice",
	Doc:    "A route with one distinct target decides nothing; a target in the path map that the router never returns is never taken.",
	Remedy: "Let the router return each target of its map, or use a plain edge.", Effort: 10,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		return asks(ctx, s, func(g *agentgraph.Graph) []probe.Finding {
			one, dead, choose := g.Decorative(), g.DeadTargets(), filling(doing("Let the router return each target of its map, or use a plain edge"))
			if items := append(append([]agentgraph.Item{}, yes(one)...), yes(dead)...); len(items) > 0 {
				return []probe.Finding{probe.Against(court.AST, facts.Shown(items), "%s", saying(items)).Do("%s", choose(g, items))}
			}
			if one.Value == agentgraph.Unknown {
				return []probe.Finding{flaw(one, g, "", choose)}
			}
			if len(g.Routes) == 0 && dead.Value == agentgraph.No {
				return []probe.Finding{probe.Nothing(court.One, court.AST, "The graph has no conditional route.")}
			}
			return []probe.Finding{flaw(dead, g, "every route has at least two targets that can be taken", choose)}
		})
	},
}

// toMeet asks for one join of the ways that come to a node apart. Ways of which a run may take
// one and not the other no edge can wait for.
func toMeet(g *agentgraph.Graph, items []agentgraph.Item) string {
	to := items[0].Nodes[0]
	var from []string
	trial := *g
	trial.Edges = nil
	for _, e := range g.Edges {
		if e.To != to {
			trial.Edges = append(trial.Edges, e)
		} else if !slices.Contains(from, e.From) && len(from) < mostNamed {
			from = append(from, e.From)
		}
	}
	if len(from) < 2 {
		return doing("Let every source of the join run in every case")(g, items)
	}
	for _, n := range from {
		trial.Edges = append(trial.Edges, agentgraph.Edge{From: n, To: to, Kind: agentgraph.Barrier, Sources: from})
	}
	if starved := trial.StarvedJoin(); slices.ContainsFunc(yes(starved), func(i agentgraph.Item) bool { return i.Nodes[0] == to }) {
		return fmt.Sprintf("Let %s wait for all that still runs: add_node(%s, ..., defer=True). An edge that waits for %s would wait forever where a run skips one of them.", quoted(to), quoted(to), safetext.List(quotedAll(from)))
	}
	return fmt.Sprintf("Replace the edges into %s by one that waits for all of its sources: %s.", quoted(to), edgeLine(to, from...))
}

// toDecide asks that error routes alone decide what follows: without the edges beside them, or,
// where nothing else leads to what those lead to, with that among their targets.
func toDecide(g *agentgraph.Graph, routes []agentgraph.ErrorRoute) string {
	var items []agentgraph.Item
	for _, r := range routes {
		trial, left := *g, r.Escape
		trial.Edges = slices.DeleteFunc(slices.Clone(g.Edges), func(e agentgraph.Edge) bool {
			return slices.ContainsFunc(r.Bypass, func(i agentgraph.Item) bool { return e.From == i.Nodes[0] && e.To == i.Nodes[1] })
		})
		lost := func(n string) bool {
			return g.Reachable(n).Value == agentgraph.Yes && trial.Reachable(n).Value == agentgraph.No
		}
		if !slices.ContainsFunc(r.Bypass, func(i agentgraph.Item) bool { return lost(i.Nodes[1]) }) {
			items = append(items, r.Bypass...)
			continue
		}
		var on []string
		for _, t := range r.Route.Targets {
			if !t.Dead && !slices.Contains(left, t.Name) {
				on = append(on, t.Name)
			}
		}
		for _, i := range r.Bypass {
			on = append(on, i.Nodes[1])
		}
		on = slices.Compact(slices.Sorted(slices.Values(on)))
		what, says, add := "the names of", quotedAll(on), ""
		if r.Route.Mapped {
			what = "what its map has for"
			var fresh []string
			if says, fresh = keysOf(r.Route, on); len(fresh) > 0 {
				add = fmt.Sprintf("add %s to its map, under %s, ", safetext.List(quotedAll(fresh)), map[bool]string{true: "that name", false: "those names"}[len(fresh) == 1])
			}
		}
		return fmt.Sprintf("Let the router at %s return %s all nodes that are to follow, [%s], %sand remove the edges from %s to them, which run on the error path, too.",
			facts.Line(facts.At(r.Route.At)[0]), what, strings.Join(says, ", "), add, quoted(r.Route.From))
	}
	return doing("Remove the edge beside the route")(g, items)
}

// keysOf is what a router with a map returns for nodes, and those that the map lacks, which
// are to stand in it under their names.
func keysOf(r *agentgraph.Route, nodes []string) (says, fresh []string) {
	for _, n := range nodes {
		key := ""
		for said, to := range r.Map {
			if to == n && (key == "" || said < key) {
				key = said
			}
		}
		switch key {
		case "":
			says, fresh = append(says, quoted(n)), append(fresh, n)
		case "True", "False":
			says = append(says, key)
		default:
			says = append(says, quoted(key))
		}
	}
	return says, fresh
}
