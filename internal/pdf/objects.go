package pdf

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/klippa-app/go-pdfium/enums"
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
	get   func(i int) (object, bool)
	ctm   matrix // from the form's space to the page's
}

// run walks the page's objects in drawing order, those in forms at the place of their form. It keeps its own stack.
func (w *walk) run() {
	page := object(w.s.guest.page)
	count, _ := w.s.count("FPDFPage_CountObjects", uint64(page))
	stack := []level{{count: count, ctm: identity(), get: func(i int) (object, bool) {
		return w.s.part("FPDFPage_GetObject", page, i)
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
		o, ok := top.get(top.next)
		top.next++
		w.order++
		if !ok {
			continue
		}
		if form, ok := w.visit(o, top.ctm); ok {
			if len(stack) >= formDepth {
				w.capped = true
				continue
			}
			stack = append(stack, form)
		}
	}
}

// visit takes one object down; of a form it returns the level below.
func (w *walk) visit(o object, ctm matrix) (level, bool) {
	kind, ok := w.s.objectType(o)
	if !ok {
		return level{}, false
	}
	if kind == enums.FPDF_PAGEOBJ_FORM {
		return w.form(o, ctm)
	}
	b, ok := w.s.bounds(o)
	if !ok {
		return level{}, false
	}
	box := w.frame.box(ctm.bounds(b[0], b[1], b[2], b[3]))
	switch kind {
	case enums.FPDF_PAGEOBJ_TEXT:
		w.text(o, box, ctm)
	case enums.FPDF_PAGEOBJ_PATH:
		w.path(o, box, ctm)
	case enums.FPDF_PAGEOBJ_IMAGE:
		w.image(o, box)
	case enums.FPDF_PAGEOBJ_SHADING:
		w.paint(area{box: box, order: w.order})
		w.shapes = append(w.shapes, shape{box: box})
	case enums.FPDF_PAGEOBJ_FORM, enums.FPDF_PAGEOBJ_UNKNOWN: // the first is gone into above, the second has no form
	}
	return level{}, false
}

func (w *walk) form(o object, ctm matrix) (level, bool) {
	count, ok := w.s.count("FPDFFormObj_CountObjects", uint64(o))
	if !ok || count == 0 {
		return level{}, false
	}
	if m, ok := w.s.matrix(o); ok {
		ctm = m.then(ctm)
	}
	return level{count: count, ctm: ctm, get: func(i int) (object, bool) {
		return w.s.part("FPDFFormObj_GetObject", o, i)
	}}, true
}

func (w *walk) text(o object, box Box, ctm matrix) {
	mode, _ := w.s.call("FPDFTextObj_GetTextRenderMode", uint64(o))
	t := textObject{object: o, box: box, order: w.order, mode: int(int32(uint32(mode)))}
	t.fill, t.known = w.fill(o)
	t.clipped, t.layered = w.clipped(o, box, ctm), w.layered(o)
	// The box of ink of a dash is flat in any size: the size itself is asked for only when the box allows a doubt.
	if box.height() < tinySize || box.width() < tinySize {
		size, ok := w.s.numbers("FPDFTextObj_GetFontSize", o, 1)
		m, ok2 := w.s.matrix(o)
		if ok && ok2 {
			t.size = real32(size[0]) * m.then(ctm).tall()
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

func (w *walk) fill(o object) (colour, bool) {
	return w.s.colour("FPDFPageObj_GetFillColor", o)
}

func (w *walk) path(o object, box Box, ctm matrix) {
	w.paths++
	mode, ok := w.s.numbers("FPDFPath_GetDrawMode", o, 2)
	filled, stroked := enums.FPDF_FILLMODE(int32(mode[0])) != enums.FPDF_FILLMODE_NONE, mode[1] == 1
	if !ok || !filled && !stroked {
		return // a clip path or nothing at all
	}
	s := shape{box: box, object: o, ctm: ctm, stroked: stroked}
	if filled {
		fill, known := w.fill(o)
		s.filled = !known || fill.a >= faintAlpha
		w.paint(area{box: box, order: w.order, fill: fill, opaque: known})
		if known && !stroked && fill.a < faintAlpha {
			return
		}
	}
	if min(box.width(), box.height()) > thinPath {
		s.slanted = w.slanted(o, ctm)
	}
	w.shapes = append(w.shapes, s)
}

// slanted counts the segments that are neither horizontal nor vertical.
func (w *walk) slanted(o object, ctm matrix) int {
	count, _ := w.s.segments(o)
	found, curve := 0, 0
	var x, y float64
	for i := range min(count, pathSegments) {
		if !w.budget.segment() {
			w.capped = true
			return found
		}
		seg, ok := w.s.part("FPDFPath_GetPathSegment", o, i)
		if !ok {
			return found
		}
		kind := w.s.segmentType(seg)
		curve = nextCurve(curve, kind)
		if curve == 1 || curve == 2 {
			continue // control points: a curve is judged by its ends
		}
		sx, sy, ok := w.s.segmentPoint(seg)
		if !ok {
			return found
		}
		px, py := ctm.apply(sx, sy)
		limit := slantedLine
		if curve == 3 {
			limit = slantedCurve
		}
		if kind != enums.FPDF_SEGMENT_MOVETO && abs(px-x) > limit && abs(py-y) > limit {
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

func (w *walk) image(o object, box Box) {
	w.paint(area{box: box, order: w.order})
	if box.width() <= glyphSide && box.height() <= glyphSide {
		w.glyphs++
		return
	}
	if !w.budget.image() {
		w.dropped++
		return
	}
	size, _ := w.s.numbers("FPDFImageObj_GetImagePixelSize", o, 2)
	img := Image{Box: box, Width: clampPixels(size[0]), Height: clampPixels(size[1])}
	if img.Width*img.Height > 0 && img.Width*img.Height <= imagePixels {
		hash := sha256.New()
		fmt.Fprintf(hash, "%dx%d\n", img.Width, img.Height)
		if w.s.raw(o, func(data []byte) { hash.Write(data) }) {
			img.Digest = hex.EncodeToString(hash.Sum(nil))
		}
	}
	w.images = append(w.images, img)
}

// clampPixels keeps products of two sides within an int.
func clampPixels(v uint32) int { return int(min(v, 1<<20)) }
