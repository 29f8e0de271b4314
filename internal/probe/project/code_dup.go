package project

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

const (
	copyTokens  = 60      // a design choice
	copyWords   = 12      // different words in a copy: fewer are a table, not code. A design choice
	maxDupBytes = 8 << 20 // of code that is compared and has no tree; of trees there are no more than are kept
)

func codeDup() probe.Probe {
	return probe.Probe{
		ID: "code.dup", Version: "2", Target: court.GithubRepo,
		Title: "Code is not copied",
		Doc: "Compares the tokens of production code, comments and imports left out, names and strings as they are written: 60 in a row that stand in two places are a copy. The share is that of tokens that are not a second copy; both places of each are listed. " +
			"Runs of few different words are tables, not copies. Copies in which a name was changed are not seen, nor those between languages.",
		Remedy: "Move code that occurs twice into one function that both places call.",
		Effort: 45, Recall: 7000,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			all, err := sources(ctx, s, a.Scope)
			if err != nil {
				return nil, err
			}
			others, err := s.Syntax(ctx)
			if unable, ok := errors.AsType[*probe.Unable](err); err != nil && (!ok || unable.Reason != court.NoDetector) {
				return nil, err
			}
			return []probe.Finding{copies(ctx, all, others)}, ctx.Err()
		},
	}
}

// unit is one file as tokens, which are numbers of the lexicon.
type unit struct {
	file  file
	words []uint32
	lines []uint32
}

// lexicon numbers the different tokens.
type lexicon struct {
	numbers map[string]uint32
	words   []string
}

func (l *lexicon) number(word string) uint32 {
	n, ok := l.numbers[word]
	if !ok {
		n = uint32(len(l.words))
		word = strings.Clone(word) // or it would hold the whole text
		l.numbers[word], l.words = n, append(l.words, word)
	}
	return n
}

var (
	token     = regexp.MustCompile(`"""(?s:.*?)"""|'''(?s:.*?)'''|"(?:[^"\\]|\\(?s:.))*"|` + "`[^`]*`" + `|'(?:[^'\\\n]|\\.)*'|[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|[^\s\w]`)
	importing = regexp.MustCompile(`(?m)^\s*(?:import\b|from\s+\S+\s+import\b|use\s|using\s|#include\b|package\s|require\b|export\s+(?:\*|\{[^}]*\})\s+from)[^\n(;]*(?:\([^)]*\)|;)?`)
)

var unitTests = regexp.MustCompile(`#\[cfg\(test\)\]\s*(?:pub\s+)?mod\s`)

// tokens takes a file apart. A string is one token.
func (l *lexicon) tokens(d divided, tree *syntax.File) unit {
	u := unit{file: d.file}
	if tree != nil && tree.Parsed {
		l.fromTree(&u, tree)
		return u
	}
	text := []byte(d.both())
	if m := unitTests.FindIndex(text); m != nil && d.file.lang == "rust" {
		text = text[:m[0]] // tests of Rust stand below the code
	}
	for _, m := range importing.FindAllIndex(text, -1) {
		for i := m[0]; i < m[1]; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	line, last := 1, 0
	for _, m := range token.FindAllIndex(text, -1) {
		line += strings.Count(string(text[last:m[0]]), "\n")
		last = m[0]
		u.words, u.lines = append(u.words, l.number(string(text[m[0]:m[1]]))), append(u.lines, uint32(line))
	}
	return u
}

// spot is a position in a unit.
type spot struct{ unit, at int }

func copies(ctx context.Context, all []divided, others *syntax.Program) probe.Finding {
	var units []unit
	words := &lexicon{numbers: map[string]uint32{}}
	size, read, plain, known, total := 0, 0, 0, 0, 0
	for _, d := range all {
		if d.file.lang == "sql" || d.file.lang == "terraform" || ctx.Err() != nil {
			continue
		}
		size += len(d.text)
		var tree *syntax.File
		if others != nil {
			tree = others.File(d.file.path)
		}
		if tree == nil || !tree.Parsed {
			if plain+len(d.text) > maxDupBytes {
				continue
			}
			plain += len(d.text)
		}
		read += len(d.text)
		u := words.tokens(d, tree)
		total += len(u.words)
		if level := d.file.lang.Level(); level == 'A' || level == 'B' {
			known++
		}
		units = append(units, u)
	}
	again, blocks, at := words.compare(ctx, units)
	source := court.Structure
	if len(units) > 0 && known == 0 {
		source = court.Token
	}
	if len(units) == 0 {
		return probe.Nothing(court.One, source, "There is no file of code.")
	}
	if blocks == 0 {
		return probe.Clean(probe.Ratio(read, size), source, "No run of %d tokens occurs twice in %s.", copyTokens, court.Count(len(units), "file"))
	}
	f := probe.Partly(max(1, probe.Ratio(total-again, total)), source, at, "%s", fmt.Sprintf("The code has %s of at least %d tokens. They repeat %d of %s.",
		copiesWord(blocks), copyTokens, again, court.Count(total, "token"))).DoAt(at[:min(len(at), 2)], "Move the code that occurs at these places into one function: %s.")
	f.Coverage = probe.Ratio(read, size)
	return f
}

func copiesWord(n int) string {
	if n == 1 {
		return "1 copy"
	}
	return fmt.Sprintf("%d copies", n)
}

// compare finds what stands a second time, how many tokens that is and in how
// many blocks.
func (l *lexicon) compare(ctx context.Context, units []unit) (again, blocks int, at []court.Place) {
	often := repeated(units)
	first := map[uint64]spot{}
	for ui := range units {
		if ctx.Err() != nil {
			break
		}
		u := units[ui]
		until := 0
		for i, hash := range windows(u.words) {
			if i < until || !often.has(hash) {
				continue
			}
			from, ok := first[hash]
			if !ok {
				first[hash] = spot{ui, i}
				continue
			}
			n := common(units, from, spot{ui, i})
			if n < copyTokens || !l.various(u.words[i:i+n]) || from.unit == ui && from.at+n > i {
				continue
			}
			again += n
			blocks++
			a := units[from.unit]
			at = append(at, court.Place{Path: u.file.path, Line: int(u.lines[i]), EndLine: int(u.lines[i+n-1])},
				court.Place{Path: a.file.path, Line: int(a.lines[from.at]), EndLine: int(a.lines[from.at+n-1])})
			until = i + n
		}
	}
	return again, blocks, at
}

// filter tells of a hash that it was perhaps put in, or surely not.
type filter struct {
	places []uint64 // a bit for each
	shift  int      // from a hash to its place
}

// filterBits bounds a filter: 16 MiB.
const filterBits = 27

// newFilter has room for so many hashes: about one in thirty others is taken for one of them.
func newFilter(hashes int) filter {
	n := min(max(bits.Len(uint(hashes))+5, 6), filterBits)
	return filter{make([]uint64, 1<<(n-6)), 64 - n}
}

func (f filter) place(hash uint64) (word int, bit uint64) {
	hash *= 0x9e3779b97f4a7c15
	hash >>= f.shift
	return int(hash >> 6), 1 << (hash & 63)
}

func (f filter) has(hash uint64) bool {
	word, bit := f.place(hash)
	return f.places[word]&bit != 0
}

// repeated holds the windows that stand twice: few of those of a large project,
// so that the others need not be kept.
func repeated(units []unit) filter {
	most := 0
	for _, u := range units {
		most += len(u.words)
	}
	once, twice := newFilter(most), newFilter(most)
	for _, u := range units {
		for _, hash := range windows(u.words) {
			word, bit := once.place(hash)
			if once.places[word]&bit != 0 {
				twice.places[word] |= bit
			}
			once.places[word] |= bit
		}
	}
	return twice
}

// windows are the hashes of all runs of copyTokens tokens with their places, by
// a polynomial that rolls on.
func windows(words []uint32) iter.Seq2[int, uint64] {
	const base = 1_000_003
	lead := uint64(1)
	for range copyTokens {
		lead *= base
	}
	each := func(w uint32) uint64 { return (uint64(w) + 1) * 0xd1342543de82ef95 }
	return func(yield func(int, uint64) bool) {
		sum := uint64(0)
		for i, w := range words {
			sum = sum*base + each(w)
			if i >= copyTokens {
				sum -= lead * each(words[i-copyTokens])
			}
			if i >= copyTokens-1 && !yield(i-copyTokens+1, sum) {
				return
			}
		}
	}
}

// common is how many tokens two places have in common.
func common(units []unit, a, b spot) int {
	x, y := units[a.unit].words[a.at:], units[b.unit].words[b.at:]
	if a.unit == b.unit && b.at-a.at < len(x) {
		x = x[:b.at-a.at]
	}
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// various tells code from a table.
func (l *lexicon) various(words []uint32) bool {
	seen, calls := map[uint32]bool{}, false
	for _, w := range words {
		word := l.words[w]
		if r := word[0]; r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			seen[w] = true
		}
		calls = calls || word == "("
	}
	return len(seen) >= copyWords && calls
}
