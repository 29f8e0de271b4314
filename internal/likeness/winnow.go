package likeness

import (
	"hash/fnv"
)

// Token is one node or word: a sum of what counts of it, and the line that it is on.
type Token struct {
	Sum  uint64
	Line int
}

// Sum is the sum of a token's text.
func Sum(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum64()
}

// Grain says how fine fingerprints are: Gram tokens make one, and of Window neighbours at least one is kept. So nothing
// shorter than Gram counts, and every match of Gram+Window-1 tokens is found.
type Grain struct{ Gram, Window int }

// The grains. Code has the defaults of Dolos 3; Text has eight words, as is usual for shingles.
var (
	Code = Grain{Gram: 23, Window: 17}
	Text = Grain{Gram: 8, Window: 8}
)

// Mark is one fingerprint of a file, with the tokens and lines that it spans.
type Mark struct {
	Hash    uint64
	At      int // first token
	Line    int
	EndLine int
}

// factor is odd, so that no power of it vanishes, and otherwise arbitrary: the multiplier of FNV.
const factor = 1099511628211

// Winnow gives the fingerprints of a file, in its order. What only repeats the one before, as a long table of constants
// does, is left out: that two works have such a table says nothing.
func (g Grain) Winnow(tokens []Token) []Mark {
	n := len(tokens) - g.Gram + 1
	if n <= 0 {
		return nil
	}
	sums := make([]uint64, n)
	rolling, top := uint64(0), uint64(1)
	for i, t := range tokens {
		rolling = rolling*factor + t.Sum
		if i >= g.Gram {
			rolling -= tokens[i-g.Gram].Sum * top * factor
		} else if i > 0 {
			top *= factor
		}
		if i >= g.Gram-1 {
			sums[i-g.Gram+1] = mixed(rolling)
		}
	}
	var marks []Mark
	for _, at := range lowest(sums, g.Window) {
		if len(marks) > 0 && marks[len(marks)-1].Hash == sums[at] {
			marks[len(marks)-1].EndLine = tokens[at+g.Gram-1].Line
			continue
		}
		marks = append(marks, Mark{Hash: sums[at], At: at, Line: tokens[at].Line, EndLine: tokens[at+g.Gram-1].Line})
	}
	return marks
}

// mixed spreads a polynomial sum over all bits, so that the smallest is as good as random. It is the finalizer of MurmurHash3.
func mixed(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// lowest gives the positions of the smallest sum of each window, the last of equal ones, each once. A file shorter than
// a window has one.
func lowest(sums []uint64, window int) []int {
	var at, rising []int // rising: positions whose sums rise, the candidates of the windows to come
	for i, s := range sums {
		for len(rising) > 0 && sums[rising[len(rising)-1]] >= s {
			rising = rising[:len(rising)-1]
		}
		rising = append(rising, i)
		if rising[0] <= i-window {
			rising = rising[1:]
		}
		if (i >= window-1 || i == len(sums)-1) && (len(at) == 0 || at[len(at)-1] != rising[0]) {
			at = append(at, rising[0])
		}
	}
	return at
}
