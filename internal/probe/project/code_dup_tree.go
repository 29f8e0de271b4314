package project

import (
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// stretch is a part of a text that is one token, or none.
type stretch struct {
	from, to int
	none     bool
}

// fromTree takes a file with a tree apart: comments, imports and the tests that
// stand in production code are left out.
func (l *lexicon) fromTree(u *unit, f *syntax.File) {
	text, line, counted := f.Text(), 1, 0
	put := func(from, to int) {
		for ; counted < from; counted++ {
			if text[counted] == '\n' {
				line++
			}
		}
		u.words, u.lines = append(u.words, l.number(text[from:to])), append(u.lines, uint32(line))
	}
	at := 0
	for _, s := range stretches(f) {
		if s.from < at {
			continue
		}
		plainTokens(text, at, s.from, put)
		if !s.none && s.to > s.from {
			put(s.from, s.to)
		}
		at = max(at, s.to)
	}
	plainTokens(text, at, len(text), put)
}

// stretches are the comments, imports, tests and strings of a file in order.
func stretches(f *syntax.File) []stretch {
	var out []stretch
	comments := f.Comments()
	before := func(at int) {
		for len(comments) > 0 && int(comments[0].From) < at {
			out = append(out, stretch{int(comments[0].From), int(comments[0].To), true})
			comments = comments[1:]
		}
	}
	until := 0
	for n := range f.Root().Walk() {
		none := n.Is("import", "package") && n.Parent().Is("file", "block") || n.Has(syntax.Test) && f.Scope == code.ScopeProduction
		if n.Start() < until || !none && !n.Is("string", "regexp") {
			continue
		}
		before(n.Start())
		out = append(out, stretch{n.Start(), n.End(), none})
		until = n.End()
	}
	before(len(f.Text()) + 1)
	return out
}

// plainTokens are the words, numbers and signs of a text without strings.
func plainTokens(text string, from, to int, put func(from, to int)) {
	for i := from; i < to; {
		c := text[i]
		switch {
		case c <= ' ':
			i++
			continue
		case inWord(c):
			start := i
			number := c >= '0' && c <= '9'
			for i < to && (inWord(text[i]) || number && text[i] == '.') {
				i++
			}
			put(start, i)
			continue
		}
		_, w := utf8.DecodeRuneInString(text[i:to])
		put(i, i+w)
		i += w
	}
}

// inWord tells a byte of a name; letters beyond ASCII are some, too.
func inWord(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}
