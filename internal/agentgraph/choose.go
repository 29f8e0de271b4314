package agentgraph

import (
	"cmp"
	"slices"
	"strings"
)

// Reading is everything LangGraph in one repository.
type Reading struct {
	// Graphs are all builders outside vendored and generated code, best first:
	// the order in which Main is chosen.
	Graphs []*Graph
	// Main is the graph that counts: not in tests or examples, then reachable
	// from an entry point, run from one, compiled, with reviewers, with more nodes, more edges,
	// then by path. nil: no builder was found; see Absent.
	Main *Graph
	// Other are uses of LangGraph that build no StateGraph.
	Other []OtherAPI
	// Sentinels are code tokens "StateGraph" in production code that could be a
	// construction which was not understood. They forbid to say "absent".
	Sentinels []Place

	State    *State // of Main; without a graph the class that is most likely one; nil: none
	Material *Model // of what the workers bring; nil: none
	Review   *Model // of a review; nil: none
}

// OtherAPI is a use of LangGraph other than a StateGraph.
type OtherAPI struct {
	Name string // create_react_agent, entrypoint, task, Pregel, ...
	At   Place
}

// Union is what several readers read of one repository: the graphs of all, the
// main one chosen as within one reading, the earlier reading first among equals.
func Union(first, second *Reading) *Reading {
	if len(second.Graphs) == 0 {
		return first
	}
	out := *first
	out.Graphs = append(slices.Clone(first.Graphs), second.Graphs...)
	slices.SortStableFunc(out.Graphs, preference)
	if second.Main != nil && (first.Main == nil || preference(second.Main, first.Main) < 0) {
		out.Main, out.State, out.Sentinels = second.Main, second.State, nil
	}
	return &out
}

// Absent says whether there is no StateGraph: Yes, No when there is one, or
// Unknown when none was found but Sentinels speak against it.
func (r *Reading) Absent() Truth {
	switch {
	case r.Main != nil:
		return No
	case len(r.Sentinels) > 0:
		return Unknown
	default:
		return Yes
	}
}

// Settle gives the nodes their roles by the words of a profile, orders the graphs and takes the first
// that counts as the main one. The readers call it once the writes are read.
func (r *Reading) Settle(words *Profile) {
	for _, g := range r.Graphs {
		g.words = words
		g.cast(r)
	}
	slices.SortStableFunc(r.Graphs, preference)
	if len(r.Graphs) > 0 && r.Graphs[0].Production {
		r.Main = r.Graphs[0]
	}
}

// preference orders graphs, the one that counts first.
func preference(a, b *Graph) int {
	yes := func(x, y bool) int {
		switch {
		case x == y:
			return 0
		case x:
			return -1
		default:
			return 1
		}
	}
	return cmp.Or(
		yes(a.Production, b.Production),
		yes(a.Live, b.Live),
		yes(a.Run, b.Run),
		yes(a.Compiled, b.Compiled),
		yes(a.Present(a.words.Reviewers).Value == Yes, b.Present(b.words.Reviewers).Value == Yes),
		cmp.Compare(len(b.Nodes), len(a.Nodes)),
		cmp.Compare(len(b.Edges)+len(b.Routes), len(a.Edges)+len(a.Routes)),
		a.Builder.Compare(b.Builder),
	)
}

// markMany marks the nodes that many Sends go to.
func (g *Graph) markMany() {
	for _, r := range g.Routes {
		for _, t := range r.Targets {
			if n := g.Node(t.Name); n != nil && t.Many {
				n.Many = true
			}
		}
	}
}

// Finish settles what a reader added: it marks the nodes that many Sends go
// to, drops the wiring of conditions that do not hold, and puts the lists in
// order.
func (g *Graph) Finish() {
	g.markMany()
	g.settleSides()
	slices.SortFunc(g.Nodes, func(a, b Node) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(g.Edges, func(a, b Edge) int {
		return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To), cmp.Compare(a.Kind, b.Kind))
	})
	slices.SortStableFunc(g.Routes, func(a, b Route) int {
		return cmp.Or(strings.Compare(a.From, b.From), a.At.Compare(b.At))
	})
	slices.SortStableFunc(g.Unresolved, func(a, b Unresolved) int { return a.At.Compare(b.At) })
}
