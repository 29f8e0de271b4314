package figure

import (
	"math"

	"github.com/automaton-auditor/automaton/internal/pdf"
)

// What the shapes of a drawing can be, by size in points.
const (
	headSide   = 14.0 // an arrow head is no larger
	frameWidth = 12.0 // a box is no smaller: something can be written in it
	frameTall  = 7.0
	dotSide    = 6.0 // a round mark that stands for a start or an end
	speck      = 1.5 // what is smaller has no form
	ribbon     = 2.5 // a filled shape no wider is a line
)

// Bounds of one drawing. Each pair of things is compared, so that they bound the time, too.
const (
	maxFrames = 400
	maxWires  = 1_500
	maxTips   = 1_500
	maxWords  = 1_500
	maxInk    = 20_000 // points of all outlines together
)

// frame is a closed outline that something can be written in.
type frame struct {
	box     pdf.Box
	outline []point
	stroked bool
	dot     bool // too small for a text
	parts   int  // frames in it
	inside  int  // the smallest frame around it, -1 without
	dropped bool // the ground of a label that lies on a line, or another frame's double
	words   []pdf.Label
	node    string // its id, when it is a box of the graph
}

// wire is a line or curve that is open.
type wire struct {
	pts  []point
	ends [2]end
}

// tip is what may be the head of an arrow.
type tip struct {
	pts  []point
	box  pdf.Box
	used bool
}

// sketch is what a drawing consists of.
type sketch struct {
	frames []frame
	wires  []wire
	tips   []tip
	dashes []dash // that follow on each other, as far as seen
	words  []pdf.Label
	span   float64 // the drawing's diagonal
	// cut: a part of it could not be looked at.
	cut bool
}

// newSketch takes the shapes and labels that lie in a figure; false when there are too many.
func newSketch(p *pdf.Page, b pdf.Box) (*sketch, bool) {
	const around = 20.0 // points
	s := &sketch{cut: p.Partial, span: math.Hypot(width(b), height(b))}
	room := grown(b, around)
	ink := 0
	for _, shape := range p.Shapes {
		if !holds(room, shape.Box) {
			continue
		}
		s.cut = s.cut || len(shape.Lines) == 0
		for _, line := range shape.Lines {
			ink += len(line)
			s.add(line, shape)
		}
		if len(s.frames) > maxFrames || len(s.wires) > maxWires || len(s.tips) > maxTips || ink > maxInk {
			return nil, false
		}
	}
	s.flush()
	for _, l := range p.Labels {
		if shared(l.Box, room) > 0 {
			s.words = append(s.words, l)
		}
	}
	return s, len(s.words) <= maxWords
}

// add sorts one outline of a shape.
func (s *sketch) add(line []point, shape pdf.Shape) {
	pts, closed := line, shape.Filled
	if n := len(pts); n > 2 && distance(pts[0], pts[n-1]) < 0.1 {
		pts, closed = pts[:n-1], true
	}
	if len(pts) < 2 {
		return
	}
	if d, ok := asDash(pts, closed); ok {
		s.stitch(d)
		return
	}
	s.flush()
	if closed {
		s.shut(pts, shape.Stroked)
	} else {
		s.open(pts)
	}
}

// shut adds an outline that is closed.
func (s *sketch) shut(pts []point, stroked bool) {
	b := bounds(pts)
	inner, round := area(pts)
	switch long := max(width(b), height(b)); {
	case long < speck:
	case slim(pts):
		s.open(axis(pts))
	case long <= headSide && inner > 0.62*surface(b) && min(width(b), height(b)) >= dotSide:
		s.frames = append(s.frames, frame{box: b, outline: pts, stroked: stroked, dot: true, inside: -1})
	case long <= headSide:
		s.tips = append(s.tips, tip{pts: pts, box: b})
	case width(b) >= frameWidth && height(b) >= frameTall && inner >= 0.35*surface(b):
		s.frames = append(s.frames, frame{box: b, outline: pts, stroked: stroked, inside: -1})
	case 2*inner <= ribbon*round:
		s.cut = true // a curve that is drawn by its two edges
	}
}

// open adds a line; a small one with corners may be a head that is drawn by two strokes.
func (s *sketch) open(pts []point) {
	if len(pts) < 2 {
		return
	}
	b := bounds(pts)
	if len(pts) > 2 && max(width(b), height(b)) <= headSide && bends(pts) {
		s.tips = append(s.tips, tip{pts: pts, box: b})
		return
	}
	if distance(pts[0], pts[len(pts)-1]) > 0.1 || len(pts) > 2 {
		s.wires = append(s.wires, wire{pts: pts})
	}
}

// bends: the ends lie nearer to each other than the line is long, as those of a chevron do.
func bends(pts []point) bool {
	length := 0.0
	for i := 1; i < len(pts); i++ {
		length += distance(pts[i-1], pts[i])
	}
	return distance(pts[0], pts[len(pts)-1]) < 0.87*length // at most 120 degrees
}
