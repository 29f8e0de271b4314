package code

import "slices"

// Knots are the strongly connected components of a graph, one-element ones
// included: each after those that it leads to. It is Tarjan's algorithm with a
// stack of its own: chains of imports are long.
func Knots[N comparable](nodes []N, next func(N) []N) (out [][]N) {
	type frame struct {
		n    N
		next []N
	}
	index, low, on := map[N]int{}, map[N]int{}, map[N]bool{}
	var path []N
	var calls []frame
	enter := func(n N) {
		index[n], low[n], on[n] = len(index)+1, len(index)+1, true
		path, calls = append(path, n), append(calls, frame{n, next(n)})
	}
	for _, start := range nodes {
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
					low[f.n] = min(low[f.n], index[to])
				}
				continue
			}
			n := f.n
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].n
				low[up] = min(low[up], low[n])
			}
			if low[n] != index[n] {
				continue
			}
			at := len(path) - 1
			for path[at] != n {
				at--
			}
			knot := slices.Clone(path[at:])
			path = path[:at]
			for _, x := range knot {
				on[x] = false
			}
			out = append(out, knot)
		}
	}
	return out
}
