package probe

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/pdf"
)

// unopened says why the text of the document cannot be read. What cannot be opened is worth
// what is not handed in: each such reason is one that counts against the submission.
func (s *Scene) unopened(d *pdf.Document) error {
	name := "the document"
	if p := s.PDFPath(); p != "" {
		name += " " + court.Clean(p, 120)
	}
	switch d.Status {
	case pdf.Readable:
		return nil
	case pdf.NoText:
		if d.Blank {
			return &Unable{Reason: court.NotSubmitted, Why: name + " is empty: " + d.Reason}
		}
		return &Unable{Reason: court.NoTextLayer, Why: name + " has pages but no text: " + d.Reason}
	case pdf.Encrypted:
		return &Unable{Reason: court.Encrypted, Why: name + " is locked: it is encrypted with a password"}
	case pdf.TooLarge:
		return &Unable{Reason: court.TooLarge, Why: name + " is too large to read"}
	case pdf.Empty:
		return &Unable{Reason: court.NotSubmitted, Why: name + " is empty: " + d.Reason}
	case pdf.NotPDF:
		return &Unable{Reason: court.NotSubmitted, Why: name + " is not a document: " + d.Reason}
	default:
		return &Unable{Reason: court.Unparsed, Why: name + " is damaged: " + d.Reason}
	}
}
