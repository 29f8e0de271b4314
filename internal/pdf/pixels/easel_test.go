package pixels

import (
	"math"
	"testing"
)

// reader reads all pictures, so that what one leaves behind would show in the next.
var reader Reader

// easel is a picture that a test draws: lines have soft edges, as those of real pictures do.
type easel struct {
	w, h int
	grey []byte
	seed uint32
}

func newEasel(w, h int, paper byte) *easel {
	e := &easel{w: w, h: h, grey: make([]byte, w*h), seed: 7}
	for i := range e.grey {
		e.grey[i] = paper
	}
	return e
}

func (e *easel) picture() Picture { return Picture{e.w, e.h, e.grey} }

// blend lays a shade over a pixel.
func (e *easel) blend(x, y int, shade byte, cover float64) {
	if x < 0 || y < 0 || x >= e.w || y >= e.h || cover <= 0 {
		return
	}
	cover = min(cover, 1)
	i := y*e.w + x
	e.grey[i] = byte(math.Round(float64(e.grey[i])*(1-cover) + float64(shade)*cover))
}

type spot struct{ x, y float64 }

// line draws a stroke.
func (e *easel) line(a, b spot, wide float64, shade byte) {
	r := wide/2 + 1
	for y := int(min(a.y, b.y) - r); y <= int(max(a.y, b.y)+r); y++ {
		for x := int(min(a.x, b.x) - r); x <= int(max(a.x, b.x)+r); x++ {
			e.blend(x, y, shade, wide/2+0.5-toLine(spot{float64(x), float64(y)}, a, b))
		}
	}
}

func toLine(p, a, b spot) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = max(0, min(1, ((p.x-a.x)*dx+(p.y-a.y)*dy)/l))
	}
	return math.Hypot(p.x-a.x-t*dx, p.y-a.y-t*dy)
}

// fill paints a convex polygon, given clockwise.
func (e *easel) fill(shade byte, corners ...spot) {
	x0, y0, x1, y1 := 1e9, 1e9, -1e9, -1e9
	for _, c := range corners {
		x0, y0, x1, y1 = min(x0, c.x), min(y0, c.y), max(x1, c.x), max(y1, c.y)
	}
	for y := int(y0) - 1; y <= int(y1)+1; y++ {
		for x := int(x0) - 1; x <= int(x1)+1; x++ {
			inside := 1e9
			for i, a := range corners {
				b := corners[(i+1)%len(corners)]
				side := ((b.x-a.x)*(float64(y)-a.y) - (b.y-a.y)*(float64(x)-a.x)) / math.Hypot(b.x-a.x, b.y-a.y)
				inside = min(inside, side)
			}
			e.blend(x, y, shade, inside+0.5)
		}
	}
}

func (e *easel) rect(x0, y0, x1, y1 float64, shade byte) {
	e.fill(shade, spot{x0, y0}, spot{x1, y0}, spot{x1, y1}, spot{x0, y1})
}

func (e *easel) frame(x0, y0, x1, y1, wide float64, shade byte) {
	c := []spot{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
	for i := range c {
		e.line(c[i], c[(i+1)%4], wide, shade)
	}
}

// word sets letters of strokes, 12 pixels high.
func (e *easel) word(x, y float64, letters int, shade byte) {
	for range letters {
		for _, s := range [][2]spot{{{0, 0}, {0, 11}}, {{0, 0}, {5, 0}}, {{5, 0}, {5, 6}}, {{0, 6}, {5, 6}}, {{0, 11}, {5, 11}}, {{2, 6}, {5, 11}}} {
			e.seed = e.seed*1664525 + 1013904223
			if e.seed>>16%3 > 0 {
				e.line(spot{x + s[0].x, y + s[0].y}, spot{x + s[1].x, y + s[1].y}, 1.4, shade)
			}
		}
		x += 9
	}
}

// head draws the head of an arrow that ends at a spot and comes from another.
func (e *easel) head(from, to spot, size float64, open bool, shade byte) {
	l := math.Hypot(to.x-from.x, to.y-from.y)
	ux, uy := (to.x-from.x)/l, (to.y-from.y)/l
	back := spot{to.x - ux*size, to.y - uy*size}
	left, right := spot{back.x + uy*size/2, back.y - ux*size/2}, spot{back.x - uy*size/2, back.y + ux*size/2}
	if open {
		e.line(to, left, 2, shade)
		e.line(to, right, 2, shade)
		return
	}
	e.fill(shade, to, right, left)
}

// style is how a diagram is drawn.
type style struct {
	paper, box, ink, text byte
	border, line          float64
	shadow, curved, elbow bool
	open                  bool
	gap                   float64 // between the tip and the box
	round                 bool    // ellipses
	size                  float64 // of heads
}

type node struct{ x, y, w, h float64 } // its middle

func (e *easel) node(n node, s style) {
	x0, y0, x1, y1 := n.x-n.w/2, n.y-n.h/2, n.x+n.w/2, n.y+n.h/2
	switch {
	case s.round:
		var rim []spot
		for i := range 72 {
			a := float64(i) * math.Pi / 36
			rim = append(rim, spot{n.x + n.w/2*math.Cos(a), n.y + n.h/2*math.Sin(a)})
		}
		e.fill(s.box, rim...)
		for i := range rim {
			e.line(rim[i], rim[(i+1)%len(rim)], s.border, s.ink)
		}
	default:
		if s.shadow {
			e.rect(x0+5, y0+5, x1+5, y1+5, s.paper-12)
		}
		e.rect(x0, y0, x1, y1, s.box)
		if s.border > 0 {
			e.frame(x0, y0, x1, y1, s.border, s.ink)
		}
	}
	e.word(n.x-32, n.y-6, 7, s.text)
}

// arrow leads from below a box to above another.
func (e *easel) arrow(from, to node, start float64, s style) {
	a, b := spot{from.x + start, from.y + from.h/2}, spot{to.x, to.y - to.h/2 - s.gap}
	if s.round && start != 0 { // on the rim
		a.y = from.y + from.h/2*math.Sqrt(1-4*start*start/(from.w*from.w))
	}
	end := spot{b.x, b.y - s.size}
	last := spot{b.x, b.y - 2*s.size}
	switch {
	case s.elbow:
		mid := (a.y + last.y) / 2
		e.line(a, spot{a.x, mid}, s.line, s.ink)
		e.line(spot{a.x, mid}, spot{b.x, mid}, s.line, s.ink)
		e.line(spot{b.x, mid}, end, s.line, s.ink)
	case s.curved:
		at := a
		for i := 1; i <= 40; i++ {
			t := float64(i) / 40
			k := (1 - t) * (1 - t) * (1 - t)
			l, m, n := 3*t*(1-t)*(1-t), 3*t*t*(1-t), t*t*t
			next := spot{k*a.x + l*a.x + m*b.x + n*b.x, k*a.y + l*(a.y+40) + m*(b.y-60) + n*end.y}
			e.line(at, next, s.line, s.ink)
			at = next
		}
	default:
		e.line(a, last, s.line, s.ink)
		e.line(last, end, s.line, s.ink)
	}
	if s.open {
		e.line(end, b, s.line, s.ink)
	}
	e.head(last, b, s.size, s.open, s.ink)
}

// plan are the boxes of a diagram with two layers that fork and join, and its arrows.
func plan() ([]node, []Arrow) {
	nodes := []node{{450, 60, 170, 50}, {150, 220, 180, 50}, {450, 220, 180, 50}, {750, 220, 180, 50}, {450, 380, 260, 60},
		{150, 540, 180, 50}, {450, 540, 180, 50}, {750, 540, 180, 50}, {450, 700, 220, 60}, {450, 840, 150, 50}}
	return nodes, []Arrow{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 5}, {4, 6}, {4, 7}, {5, 8}, {6, 8}, {7, 8}, {8, 9}}
}

// diagram draws it; each arrow into a box has a place of its own there.
func diagram(s style) (*easel, []node, []Arrow) {
	e := newEasel(900, 900, s.paper)
	nodes, arrows := plan()
	for _, n := range nodes {
		e.node(n, s)
	}
	for _, a := range arrows {
		from, to := nodes[a.From], nodes[a.To]
		start := max(-50, min(50, (to.x-from.x)/5))
		to.x += max(-60, min(60, (from.x-to.x)/5))
		if to.y < 300 || a.From == 4 {
			to.x = nodes[a.To].x
		}
		if s.round && to.x != nodes[a.To].x {
			off := to.x - nodes[a.To].x
			to.h *= math.Sqrt(1 - 4*off*off/(to.w*to.w))
		}
		e.arrow(from, to, start, s)
	}
	return e, nodes, arrows
}

func TestEasel(t *testing.T) {
	e := newEasel(100, 100, 255)
	e.rect(10, 10, 50, 50, 0)
	if e.grey[30*100+30] != 0 || e.grey[30*100+70] != 255 {
		t.Error("the easel does not draw")
	}
}
