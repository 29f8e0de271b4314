package probe

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// behind tells runs of the nodes of graphs to which only nodes lead that always fail, by what
// is known of runs or by something else: an exception in a node ends the run of its graph.
func behind(all *analyse.Analyses, graphs *agentgraph.Reading, runs *analyse.Runs, fails func(*il.Function) (analyse.Failure, bool)) {
	because, open := map[*il.Function]analyse.Failure{}, map[*il.Function]bool{}
	var added []agentgraph.Place
	for _, g := range graphs.Graphs {
		failing, fail, bodies := map[string]analyse.Failure{}, map[string]bool{}, make([]*il.Function, len(g.Nodes))
		for i := range g.Nodes {
			n := &g.Nodes[i]
			bodies[i] = body(all, n)
			f := bodies[i]
			if f == nil || g.Provenance != agentgraph.FromLangGraph || !isAdded(all, f, n) {
				continue
			}
			x, ok := runs.Fails(f)
			if !ok {
				x, ok = fails(f)
			}
			if ok {
				failing[n.Name], fail[n.Name] = x, true
			}
		}
		out := g.Behind(fail)
		var cause analyse.Failure // of a node that a run comes to
		for i := range g.Nodes {
			x, ok := failing[g.Nodes[i].Name]
			if ok && !slices.Contains(out, &g.Nodes[i]) && (cause.At == nil || x.Function.Module == cause.Function.Module && x.At.Span.From < cause.At.Span.From) {
				cause = x
			}
		}
		for i := range g.Nodes {
			n := &g.Nodes[i]
			switch f := bodies[i]; {
			case f == nil || !g.Production:
			case slices.Contains(out, n):
				because[f], added = cause, append(added, n.At)
			default:
				open[f] = true
			}
		}
	}
	maps.DeleteFunc(because, func(f *il.Function, _ analyse.Failure) bool { return open[f] })
	if len(because) > 0 && !jumps(all) {
		runs.Behind(because, func(at il.Place) bool {
			return slices.ContainsFunc(added, func(p agentgraph.Place) bool { return holds(p, at) })
		})
	}
}

// jumps tells a program that goes on behind a node which did not run.
func jumps(all *analyse.Analyses) bool {
	for f := range all.Program.All() {
		for _, in := range f.Instructions() {
			if in.Op == il.Call && slices.Contains(in.Names, "as_node") {
				return true
			}
		}
	}
	return false
}

// body is the function that runs as a node, nil where it is not certain which that is.
func body(all *analyse.Analyses, n *agentgraph.Node) (only *il.Function) {
	top := all.Names.Top(n.Body.Path)
	if n.Source == nil || top == nil {
		return nil
	}
	for _, f := range top.Module.Functions {
		at := f.Place(f.Span)
		named := f.Kind == il.Lambda || strings.HasSuffix("."+f.Name, "."+n.Called)
		if !named || at.Line > n.Body.Line || at.EndLine != n.Body.End {
			continue
		}
		if only != nil {
			return nil
		}
		only = f
	}
	return only
}

// isAdded tells that the graph is given the function itself: what is wrapped around one may
// handle what it raises.
func isAdded(all *analyse.Analyses, f *il.Function, n *agentgraph.Node) bool {
	return len(f.Decorators) == 0 && slices.ContainsFunc(all.Names.Sites(f), func(s analyse.Site) bool {
		return !s.Call && s.At.Op == il.Call && strings.HasSuffix(s.At.Kind, "add_node") && holds(n.At, s.Function.Place(s.At.Span))
	})
}

func holds(p agentgraph.Place, at il.Place) bool {
	return p.Path == at.Path && p.Line <= at.Line && at.EndLine <= p.End
}
