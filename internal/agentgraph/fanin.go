package agentgraph

import (
	"fmt"
	"slices"
)

// Join says whether the nodes of a layer come together before the next one: in
// a node other than END, a reviewer or a handler beside the normal course that
// at least two of them lead into, also through handlers and pass-through nodes,
// and from which the whole next layer is reached, unless it is that layer;
// without a next layer, in one that follows all of them. The item names the
// joining node first.
func (g *Graph) Join(role Role) Answer {
	a := g.join(role, func(w *wiring, a int) bool {
		if w.roles[a] == g.words.Reviewers || !w.onCourse(a, role) {
			return false
		}
		next := w.withRole(g.words.after(role))
		for _, n := range next {
			if n != a && !w.reach[a][n] {
				return false
			}
		}
		return len(next) > 0 || w.followsAll(a, role)
	})
	if a.Value == No {
		if item, ok := g.joinBefore(role); ok {
			return Answer{Value: Yes, Items: []Item{item}}
		}
	}
	return a
}

// joinBefore looks for a join that a loop leads back to: every node of the role has an
// edge into one node, from which the next layer is reached in a later turn.
func (g *Graph) joinBefore(role Role) (Item, bool) {
	if len(g.Nodes) > maxNodes {
		return Item{}, false
	}
	w := g.plain()
	all, next := w.withRole(role), w.withRole(g.words.after(role))
	if len(all) < 2 || len(next) == 0 {
		return Item{}, false
	}
	for a := 2; a < len(w.names); a++ {
		leads := func(n int) bool {
			return slices.ContainsFunc(w.out[n], func(s step) bool { return s.outcomes == nil && s.to == a }) && w.reach[a][n]
		}
		without := func(n int) bool { return !w.reach[a][n] }
		if w.roles[a] == role || !w.onCourse(a, role) || slices.ContainsFunc(all, func(n int) bool { return !leads(n) }) || slices.ContainsFunc(next, without) {
			continue
		}
		item := Item{Nodes: []string{w.names[a]}, At: w.leading(a, all), Reason: fmt.Sprintf("%d ways lead back into %s", len(all), w.names[a])}
		for _, n := range all {
			item.Nodes = append(item.Nodes, w.names[n])
		}
		return item, true
	}
	return Item{}, false
}

// onCourse reports whether a node is part of the normal course: it is no
// handler, or plain edges lead from every node of the role into it and one on.
func (w *wiring) onCourse(a int, role Role) bool {
	plain := func(from, to int) bool {
		return slices.ContainsFunc(w.out[from], func(s step) bool { return s.outcomes == nil && (s.to == to || to < 0 && s.to > 1) })
	}
	return w.roles[a] != RoleHandler || plain(a, -1) && !slices.ContainsFunc(w.withRole(role), func(n int) bool { return !plain(n, a) })
}

// Meeting returns the first node in which all ways from the nodes of a role
// meet, whatever stands between; "" when they have none but END in common.
func (g *Graph) Meeting(role Role) string {
	if len(g.Nodes) > maxNodes {
		return ""
	}
	flat := g.plain().acyclic()
	best := -1
	for a := 2; a < len(flat.names); a++ {
		if flat.has(a) && flat.roles[a] != role && flat.followsAll(a, role) && (best < 0 || flat.order[a] < flat.order[best]) {
			best = a
		}
	}
	if best < 0 {
		return ""
	}
	return flat.names[best]
}

// join looks for a node that at least two nodes of a role lead into.
func (g *Graph) join(role Role, fits func(w *wiring, a int) bool) Answer {
	find := func(w *wiring) (at int, sources []int) {
		flat := w.acyclic()
		for a := 2; a < len(flat.names); a++ {
			if !flat.has(a) || !fits(flat, a) || sources != nil && flat.order[a] >= flat.order[at] {
				continue
			}
			if found := flat.feeders(a, role); found != nil {
				at, sources = a, found
			}
		}
		return at, sources
	}
	value, why := g.settle(role, func(w *wiring) Truth {
		_, sources := find(w)
		return Decided(sources != nil)
	})
	a := Answer{Value: value, Reason: why}
	w := g.plain()
	at, sources := find(w)
	if value == No {
		a.Reason = fmt.Sprintf("the %s nodes do not join", role)
	}
	if value != No && sources != nil {
		item := Item{Nodes: []string{w.names[at]}, At: w.acyclic().leading(at, sources)}
		for _, s := range sources {
			item.Nodes = append(item.Nodes, w.names[s])
		}
		item.Reason = fmt.Sprintf("%d ways lead into %s", len(sources), w.names[at])
		a.Items = []Item{item}
	}
	return a
}

// leading returns the places of the steps into a node by which some others lead there.
func (w *wiring) leading(to int, from []int) []Place {
	var out []Place
	for n, steps := range w.out {
		if !slices.ContainsFunc(from, func(f int) bool { return f == n || w.reach[f][n] && !w.reach[to][n] }) {
			continue
		}
		for _, s := range steps {
			if s.to == to {
				out = append(out, s.at)
			}
		}
	}
	return Places(out...)
}

// followsAll reports whether every node of a role leads to a.
func (w *wiring) followsAll(a int, role Role) bool {
	for _, n := range w.withRole(role) {
		if !w.reach[n][a] {
			return false
		}
	}
	return true
}

// feeders returns the nodes of a role that lead into a directly or through
// nodes that only pass on: at least two of them, over at least two different
// steps, or one that many Sends go to; else none.
func (w *wiring) feeders(a int, role Role) []int {
	seen := make([]bool, len(w.names))
	stack := slices.Clone(w.in[a])
	var found []int
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		switch r := w.roles[n]; {
		case n == 0 || n == a:
		case r == role:
			found = append(found, n)
		case w.graph.words.works(r):
		default:
			stack = append(stack, w.in[n]...)
		}
	}
	slices.Sort(found)
	switch {
	case len(found) >= 2 && len(w.in[a]) >= 2:
		return found
	case len(found) == 1 && w.multiple(found[0]):
		return found
	default:
		return nil
	}
}

// multiple reports whether many Sends go to a node.
func (w *wiring) multiple(n int) bool {
	for _, steps := range w.out {
		for _, s := range steps {
			if s.to == n && s.many {
				return true
			}
		}
	}
	return false
}
