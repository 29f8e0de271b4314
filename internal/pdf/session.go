package pdf

import (
	"errors"
	"fmt"
	"strings"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// session is one document opened in one PDFium instance. An instance serves one document and is thrown away, so that
// no document can leave anything behind for the next.
type session struct {
	pdfium.Pdfium
	doc  references.FPDF_DOCUMENT
	dead error // the first trap; from then on nothing is asked any more

	guest  *module
	answer uint32 // memory of the guest for answers
}

// ask puts one question to PDFium. "No answer" (a colour that is a pattern, an image without data) is normal and
// gives false. A trap gives false too and is kept in s.dead, so that callers look at it once a page and not after
// each of some thousand calls.
func ask[Q, A any](s *session, call func(*Q) (*A, error), question Q) (answer A, ok bool) {
	if s.dead != nil {
		return answer, false
	}
	a, err := call(&question)
	switch {
	case err == nil && a != nil:
		return *a, true
	case err != nil && !isNoAnswer(err):
		s.dead = err
	}
	return answer, false
}

// isNoAnswer tells go-pdfium's own "could not get …" from a trap of the WebAssembly guest, whose error types are
// internal to wazero. What is not known to be harmless counts as a trap. Texts about memory are failed allocations.
func isNoAnswer(err error) bool {
	if errors.Is(err, pdfiumerrors.ErrPage) {
		return true
	}
	text := err.Error()
	return strings.HasPrefix(strings.ToLower(text), "could not ") && !strings.Contains(text, "memory")
}

// cause says in words why PDFium answers no more, without the guest's stack trace, which differs from run to run. A
// guest that ends itself does not say why; it nearly always got no memory.
func cause(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	trap, ok := strings.CutPrefix(text, "wasm error: ")
	switch {
	case !ok:
		return cutString(text, 200)
	case trap == "unreachable":
		return fmt.Sprintf("the PDF reader ended itself, most likely at its limit of %d MiB of memory", memoryPages*(64<<10)>>20)
	}
	return "the PDF reader crashed (" + cutString(trap, 160) + ")"
}

// guard turns a panic of the binding into an error: a hostile document may make it slice beyond what PDFium gave it.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("asking PDFium: %v", r)
	}
}

// page is the reference of a page by its index, counted from 0.
func (s *session) page(index int) requests.Page {
	return requests.Page{ByIndex: &requests.PageByIndex{Document: s.doc, Index: index}}
}
