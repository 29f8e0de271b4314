package figure

// tie is an end of a line at a box or a piece of text.
type tie struct {
	at   thing
	head bool // the line points there
	to   side // from the line's end to the thing
	row  int
}

// thing is a box or a piece of text, by its number from 1 on; the other is 0.
type thing struct{ box, text int }

// bundle is lines that hang together.
type bundle struct {
	ties  []tie
	heads int // arrow heads
	loose int // heads and ends that lead to nothing
	bare  bool
	first spot
}

// weave follows the lines of a drawing.
type weave struct {
	c      *textCanvas
	panels []panel
	texts  []piece
	parent []int // of the places, in rows of maxColumns: lines that hang together have one root
	nets   map[int]*bundle
	order  []int // roots in reading order
	trees  []hanging
}

// hanging is a head below a list of branches: what it points to follows all of them.
type hanging struct {
	root int // of the branches
	net  int // of the head
}

func newWeave(c *textCanvas, panels []panel, texts []piece) *weave {
	w := &weave{c: c, panels: panels, texts: texts, parent: make([]int, len(c.rows)*maxColumns), nets: map[int]*bundle{}}
	for i := range w.parent {
		w.parent[i] = i
	}
	w.each(w.join)
	for i := range texts {
		if texts[i].label {
			w.bridge(texts[i])
		}
	}
	w.each(func(p spot) {
		root := w.root(p)
		if w.nets[root] == nil {
			w.nets[root] = &bundle{first: p}
			w.order = append(w.order, root)
		}
	})
	w.each(w.ends)
	return w
}

// each visits the lines and heads outside of borders.
func (w *weave) each(visit func(spot)) {
	for r := range w.c.rows {
		for col := range w.c.rows[r] {
			if x := w.c.rows[r][col]; x.box == 0 && (x.wire() || x.head != 0) {
				visit(spot{r, col})
			}
		}
	}
}

func (w *weave) root(p spot) int {
	i := p.row*maxColumns + p.col
	for w.parent[i] != i {
		w.parent[i] = w.parent[w.parent[i]]
		i = w.parent[i]
	}
	return i
}

func (w *weave) union(p, q spot) {
	a, b := w.root(p), w.root(q)
	w.parent[max(a, b)] = min(a, b)
}

// join ties a stroke to the strokes that it goes on in.
func (w *weave) join(p spot) {
	x := w.c.at(p)
	for _, s := range []side{down, right} {
		if x.arms&s == 0 && x.head != s {
			continue
		}
		if q, ok := w.next(p, s); ok {
			w.union(p, q)
		}
	}
	for _, s := range []side{up, left} { // what comes from below or the right and is not met halfway
		if x.head == s || s == up && x.arms&up != 0 {
			if q, ok := w.next(p, s); ok {
				w.union(p, q)
			}
		}
	}
}

// next is the stroke in which another one goes on. Vertical lines may bend by one column.
func (w *weave) next(p spot, s side) (spot, bool) {
	q := p.step(s)
	if x := w.c.at(p); w.takes(q, s) || (x.arms == up|down || x.head != 0) && w.meets(q, s) {
		return q, true
	}
	if s == left || s == right || w.c.at(q).box != 0 {
		return spot{}, false
	}
	var found []spot
	for _, d := range []int{-drift, drift} {
		b := spot{q.row, q.col + d}
		if w.takes(b, s) && !w.takes(b.step(s.opposite()), s.opposite()) && w.c.at(b.step(s.opposite())).box == 0 {
			found = append(found, b)
		}
	}
	if len(found) != 1 {
		return spot{}, false
	}
	return found[0], true
}

// takes: at a place is a stroke that goes on to where somebody comes from.
func (w *weave) takes(q spot, s side) bool {
	x := w.c.at(q)
	return x.box == 0 && (x.arms&s.opposite() != 0 || x.head == s.opposite())
}

// meets: a vertical line ends at a horizontal one that has no branch drawn for it, or at the corner of one from which
// others turn away at its far end, too.
func (w *weave) meets(q spot, s side) bool {
	x := w.c.at(q)
	if s != up && s != down || x.box != 0 || x.head != 0 {
		return false
	}
	if x.arms&(left|right) == left|right {
		return w.turnsAt(q, left) != 0 && w.turnsAt(q, right) != 0
	}
	along := x.arms & (left | right)
	return x.arms == s|along && along != 0 && w.turnsAt(q, along) == s|along.opposite()
}

// turnsAt are the arms of the corner or branch in which a horizontal line ends; 0 when it ends in anything else.
func (w *weave) turnsAt(q spot, along side) side {
	for q = q.step(along); w.c.at(q).arms&(left|right) == left|right; {
		q = q.step(along)
	}
	if far := w.c.at(q); far.box == 0 && far.head == 0 && far.arms&along.opposite() != 0 {
		return far.arms
	}
	return 0
}

// bridge joins the lines on both sides of a label.
func (w *weave) bridge(s piece) {
	before, after := w.c.beside(s, left), w.c.beside(s, right)
	if w.c.at(before).arms&right != 0 && w.c.at(after).arms&left != 0 {
		w.union(before, after)
		return
	}
	above, ok := w.c.lineAt(s, up)
	below, ok2 := w.c.lineAt(s, down)
	if ok && ok2 {
		w.union(above, below)
	}
}

// ends finds what the open ends of a stroke lead to.
func (w *weave) ends(p spot) {
	n := w.nets[w.root(p)]
	x := w.c.at(p)
	if x.head != 0 {
		n.heads++
	}
	for _, s := range sides() {
		if x.arms&s == 0 && x.head != s {
			continue
		}
		if _, on := w.next(p, s); on || w.bent(p, s) {
			continue
		}
		if s == up && w.c.at(p.step(up)).seg == 0 && w.branches(p) {
			continue
		}
		at, border, ok := w.look(p, s)
		switch {
		case ok:
			n.ties = append(n.ties, tie{at: at, head: x.head == s || border == s, to: s, row: p.row})
			if border == s {
				n.heads++
			}
		case w.labelled(p, s):
		default:
			n.loose++
		}
	}
	if x.head != 0 {
		n.bare = n.heads == 1 && len(n.ties) <= 2 && n.first == p
	} else {
		n.bare = false
	}
}

// bent: the line comes in from a place beside, see next.
func (w *weave) bent(p spot, s side) bool {
	if s != up {
		return false
	}
	for _, d := range []int{-drift, drift} {
		b := spot{p.row - 1, p.col + d}
		if x := w.c.at(b); x.box == 0 && (x.arms&down != 0 || x.head == down) {
			if q, ok := w.next(b, down); ok && q == p {
				return true
			}
		}
	}
	return false
}

// labelled: the end lies at a label that was bridged, or at a text of which nobody can tell what it is.
func (w *weave) labelled(p spot, s side) bool {
	for range nearBlanks {
		p = p.step(s)
		if seg := w.c.at(p).seg; seg > 0 {
			return w.texts[seg-1].label
		}
	}
	return false
}

// look finds the box or text that an end leads to: across a blank row or some blanks. border is where a head in the
// border of the box points to.
func (w *weave) look(p spot, s side) (at thing, border side, ok bool) {
	reach, wide := nearBlanks, 0
	switch s {
	case up:
		reach, wide = 1, drift
	case down:
		reach, wide = 2, drift
	default: // left and right
	}
	from := p
	for range reach {
		p = p.step(s)
		for _, d := range []int{0, -wide, wide} {
			q := spot{p.row, p.col + d}
			if s == left || s == right {
				q = p
			}
			x := w.c.at(q)
			switch {
			case x.box > 0 && d == 0:
				if f := w.panels[x.box-1]; f.encloses(from) {
					return thing{}, 0, false
				}
				return thing{box: x.box}, x.head, true
			case x.seg > 0 && w.texts[x.seg-1].dead, x.seg > 0 && w.texts[x.seg-1].label:
				return thing{}, 0, false
			case x.seg > 0:
				return thing{text: x.seg}, 0, true
			case x.wire() && d == 0:
				return thing{}, 0, false
			}
		}
	}
	if s == up || s == down {
		return w.only(from, s)
	}
	return thing{}, 0, false
}

func (f panel) encloses(p spot) bool {
	return p.row > f.top && p.row < f.bottom && p.col > f.left && p.col < f.right
}

// only is the one thing above or below a stroke that stands alone in its row: it need not stand in its column.
func (w *weave) only(p spot, s side) (thing, side, bool) {
	if !w.alone(p) {
		return thing{}, 0, false
	}
	row := p.row
	for range 2 {
		row = spot{row, 0}.step(s).row
		things := map[thing]bool{}
		if row < 0 || row >= len(w.c.rows) {
			return thing{}, 0, false
		}
		for _, x := range w.c.rows[row] {
			switch {
			case x.box > 0:
				things[thing{box: x.box}] = true
			case x.seg > 0:
				things[thing{text: x.seg}] = true
			case x.wire() || x.head != 0:
				return thing{}, 0, false
			}
		}
		if len(things) == 1 {
			for t := range things {
				if t.text > 0 && (w.texts[t.text-1].label || w.texts[t.text-1].dead) || t.box > 0 && w.panels[t.box-1].encloses(p) {
					return thing{}, 0, false
				}
				return t, 0, true
			}
		}
		if len(things) > 1 {
			return thing{}, 0, false
		}
	}
	return thing{}, 0, false
}

// alone: a head with no other stroke and no text before it in its row.
func (w *weave) alone(p spot) bool {
	for col, x := range w.c.rows[p.row] {
		if col != p.col && (x.box > 0 || x.wire() || x.head != 0 || x.seg > 0 && col < p.col) {
			return false
		}
	}
	return true
}

// branches: a head stands below the last branch of a list; it follows all of them.
func (w *weave) branches(p spot) bool {
	for row := p.row - 1; row >= max(0, p.row-2); row-- {
		for col, x := range w.c.rows[row] {
			if x.char == ' ' {
				continue
			}
			if x.box != 0 || x.arms != up|right {
				return false
			}
			w.trees = append(w.trees, hanging{root: w.root(spot{row, col}), net: w.root(p)})
			return true
		}
	}
	return false
}
