package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/pdf"
)

// double is from which part of two frames' common ground on they are one: fill and border, or a shadow.
const double = 0.75

// arrange drops what is not a box, finds which frame lies in which, and puts the texts into them.
func (s *sketch) arrange() {
	slices.SortStableFunc(s.frames, func(a, b frame) int { return cmp.Compare(surface(a.box), surface(b.box)) })
	s.unite()
	s.nest()
	for i := range s.frames {
		f := &s.frames[i]
		if !f.dropped && !f.dot && f.parts == 0 && (s.bare(f.box) || !f.stroked && s.passed(f.box) || s.rim(i)) {
			s.drop(i)
		}
	}
	s.write()
}

func (s *sketch) drop(i int) {
	s.frames[i].dropped = true
	for at := s.frames[i].inside; at >= 0; at = s.frames[at].inside {
		s.frames[at].parts--
	}
}

// bare: no text begins in it and no line ends at it.
func (s *sketch) bare(b pdf.Box) bool {
	const near = 3.0
	for _, l := range s.words {
		if inBox(middle(l.Box), b) || inBox(point{l.Box.X0, middle(l.Box)[1]}, b) {
			return false
		}
	}
	room := grown(b, near)
	for i := range s.wires {
		pts := s.wires[i].pts
		if inBox(pts[0], room) || inBox(pts[len(pts)-1], room) {
			return false
		}
	}
	return true
}

// rim: it is all that is in a frame which is hardly larger, the inner border of a double one.
func (s *sketch) rim(i int) bool {
	const hardly = 0.4
	out := s.frames[i].inside
	return out >= 0 && s.frames[out].parts == 1 && surface(s.frames[i].box) > hardly*surface(s.frames[out].box)
}

// unite makes one of frames that are drawn twice.
func (s *sketch) unite() {
	for i := range s.frames {
		a := &s.frames[i]
		for j := range s.frames[:i] {
			b := &s.frames[j]
			common := shared(a.box, b.box)
			if b.dropped || common < double*(surface(a.box)+surface(b.box)-common) {
				continue
			}
			b.dropped = true
			if b.stroked && !a.stroked {
				a.outline, a.box, a.stroked = b.outline, b.box, true
			}
		}
	}
}

// nest: frames are sorted by size, so that the first that holds another is the smallest.
func (s *sketch) nest() {
	for i := range s.frames {
		s.frames[i].inside = -1
		if s.frames[i].dropped {
			continue
		}
		for j := i + 1; j < len(s.frames); j++ {
			if g := &s.frames[j]; !g.dropped && holds(grown(g.box, 1), s.frames[i].box) {
				if s.frames[i].inside < 0 {
					s.frames[i].inside = j
				}
				if !s.frames[i].dot {
					g.parts++
				}
			}
		}
	}
}

// passed says whether a line goes through a box from the outside to the outside.
func (s *sketch) passed(b pdf.Box) bool {
	const clear = 1.5
	room := grown(b, clear)
	for i := range s.wires {
		pts := s.wires[i].pts
		if !inBox(pts[0], room) && !inBox(pts[len(pts)-1], room) && through(pts, b) {
			return true
		}
	}
	return false
}

func inBox(p point, b pdf.Box) bool {
	return p[0] >= b.X0 && p[0] <= b.X1 && p[1] >= b.Y0 && p[1] <= b.Y1
}

// write puts every text into the innermost frame that has it. What runs over the edge of a box is still its text, as
// long as a quarter is in it.
func (s *sketch) write() {
	const part, most = 0.25, 0.5
	var free []pdf.Label
	for _, l := range s.words {
		best, have := -1, 0.0
		for i := range s.frames {
			f := &s.frames[i]
			if f.dropped || f.dot {
				continue
			}
			has := shared(f.box, l.Box) / max(surface(l.Box), 1e-6)
			switch {
			case f.parts == 0 && has >= part && has > have:
				best, have = i, has
			case f.parts > 0 && best < 0 && has >= most:
				best, have = i, has
			}
		}
		if best < 0 {
			free = append(free, l)
			continue
		}
		s.frames[best].words = append(s.frames[best].words, l)
	}
	for i := range s.frames {
		f := &s.frames[i]
		slices.SortStableFunc(f.words, func(a, b pdf.Label) int {
			return cmp.Or(cmp.Compare(a.Box.Y0, b.Box.Y0), cmp.Compare(a.Box.X0, b.Box.X0))
		})
		if f.parts > 0 {
			free = append(free, s.untitle(i)...)
		}
	}
	s.words = free
}

// untitle leaves a group its title, the first line above or below what is in it, and returns the other texts.
func (s *sketch) untitle(group int) []pdf.Label {
	g := &s.frames[group]
	first, last := g.box.Y1, g.box.Y0
	for i := range s.frames {
		if f := &s.frames[i]; !f.dropped && f.inside == group {
			first, last = min(first, f.box.Y0), max(last, f.box.Y1)
		}
	}
	title := slices.IndexFunc(g.words, func(l pdf.Label) bool {
		y := middle(l.Box)[1]
		return y < first || y > last
	})
	words := g.words
	g.words = nil
	if title < 0 {
		return words
	}
	g.words = words[title : title+1 : title+1]
	return append(slices.Clone(words[:title]), words[title+1:]...)
}

// text is what is written in a frame, in one line.
func (f *frame) text() string {
	parts := make([]string, 0, len(f.words))
	for _, l := range f.words {
		parts = append(parts, l.Text)
	}
	return label(strings.Join(parts, " "))
}

// name gives ids to the boxes of the graph, by place, and lists them as nodes: those that an arrow is tied to, and those
// with a border and a text.
func (s *sketch) name(tied map[int]bool) []Node {
	var order []int
	for i := range s.frames {
		f := &s.frames[i]
		if !f.dropped && f.parts == 0 && (tied[i] || f.stroked && len(f.words) > 0 && !caption.MatchString(f.words[0].Text)) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := s.frames[a].box, s.frames[b].box
		return cmp.Or(cmp.Compare(x.Y0, y.Y0), cmp.Compare(x.X0, y.X0))
	})
	nodes := make([]Node, 0, len(order))
	for n, i := range order {
		f := &s.frames[i]
		f.node = fmt.Sprintf("box %d", n+1)
		node := Node{ID: f.node, Label: f.text()}
		for at := f.inside; at >= 0 && node.Group == ""; at = s.frames[at].inside {
			node.Group = s.frames[at].text()
		}
		nodes = append(nodes, node)
	}
	return nodes
}
