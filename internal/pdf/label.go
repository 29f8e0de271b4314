package pdf

import (
	"slices"
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/requests"
)

// detail adds to a page with drawings what a reader of diagrams needs: all of its shapes, because a frame or a long
// arrow is not part of the group that is a drawing, and the labels within and around the drawings.
func (c *scan) detail(page *Page, ref requests.Page, w *walk, t *textReader) {
	shapes, capped := w.outlines()
	page.Shapes = shapes
	l := &labelReader{textReader: *t}
	for _, d := range page.Drawings {
		l.within = append(l.within, d.Box)
	}
	l.capped = false
	page.Labels = l.labels(ref)
	page.Partial = w.capped || capped || l.capped
	if capped || l.capped {
		c.note(ShapesCapped, page.Number, "not all shapes and labels of its drawings were taken down")
	}
}

// labelReader reads the labels of one page.
type labelReader struct {
	textReader
	within []Box
	found  []Label
	text   strings.Builder
	at     Box // of the label being read
	last   Box // of its last character
	hides  bool
}

// labels reads character by character, in PDFium's order.
func (l *labelReader) labels(page requests.Page) []Label {
	loaded, ok := ask(l.s, l.s.FPDFText_LoadPage, requests.FPDFText_LoadPage{Page: page})
	if !ok {
		return nil
	}
	l.ref = loaded.TextPage
	count, _ := ask(l.s, l.s.FPDFText_CountChars, requests.FPDFText_CountChars{TextPage: l.ref})
	for i := range count.Count {
		if !l.budget.letter() {
			l.capped = true
			break
		}
		l.letter(i)
	}
	l.end()
	ask(l.s, l.s.FPDFText_ClosePage, requests.FPDFText_ClosePage{TextPage: l.ref})
	return l.found
}

// letter adds one character to the label, or ends that and begins the next.
func (l *labelReader) letter(index int) {
	u, ok := ask(l.s, l.s.FPDFText_GetUnicode, requests.FPDFText_GetUnicode{TextPage: l.ref, Index: index})
	r := rune(u.Unicode & 0x1FFFFF)
	switch {
	case !ok:
		return
	case r == '\n' || r == '\r':
		l.end()
		return
	case unicode.IsSpace(r):
		if l.text.Len() > 0 {
			l.text.WriteByte(' ')
		}
		return
	case r == hyphenMark || r == hyphenMark2:
		r = '-'
	case r == 0 || unicode.Is(unicode.Cc, r):
		return
	}
	box, ok := l.box(index)
	if !ok {
		l.end()
		return
	}
	if l.text.Len() > 0 && !follows(l.last, box) {
		l.end()
	}
	if l.text.Len() == 0 || strings.HasSuffix(l.text.String(), " ") {
		hides := l.hidden(index) != ""
		if hides != l.hides {
			l.end()
		}
		l.hides = hides
	}
	if l.text.Len() == 0 {
		l.at = box
	}
	l.text.WriteRune(r)
	l.at, l.last = l.at.union(box), box
}

// follows: on the same line, and not further away than two blanks.
func follows(a, b Box) bool {
	const wide = 0.75 // of the height
	height := max(a.height(), b.height())
	_, ay := a.centre()
	_, by := b.centre()
	return abs(ay-by) < height/2 && b.X0-a.X1 < wide*height && b.X1 > a.X0
}

func (l *labelReader) end() {
	text := strings.ToValidUTF8(strings.TrimSpace(l.text.String()), "\uFFFD")
	l.text.Reset()
	if text == "" || l.hides || !slices.ContainsFunc(l.within, func(b Box) bool { return b.near(l.at, drawingGap) }) {
		return
	}
	if !l.budget.line(len(text)) {
		l.capped = true
		return
	}
	l.found = append(l.found, Label{Text: text, Box: l.at})
}
