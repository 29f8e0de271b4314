package langgraph

import (
	"fmt"
	"slices"
	"strings"
)

// layers takes a role from the nodes that stand outside its layer: those that
// only lead on, hubs that start the others, and nodes that have the role by
// their data alone but come before or after all that carry it in their names.
// byData are the latter. The last node of a role keeps it.
func (r *reader) layers(g *Graph, byData map[string]bool) {
	if len(g.Nodes) > maxNodes {
		return
	}
	for _, role := range []Role{RoleDetective, RoleJudge, RoleChief} {
		nodes := g.ByRole(role)
		works := func(n *Node) bool { return !r.leadsOn(g, n) }
		if !slices.ContainsFunc(nodes, works) {
			continue
		}
		for _, n := range nodes {
			if !works(n) || r.hub(g, n, role) {
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
func (r *reader) leadsOn(g *Graph, n *Node) bool {
	if n.Def == nil || n.Opaque || slices.ContainsFunc(g.Writes, func(w Write) bool { return w.Node == n.Name && !w.Whole }) {
		return false
	}
	for m := range n.Def.Body().Walk() {
		switch {
		case m.Is("call") && !slices.Contains([]string{"print", "debug", "info", "warning", "get", "len", "copy", "dict"}, lastName(m.Field("function"))),
			m.Is("raise_statement", "delete_statement", "with_statement"),
			m.Is("assignment", "augmented_assignment") && m.Field("left").Is("subscript", "attribute"):
			return false
		}
	}
	return true
}

// hub reports whether a node that the words of its name make a worker only
// starts the others: what it returns is no worker's, and plain edges lead from
// it to two nodes of the role.
func (r *reader) hub(g *Graph, n *Node, role Role) bool {
	if g.State == nil || n.Def == nil || n.Opaque {
		return false
	}
	field := g.State.Evidences
	if role == RoleJudge {
		field = g.State.Opinions
	}
	if field == nil || role == RoleChief || slices.ContainsFunc(g.Writes, func(w Write) bool { return w.Node == n.Name && (w.Whole || w.Key == field.Name) }) {
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

// chiefs takes the role of the chief from nodes that only their names give it:
// what they return is read in full and is no verdict, and another node's is.
func (r *reader) chiefs(g *Graph) {
	rules := func(n *Node) bool {
		return n.Def == nil || n.Opaque || slices.ContainsFunc(g.Writes, func(w Write) bool { return w.Node == n.Name && (w.Whole || ruling(w)) })
	}
	another := func(n *Node) bool {
		return slices.ContainsFunc(g.Nodes, func(o Node) bool {
			return o.Name != n.Name && (o.Role == RoleChief && rules(&o) || o.Role == RoleOther && r.writesReport(g, &o))
		})
	}
	for _, n := range g.ByRole(RoleChief) {
		if !rules(n) && another(n) {
			n.Role, n.Why = RoleOther, "returns no verdict"
		}
	}
}

// ruling reports whether what a node writes may be a part of the verdict.
func ruling(w Write) bool {
	return !emptyValue(w.Value) && slices.ContainsFunc(words(w.Key), func(word string) bool {
		return slices.ContainsFunc([]string{"verdict", "report", "judgment", "judgement", "ruling", "decision", "score", "synthes", "final", "remediation", "dissent",
			"result", "summar", "audit", "markdown", "criteri", "chief", "justice"}, func(p string) bool { return strings.HasPrefix(word, p) })
	})
}
