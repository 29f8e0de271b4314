package pixels

import (
	"cmp"
	"slices"
)

// What a box measures at least; the ground of a word on a line may be lower.
const (
	leastWide = 20
	leastTall = 10
	leastBox  = 26 // of its longer side
	mostLine  = 12 // pixels of a border
)

// outline is the first and the last pixel of an area in each row and in each column.
type outline struct {
	left, right []int // by row from the area's first; left is larger than right in a row without pixels
	top, bottom []int // by column
}

// outline walks over an area's frame.
func (g *ground) outline(a area, n int32, of []int32) outline {
	o := outline{make([]int, a.height()), make([]int, a.height()), make([]int, a.width()), make([]int, a.width())}
	for r := range o.left {
		o.left[r], o.right[r] = a.x1+1, a.x0-1
	}
	for c := range o.top {
		o.top[c], o.bottom[c] = a.y1+1, a.y0-1
	}
	for y := a.y0; y <= a.y1; y++ {
		for x := a.x0; x <= a.x1; x++ {
			if of[y*g.w+x] != n {
				continue
			}
			r, c := y-a.y0, x-a.x0
			o.left[r], o.right[r] = min(o.left[r], x), max(o.right[r], x)
			o.top[c], o.bottom[c] = min(o.top[c], y), max(o.bottom[c], y)
		}
	}
	return o
}

// form tells which form an outline has; false when it is none of a box.
func (o outline) form(a area) (Form, bool) {
	rows, cols, whole := 0, 0, a.width()*a.height()
	widest, mid := 0, 0
	for r := range o.left {
		span := o.right[r] - o.left[r] + 1
		rows += max(span, 0)
		widest = max(widest, span)
	}
	for c := range o.top {
		cols += max(o.bottom[c]-o.top[c]+1, 0)
	}
	hull := o.hull(a)
	if 100*rows < 93*hull || 100*cols < 93*hull {
		return "", false
	}
	mid = o.right[len(o.right)/2] - o.left[len(o.left)/2] + 1
	switch {
	case 100*rows >= 92*whole:
		return Rectangle, true
	case 100*rows < 45*whole || 10*mid < 9*widest:
		return "", false
	case 100*rows < 60*whole:
		middle := (a.x0 + a.x1) / 2
		offset := (o.left[0]+o.right[0])/2 - middle
		tilt := (o.left[len(o.left)-1]+o.right[len(o.right)-1])/2 - middle
		if max(offset, -offset, tilt, -tilt) > a.width()/8 || min(a.width(), a.height()) < leastBox {
			return "", false
		}
		return Diamond, true
	}
	return Round, min(a.width(), a.height()) >= leastTall+4
}

// hull is the area of the convex hull, in pixels.
func (o outline) hull(a area) int {
	var left, right []corner
	for r := range o.left {
		if o.left[r] > o.right[r] {
			continue
		}
		// both edges of each row, so that a row counts as high as it is
		for y := a.y0 + r; y <= a.y0+r+1; y++ {
			left = bulge(left, corner{-o.left[r], y})
			right = bulge(right, corner{o.right[r] + 1, y})
		}
	}
	twice := 0
	for _, chain := range [][]corner{left, right} {
		for i := 1; i < len(chain); i++ {
			twice += (chain[i].x + chain[i-1].x) * (chain[i].y - chain[i-1].y)
		}
	}
	return twice / 2
}

type corner struct{ x, y int }

// bulge adds a corner to a chain that goes down and leaves out those that it now passes to the left.
func bulge(chain []corner, p corner) []corner {
	for len(chain) > 1 {
		b, c := chain[len(chain)-2], chain[len(chain)-1]
		if (c.x-b.x)*(p.y-b.y)-(c.y-b.y)*(p.x-b.x) > 0 {
			break
		}
		chain = chain[:len(chain)-1]
	}
	return append(chain, p)
}

// found is a box with its outline.
type found struct {
	area
	outline
	form   Form
	border [4]int // how thick the line around it is: left, right, above, below
	lined  bool   // a line is around it, which is darker or lighter than both of its sides
	bed    bool   // only the ground of a word on a line
	in     int    // the smallest group around it, -1 without
	group  bool
}

// boxes finds the areas with the outline of a box. Those of every pixel come first, then the solid ones where a line of
// the same shade begins at the box.
func (g *ground) boxes() []found {
	var out []found
	work := 8 * g.w * g.h
	take := func(of []int32, areas []area, solid bool) {
		for n := 1; n < len(areas); n++ {
			a := areas[n]
			if a.width() < leastWide || a.height() < leastTall || max(a.width(), a.height()) < leastBox ||
				4*a.count < a.width()*a.height() || a.width() > g.w*19/20 && a.height() > g.h*19/20 {
				continue
			}
			if work -= a.width() * a.height(); work < 0 || len(out) > mostBoxes {
				return
			}
			if solid && slices.ContainsFunc(out, func(f found) bool { return overlap(f.area, a) }) {
				continue
			}
			o := g.outline(a, int32(n), of)
			if f, ok := o.form(a); ok {
				out = append(out, found{area: a, outline: o, form: f, in: -1})
			}
		}
	}
	take(g.flat, g.flats, false)
	take(g.solid, g.solids, true)
	if len(out) > mostBoxes {
		return nil
	}
	for i := range out {
		out[i].border, out[i].lined = g.border(out[i])
	}
	out = slices.DeleteFunc(out, func(f found) bool { return slices.Max(f.border[:]) > mostLine || !g.hasInk(f) && !g.isBar(f) })
	return nested(append(g.joined(out), g.frames(out)...))
}

// overlap: the two are nearly the same place.
func overlap(a, b area) bool {
	w := min(a.x1, b.x1) - max(a.x0, b.x0) + 1
	h := min(a.y1, b.y1) - max(a.y0, b.y0) + 1
	return w > 0 && h > 0 && 10*w*h > 7*max(a.width()*a.height(), b.width()*b.height())
}

// hasInk: something is written in it. What lines enclose by chance is empty.
func (g *ground) hasInk(f found) bool {
	const least = 25
	count := 0
	for y := f.y0 + f.height()/6; y <= f.y1-f.height()/6 && count < least; y++ { // its middle, for lines may end at its rim
		inset := (f.right[y-f.y0] - f.left[y-f.y0]) / 6
		for x := f.left[y-f.y0] + inset; x <= f.right[y-f.y0]-inset; x++ {
			if d := int(g.grey[y*g.w+x]) - f.shade(); d > near || d < -near {
				count++
			}
		}
	}
	return count >= least
}

// isBar: a thick bar at which lines fork or join.
func (g *ground) isBar(f found) bool {
	const contrast, tall = 100, 24
	if f.form != Rectangle || min(f.width(), f.height()) > tall || max(f.width(), f.height()) < 3*min(f.width(), f.height()) {
		return false
	}
	out := g.grey[max(f.y0-mostLine, 0)*g.w+(3*f.x0+f.x1)/4]
	d := int(out) - f.shade()
	return d > contrast || d < -contrast
}

// border measures the line around a box on its four sides: how far it is to the next paper, at most places. Left, right,
// above, below. And whether there is a line at all.
func (g *ground) border(f found) (wide [4]int, lined bool) {
	var tally [4][mostLine + 2]int
	lines, samples := 0, 0
	note := func(side, x, y, dx, dy int) {
		own := g.paper[(y-dy)*g.w+x-dx] // its rim is its own
		low, high := g.grey[(y-dy)*g.w+x-dx], g.grey[(y-dy)*g.w+x-dx]
		n := 0
		for n <= mostLine && x >= 0 && y >= 0 && x < g.w && y < g.h && (g.paper[y*g.w+x] == 0 || g.paper[y*g.w+x] == own) {
			low, high = min(low, g.grey[y*g.w+x]), max(high, g.grey[y*g.w+x])
			x, y, n = x+dx, y+dy, n+1
		}
		tally[side][n]++
		samples++
		if n <= mostLine && x >= 0 && y >= 0 && x < g.w && y < g.h {
			out := int(g.grey[y*g.w+x])
			if int(low) < min(out, f.shade())-2*same || int(high) > max(out, f.shade())+2*same {
				lines++
			}
		}
	}
	for r := f.height() / 4; r <= f.height()*3/4 && r < f.height(); r++ {
		if f.left[r] <= f.right[r] {
			note(0, f.left[r]-1, f.y0+r, -1, 0)
			note(1, f.right[r]+1, f.y0+r, 1, 0)
		}
	}
	for c := f.width() / 4; c <= f.width()*3/4 && c < f.width(); c++ {
		if f.top[c] <= f.bottom[c] {
			note(2, f.x0+c, f.top[c]-1, 0, -1)
			note(3, f.x0+c, f.bottom[c]+1, 0, 1)
		}
	}
	for side := range wide {
		wide[side] = median(tally[side][:])
	}
	return wide, 2*lines > samples
}

// median is the number that half of a tally reaches.
func median(tally []int) int {
	total, sum := 0, 0
	for _, count := range tally {
		total += count
	}
	for n, count := range tally {
		if sum += count; 2*sum >= total {
			return n
		}
	}
	return len(tally) - 1
}

// joined makes one box of the parts of a box that lines divide.
func (g *ground) joined(boxes []found) []found {
	const off = 6
	close := func(a, b int) bool { return a-b <= off && b-a <= off }
	for again := true; again; {
		again = false
		for i := 0; i < len(boxes) && !again; i++ {
			for j := range boxes {
				a, b := boxes[i], boxes[j]
				below := b.y0-a.y1 > 1 && b.y0-a.y1 <= mostLine && close(a.x0, b.x0) && close(a.x1, b.x1)
				beside := b.x0-a.x1 > 1 && b.x0-a.x1 <= mostLine && close(a.y0, b.y0) && close(a.y1, b.y1)
				if d := a.shade() - b.shade(); i != j && (below || beside) && d <= near && d >= -near {
					boxes[i] = union(a, b)
					boxes = slices.Delete(boxes, j, j+1)
					again = true
					break
				}
			}
		}
	}
	return boxes
}

// union is the frame around two boxes.
func union(a, b found) found {
	u := area{min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1), a.count + b.count, a.sum + b.sum}
	o := outline{make([]int, u.height()), make([]int, u.height()), make([]int, u.width()), make([]int, u.width())}
	for r := range o.left {
		o.left[r], o.right[r] = u.x0, u.x1
	}
	for c := range o.top {
		o.top[c], o.bottom[c] = u.y0, u.y1
	}
	f := found{area: u, outline: o, form: Rectangle, lined: a.lined || b.lined, in: -1}
	for side := range f.border {
		f.border[side] = max(a.border[side], b.border[side])
	}
	return f
}

// nested tells groups from boxes, and leaves out what is a part of a box. They come by place.
func nested(boxes []found) []found {
	const wide, tall = 40, 18 // of a box in a group
	slices.SortFunc(boxes, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.y0, b.y0), cmp.Compare(a.x0, b.x0), cmp.Compare(b.count, a.count))
	})
	inside := func(a, b found) bool { return a.x0 > b.x0 && a.x1 < b.x1 && a.y0 > b.y0 && a.y1 < b.y1 }
	for i := range boxes {
		if boxes[i].width() >= wide && boxes[i].height() >= tall {
			for j := range boxes {
				if boxes[j].form == Rectangle && inside(boxes[i], boxes[j]) {
					boxes[j].group = true
				}
			}
		}
	}
	var kept []found
	for _, f := range boxes {
		if !slices.ContainsFunc(boxes, func(b found) bool { return !b.group && inside(f, b) }) {
			kept = append(kept, f)
		}
	}
	boxes = kept
	for i := range boxes {
		for j, b := range boxes {
			if b.group && inside(boxes[i], b) && (boxes[i].in < 0 || inside(b, boxes[boxes[i].in])) {
				boxes[i].in = j
			}
		}
	}
	return boxes
}
