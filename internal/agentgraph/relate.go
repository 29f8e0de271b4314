package agentgraph

import "slices"

// relate computes what the steps say: predecessors, reachability, and the
// order of the strongly connected parts.
func (w *wiring) relate() {
	n := len(w.names)
	w.in = make([][]int, n)
	w.reach = make([][]bool, n)
	for u := range n {
		for _, s := range w.out[u] {
			w.in[s.to] = append(w.in[s.to], u)
		}
	}
	for i := range w.in {
		slices.Sort(w.in[i])
		w.in[i] = slices.Compact(w.in[i])
	}
	for u := range n {
		w.reach[u] = w.from(u)
	}
	w.rank()
}

// from returns what can be reached from u by at least one step.
func (w *wiring) from(u int) []bool {
	seen := make([]bool, len(w.names))
	stack := []int{u}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range w.out[n] {
			if !seen[s.to] {
				seen[s.to] = true
				stack = append(stack, s.to)
			}
		}
	}
	return seen
}

// rank numbers the nodes so that a node comes after all that lead to it, nodes
// of one cycle alike. Fewer nodes lead to an earlier part than to a later one,
// so the number of ancestors is such a rank.
func (w *wiring) rank() {
	n := len(w.names)
	w.order = make([]int, n)
	w.knot = make([]bool, n)
	for v := range n {
		for u := range n {
			if w.reach[u][v] {
				w.order[v]++
			}
		}
		w.knot[v] = w.reach[v][v]
	}
}

// fork is a proof that two nodes are parallel: the node that starts both ways
// and the two first steps.
type fork struct {
	node int
	a, b step
}

// parallel looks for a fork from which u and v run at the same time. The ways
// from the fork must not meet in between: after a node in which they meet,
// only what that node starts counts.
func (w *wiring) parallel(u, v int) (fork, bool) {
	if u == v || !w.has(u) || !w.has(v) || w.reach[u][v] || w.reach[v][u] {
		return fork{}, false
	}
	for f := range w.out {
		for i, a := range w.out[f] {
			if a.to != u && !w.reach[a.to][u] {
				continue
			}
			for j, b := range w.out[f] {
				if i == j || a.to == b.to || (b.to != v && !w.reach[b.to][v]) || !together(a, b) {
					continue
				}
				if w.apart(a.to, b.to, u, v) {
					return fork{f, a, b}, true
				}
			}
		}
	}
	return fork{}, false
}

// apart reports whether ways from a to u and from b to v exist that share no
// node. Two pebbles are moved; the one that is behind moves first, so it can
// never step on a node that the other has left.
func (w *wiring) apart(a, b, u, v int) bool {
	type pair struct{ a, b int }
	seen := map[pair]bool{{a, b}: true}
	stack := []pair{{a, b}}
	push := func(p pair) {
		if p.a != p.b && !seen[p] {
			seen[p] = true
			stack = append(stack, p)
		}
	}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.a == u && p.b == v {
			return true
		}
		if p.a != u && (p.b == v || w.order[p.a] <= w.order[p.b]) {
			for _, s := range w.out[p.a] {
				push(pair{s.to, p.b})
			}
		}
		if p.b != v && (p.a == u || w.order[p.b] <= w.order[p.a]) {
			for _, s := range w.out[p.b] {
				push(pair{p.a, s.to})
			}
		}
	}
	return false
}
