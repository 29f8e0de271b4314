package likeness

import (
	"cmp"
	"iter"
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

// Set is the distinct sums of a work, in rising order: of its fingerprints, or of whatever else may be equal in two works.
type Set []uint64

// SetOf makes a set of sums, and keeps the list.
func SetOf(sums []uint64) Set {
	slices.Sort(sums)
	return slices.Compact(sums)
}

// Set is the fingerprints of a work.
func (w Work) Set() Set {
	n := 0
	for _, f := range w.Files {
		n += len(f.Marks)
	}
	all := make([]uint64, 0, n)
	for _, f := range w.Files {
		for _, m := range f.Marks {
			all = append(all, m.Hash)
		}
	}
	return SetOf(all)
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

// Result is what a comparison found: pairs, those that contain most of each other first.
type Result struct {
	Pairs []Pair
	Size  []int // by work: its fingerprints that count
	// Common is, by work, how many of its fingerprints do not count because many have them; what many share is for that
	// reason not held against any pair.
	Common []int

	off map[uint64]bool
}

// Limits of how many works may share a fingerprint before it counts as common to the class: a quarter of them, at least 4 and at most 50.
const (
	commonPart  = 4
	commonLeast = 4
	commonMost  = 50
)

// Off tells what does not count: it is of the base, or common to many.
func (r Result) Off(sum uint64) bool { return r.off[sum] }

// holder is a work that has a fingerprint.
type holder struct {
	hash uint64
	work int32
}

// Compare compares the first works, fresh of them, with one another and with all others, which are not compared with one
// another. What the base has, which everybody was given, does not count. It takes time in the number of fingerprints and
// of matches, not of pairs.
func Compare(works []Set, fresh int, base []Set) Result {
	r := Result{off: map[uint64]bool{}}
	for _, b := range base {
		for _, h := range b {
			r.off[h] = true
		}
	}
	n := 0
	for _, w := range works {
		n += len(w)
	}
	all := make([]holder, 0, n)
	r.Size, r.Common = make([]int, len(works)), make([]int, len(works))
	for i, w := range works {
		for _, h := range w {
			if !r.off[h] {
				all = append(all, holder{h, int32(i)})
				r.Size[i]++
			}
		}
	}
	slices.SortFunc(all, func(a, b holder) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.work, b.work)) })
	most := min(max(len(works)/commonPart, commonLeast), commonMost)
	shared := map[[2]int32]int{}
	for list := range runs(all) {
		if len(list) > most {
			r.off[list[0].hash] = true
			for _, h := range list {
				r.Size[h.work]--
				r.Common[h.work]++
			}
			continue
		}
		for k, a := range list {
			if int(a.work) >= fresh {
				break
			}
			for _, b := range list[k+1:] {
				shared[[2]int32{a.work, b.work}]++
			}
		}
	}
	r.Pairs = pairs(shared, r.Size)
	return r
}

// runs yields the holders of each fingerprint.
func runs(all []holder) iter.Seq[[]holder] {
	return func(yield func([]holder) bool) {
		for from := 0; from < len(all); {
			to := from + 1
			for to < len(all) && all[to].hash == all[from].hash {
				to++
			}
			if !yield(all[from:to]) {
				return
			}
			from = to
		}
	}
}

func pairs(shared map[[2]int32]int, size []int) []Pair {
	out := make([]Pair, 0, len(shared))
	for at, n := range shared {
		a, b := int(at[0]), int(at[1])
		out = append(out, Pair{A: a, B: b, Shared: n, Contained: Share(n * whole / min(size[a], size[b])), Alike: Share(2 * n * whole / (size[a] + size[b]))})
	}
	slices.SortFunc(out, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Contained, a.Contained), cmp.Compare(b.Shared, a.Shared), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	return out
}
