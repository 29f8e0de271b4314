package quality

import (
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
)

// loading tells which modules, by path or name, a module loads when it is
// loaded itself, and by which statement.
type loading map[string]map[string]court.Place

func (g loading) add(from, to string, at court.Place) {
	if g[from] == nil {
		g[from] = map[string]court.Place{}
	}
	if _, ok := g[from][to]; !ok && from != to {
		g[from][to] = at
	}
}

func (g loading) next(m string) []string { return slices.Sorted(maps.Keys(g[m])) }

// circles lists one shortest circle for every knot of modules that load each
// other, in the order of their first modules, and how many are in knots.
func (g loading) circles() (out [][]string, tied int) {
	for _, knot := range code.Knots(slices.Sorted(maps.Keys(g)), g.next) {
		if len(knot) == 1 {
			continue
		}
		out, tied = append(out, g.shortest(slices.Min(knot), knot)), tied+len(knot)
	}
	slices.SortFunc(out, func(a, b []string) int { return slices.Compare(a[:1], b[:1]) })
	return out, tied
}

// shortest is a shortest way from a module of a knot back to itself.
func (g loading) shortest(from string, knot []string) []string {
	in := map[string]bool{}
	for _, m := range knot {
		in[m] = true
	}
	before := map[string]string{}
	queue := []string{from}
	for len(queue) > 0 {
		m := queue[0]
		queue = queue[1:]
		for _, to := range g.next(m) {
			if to == from {
				way := []string{}
				for x := m; x != from; x = before[x] {
					way = append(way, x)
				}
				way = append(way, from)
				slices.Reverse(way)
				return way
			}
			if _, seen := before[to]; !seen && in[to] {
				before[to] = m
				queue = append(queue, to)
			}
		}
	}
	return nil
}
