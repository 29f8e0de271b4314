package likeness

import (
	"cmp"
	"maps"
	"slices"
)

// Clusters are the groups of works that pairs of at least that much in common join, the largest first.
func Clusters(pairs []Pair, least Share) [][]int {
	parent := map[int]int{}
	var root func(int) int
	root = func(i int) int {
		if p, ok := parent[i]; ok && p != i {
			parent[i] = root(p)
			return parent[i]
		}
		return i
	}
	members := map[int][]int{}
	seen := map[int]bool{}
	for _, p := range pairs {
		if p.Contained >= least {
			seen[p.A], seen[p.B] = true, true
			if a, b := root(p.A), root(p.B); a != b {
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(seen)) {
		members[root(i)] = append(members[root(i)], i)
	}
	var out [][]int
	for _, r := range slices.Sorted(maps.Keys(members)) {
		out = append(out, members[r])
	}
	slices.SortStableFunc(out, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	return out
}
