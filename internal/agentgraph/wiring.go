package agentgraph

import "slices"

// wiring is one graph with every doubt settled: only what can be reached from
// START, as numbers. Number 0 is START.
type wiring struct {
	graph *Graph
	names []string
	roles []Role
	out   [][]step
	off   [][]step // steps out of nodes that START does not lead to
	in    [][]int  // sources of the steps into a node, sorted, each once
	reach [][]bool
	order []int // position of a node's strongly connected part in topological order
	knot  []bool
}

// step is one edge, or one target of a route, out of a node.
type step struct {
	to       int
	group    int   // steps of one group are alternatives unless they share an outcome
	outcomes []int // outcomes of the group in which the step is taken; nil: always
	barrier  bool
	send     bool
	many     bool
	at       Place
}

// together reports whether two steps of the same node may fire at once.
func together(a, b step) bool {
	if a.group != b.group {
		return true
	}
	for _, o := range a.outcomes {
		if slices.Contains(b.outcomes, o) {
			return true
		}
	}
	return false
}

// build settles a graph by a variant. Back edges stay in it: see acyclic.
func build(g *Graph, v variant) *wiring {
	w := &wiring{graph: g}
	index := map[string][]int{}
	add := func(name string, role Role) {
		if v.dropped(name) {
			return
		}
		index[name] = append(index[name], len(w.names))
		w.names = append(w.names, name)
		w.roles = append(w.roles, role)
	}
	add(START, RoleOther)
	add(END, RoleOther)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		role := n.Role
		if role == RoleUnknown && v.as != "" {
			role = v.as
		}
		add(n.Name, role)
		if n.Several || n.Pattern && v.doubled {
			add(n.Name, role)
		}
	}
	w.out = make([][]step, len(w.names))
	w.connect(g, v, index)
	w.prune()
	w.relate()
	return w
}

// connect adds the steps. A step to a name that is not a node leads nowhere.
func (w *wiring) connect(g *Graph, v variant, index map[string][]int) {
	group := 0
	link := func(from, to string, s step) {
		for _, f := range index[from] {
			for k, t := range index[to] {
				s.to = t
				if k > 0 { // copies of a pattern fire together
					group++
					s.group = group
				}
				w.out[f] = append(w.out[f], s)
			}
		}
	}
	for _, e := range g.Edges {
		if v.off(e.When) {
			continue
		}
		group++
		link(e.From, e.To, step{group: group, barrier: e.Kind == Barrier, at: e.At})
	}
	for i := range g.Routes {
		r := &g.Routes[i]
		if v.off(r.When) {
			continue
		}
		group++
		base := group
		for k, t := range r.Targets {
			if t.Dead {
				continue
			}
			s := step{group: base, send: t.Send, many: t.Many, at: r.At}
			s.outcomes = v.outcomes(r, k)
			link(r.From, t.Name, s)
		}
	}
	for _, e := range v.extra {
		group++
		link(e[0], e[1], step{group: group})
	}
}

// prune drops what START does not lead to.
func (w *wiring) prune() {
	seen := w.from(0)
	seen[0] = true
	w.off = make([][]step, len(w.out))
	for n := range w.out {
		if !seen[n] {
			w.off[n], w.out[n] = w.out[n], nil
			w.names[n] = ""
		}
	}
}

// has reports whether node n is part of the wiring.
func (w *wiring) has(n int) bool { return w.names[n] != "" }

// find returns the numbers of the nodes with a name.
func (w *wiring) find(name string) []int {
	var out []int
	for i, n := range w.names {
		if n == name && n != "" {
			out = append(out, i)
		}
	}
	return out
}

// withRole returns the numbers of the nodes with a role.
func (w *wiring) withRole(role Role) []int {
	var out []int
	for i, r := range w.roles {
		if r == role && w.has(i) {
			out = append(out, i)
		}
	}
	return out
}

// acyclic returns the wiring without its back edges.
func (w *wiring) acyclic() *wiring {
	c := &wiring{graph: w.graph, names: w.names, roles: w.roles}
	c.out = make([][]step, len(w.out))
	for u, steps := range w.out {
		for _, s := range steps {
			if s.to != u && !(w.reach[s.to][u] && w.dominates(s.to, u)) {
				c.out[u] = append(c.out[u], s)
			}
		}
	}
	c.relate()
	return c
}

// well returns the wiring of runs that no route leads to a handler or away to the end:
// what it chooses together with one is left out.
func (w *wiring) well() *wiring {
	c := &wiring{graph: w.graph, names: slices.Clone(w.names), roles: w.roles}
	c.out = make([][]step, len(w.out))
	for u, steps := range w.out {
		failing := map[int][]int{} // outcomes, by group
		for _, s := range steps {
			if s.outcomes != nil && (w.roles[s.to] == RoleHandler || w.names[s.to] == END && w.leaves(u, s)) {
				failing[s.group] = append(failing[s.group], s.outcomes...)
			}
		}
		for _, s := range steps {
			if s.outcomes != nil {
				s.outcomes = slices.DeleteFunc(slices.Clone(s.outcomes), func(x int) bool { return slices.Contains(failing[s.group], x) })
			}
			if s.outcomes == nil || len(s.outcomes) > 0 {
				c.out[u] = append(c.out[u], s)
			}
		}
	}
	c.prune()
	c.relate()
	return c
}

// leaves reports whether the route of a step to the end may go on elsewhere instead.
func (w *wiring) leaves(n int, s step) bool {
	return slices.ContainsFunc(w.out[n], func(o step) bool { return o.group == s.group && o.to != s.to })
}

// certain returns the steps that are taken whatever the routes choose.
func (w *wiring) certain() *wiring {
	c := &wiring{graph: w.graph, names: w.names, roles: w.roles}
	c.out = make([][]step, len(w.out))
	for u, steps := range w.out {
		for _, s := range steps {
			if w.surely(u, s, nil) {
				c.out[u] = append(c.out[u], s)
			}
		}
	}
	c.relate()
	return c
}

// dominates reports whether every way from START to u leads through v.
func (w *wiring) dominates(v, u int) bool {
	if v == 0 || v == u {
		return true
	}
	seen := make([]bool, len(w.names))
	seen[v] = true
	stack := []int{0}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n == u {
			return false
		}
		for _, s := range w.out[n] {
			if !seen[s.to] {
				seen[s.to] = true
				stack = append(stack, s.to)
			}
		}
	}
	return true
}
