package probe

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/pdf"
)

// readable says why the text of a document cannot be read.
func readable(d *pdf.Document) error {
	switch d.Status {
	case pdf.Readable:
		return nil
	case pdf.NoText:
		if d.Blank {
			return &Unable{court.NotSubmitted, "the document is empty: " + d.Reason}
		}
		return &Unable{court.NoTextLayer, "the document has pages but no text: " + d.Reason}
	case pdf.Encrypted:
		return &Unable{court.Encrypted, "the document is locked: it is encrypted with a password"}
	case pdf.TooLarge:
		return &Unable{court.TooLarge, "the document is too large to read"}
	case pdf.Empty:
		return &Unable{court.NotSubmitted, "the document is empty: " + d.Reason}
	case pdf.NotPDF:
		return &Unable{court.NotSubmitted, "the file is not a document: " + d.Reason}
	default:
		return &Unable{court.Unparsed, "the document is damaged: " + d.Reason}
	}
}
