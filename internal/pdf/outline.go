package pdf

import "github.com/klippa-app/go-pdfium/enums"

const (
	pathOutline = 256 // segments of one path that are taken down: rounded ends come as polygons of a hundred
	curveSteps  = 10  // straight pieces that stand for one Bézier curve
)

// outlines reads the shapes of a page as they lie on it; capped says that the budget left some out.
func (w *walk) outlines() (found []Shape, capped bool) {
	for _, s := range w.shapes {
		if s.object == 0 {
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
func (w *walk) leavesInk(o object) bool {
	c, ok := w.s.colour("FPDFPageObj_GetStrokeColor", o)
	return !ok || c.a >= faintAlpha
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
	count, _ := w.s.segments(s.object)
	if count > pathOutline || !w.budget.outline(count) {
		return nil
	}
	own := s.ctm
	if m, ok := w.s.matrix(s.object); ok {
		own = m.then(s.ctm)
	}
	pen := pen{place: func(x, y float64) Point { return w.point(own, x, y) }}
	curve := 0
	for i := range count {
		seg, ok := w.s.part("FPDFPath_GetPathSegment", s.object, i)
		if !ok {
			return nil
		}
		kind := w.s.segmentType(seg)
		x, y, ok := w.s.segmentPoint(seg)
		if !ok {
			return nil
		}
		curve = nextCurve(curve, kind)
		pen.draw(kind, curve, x, y)
		if !s.filled && w.closes(seg) {
			pen.close()
		}
	}
	return pen.lines
}

func (w *walk) point(m matrix, x, y float64) Point {
	x, y = w.frame.point(m.apply(x, y))
	return Point{round(x), round(y)}
}

func (w *walk) closes(segment object) bool {
	closed, ok := w.s.call("FPDFPathSegment_GetClose", uint64(segment))
	return ok && uint32(closed) == 1
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
