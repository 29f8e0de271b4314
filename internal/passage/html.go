package passage

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// FromHTML reads a page of HTML: headings, paragraphs, items, tables, listings, captions, each with the line on which it
// begins. hidden is the text that nobody sees who looks at the page. It reads the tags in order and builds no tree, so
// that what is nested without end costs nothing.
func FromHTML(text string) (pieces []Piece, hidden []Line) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	r := &pageReader{line: 1}
	z := html.NewTokenizer(strings.NewReader(text))
	z.SetMaxBuf(tokenBytes)
	for z.Next() != html.ErrorToken {
		raw := string(z.Raw())
		switch t := z.Token(); t.Type {
		case html.TextToken:
			r.text(raw)
		case html.StartTagToken, html.SelfClosingTagToken:
			r.open(t)
		case html.EndTagToken:
			r.close(t)
		case html.CommentToken:
			r.hide(t.Data)
		case html.ErrorToken, html.DoctypeToken:
		}
		r.line += strings.Count(raw, "\n")
	}
	r.flush()
	return r.pieces, r.hidden
}

// tokenBytes bounds one tag or text of a page.
const tokenBytes = 4 << 20

// pageReader puts the words of a page into pieces.
type pageReader struct {
	line   int
	pieces []Piece
	hidden []Line
	words  strings.Builder
	at     int // the line of the first word; 0 while there is none
	kind   Kind
	level  int
	begins bool // the next row or line of code begins a table or listing
	unseen string
	depth  int // of elements of the name unseen within each other
}

// unseenElements hold what no page shows.
var unseenElements = []atom.Atom{atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Title, atom.Head, atom.Svg, atom.Select, atom.Textarea}

var unseenStyle = regexp.MustCompile(`(?i)display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:[^.\d]|$)|opacity\s*:\s*0(?:[^.\d]|$)`)

// openEnded are elements that the next one of their kind ends.
var openEnded = []string{"p", "li", "tr", "td", "th", "dt", "dd", "option"}

// voids have no end tag.
var voids = []atom.Atom{atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Source, atom.Track, atom.Wbr}

func (r *pageReader) text(data string) {
	if r.unseen != "" {
		r.hide(data)
		return
	}
	if r.kind == Code {
		r.listing(data)
		return
	}
	for i, line := range strings.Split(data, "\n") {
		if i > 0 {
			r.words.WriteByte(' ')
		}
		line = html.UnescapeString(line)
		if strings.TrimSpace(line) != "" && r.at == 0 {
			r.at = r.line + i
		}
		r.words.WriteString(line)
	}
}

// listing keeps the lines of code as they are.
func (r *pageReader) listing(data string) {
	for i, line := range strings.Split(data, "\n") {
		if i > 0 {
			r.flush()
		}
		if r.at == 0 {
			r.at = r.line + i
		}
		r.words.WriteString(strings.ReplaceAll(html.UnescapeString(line), "\n", " "))
	}
}

func (r *pageReader) hide(data string) {
	for i, line := range strings.Split(data, "\n") {
		if strings.TrimSpace(line) != "" {
			r.hidden = append(r.hidden, Line{Text: strings.TrimSpace(line), Number: r.line + i})
		}
	}
}

func (r *pageReader) open(t html.Token) {
	name := t.DataAtom
	if r.unseen != "" && slices.Contains(openEnded, t.Data) && t.Data == r.unseen || r.unseen == "head" && name == atom.Body {
		r.unseen = "" // its end tag may be left out
	}
	if r.unseen != "" {
		if t.Data == r.unseen && t.Type == html.StartTagToken {
			r.depth++
		}
		return
	}
	if t.Type == html.StartTagToken && !slices.Contains(voids, name) && (slices.Contains(unseenElements, name) || switchedOff(t)) {
		r.flush()
		r.unseen, r.depth = t.Data, 1
		return
	}
	switch name {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.flush()
		r.kind, r.level = Heading, int(t.Data[1]-'0')
	case atom.Li, atom.Dt, atom.Dd:
		r.flush()
		r.kind = List
	case atom.Ul, atom.Ol, atom.Dl:
		r.flush()
	case atom.Pre:
		r.flush()
		r.kind, r.begins = Code, true
	case atom.Table:
		r.flush()
		r.begins = true
	case atom.Tr:
		r.flush()
		r.kind = Table
	case atom.Td, atom.Th:
		if r.kind == Table && r.at > 0 {
			r.words.WriteByte('\t')
		}
	case atom.Figcaption, atom.Caption:
		r.flush()
		r.kind = Caption
	case atom.Br:
		r.words.WriteByte(' ')
	default:
		if parts(name) && r.kind != Table && (r.kind != List || r.at > 0) {
			r.flush()
		}
	}
}

// switchedOff tells an element that its attributes hide.
func switchedOff(t html.Token) bool {
	return slices.ContainsFunc(t.Attr, func(a html.Attribute) bool {
		return a.Key == "hidden" || a.Key == "style" && unseenStyle.MatchString(a.Val)
	})
}

// parts tells the elements that part paragraphs.
func parts(name atom.Atom) bool {
	switch name {
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Header, atom.Footer, atom.Nav, atom.Aside, atom.Blockquote, atom.Figure, atom.Hr, atom.Address,
		atom.Details, atom.Summary, atom.Form, atom.Body, atom.Html:
		return true
	}
	return false
}

func (r *pageReader) close(t html.Token) {
	name := t.DataAtom
	if r.unseen != "" {
		if t.Data == r.unseen {
			if r.depth--; r.depth == 0 {
				r.unseen = ""
			}
		}
		return
	}
	switch name {
	case atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Li, atom.Dt, atom.Dd, atom.Pre, atom.Tr, atom.Figcaption, atom.Caption:
		r.flush()
		r.kind = ""
	default:
		if parts(name) && r.kind != Table {
			r.flush()
		}
	}
}

// flush ends a piece.
func (r *pageReader) flush() {
	text, kind := r.words.String(), r.kind
	switch kind {
	case Code:
		text = strings.TrimRight(text, " \t\r")
	case Table:
		cells := strings.Split(text, "\t")
		for i, c := range cells {
			cells[i] = strings.Join(strings.Fields(c), " ")
		}
		text = strings.Join(cells, "\t")
	default:
		text = strings.Join(strings.Fields(text), " ")
	}
	if kind == "" {
		kind = Body
	}
	if strings.TrimSpace(text) != "" {
		p := Piece{Kind: kind, Text: text, Number: max(r.at, 1), Begins: r.begins}
		if kind == Heading {
			p.Level = r.level
		}
		if kind == Code || kind == Table {
			r.begins = false
		}
		r.pieces = append(r.pieces, p)
	}
	r.words.Reset()
	r.at = 0
}
