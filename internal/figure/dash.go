package figure

// Lines that come in pieces: programs that draw dashes one by one give every piece a path or an outline of its own,
// and some draw a chevron by two strokes.

const (
	dashMost = 8.0 // points: a longer piece is a line
	dashGap  = 2.5 // of the pieces' length: how far they are apart at most
	inkGap   = 0.3 // points: pieces that touch
)

// dash is a short straight piece.
type dash struct{ from, to point }

func (d dash) length() float64 { return distance(d.from, d.to) }
func (d dash) turned() dash    { return dash{d.to, d.from} }

func asDash(pts []point, closed bool) (dash, bool) {
	b := bounds(pts)
	if max(width(b), height(b)) > dashMost || !closed && len(pts) > 2 || !slim(pts) {
		return dash{}, false
	}
	line := pts
	if len(pts) > 2 {
		line = axis(pts)
	}
	return dash{line[0], line[1]}, true
}

// stitch adds a piece to those that it goes on from, or begins anew.
func (s *sketch) stitch(d dash) {
	n := len(s.dashes)
	if n == 0 {
		s.dashes = append(s.dashes, d)
		return
	}
	last := s.dashes[n-1]
	gap := s.gap(last, d)
	if n == 1 && s.gap(last.turned(), d) < gap {
		last = last.turned()
		gap = s.gap(last, d)
	}
	if gap > max(inkGap, dashGap*min(last.length(), d.length())) {
		s.flush()
		s.dashes = append(s.dashes, d)
		return
	}
	s.dashes[n-1] = last
	if distance(last.to, d.to) < distance(last.to, d.from) {
		d = d.turned()
	}
	s.dashes = append(s.dashes, d)
}

// gap is from one piece's end to the nearer end of the next.
func (s *sketch) gap(a, b dash) float64 { return min(distance(a.to, b.from), distance(a.to, b.to)) }

// flush makes one line of the pieces. Two make none, unless they touch.
func (s *sketch) flush() {
	pieces := s.dashes
	s.dashes = nil
	if len(pieces) == 2 && s.gap(pieces[0], pieces[1]) > inkGap {
		s.open([]point{pieces[0].from, pieces[0].to})
		pieces = pieces[1:]
	}
	var pts []point
	for _, d := range pieces {
		if n := len(pts); n == 0 || distance(pts[n-1], d.from) > inkGap {
			pts = append(pts, d.from)
		}
		pts = append(pts, d.to)
	}
	s.open(pts)
}
