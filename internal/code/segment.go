package code

import (
	"slices"
	"strings"
)

// Segment is a piece of a source text that does not run as it stands: a
// comment, a docstring, or what is between the quotes of a literal. Open and
// Close are the lengths of its delimiters, which belong to it.
type Segment struct {
	From, To    int // byte offsets
	Open, Close int
	Kind        SegmentKind
}

// SegmentKind says what a segment is to the one who reads the code.
type SegmentKind uint8

// The kinds of segments.
const (
	Comment SegmentKind = iota + 1
	Docs                // a docstring, or a string that is a statement of its own: nobody reads its value
	Literal             // of a string with expressions inside, the text around them
)

// Segments lists what of the module is not code, in order and without
// overlap. Types that are written as text are code.
func (m *Module) Segments() []Segment {
	if m.tree == nil {
		return Segments("python", m.text)
	}
	idle := m.idleStrings()
	var out []Segment
	end, quotes := 0, 0 // of the literal that the next pieces belong to
	for _, s := range m.spans() {
		x := Segment{From: s.start, To: s.end, Kind: Literal}
		switch {
		case s.comment:
			x.Kind, x.Open = Comment, 1
		case s.literal:
			var prefix int
			prefix, quotes = quoteOf(m.text[s.start:s.literalEnd])
			end, x.Open = s.literalEnd, prefix+quotes
			if s.doc || idle[s.start] {
				x.Kind = Docs
			}
		}
		if !s.comment && s.end == end && s.end-s.start >= x.Open+quotes {
			x.Close = quotes
		}
		if n := len(out); x.To > x.From && (n == 0 || x.From >= out[n-1].To) {
			out = append(out, x)
		}
	}
	return out
}

// idleStrings says where the strings begin that are statements.
func (m *Module) idleStrings() map[int]bool {
	out := map[int]bool{}
	for n := range m.Root().Walk() {
		if !n.Is("string") {
			continue
		}
		whole := n
		for whole.Parent().Is("concatenated_string", "parenthesized_expression") {
			whole = whole.Parent()
		}
		if whole.Parent().Is("expression_statement") {
			out[n.Start()] = true
		}
	}
	return out
}

// quoteOf measures the prefix and the quote at the start of a Python literal.
func quoteOf(literal string) (prefix, quotes int) {
	prefix = max(strings.IndexAny(literal, `"'`), 0)
	rest := literal[prefix:]
	if len(rest) >= 3 && rest[1] == rest[0] && rest[2] == rest[0] {
		return prefix, 3
	}
	return prefix, min(len(rest), 1)
}

// Segments reads the comments and strings of a text without a tree, in order
// and without overlap. Where that leaves room for doubt, more is taken for a
// comment or a string rather than less. Of a language whose comments are not
// known, see Lexed, it lists nothing.
func Segments(lang Language, text string) []Segment {
	g, ok := spellingOf(lang)
	if !ok {
		return nil
	}
	s := &segmenter{spelling: g, text: text}
	for s.at < len(text) {
		s.step()
	}
	return s.out
}

// Lexed tells how far Segments reads a language: whether its comments are
// known at all, and whether what stands outside of them and of strings is code.
func (l Language) Lexed() (comments, code bool) {
	g, ok := spellingOf(l)
	return ok, ok && !g.prose
}

// segmenter walks over a text once.
type segmenter struct {
	spelling
	text  string
	at    int
	last  byte // the last byte of code that is no white space
	begun bool // something stands before on this line
	ends  map[string][][2]int
	out   []Segment
}

func (s *segmenter) step() {
	rest := s.text[s.at:]
	switch {
	case s.comment(rest), s.heredoc && s.hereDocument(rest), s.literal(rest):
		return
	}
	switch c := rest[0]; c {
	case '\n':
		s.begun = false
	case ' ', '\t':
	default:
		s.last, s.begun = c, true
		if c == '\\' && len(rest) > 1 && strings.IndexByte("\"'`#", rest[1]) >= 0 {
			s.at++
		}
	}
	s.at++
}

func (s *segmenter) add(kind SegmentKind, length, open, closing int) {
	s.out = append(s.out, Segment{From: s.at, To: s.at + length, Open: open, Close: closing, Kind: kind})
	s.at += length
	s.begun = true
	if kind == Literal {
		s.last = '"'
	}
}

func (s *segmenter) comment(rest string) bool {
	for _, b := range s.blocks {
		if !strings.HasPrefix(rest, b.open) || b.lineStart && s.begun {
			continue
		}
		length, closed := blockEnd(rest, b)
		closing := 0
		if closed {
			closing = len(b.close)
		}
		s.add(Comment, length, len(b.open), closing)
		return true
	}
	for _, mark := range s.lines {
		if !strings.HasPrefix(rest, mark) || s.wordStart && !s.afterSpace() {
			continue
		}
		length := strings.IndexByte(rest, '\n')
		if length < 0 {
			length = len(rest)
		}
		s.add(Comment, length, len(mark), 0)
		return true
	}
	return false
}

func (s *segmenter) afterSpace() bool {
	return s.at == 0 || strings.IndexByte(" \t\n;([{,:", s.text[s.at-1]) >= 0
}

// blockEnd is the length of a block comment, to the end of the text where
// nothing closes it.
func blockEnd(rest string, b block) (length int, closed bool) {
	depth := 1
	for i := len(b.open); i < len(rest); {
		switch {
		case strings.HasPrefix(rest[i:], b.close):
			i += len(b.close)
			if depth--; depth == 0 {
				return i, true
			}
		case b.nested && strings.HasPrefix(rest[i:], b.open):
			i += len(b.open)
			depth++
		default:
			i++
		}
	}
	return len(rest), false
}

func (s *segmenter) literal(rest string) bool {
	if s.raw != nil {
		if length, open, closing := s.raw(s.text, s.at); length > 0 {
			s.add(Literal, length, open, closing)
			return true
		}
	}
	if s.regex && rest[0] == '/' && s.operandNext() {
		if length := regexEnd(rest); length > 0 {
			s.add(Literal, length, 1, 1)
			return true
		}
	}
	for _, q := range s.quotes {
		if !strings.HasPrefix(rest, q.mark) || q.word && !s.afterSpace() {
			continue
		}
		length, closed := q.end(rest)
		if length == 0 {
			continue
		}
		kind, closing := Literal, 0
		if closed {
			closing = len(q.mark)
		}
		if q.docs && !s.begun || slices.ContainsFunc(s.docWords, func(w string) bool { return strings.HasSuffix(strings.TrimRight(s.text[:s.at], " "), w) }) {
			kind = Docs
		}
		s.add(kind, length, len(q.mark), closing)
		return true
	}
	return false
}

// operandNext: after what stands before, a slash does not divide.
func (s *segmenter) operandNext() bool {
	return s.last == 0 || strings.IndexByte("(,=:[!&|?{};+-*%<>~^", s.last) >= 0 || s.last == 'n' && strings.HasSuffix(strings.TrimRight(s.text[:s.at], " "), "return")
}
