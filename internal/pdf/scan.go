package pdf

import (
	"errors"
	"fmt"

	"github.com/klippa-app/go-pdfium/enums"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/requests"
)

// failuresMax is after how many pages that killed their instance the rest is given up: a page of a bomb costs
// seconds, a damaged one milliseconds.
const failuresMax = 3

// scan reads one document in the worker.
type scan struct {
	engine  *engine
	data    []byte
	options Options
	budget  *budget
	doc     *Document
	s       *session
	anyText bool
	blank   blank
	inks    int  // pages that were rendered
	rested  bool // this page was rendered once and did not bear it
	drawn   bool // this page is being rendered
}

// document opens the file and reads its pages. An error is ours; what is wrong with the file is in the Document. The
// bytes are mended in place.
func (e *engine) document(data []byte, o Options) (*Document, error) {
	mend(data)
	c := &scan{engine: e, data: data, options: o, budget: newBudget(o), doc: &Document{}}
	defer c.close()
	if err := c.open(); err != nil {
		c.doc.Status, c.doc.Reason = unopened(err)
		if c.doc.Status == "" {
			return nil, err
		}
		return c.doc, nil
	}
	count, ok := ask(c.s, c.s.FPDF_GetPageCount, requests.FPDF_GetPageCount{Document: c.s.doc})
	if !ok {
		c.doc.Status, c.doc.Reason = Damaged, "its pages cannot be counted"
		return c.doc, nil
	}
	c.doc.Total = count.PageCount
	c.doc.Meta = c.metadata()
	if err := c.pages(); err != nil {
		return nil, err
	}
	c.conclude()
	return c.doc, nil
}

// errInstance marks failures to get an instance at all: those are ours and not the document's.
var errInstance = errors.New("starting PDFium")

func (c *scan) open() (err error) {
	instance, err := c.engine.instance()
	if err != nil {
		return fmt.Errorf("%w: %w", errInstance, err)
	}
	c.s = &session{Pdfium: instance}
	defer guard(&err)
	if err := c.s.prepare(); err != nil {
		return fmt.Errorf("%w: %w", errInstance, err)
	}
	opened, err := instance.OpenDocument(&requests.OpenDocument{File: &c.data})
	if err != nil {
		return fmt.Errorf("opening document: %w", err)
	}
	c.s.doc = opened.Document
	return nil
}

// close throws the instance away. After a trap it complains about the document it cannot close; the memory is gone
// with the instance either way, and there is nothing to be done about the complaint.
func (c *scan) close() {
	if c.s != nil {
		_ = c.s.Close()
		c.s = nil
	}
}

// unopened says what a file is that PDFium does not open; no status when the failure is ours.
func unopened(err error) (Status, string) {
	switch {
	case errors.Is(err, errInstance):
		return "", ""
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return Encrypted, "it needs a password"
	case errors.Is(err, pdfiumerrors.ErrSecurity):
		return Encrypted, "its encryption is not known"
	case errors.Is(err, pdfiumerrors.ErrFormat), errors.Is(err, pdfiumerrors.ErrFile),
		errors.Is(err, pdfiumerrors.ErrUnknown), errors.Is(err, pdfiumerrors.ErrSuccess),
		errors.Is(err, pdfiumerrors.ErrPage):
		return Damaged, "it begins like a PDF, but its structure cannot be read"
	default:
		return Damaged, "the parser gave up: " + cause(err)
	}
}

func (c *scan) metadata() Metadata {
	get := func(tag string) string {
		m, _ := ask(c.s, c.s.FPDF_GetMetaText, requests.FPDF_GetMetaText{Document: c.s.doc, Tag: tag})
		return cutString(m.Value, 1000)
	}
	return Metadata{
		Title: get("Title"), Author: get("Author"), Creator: get("Creator"), Producer: get("Producer"),
		Created: get("CreationDate"), Modified: get("ModDate"),
	}
}

// pages reads page after page. One that kills its instance is noted, and a new instance goes on behind it.
func (c *scan) pages() error {
	last := min(c.doc.Total, c.options.MaxPages)
	if last < c.doc.Total {
		c.note(PagesCapped, 0, fmt.Sprintf("%d of %d pages were read", last, c.doc.Total))
	}
	failures := 0
	for i := range last {
		page, err := c.page(i)
		if err != nil && c.drawn {
			page, err = c.again(i)
		}
		if err == nil {
			c.doc.Pages = append(c.doc.Pages, page)
			continue
		}
		c.note(PageFailed, i+1, cause(err))
		if errors.Is(err, errPage) {
			continue
		}
		failures++
		if failures >= failuresMax {
			c.note(PageFailed, 0, fmt.Sprintf("no page after %d was tried", i+1))
			return nil
		}
		c.close()
		if err := c.open(); err != nil {
			if errors.Is(err, errInstance) {
				return err
			}
			c.note(PageFailed, 0, fmt.Sprintf("no page after %d was tried: %s", i+1, cause(err)))
			return nil
		}
	}
	return nil
}

// again reads a page that died of its rendering, without one.
func (c *scan) again(index int) (Page, error) {
	c.close()
	if err := c.open(); err != nil {
		return Page{}, err
	}
	c.rested = true
	page, err := c.page(index)
	c.rested = false
	return page, err
}

var errPage = errors.New("PDFium does not load this page")

// page reads one page, counted from 0.
func (c *scan) page(index int) (page Page, err error) {
	defer guard(&err)
	c.drawn = false
	ref := c.s.page(index)
	bounds, ok := ask(c.s, c.s.FPDF_GetPageBoundingBox, requests.FPDF_GetPageBoundingBox{Page: ref})
	if c.s.dead != nil {
		return page, c.s.dead
	}
	if !ok {
		return page, errPage
	}
	turn, _ := ask(c.s, c.s.FPDFPage_GetRotation, requests.FPDFPage_GetRotation{Page: ref})
	r := bounds.Rect
	f := frame{left: float64(r.Left), bottom: float64(r.Bottom), right: float64(r.Right), top: float64(r.Top)}
	f.quarter = int(turn.PageRotation-enums.FPDF_PAGE_ROTATION_NONE) & 3

	page.Number = index + 1
	page.Width, page.Height = f.size()
	sheet := Box{X1: page.Width, Y1: page.Height}

	c.draw(&page, ref, f, sheet)
	page.Links = c.links(ref, f, page.Number)
	return page, c.s.dead
}

// draw takes down what is drawn: objects first, because they tell which text is hidden.
func (c *scan) draw(page *Page, ref requests.Page, f frame, sheet Box) {
	w := &walk{s: c.s, frame: f, budget: c.budget}
	w.run()
	page.Images, page.Paths, page.Objects, page.Glyphs = w.images, w.paths, w.order, w.glyphs
	if len(w.shapes) > shapesMax {
		w.shapes, w.capped = w.shapes[:shapesMax], true
	}
	page.Drawings = drawings(w.shapes, sheet)
	if w.capped {
		c.note(ObjectsCapped, page.Number, "not all of its objects were walked: drawings and hidden text may be missed")
	}
	if w.dropped > 0 {
		c.note(ImagesCapped, page.Number, fmt.Sprintf("%d images after the first %d of the document are not listed",
			w.dropped, c.options.MaxImages))
	}
	hidden := c.settle(page, ref, suspects(w.texts, w.areas, sheet, figures(page)))
	t := &textReader{s: c.s, frame: f, sheet: sheet, suspects: hidden, shown: without(w.texts, hidden), budget: c.budget,
		maxText: c.options.MaxPageText}
	page.Lines = t.lines(ref)
	if len(page.Drawings) > 0 {
		c.detail(page, ref, w, t)
	}
	c.anyText = c.anyText || t.any
	annotations := c.annotations(ref)
	c.blank.add(page, annotations)
	if c.bare(page, ref, annotations, t) {
		c.blank.white++
	}
	if t.capped {
		c.note(TextCapped, page.Number, "its text was cut")
	}
}

const pageLinks = 200

func (c *scan) links(ref requests.Page, f frame, number int) []Link {
	var links []Link
	at := 0
	for {
		next, _ := ask(c.s, c.s.FPDFLink_Enumerate, requests.FPDFLink_Enumerate{Page: ref, StartPos: at})
		if next.Link == nil || next.NextStartPos == nil || *next.NextStartPos <= at {
			return links
		}
		at = *next.NextStartPos
		if len(links) >= pageLinks || !c.budget.link() {
			c.note(LinksCapped, number, fmt.Sprintf("links after the first %d are not listed", len(links)))
			return links
		}
		action, _ := ask(c.s, c.s.FPDFLink_GetAction, requests.FPDFLink_GetAction{Link: *next.Link})
		if action.Action == nil {
			continue
		}
		uri, _ := ask(c.s, c.s.FPDFAction_GetURIPath,
			requests.FPDFAction_GetURIPath{Document: c.s.doc, Action: *action.Action})
		rect, _ := ask(c.s, c.s.FPDFLink_GetAnnotRect, requests.FPDFLink_GetAnnotRect{Link: *next.Link})
		if uri.URIPath == nil || rect.Rect == nil {
			continue
		}
		r := rect.Rect
		links = append(links, Link{URL: cutString(*uri.URIPath, 2000),
			Box: f.box(float64(r.Left), float64(r.Bottom), float64(r.Right), float64(r.Top))})
	}
}

func (c *scan) note(code NoteCode, page int, text string) {
	c.doc.Notes = append(c.doc.Notes, Note{Code: code, Page: page, Text: text})
}

// conclude says what the document is, after its pages have been read.
func (c *scan) conclude() {
	switch {
	case c.doc.Total == 0:
		c.doc.Status, c.doc.Reason = Empty, "its page tree has no pages"
	case len(c.doc.Pages) == 0:
		c.doc.Status, c.doc.Reason = Damaged, "none of its pages can be read"
	case c.blank.white == c.doc.Total && len(c.doc.Notes) == 0 && spoilt(c.data):
		c.doc.Status, c.doc.Reason = Damaged, "nothing is to be seen on its pages, and some of its content cannot be unpacked"
	case c.blank.white == c.doc.Total && len(c.doc.Notes) == 0:
		c.doc.Status, c.doc.Reason, c.doc.Blank = NoText, "its pages are blank", true
	case !c.anyText:
		c.doc.Status, c.doc.Reason = NoText, c.blank.why()
	default:
		c.doc.Status = Readable
	}
}
