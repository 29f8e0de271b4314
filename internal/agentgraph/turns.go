package agentgraph

import "slices"

// apart reports whether two nodes of a graph without loops can never run in the same turn:
// all ways from START to the one have other lengths than those to the other. A barrier
// runs one turn behind one of its sources.
func (g *Graph) apart(u, v string) bool {
	if len(g.Nodes) > maxNodes {
		return false
	}
	w := g.plain()
	flat := w.acyclic()
	for n := range w.names {
		if w.has(n) && (flat.knot[n] || len(flat.out[n]) != len(w.out[n])) {
			return false
		}
	}
	turns := flat.turns()
	for _, a := range flat.find(u) {
		for _, b := range flat.find(v) {
			for t := range turns[a] {
				if turns[a][t] && turns[b][t] {
					return false
				}
			}
		}
	}
	return len(flat.find(u)) > 0 && len(flat.find(v)) > 0
}

// turns are the turns in which each node may run, START in the first.
func (w *wiring) turns() [][]bool {
	size := len(w.names) + 1
	turns := make([][]bool, len(w.names))
	nodes := make([]int, len(w.names))
	for n := range turns {
		turns[n], nodes[n] = make([]bool, size), n
	}
	turns[0][0] = true
	slices.SortStableFunc(nodes, func(a, b int) int { return w.order[a] - w.order[b] })
	for _, n := range nodes {
		for _, s := range w.out[n] {
			for t := range size - 1 {
				turns[s.to][t+1] = turns[s.to][t+1] || turns[n][t]
			}
		}
	}
	return turns
}
