package pdf

import (
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// How the segments of a path are looked at.
const (
	slantedLine  = 0.75 // points a line must move both ways to be slanted
	slantedCurve = 12.0 // the same for a curve: rounded corners are smaller
	thinPath     = 1.0  // points: thinner paths are rules, their segments are not looked at
	pathSegments = 64   // segments of one path in which slanted ones are counted
	pathOutline  = 256  // segments of one path that are taken down: rounded ends come as polygons of a hundred
	curveSteps   = 10   // straight pieces that stand for one Bézier curve
)

func (w *walk) path(object references.FPDF_PAGEOBJECT, box Box, ctm matrix) {
	w.paths++
	mode, ok := ask(w.s, w.s.FPDFPath_GetDrawMode, requests.FPDFPath_GetDrawMode{PageObject: object})
	if !ok || (mode.FillMode == enums.FPDF_FILLMODE_NONE && !mode.Stroke) {
		return // a clip path or nothing at all
	}
	s := shape{box: box, stroked: mode.Stroke && w.inked(object), filled: mode.FillMode != enums.FPDF_FILLMODE_NONE}
	if s.filled {
		fill, known := w.fill(object)
		w.paint(area{box: box, order: w.order, fill: fill, opaque: known})
		if known && fill.a < faintAlpha {
			s.filled = false
			if !mode.Stroke {
				return
			}
		}
	}
	if min(box.width(), box.height()) > thinPath {
		w.outline(object, ctm, &s)
	} else {
		s.lines = [][]Point{box.axis()}
	}
	w.shapes = append(w.shapes, s)
}

// inked says whether a stroke leaves a trace.
func (w *walk) inked(object references.FPDF_PAGEOBJECT) bool {
	c, ok := ask(w.s, w.s.FPDFPageObj_GetStrokeColor, requests.FPDFPageObj_GetStrokeColor{PageObject: object})
	return !ok || c.StrokeColor.A >= faintAlpha
}

// axis is the line in the middle of a thin box.
func (b Box) axis() []Point {
	x, y := b.centre()
	if b.width() > b.height() {
		return []Point{{b.X0, round(y)}, {b.X1, round(y)}}
	}
	return []Point{{round(x), b.Y0}, {round(x), b.Y1}}
}

// outline follows the segments of a path, counts the slanted ones, which are neither horizontal nor vertical, and
// takes its lines down as they lie on the page.
func (w *walk) outline(object references.FPDF_PAGEOBJECT, ctm matrix, s *shape) {
	count, _ := ask(w.s, w.s.FPDFPath_CountSegments, requests.FPDFPath_CountSegments{PageObject: object})
	own := ctm
	if m, ok := ask(w.s, w.s.FPDFPageObj_GetMatrix, requests.FPDFPageObj_GetMatrix{PageObject: object}); ok {
		own = fromPDFium(m.Matrix).then(ctm)
	}
	pen := pen{place: func(x, y float64) Point { return w.point(own, x, y) }}
	s.cut = count.Count > pathOutline
	curve := 0
	var x, y float64
	for i := range count.Count {
		counted := i < pathSegments
		if counted && !w.budget.segment() {
			w.capped, s.cut = true, true
			break
		}
		if !counted && (s.cut || !w.budget.further()) {
			s.cut = true
			break
		}
		seg, ok := ask(w.s, w.s.FPDFPath_GetPathSegment, requests.FPDFPath_GetPathSegment{PageObject: object, Index: i})
		if !ok {
			break
		}
		kind, _ := ask(w.s, w.s.FPDFPathSegment_GetType, requests.FPDFPathSegment_GetType{PathSegment: seg.PathSegment})
		p, ok := ask(w.s, w.s.FPDFPathSegment_GetPoint, requests.FPDFPathSegment_GetPoint{PathSegment: seg.PathSegment})
		if !ok {
			break
		}
		curve = nextCurve(curve, kind.Type)
		pen.draw(kind.Type, curve, float64(p.X), float64(p.Y))
		if !s.filled && w.closes(seg.PathSegment) {
			pen.close()
		}
		if curve == 1 || curve == 2 || !counted {
			continue // control points: a curve is judged by its ends
		}
		px, py := ctm.apply(float64(p.X), float64(p.Y))
		limit := slantedLine
		if curve == 3 {
			limit = slantedCurve
		}
		if kind.Type != enums.FPDF_SEGMENT_MOVETO && abs(px-x) > limit && abs(py-y) > limit {
			s.slanted++
		}
		x, y = px, py
	}
	s.lines = pen.lines
}

func (w *walk) point(m matrix, x, y float64) Point {
	x, y = w.frame.point(m.apply(x, y))
	return Point{round(x), round(y)}
}

func (w *walk) closes(segment references.FPDF_PATHSEGMENT) bool {
	c, ok := ask(w.s, w.s.FPDFPathSegment_GetClose, requests.FPDFPathSegment_GetClose{PathSegment: segment})
	return ok && c.IsClose
}

// nextCurve counts the points of a Bézier curve, which PDFium hands out as three segments: 1, 2 and 3, the end.
func nextCurve(curve int, kind enums.FPDF_SEGMENT) int {
	if kind != enums.FPDF_SEGMENT_BEZIERTO {
		return 0
	}
	return curve%3 + 1
}

// pen draws a path's segments as lines of points on the page.
type pen struct {
	place   func(x, y float64) Point
	lines   [][]Point
	control [2]Point // of the curve being drawn
}

// draw goes to the next point; curve is its number in a Bézier curve, 0 when it is in none.
func (p *pen) draw(kind enums.FPDF_SEGMENT, curve int, x, y float64) {
	at := p.place(x, y)
	switch {
	case kind == enums.FPDF_SEGMENT_MOVETO || len(p.lines) == 0:
		p.lines = append(p.lines, []Point{at})
	case curve == 1 || curve == 2:
		p.control[curve-1] = at
	case curve == 3:
		from := p.last()
		for i := 1; i < curveSteps; i++ {
			p.to(bezier(from, p.control[0], p.control[1], at, float64(i)/curveSteps))
		}
		p.to(at)
	default:
		p.to(at)
	}
}

func (p *pen) last() Point {
	line := p.lines[len(p.lines)-1]
	return line[len(line)-1]
}

// to adds a point that differs from the last.
func (p *pen) to(at Point) {
	if at != p.last() {
		p.lines[len(p.lines)-1] = append(p.lines[len(p.lines)-1], at)
	}
}

func (p *pen) close() {
	if len(p.lines) > 0 {
		p.to(p.lines[len(p.lines)-1][0])
	}
}

func bezier(a, b, c, d Point, t float64) Point {
	at := func(a, b, c, d float64) float64 {
		u := 1 - t
		return round(u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d)
	}
	return Point{at(a[0], b[0], c[0], d[0]), at(a[1], b[1], c[1], d[1])}
}
