package likeness

import (
	"cmp"
	"maps"
	"slices"
)

// Work is one work: the fingerprints of its files.
type Work struct {
	Files []File
}

// File is one file of a work.
type File struct {
	Path  string
	Marks []Mark
}

// hashes are the distinct fingerprints of a work but for those that are taken off.
func (w Work) hashes(off map[uint64]bool) map[uint64]bool {
	all := map[uint64]bool{}
	for _, f := range w.Files {
		for _, m := range f.Marks {
			if !off[m.Hash] {
				all[m.Hash] = true
			}
		}
	}
	return all
}

// Share is a part of a whole in basis points: 10000 is all of it.
type Share int

const whole = 10000

// Pair is two works that have something in common. A is before B.
type Pair struct {
	A, B      int
	Contained Share // the larger of the two shares of fingerprints that the other has, too
	Alike     Share // of the fingerprints of both, those in both
	Shared    int   // fingerprints
}

// Common is what many works share, and what is for that reason not held against any pair.
type Common struct {
	Works  []int
	Hashes int
}

// Result is what a comparison found: pairs, those that contain most of each other first, and what many share.
type Result struct {
	Pairs  []Pair
	Common []Common

	off map[uint64]bool
}

// Limits of how many works may share a fingerprint before it counts as common to the class: a quarter of them, at least 4 and at most 50.
const (
	commonPart  = 4
	commonLeast = 4
	commonMost  = 50
)

// Compare compares every work with every other. Fingerprints of the base, which everybody was given, do not count. It
// takes time in the number of fingerprints and of matches, not of pairs.
func Compare(works []Work, base []Work) Result {
	r := Result{off: map[uint64]bool{}}
	for _, b := range base {
		maps.Copy(r.off, b.hashes(nil))
	}
	in := map[uint64][]int{} // works by fingerprint, in order
	for i, w := range works {
		for h := range w.hashes(r.off) {
			in[h] = append(in[h], i)
		}
	}
	most := min(max(len(works)/commonPart, commonLeast), commonMost)
	groups := map[string]*Common{}
	for h, list := range in {
		if len(list) <= most {
			continue
		}
		r.off[h] = true
		delete(in, h)
		key := keyOf(list)
		if groups[key] == nil {
			groups[key] = &Common{Works: list}
		}
		groups[key].Hashes++
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		r.Common = append(r.Common, *groups[key])
	}
	slices.SortStableFunc(r.Common, func(a, b Common) int { return cmp.Compare(b.Hashes, a.Hashes) })
	r.Pairs = pairs(works, in)
	return r
}

func keyOf(list []int) string {
	key := make([]byte, 0, 3*len(list))
	for _, i := range list {
		key = append(key, byte(i>>16), byte(i>>8), byte(i))
	}
	return string(key)
}

func pairs(works []Work, in map[uint64][]int) []Pair {
	size := make([]int, len(works))
	shared := map[[2]int]int{}
	for _, list := range in {
		for k, a := range list {
			size[a]++
			for _, b := range list[k+1:] {
				shared[[2]int{a, b}]++
			}
		}
	}
	out := make([]Pair, 0, len(shared))
	for at, n := range shared {
		a, b := at[0], at[1]
		out = append(out, Pair{A: a, B: b, Shared: n, Contained: Share(n * whole / min(size[a], size[b])), Alike: Share(2 * n * whole / (size[a] + size[b]))})
	}
	slices.SortFunc(out, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Contained, a.Contained), cmp.Compare(b.Shared, a.Shared), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	return out
}

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
