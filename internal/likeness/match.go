package likeness

import (
	"cmp"
	"slices"
)

// Match is one passage that two works share: lines of a file in each, and how many tokens it spans at least.
type Match struct {
	A, B   Span
	Tokens int
	marks  int // fingerprints of A in it
}

// Span is some lines of one file.
type Span struct {
	Path          string
	Line, EndLine int
}

// place is where a fingerprint of a work stands.
type place struct{ file, mark int }

// mostPlaces bounds at how many places of the other work a passage is looked for.
const mostPlaces = 16

// Matches are the passages that two works share, the longest first: runs of fingerprints that follow one another in
// both. A fingerprint that the second work has several times is taken where the run from it is the longest.
func (r Result) Matches(a, b Work, g Grain) []Match {
	where := map[uint64][]place{}
	for i, f := range b.Files {
		for k, m := range f.Marks {
			if at := where[m.Hash]; len(at) < mostPlaces && !r.off[m.Hash] {
				where[m.Hash] = append(at, place{i, k})
			}
		}
	}
	var out []Match
	for _, f := range a.Files {
		for k := 0; k < len(f.Marks); {
			at, n := place{}, 0
			for _, p := range where[f.Marks[k].Hash] {
				if m := r.run(f.Marks[k:], b.Files[p.file].Marks[p.mark:]); m > n {
					at, n = p, m
				}
			}
			if n > 0 {
				other := b.Files[at.file]
				out = append(out, Match{A: span(f, k, n), B: span(other, at.mark, n), Tokens: min(length(f.Marks[k:k+n], g), length(other.Marks[at.mark:at.mark+n], g)), marks: n})
			}
			k += max(n, 1)
		}
	}
	slices.SortStableFunc(out, func(x, y Match) int {
		return cmp.Or(cmp.Compare(y.Tokens, x.Tokens), cmp.Compare(x.A.Path, y.A.Path), cmp.Compare(x.A.Line, y.A.Line))
	})
	return out
}

// Solid is the share of the smaller of two works that stands in passages which the other has, too. What is shorter than a
// window on both sides of a gram is not a passage here: many such are equal by chance.
func (r Result) Solid(a, b Work, g Grain) Share {
	all := r.count(a)
	if n := r.count(b); n < all {
		a, b, all = b, a, n
	}
	in := 0
	for _, m := range r.Matches(a, b, g) {
		if m.Tokens >= g.Gram+2*g.Window {
			in += m.marks
		}
	}
	return Share(in * whole / max(all, 1))
}

// count is how many fingerprints of a work count, each as often as it stands there.
func (r Result) count(w Work) (n int) {
	for _, f := range w.Files {
		for _, m := range f.Marks {
			if !r.off[m.Hash] {
				n++
			}
		}
	}
	return n
}

// run is with how many fingerprints both begin.
func (r Result) run(a, b []Mark) int {
	n := 0
	for n < len(a) && n < len(b) && a[n].Hash == b[n].Hash && !r.off[a[n].Hash] {
		n++
	}
	return n
}

// length is how many tokens fingerprints span at least, without what only repeats: ten lines of one form are one.
func length(marks []Mark, g Grain) int {
	n := g.Gram
	seen := map[uint64]bool{marks[0].Hash: true}
	for i, m := range marks[1:] {
		if !seen[m.Hash] {
			n += min(m.At-marks[i].At, g.Window)
		}
		seen[m.Hash] = true
	}
	return n
}

func span(f File, from, n int) Span {
	s := Span{Path: f.Path, Line: f.Marks[from].Line, EndLine: f.Marks[from].EndLine}
	for _, m := range f.Marks[from : from+n] {
		s.EndLine = max(s.EndLine, m.EndLine)
	}
	return s
}
