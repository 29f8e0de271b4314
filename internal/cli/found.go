package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// found is a submission's graph as a drawing, its names without what is shaped
// like a key. Its terminals are spelled alike in both packages.
func found(g *langgraph.Graph) graph.Drawing {
	d := graph.Drawing{Name: fmt.Sprintf("%s:%d", g.Builder.Path, g.Builder.Line)}
	for _, n := range g.Nodes {
		d.Nodes = append(d.Nodes, graph.DrawnNode{Name: n.Name, Map: n.Many})
	}
	for _, e := range g.Edges {
		d.Edges = append(d.Edges, graph.DrawnEdge{From: e.From, To: e.To})
		for i := range d.Nodes {
			if e.Kind == langgraph.Barrier && d.Nodes[i].Name == e.To {
				d.Nodes[i].Waits = e.Sources
			}
		}
	}
	for _, r := range g.Routes {
		for _, t := range r.Targets {
			label := "route"
			switch {
			case t.Dead:
				label = "never taken"
			case t.Send:
				label = "send"
			}
			d.Edges = append(d.Edges, graph.DrawnEdge{From: r.From, To: t.Name, Branch: label})
		}
	}
	d.Name = probe.Mask(d.Name)
	for i, n := range d.Nodes {
		d.Nodes[i] = graph.DrawnNode{Name: probe.Mask(n.Name), Map: n.Map, Waits: masked(n.Waits)}
	}
	for i, e := range d.Edges {
		d.Edges[i].From, d.Edges[i].To = probe.Mask(e.From), probe.Mask(e.To)
	}
	return d
}

func masked(names []string) []string {
	out := slices.Clone(names) // nil stays nil: no join
	for i, n := range out {
		out[i] = probe.Mask(n)
	}
	return out
}

// faultLines tells what is wrong with a graph, one line each.
func faultLines(g *langgraph.Graph) []string {
	var out []string
	for _, f := range []struct {
		what   string
		answer langgraph.Answer
	}{
		{"never runs", g.Unreachable()},
		{"bypassed or decorative route", g.Decorative()},
		{"target never taken", g.DeadTargets()},
		{"runs more than once", g.DoubleTrigger()},
		{"join that never fires", g.StarvedJoin()},
		{"loop without a bound", g.UnboundedLoops()},
		{"parallel only on paper", g.HiddenSequence()},
	} {
		for _, it := range f.answer.Items {
			if f.answer.Value == langgraph.Yes {
				out = append(out, fmt.Sprintf("%s: %s%s", f.what, it.Reason, places(it.At)))
			}
		}
	}
	for _, u := range g.Unresolved {
		out = append(out, fmt.Sprintf("could not be resolved: %s (%s:%d)", strings.TrimPrefix(u.Expr, "?"), u.At.Path, u.At.Line))
	}
	for i := range out {
		out[i] = court.Clean(probe.Mask(out[i]), 200)
	}
	return out
}

func places(at []langgraph.Place) string {
	var out []string
	for _, p := range at {
		out = append(out, fmt.Sprintf("%s:%d", p.Path, p.Line))
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}
