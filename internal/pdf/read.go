package pdf

import (
	"bytes"
	"context"
	"fmt"
	"unicode/utf8"
)

// Worker hands one request to a worker process that runs Service and returns its answer. The error says that the
// worker died, was killed at its deadline, or could not be started.
type Worker interface {
	Do(ctx context.Context, request []byte) ([]byte, error)
}

// Read reads a PDF, or a DOCX file. Whatever is wrong with the file is the Document's Status and Reason; what can be decided from
// the first bytes is decided here, without a worker. An error means that our inquiry failed and nothing is known
// about the file: the worker died or answered nonsense.
func Read(ctx context.Context, w Worker, data []byte, o Options) (*Document, error) {
	o = o.withDefaults()
	if d := triage(data, o); d != nil {
		return d, nil
	}
	request, err := encodeRequest(data, o)
	if err != nil {
		return nil, err
	}
	answer, err := w.Do(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("reading PDF: %w", err)
	}
	return decodeAnswer(answer, o)
}

// headerWithin is how far into a file readers look for the header (PDF 1.7, implementation note 13).
const headerWithin = 1024

// triage decides what needs no parser; nil when the file must be parsed.
func triage(data []byte, o Options) *Document {
	head := data[:min(len(data), headerWithin)]
	switch {
	case len(data) == 0:
		return &Document{Status: Empty, Reason: "it has 0 bytes"}
	case o.Word && isOldOffice(data):
		return &Document{Status: Encrypted, Reason: "it is protected with a password, or of an older Word"}
	case o.Word && !isWord(data) && !bytes.HasPrefix(data, []byte("version https://git-lfs")):
		return &Document{Status: NotPDF, Reason: "it is no DOCX file"}
	case bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/")):
		return &Document{Status: NotPDF, Reason: "it is a Git LFS pointer; the file itself is not in the repository"}
	case !o.Word && !bytes.Contains(head, []byte("%PDF-")):
		return &Document{Status: NotPDF, Reason: "it is " + guess(head)}
	case len(data) > min(o.MaxBytes, maxFile):
		return &Document{Status: TooLarge, Reason: fmt.Sprintf("it has %d bytes; at most %d are read", len(data),
			min(o.MaxBytes, maxFile))}
	}
	return nil
}

// Refused says what a file is that has no PDF header; "" for one that may be a PDF.
func Refused(data []byte) string {
	if d := triage(data, Options{}); d != nil && d.Status != TooLarge {
		return d.Reason
	}
	return ""
}

// guess names what a file without a PDF header looks like, for a reader who wonders.
func guess(head []byte) string {
	trimmed := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF"))))
	switch {
	case bytes.HasPrefix(trimmed, []byte("<!doctype html")), bytes.HasPrefix(trimmed, []byte("<html")):
		return "an HTML page"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "a ZIP archive or an Office document"
	case bytes.HasPrefix(head, []byte("\x89PNG")), bytes.HasPrefix(head, []byte("\xFF\xD8\xFF")):
		return "an image"
	case !bytes.ContainsRune(head, 0) && utf8.Valid(trimRune(head)):
		return "text without a PDF header"
	default:
		return "no PDF: it has no PDF header in its first 1,024 bytes"
	}
}

// trimRune drops an unfinished rune that the cut at headerWithin left behind.
func trimRune(b []byte) []byte {
	for range utf8.UTFMax {
		if r, n := utf8.DecodeLastRune(b); r != utf8.RuneError || n != 1 {
			break
		}
		b = b[:len(b)-1]
	}
	return b
}
