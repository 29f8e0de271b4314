package pixels

import (
	"maps"
	"slices"
)

// readWires reads the lines between boxes. A trunk has one box at one side; with several at both, nobody can say which
// leads to which.
func (d *drawing) readWires() {
	d.wires = map[int][]end{}
	for _, e := range d.ends {
		r := d.root(e.piece)
		d.wires[r] = append(d.wires[r], e)
	}
	read := map[int]bool{}
	for _, r := range slices.Sorted(maps.Keys(d.wires)) {
		read[r] = d.wire(d.wires[r])
	}
	for n, p := range d.piece {
		if n > 0 && !read[d.root(n)] {
			d.out.Unread += p.count
		}
	}
	d.through()
}

// wire reads one line; false when it says nothing.
func (d *drawing) wire(ends []end) bool {
	heads, tails, open := distinct(ends, head), distinct(ends, tail), distinct(ends, unclear)
	tails = slices.DeleteFunc(tails, func(b int) bool { return slices.Contains(heads, b) })
	switch {
	case len(heads)+len(tails)+len(open) < 2:
		return false
	case len(open) > 0 || len(heads) == 0:
		if len(heads) == 0 && len(tails)+len(open) == 2 {
			all := append(tails, open...)
			d.out.Lines = append(d.out.Lines, Arrow{all[0], all[1]})
			d.plain = append(d.plain, len(open) == 0)
			return true
		}
		d.out.Loose++
		return false
	case len(tails) == 1:
		for _, h := range heads {
			d.out.Arrows = append(d.out.Arrows, Arrow{tails[0], h})
		}
	case len(heads) == 1 && len(tails) > 0:
		for _, t := range tails {
			d.out.Arrows = append(d.out.Arrows, Arrow{t, heads[0]})
		}
	case len(heads) == 2 && len(tails) == 0: // both ways, or a fork whose stem was not seen
		d.out.Lines = append(d.out.Lines, Arrow{heads[0], heads[1]})
		d.plain = append(d.plain, false)
	default:
		d.out.Loose++
		return false
	}
	return true
}

// through takes the ground of a word on a line out of the boxes: an area without border that one line without head leads
// to, and one arrow leads on from.
func (d *drawing) through() {
	for n, b := range d.boxes {
		if b.group || b.lined {
			continue
		}
		into, from := -1, -1
		uses := 0
		for i, l := range d.out.Lines {
			if l.From == n || l.To == n {
				into = i
				uses++
			}
		}
		for i, a := range d.out.Arrows {
			if a.From == n || a.To == n {
				uses++
			}
			if a.From == n {
				from = i
			}
		}
		if uses != 2 || into < 0 || from < 0 || !d.plain[into] {
			continue
		}
		l := d.out.Lines[into]
		d.out.Arrows[from].From = l.From + l.To - n
		d.out.Lines = slices.Delete(d.out.Lines, into, into+1)
		d.plain = slices.Delete(d.plain, into, into+1)
		d.boxes[n].bed = true
	}
}

// isSequence: the boxes above stand below once more, one under each: lines in time lead from each to its double, and what
// lies between them leads from line to line and not from box to box.
func isSequence(boxes []found) bool {
	const least, off = 3, 6
	var single []found
	for _, b := range boxes {
		if !b.group {
			single = append(single, b)
		}
	}
	if len(single) < 2*least {
		return false
	}
	above := slices.MinFunc(single, func(a, b found) int { return a.y0 - b.y0 }).y0
	below := slices.MaxFunc(single, func(a, b found) int { return a.y1 - b.y1 }).y1
	pairs, alone := 0, 0
	for _, a := range single {
		if a.y0 > above+off {
			continue
		}
		if slices.ContainsFunc(single, func(b found) bool { return b.y1 >= below-off && abs(a.x0-b.x0) <= off && abs(a.x1-b.x1) <= off }) {
			pairs++
		} else {
			alone++
		}
	}
	return pairs >= least && pairs > 2*alone
}

// sketch is the answer: the boxes that are not words, with their arrows.
func (d *drawing) sketch() Sketch {
	place := make([]int, len(d.boxes))
	out := d.out
	for n, b := range d.boxes {
		place[n] = -1
		if !b.bed {
			place[n] = len(out.Boxes)
			out.Boxes = append(out.Boxes, Box{X0: b.x0, Y0: b.y0, X1: b.x1, Y1: b.y1, Form: b.form, In: b.in, Group: b.group})
		}
	}
	for i := range out.Boxes {
		if in := out.Boxes[i].In; in >= 0 {
			out.Boxes[i].In = place[in]
		}
	}
	move := func(list []Arrow) []Arrow {
		var kept []Arrow
		for _, a := range list {
			a = Arrow{place[a.From], place[a.To]}
			if a.From >= 0 && a.To >= 0 && a.From != a.To && !slices.Contains(kept, a) {
				kept = append(kept, a)
			}
		}
		return kept
	}
	out.Arrows, out.Lines = move(out.Arrows), move(out.Lines)
	return out
}
