package agentgraph

import (
	"fmt"
	"slices"
)

// Role is the part that a node plays: one of the three layers, as a Profile
// calls them, or one of these.
type Role string

// Roles that every profile has. RoleUnknown is a tie between several.
const (
	RoleAggregator Role = "aggregator"
	RoleHandler    Role = "handler"
	RoleOther      Role = "other"
	RoleUnknown    Role = "unknown"
)

// cast gives every node of a graph its role: by the words of its name, else
// of the function that it runs and what is passed to it, else by the data that
// it returns. Data beats words that name another worker, and what stands
// outside the layer of its role has none.
func (g *Graph) cast(all *Reading) {
	byData := map[string]bool{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.Role, n.Why = g.wordRole(n)
		data, why := g.dataRole(n, all)
		switch {
		case data == "" || data == n.Role:
		case n.Role == RoleOther, n.Role == RoleUnknown,
			n.Role == g.words.Workers && data == g.words.Reviewers, n.Role == g.words.Reviewers && data == g.words.Workers:
			byData[n.Name] = n.Role == RoleOther
			n.Role, n.Why = data, why
		}
	}
	g.layers(byData)
	g.deciders()
	if len(g.ByRole(g.words.Decider)) > 0 {
		return
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Role == RoleOther && g.writesOutcome(n) {
			n.Role, n.Why = g.words.Decider, fmt.Sprintf("writes the %s from the %s", g.words.Outcome.Noun, g.words.Reviews.Noun)
		}
	}
}

// wordRole reads the role from the node's name, its function's name, and the
// constants that partial or a factory passes to the function.
func (g *Graph) wordRole(n *Node) (Role, string) {
	if n.Gate {
		return RoleOther, ""
	}
	if role := g.words.RoleOf(n.Name); role != RoleOther {
		return role, fmt.Sprintf("the name %s", n.Name)
	}
	if g.words.PassedOn(n.Name) {
		return RoleOther, ""
	}
	if n.Source == nil && n.Name == "*" {
		return RoleUnknown, "neither the name nor the function is known"
	}
	if role := g.words.RoleOf(n.Called); role != RoleOther {
		return role, fmt.Sprintf("the function %s", n.Called)
	}
	for _, text := range n.Given {
		if role := g.words.RoleOf(text); role == g.words.Reviewers {
			return role, fmt.Sprintf("the argument %q", text)
		}
	}
	if slices.Contains(Words(n.Name), g.words.Material.Noun) && len(g.into(n.Name)) >= 2 {
		return RoleAggregator, fmt.Sprintf("the name %s and its inputs", n.Name)
	}
	return RoleOther, ""
}

// dataRole reads the role from what a node returns: reviews that it makes are a
// reviewer's, material that it makes a worker's. "" when the data say nothing.
func (g *Graph) dataRole(n *Node, all *Reading) (Role, string) {
	if g.State == nil || n.Source == nil || g.words.PassedOn(n.Name) || n.Role == RoleHandler || n.Role == RoleAggregator || n.Role == g.words.Decider {
		return "", ""
	}
	writes := func(f *Field) bool {
		return f != nil && slices.ContainsFunc(g.Writes, func(w Write) bool {
			return w.Node == n.Name && w.Key == f.Name && !w.Empty
		})
	}
	makes := func(m *Model) bool { return m != nil && slices.Contains(n.Makes, m) }
	reviews := writes(g.State.Reviews) && makes(all.Review)
	material := writes(g.State.Material) && makes(all.Material)
	switch {
	case reviews && material:
		return "", ""
	case reviews:
		return g.words.Reviewers, fmt.Sprintf("returns %s that it makes", g.words.Reviews.Noun)
	case material:
		return g.words.Workers, fmt.Sprintf("returns %s that it makes", g.words.Material.Noun)
	default:
		return "", ""
	}
}

// writesOutcome reports whether a node returns the outcome.
func (g *Graph) writesOutcome(n *Node) bool {
	if g.words.PassedOn(n.Name) || g.State == nil || g.State.Reviews == nil {
		return false
	}
	return slices.ContainsFunc(g.Writes, func(w Write) bool {
		return w.Node == n.Name && !w.Empty && g.words.decides(w.Key)
	})
}
