package project

import (
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

const (
	copyTokens  = 60      // probes.md, section 6.4
	copyWords   = 12      // different words in a copy: fewer are a table, not code. A design choice
	maxDupBytes = 8 << 20 // of code that is compared
)

func codeDup() probe.Probe {
	return probe.Probe{
		ID: "code.dup", Version: "1", Target: court.GithubRepo,
		Title: "Code is not copied",
		Doc: "Compares the tokens of production code, comments and imports left out, names and strings as they are written: 60 in a row that stand in two places are a copy. The share is that of tokens that are no second copy; both places of each are listed. " +
			"Runs of few different words are tables, not copies. Copies in which a name was changed are not seen, nor those between languages.",
		Remedy: "Move what stands twice into one function that both call.",
		Effort: 45, Recall: 7000, Limit: largeLimit,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			all, err := sources(ctx, s, a.Scope)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{copies(ctx, all)}, ctx.Err()
		},
	}
}

// unit is one file as tokens.
type unit struct {
	file  file
	words []string
	lines []int
}

var (
	token     = regexp.MustCompile(`"""(?s:.*?)"""|'''(?s:.*?)'''|"(?:[^"\\]|\\(?s:.))*"|` + "`[^`]*`" + `|'(?:[^'\\\n]|\\.)*'|[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|[^\s\w]`)
	importing = regexp.MustCompile(`(?m)^\s*(?:import\b|from\s+\S+\s+import\b|use\s|using\s|#include\b|package\s|require\b|export\s+(?:\*|\{[^}]*\})\s+from)[^\n(;]*(?:\([^)]*\)|;)?`)
)

var unitTests = regexp.MustCompile(`#\[cfg\(test\)\]\s*(?:pub\s+)?mod\s`)

// tokens takes a file apart. A string is one token.
func tokens(d divided) unit {
	u := unit{file: d.file}
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
		u.words, u.lines = append(u.words, string(text[m[0]:m[1]])), append(u.lines, line)
	}
	return u
}

// spot is a position in a unit.
type spot struct{ unit, at int }

func copies(ctx context.Context, all []divided) probe.Finding {
	var units []unit
	size, read, known, total := 0, 0, 0, 0
	for _, d := range all {
		if d.file.lang == "sql" || d.file.lang == "terraform" {
			continue
		}
		size += len(d.text)
		if read+len(d.text) > maxDupBytes {
			continue
		}
		read += len(d.text)
		u := tokens(d)
		total += len(u.words)
		if level := d.file.lang.Level(); level == 'A' || level == 'B' {
			known++
		}
		units = append(units, u)
	}
	first := map[uint64]spot{}
	again := 0
	var at []court.Place
	blocks := 0
	for ui := range units {
		if ctx.Err() != nil {
			break
		}
		u := units[ui]
		hashes := windows(u.words)
		for i := 0; i < len(hashes); i++ {
			from, ok := first[hashes[i]]
			if !ok {
				first[hashes[i]] = spot{ui, i}
				continue
			}
			n := common(units, from, spot{ui, i})
			if n < copyTokens || !various(u.words[i:i+n]) || from.unit == ui && from.at+n > i {
				continue
			}
			again += n
			blocks++
			a := units[from.unit]
			at = append(at, court.Place{Path: u.file.path, Line: u.lines[i], EndLine: u.lines[i+n-1]},
				court.Place{Path: a.file.path, Line: a.lines[from.at], EndLine: a.lines[from.at+n-1]})
			i += n - 1
		}
	}
	source := court.Structure
	if len(units) > 0 && known == 0 {
		source = court.Token
	}
	if blocks == 0 {
		return probe.Clean(probe.Ratio(read, size), source, "No run of %d tokens stands twice in %s.", copyTokens, count(len(units), "file"))
	}
	f := probe.Partly(max(1, probe.Ratio(total-again, total)), source, at, "%s", fmt.Sprintf("%s of at least %d tokens: %d of %s stand there a second time.",
		copiesWord(blocks), copyTokens, again, count(total, "token")))
	f.Coverage = probe.Ratio(read, size)
	return f
}

func copiesWord(n int) string {
	if n == 1 {
		return "1 copy"
	}
	return fmt.Sprintf("%d copies", n)
}

// windows are the hashes of all runs of copyTokens tokens, by a polynomial that
// rolls on.
func windows(words []string) []uint64 {
	if len(words) < copyTokens {
		return nil
	}
	const base = 1_000_003
	lead := uint64(1)
	for range copyTokens {
		lead *= base
	}
	each := make([]uint64, len(words))
	for i, w := range words {
		h := fnv.New64a()
		_, _ = h.Write([]byte(w)) // never fails
		each[i] = h.Sum64()
	}
	out := make([]uint64, 0, len(words)-copyTokens+1)
	sum := uint64(0)
	for i, w := range each {
		sum = sum*base + w
		if i >= copyTokens {
			sum -= lead * each[i-copyTokens]
		}
		if i >= copyTokens-1 {
			out = append(out, sum)
		}
	}
	return out
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
func various(words []string) bool {
	seen := map[string]bool{}
	for _, w := range words {
		if r := w[0]; r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			seen[w] = true
		}
	}
	return len(seen) >= copyWords && slices.ContainsFunc(words, func(w string) bool { return w == "(" })
}
