package figure

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/pdf"
)

// drawn reads a drawing of boxes and arrows into a graph: nil when it has no arrow from one box to another. It is
// complete when every line that looks like an arrow leads from a box to a box, and nothing was left out.
func drawn(p *pdf.Page, b pdf.Box) (g *Graph, complete bool) {
	s, ok := newSketch(p, b)
	if !ok {
		return nil, false
	}
	s.arrange()
	s.tie()
	a := arrows{sketch: s, tied: map[int]bool{}}
	for _, n := range s.nets() {
		a.read(n)
	}
	if len(a.found) == 0 {
		return nil, false
	}
	a.loose += s.spare()
	g = a.graph()
	return g, g.Loose == 0 && !s.cut && a.dashes <= maxDashes && !a.nameless()
}

// arrows collects the arrows of a drawing.
type arrows struct {
	*sketch
	found []arrow
	tied  map[int]bool
	loose int
	// dashes are lines that lead nowhere: a few are ornaments, many may be an arrow that is drawn piece by piece.
	dashes int
}

const maxDashes = 8

// arrow leads from one box to another; wire is the line that is its own.
type arrow struct{ from, to, wire int }

// read takes the arrows of wires that are joined. A trunk has one box at one side; with several at both, nobody can
// say which leads to which.
func (a *arrows) read(n net) {
	if n.bare {
		if len(n.tails) == 0 {
			a.dashes += len(n.wires)
		}
		a.link(n)
		return
	}
	missed := n.into + len(n.heads)
	switch {
	case len(n.tails) == 1:
		for _, h := range n.heads {
			a.add(n, arrow{n.tails[0].frame, h.frame, h.wire})
		}
		missed = n.into
	case len(n.heads) == 1 && len(n.tails) > 0:
		for _, t := range n.tails {
			a.add(n, arrow{t.frame, n.heads[0].frame, t.wire})
		}
		missed = n.into
	case len(n.tails) == 0 && len(n.heads) == 2 && n.into+n.from == 0:
		a.add(n, arrow{n.heads[0].frame, n.heads[1].frame, n.heads[1].wire})
		a.add(n, arrow{n.heads[1].frame, n.heads[0].frame, n.heads[0].wire})
		missed = 0
	}
	a.loose += max(missed, n.from)
}

// link counts lines between boxes that have no direction.
func (a *arrows) link(n net) {
	for _, t := range n.tails[min(1, len(n.tails)):] {
		if t.frame != n.tails[0].frame || !a.inside(n, t.frame) {
			a.loose++
		}
	}
}

// nameless: a box at an arrow has no text that can be read, though there is room for one. It may be drawn as a picture,
// or stand upright, letter by letter.
func (a *arrows) nameless() bool {
	for i := range a.tied {
		f := &a.frames[i]
		letters := 0
		for _, l := range f.words {
			if utf8.RuneCountInString(l.Text) == 1 {
				letters++
			}
		}
		if !f.dot && (len(f.words) == 0 || letters > 2 && 2*letters > len(f.words)) {
			return true
		}
	}
	return false
}

func (a *arrows) add(n net, x arrow) {
	if x.from == x.to && a.inside(n, x.from) {
		return
	}
	a.tied[x.from], a.tied[x.to] = true, true
	a.found = append(a.found, x)
}

// spare counts heads that make no arrow: those at the end of a line that they do not fit, and triangles that stand
// alone, for the line to them may be drawn in a way that is not read.
func (s *sketch) spare() int {
	const corners = 4
	count := 0
	for _, t := range s.tips {
		if t.used || slices.ContainsFunc(s.tips, func(u tip) bool { return u.used && shared(u.box, t.box) > 0 }) {
			continue
		}
		inBox := slices.ContainsFunc(s.frames, func(f frame) bool { return !f.dropped && f.parts == 0 && holds(f.box, t.box) })
		if !inBox && len(t.pts) <= corners || s.ended(t.box) {
			count++
		}
	}
	return count
}

// ended says whether a line without head ends there.
func (s *sketch) ended(b pdf.Box) bool {
	return slices.ContainsFunc(s.wires, func(w wire) bool {
		return slices.ContainsFunc(w.ends[:], func(e end) bool { return !e.head && inBox(e.at, grown(b, headGap)) })
	})
}

// graph names the boxes and writes the texts to the arrows.
func (a *arrows) graph() *Graph {
	g := &Graph{Kind: Flow, Nodes: a.name(a.tied), Loose: a.loose}
	used := make([]bool, len(a.wires))
	for _, x := range a.found {
		used[x.wire] = true
	}
	texts := make([][]pdf.Label, len(a.wires))
	for _, l := range a.words {
		if strings.ContainsAny(l.Text, heads) && len([]rune(l.Text)) <= 2 {
			g.Loose++ // an arrow that is a character
			continue
		}
		if w := a.caption(l, used); w >= 0 {
			texts[w] = append(texts[w], l)
		}
	}
	seen := map[Edge]bool{}
	for _, x := range a.found {
		f := frame{words: texts[x.wire]}
		slices.SortStableFunc(f.words, func(a, b pdf.Label) int { return cmp.Compare(a.Box.Y0, b.Box.Y0) })
		e := Edge{From: a.frames[x.from].node, To: a.frames[x.to].node, Label: f.text()}
		if !seen[e] {
			seen[e] = true
			g.Edges = append(g.Edges, e)
		}
	}
	return g
}
