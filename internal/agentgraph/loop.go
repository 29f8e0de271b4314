package agentgraph

import (
	"fmt"
	"slices"
	"strings"
)

// maxLoops bounds how many cycles of a graph are looked at.
const maxLoops = 200

// UnboundedLoops looks for cycles without a router that compares with a
// constant a state key which a node of the cycle changes. The item names the
// nodes of the cycle in order.
func (g *Graph) UnboundedLoops() Answer {
	if len(g.Nodes) > maxNodes {
		return Answer{Reason: fmt.Sprintf("more than %d nodes", maxNodes)}
	}
	cycles, complete := g.plain().cycles()
	a := g.collect(len(cycles), func(i int) (Item, Truth, string) {
		c := cycles[i]
		item := Item{Nodes: c, Reason: "nothing bounds the loop over " + strings.Join(c, ", ")}
		for k, n := range c {
			item.At = append(item.At, g.between(n, c[(k+1)%len(c)])...)
		}
		item.At = Places(item.At...)
		value, why := g.bounded(c)
		return item, value.Not(), why
	})
	if a.Value == No && !complete {
		a.Value, a.Reason = Unknown, fmt.Sprintf("more than %d loops", maxLoops)
	}
	for _, u := range g.Unresolved {
		if a.Value == No && (u.From == nil || u.To == nil) {
			a.Value, a.Reason = Unknown, u.why()
		}
	}
	return a
}

// bounded says whether a router of the cycle tests a key that the cycle
// changes. A router or node that was not read leaves it Unknown.
func (g *Graph) bounded(cycle []string) (Truth, string) {
	changed := map[string]bool{}
	doubt := ""
	for _, name := range cycle {
		if n := g.Node(name); n != nil && n.Opaque {
			doubt = "what " + name + " returns was not resolved"
		}
	}
	for _, wr := range g.Writes {
		if slices.Contains(cycle, wr.Node) {
			changed[wr.Key] = true
		}
	}
	for i := range g.Routes {
		r := &g.Routes[i]
		if !slices.Contains(cycle, r.From) {
			continue
		}
		if r.Counted {
			return Yes, ""
		}
		for _, key := range r.Compares {
			if changed[key] {
				return Yes, ""
			}
		}
		if r.Source == nil {
			doubt = fmt.Sprintf("the router of %s was not resolved", Label(r.From))
		}
	}
	if doubt != "" {
		return Unknown, doubt
	}
	return No, ""
}

// between returns the places of the edges and routes from one node to another.
func (g *Graph) between(from, to string) []Place {
	var out []Place
	for _, e := range g.Edges {
		if e.From == from && e.To == to {
			out = append(out, e.At)
		}
	}
	for _, r := range g.Routes {
		if r.From == from && slices.ContainsFunc(r.Targets, func(t Target) bool { return t.Name == to && !t.Dead }) {
			out = append(out, r.At)
		}
	}
	return out
}

// Apart returns the statements that keep two nodes from running at the same time: what leads
// from one to the other, else where a node is added that nothing leads to, else what leads
// to either.
func (g *Graph) Apart(u, v string) []Place {
	if direct := append(g.between(u, v), g.between(v, u)...); len(direct) > 0 {
		return direct
	}
	for _, name := range []string{u, v} {
		if n := g.Node(name); n != nil && len(g.into(name)) == 0 {
			return []Place{n.At}
		}
	}
	return append(g.into(u), g.into(v)...)
}

// cycles returns the simple cycles, each from its first node in name order.
func (w *wiring) cycles() (out [][]string, complete bool) {
	complete = true
	budget := 50_000
	for root := range w.names {
		if !w.has(root) || !w.reach[root][root] {
			continue
		}
		on := map[int]bool{}
		var way []int
		var walk func(n int)
		walk = func(n int) {
			if budget--; budget < 0 || len(out) >= maxLoops {
				complete = false
				return
			}
			on[n] = true
			way = append(way, n)
			for _, to := range w.successors(n) {
				switch {
				case to == root:
					var names []string
					for _, m := range way {
						names = append(names, w.names[m])
					}
					out = append(out, names)
				case to > root && !on[to] && w.reach[to][root]:
					walk(to)
				}
			}
			way = way[:len(way)-1]
			delete(on, n)
		}
		walk(root)
	}
	return out, complete
}

// successors returns the nodes that follow n, each once, in order.
func (w *wiring) successors(n int) []int {
	var out []int
	for _, s := range w.out[n] {
		out = append(out, s.to)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// HiddenSequence looks for nodes that are parallel by wiring but not by their
// code: a shared lock, staggered sleeps, blocking calls in async bodies, one
// node that runs the reviewers in turn. The reason begins with the kind.
func (g *Graph) HiddenSequence() Answer {
	a := Answer{Value: No}
	found := func(it Item) {
		for i := range a.Items { // said of more nodes
			if old := &a.Items[i]; old.Reason == it.Reason {
				old.Nodes, old.At = append(old.Nodes, it.Nodes...), Places(append(old.At, it.At...)...)
				slices.Sort(old.Nodes)
				old.Nodes = slices.Compact(old.Nodes)
				return
			}
		}
		a.Items = append(a.Items, it)
	}
	for i, h := range g.Waits {
		if h.Key == "" {
			if g.Node(h.Node) != nil && (h.Alone || g.beside(h.Node) != "") {
				found(Item{Nodes: []string{h.Node}, At: []Place{h.At}, Reason: h.Reason})
			}
			continue
		}
		for _, o := range g.Waits[i+1:] {
			if o.Key == h.Key && o.Node != h.Node && g.Parallel(h.Node, o.Node).Value == Yes {
				found(Item{Nodes: []string{h.Node, o.Node}, At: Places(h.At, o.At), Reason: h.Reason})
			}
		}
	}
	if len(a.Items) > 0 {
		a.Value = Yes
	}
	return a
}

// beside returns a node that is parallel to the named one, "" when none is.
func (g *Graph) beside(name string) string {
	for _, n := range g.Nodes {
		if n.Name != name && g.Parallel(name, n.Name).Value == Yes {
			return n.Name
		}
	}
	return ""
}
