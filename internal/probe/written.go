package probe

import (
	"context"
	"crypto/sha1" //nolint:gosec // git's object ids
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/pdf"
)

// Written tells whether the document is text with lines, Markdown or plain, and
// not a PDF with pages. It goes by the name under which it was given.
func (s *Scene) Written() bool { return s.o.PDF != nil && passage.Written(s.o.PDFPath) }

// WrittenText is the text of a written document as a reader sees it rendered,
// and the lines of which something is not seen.
func (s *Scene) WrittenText(ctx context.Context) (visible string, hidden []passage.Line) {
	t, err := s.writtenText(ctx)
	if err != nil {
		return "", nil
	}
	return t.visible, t.hidden
}

// Sketched tells a document in which figures can be looked for.
func (s *Scene) Sketched() bool { return !s.Written() || passage.Marked(s.o.PDFPath) }

// writtenForm is a written document as it was read.
type writtenForm struct {
	doc      *pdf.Document
	raw      string // as it is quoted, line by line; of DOCX paragraph by paragraph
	visible  string // the same as a reader sees it
	hidden   []passage.Line
	passages []passage.Passage
}

// writtenText reads the document once.
func (s *Scene) writtenText(ctx context.Context) (*writtenForm, error) {
	return Shared(s, "probe.written", func() (*writtenForm, error) {
		switch {
		case len(s.o.PDF) > maxText && !passage.InWord(s.o.PDFPath):
			return &writtenForm{doc: &pdf.Document{Status: pdf.TooLarge, Reason: fmt.Sprintf("a text of more than %d bytes", maxText)}}, nil
		case passage.InWord(s.o.PDFPath):
			return s.inWord(ctx)
		}
		raw, _ := code.File{Path: s.o.PDFPath, Bytes: s.o.PDF}.Text()
		t := &writtenForm{raw: raw}
		if passage.InHTML(s.o.PDFPath) {
			pieces, hidden := passage.FromHTML(raw)
			t.hidden, t.passages, t.visible = hidden, passage.FromPieces(pieces), shown(pieces)
		} else {
			t.visible, t.hidden = passage.Visible(raw)
			t.passages = passage.FromMarkdown(t.visible)
		}
		t.doc = &pdf.Document{Status: pdf.Readable}
		switch {
		case strings.TrimSpace(t.visible) == "":
			t.doc = &pdf.Document{Status: pdf.Empty, Reason: "there is no text in it"}
		case strings.ContainsRune(t.visible, 0):
			t.doc = &pdf.Document{Status: pdf.NotPDF, Reason: "it is neither text nor a PDF"}
		}
		return t, nil
	})
}

// shown puts pieces on the lines on which they begin.
func shown(pieces []passage.Piece) string {
	var b strings.Builder
	line := 1
	for _, p := range pieces {
		if p.Number <= line && b.Len() > 0 {
			b.WriteByte(' ')
		}
		for ; line < p.Number; line++ {
			b.WriteByte('\n')
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// inWord reads a DOCX file in the worker that reads PDFs. Its paragraphs are its lines.
func (s *Scene) inWord(ctx context.Context) (*writtenForm, error) {
	d, err := pdf.Read(ctx, s.o.Reader, s.o.PDF, pdf.Options{Word: true})
	if over := ctx.Err(); over != nil { // the step ends; that says nothing of the document
		return nil, over
	}
	if err != nil {
		return nil, &Unable{Reason: court.Limit, Why: "the document could not be read: " + err.Error()}
	}
	t := &writtenForm{doc: d}
	var pieces []passage.Piece
	var raw []string
	for i, p := range d.Paragraphs {
		text := strings.ReplaceAll(p.Text, "\n", " ")
		raw = append(raw, text)
		if p.Hidden {
			t.hidden = append(t.hidden, passage.Line{Text: text, Number: i + 1})
			continue
		}
		kind, ok := wordKinds[p.Style]
		if !ok {
			kind = passage.Body
		}
		pieces = append(pieces, passage.Piece{Kind: kind, Level: p.Level, Text: text, Number: i + 1, Begins: p.Begins})
	}
	t.raw, t.visible, t.passages = strings.Join(raw, "\n"), shown(pieces), passage.FromPieces(pieces)
	return t, nil
}

// wordKinds are the kinds of passages that the styles of a DOCX file stand for.
var wordKinds = map[string]passage.Kind{"heading": passage.Heading, "list": passage.List, "row": passage.Table, "code": passage.Code,
	"caption": passage.Caption, "contents": passage.Contents}

// WrittenAt is a place in a written document: lines of a file of the commit when
// it is one, else lines of what was handed in beside it, told by its digest. So are
// the paragraphs of a DOCX file, whose bytes have no lines.
func (s *Scene) WrittenAt(first, last int) court.Place {
	p := court.Place{Path: s.o.PDFPath, Line: first, EndLine: max(first, last)}
	if e, ok := s.entries[p.Path]; !ok || e.OID != blobID(s.o.PDF) || passage.InWord(p.Path) {
		p.Digest = s.digest
	}
	return p
}

// ofWritten tells a place in a document that lies beside the repository.
func ofWritten(p court.Place) bool { return p.Path != "" && p.Digest != "" }

func blobID(raw []byte) string {
	sum := sha1.New() //nolint:gosec // git's object ids
	fmt.Fprintf(sum, "blob %d\x00", len(raw))
	sum.Write(raw)
	return hex.EncodeToString(sum.Sum(nil))
}

// writtenQuotable is the document as it is quoted, as it was handed in.
func (s *Scene) writtenQuotable(ctx context.Context, p court.Place) (*quotable, error) {
	if p.Digest != s.digest || p.Path != s.o.PDFPath || !s.Written() {
		return nil, fmt.Errorf("%q is not the document that was examined", p.Path)
	}
	if q, ok := s.quotes.Load(p.Digest); ok {
		return q.(*quotable), nil
	}
	t, err := s.writtenText(ctx)
	if err != nil {
		return nil, err
	}
	q, _ := s.quotes.LoadOrStore(p.Digest, newQuotable(t.raw))
	return q.(*quotable), nil
}
