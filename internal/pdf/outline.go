package pdf

import (
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

const (
	pathOutline = 256 // segments of one path that are taken down: rounded ends come as polygons of a hundred
	curveSteps  = 10  // straight pieces that stand for one Bézier curve
)

// outlines reads the shapes of a page as they lie on it; capped says that the budget left some out.
func (w *walk) outlines() (found []Shape, capped bool) {
	for _, s := range w.shapes {
		if s.object == "" {
			continue
		}
		shape := Shape{Box: s.box, Filled: s.filled, Stroked: s.stroked && w.leavesInk(s.object)}
		if !shape.Filled && !shape.Stroked {
			continue
		}
		if min(s.box.width(), s.box.height()) > thinPath {
			shape.Lines = w.outline(s)
		} else {
			shape.Lines = [][]Point{s.box.axis()}
		}
		points := 1
		for _, l := range shape.Lines {
			points += len(l)
		}
		if !w.budget.point(points) {
			return found, true
		}
		found = append(found, shape)
	}
	return found, false
}

// leavesInk says whether a stroke leaves a trace.
func (w *walk) leavesInk(object references.FPDF_PAGEOBJECT) bool {
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

// outline follows the segments of a path; nil when it has too many.
func (w *walk) outline(s shape) [][]Point {
	count, _ := ask(w.s, w.s.FPDFPath_CountSegments, requests.FPDFPath_CountSegments{PageObject: s.object})
	if count.Count > pathOutline || !w.budget.outline(count.Count) {
		return nil
	}
	own := s.ctm
	if m, ok := ask(w.s, w.s.FPDFPageObj_GetMatrix, requests.FPDFPageObj_GetMatrix{PageObject: s.object}); ok {
		own = fromPDFium(m.Matrix).then(s.ctm)
	}
	pen := pen{place: func(x, y float64) Point { return w.point(own, x, y) }}
	curve := 0
	for i := range count.Count {
		seg, ok := ask(w.s, w.s.FPDFPath_GetPathSegment, requests.FPDFPath_GetPathSegment{PageObject: s.object, Index: i})
		if !ok {
			return nil
		}
		kind, _ := ask(w.s, w.s.FPDFPathSegment_GetType, requests.FPDFPathSegment_GetType{PathSegment: seg.PathSegment})
		p, ok := ask(w.s, w.s.FPDFPathSegment_GetPoint, requests.FPDFPathSegment_GetPoint{PathSegment: seg.PathSegment})
		if !ok {
			return nil
		}
		curve = nextCurve(curve, kind.Type)
		pen.draw(kind.Type, curve, float64(p.X), float64(p.Y))
		if !s.filled && w.closes(seg.PathSegment) {
			pen.close()
		}
	}
	return pen.lines
}

func (w *walk) point(m matrix, x, y float64) Point {
	x, y = w.frame.point(m.apply(x, y))
	return Point{round(x), round(y)}
}

func (w *walk) closes(segment references.FPDF_PATHSEGMENT) bool {
	c, ok := ask(w.s, w.s.FPDFPathSegment_GetClose, requests.FPDFPathSegment_GetClose{PathSegment: segment})
	return ok && c.IsClose
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
