package pixels

import "slices"

// drawing is what lies between the boxes.
type drawing struct {
	*ground
	boxes []found
	owner []uint16 // of each pixel: the box that it is in, with its border, by place plus one; groups own nothing
	ink   []bool   // it differs from its paper and is in no box nor in a group's border
	line  []int32  // the number of the piece of ink that it belongs to
	near  []uint16 // the nearest box, where one is in reach, by place plus one
	far   []uint8  // how far that is
	seen  []bool
	piece []area
	at    []int // pixels of ink that hang together
	join  []int // pieces that are one line, as a forest
	ends  []end
	wires map[int][]end // by root
	plain []bool        // of each of the lines: nothing is at its ends
	out   Sketch
}

// leastPiece is how many pixels of ink are more than dust.
const leastPiece = 6

// begin takes over a ground with its memory: the runs and areas have told which boxes there are.
func (d *drawing) begin(g *ground, boxes []found) {
	n := g.w * g.h
	*d = drawing{ground: g, boxes: boxes, owner: sized(g.across, n), near: sized(g.down, n), line: sized(g.flat, n),
		ink: sized(d.ink, n), far: sized(d.far, n), seen: sized(d.seen, n), piece: append(d.piece[:0], area{}), at: d.at}
	for n, b := range boxes {
		if !b.group {
			d.stamp(b, uint16(n+1))
		}
	}
	for i := range d.ink {
		d.ink[i] = g.paper[i] == 0 && d.owner[i] == 0
	}
}

// mixed is the width of the mixed shades around a border.
const mixed = 2

// stamp marks a box with its border.
func (d *drawing) stamp(b found, n uint16) {
	for r := range b.left {
		if b.left[r] > b.right[r] {
			continue
		}
		for y := b.y0 + r - b.border[2] - mixed; y <= b.y0+r+b.border[3]+mixed; y++ {
			if y < 0 || y >= d.h {
				continue
			}
			if x0, x1 := max(b.left[r]-b.border[0]-mixed, 0), min(b.right[r]+b.border[1]+mixed, d.w-1); x0 <= x1 {
				fill(d.owner[y*d.w+x0:y*d.w+x1+1], n)
			}
		}
	}
}

func (d *drawing) trace() {
	crossings := d.cutBorders()
	d.pieces()
	for _, c := range crossings {
		d.cross(c)
	}
	d.findEnds()
	d.readWires()
}

// crossing is a place at a group's border: two pixels that face each other across it.
type crossing struct{ out, in int }

// cutBorders takes the lines around groups out of the ink, and notes where lines may go through them.
func (d *drawing) cutBorders() []crossing {
	var found []crossing
	for _, b := range d.boxes {
		if !b.group {
			continue
		}
		band := slices.Max(b.border[:]) + 1
		for y := b.y0 - band; y <= b.y1+band; y++ {
			for x := b.x0 - band; x <= b.x1+band; x++ {
				if y >= b.y0 && y <= b.y1 && x == b.x0 {
					x = b.x1 // over the inside
					continue
				}
				if d.inside(x, y) {
					d.ink[y*d.w+x] = false
				}
			}
		}
		found = append(found, d.crossings(b.area, band)...)
	}
	return found
}

func (d *drawing) inside(x, y int) bool { return x >= 0 && y >= 0 && x < d.w && y < d.h }

// crossings lists, along the four sides of a border, which pixels of ink face each other across it.
func (d *drawing) crossings(a area, band int) []crossing {
	slant := 4 * (band + 2) // a line may go on this far beside
	var found []crossing
	note := func(x, y, dx, dy int) {
		if !d.inside(x, y) || !d.ink[y*d.w+x] {
			return
		}
		for aside := 0; aside <= slant; aside++ {
			for _, s := range []int{aside, -aside} {
				for deep := band + 1; deep <= band+2; deep++ {
					ix, iy := x+deep*dx+s*dy, y+deep*dy+s*dx
					if d.inside(ix, iy) && d.ink[iy*d.w+ix] {
						found = append(found, crossing{y*d.w + x, iy*d.w + ix})
						return
					}
				}
			}
		}
	}
	for x := a.x0; x <= a.x1; x++ {
		note(x, a.y0-band-1, 0, 1)
		note(x, a.y1+band+1, 0, -1)
	}
	for y := a.y0; y <= a.y1; y++ {
		note(a.x0-band-1, y, 1, 0)
		note(a.x1+band+1, y, -1, 0)
	}
	return found
}

// pieces parts the ink into what hangs together, corners included.
func (d *drawing) pieces() {
	var beside [8]int
	for start := range d.ink {
		if !d.ink[start] || d.line[start] != 0 {
			continue
		}
		n := int32(len(d.piece))
		p := area{x0: d.w, y0: d.h}
		d.at = append(d.at[:0], start)
		d.line[start] = n
		for k := 0; k < len(d.at); k++ {
			x, y := d.at[k]%d.w, d.at[k]/d.w
			p.x0, p.x1, p.y0, p.y1 = min(p.x0, x), max(p.x1, x), min(p.y0, y), max(p.y1, y)
			for _, j := range d.around(d.at[k], &beside) {
				if d.ink[j] && d.line[j] == 0 {
					d.line[j] = n
					d.at = append(d.at, j)
				}
			}
		}
		p.count = len(d.at)
		d.out.Ink += p.count
		d.piece = append(d.piece, p)
	}
	d.join = make([]int, len(d.piece))
	for i := range d.join {
		d.join[i] = i
	}
}

// around lists the eight neighbours of a pixel, as far as there are any.
func (d *drawing) around(i int, out *[8]int) []int {
	x, y := i%d.w, i/d.w
	if x > 0 && y > 0 && x < d.w-1 && y < d.h-1 {
		*out = [8]int{i - d.w - 1, i - d.w, i - d.w + 1, i - 1, i + 1, i + d.w - 1, i + d.w, i + d.w + 1}
		return out[:]
	}
	some := out[:0]
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if (dx != 0 || dy != 0) && d.inside(x+dx, y+dy) {
				some = append(some, (y+dy)*d.w+x+dx)
			}
		}
	}
	return some
}

func (d *drawing) root(i int) int {
	for d.join[i] != i {
		d.join[i] = d.join[d.join[i]]
		i = d.join[i]
	}
	return i
}

func (d *drawing) tie(a, b int) {
	ra, rb := d.root(a), d.root(b)
	d.join[max(ra, rb)] = min(ra, rb)
}

// cross makes one line of pieces that go on behind a border.
func (d *drawing) cross(c crossing) {
	if d.line[c.out] != 0 && d.line[c.in] != 0 {
		d.tie(int(d.line[c.out]), int(d.line[c.in]))
	}
}
