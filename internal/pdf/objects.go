package pdf

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// Limits of one walk over page objects. A question to PDFium costs about a microsecond and the worker has 20
// seconds, so work is counted and not timed: the same file always gives the same answer.
const (
	formDepth    = 8        // form objects inside form objects
	pathSegments = 64       // segments looked at of one path
	glyphSide    = 36.0     // points: an image no larger either way stands in a line of text and is only counted
	imagePixels  = 16 << 20 // no digest above; a design choice
	slantedLine  = 0.75     // points a line must move both ways to be slanted
	slantedCurve = 12.0     // the same for a curve: rounded corners are smaller
	thinPath     = 1.0      // points: thinner paths are rules, their segments are not looked at
)

// walk collects what is drawn on one page.
type walk struct {
	s      *session
	frame  frame
	budget *budget
	order  int
	texts  []textObject
	areas  []area
	shapes []shape
	images []Image
	paths  int
	glyphs int
	// dropped counts images that the budget left out; capped says that other objects were.
	dropped int
	capped  bool
}

// level is a form object being walked, or the page itself.
type level struct {
	count int
	next  int
	get   func(i int) (references.FPDF_PAGEOBJECT, bool)
	ctm   matrix // from the form's space to the page's
}

// run walks the page's objects in drawing order, those in forms at the place of their form. It keeps its own stack.
func (w *walk) run(page requests.Page) {
	count, _ := ask(w.s, w.s.FPDFPage_CountObjects, requests.FPDFPage_CountObjects{Page: page})
	stack := []level{{count: count.Count, ctm: identity(), get: func(i int) (references.FPDF_PAGEOBJECT, bool) {
		o, ok := ask(w.s, w.s.FPDFPage_GetObject, requests.FPDFPage_GetObject{Page: page, Index: i})
		return o.PageObject, ok
	}}}
	for len(stack) > 0 && w.s.dead == nil {
		top := &stack[len(stack)-1]
		if top.next >= top.count {
			stack = stack[:len(stack)-1]
			continue
		}
		if !w.budget.object() {
			w.capped = true
			return
		}
		object, ok := top.get(top.next)
		top.next++
		w.order++
		if !ok {
			continue
		}
		if form, ok := w.visit(object, top.ctm); ok {
			if len(stack) >= formDepth {
				w.capped = true
				continue
			}
			stack = append(stack, form)
		}
	}
}

// visit takes one object down; of a form it returns the level below.
func (w *walk) visit(object references.FPDF_PAGEOBJECT, ctm matrix) (level, bool) {
	kind, ok := ask(w.s, w.s.FPDFPageObj_GetType, requests.FPDFPageObj_GetType{PageObject: object})
	if !ok {
		return level{}, false
	}
	if kind.Type == enums.FPDF_PAGEOBJ_FORM {
		return w.form(object, ctm)
	}
	b, ok := ask(w.s, w.s.FPDFPageObj_GetBounds, requests.FPDFPageObj_GetBounds{PageObject: object})
	if !ok {
		return level{}, false
	}
	box := w.frame.box(ctm.bounds(float64(b.Left), float64(b.Bottom), float64(b.Right), float64(b.Top)))
	switch kind.Type {
	case enums.FPDF_PAGEOBJ_TEXT:
		w.text(object, box, ctm)
	case enums.FPDF_PAGEOBJ_PATH:
		w.path(object, box, ctm)
	case enums.FPDF_PAGEOBJ_IMAGE:
		w.image(object, box)
	case enums.FPDF_PAGEOBJ_SHADING:
		w.paint(area{box: box, order: w.order})
		w.shapes = append(w.shapes, shape{box: box})
	case enums.FPDF_PAGEOBJ_FORM, enums.FPDF_PAGEOBJ_UNKNOWN: // the first is gone into above, the second has no form
	}
	return level{}, false
}

func (w *walk) form(object references.FPDF_PAGEOBJECT, ctm matrix) (level, bool) {
	count, ok := ask(w.s, w.s.FPDFFormObj_CountObjects, requests.FPDFFormObj_CountObjects{PageObject: object})
	if !ok || count.Count <= 0 {
		return level{}, false
	}
	m, ok := ask(w.s, w.s.FPDFPageObj_GetMatrix, requests.FPDFPageObj_GetMatrix{PageObject: object})
	if ok {
		ctm = fromPDFium(m.Matrix).then(ctm)
	}
	return level{count: count.Count, ctm: ctm, get: func(i int) (references.FPDF_PAGEOBJECT, bool) {
		o, ok := ask(w.s, w.s.FPDFFormObj_GetObject, requests.FPDFFormObj_GetObject{PageObject: object, Index: uint64(i)})
		return o.PageObject, ok
	}}, true
}

func (w *walk) text(object references.FPDF_PAGEOBJECT, box Box, ctm matrix) {
	mode, _ := ask(w.s, w.s.FPDFTextObj_GetTextRenderMode, requests.FPDFTextObj_GetTextRenderMode{PageObject: object})
	t := textObject{object: object, box: box, order: w.order, mode: int(mode.TextRenderMode)}
	t.fill, t.known = w.fill(object)
	t.clipped, t.layered = w.clipped(object, box, ctm), w.layered(object)
	// The box of ink of a dash is flat in any size: the size itself is asked for only when the box allows a doubt.
	if box.height() < tinySize || box.width() < tinySize {
		size, ok := ask(w.s, w.s.FPDFTextObj_GetFontSize, requests.FPDFTextObj_GetFontSize{PageObject: object})
		m, ok2 := ask(w.s, w.s.FPDFPageObj_GetMatrix, requests.FPDFPageObj_GetMatrix{PageObject: object})
		if ok && ok2 {
			t.size = float64(size.FontSize) * fromPDFium(m.Matrix).then(ctm).tall()
		}
	}
	w.texts = append(w.texts, t)
}

// paint notes what may lie behind text.
func (w *walk) paint(a area) {
	if len(w.areas) >= maxAreas {
		w.capped = true
		return
	}
	w.areas = append(w.areas, a)
}

func (w *walk) fill(object references.FPDF_PAGEOBJECT) (colour, bool) {
	c, ok := ask(w.s, w.s.FPDFPageObj_GetFillColor, requests.FPDFPageObj_GetFillColor{PageObject: object})
	return colour{c.FillColor.R, c.FillColor.G, c.FillColor.B, c.FillColor.A}, ok
}

func (w *walk) path(object references.FPDF_PAGEOBJECT, box Box, ctm matrix) {
	w.paths++
	mode, ok := ask(w.s, w.s.FPDFPath_GetDrawMode, requests.FPDFPath_GetDrawMode{PageObject: object})
	if !ok || (mode.FillMode == enums.FPDF_FILLMODE_NONE && !mode.Stroke) {
		return // a clip path or nothing at all
	}
	s := shape{box: box, object: object, ctm: ctm, stroked: mode.Stroke}
	if mode.FillMode != enums.FPDF_FILLMODE_NONE {
		fill, known := w.fill(object)
		s.filled = !known || fill.a >= faintAlpha
		w.paint(area{box: box, order: w.order, fill: fill, opaque: known})
		if known && !mode.Stroke && fill.a < faintAlpha {
			return
		}
	}
	if min(box.width(), box.height()) > thinPath {
		s.slanted = w.slanted(object, ctm)
	}
	w.shapes = append(w.shapes, s)
}

// slanted counts the segments that are neither horizontal nor vertical.
func (w *walk) slanted(object references.FPDF_PAGEOBJECT, ctm matrix) int {
	count, _ := ask(w.s, w.s.FPDFPath_CountSegments, requests.FPDFPath_CountSegments{PageObject: object})
	found, curve := 0, 0
	var x, y float64
	for i := range min(count.Count, pathSegments) {
		if !w.budget.segment() {
			w.capped = true
			return found
		}
		seg, ok := ask(w.s, w.s.FPDFPath_GetPathSegment, requests.FPDFPath_GetPathSegment{PageObject: object, Index: i})
		if !ok {
			return found
		}
		kind, _ := ask(w.s, w.s.FPDFPathSegment_GetType, requests.FPDFPathSegment_GetType{PathSegment: seg.PathSegment})
		curve = nextCurve(curve, kind.Type)
		if curve == 1 || curve == 2 {
			continue // control points: a curve is judged by its ends
		}
		p, ok := ask(w.s, w.s.FPDFPathSegment_GetPoint, requests.FPDFPathSegment_GetPoint{PathSegment: seg.PathSegment})
		if !ok {
			return found
		}
		px, py := ctm.apply(float64(p.X), float64(p.Y))
		limit := slantedLine
		if curve == 3 {
			limit = slantedCurve
		}
		if kind.Type != enums.FPDF_SEGMENT_MOVETO && abs(px-x) > limit && abs(py-y) > limit {
			found++
		}
		x, y = px, py
	}
	return found
}

// nextCurve counts the points of a Bézier curve, which PDFium hands out as three segments: 1, 2 and 3, the end.
func nextCurve(curve int, kind enums.FPDF_SEGMENT) int {
	if kind != enums.FPDF_SEGMENT_BEZIERTO {
		return 0
	}
	return curve%3 + 1
}

func abs(v float64) float64 { return max(v, -v) }

func (w *walk) image(object references.FPDF_PAGEOBJECT, box Box) {
	w.paint(area{box: box, order: w.order})
	if box.width() <= glyphSide && box.height() <= glyphSide {
		w.glyphs++
		return
	}
	if !w.budget.image() {
		w.dropped++
		return
	}
	size, _ := ask(w.s, w.s.FPDFImageObj_GetImagePixelSize, requests.FPDFImageObj_GetImagePixelSize{ImageObject: object})
	img := Image{Box: box, Width: clampPixels(size.Width), Height: clampPixels(size.Height)}
	if img.Width*img.Height > 0 && img.Width*img.Height <= imagePixels {
		raw, ok := ask(w.s, w.s.FPDFImageObj_GetImageDataRaw, requests.FPDFImageObj_GetImageDataRaw{ImageObject: object})
		if ok {
			hash := sha256.New()
			fmt.Fprintf(hash, "%dx%d\n", img.Width, img.Height)
			hash.Write(raw.Data)
			img.Digest = hex.EncodeToString(hash.Sum(nil))
		}
	}
	w.images = append(w.images, img)
}

// clampPixels keeps products of two sides within an int.
func clampPixels(v uint) int { return int(min(v, 1<<20)) }
