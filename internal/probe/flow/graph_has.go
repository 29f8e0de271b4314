package flow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var graphHas = probe.Probe{
	ID: "graph.has", Version: "1", Target: court.GithubRepo, Generic: true,
	Title:  "The graph has the named part",
	Doc:    "Looks in the main graph for a node, an edge or a conditional route of these names; * is any run of characters, START and END are the terminals, case does not matter. An edge is also found as one target of a route. Where some of the wiring could not be followed, what is not found is unknown.",
	Remedy: "Add the node, edge or route to the graph under the name that the rubric gives.", Effort: 30,
	OneOf: []string{"node", "edge", "route"},
	Args: []probe.Arg{
		{Name: "node", Type: "string", Doc: "name of a node"},
		{Name: "edge", Type: "string", Doc: "FROM->TO"},
		{Name: "route", Type: "string", Doc: "FROM, or FROM->TO, of a decision taken at run time"},
	},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		if a.String("node")+a.String("edge")+a.String("route") == "" {
			return nil, &probe.Unable{Reason: court.NoDetector, Why: "no node, edge or route was named"}
		}
		return asks(ctx, s, func(g *agentgraph.Graph) []probe.Finding { return []probe.Finding{part(g, a)} })
	},
}

// part looks for all that was named; the first that is not there decides.
func part(g *agentgraph.Graph, a probe.Args) probe.Finding {
	var where []court.Place
	for _, kind := range []string{"node", "edge", "route"} {
		name := a.String(kind)
		if name == "" {
			continue
		}
		from, to, _ := strings.Cut(name, "->")
		found := map[string]func(*agentgraph.Graph, func(string) bool, func(string) bool) []court.Place{"node": nodesLike, "edge": edgesLike, "route": routesLike}[kind](g, like(from), like(to))
		switch {
		case len(found) > 0:
			where = append(where, found...)
		case len(g.Unresolved) > 0 || slices.ContainsFunc(g.Nodes, func(n agentgraph.Node) bool { return n.Pattern }):
			return probe.Cannot(court.Dynamic, facts.At(g.Builder), "%s %q was not found, but not all of the wiring could be followed.", kind, court.Clean(name, 80))
		default:
			return probe.Missing(court.One, court.AST, "The graph has no %s %q. Its nodes are: %s.", kind, court.Clean(name, 80), nodeNames(g)).Do("Add the %s %q to the graph at %s.", kind, court.Clean(name, 80), at(g))
		}
	}
	return probe.Present(court.AST, where, "The graph has %s.", called(a))
}

func called(a probe.Args) string {
	out := ""
	for _, kind := range []string{"node", "edge", "route"} {
		if name := a.String(kind); name != "" {
			out = comma(out, fmt.Sprintf("%s %q", kind, court.Clean(name, 80)))
		}
	}
	return out
}

// like matches the names of nodes as people write them; "" matches all.
func like(name string) func(string) bool {
	name = strings.TrimSpace(name)
	if name == "" {
		return func(string) bool { return true }
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.ToValidUTF8(name[:min(len(name), 200)], "")), `\*`, `.*`)
	re := regexp.MustCompile(`(?is)^` + pattern + `$`)
	return func(node string) bool { return re.MatchString(node) || re.MatchString(agentgraph.Label(node)) }
}

func nodesLike(g *agentgraph.Graph, from, _ func(string) bool) []court.Place {
	var out []court.Place
	for _, n := range g.Nodes {
		if !n.Pattern && from(n.Name) {
			out = append(out, facts.At(n.At)...)
		}
	}
	return out
}

func edgesLike(g *agentgraph.Graph, from, to func(string) bool) []court.Place {
	var out []court.Place
	for _, e := range g.Edges {
		if from(e.From) && to(e.To) {
			out = append(out, facts.At(e.At)...)
		}
	}
	return append(out, routesLike(g, from, to)...)
}

func routesLike(g *agentgraph.Graph, from, to func(string) bool) []court.Place {
	var out []court.Place
	for _, r := range g.Routes {
		if from(r.From) && (slices.ContainsFunc(r.Targets, func(t agentgraph.Target) bool { return !t.Dead && to(t.Name) })) {
			out = append(out, facts.At(r.At)...)
		}
	}
	return out
}

func nodeNames(g *agentgraph.Graph) string {
	out := ""
	for i, n := range g.Nodes {
		if i == 12 {
			return out + " and others"
		}
		out = comma(out, court.Clean(n.Name, 60))
	}
	return out
}
