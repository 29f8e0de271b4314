package passage

import (
	"math"
	"slices"
	"strings"
)

// cell is what stands in one column of one row of a table.
type cell struct {
	x0, x1 float64
	bottom float64 // of its last line
	middle float64 // of its last line
	lines  []Line
}

// cellRow is one row of a table whose cells may have several lines each. A page prints one cell after another, so that
// the next line stands below in the same cell, or up again and to the right in the next cell.
type cellRow struct {
	cells       []cell
	current     int     // the cell that took the last line
	top, bottom float64 // what the middles of its lines lie between, half a line more on either side
	size        float64
	lines       int
	prose       bool    // not all of it is set in a typewriter face
	ceiling     float64 // no line of the row stands above
	needsUp     float64
	up          bool // some line stood above needsUp, as it must when that is a number
}

const (
	firstCellLines = 12  // a first cell that is longer is running text
	rowLines       = 200 // bounds a row of a hostile document
	cellGap        = 0.45
	cellParagraph  = 1.5 // white space between the paragraphs of a cell, in units of the size
)

// wrappedRows puts the lines of table rows together whose cells go over several lines: one row each, cells by tab. A
// row that stands alone is none, unless its first line has three cells.
func (p *page) wrappedRows(rows []row) []row {
	type span struct {
		row  row
		next int
	}
	spans := map[int]span{}
	ceiling := 0.0
	for i := 0; i < len(rows); i++ {
		if i == 0 || rows[i-1].Page != rows[i].Page {
			ceiling = 0
		}
		r, n := p.wrappedRow(rows[i:], ceiling)
		ceiling = rows[i].Box.Y1
		if n > 1 {
			spans[i] = span{r, i + n}
			ceiling = r.Box.Y1
			i += n - 1
		}
	}
	isTabbed := func(i int) bool { return i >= 0 && i < len(rows) && strings.Contains(rows[i].text, "\t") }
	var kept []row
	joined := false // the row before was put together
	for i := 0; i < len(rows); {
		s, found := spans[i]
		_, after := spans[s.next]
		if found && (joined || after || isTabbed(i-1) || isTabbed(s.next) || strings.Count(rows[i].text, "\t") > 1) {
			kept = append(kept, s.row)
			i, joined = s.next, true
			continue
		}
		r := rows[i]
		if n := len(kept); joined && !math.IsNaN(r.gap) {
			r.gap = (r.Box.Y0 - kept[n-1].Box.Y1) / max(1, r.Size)
		}
		kept = append(kept, r)
		i, joined = i+1, false
	}
	return kept
}

// wrappedRow reads a row of a table at the beginning of rows and tells how many of them it takes; 0 for none. What
// stands before ends at the ceiling.
func (p *page) wrappedRow(rows []row, ceiling float64) (row, int) {
	t := cellRow{needsUp: math.NaN(), ceiling: ceiling}
	n := 0
	for ; n < min(len(rows), rowLines) && rows[n].Page == rows[0].Page; n++ {
		parts := cellsOf(rows[n])
		parts = t.within(parts, rows[n])
		if parts == nil || isDrawn(rows[n].text) || rows[n].mark != "" || !t.takes(parts, p.lead) {
			break
		}
		t.add(parts, rows[n])
	}
	if n < 2 || !t.valid(p.right[rows[0].Page]) {
		return row{}, 0
	}
	return t.row(rows[:n]), n
}

// cellsOf takes a line apart at its gaps; nil when nobody knows where the parts stand.
func cellsOf(r row) []cell {
	if r.Box == (Box{}) || r.Size <= 0 {
		return nil
	}
	line := r.Line
	line.Text = r.text
	middle := (r.Box.Y0 + r.Box.Y1) / 2
	if !strings.Contains(r.text, "\t") {
		return []cell{{r.Box.X0, r.Box.X1, r.Box.Y1, middle, []Line{line}}}
	}
	if len(strings.Fields(r.text)) != len(r.Words) {
		return nil
	}
	if mark, rest := splitMark(r.text); mark != "" && !strings.Contains(rest, "\t") {
		return nil
	}
	var cells []cell
	word := 0
	for text := range strings.SplitSeq(r.text, "\t") {
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		line.Text = text
		x0 := r.Words[word]
		if n := len(cells); n > 0 {
			cells[n-1].x1 = min(cells[n-1].x1, x0-r.Size)
		}
		const letter = 0.55 // of the size, the width of a letter
		x1 := min(r.Box.X1, x0+letter*r.Size*float64(len([]rune(text))))
		cells = append(cells, cell{x0, x1, r.Box.Y1, middle, []Line{line}})
		word += len(words)
	}
	cells[len(cells)-1].x1 = r.Box.X1
	return cells
}

// within: a line with gaps that is no wider than the cell above it is one line of justified text.
func (t *cellRow) within(parts []cell, r row) []cell {
	if len(parts) < 2 || t.lines == 0 {
		return parts
	}
	c, whole := t.cells[t.current], parts[0]
	if r.Box.X0 < c.x0-2 || r.Box.X1 > c.x1+2 || whole.middle < c.middle+t.size/2 {
		return parts
	}
	whole.x1 = r.Box.X1
	whole.lines = []Line{r.Line}
	return []cell{whole}
}

// takes tells whether a line belongs to the row.
func (t *cellRow) takes(parts []cell, lead float64) bool {
	if t.lines == 0 {
		return true
	}
	if len(t.cells) == 1 && len(t.cells[0].lines) >= firstCellLines {
		return false
	}
	first := parts[0]
	if t.beside(first) {
		return !slices.ContainsFunc(parts, func(c cell) bool {
			at := t.under(c)
			return at >= 0 && (c.middle < t.cells[at].middle+t.size/2 || c.x0 < t.rightOf(at)-2)
		})
	}
	at := t.current
	gap := (first.lines[0].Box.Y0 - t.cells[at].bottom) / t.size
	if first.middle < t.bottom || t.under(first) != at || first.x0 < t.rightOf(at)-2 {
		return false
	}
	if t.first() == at {
		return gap < lead+cellGap && len(t.cells) == 1
	}
	return len(parts) == 1 && gap < lead+cellParagraph
}

// beside: between the row's first line and its last. The lines of a cell may also begin a little above or below what
// stands in the middle of the cells before.
func (t *cellRow) beside(part cell) bool {
	const above, below = 1.7, 0.5
	if part.middle > t.top && part.middle < t.bottom {
		return true
	}
	for _, c := range t.cells {
		if part.x0 < c.x1-2 {
			return false
		}
	}
	return part.middle > max(t.top-above*t.size, t.ceiling) && part.middle < t.bottom+below*t.size
}

// under is the cell whose column a part stands in, -1 for none.
func (t *cellRow) under(part cell) int {
	return slices.IndexFunc(t.cells, func(c cell) bool {
		return min(c.x1, part.x1)-max(c.x0, part.x0) > 0.3*min(c.x1-c.x0, part.x1-part.x0)
	})
}

// rightOf is the right edge of what stands left of a cell.
func (t *cellRow) rightOf(at int) float64 {
	edge := 0.0
	for _, c := range t.cells {
		if c.x0 < t.cells[at].x0 {
			edge = max(edge, c.x1)
		}
	}
	return edge
}

// first is the leftmost cell.
func (t *cellRow) first() int {
	at := 0
	for i, c := range t.cells {
		if c.x0 < t.cells[at].x0 {
			at = i
		}
	}
	return at
}

func (t *cellRow) add(parts []cell, r row) {
	middle := parts[0].middle
	if t.lines == 0 {
		t.size, t.top, t.bottom = r.Size, middle-r.Size/2, middle+r.Size/2
	}
	if !math.IsNaN(t.needsUp) && middle < t.needsUp-0.3*t.size {
		t.up = true
	}
	if t.lines > 0 && len(t.cells) == 1 && len(parts) > 1 && t.under(parts[0]) == 0 {
		t.needsUp = middle // else the lines above are not part of this row
	}
	t.lines++
	t.prose = t.prose || !r.Mono
	t.top, t.bottom = min(t.top, middle-t.size/2), max(t.bottom, middle+t.size/2)
	for _, part := range parts {
		at := t.under(part)
		if at < 0 {
			at = len(t.cells)
			t.cells = append(t.cells, part)
		} else {
			c := &t.cells[at]
			c.x0, c.x1 = min(c.x0, part.x0), max(c.x1, part.x1)
			c.bottom, c.middle = part.bottom, part.middle
			c.lines = append(c.lines, part.lines...)
		}
		t.current = at
	}
}

// valid: at least two cells that stand apart, and not the columns of a page.
func (t *cellRow) valid(right float64) bool {
	if len(t.cells) < 2 || !t.prose || !math.IsNaN(t.needsUp) && !t.up {
		return false
	}
	for i := range t.cells {
		if t.rightOf(i) > t.cells[i].x0+2 {
			return false
		}
	}
	const long, wide = 5, 0.3
	return len(t.cells) > 2 || slices.ContainsFunc(t.cells, func(c cell) bool {
		return len(c.lines) < long || c.x1-c.x0 < wide*right
	})
}

func (t *cellRow) row(from []row) row {
	slices.SortStableFunc(t.cells, func(a, b cell) int {
		if a.x0 < b.x0 {
			return -1
		}
		return 1
	})
	texts := make([]string, len(t.cells))
	for i, c := range t.cells {
		texts[i] = strings.ReplaceAll(join(c.lines), "\u00AD", "")
	}
	made := from[0]
	made.text = strings.Join(texts, "\t")
	made.beside, made.mark = true, ""
	made.printed = nil
	for _, r := range from {
		made.printed = append(made.printed, r.Line)
	}
	made.Box = around(made.printed, made.Page)
	made.left = made.Box.X0
	return made
}

// loneGaps: a single line with one gap, alone between other text, is not a table: a sign that is drawn and no letter leaves a
// gap in a sentence, and some numbers stand apart from their headings.
func (p *page) loneGaps(rows []row) {
	isCell := func(i int) bool { return i >= 0 && i < len(rows) && rows[i].kind == Table }
	for i := range rows {
		r := &rows[i]
		if r.kind != Table || r.beside || r.printed != nil || strings.Count(r.text, "\t") > 1 || isCell(i-1) || isCell(i+1) {
			continue
		}
		r.kind, r.text = Body, strings.Join(strings.Fields(r.text), " ")
		if p.isHeading(*r) {
			r.kind = Heading
		}
	}
}
