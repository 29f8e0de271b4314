package figure

import (
	"math"

	"github.com/automaton-auditor/automaton/internal/pdf"
)

// What readers of drawings compute with points, lines and outlines. Lengths are in points of the page.

type point = pdf.Point

func minus(a, b point) point      { return point{a[0] - b[0], a[1] - b[1]} }
func dot(a, b point) float64      { return a[0]*b[0] + a[1]*b[1] }
func cross(a, b point) float64    { return a[0]*b[1] - a[1]*b[0] }
func distance(a, b point) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }
func width(b pdf.Box) float64     { return b.X1 - b.X0 }
func height(b pdf.Box) float64    { return b.Y1 - b.Y0 }
func surface(b pdf.Box) float64   { return width(b) * height(b) }
func middle(b pdf.Box) point      { return point{(b.X0 + b.X1) / 2, (b.Y0 + b.Y1) / 2} }
func grown(b pdf.Box, d float64) pdf.Box {
	return pdf.Box{X0: b.X0 - d, Y0: b.Y0 - d, X1: b.X1 + d, Y1: b.Y1 + d}
}

// holds says whether b lies in a.
func holds(a, b pdf.Box) bool { return b.X0 >= a.X0 && b.Y0 >= a.Y0 && b.X1 <= a.X1 && b.Y1 <= a.Y1 }

// shared is the area that two boxes have in common.
func shared(a, b pdf.Box) float64 {
	w, h := min(a.X1, b.X1)-max(a.X0, b.X0), min(a.Y1, b.Y1)-max(a.Y0, b.Y0)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h
}

func bounds(pts []point) pdf.Box {
	b := pdf.Box{X0: pts[0][0], Y0: pts[0][1], X1: pts[0][0], Y1: pts[0][1]}
	for _, p := range pts[1:] {
		b = pdf.Box{X0: min(b.X0, p[0]), Y0: min(b.Y0, p[1]), X1: max(b.X1, p[0]), Y1: max(b.Y1, p[1])}
	}
	return b
}

// unit is the direction of a vector, false for one without length.
func unit(v point) (point, bool) {
	n := math.Hypot(v[0], v[1])
	if n < 1e-6 {
		return point{}, false
	}
	return point{v[0] / n, v[1] / n}, true
}

// nearest is the point of the stretch from a to b that is closest to p.
func nearest(p, a, b point) point {
	d := minus(b, a)
	n := dot(d, d)
	if n == 0 {
		return a
	}
	t := max(0, min(1, dot(minus(p, a), d)/n))
	return point{a[0] + t*d[0], a[1] + t*d[1]}
}

// along is the point of a line of corners that is closest to p, and its distance.
func along(p point, line []point) (point, float64) {
	best, at := math.Inf(1), point{}
	for i := range line {
		q := nearest(p, line[max(i-1, 0)], line[i])
		if d := distance(p, q); d < best {
			best, at = d, q
		}
	}
	return at, best
}

// within says whether p lies in an outline.
func within(p point, outline []point) bool {
	in := false
	for i, j := 0, len(outline)-1; i < len(outline); j, i = i, i+1 {
		a, b := outline[i], outline[j]
		if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0]-a[0])*(p[1]-a[1])/(b[1]-a[1])+a[0] {
			in = !in
		}
	}
	return in
}

// area of an outline, and its length around.
func area(outline []point) (surface, around float64) {
	for i := range outline {
		a, b := outline[i], outline[(i+1)%len(outline)]
		surface += cross(a, b) / 2
		around += distance(a, b)
	}
	return math.Abs(surface), around
}

// through says whether a line of corners goes through the inside of a box.
func through(line []point, b pdf.Box) bool {
	for i := 1; i < len(line); i++ {
		if clips(line[i-1], line[i], b) {
			return true
		}
	}
	return false
}

// clips says whether the stretch from a to c has a part in a box (Liang and Barsky).
func clips(a, c point, b pdf.Box) bool {
	from, to := 0.0, 1.0
	d := minus(c, a)
	for _, side := range [4][2]float64{{-d[0], a[0] - b.X0}, {d[0], b.X1 - a[0]}, {-d[1], a[1] - b.Y0}, {d[1], b.Y1 - a[1]}} {
		p, q := side[0], side[1]
		switch {
		case p == 0 && q <= 0:
			return false
		case p < 0:
			from = max(from, q/p)
		case p > 0:
			to = min(to, q/p)
		}
	}
	return from < to
}

// ends are two points of an outline that lie far from each other.
func ends(pts []point) (a, b point) {
	a, b = pts[0], pts[0]
	for range 2 {
		for _, p := range pts {
			if distance(p, a) > distance(b, a) {
				b = p
			}
		}
		a, b = b, a
	}
	return a, b
}

// slim: all of an outline lies beside one straight line.
func slim(pts []point) bool {
	a, b := ends(pts)
	d, ok := unit(minus(b, a))
	if !ok {
		return false
	}
	low, high := 0.0, 0.0
	for _, p := range pts {
		side := cross(d, minus(p, a))
		low, high = min(low, side), max(high, side)
	}
	return high-low <= min(ribbon, distance(a, b)/3)
}

// axis is the line in the middle of a slim outline.
func axis(pts []point) []point {
	a, b := ends(pts)
	near := min(1.5*ribbon, distance(a, b)/3)
	return []point{around(a, pts, near), around(b, pts, near)}
}

// around is the middle of the points near to one.
func around(at point, pts []point, near float64) point {
	var sum point
	n := 0.0
	for _, p := range pts {
		if distance(p, at) <= near {
			sum, n = point{sum[0] + p[0], sum[1] + p[1]}, n+1
		}
	}
	return point{sum[0] / n, sum[1] / n}
}
