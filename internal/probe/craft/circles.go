package craft

import (
	"maps"
	"slices"

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
	for _, knot := range g.knots() {
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

// knots are the sets of two or more modules that all load each other, by
// Tarjan's algorithm with a stack of its own: chains of imports are long.
func (g loading) knots() (out [][]string) {
	type frame struct {
		m    string
		next []string
	}
	index, low, on := map[string]int{}, map[string]int{}, map[string]bool{}
	var path []string
	var calls []frame
	enter := func(m string) {
		index[m], low[m], on[m] = len(index)+1, len(index)+1, true
		path, calls = append(path, m), append(calls, frame{m, g.next(m)})
	}
	for _, start := range slices.Sorted(maps.Keys(g)) {
		if index[start] == 0 {
			enter(start)
		}
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			if len(f.next) > 0 {
				to := f.next[0]
				f.next = f.next[1:]
				if index[to] == 0 {
					enter(to)
				} else if on[to] {
					low[f.m] = min(low[f.m], index[to])
				}
				continue
			}
			m := f.m
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].m
				low[up] = min(low[up], low[m])
			}
			if low[m] != index[m] {
				continue
			}
			at := slices.Index(path, m)
			knot := slices.Clone(path[at:])
			path = path[:at]
			for _, x := range knot {
				on[x] = false
			}
			if len(knot) > 1 {
				out = append(out, knot)
			}
		}
	}
	return out
}
