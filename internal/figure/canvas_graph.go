package figure

import (
	"cmp"
	"slices"
	"strings"
)

// ReadArt reads a drawing of characters: boxes, names without a box, and the arrows and lines between them. It is nil
// when no arrow could be tied at both ends, or when the columns of the drawing are lost.
func ReadArt(lines []string) *Graph {
	c := newTextCanvas(lines)
	panels := c.panels()
	if c.broken() {
		return nil
	}
	c.open(panels)
	c.quiet(panels)
	texts := c.pieces()
	c.written(texts)
	d := &art{weave: newWeave(c, panels, texts), b: newBuild(Flow), in: map[thing]bool{}, tied: map[thing]bool{}}
	return d.graph()
}

// art makes a graph of the lines of a drawing.
type art struct {
	*weave
	b     *build
	loose int
	tied  map[thing]bool
	in    map[thing]bool // something points to it
	later []pair         // arrows at a box with boxes inside
}

// pair is an arrow between two things.
type pair struct{ from, to thing }

func (d *art) graph() *Graph {
	var links []pair
	for _, root := range d.order {
		found, loose := d.links(d.nets[root])
		links = append(links, found...)
		d.loose += loose
	}
	links = append(links, d.follow()...)
	for _, l := range links {
		d.tied[l.from], d.tied[l.to], d.in[l.to] = true, true, true
	}
	links = d.plain(links)
	alias := d.continued(links)
	for _, l := range links {
		if a, ok := alias[l.from]; ok {
			l.from = a
		}
		if d.around(l.from) || d.around(l.to) {
			d.later = append(d.later, l)
			continue
		}
		from, to := d.names(l.from), d.names(l.to)
		if len(from) > 1 && len(to) > 1 {
			d.loose++ // nobody can tell which belongs to which
			continue
		}
		d.tie(from, to)
	}
	d.containers()
	d.leftOver()
	g, err := d.b.result()
	if err != nil || len(g.Edges) == 0 {
		return nil
	}
	g.Loose = d.loose
	if g.Loose == 0 && (d.silentOn(g) || d.lists()) {
		g.Loose = 1
	}
	return g
}

// links makes arrows of a net: from the ends without a head to those with one. Without any head, downwards or, where
// lines meet, to the right.
func (d *art) links(n *bundle) ([]pair, int) {
	loose := n.loose
	if len(n.ties) < 2 {
		if len(n.ties) == 0 && n.heads == 0 {
			return nil, 0 // an ornament
		}
		return nil, max(loose, 1)
	}
	var from, to []tie
	for _, t := range n.ties {
		first := t.to == up || t.to == left
		switch {
		case t.head, n.heads == 0 && !first:
			to = append(to, t)
		case n.heads > 0 && !first && slices.ContainsFunc(n.ties, func(o tie) bool { return !o.head && (o.to == up || o.to == left) }):
			loose++
		default:
			from = append(from, t)
		}
	}
	if len(from) == 0 && len(to) == 2 && n.heads == 2 { // a head at both ends
		return []pair{{to[0].at, to[1].at}, {to[1].at, to[0].at}}, loose
	}
	if len(from) == 0 || len(to) == 0 || n.heads == 0 && len(n.ties) == 2 && from[0].to == left && to[0].to == right {
		return nil, max(loose, 1)
	}
	if len(from) > 1 && len(to) > 1 && !below(from, to) {
		return nil, max(loose, 1)
	}
	var links []pair
	for _, f := range from {
		for _, t := range to {
			if f.at != t.at {
				links = append(links, pair{f.at, t.at})
			}
		}
	}
	return links, loose
}

// below: all of the ends stand below all of the beginnings, as where a bundle is bound and opened again.
func below(from, to []tie) bool {
	last := 0
	for _, f := range from {
		last = max(last, f.row)
	}
	return !slices.ContainsFunc(to, func(t tie) bool { return t.row <= last })
}

// follow are the arrows from the branches of a list to what stands below it.
func (d *art) follow() []pair {
	var links []pair
	for _, h := range d.trees {
		branches, head := d.nets[d.root(d.nets[h.root].first)], d.nets[h.net]
		found := false
		for _, t := range head.ties {
			for _, b := range branches.ties {
				if t.head && b.to == right {
					links = append(links, pair{b.at, t.at})
					found = true
				}
			}
		}
		if !found {
			d.loose++
		} else if d.loose > 0 {
			d.loose-- // counted when the head had one end only
		}
	}
	return links
}

// plain leaves out arrows between words of a remark: a single head in a line with text on both sides counts only
// where one of them is tied to something else.
func (d *art) plain(links []pair) []pair {
	count := map[thing]int{}
	for _, l := range links {
		count[l.from]++
		count[l.to]++
	}
	return slices.DeleteFunc(links, func(l pair) bool {
		return l.from.text > 0 && l.to.text > 0 && d.texts[l.from.text-1].row == d.texts[l.to.text-1].row &&
			count[l.from] == 1 && count[l.to] == 1
	})
}

// continued maps the last line of a name to its first one, where arrows come in above and leave below.
func (d *art) continued(links []pair) map[thing]thing {
	const rows = 3
	alias := map[thing]thing{}
	for _, l := range links {
		if l.from.text == 0 || d.in[l.from] {
			continue
		}
		s := d.texts[l.from.text-1]
		within := strings.Count(s.text, ")") > strings.Count(s.text, "(") // of a remark
		if x := d.c.at(d.c.beside(s, left)); !within && x.box == 0 && (x.head != 0 || x.wire()) {
			continue // a line of its own leads there
		}
		for row := s.row - 1; row >= 0 && row >= s.row-rows; row-- {
			above := 0
			for i := range d.texts {
				if t := d.texts[i]; t.row == row && inLine(t, s) {
					above = i + 1
				}
			}
			if above == 0 {
				break
			}
			if d.in[thing{text: above}] {
				alias[l.from] = thing{text: above}
				break
			}
		}
	}
	return alias
}

// inLine: two pieces begin in the same column or have their middles in the same place.
func inLine(a, b piece) bool {
	const off = 4 // twice the columns that middles may differ by
	middles := a.first + a.last - b.first - b.last
	return a.first == b.first || middles >= -off && middles <= off
}

// names are the nodes of a thing, which may put several side by side.
func (d *art) names(t thing) []string {
	if t.box > 0 {
		if names := d.listIn(t.box - 1); names != nil {
			return names
		}
		if name := d.panels[t.box-1].node; name != "" {
			return []string{name}
		}
		return nil
	}
	return members(d.texts[t.text-1].text)
}

func (d *art) tie(from, to []string) {
	if len(from) == 0 || len(to) == 0 {
		d.loose++
		return
	}
	for _, name := range slices.Concat(from, to) {
		d.b.node(name, "")
	}
	for _, f := range from {
		for _, t := range to {
			e := Edge{From: f, To: t}
			if f != t && !slices.Contains(d.b.graph.Edges, e) {
				d.b.edges([]string{f}, []string{t}, "")
			}
		}
	}
}

// around: a box that stands for the boxes inside of it. One that holds a single box without arrows only shows it.
func (d *art) around(t thing) bool {
	if t.box == 0 {
		return false
	}
	inner := d.panels[t.box-1].inner
	return len(inner) > 1 || len(inner) == 1 && d.tied[thing{box: inner[0] + 1}]
}

// containers ties arrows at a box with boxes inside to those of them where its own arrows begin or end.
func (d *art) containers() {
	slices.SortStableFunc(d.later, func(a, b pair) int { return cmp.Compare(d.span(a), d.span(b)) })
	for _, l := range d.later {
		from, to := d.edgeOf(l.from, true), d.edgeOf(l.to, false)
		d.tie(from, to)
	}
}

// span is how many rows the greatest box around others has that an arrow belongs to: what is inside comes first.
func (d *art) span(l pair) int {
	rows := 0
	for _, t := range []thing{l.from, l.to} {
		if d.around(t) {
			rows = max(rows, d.panels[t.box-1].bottom-d.panels[t.box-1].top)
		}
	}
	return rows
}

// edgeOf are the last or first nodes inside of a box; none when its boxes have no arrows at all, so that nobody can
// tell how they belong together.
func (d *art) edgeOf(t thing, last bool) []string {
	if !d.around(t) {
		return d.names(t)
	}
	var names []string
	var walk func(box, depth int)
	walk = func(box, depth int) {
		for _, i := range d.panels[box].inner {
			if len(d.panels[i].inner) > 1 && depth < maxDepth {
				walk(i, depth+1)
			} else if d.tied[thing{box: i + 1}] {
				names = append(names, d.panels[i].node)
			}
		}
	}
	walk(t.box-1, 0)
	var ends []string
	for _, name := range names {
		inside := slices.ContainsFunc(d.b.graph.Edges, func(e Edge) bool {
			return last && e.From == name && slices.Contains(names, e.To) || !last && e.To == name && slices.Contains(names, e.From)
		})
		if !inside && name != "" && !slices.Contains(ends, name) {
			ends = append(ends, name)
		}
	}
	return ends
}

// leftOver counts boxes that no arrow reaches, and names beside a tied one that nothing is tied to, as loose ends:
// what they belong to is not known.
func (d *art) leftOver() {
	for i, f := range d.panels {
		t := thing{box: i + 1}
		if !d.tied[t] && len(f.inner) == 0 && f.node != "" && (f.outer == 0 || d.around(thing{box: f.outer})) {
			d.loose++
		}
	}
	rows := map[int]bool{}
	for t := range d.tied {
		if t.text > 0 {
			rows[d.texts[t.text-1].row] = true
		}
	}
	for i, s := range d.texts {
		if rows[s.row] && !d.tied[thing{text: i + 1}] && !s.label && word([]rune(s.text)[0]) {
			d.loose++
		}
	}
}

// silentOn: the drawing says in words that something is parallel, and what was read of it shows no fork.
func (d *art) silentOn(g *Graph) bool {
	out := map[string]int{}
	for _, e := range g.Edges {
		out[e.From]++
	}
	for _, n := range out {
		if n > 1 {
			return false
		}
	}
	says := func(text string) bool { return parallelWord.MatchString(text) }
	return slices.ContainsFunc(d.texts, func(s piece) bool { return says(s.text) }) ||
		slices.ContainsFunc(d.panels, func(f panel) bool { return slices.ContainsFunc(f.lines, says) })
}
