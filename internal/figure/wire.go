package figure

import (
	"math"
	"slices"

	"github.com/automaton-auditor/automaton/internal/pdf"
)

// How near things must be to belong together, in points.
const (
	touch    = 1.2   // two lines that are drawn to meet
	headGap  = 2.0   // between a line's end and its head
	tieLeast = 4.0   // between an arrow's end and its box, at least; more in a large drawing
	tieMost  = 9.0   // and at most
	tieShare = 0.015 // of the drawing's diagonal
	wordGap  = 10.0  // between an arrow and the text that belongs to it
)

// end is one end of a line.
type end struct {
	at    point
	dir   point // outwards
	stub  bool  // its last piece is no longer than a head
	head  bool  // an arrow's head is there
	frame int   // the box that it is tied to, -1 for none
	joins int   // the wire that it runs into, -1 for none
}

// tie finds out for every end of a line whether it has a head, and what it leads to.
func (s *sketch) tie() {
	for i := range s.wires {
		w := &s.wires[i]
		for e := range w.ends {
			w.ends[e] = newEnd(w.pts, e == 1)
			s.cap(&w.ends[e])
		}
	}
	reach := max(tieLeast, min(tieMost, tieShare*s.span))
	for i := range s.wires {
		for e := range s.wires[i].ends {
			end := &s.wires[i].ends[e]
			end.frame, end.joins = s.target(end, touch), -1
			if end.frame < 0 && !end.head {
				end.joins = s.joint(i, end.at, true)
			}
			if end.frame < 0 && end.joins < 0 {
				end.frame = s.target(end, reach)
			}
			if end.frame < 0 && end.joins < 0 && !end.head {
				end.joins = s.joint(i, end.at, false)
			}
		}
	}
}

// newEnd takes a line's end, and its direction over the last few points.
func newEnd(pts []point, last bool) end {
	const back = 3.0
	if last {
		pts = slices.Clone(pts)
		slices.Reverse(pts)
	}
	e := end{at: pts[0], frame: -1, joins: -1, stub: distance(pts[0], pts[1]) < back}
	for _, p := range pts[1:] {
		if d, ok := unit(minus(e.at, p)); ok {
			e.dir = d
			if distance(e.at, p) >= back {
				break
			}
		}
	}
	return e
}

// cap looks for a head at an end and moves the end to its point.
func (s *sketch) cap(e *end) {
	best, found := math.Inf(1), -1
	var peak, dir point
	for i := range s.tips {
		t := &s.tips[i]
		if !inBox(e.at, grown(t.box, headGap)) {
			continue
		}
		_, d := along(e.at, append(slices.Clone(t.pts), t.pts[0]))
		if within(e.at, t.pts) {
			d = 0
		}
		if at, way, ok := t.points(*e); ok && d <= headGap && d+distance(e.at, at)/100 < best {
			best, found, peak, dir = d+distance(e.at, at)/100, i, at, way
		}
	}
	if found >= 0 {
		s.tips[found].used = true
		e.head, e.at, e.dir = true, peak, dir
	}
}

// points says where a head points to, and into which direction, if it is one for a line that comes to its end. The
// line may be bent there, and some programs draw a last short piece back and forth below the head: then its direction
// says nothing.
func (t *tip) points(e end) (peak, dir point, ok bool) {
	const askew, aside = 0.6, 0.4 // 53 degrees; of the head's width
	var centre point
	for _, p := range t.pts {
		centre = point{centre[0] + p[0]/float64(len(t.pts)), centre[1] + p[1]/float64(len(t.pts))}
	}
	best := askew
	if e.stub {
		best = -2
	}
	for _, p := range t.pts {
		axis, long := unit(minus(p, centre))
		if !long || dot(axis, e.dir) <= best {
			continue
		}
		side, sharp := t.sharp(p, axis)
		if sharp && math.Abs(cross(axis, minus(e.at, p))) <= max(touch, aside*side) {
			best, peak, dir, ok = dot(axis, e.dir), p, axis, true
		}
	}
	return peak, dir, ok
}

// sharp: nothing of a head lies before its point, little beside it, and behind it is wide at both sides. It gives half
// of the width.
func (t *tip) sharp(peak, axis point) (side float64, ok bool) {
	const least, thin, front, rear = 0.8, 0.4, 0.15, 0.55
	length := 0.0
	for _, p := range t.pts {
		v := minus(p, peak)
		length, side = max(length, -dot(v, axis)), max(side, math.Abs(cross(axis, v)))
	}
	if length < least || side < least {
		return side, false
	}
	left, right := 0.0, 0.0
	for _, p := range t.pts {
		v := minus(p, peak)
		back, beside := -dot(v, axis), cross(axis, v)
		if back < -touch/4 || back < front*length && math.Abs(beside) > thin*side {
			return side, false
		}
		if back > rear*length {
			left, right = max(left, -beside), max(right, beside)
		}
	}
	return side, min(left, right) >= side/2
}

// target is the one box that an end leads to, -1 when there is none within reach or more than one.
func (s *sketch) target(e *end, reach float64) int {
	const ahead, clear = 0.3, 1.5
	best, second, found := math.Inf(1), math.Inf(1), -1
	for i := range s.frames {
		f := &s.frames[i]
		if f.dropped || f.parts > 0 || !inBox(e.at, grown(f.box, 3*reach+clear)) {
			continue
		}
		d := 0.0
		if !within(e.at, f.outline) {
			var q point
			q, d = along(e.at, append(slices.Clone(f.outline), f.outline[0]))
			if way, ok := unit(minus(q, e.at)); ok && d > touch && dot(way, e.dir) < ahead {
				continue // it lies behind or beside
			}
		}
		if d < best {
			best, second, found = d, best, i
		} else {
			second = min(second, d)
		}
	}
	if best > reach || second < clear*best+clear {
		return -1
	}
	return found
}

// joint is the wire that a free end runs into: in its middle, where it forks, or at its end, where it goes on.
func (s *sketch) joint(own int, at point, fork bool) int {
	for i := range s.wires {
		pts := s.wires[i].pts
		if i == own {
			continue
		}
		goesOn := min(distance(at, pts[0]), distance(at, pts[len(pts)-1])) <= touch
		if _, d := along(at, pts); d <= touch && fork != goesOn {
			return i
		}
	}
	return -1
}

// net is a set of wires that are joined.
type net struct {
	wires []int
	tails []tail // ends without head at a box
	heads []tail
	into  int  // heads that lead nowhere
	from  int  // other ends that lead nowhere
	bare  bool // no end has a head
}

// tail is an end at a box.
type tail struct{ wire, frame int }

// nets groups the wires by what they run into.
func (s *sketch) nets() []net {
	parent := make([]int, len(s.wires))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i := range s.wires {
		for _, e := range s.wires[i].ends {
			if e.joins >= 0 {
				a, b := root(i), root(e.joins)
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	place := map[int]int{}
	var found []net
	for i := range s.wires {
		at, ok := place[root(i)]
		if !ok {
			at = len(found)
			place[root(i)] = at
			found = append(found, net{bare: true})
		}
		n := &found[at]
		n.wires = append(n.wires, i)
		for _, e := range s.wires[i].ends {
			n.bare = n.bare && !e.head
			switch {
			case e.joins >= 0:
			case e.frame < 0 && e.head:
				n.into++
			case e.frame < 0:
				n.from++
			case e.head:
				n.heads = append(n.heads, tail{i, e.frame})
			default:
				n.tails = append(n.tails, tail{i, e.frame})
			}
		}
	}
	return found
}

// inside says whether wires go nowhere but within one box: what is drawn in it.
func (s *sketch) inside(n net, frame int) bool {
	room := grown(s.frames[frame].box, touch)
	return !slices.ContainsFunc(n.wires, func(w int) bool { return !holds(room, bounds(s.wires[w].pts)) })
}

// caption finds the wire that a text belongs to, -1 when there is none or more than one as near.
func (s *sketch) caption(l pdf.Label, used []bool) int {
	const clear = 2.0
	best, second, found := math.Inf(1), math.Inf(1), -1
	at := middle(l.Box)
	for i := range s.wires {
		if !used[i] {
			continue
		}
		q, d := along(at, s.wires[i].pts)
		if !through(s.wires[i].pts, l.Box) && !inBox(q, grown(l.Box, wordGap)) {
			continue
		}
		if d < best {
			best, second, found = d, best, i
		} else {
			second = min(second, d)
		}
	}
	if second < best+clear {
		return -1
	}
	return found
}
