package likeness

import (
	"cmp"
	"slices"
)

// Match is one passage that two works share: lines of a file in each, and how many tokens it spans at least.
type Match struct {
	A, B   Span
	Tokens int
}

// Span is some lines of one file.
type Span struct {
	Path          string
	Line, EndLine int
}

// place is where a fingerprint of a work stands.
type place struct{ file, mark int }

// Matches are the passages that two works share, the longest first: runs of fingerprints that follow one another in
// both. A fingerprint that a work has several times is taken where it lengthens a run, else where it comes first.
func (r Result) Matches(a, b Work, g Grain) []Match {
	where := map[uint64][]place{}
	for i, f := range b.Files {
		for k, m := range f.Marks {
			where[m.Hash] = append(where[m.Hash], place{i, k})
		}
	}
	var out []Match
	for _, f := range a.Files {
		from := -1 // first mark of the run
		var first, last place
		end := func(to int) {
			if from >= 0 {
				out = append(out, matched(f, from, to, b.Files[first.file], first.mark, last.mark, g))
			}
			from = -1
		}
		for k, m := range f.Marks {
			at := where[m.Hash]
			if r.off[m.Hash] || len(at) == 0 {
				end(k - 1)
				continue
			}
			next := place{last.file, last.mark + 1}
			if from >= 0 && slices.Contains(at, next) {
				last = next
				continue
			}
			end(k - 1)
			from, first, last = k, at[0], at[0]
		}
		end(len(f.Marks) - 1)
	}
	slices.SortStableFunc(out, func(x, y Match) int {
		return cmp.Or(cmp.Compare(y.Tokens, x.Tokens), cmp.Compare(x.A.Path, y.A.Path), cmp.Compare(x.A.Line, y.A.Line))
	})
	return out
}

func matched(a File, from, to int, b File, first, last int, g Grain) Match {
	span := func(f File, x, y int) Span {
		s := Span{Path: f.Path, Line: f.Marks[x].Line, EndLine: f.Marks[x].EndLine}
		for _, m := range f.Marks[x : y+1] {
			s.EndLine = max(s.EndLine, m.EndLine)
		}
		return s
	}
	return Match{A: span(a, from, to), B: span(b, first, last), Tokens: a.Marks[to].At - a.Marks[from].At + g.Gram}
}
