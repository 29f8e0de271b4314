package document

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// reading is the document as people read it: the PDF's text, or for one
// without text layer the Markdown file of the same name, or else what OCR read
// of its pages, when that was asked for.
type reading struct {
	passages []passage.Passage
	index    *passage.Index // of passages
	twin     string         // path of that Markdown file; "" when the PDF itself was read
	digest   string         // of the PDF
	// written makes places in a document that is text itself; twin is its name.
	// nil: the document is a PDF.
	written  func(first, last int) court.Place
	scan     string         // the program that read the pages' pictures; "" when none did
	pages    map[int]string // squeezed text by page; nil for a twin
	markdown string         // text of the twin
	own      bool           // that file is what was asked for, not a stand-in
	unread   string         // what of the text was not read; "" when all was
}

// titled takes the document's title out of the headings above its passages:
// it says what the whole is and nothing of a part.
func titled(passages []passage.Passage) []passage.Passage {
	count := map[string]int{}
	for _, p := range passages {
		if len(p.Section) > 0 {
			count[p.Section[0]]++
		}
	}
	for i := range passages {
		if p := &passages[i]; len(p.Section) > 0 && 10*count[p.Section[0]] > 7*len(passages) {
			p.Section = p.Section[1:]
		}
	}
	return passages
}

// read cuts the document into passages, once per scene.
func read(ctx context.Context, s *probe.Scene) (*reading, error) {
	return probe.Shared(s, "document.reading", func() (*reading, error) {
		r, err := s.Passages(ctx)
		u, ok := errors.AsType[*probe.Unable](err)
		switch {
		case ok && u.Reason == court.NoTextLayer && twinOf(s) == "" && s.OCR() != "":
			return readScan(ctx, s)
		case ok && (u.Reason == court.NoTextLayer || u.Reason == court.NotSubmitted && blank(ctx, s)):
			return readTwin(ctx, s, u)
		case err != nil:
			return nil, err
		}
		d, err := s.Document(ctx)
		if err != nil {
			return nil, err
		}
		passages := titled(slices.Clone(r.Passages))
		if s.Written() {
			visible, _ := s.WrittenText(ctx)
			return &reading{passages: passages, index: passage.NewIndex(passages), twin: s.PDFPath(), written: s.WrittenAt, markdown: visible}, nil
		}
		return &reading{passages: passages, index: passage.NewIndex(passages), digest: s.PDFDigest(), pages: squeezedPages(d.Pages), unread: unread(d)}, nil
	})
}

// blank tells pages on which there is nothing.
func blank(ctx context.Context, s *probe.Scene) bool {
	d, err := s.Document(ctx)
	return err == nil && d.Blank
}

// unread says what of a document's text nobody read: where nothing was found, it
// may stand there.
func unread(d *pdf.Document) string {
	for _, n := range d.Notes {
		switch n.Code {
		case pdf.PagesCapped:
			return n.Text
		case pdf.TextCapped:
			return fmt.Sprintf("not all text from page %d on was read", n.Page)
		case pdf.PageFailed:
			return fmt.Sprintf("page %d could not be read", max(n.Page, 1))
		default: // pictures, shapes and links are no text
		}
	}
	return ""
}

// readTwin reads the Markdown file with the document's stem instead of it.
func readTwin(ctx context.Context, s *probe.Scene, u *probe.Unable) (*reading, error) {
	twin := twinOf(s)
	if twin == "" {
		return nil, u
	}
	f, err := s.Text(ctx, twin)
	if err != nil {
		return nil, err
	}
	text, _ := f.Text()
	passages := titled(passage.FromMarkdown(text))
	return &reading{passages: passages, index: passage.NewIndex(passages), twin: twin, markdown: text}, nil
}

// readScan reads what OCR made of the pages.
func readScan(ctx context.Context, s *probe.Scene) (*reading, error) {
	r, pages, err := s.ScannedPassages(ctx)
	if err != nil {
		return nil, err
	}
	if len(r.Passages) == 0 {
		return nil, &probe.Unable{Reason: court.NoTextLayer, Why: "the document has pages but no text, and OCR read none in their pictures"}
	}
	passages := titled(r.Passages)
	return &reading{passages: passages, index: passage.NewIndex(passages), digest: s.PDFDigest(), scan: s.OCR(), pages: squeezedPages(pages)}, nil
}

// twinOf is the Markdown file with the stem of the document, in its folder
// before others; "" when there is none.
func twinOf(s *probe.Scene) string {
	entries, err := s.Entries()
	if err != nil {
		return ""
	}
	stem := func(p string) string {
		return strings.ToLower(strings.TrimSuffix(path.Base(p), path.Ext(p)))
	}
	best := ""
	for _, e := range entries {
		if !strings.EqualFold(path.Ext(e.Path), ".md") || stem(e.Path) != stem(s.PDFPath()) {
			continue
		}
		if path.Dir(e.Path) == path.Dir(s.PDFPath()) {
			return e.Path
		}
		if best == "" {
			best = e.Path
		}
	}
	return best
}

func squeezedPages(all []pdf.Page) map[int]string {
	pages := map[int]string{}
	for _, p := range all {
		var b strings.Builder
		for _, l := range p.Lines {
			b.WriteString(passage.Squeeze(l.Text))
		}
		pages[p.Number] = b.String()
	}
	return pages
}

// maxQuote bounds a quote, in bytes.
const maxQuote = 300

// source is the kind of instrument that read the document: a twin's text and
// what OCR read are not the document's own text.
func (r *reading) source(of court.Source) court.Source {
	if r.twin != "" && !r.own && r.written == nil || r.scan != "" {
		return court.Layout
	}
	return of
}

// cite gives the place of a sentence of a passage and what stands there. It
// falls back to the printed line when the sentence does not stand on one page
// as the passage has it.
func (r *reading) cite(p *passage.Passage, sentence string) (court.Place, string) {
	if r.twin != "" {
		return r.citeTwin(p, sentence), ""
	}
	quote := shorten(sentence)
	page := p.Page
	for i, l := range p.Lines {
		if (i == 0 || l.Page != p.Lines[i-1].Page) && r.stands(quote, l.Page) {
			return r.place(p, l.Page), quote
		}
	}
	key := passage.Squeeze(sentence)
	for _, l := range p.Lines {
		text := strings.TrimSpace(l.Text)
		if text != "" && strings.Contains(key, passage.Squeeze(text)) {
			quote, page = shorten(text), l.Page
			break
		}
	}
	if !r.stands(quote, page) && len(p.Lines) > 0 {
		quote, page = shorten(strings.TrimSpace(p.Lines[0].Text)), p.Lines[0].Page
	}
	return r.place(p, page), quote
}

// stands tells whether a text can be read on a page, or from it to the next.
func (r *reading) stands(text string, page int) bool {
	key := passage.Squeeze(text)
	return key != "" && (strings.Contains(r.pages[page], key) || strings.Contains(r.pages[page]+r.pages[page+1], key))
}

func (r *reading) place(p *passage.Passage, page int) court.Place {
	at := court.Place{Page: page, Digest: r.digest}
	if page == p.Page && p.Box != (passage.Box{}) {
		at.Box = box(p.Box.X0, p.Box.Y0, p.Box.X1, p.Box.Y1)
	}
	return at
}

func box(x0, y0, x1, y1 float64) *court.Box {
	fixed := func(v float64) court.Fixed { return court.Fixed(math.Round(v * float64(court.One))) }
	return &court.Box{X0: fixed(x0), Y0: fixed(y0), X1: fixed(x1), Y1: fixed(y1)}
}

// citeTwin is the lines of the twin that hold a sentence.
func (r *reading) citeTwin(p *passage.Passage, sentence string) court.Place {
	first, last := 0, 0
	head := strings.Fields(sentence)
	for _, l := range p.Lines {
		if first == 0 || len(head) > 0 && strings.Contains(l.Text, strings.Join(head[:min(3, len(head))], " ")) && last == first {
			first = l.Number
		}
		last = first
	}
	if r.written != nil {
		return r.written(max(first, 1), max(first, last, 1))
	}
	return court.Place{Path: r.twin, Line: max(first, 1), EndLine: max(first, last, 1)}
}

// shorten cuts a text at a blank, to the length of a quote.
func shorten(s string) string {
	const n = maxQuote
	s = strings.TrimSpace(s)
	if len(s) <= n {
		return s
	}
	cut := strings.LastIndexAny(s[:n], " \t\n")
	if cut <= 0 {
		return strings.ToValidUTF8(s[:n], "")
	}
	return strings.TrimSpace(s[:cut])
}

// words counts the words of a text; a stroke parts two.
func words(s string) int {
	return len(strings.FieldsFunc(s, func(r rune) bool { return r == '/' || unicode.IsSpace(r) }))
}

// prose is running text, as opposed to headings, tables, listings and entries
// of a table of contents.
func prose(p *passage.Passage) bool {
	return p.Kind == passage.Body || p.Kind == passage.List
}

// under tells whether a heading above the passage fits.
func under(p *passage.Passage, fits func(heading string) bool) bool {
	return slices.ContainsFunc(p.Section, fits)
}
