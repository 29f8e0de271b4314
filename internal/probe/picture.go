package probe

import (
	"cmp"
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/pdf/pixels"
)

// scanned is what OCR read of pages without text.
type scanned struct {
	pages []pdf.Page
	notes []pdf.Note
}

// OCR names the program that reads pictures, with its version; "" when nobody
// asked for it.
func (s *Scene) OCR() string {
	if s.o.OCR == nil {
		return ""
	}
	return s.o.OCRName
}

// Scanned is the pages of a document without text layer as OCR read them, and
// what it could not read. Without OCR, or with text, it is an Unable.
func (s *Scene) Scanned(ctx context.Context) ([]pdf.Page, []pdf.Note, error) {
	d, err := s.Document(ctx)
	if err != nil {
		return nil, nil, err
	}
	if d.Status != pdf.NoText || s.o.OCR == nil {
		return nil, nil, &Unable{Reason: court.NoTextLayer, Why: "the pages were not read from their pictures"}
	}
	r, err := s.scans.get(ctx, s, "scanned pages", func(ctx context.Context) (*scanned, error) {
		pages, notes, err := pdf.Recognise(ctx, s.o.Reader, s.o.OCR, s.o.PDF, d)
		return &scanned{pages, notes}, err
	})
	if err != nil {
		return nil, nil, err
	}
	return r.pages, r.notes, nil
}

// Picture draws a part of a page.
func (s *Scene) Picture(ctx context.Context, v pdf.View) (*pdf.Picture, error) {
	if s.o.PDF == nil {
		return nil, &Unable{Reason: cmp.Or(s.o.NoPDFReason, court.NoArtifact), Why: "there is no document to look at"}
	}
	return pdf.Render(ctx, s.o.Reader, s.o.PDF, v)
}

// Sketch reads the boxes and arrows of a part of a page.
func (s *Scene) Sketch(ctx context.Context, v pdf.View) (*pixels.Sketch, error) {
	if s.o.PDF == nil {
		return nil, &Unable{Reason: cmp.Or(s.o.NoPDFReason, court.NoArtifact), Why: "there is no document to look at"}
	}
	return v.Sketch(ctx, s.o.Reader, s.o.PDF)
}

// Labels is what OCR reads in a picture that Picture made, as labels with their
// boxes; nothing when nobody asked for OCR.
func (s *Scene) Labels(ctx context.Context, p *pdf.Picture) ([]pdf.Line, error) {
	if s.o.OCR == nil {
		return nil, nil
	}
	words, err := s.o.OCR.Words(ctx, p, true)
	if err != nil {
		return nil, err
	}
	return words.Labels(), nil
}

// Looker is the model that looks at pictures; nil when there is none.
func (s *Scene) Looker() figure.Looker { return s.o.Looker }
