package pixels

import "slices"

// Where the end of a line is at a box, and what a head is.
const (
	reach    = 11 // pixels between a box and the tip of an arrow
	tailGap  = 8  // between a box and a line that begins there
	endWidth = 64 // what lies along a box over more pixels is no end
)

// kind is what is at the end of a line.
type kind int

const (
	nothing kind = iota // it passes by
	unclear             // something that is neither of the two
	tail                // a line that begins or ends there
	head
)

// end is where a piece comes near to a box.
type end struct {
	box   int // by place
	piece int
	kind  kind
	away  bool // it goes on from there
}

// findEnds looks for the pieces near each box.
func (d *drawing) findEnds() {
	d.halo()
	var beside [8]int
	for start, b := range d.near {
		if b == 0 || d.seen[start] || !d.ink[start] {
			continue
		}
		e := end{box: int(b) - 1, piece: int(d.line[start])}
		d.at = append(d.at[:0], start)
		d.seen[start] = true
		for k := 0; k < len(d.at); k++ {
			for _, j := range d.around(d.at[k], &beside) {
				e.away = e.away || d.ink[j] && d.near[j] != b
				if d.ink[j] && d.near[j] == b && !d.seen[j] {
					d.seen[j] = true
					d.at = append(d.at, j)
				}
			}
		}
		if len(d.ends) == mostEnds || d.piece[e.piece].count < leastPiece {
			continue
		}
		if e.kind = d.kindOf(e); e.kind != nothing {
			d.ends = append(d.ends, e)
		}
	}
}

// halo tells for the pixels around the boxes which box is the nearest, and how far it is.
func (d *drawing) halo() {
	edge, next := rim(d.edge, d.owner, d.w), d.next
	var beside [8]int
	for step := uint8(1); step <= reach; step++ {
		next = next[:0]
		for _, i := range edge {
			n := max(d.owner[i], d.near[i])
			for _, j := range d.around(i, &beside) {
				if d.owner[j] == 0 && d.near[j] == 0 {
					d.near[j], d.far[j] = n, step
					next = append(next, j)
				}
			}
		}
		edge, next = next, edge
	}
	d.edge, d.next = edge, next
}

// kindOf looks at the shape of the ink at an end, closely and from farther away for large heads. Ink that does not go
// away from the box, or lies along it without touching it, is not an end.
func (d *drawing) kindOf(e end) kind {
	x0, x1, y0, y1 := d.w, 0, d.h, 0
	nearest := uint8(reach)
	for _, i := range d.at {
		x, y := i%d.w, i/d.w
		x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
		nearest = min(nearest, d.far[i])
	}
	const touch = 3
	switch {
	case !e.away:
		return nothing
	case max(x1-x0, y1-y0) > endWidth:
		if nearest <= touch {
			return unclear
		}
		return nothing
	}
	for _, size := range []int{16, 24, 34, 48} {
		if d.profile(nearest, size).isHead() {
			return head
		}
	}
	if nearest <= tailGap && d.profile(nearest, 24).isTail() {
		return tail
	}
	return unclear
}

// profile is how far the ink goes to both sides of an arrow's axis, by the distance from its tip.
type profile struct{ left, right []int }

func (p profile) span(k int) int {
	if k < 0 || k >= len(p.left) || p.left[k] > p.right[k] {
		return 0
	}
	return p.right[k] - p.left[k] + 1
}

// profile looks along the line that begins at the tip.
func (d *drawing) profile(nearest uint8, size int) profile {
	tx, ty, n := 0, 0, 0
	var todo []int
	for _, i := range d.at {
		if d.far[i] == nearest {
			tx, ty, n = tx+i%d.w, ty+i/d.w, n+1
			todo = append(todo, i)
		}
	}
	tx, ty = (2*tx+n)/(2*n), (2*ty+n)/(2*n)
	const side = 2*endWidth + 1 // of a square around the tip: what is near lies within endWidth, what follows within a size
	var seen [side * side]bool
	place := func(i int) int { return (i/d.w-ty+endWidth)*side + i%d.w - tx + endWidth }
	for _, i := range todo {
		seen[place(i)] = true
	}
	var beside [8]int
	ux, uy := 0, 0
	for k := 0; k < len(todo); k++ {
		x, y := todo[k]%d.w, todo[k]/d.w
		ux, uy = ux+x-tx, uy+y-ty
		for _, j := range d.around(todo[k], &beside) {
			dx, dy := j%d.w-tx, j/d.w-ty
			if d.ink[j] && dx*dx+dy*dy <= size*size && !seen[place(j)] {
				seen[place(j)] = true
				todo = append(todo, j)
			}
		}
	}
	p := profile{make([]int, size+1), make([]int, size+1)}
	for k := range p.left {
		p.left[k], p.right[k] = 1, 0
	}
	length := root(ux*ux + uy*uy)
	if length == 0 {
		return p
	}
	for _, i := range todo {
		dx, dy := i%d.w-tx, i/d.w-ty
		along, aside := nearestInt(dx*ux+dy*uy, length), nearestInt(dx*uy-dy*ux, length)
		if along < 0 || along > size {
			continue
		}
		if p.left[along] > p.right[along] {
			p.left[along], p.right[along] = aside, aside
		}
		p.left[along], p.right[along] = min(p.left[along], aside), max(p.right[along], aside)
	}
	return p
}

// isHead: it becomes wider from the tip on, to both sides, and is a line again behind.
func (p profile) isHead() bool {
	widest, at, shoulder := 0, 0, 0
	for k := 0; k < len(p.left)*5/6; k++ {
		s := p.span(k)
		if s > widest {
			widest, at = s, k
		}
		if 10*s >= 9*widest {
			shoulder = k
		}
		if widest < 5 || s == 0 || 10*s > 6*widest {
			continue
		}
		line := s // at the first narrow place behind the widest
		for j := k; j < min(k+4, len(p.left)-1); j++ {
			if s := p.span(j); s > 0 {
				line = min(line, s)
			}
		}
		aside := min(-p.left[at], p.right[at])
		half := p.span(at / 2)
		return widest >= 2*line+2 && 2*aside >= widest/2-1 && 20*p.span(0) <= 17*widest && 20*half <= 19*widest &&
			4*half >= widest && k-shoulder <= max(4, widest*3/10)
	}
	return false
}

// isTail: it is as wide as the line from its beginning on.
func (p profile) isTail() bool {
	const first = 9
	var spans []int
	for k := 0; k <= first; k++ {
		if s := p.span(k); s > 0 {
			spans = append(spans, s)
		}
	}
	if len(spans) < first/2 {
		return false
	}
	slices.Sort(spans)
	return 2*spans[len(spans)-2] <= 3*spans[len(spans)/3]+4
}

// root is the whole part of a square root.
func root(n int) int {
	r := 0
	for bit := 1 << 31; bit > 0; bit >>= 1 {
		if t := r | bit; t*t <= n {
			r = t
		}
	}
	return r
}

// nearestInt divides and rounds.
func nearestInt(a, b int) int {
	if a < 0 {
		return -((-2*a + b) / (2 * b))
	}
	return (2*a + b) / (2 * b)
}

// distinct lists the boxes at the ends of one kind.
func distinct(ends []end, k kind) []int {
	var out []int
	for _, e := range ends {
		if e.kind == k && !slices.Contains(out, e.box) {
			out = append(out, e.box)
		}
	}
	return out
}
