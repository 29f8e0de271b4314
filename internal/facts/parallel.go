package facts

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
)

// Extent is how much of the nodes of a role run at the same time.
type Extent uint8

// The extents. Every view that speaks of parallel work goes by them:
//
//	Unsettled  nobody could tell
//	Whole      of the nodes that can be reached no two are known to be apart
//	InPart     some pairs run together, others do not
//	Within     the graph has them in one node, which starts them at once
//	Chained    of any two one leads to the other
//	Apart      none of the above: too few nodes, or alternatives of each other
const (
	Unsettled Extent = iota
	Whole
	InPart
	Within
	Chained
	Apart
)

// Parallel is how the nodes of a role run. The answer is yes when at least two
// run at the same time.
type Parallel struct {
	Role   agentgraph.Role
	Extent Extent
	Nodes  []*agentgraph.Node // with the role, by name
	Pairs  []agentgraph.Item  // what runs together
	Apart  [][2]string        // of InPart: what does not
	Items  []agentgraph.Item  // what proves the extent

	keeps []agentgraph.Place // of InPart: the statements that keep some apart
}

// Flaw is where to change what does not run at the same time, and then what does.
func (p Parallel) Flaw() []court.Place { return At(append(p.keeps, placesOf(p.Items)...)...) }

// Together tells whether all of the named nodes run at the same time.
func (p Parallel) Together(names []string) bool {
	for _, two := range p.Apart {
		if slices.Contains(names, two[0]) && slices.Contains(names, two[1]) {
			return false
		}
	}
	return p.Extent == Whole || p.Extent == InPart
}

// parallelOf is how the nodes of a role run in a graph.
func parallelOf(g *agentgraph.Graph, role agentgraph.Role) Fact[Parallel] {
	answer := g.RunTogether(role)
	if g.Provenance == agentgraph.FromHome && !g.AtOnce && answer.Value == Yes {
		answer.Value, answer.Reason = Unknown, "the project's own engine decides what runs at the same time"
	}
	p := Parallel{Role: role, Nodes: g.ByRole(role), Items: answer.Items}
	switch answer.Value {
	case agentgraph.Yes:
		var unknown []agentgraph.Item
		p.Extent = Whole
		p.Pairs, unknown = g.ParallelPairs(role)
		if n := len(p.Nodes); n > 2 && len(unknown) == 0 && len(p.Pairs) > 0 && len(p.Pairs) < n*(n-1)/2 {
			p.Extent, p.Items, p.Apart = InPart, p.Pairs, apart(p.Nodes, p.Pairs)
			for _, two := range p.Apart {
				p.keeps = append(p.keeps, g.Apart(two[0], two[1])...)
			}
		}
	case agentgraph.No:
		p.Extent, p.Items = Apart, nil
		if inside := g.InsideNode(role); inside.Value == agentgraph.Yes {
			p.Extent, p.Items = Within, inside.Items
		} else if chain := g.Sequence(role); chain.Value == agentgraph.Yes {
			p.Extent, p.Items = Chained, chain.Items
		}
	default:
		return Fact[Parallel]{Value: p, Answer: answer.Value, Why: Reason{court.Dynamic, answer.Reason}, At: Shown(p.Items)}
	}
	return Fact[Parallel]{Value: p, Answer: answer.Value, Why: Reason{Text: answer.Reason}, At: Shown(p.Items)}
}

// apart lists the pairs of nodes that do not run at the same time.
func apart(nodes []*agentgraph.Node, pairs []agentgraph.Item) [][2]string {
	var out [][2]string
	for i, a := range nodes {
		for _, b := range nodes[i+1:] {
			if !slices.ContainsFunc(pairs, func(p agentgraph.Item) bool {
				return slices.Contains(p.Nodes, a.Name) && slices.Contains(p.Nodes, b.Name)
			}) {
				out = append(out, [2]string{a.Name, b.Name})
			}
		}
	}
	return out
}
