package quality

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// bare is a stretch of a file's text in which comments are blank.
func bare(f *syntax.File, from, to int) string {
	text := f.Text()
	all := f.Comments()
	at, _ := slices.BinarySearchFunc(all, uint32(from), func(c syntax.Comment, from uint32) int { return int(c.To) - int(from) })
	var b strings.Builder
	b.Grow(to - from)
	for _, c := range all[at:] {
		if int(c.From) >= to {
			break
		}
		b.WriteString(text[from:max(int(c.From), from)])
		b.WriteByte(' ')
		from = max(from, min(int(c.To), to))
	}
	b.WriteString(text[from:to])
	return b.String()
}

// remarks are the comments that lie in a stretch of a file.
func remarks(f *syntax.File, from, to int) string {
	text := f.Text()
	all := f.Comments()
	at, _ := slices.BinarySearchFunc(all, uint32(from), func(c syntax.Comment, from uint32) int { return int(c.From) - int(from) })
	var b strings.Builder
	for _, c := range all[at:] {
		if int(c.To) > to {
			break
		}
		b.WriteString(text[c.From:c.To])
		b.WriteByte('\n')
	}
	return b.String()
}

// eachWord hands over the words of a text: letters, digits and low lines that
// begin with no digit.
func eachWord(text string, yield func(string)) {
	start := -1
	for i := range len(text) {
		c := text[i]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		switch {
		case letter && start < 0:
			start = i
		case start >= 0 && !letter && (c < '0' || c > '9'):
			yield(text[start:i])
			start = -1
		}
	}
	if start >= 0 {
		yield(text[start:])
	}
}
