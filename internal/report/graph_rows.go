package report

import "slices"

// A graph is drawn in rows: edges lead downwards, and where one crosses a row it
// has a place of its own there, so that it never runs through a box. All of it
// is done in integers, in the order of what is given: equal graphs give equal
// drawings on every machine.

// box is what is placed: its width and height in points.
type box struct{ w, h int }

// strand leads from a box to another, by their positions.
type strand struct{ from, to int }

// slot is a box in its row, or the place where a wire crosses a row.
type slot struct {
	box
	row, x   int // x of its middle
	up, down []int
	bend     bool
}

// rows is a graph in rows. The first slots are its boxes.
type rows struct {
	slots  []slot
	lines  [][]int // slots by row, from left to right
	chains [][]int // the slots of each wire, from the upper to the lower end; nil: it leads back to its own box
	turned []bool  // of each wire: it leads upwards
	tops   []int   // y of each row
	w, h   int     // of the whole
}

// inRows places boxes; the first is where everything starts.
func inRows(boxes []box, wires []strand) *rows {
	g := &rows{turned: turned(len(boxes), wires), chains: make([][]int, len(wires))}
	for _, b := range boxes {
		g.slots = append(g.slots, slot{box: b})
	}
	g.rank(wires)
	for i, w := range wires {
		if w.from != w.to {
			g.chain(i, w)
		}
	}
	for i := range g.slots {
		for len(g.lines) <= g.slots[i].row {
			g.lines = append(g.lines, nil)
		}
		g.lines[g.slots[i].row] = append(g.lines[g.slots[i].row], i)
	}
	g.order()
	g.place()
	return g
}

// turned tells which wires lead back to a box that they can be reached from:
// without them there is no circle.
func turned(boxes int, wires []strand) []bool {
	out, from := make([]bool, len(wires)), make([][]int, boxes)
	for i, w := range wires {
		from[w.from] = append(from[w.from], i)
	}
	const open, done = 1, 2
	state := make([]int, boxes)
	var visit func(b int)
	visit = func(b int) {
		state[b] = open
		for _, i := range from[b] {
			switch to := wires[i].to; state[to] {
			case open:
				out[i] = to != b
			case 0:
				visit(to)
			}
		}
		state[b] = done
	}
	for b := range boxes {
		if state[b] == 0 {
			visit(b)
		}
	}
	return out
}

// rank gives each box its row: one below the lowest that leads to it. What
// nothing leads to stands as low as what it leads to allows, beside its
// neighbours; what stands alone, in the second row.
func (g *rows) rank(wires []strand) {
	down := make([]strand, 0, len(wires))
	in, out := make([]int, len(g.slots)), make([]int, len(g.slots))
	for i, w := range wires {
		if w.from == w.to {
			continue
		}
		if g.turned[i] {
			w.from, w.to = w.to, w.from
		}
		down = append(down, w)
		in[w.to]++
		out[w.from]++
	}
	for moved := true; moved; { // there is no circle, so this ends
		moved = false
		for _, w := range down {
			if least := g.slots[w.from].row + 1; g.slots[w.to].row < least {
				g.slots[w.to].row, moved = least, true
			}
		}
	}
	for b := 1; b < len(g.slots); b++ {
		switch {
		case in[b] == 0 && out[b] == 0:
			g.slots[b].row = 1
		case in[b] == 0:
			low := len(g.slots)
			for _, w := range down {
				if w.from == b {
					low = min(low, g.slots[w.to].row-1)
				}
			}
			g.slots[b].row = low
		}
	}
}

// chain gives a wire a slot in each row that it crosses.
func (g *rows) chain(i int, w strand) {
	if g.turned[i] {
		w.from, w.to = w.to, w.from
	}
	at := w.from
	g.chains[i] = []int{at}
	link := func(to int) {
		g.slots[at].down = append(g.slots[at].down, to)
		g.slots[to].up = append(g.slots[to].up, at)
		g.chains[i] = append(g.chains[i], to)
		at = to
	}
	for row := g.slots[w.from].row + 1; row < g.slots[w.to].row; row++ {
		g.slots = append(g.slots, slot{box: box{w: bendRoom}, row: row, bend: true})
		link(len(g.slots) - 1)
	}
	link(w.to)
}

// bendRoom is the width that a wire takes in a row which it crosses.
const bendRoom = 6

// sweeps is how often the rows are ordered and straightened downwards and up
// again.
const sweeps = 12

// order sorts each row by where its neighbours stand, again and again, and keeps
// the order with the fewest crossings.
func (g *rows) order() {
	at := g.positions()
	best, fewest := cloneLines(g.lines), g.crossings(at)
	for s := 0; s < sweeps && fewest > 0; s++ {
		for i := range g.lines {
			row := i
			if s%2 == 1 {
				row = len(g.lines) - 1 - i
			}
			g.sortRow(row, s%2 == 0, at)
		}
		if n := g.crossings(at); n < fewest {
			best, fewest = cloneLines(g.lines), n
		}
	}
	g.lines = best
}

func cloneLines(lines [][]int) [][]int {
	out := make([][]int, len(lines))
	for i, l := range lines {
		out[i] = slices.Clone(l)
	}
	return out
}

// positions is where each slot stands in its row.
func (g *rows) positions() []int {
	at := make([]int, len(g.slots))
	for _, line := range g.lines {
		for i, c := range line {
			at[c] = i
		}
	}
	return at
}

// sortRow sorts a row by the mean position of its neighbours above, or below.
func (g *rows) sortRow(row int, above bool, at []int) {
	key := map[int]int{}
	for i, c := range g.lines[row] {
		near := g.slots[c].down
		if above {
			near = g.slots[c].up
		}
		key[c] = i << 10
		if len(near) > 0 {
			sum := 0
			for _, n := range near {
				sum += at[n] << 10
			}
			key[c] = sum / len(near)
		}
	}
	slices.SortStableFunc(g.lines[row], func(a, b int) int { return key[a] - key[b] })
	for i, c := range g.lines[row] {
		at[c] = i
	}
}

// crossings counts the pairs of wires that cross between two rows.
func (g *rows) crossings(at []int) (n int) {
	for _, line := range g.lines {
		var ends []int // below, as their upper ends stand from left to right
		for _, c := range line {
			from := len(ends)
			for _, d := range g.slots[c].down {
				ends = append(ends, at[d])
			}
			slices.Sort(ends[from:])
		}
		for i, a := range ends {
			for _, b := range ends[i+1:] {
				if b < a {
					n++
				}
			}
		}
	}
	return n
}
