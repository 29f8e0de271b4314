package pdf

import (
	"bytes"
	"compress/zlib"
	"errors"
	"image"
	"io"

	"github.com/klippa-app/go-pdfium/requests"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// blank counts what stands on pages, for the document that has no text: people ask what it has instead.
type blank struct {
	pictures, shapes, hidden, notes int // pages that have some
	white                           int // pages on which there is nothing at all to see
}

// What a page without text is taken for something else by.
const (
	pictureShare = 0.25 // of the page's area under one picture
	shapePaths   = 60   // as few paths are a frame and some rules
)

func (b *blank) add(p *Page, annotations int) {
	for _, i := range p.Images {
		if i.Box.area() >= pictureShare*p.Width*p.Height {
			b.pictures++
			break
		}
	}
	if p.Paths >= shapePaths {
		b.shapes++
	}
	if len(p.Lines) > 0 {
		b.hidden++
	}
	if annotations > 0 {
		b.notes++
	}
}

// bare: like all pages before it, a page has nothing that anybody could see. When it has objects that need not leave
// ink, blanks and white areas for example, its rendering tells; a page that is not rendered is not bare.
func (c *scan) bare(page *Page, ref requests.Page, annotations int, t *textReader) bool {
	if c.blank.white < page.Number-1 || len(page.Lines)+len(page.Images)+page.Glyphs+annotations > 0 {
		return false
	}
	if page.Objects == 0 {
		return true
	}
	if t.unspelt || !c.bearable(page) {
		return false
	}
	c.inks++
	c.drawn = true
	drawn, ok := c.s.render(ref)
	return ok && white(drawn)
}

func white(drawn *image.RGBA) bool {
	for at := 0; at+4 <= len(drawn.Pix); at += 4 {
		if !near(onPaper(drawn.Pix[at:at+4]), colour{255, 255, 255, 255}) {
			return false
		}
	}
	return true
}

// spoilt tells whether a stream of a PDF cannot be unpacked: where nothing is to be seen on any page, what should be
// there may be lost. Of encrypted streams nobody can tell.
func spoilt(data []byte) bool {
	if bytes.Contains(data, []byte("/Encrypt")) {
		return false
	}
	read := int64(0)
	for dictionary, stream := range streams(data) {
		if read > mendTotal {
			return false
		}
		if !flate.Match(dictionary) {
			continue
		}
		r, err := zlib.NewReader(bytes.NewReader(stream))
		if err != nil {
			return true
		}
		n, err := io.Copy(io.Discard, io.LimitReader(r, mendTotal))
		if read += n; err != nil && !errors.Is(err, zlib.ErrChecksum) { // all of it was there
			return true
		}
	}
	return false
}

// flate is the only filter of a stream.
var flate = regexp.MustCompile(`/Filter\s*(?:/FlateDecode|\[\s*/FlateDecode\s*\])`)

// why says what the pages have instead of text.
func (b *blank) why() string {
	switch {
	case b.pictures > 0 && b.hidden > 0:
		return "its pages are pictures, and the text that is laid over or under them cannot be seen"
	case b.hidden > 0:
		return "all of its text is hidden from readers of the pages"
	case b.pictures > 0:
		return "its pages are pictures without a text layer"
	case b.shapes > 0:
		return "its pages are drawn with shapes and have no text layer; letters may have been turned into outlines"
	case b.notes > 0:
		return "its pages have no text layer, only form fields or notes, which do not count as its text"
	}
	return "its pages have no text layer and hardly anything else"
}

// annotations counts a page's fields, notes and links.
func (c *scan) annotations(ref requests.Page) int {
	n, _ := ask(c.s, c.s.FPDFPage_GetAnnotCount, requests.FPDFPage_GetAnnotCount{Page: ref})
	return n.Count
}
