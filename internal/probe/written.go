package probe

import (
	"crypto/sha1" //nolint:gosec // git's object ids
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/pdf"
)

// Written tells whether the document is text with lines, Markdown or plain, and
// not a PDF with pages. It goes by the name under which it was given.
func (s *Scene) Written() bool { return s.o.PDF != nil && passage.Written(s.o.PDFPath) }

// WrittenText is the text of a written document as a reader sees it rendered,
// and the lines of which something is not seen.
func (s *Scene) WrittenText() (visible string, hidden []passage.Line) {
	return passage.Visible(s.writtenRaw())
}

// WrittenAt is a place in a written document: lines of a file of the commit when
// it is one, else lines of what was handed in beside it, told by its digest.
func (s *Scene) WrittenAt(first, last int) court.Place {
	p := court.Place{Path: s.o.PDFPath, Line: first, EndLine: max(first, last)}
	if e, ok := s.entries[p.Path]; !ok || e.OID != blobID(s.o.PDF) {
		p.Digest = s.digest
	}
	return p
}

// writtenRaw is the document as it was handed in, with the line ends of git.
func (s *Scene) writtenRaw() string {
	text, _ := code.File{Path: s.o.PDFPath, Bytes: s.o.PDF}.Text()
	return text
}

// ofWritten tells a place in a document that lies beside the repository.
func ofWritten(p court.Place) bool { return p.Path != "" && p.Digest != "" }

func blobID(raw []byte) string {
	sum := sha1.New() //nolint:gosec // git's object ids
	fmt.Fprintf(sum, "blob %d\x00", len(raw))
	sum.Write(raw)
	return hex.EncodeToString(sum.Sum(nil))
}

// written is a text document as its reader sees it.
func (s *Scene) written() *pdf.Document {
	visible, _ := s.WrittenText()
	switch {
	case len(s.o.PDF) > maxText:
		return &pdf.Document{Status: pdf.TooLarge, Reason: fmt.Sprintf("a text of more than %d bytes", maxText)}
	case strings.TrimSpace(visible) == "":
		return &pdf.Document{Status: pdf.Empty, Reason: "there is no text in it"}
	case strings.ContainsRune(visible, 0):
		return &pdf.Document{Status: pdf.NotPDF, Reason: "it is neither text nor a PDF"}
	}
	return &pdf.Document{Status: pdf.Readable}
}

// writtenPassages is the visible text of a written document.
func (s *Scene) writtenPassages() *Reading {
	visible, _ := s.WrittenText()
	return &Reading{Passages: passage.FromMarkdown(visible)}
}

func (s *Scene) writtenFigures() []figure.Figure {
	visible, _ := s.WrittenText()
	return figure.FromMarkdown(visible)
}

// writtenQuotable is the document as it is quoted, as it was handed in.
func (s *Scene) writtenQuotable(p court.Place) (*quotable, error) {
	if p.Digest != s.digest || p.Path != s.o.PDFPath || !s.Written() {
		return nil, fmt.Errorf("%q is not the document that was examined", p.Path)
	}
	if q, ok := s.quotes.Load(p.Digest); ok {
		return q.(*quotable), nil
	}
	q, _ := s.quotes.LoadOrStore(p.Digest, newQuotable(s.writtenRaw()))
	return q.(*quotable), nil
}
