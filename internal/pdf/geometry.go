package pdf

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/structs"
)

// frame maps the coordinates of a page's content, whose y grows upwards from a free origin, to those of the page as
// it is displayed.
type frame struct {
	left, bottom, right, top float64
	quarter                  int // clockwise quarter turns, 0 to 3
}

func (f frame) size() (width, height float64) {
	width, height = f.right-f.left, f.top-f.bottom
	if f.quarter%2 == 1 {
		width, height = height, width
	}
	return round(width), round(height)
}

func (f frame) point(x, y float64) (float64, float64) {
	switch f.quarter {
	case 1:
		return y - f.bottom, x - f.left
	case 2:
		return f.right - x, y - f.bottom
	case 3:
		return f.top - y, f.right - x
	default:
		return x - f.left, f.top - y
	}
}

// box maps a rectangle given by two opposite corners.
func (f frame) box(x0, y0, x1, y1 float64) Box {
	ax, ay := f.point(x0, y0)
	bx, by := f.point(x1, y1)
	return Box{round(min(ax, bx)), round(min(ay, by)), round(max(ax, bx)), round(max(ay, by))}
}

// round keeps hundredths of a point and replaces what no page has: JSON knows no infinity, and PDFium clips pages at
// a million points long before.
func round(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return math.Round(max(-1e6, min(1e6, v))*100) / 100
}

func (b Box) width() float64  { return b.X1 - b.X0 }
func (b Box) height() float64 { return b.Y1 - b.Y0 }
func (b Box) area() float64   { return b.width() * b.height() }

func (b Box) centre() (x, y float64) { return (b.X0 + b.X1) / 2, (b.Y0 + b.Y1) / 2 }

func (b Box) contains(x, y float64) bool { return x >= b.X0 && x <= b.X1 && y >= b.Y0 && y <= b.Y1 }

func (b Box) union(c Box) Box {
	return Box{min(b.X0, c.X0), min(b.Y0, c.Y0), max(b.X1, c.X1), max(b.Y1, c.Y1)}
}

// near says whether the gap between two boxes is under d in both directions.
func (b Box) near(c Box, d float64) bool {
	return b.X0-d < c.X1 && c.X0-d < b.X1 && b.Y0-d < c.Y1 && c.Y0-d < b.Y1
}

// matrix is a PDF transformation: x' = a·x + c·y + e, y' = b·x + d·y + f.
type matrix struct{ a, b, c, d, e, f float64 }

func identity() matrix { return matrix{a: 1, d: 1} }

func fromPDFium(m structs.FPDF_FS_MATRIX) matrix {
	return matrix{float64(m.A), float64(m.B), float64(m.C), float64(m.D), float64(m.E), float64(m.F)}
}

// then applies m first and n to its result.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d,
		m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f
}

// bounds is the box around a transformed rectangle.
func (m matrix) bounds(x0, y0, x1, y1 float64) (l, b, r, t float64) {
	ax, ay := m.apply(x0, y0)
	l, b, r, t = ax, ay, ax, ay
	for _, p := range [3][2]float64{{x0, y1}, {x1, y0}, {x1, y1}} {
		x, y := m.apply(p[0], p[1])
		l, b, r, t = min(l, x), min(b, y), max(r, x), max(t, y)
	}
	return l, b, r, t
}

// tall is by how much vertical lengths grow.
func (m matrix) tall() float64 { return math.Hypot(m.c, m.d) }

// cutString cuts at n bytes, at a rune's edge, and replaces what is no UTF-8.
func cutString(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
