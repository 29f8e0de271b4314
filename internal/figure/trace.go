package figure

import (
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/pdf/pixels"
)

// Trace is what the pixels of a picture show. It may help and never be held against anybody: what it does not show may
// be there all the same.
type Trace struct {
	Graph *Graph // boxes at arrows and lines; those without a label have none, and their number for an ID
	Lines []Edge // between two boxes, of which nobody can say which way they lead
	Named int    // boxes with a label
	// Unread is the share of the ink outside of the boxes that belongs to no arrow that was read, in percent: words, and
	// lines that lead nobody knows where.
	Unread int
}

// What a picture shows at least to be taken for a diagram: a chart, a table or a screen has boxes, but hardly arrows
// from one to another.
const (
	tracedBoxes  = 4
	tracedArrows = 3
)

// Traced turns a sketch into a graph; nil for a picture that is not a diagram of boxes and arrows as far as seen. The view
// is the one that the sketch is of, labels are what OCR read in it, if anything.
func Traced(s *pixels.Sketch, v pdf.View, labels []pdf.Line) *Trace {
	if s == nil || len(s.Arrows) < tracedArrows {
		return nil
	}
	used := make([]bool, len(s.Boxes))
	for _, list := range [][]pixels.Arrow{s.Arrows, s.Lines} {
		for _, a := range list {
			used[a.From], used[a.To] = true, true
		}
	}
	t := &Trace{Graph: &Graph{Kind: Flow, Loose: s.Loose + len(s.Lines)}}
	texts := inBoxes(s, v, labels)
	for i := range s.Boxes {
		if !used[i] {
			continue
		}
		n := Node{ID: strconv.Itoa(i + 1), Label: texts[i]}
		if n.Label != "" {
			t.Named++
		}
		t.Graph.Nodes = append(t.Graph.Nodes, n)
	}
	if len(t.Graph.Nodes) < tracedBoxes {
		return nil
	}
	for _, a := range s.Arrows {
		t.Graph.Edges = append(t.Graph.Edges, edgeOf(a))
	}
	for _, a := range s.Lines {
		t.Lines = append(t.Lines, edgeOf(a))
	}
	if s.Ink > 0 {
		t.Unread = 100 * s.Unread / s.Ink
	}
	return t
}

func edgeOf(a pixels.Arrow) Edge {
	return Edge{From: strconv.Itoa(a.From + 1), To: strconv.Itoa(a.To + 1)}
}

// inBoxes puts the labels into the boxes that their middle lies in, from above.
func inBoxes(s *pixels.Sketch, v pdf.View, labels []pdf.Line) []string {
	const pointsPerInch = 72
	lines := slices.Clone(labels)
	slices.SortStableFunc(lines, func(a, b pdf.Line) int {
		switch {
		case a.Box.Y0 < b.Box.Y0:
			return -1
		case a.Box.Y0 > b.Box.Y0:
			return 1
		}
		return 0
	})
	texts := make([][]string, len(s.Boxes))
	for _, l := range lines {
		x := int(((l.Box.X0+l.Box.X1)/2 - v.Box.X0) * float64(v.DPI) / pointsPerInch)
		y := int(((l.Box.Y0+l.Box.Y1)/2 - v.Box.Y0) * float64(v.DPI) / pointsPerInch)
		best := -1
		for i, b := range s.Boxes {
			in := !b.Group && x >= b.X0 && x <= b.X1 && y >= b.Y0 && y <= b.Y1
			if in && (best < 0 || b.X1-b.X0 < s.Boxes[best].X1-s.Boxes[best].X0) {
				best = i
			}
		}
		if best >= 0 {
			texts[best] = append(texts[best], strings.TrimSpace(l.Text))
		}
	}
	out := make([]string, len(s.Boxes))
	for i, t := range texts {
		out[i] = strings.Join(t, " ")
	}
	return out
}

// Layer is a box from which ways part, and the one where they join again.
type Layer struct {
	From, To string
	Between  []string // the boxes on the ways, one on each
	Heads    int      // of the ways' two parts each, how many are arrows that were read
}

// leastWays is how many ways part: two may be the yes and the no of a decision.
const leastWays = 3

// Layers lists the places where ways part and join again, in the order of the drawing. Of a way's two parts one at least
// is an arrow that leads the right way, and none leads against it.
func (t *Trace) Layers() []Layer {
	arrow, line := map[[2]string]bool{}, map[[2]string]bool{}
	for _, e := range t.Graph.Edges {
		arrow[[2]string{e.From, e.To}] = true
	}
	for _, e := range t.Lines {
		line[[2]string{e.From, e.To}], line[[2]string{e.To, e.From}] = true, true
	}
	leads := func(a, b string) (yes, head bool) {
		there, back := arrow[[2]string{a, b}], arrow[[2]string{b, a}]
		return there && !back || !there && !back && line[[2]string{a, b}], there && !back
	}
	var found []Layer
	for _, from := range t.Graph.Nodes {
		for _, to := range t.Graph.Nodes {
			if from.ID == to.ID {
				continue
			}
			l := Layer{From: from.ID, To: to.ID}
			for _, mid := range t.Graph.Nodes {
				out, head := leads(from.ID, mid.ID)
				in, too := leads(mid.ID, to.ID)
				if !out || !in || !head && !too {
					continue
				}
				l.Between = append(l.Between, mid.ID)
				for _, h := range []bool{head, too} {
					if h {
						l.Heads++
					}
				}
			}
			if len(l.Between) >= leastWays {
				found = append(found, l)
			}
		}
	}
	return disjoint(found)
}

// disjoint leaves out a layer that shares a box between its ends with one before it, or leads back to where it comes from.
func disjoint(layers []Layer) []Layer {
	var kept []Layer
	for _, l := range layers {
		if !slices.ContainsFunc(kept, func(k Layer) bool {
			return slices.ContainsFunc(l.Between, func(id string) bool { return slices.Contains(k.Between, id) || id == k.From || id == k.To })
		}) {
			kept = append(kept, l)
		}
	}
	return kept
}

// InRow gives two layers of which the second begins where the first ends, or behind it, and has just so many ways; false
// when there are none.
func (t *Trace) InRow(ways int) (first, second Layer, ok bool) {
	next := map[string][]string{}
	for _, e := range t.Graph.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	for _, e := range t.Lines {
		next[e.From] = append(next[e.From], e.To)
		next[e.To] = append(next[e.To], e.From)
	}
	layers := t.Layers()
	for _, a := range layers {
		behind := map[string]bool{a.To: true}
		for todo := []string{a.To}; len(todo) > 0; todo = todo[1:] {
			for _, to := range next[todo[0]] {
				if !behind[to] && !slices.Contains(a.Between, to) && to != a.From {
					behind[to] = true
					todo = append(todo, to)
				}
			}
		}
		for _, b := range layers {
			if b.From != a.From && behind[b.From] && len(b.Between) == ways {
				return a, b, true
			}
		}
	}
	return Layer{}, Layer{}, false
}
