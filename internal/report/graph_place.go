package report

import "slices"

// Distances of a drawing, in points.
const (
	drawMargin = 16
	boxGap     = 28 // between two boxes of a row
	bendGap    = 10 // beside a wire that crosses a row
	rowGap     = 46 // between two rows, at least
	mostRowGap = 120
)

// place gives every slot its x and every row its y.
func (g *rows) place() {
	for _, line := range g.lines {
		x := 0
		for i, c := range line {
			if i > 0 {
				x += g.apart(line[i-1], c)
			}
			g.slots[c].x = x
		}
	}
	for range sweeps { // downwards at last, so that a long wire falls straight
		for row := range slices.Backward(g.lines) {
			g.straighten(row, false)
		}
		for row := range g.lines {
			g.straighten(row, true)
		}
	}
	g.straighten(0, false)
	g.shift()
}

// apart is the least distance of the middles of two neighbours in a row.
func (g *rows) apart(a, b int) int {
	gap := boxGap
	if g.slots[a].bend || g.slots[b].bend {
		gap = bendGap
	}
	return (g.slots[a].w+g.slots[b].w+1)/2 + gap
}

// group is a run of neighbours that stand as close as they may.
type group struct{ first, weight, sum int }

func (p group) mean() int {
	m := p.sum / p.weight
	if p.sum%p.weight < 0 {
		m-- // downwards on both sides of zero
	}
	return m
}

// straighten moves the slots of a row to where their neighbours pull them, as
// near as order and distances allow: least squares over the row, by pooling
// those that would come too close.
func (g *rows) straighten(row int, above bool) {
	line := g.lines[row]
	offset, at := make([]int, len(line)), 0
	var groups []group
	for i, c := range line {
		if i > 0 {
			at += g.apart(line[i-1], c)
		}
		offset[i] = at
		x, weight := g.pull(c, above)
		groups = append(groups, group{i, weight, (x - at) * weight})
		for n := len(groups); n > 1 && groups[n-2].mean() > groups[n-1].mean(); n = len(groups) {
			groups[n-2].weight += groups[n-1].weight
			groups[n-2].sum += groups[n-1].sum
			groups = groups[:n-1]
		}
	}
	for k, p := range groups {
		last := len(line)
		if k+1 < len(groups) {
			last = groups[k+1].first
		}
		for i := p.first; i < last; i++ {
			g.slots[line[i]].x = p.mean() + offset[i]
		}
	}
}

// pull is where the neighbours of a slot above, or below, want it, and how much.
// Long wires pull most at their own bends, so that they become straight.
func (g *rows) pull(c int, above bool) (x, weight int) {
	near := g.slots[c].down
	if above {
		near = g.slots[c].up
	}
	sum := 0
	for _, n := range near {
		w := 2
		switch {
		case g.slots[c].bend && g.slots[n].bend:
			w = 16
		case g.slots[c].bend || g.slots[n].bend:
			w = 3
		}
		sum, weight = sum+g.slots[n].x*w, weight+w
	}
	if weight == 0 {
		return g.slots[c].x, 1
	}
	return sum / weight, weight
}

// shift moves the drawing into its margins and stacks its rows. Where wires lead
// far to the side, rows stand further apart.
func (g *rows) shift() {
	left, right := 0, 0
	for i, c := range g.slots {
		if i == 0 || c.x-c.w/2 < left {
			left = c.x - c.w/2
		}
		if i == 0 || c.x+c.w/2 > right {
			right = c.x + c.w/2
		}
	}
	for i := range g.slots {
		g.slots[i].x += drawMargin - left
	}
	g.w = right - left + 2*drawMargin
	y := drawMargin
	for _, line := range g.lines {
		g.tops = append(g.tops, y)
		tall, far := 0, 0
		for _, c := range line {
			tall = max(tall, g.slots[c].h)
			for _, d := range g.slots[c].down {
				far = max(far, g.slots[d].x-g.slots[c].x, g.slots[c].x-g.slots[d].x)
			}
		}
		y += tall + min(rowGap+far/10, mostRowGap)
		g.h = y - min(rowGap+far/10, mostRowGap) + drawMargin
	}
}

// tall is the height of a row.
func (g *rows) tall(row int) int {
	h := 0
	for _, c := range g.lines[row] {
		h = max(h, g.slots[c].h)
	}
	return h
}
