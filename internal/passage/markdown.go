package passage

import (
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// FromMarkdown makes passages of a Markdown text: headings, paragraphs, list items, tables, code blocks. It reads the
// blocks of CommonMark and GitHub's tables as far as reports use them; marks within a line stay as they are. Lines
// are numbered as in the text.
func FromMarkdown(text string) []Passage {
	text = strings.TrimPrefix(text, "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	m := &markdown{b: newBuilder()}
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		m.line(Line{Text: line, Number: n})
	}
	m.flush()
	return m.b.found
}

// markdown reads line by line; open holds the lines of the block that has not ended.
type markdown struct {
	b     *builder
	open  []Line
	bytes int
	kind  Kind
	fence string // the run of ` or ~ that opened a code block; empty outside
	lang  string
	note  bool // inside an HTML comment
}

var (
	atxHeading = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	setext     = regexp.MustCompile(`^ {0,3}(=+|-+)[ \t]*$`)
	fenceOpen  = regexp.MustCompile("^[ \t>]*(`{3,}|~{3,})[ \t]*([^`]*)$")
	rule       = regexp.MustCompile(`^ {0,3}([-*_])[ \t]*([-*_][ \t]*){2,}$`)
	tableRow   = regexp.MustCompile(`^\s*\|.*\|\s*$`)
	bullet     = regexp.MustCompile(`^\s*([-*+]|\d{1,9}[.)])(\s+\S.*|\s*)$`)
)

func (m *markdown) line(l Line) {
	switch {
	case m.fence != "":
		m.inFence(l)
		return
	case m.note || strings.HasPrefix(strings.TrimSpace(l.Text), "<!--"):
		// A comment is not printed: nobody reads it as part of the document.
		m.flush()
		m.note = !strings.Contains(l.Text, "-->")
		return
	}
	if f := fenceOpen.FindStringSubmatch(l.Text); f != nil {
		m.flush()
		m.fence, m.lang, m.kind = f[1], language(f[2]), Code
		return
	}
	m.block(l)
}

// inFence adds to a code block until a fence at least as long ends it.
func (m *markdown) inFence(l Line) {
	inner := strings.TrimLeft(l.Text, " \t>")
	if strings.HasPrefix(inner, m.fence) && strings.Trim(inner, m.fence[:1]+" \t") == "" {
		m.flush()
		m.fence, m.lang = "", ""
		return
	}
	if f := fenceOpen.FindStringSubmatch(l.Text); f != nil && f[1] == m.fence && language(f[2]) != "" && !quotesMarkdown(m.lang) {
		m.unclosed()
		m.line(l)
		return
	}
	m.push(Code, l)
}

// quotesMarkdown: a listing in this language may hold fences of its own.
func quotesMarkdown(lang string) bool {
	return lang == "markdown" || lang == "md" || lang == "mdx"
}

// unclosed takes back a fence that no line closed before the next one opened: its text up to the first blank line is the
// listing, and what comes after it is read as blocks.
func (m *markdown) unclosed() {
	lines, lang := m.open, m.lang
	m.open, m.bytes, m.fence, m.lang = nil, 0, "", ""
	end := slices.IndexFunc(lines, func(l Line) bool { return strings.TrimSpace(l.Text) == "" })
	if end < 0 {
		end = len(lines)
	}
	for _, l := range lines[:end] {
		m.push(Code, l)
	}
	m.lang = lang
	m.flush()
	m.lang = ""
	for _, l := range lines[end:] {
		m.block(l)
	}
}

func language(info string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(info), " ")
	return strings.ToLower(strings.Trim(word, "{}.,"))
}

func (m *markdown) block(l Line) {
	text := strings.TrimSpace(strings.TrimLeft(l.Text, " >"))
	if text == "" {
		m.flush()
		return
	}
	if h := atxHeading.FindStringSubmatch(l.Text); h != nil {
		m.flush()
		m.b.add(Passage{Kind: Heading, Level: len(h[1]), Lines: []Line{l}, Text: strings.TrimSpace(h[2])})
		return
	}
	if len(m.open) == 1 && m.kind == Body && setext.MatchString(l.Text) {
		level := 1
		if strings.Contains(l.Text, "-") {
			level = 2
		}
		title := m.open[0]
		m.open = nil
		m.b.add(Passage{Kind: Heading, Level: level, Lines: []Line{title}, Text: strings.TrimSpace(title.Text)})
		return
	}
	switch {
	case rule.MatchString(l.Text):
		m.flush()
	case tableRow.MatchString(l.Text) || m.kind == Table && len(m.open) > 0 && strings.Contains(text, "|"):
		if m.kind != Table {
			m.flush()
		}
		m.push(Table, l)
	case bullet.MatchString(strings.TrimLeft(l.Text, " >")):
		m.flush()
		m.push(List, l)
	case len(m.open) > 0 && (m.kind == Body || m.kind == List):
		m.push(m.kind, l)
	case len(m.open) == 0 && indented(l.Text):
		m.push(Code, l)
	case m.kind == Code && len(m.open) > 0 && indented(l.Text):
		m.push(Code, l)
	default:
		m.flush()
		m.push(Body, l)
	}
}

func indented(text string) bool {
	return strings.HasPrefix(text, "    ") || strings.HasPrefix(text, "\t")
}

func (m *markdown) push(kind Kind, l Line) {
	if len(m.open) >= passageLines || m.bytes > passageBytes {
		m.flush()
	}
	m.kind = kind
	m.open = append(m.open, l)
	m.bytes += len(l.Text)
}

// flush ends the open block. A fence stays open: a long listing is cut into several passages.
func (m *markdown) flush() {
	lines := m.open
	m.open, m.bytes = nil, 0
	if len(lines) == 0 {
		return
	}
	p := Passage{Kind: m.kind, Lines: lines}
	switch m.kind {
	case Code:
		p.Text, p.Lang = verbatim(lines), m.lang
	case Table:
		p.Text = verbatim(lines)
	default:
		p.Text = running(lines, m.kind)
		if captionStart.MatchString(strings.TrimLeft(p.Text, "*_")) {
			p.Kind = Caption
		}
	}
	m.b.add(p)
}

// running joins the lines of a paragraph or item without its marks. Markdown breaks lines at blanks only, so that no
// word has to be made whole.
func running(lines []Line, kind Kind) string {
	var words []string
	for i, l := range lines {
		text := strings.TrimSpace(strings.TrimLeft(l.Text, " >"))
		if i == 0 && kind == List {
			_, text = splitMark(text)
		}
		words = append(words, strings.Fields(strings.TrimSuffix(text, "\\"))...)
	}
	return strings.Join(words, " ")
}
