package pixels

import "slices"

// What the frame of a group measures. Lines may cross it, and its title may lie on it.
const (
	leastFrame = 60 // pixels of each side
	offCorner  = 10 // its sides may be shorter by that, for round corners
	wholeSide  = 80 // percent of a side that is drawn
	mostSides  = 400
)

// side is a horizontal line.
type side struct{ y0, y1, x0, x1 int }

// frames finds the groups whose inside is cut by lines into pieces without form: four thin lines that make a frame
// around a box.
func (g *ground) frames(boxes []found) []found {
	sides := g.sides()
	var out []found
	for i, top := range sides {
		for _, low := range sides[i+1:] {
			if abs(top.x0-low.x0) > 4 || abs(top.x1-low.x1) > 4 || low.y0-top.y1 < leastFrame {
				continue
			}
			f := found{area: area{x0: top.x0, x1: top.x1, y0: top.y1 + 1, y1: low.y0 - 1}, form: Rectangle, in: -1, lined: true}
			left, ok := g.upright(f.x0, f.y0, f.y1)
			right, too := g.upright(f.x1, f.y0, f.y1)
			if !ok || !too {
				continue
			}
			f.x0, f.x1 = left.x1+1, right.x0-1
			f.border = [4]int{left.width(), right.width(), top.y1 - top.y0 + 1, low.y1 - low.y0 + 1}
			holds := func(b found) bool { return b.x0 > f.x0 && b.x1 < f.x1 && b.y0 > f.y0 && b.y1 < f.y1 }
			known := func(b found) bool { return overlap(b.area, f.area) }
			if slices.ContainsFunc(boxes, holds) && !slices.ContainsFunc(boxes, known) && !slices.ContainsFunc(out, known) {
				out = append(out, f)
			}
		}
	}
	return out
}

func abs(n int) int { return max(n, -n) }

// sides lists the thin horizontal lines from above, as far as they go without a gap.
func (g *ground) sides() []side {
	var done, open []side
	for y := range g.h {
		var next []side
		for x := 0; x < g.w; {
			from := x
			for x < g.w && g.paper[y*g.w+x] == 0 {
				x++
			}
			if x-from < leastFrame {
				x++
				continue
			}
			s := side{y, y, from, x - 1}
			if i := slices.IndexFunc(open, func(o side) bool { return o.x0 <= s.x1 && s.x0 <= o.x1 }); i >= 0 {
				o := open[i]
				s = side{o.y0, y, min(o.x0, s.x0), max(o.x1, s.x1)}
				open = slices.Delete(open, i, i+1)
			}
			next = append(next, s)
		}
		done = append(done, open...)
		open = next
	}
	done = append(done, open...)
	done = slices.DeleteFunc(done, func(s side) bool { return s.y1-s.y0 >= mostLine })
	if len(done) > mostSides {
		return nil
	}
	slices.SortFunc(done, func(a, b side) int { return a.y0 - b.y0 })
	return done
}

// upright looks for a vertical line near a corner: the columns that are drawn from above to below.
func (g *ground) upright(x, y0, y1 int) (area, bool) {
	a := area{x0: -1, x1: -1}
	for c := max(x-offCorner, 0); c <= min(x+offCorner, g.w-1); c++ {
		drawn := 0
		for y := y0; y <= y1; y++ {
			if g.paper[y*g.w+c] == 0 {
				drawn++
			}
		}
		if 100*drawn < wholeSide*(y1-y0+1) {
			if a.x0 >= 0 {
				break
			}
			continue
		}
		if a.x0 < 0 {
			a.x0 = c
		}
		a.x1 = c
	}
	return a, a.x0 >= 0
}
