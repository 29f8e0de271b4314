package agentgraph

import (
	"fmt"
	"slices"
)

// layers takes a role from the nodes that stand outside its layer: those that
// only lead on, hubs that start the others, and nodes that have the role by
// their data alone but come before or after all that carry it in their names.
// byData are the latter. The last node of a role keeps it.
func (g *Graph) layers(byData map[string]bool) {
	if len(g.Nodes) > maxNodes {
		return
	}
	for _, role := range []Role{g.words.Workers, g.words.Reviewers, g.words.Decider} {
		nodes := g.ByRole(role)
		works := func(n *Node) bool { return !g.leadsOn(n) }
		if !slices.ContainsFunc(nodes, works) {
			continue
		}
		for _, n := range nodes {
			if !works(n) || g.hub(n, role) {
				n.Role, n.Why = RoleOther, fmt.Sprintf("only leads on to the %s nodes", role)
			}
		}
		named := slices.DeleteFunc(g.ByRole(role), func(n *Node) bool { return byData[n.Name] })
		if len(named) < 2 || len(named) == len(g.ByRole(role)) {
			continue
		}
		flat := g.plain().acyclic()
		for _, n := range g.ByRole(role) {
			if byData[n.Name] && flat.outside(n, named) {
				n.Role, n.Why = RoleOther, fmt.Sprintf("comes before or after the %s nodes", role)
			}
		}
	}
}

// outside reports whether a node leads to all of the others, or all to it.
func (w *wiring) outside(n *Node, others []*Node) bool {
	before, after := true, true
	for _, at := range w.find(n.Name) {
		for _, o := range others {
			for _, to := range w.find(o.Name) {
				before, after = before && w.reach[at][to], after && w.reach[to][at]
			}
		}
	}
	return before || after
}

// leadsOn reports whether a node does nothing: it returns nothing or the state
// as it came, and its code makes no call that could do more than log.
func (g *Graph) leadsOn(n *Node) bool {
	return n.Source != nil && n.Idle && !n.Opaque && !slices.ContainsFunc(g.Writes, func(w Write) bool { return w.Node == n.Name && !w.Whole })
}

// hub reports whether a node that the words of its name make a worker only
// starts the others: what it returns is not a worker's, and plain edges lead from
// it to two nodes of the role.
func (g *Graph) hub(n *Node, role Role) bool {
	if g.State == nil || n.Source == nil || n.Opaque {
		return false
	}
	field := g.State.Material
	if role == g.words.Reviewers {
		field = g.State.Reviews
	}
	if field == nil || role == g.words.Decider || slices.ContainsFunc(g.Writes, func(w Write) bool { return w.Node == n.Name && (w.Whole || w.Key == field.Name) }) {
		return false
	}
	started := 0
	for _, e := range g.Edges {
		if to := g.Node(e.To); e.From == n.Name && to != nil && to.Role == role {
			started++
		}
	}
	return started >= 2
}

// deciders takes the role of the decider from nodes that only their names give
// it: what they return is read in full and is not an outcome, and another node's is.
func (g *Graph) deciders() {
	decides := func(n *Node) bool {
		return n.Source == nil || n.Opaque || slices.ContainsFunc(g.Writes, func(w Write) bool { return w.Node == n.Name && (w.Whole || g.mayDecide(w)) })
	}
	another := func(n *Node) bool {
		return slices.ContainsFunc(g.Nodes, func(o Node) bool {
			return o.Name != n.Name && (o.Role == g.words.Decider && decides(&o) || o.Role == RoleOther && g.writesOutcome(&o))
		})
	}
	for _, n := range g.ByRole(g.words.Decider) {
		if !decides(n) && another(n) {
			n.Role, n.Why = RoleOther, "returns no "+g.words.Outcome.Noun
		}
	}
}

// mayDecide reports whether what a node writes may be a part of the outcome.
func (g *Graph) mayDecide(w Write) bool {
	return !w.Empty && begins(Words(w.Key), g.words.Outcome.MayBe)
}
