package code

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Token is a word, number, operator, comment or string of a source file.
type Token struct {
	Text string
	Line int
	Pos  int // byte offset in the module's text
}

// lexed holds the comments and strings of a module.
type lexed struct {
	comments, strings, docs []Token
}

// words says at which offsets a word stands among the code tokens. The tokens
// themselves are many and not kept.
type words map[string][]int32

// Tokens returns the code tokens in order: words, numbers and operators,
// without comments and strings. Strings inside annotations and expressions
// inside f-strings count as code. A file without a tree is read by a lexer. The
// list is made anew by every call.
func (m *Module) Tokens() []Token { return codeTokens(m, m.spans()) }

// Words returns where a word occurs among the code tokens.
func (m *Module) Words(word string) []Token {
	var out []Token
	for _, at := range m.words()[word] {
		out = append(out, Token{Text: word, Line: m.lineAt(int(at)), Pos: int(at)})
	}
	return out
}

// Comments returns the comments, "#" included, in order.
func (m *Module) Comments() []Token { return m.lex().comments }

// Strings returns the string literals, docstrings included, as written, in
// order. Adjacent literals are apart.
func (m *Module) Strings() []Token { return m.lex().strings }

// Quoted returns what is text rather than code, in order: string literals
// without the expressions inside f-strings, and without types that are written
// as text. The list is made anew by every call.
func (m *Module) Quoted() []Token {
	var out []Token
	for _, s := range m.spans() {
		if !s.comment && s.end > s.start {
			out = append(out, Token{Text: m.text[s.start:s.end], Line: m.lineAt(s.start), Pos: s.start})
		}
	}
	return out
}

// Docstrings returns the docstrings of the module, its classes and functions,
// as written, in order.
func (m *Module) Docstrings() []Token { return m.lex().docs }

// Bare returns the text of lines from..to (from 1, inclusive) with comments
// and docstrings blanked out. The number of lines is kept.
func (m *Module) Bare(from, to int) string {
	from, to = max(from, 1), min(to, m.Lines)
	if from > to {
		return ""
	}
	start, end := int(m.starts[from-1]), len(m.text)
	if to < len(m.starts) {
		end = int(m.starts[to])
	}
	b := []byte(m.text[start:end])
	l := m.lex()
	for _, t := range slices.Concat(l.comments, l.docs) {
		for i := max(t.Pos, start); i < min(t.Pos+len(t.Text), end); i++ {
			if b[i-start] != '\n' {
				b[i-start] = ' '
			}
		}
	}
	return strings.TrimSuffix(string(b), "\n")
}

// mentionIndex keeps the answers of Mentions.
type mentionIndex struct {
	mu    sync.Mutex
	known map[mention][]*Module
}

type mention struct {
	word  string
	scope Scope
}

// Mentions returns the files of a scope class in whose code tokens a word
// occurs, by path: the sentinel that keeps "not found" from meaning "not
// understood".
func (p *Program) Mentions(word string, scope Scope) []*Module {
	p.mentions.mu.Lock()
	defer p.mentions.mu.Unlock()
	key := mention{word, scope}
	out, known := p.mentions.known[key]
	if known {
		return out
	}
	for _, m := range p.Modules {
		if m.Scope == scope && len(m.Words(word)) > 0 {
			out = append(out, m)
		}
	}
	if p.mentions.known == nil {
		p.mentions.known = map[mention][]*Module{}
	}
	p.mentions.known[key] = out
	return out
}

func (m *Module) lex() *lexed {
	m.lexOnce.Do(func() { m.lexed.read(m, m.spans()) })
	return &m.lexed
}

func (m *Module) words() words {
	m.wordsOnce.Do(func() {
		m.wordIndex = words{}
		for _, t := range m.Tokens() {
			if r, _ := utf8.DecodeRuneInString(t.Text); isWord(r) {
				word := foldName(t.Text)
				m.wordIndex[word] = append(m.wordIndex[word], int32(t.Pos))
			}
		}
	})
	return m.wordIndex
}

// spans lists what is not code, in order.
func (m *Module) spans() []span {
	if m.tree == nil {
		return lexSpans(m.text)
	}
	return m.treeSpans()
}

// span is a segment of text that is not code.
type span struct {
	start, end int
	comment    bool
	literal    bool // a literal begins here
	literalEnd int
	doc        bool
}

// treeSpans lists comments and strings by the tree. The expressions of an
// f-string cut its span; a string in an annotation is not a span.
func (m *Module) treeSpans() []span {
	var out []span
	docs := map[int]bool{}
	for _, d := range append([]*Definition{m.Body()}, m.Definitions()...) {
		if _, n := d.Docstring(); n.Valid() {
			docs[n.Start()] = true
		}
	}
	for n := range m.Root().Walk() {
		switch {
		case n.Is("comment"):
			out = append(out, span{start: n.Start(), end: n.End(), comment: true})
		case n.Is("string"):
			s := span{start: n.Start(), literal: true, literalEnd: n.End(), doc: docs[n.Start()] || docs[n.Parent().Start()] && n.Parent().Is("concatenated_string")}
			if inAnnotation(n) {
				s.end = s.start
				out = append(out, s)
				continue
			}
			for c := range n.All() {
				if c.Is("interpolation") {
					s.end = c.Start()
					out = append(out, s)
					s = span{start: c.End()}
				}
			}
			s.end = n.End()
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b span) int { return a.start - b.start })
	return out
}

// inAnnotation reports whether a string is a type written as text. The text
// of a Literal is a value.
func inAnnotation(n Node) bool {
	inside := false
	for a := range n.Around() {
		switch {
		case a.Is("type"):
			inside = true
		case a.Is("generic_type", "subscript") && LastName(a.Child(0)) == "Literal":
			return false
		case !a.Is("generic_type", "type_parameter", "subscript", "binary_operator", "union_type", "tuple", "list"):
			return inside
		}
	}
	return inside
}

// read lists the comments and literals among the spans.
func (l *lexed) read(m *Module, spans []span) {
	for _, s := range spans {
		t := Token{Line: m.lineAt(s.start), Pos: s.start}
		switch {
		case s.comment:
			t.Text = m.text[s.start:s.end]
			l.comments = append(l.comments, t)
		case s.literal:
			t.Text = m.text[s.start:s.literalEnd]
			l.strings = append(l.strings, t)
			if s.doc {
				l.docs = append(l.docs, t)
			}
		}
	}
}

// codeTokens splits the text around the spans into tokens.
func codeTokens(m *Module, spans []span) []Token {
	out := make([]Token, 0, len(m.text)/6)
	at, line := 0, 1
	advance := func(to int) {
		if to > at {
			line += strings.Count(m.text[at:to], "\n")
			at = to
		}
	}
	for _, s := range spans {
		if s.start >= at {
			out = appendTokens(out, m.text[:s.start], at, line)
			advance(s.start)
		}
		advance(s.end)
	}
	return appendTokens(out, m.text, at, line)
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// appendTokens lexes the code from an offset to the end of the text.
func appendTokens(out []Token, text string, from, line int) []Token {
	for i := from; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n':
			line++
			i++
		case unicode.IsSpace(r) || r == '\\':
			i += size
		case isWord(r):
			j := i
			for j < len(text) {
				r, size := utf8.DecodeRuneInString(text[j:])
				if !isWord(r) {
					break
				}
				j += size
			}
			out = append(out, Token{Text: text[i:j], Line: line, Pos: i})
			i = j
		default:
			size = max(size, operatorLength(text[i:]))
			out = append(out, Token{Text: text[i : i+size], Line: line, Pos: i})
			i += size
		}
	}
	return out
}

// operatorLength returns the length of the operator at the start of s, 1 for
// anything else.
func operatorLength(s string) int {
	for _, op := range []string{"**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "**", "//", "<<", ">>",
		"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@="} {
		if strings.HasPrefix(s, op) {
			return len(op)
		}
	}
	return 1
}

// lexSpans finds comments and strings without a tree.
func lexSpans(text string) []span {
	var out []span
	for i := 0; i < len(text); {
		switch text[i] {
		case '#':
			end := len(text)
			if j := strings.IndexByte(text[i:], '\n'); j >= 0 {
				end = i + j
			}
			out = append(out, span{start: i, end: end, comment: true})
			i = end
		case '"', '\'':
			end := stringEnd(text, i)
			out = append(out, span{start: i, end: end, literal: true, literalEnd: end})
			i = end
		default:
			i++
		}
	}
	return out
}

// stringEnd returns the offset after the string that starts at i. A plain
// string that is not closed ends with its line.
func stringEnd(text string, i int) int {
	quote := text[i : i+1]
	if strings.HasPrefix(text[i:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	for j := i + len(quote); j < len(text); j++ {
		switch {
		case text[j] == '\\':
			j++
		case strings.HasPrefix(text[j:], quote):
			return j + len(quote)
		case text[j] == '\n' && len(quote) == 1:
			return j
		}
	}
	return len(text)
}
