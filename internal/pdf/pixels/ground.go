package pixels

// How pixels make areas. Measured on pictures of diagrams of 700 to 1,500 pixels a side.
const (
	same     = 6   // neighbours of one area differ by no more
	near     = 24  // what differs less from the paper around it is paper: shadows, noise of compression
	thick    = 7   // what is thinner in one direction is a line or a letter
	leastBed = 150 // pixels of an area that something is drawn on
)

// ground is a picture parted into areas of one shade.
type ground struct {
	w, h   int
	grey   []byte
	across []uint16 // how long the run of one shade is that a pixel lies in
	down   []uint16
	flat   []int32 // the area of a pixel, by every pixel
	solid  []int32 // the same by the pixels that are thick in both directions; 0 for all others
	flats  []area  // by number; the first is not used
	solids []area
	paper  []int32 // the solid area that a pixel belongs to, with its rim and its shadow; 0 is ink

	stretches  []stretch // of the areas that are looked for, each with what it hangs on to
	parent     []int32
	number     []int32
	edge, next []int // of what spreads
}

// area is what hangs together.
type area struct {
	x0, y0, x1, y1 int
	count          int
	sum            int // of its shades
}

func (a area) width() int  { return a.x1 - a.x0 + 1 }
func (a area) height() int { return a.y1 - a.y0 + 1 }
func (a area) shade() int  { return a.sum / max(a.count, 1) }

// lay parts a picture into its areas.
func (g *ground) lay(p Picture) {
	g.w, g.h, g.grey = p.Width, p.Height, p.Grey
	g.runs()
	g.flat, g.flats = g.label(1, g.flat, g.flats)
	g.solid, g.solids = g.label(thick, g.solid, g.solids)
	g.spread()
}

func (g *ground) alike(i, j int) bool { return alike(g.grey[i], g.grey[j]) }

func alike(a, b byte) bool {
	d := int(a) - int(b)
	return d <= same && d >= -same
}

// runs measures the runs of one shade. Longer ones than a picture's side fits into 16 bits do not occur.
func (g *ground) runs() {
	g.across, g.down = sized(g.across, g.w*g.h), sized(g.down, g.w*g.h)
	for y := range g.h {
		grey, across := g.grey[y*g.w:][:g.w], g.across[y*g.w:][:g.w]
		for from := 0; from < g.w; {
			to := from + 1
			for to < len(grey) && alike(grey[to], grey[to-1]) {
				to++
			}
			fill(across[from:to], uint16(min(to-from, 1<<16-1)))
			from = to
		}
	}
	fill(g.down[:g.w], 1)
	for y := 1; y < g.h; y++ {
		last, grey := g.grey[(y-1)*g.w:][:g.w], g.grey[y*g.w:][:g.w]
		above, down := g.down[(y-1)*g.w:][:g.w], g.down[y*g.w:][:g.w]
		for x := range grey {
			down[x] = 1
			if alike(grey[x], last[x]) {
				down[x] = min(above[x], 1<<16-2) + 1
			}
		}
	}
	for y := g.h - 2; y >= 0; y-- {
		grey, next := g.grey[y*g.w:][:g.w], g.grey[(y+1)*g.w:][:g.w]
		down, below := g.down[y*g.w:][:g.w], g.down[(y+1)*g.w:][:g.w]
		for x := range grey {
			if alike(grey[x], next[x]) {
				down[x] = below[x]
			}
		}
	}
}

// stretch is a run of pixels of one area in a row.
type stretch struct{ y, x0, x1 int32 }

// root is the first stretch of the area that one hangs on to.
func (g *ground) root(i int32) int32 {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

// label numbers the areas of the pixels that are so thick in both directions. Neighbours side by side or one above the
// other hang together. What it gives lies in the memory of what it is given.
func (g *ground) label(least uint16, of []int32, areas []area) ([]int32, []area) {
	g.stretches, g.parent = g.stretches[:0], g.parent[:0]
	above := 0 // the first stretch of the row before
	for y := range g.h {
		first := len(g.stretches)
		g.row(y, least)
		for len(g.parent) < len(g.stretches) {
			g.parent = append(g.parent, int32(len(g.parent)))
		}
		k := above
		for n := first; n < len(g.stretches); n++ {
			r := g.stretches[n]
			for k < first && g.stretches[k].x1 < r.x0 {
				k++
			}
			for m := k; m < first && g.stretches[m].x0 <= r.x1; m++ {
				if g.meet(y, int(max(r.x0, g.stretches[m].x0)), int(min(r.x1, g.stretches[m].x1))) {
					a, b := g.root(int32(n)), g.root(int32(m))
					g.parent[max(a, b)] = min(a, b)
				}
			}
		}
		above = first
	}
	return g.numbered(of, areas)
}

// meet: between two columns some pixel of a row is like the one above it.
func (g *ground) meet(y, x0, x1 int) bool {
	for i := y*g.w + x0; i <= y*g.w+x1; i++ {
		if g.alike(i, i-g.w) {
			return true
		}
	}
	return false
}

// row adds the stretches of a row.
func (g *ground) row(y int, least uint16) {
	grey, across, down := g.grey[y*g.w:][:g.w], g.across[y*g.w:][:g.w], g.down[y*g.w:][:g.w]
	from := -1
	for x := range grey {
		part := across[x] >= least && down[x] >= least
		if from >= 0 && (!part || !alike(grey[x], grey[x-1])) {
			g.stretches = append(g.stretches, stretch{int32(y), int32(from), int32(x - 1)})
			from = -1
		}
		if part && from < 0 {
			from = x
		}
	}
	if from >= 0 {
		g.stretches = append(g.stretches, stretch{int32(y), int32(from), int32(g.w - 1)})
	}
}

// numbered writes the number of its area to each pixel, in the order of their first pixels.
func (g *ground) numbered(of []int32, areas []area) ([]int32, []area) {
	of, areas, g.number = sized(of, g.w*g.h), append(areas[:0], area{}), sized(g.number, len(g.stretches))
	for n, r := range g.stretches {
		top := g.root(int32(n))
		if g.number[top] == 0 {
			g.number[top] = int32(len(areas))
			areas = append(areas, area{x0: g.w, y0: g.h})
		}
		own := g.number[top]
		a := &areas[own]
		y, x0, x1 := int(r.y), int(r.x0), int(r.x1)
		a.x0, a.x1, a.y0, a.y1 = min(a.x0, x0), max(a.x1, x1), min(a.y0, y), max(a.y1, y)
		a.count += x1 - x0 + 1
		for _, shade := range g.grey[y*g.w+x0 : y*g.w+x1+1] {
			a.sum += int(shade)
		}
		fill(of[y*g.w+x0:y*g.w+x1+1], own)
	}
	return of, areas
}

func fill[T uint16 | int32](of []T, n T) {
	for i := range of {
		of[i] = n
	}
}

// beside gives the four neighbours of a pixel, -1 beyond the edge.
func (g *ground) beside(x, y int) [4]int {
	i := y*g.w + x
	out := [4]int{i - 1, i + 1, i - g.w, i + g.w}
	if x == 0 {
		out[0] = -1
	}
	if x == g.w-1 {
		out[1] = -1
	}
	if y == 0 {
		out[2] = -1
	}
	if y == g.h-1 {
		out[3] = -1
	}
	return out
}

// spread gives the pixels around a solid area to it that are nearly of its shade: its rim, what lies between letters,
// and shadows. It goes a few steps only, so that a line of the shade of a box stays a line.
func (g *ground) spread() {
	g.paper = sized(g.paper, g.w*g.h)
	bed := make([]bool, len(g.solids))
	for n := range g.solids {
		bed[n] = n > 0 && g.solids[n].count >= leastBed && !g.isMark(int32(n))
	}
	for i, n := range g.solid {
		if n != 0 && bed[n] {
			g.paper[i] = n
		}
	}
	edge, next := rim(g.edge, g.paper, g.w), g.next
	shades := make([]int, len(g.solids))
	for n := range g.solids {
		shades[n] = g.solids[n].shade()
	}
	for range 2 * thick {
		next = next[:0]
		for _, i := range edge {
			n := g.paper[i]
			for _, j := range g.beside(i%g.w, i/g.w) {
				if j < 0 || g.paper[j] != 0 {
					continue
				}
				if d := int(g.grey[j]) - shades[n]; d <= near && d >= -near {
					g.paper[j] = n
					next = append(next, j)
				}
			}
		}
		edge, next = next, edge
	}
	g.edge, g.next = edge, next
}

// rim lists the pixels that belong to something, beside one that belongs to nothing; of has rows of w.
func rim[T uint16 | int32](edge []int, of []T, w int) []int {
	edge = edge[:0]
	for y := range len(of) / w {
		row := of[y*w:][:w]
		for x, n := range row {
			if i := y*w + x; n != 0 && (x > 0 && row[x-1] == 0 || x < len(row)-1 && row[x+1] == 0 || i >= w && of[i-w] == 0 || i+w < len(of) && of[i+w] == 0) {
				edge = append(edge, i)
			}
		}
	}
	return edge
}

// mostMark is how long a solid thing is that may be the head of a thick arrow.
const mostMark = 60

// isMark: a small thing that is not a box, and darker or lighter than what is around it: the head of a thick arrow.
func (g *ground) isMark(n int32) bool {
	a := g.solids[n]
	if max(a.width(), a.height()) > mostMark {
		return false
	}
	o := g.outline(a, n, g.solid)
	if _, ok := o.form(a); ok {
		return false
	}
	around := 0
	y := (a.y0 + a.y1) / 2
	for x := a.x0 - 1; x >= 0 && around == 0; x-- {
		if m := g.solid[y*g.w+x]; m != 0 && g.solids[m].count > 4*a.count {
			around = g.solids[m].shade() + 1
		}
	}
	d := around - 1 - a.shade()
	return around > 0 && (d > near || d < -near)
}
