package report

import (
	"cmp"
	"fmt"
	"slices"
)

// sketch is a graph as it stands on the page, in points.
type sketch struct {
	W, H  int
	Boxes []sketchBox
	Wires []sketchWire
}

// sketchBox is a box with its corner, its middle and its outline.
type sketchBox struct {
	X, Y, W, H, Mid int
	Outline, Behind string // paths; behind: of what stands for several
}

// sketchWire is a wire with its head, and where words may stand on it.
type sketchWire struct {
	Path, Head string
	from, to   point
	room       []point
}

type point struct{ x, y int }

// shape is how a box is outlined.
type shape string

// The shapes. Each role has its own, so that no colour is needed to tell them.
const (
	pill     shape = "pill"     // START and END
	hexagon  shape = "hexagon"  // detectives
	funnel   shape = "funnel"   // aggregators
	octagon  shape = "octagon"  // judges
	doubled  shape = "doubled"  // the chief justice
	slanted  shape = "slanted"  // handlers
	straight shape = "straight" // all others
)

// drawRows turns a graph in rows into paths.
func drawRows(g *rows, shapes []shape, many []bool, wires []strand) *sketch {
	s := &sketch{W: g.w, H: g.h}
	for i, shape := range shapes {
		c := g.slots[i]
		b := sketchBox{X: c.x - c.w/2, Y: g.tops[c.row] + (g.tall(c.row)-c.h)/2, W: c.w, H: c.h, Mid: c.x}
		b.Outline = outline(shape, b.X, b.Y, b.W, b.H)
		if many[i] {
			b.Behind = outline(shape, b.X+5, b.Y+5, b.W, b.H)
		}
		s.Boxes = append(s.Boxes, b)
	}
	ports := g.ports(wires)
	for i, w := range wires {
		if w.from == w.to {
			s.Wires = append(s.Wires, ownLoop(s.Boxes[w.from]))
			continue
		}
		s.Wires = append(s.Wires, s.draw(g, i, ports[i]))
	}
	return s
}

// outline is the path of a shape.
func outline(s shape, x, y, w, h int) string {
	cut := min(10, h/3)
	switch s {
	case pill:
		return fmt.Sprintf("M%d %dh%da%d %d 0 0 1 0 %dh%da%d %d 0 0 1 0 %dz", x+h/2, y, w-h/2*2, h/2, h/2, h, h/2*2-w, h/2, h/2, -h)
	case hexagon:
		return fmt.Sprintf("M%d %dh%dl%d %dl%d %dh%dl%d %dz", x+cut, y, w-2*cut, cut, h/2, -cut, h-h/2, 2*cut-w, -cut, h/2-h)
	case funnel:
		return fmt.Sprintf("M%d %dh%dl%d %dh%dz", x, y, w, -cut, h, 2*cut-w)
	case octagon:
		return fmt.Sprintf("M%d %dh%dl%d %dv%dl%d %dh%dl%d %dv%dz", x+cut, y, w-2*cut, cut, cut, h-2*cut, -cut, cut, 2*cut-w, -cut, -cut, 2*cut-h)
	case doubled:
		return fmt.Sprintf("M%d %dh%dv%dh%dzm4 4v%dh%dv%dz", x, y, w, h, -w, h-8, w-8, 8-h)
	case slanted:
		return fmt.Sprintf("M%d %dh%dl%d %dh%dz", x+cut, y, w-cut, -cut, h, cut-w)
	default:
		return fmt.Sprintf("M%d %dh%dv%dh%dz", x, y, w, h, -w)
	}
}

// portStep is the distance of two wires at one side of a box.
const portStep = 16

// ports is where each wire meets its upper and its lower box: side by side, in
// the order of where they lead.
func (g *rows) ports(wires []strand) [][2]int {
	type side struct{ box, below int }
	type end struct{ wire, toward int }
	at := map[side][]end{}
	for i := range wires {
		chain := g.chains[i]
		if chain == nil {
			continue
		}
		n := len(chain)
		at[side{chain[0], 1}] = append(at[side{chain[0], 1}], end{i, g.slots[chain[1]].x})
		at[side{chain[n-1], 0}] = append(at[side{chain[n-1], 0}], end{i, g.slots[chain[n-2]].x})
	}
	out := make([][2]int, len(wires))
	for s, ends := range at {
		slices.SortFunc(ends, func(a, b end) int { return cmp.Or(a.toward-b.toward, a.wire-b.wire) })
		step := portStep
		if len(ends) > 1 {
			step = min(portStep, (g.slots[s.box].w-36)/(len(ends)-1))
		}
		for k, e := range ends {
			out[e.wire][1-s.below] = g.slots[s.box].x + (2*k-len(ends)+1)*step/2
		}
	}
	return out
}

// draw leads a wire from its upper to its lower end through its places in the
// rows between: always upright in a row, so that it never touches a box there.
func (s *sketch) draw(g *rows, i int, ports [2]int) sketchWire {
	const head = 8
	chain := g.chains[i]
	upper, lower := s.Boxes[chain[0]], s.Boxes[chain[len(chain)-1]]
	from, to := point{ports[0], upper.Y + upper.H}, point{ports[1], lower.Y}
	w := sketchWire{from: from, to: to}
	start, stop := from, to
	if g.turned[i] {
		w.from, w.to = to, from
		start.y += head
		w.Head = fmt.Sprintf("M%d %dl-4 %dh8z", from.x, from.y, head)
	} else {
		stop.y -= head
		w.Head = fmt.Sprintf("M%d %dl-4 -%dh8z", to.x, to.y, head)
	}
	w.Path = fmt.Sprintf("M%d %d", start.x, start.y)
	at := start
	curve := func(p point) {
		mid := (at.y + p.y) / 2
		w.Path += fmt.Sprintf("C%d %d %d %d %d %d", at.x, mid, p.x, mid, p.x, p.y)
		for k := 1; k <= 7; k++ { // where the curve is at k eighths
			a, b := k*k*(24-2*k), 512
			w.room = append(w.room, point{at.x + (p.x-at.x)*a/b, bezier(at.y, mid, p.y, k)})
		}
		at = p
	}
	row := g.slots[chain[0]].row
	if down := g.tops[row] + g.tall(row); at.y < down { // a box lower than its row
		w.Path += fmt.Sprintf("V%d", down)
		at.y = down
	}
	for _, c := range chain[1 : len(chain)-1] {
		row := g.slots[c].row
		curve(point{g.slots[c].x, g.tops[row]})
		at.y += g.tall(row)
		w.Path += fmt.Sprintf("V%d", at.y)
	}
	end := stop
	if row := g.slots[chain[len(chain)-1]].row; end.y > g.tops[row]-head && !g.turned[i] {
		end.y = g.tops[row] - head
	}
	curve(end)
	if end != stop {
		w.Path += fmt.Sprintf("V%d", stop.y)
	}
	return w
}

// bezier is the height of a curve whose two handles stand at mid, at k eighths.
func bezier(from, mid, to, k int) int {
	r := 8 - k
	return (r*r*r*from + 3*r*r*k*mid + 3*r*k*k*mid + k*k*k*to) / 512
}

// ownLoop leads from a box back to it, at its right side.
func ownLoop(b sketchBox) sketchWire {
	x, y := b.X+b.W, b.Y+b.H/3
	return sketchWire{Path: fmt.Sprintf("M%d %dc22 -6 22 %d 8 %d", x, y, b.H/3+6, b.H/3), Head: fmt.Sprintf("M%d %dl8 -4v8z", x, y+b.H/3),
		from: point{x, y}, to: point{x, y + b.H/3}, room: []point{{x + 18, y + b.H/6}}}
}
