package flow

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// bound leaves what one picture can show: the nodes that a run comes to first,
// then others by name, with the edges between them.
func (p *painter) bound() {
	w := &p.wiring
	drawn := map[string]bool{court.WireStart: true, court.WireEnd: true}
	for _, name := range nearest(w)[:min(mostNodes, len(w.Nodes))] {
		drawn[name] = true
	}
	all := len(w.Nodes)
	w.Nodes = slices.DeleteFunc(w.Nodes, func(n court.WiredNode) bool { return !drawn[n.Name] })
	w.MoreNodes = all - len(w.Nodes)
	position := map[int]int{} // of the edges that stay, by their old one
	edges := []court.WiredEdge{}
	for i, e := range w.Edges {
		if len(edges) < mostEdges && (w.MoreNodes == 0 || drawn[e.From] && drawn[e.To]) {
			position[i] = len(edges)
			edges = append(edges, e)
		}
	}
	w.MoreEdges, w.Edges = len(w.Edges)-len(edges), edges
	w.MoreMarks = max(0, len(w.Defects)-mostMarks) + max(0, len(w.Unread)-mostMarks)
	w.Defects, w.Unread = w.Defects[:min(mostMarks, len(w.Defects))], w.Unread[:min(mostMarks, len(w.Unread))]
	shown := func(names []string) []string {
		names = slices.DeleteFunc(names, func(n string) bool { return w.MoreNodes > 0 && !drawn[n] })
		return names[:min(mostNodes, len(names))]
	}
	for i := range w.Nodes {
		w.Nodes[i].Waits = shown(w.Nodes[i].Waits)
	}
	for i := range w.Defects {
		m := &w.Defects[i]
		m.Nodes = shown(m.Nodes)
		var kept []int
		for _, e := range m.Edges {
			if at, ok := position[e]; ok {
				kept = append(kept, at)
			}
		}
		m.Edges = kept
		m.At = m.At[:min(mostPlaces, len(m.At))]
	}
}

// nearest lists the nodes as a run comes to them, then the others as they are
// listed.
func nearest(w *court.Wiring) []string {
	next, known := map[string][]string{}, map[string]bool{}
	for _, e := range w.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	for _, n := range w.Nodes {
		known[n.Name] = true
	}
	var order []string
	come := func(names []string) {
		for _, n := range names {
			if known[n] {
				known[n] = false
				order = append(order, n)
			}
		}
	}
	come(next[court.WireStart])
	for at := 0; at < len(order); at++ {
		come(next[order[at]])
	}
	for _, n := range w.Nodes {
		come([]string{n.Name})
	}
	return order
}
