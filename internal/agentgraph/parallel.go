package agentgraph

import (
	"fmt"
	"slices"
	"strings"
)

// Reachable says whether a node can be reached from START over edges and
// routes, not through dead targets.
func (g *Graph) Reachable(name string) Answer {
	value, why := g.settle("", func(w *wiring) Truth {
		return Decided(len(w.find(name)) > 0)
	})
	a := Answer{Value: value, Reason: why}
	if value == Yes {
		a.Items = []Item{{Nodes: []string{name}, At: g.into(name), Reason: Label(name) + " can be reached from START"}}
	}
	return a
}

// Unreachable looks for nodes that never run, one item each.
func (g *Graph) Unreachable() Answer {
	return g.collect(len(g.Nodes), func(i int) (Item, Truth, string) {
		n := &g.Nodes[i]
		r := g.Reachable(n.Name)
		item := Item{Nodes: []string{n.Name}, At: []Place{n.At}, Reason: fmt.Sprintf("nothing leads from START to %s", n.Name)}
		return item, r.Value.Not(), r.Reason
	})
}

// Behind are the nodes that START leads to only by way of some others, by their names.
func (g *Graph) Behind(others map[string]bool) (out []*Node) {
	if len(others) == 0 {
		return nil
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		behind, _ := g.settle("", func(w *wiring) Truth {
			return Decided(len(w.find(n.Name)) > 0 && !w.avoids(n.Name, others))
		})
		if behind == Yes {
			out = append(out, n)
		}
	}
	return out
}

// avoids reports whether a way leads from START to a node that no other of some names is on. A
// join needs all that it waits for.
func (w *wiring) avoids(name string, others map[string]bool) bool {
	var held []step
	for u, steps := range w.out {
		if others[w.names[u]] {
			held = append(held, steps...)
		}
	}
	seen := map[int]bool{0: true}
	for work := []int{0}; len(work) > 0; work = work[1:] {
		if w.names[work[0]] == name {
			return true
		}
		for _, s := range w.out[work[0]] {
			waits := s.barrier && slices.ContainsFunc(held, func(h step) bool { return h.barrier && h.to == s.to && h.at == s.at })
			if !others[w.names[work[0]]] && !waits && !seen[s.to] {
				seen[s.to] = true
				work = append(work, s.to)
			}
		}
	}
	return false
}

// Parallel says whether two nodes may run at the same time: neither leads to
// the other, and some node starts both ways at once. Alternatives of one
// exclusive router do not count.
func (g *Graph) Parallel(u, v string) Answer {
	value, why := g.settle("", func(w *wiring) Truth { return w.anyParallel(w.acyclic(), w.find(u), w.find(v)) })
	a := Answer{Value: value, Reason: why}
	if value == Yes {
		a.Items = []Item{g.plain().proof(u, v)}
	}
	return a
}

// anyParallel asks whether a node of the first list is parallel to one of the
// second. flat is the wiring without back edges.
func (w *wiring) anyParallel(flat *wiring, us, vs []int) Truth {
	out := No
	for _, u := range us {
		for _, v := range vs {
			if u == v {
				continue
			}
			if _, ok := flat.parallel(u, v); ok {
				return Yes
			}
			if flat.knot[u] || flat.knot[v] {
				out = Unknown
			}
		}
	}
	return out
}

// proof is the item that shows why two nodes are parallel.
func (w *wiring) proof(u, v string) Item {
	flat := w.acyclic()
	for _, i := range flat.find(u) {
		for _, j := range flat.find(v) {
			if i == j {
				continue // a pattern stands beside itself
			}
			if f, ok := flat.parallel(i, j); ok {
				return Item{
					Nodes:  []string{u, v},
					At:     Places(f.a.at, f.b.at),
					Reason: fmt.Sprintf("%s starts the ways to %s and %s together", Label(w.names[f.node]), Label(u), Label(v)),
					Shared: []shared{{Label(w.names[f.node]) + " starts the ways to ", " together", []string{Label(u), Label(v)}}},
				}
			}
		}
	}
	return Item{Nodes: []string{u, v}}
}

// RunTogether says whether two nodes of a role are parallel, or one of them is
// sent to many times with an argument that selects whom it plays. That one node
// starts several reviewers concurrently counts, too, as their work is the same;
// of other roles concurrency inside one node does not: see InsideNode.
func (g *Graph) RunTogether(role Role) Answer {
	sent := g.sent(role)
	if sent.Value == Yes {
		return sent
	}
	within := g.InsideNode(role)
	if role == g.words.Reviewers && within.Value == Yes {
		return within
	}
	value, why := g.settle(role, func(w *wiring) Truth {
		nodes := w.withRole(role)
		return w.anyParallel(w.acyclic(), nodes, nodes)
	})
	a := Answer{Value: value, Reason: why}
	pairs, _ := g.ParallelPairs(role)
	switch {
	case value == Yes:
		a.Items = pairs
	case sent.Value == Unknown:
		return sent
	case value == Unknown:
		a.Items = pairs
	case within.Value == Unknown:
		return within
	case len(g.ByRole(role)) == 0:
		a.Reason = fmt.Sprintf("no node is a %s", role)
	case len(g.ByRole(role)) == 1:
		a.Reason = fmt.Sprintf("only one node is a %s", role)
	default:
		a.Reason = fmt.Sprintf("no two %s nodes run at the same time", role)
	}
	return a
}

// sent says whether one node of the role is sent to many times with an
// argument that selects whom it plays.
func (g *Graph) sent(role Role) Answer {
	out := Answer{Value: No}
	for _, r := range g.Routes {
		for _, t := range r.Targets {
			n := g.Node(t.Name)
			if n == nil || n.Role != role || !t.Many || t.Dead || t.Selects == No || n.inTurn(role) {
				continue
			}
			item := Item{Nodes: []string{t.Name}, At: Places(r.At, t.At),
				Reason: fmt.Sprintf("%s sends to %s once for each item", Label(r.From), t.Name)}
			reached := g.Reachable(r.From).Value
			switch {
			case reached == Yes && t.Selects == Yes:
				return Answer{Value: Yes, Items: []Item{item}}
			case reached != No:
				out = Answer{Value: Unknown, Reason: fmt.Sprintf("what selects the part that %s plays was not resolved", t.Name), Items: []Item{item}}
			}
		}
	}
	return out
}

// inTurn reports whether a node runs several workers of a role one after the
// other: Sends to it are then parallel in something else.
func (n *Node) inTurn(role Role) bool {
	return slices.ContainsFunc(n.Inner, func(in Inner) bool { return in.Role == role && !in.Concurrent })
}

// ParallelPairs returns the pairs of reachable nodes with a role that are
// parallel, one item each, and those of which it is not known.
func (g *Graph) ParallelPairs(role Role) (pairs, unknown []Item) {
	nodes := g.ByRole(role)
	for i, u := range nodes {
		for _, v := range nodes[i+1:] {
			switch a := g.Parallel(u.Name, v.Name); a.Value {
			case Yes:
				pairs = append(pairs, a.Items...)
			case Unknown:
				unknown = append(unknown, Item{Nodes: []string{u.Name, v.Name}, At: []Place{u.At, v.At}, Reason: a.Reason})
			case No:
			}
		}
	}
	for _, n := range nodes {
		if a := g.Parallel(n.Name, n.Name); n.Several && len(pairs) == 0 && a.Value == Yes {
			pairs = append(pairs, a.Items...)
		}
	}
	return pairs, unknown
}

// Sequence says whether the nodes with a role are in a proven chain: two or
// more of them can be reached, and of any two one leads to the other. The item
// names them in order.
func (g *Graph) Sequence(role Role) Answer {
	value, why := g.settle(role, func(w *wiring) Truth {
		flat := w.acyclic()
		nodes := flat.withRole(role)
		for i, u := range nodes {
			for _, v := range nodes[i+1:] {
				if !flat.reach[u][v] && !flat.reach[v][u] {
					return No
				}
			}
		}
		return Decided(len(nodes) >= 2)
	})
	a := Answer{Value: value, Reason: why}
	if value != Yes {
		return a
	}
	flat := g.plain().acyclic()
	nodes := flat.withRole(role)
	slices.SortStableFunc(nodes, func(x, y int) int { return flat.order[x] - flat.order[y] })
	item := Item{}
	for _, n := range nodes {
		item.Nodes = append(item.Nodes, flat.names[n])
		item.At = append(item.At, g.into(flat.names[n])...)
	}
	item.Reason = fmt.Sprintf("the %ss run one after the other: %s", role, strings.Join(item.Nodes, ", "))
	a.Items = []Item{item}
	return a
}

// InsideNode looks for nodes that run the work of several nodes of a role
// concurrently in their own body. Of work that was not followed nobody can tell
// whose it is.
func (g *Graph) InsideNode(role Role) Answer {
	a := Answer{Value: No}
	for _, n := range g.Nodes {
		for _, in := range n.Inner {
			if in.Role == RoleUnknown && in.Concurrent && a.Value == No {
				a = Answer{Value: Unknown, Reason: n.Name + " starts work at once that was not followed",
					Items: []Item{{Nodes: []string{n.Name}, At: []Place{in.At}}}}
			}
			if in.Role == role && in.Concurrent {
				if a.Value != Yes {
					a = Answer{Value: Yes}
				}
				a.Items = append(a.Items, Item{Nodes: []string{n.Name}, At: []Place{in.At},
					Reason: fmt.Sprintf("%s starts %s at once", n.Name, strings.Join(in.Names, ", "))})
			}
		}
	}
	return a
}

// Width returns the size of the largest set of pairwise parallel nodes, of
// what is resolved; 0 for a graph without nodes that can be reached.
func (g *Graph) Width() int {
	if len(g.Nodes) > maxNodes {
		return 0
	}
	flat := g.plain().acyclic()
	var nodes []int
	for i := 2; i < len(flat.names); i++ {
		if flat.has(i) {
			nodes = append(nodes, i)
		}
	}
	with := map[int][]int{}
	for i, u := range nodes {
		for _, v := range nodes[i+1:] {
			if _, ok := flat.parallel(u, v); ok {
				with[u] = append(with[u], v)
			}
		}
	}
	budget := 100_000
	return clique(nodes, with, &budget)
}

// clique returns the size of the largest set of nodes that are all with one
// another; with lists only later partners. budget bounds the search.
func clique(nodes []int, with map[int][]int, budget *int) int {
	best := 0
	for i, n := range nodes {
		if *budget--; *budget < 0 || len(nodes)-i <= best {
			break
		}
		var rest []int
		for _, m := range nodes[i+1:] {
			if slices.Contains(with[n], m) {
				rest = append(rest, m)
			}
		}
		best = max(best, 1+clique(rest, with, budget))
	}
	return best
}
