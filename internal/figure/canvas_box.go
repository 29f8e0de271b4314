package figure

import "strings"

// panel is a box of a drawing: its borders and what is written in it.
type panel struct {
	top, bottom, left, right int
	lines                    []string // its text, row by row; an empty one for a rule or a blank row
	beside                   []string // of each of these rows: what stands right of the box
	inner                    []int    // boxes directly inside
	outer                    int      // 1 + the box around it; 0 for none
	node                     string   // its name
}

// drift is by how many columns borders that belong together may differ: letters and blanks are not equally wide
// everywhere.
const (
	drift     = 1
	wideDrift = 3
)

// maxBoxes bounds the boxes of one drawing.
const maxBoxes = 300

// panels finds the boxes: an upper border, sides that go down from its left end, and a lower border.
func (c *textCanvas) panels() []panel {
	var found []panel
	for r := range c.rows {
		for col := 0; col < len(c.rows[r]) && len(found) < maxBoxes; col++ {
			end, ok := c.border(spot{r, col}, right|down, left|down)
			if !ok || c.at(spot{r, col}).box != 0 {
				continue
			}
			if f, ok := c.closed(r, col, end); ok {
				found = append(found, f)
				c.mark(f, len(found))
				col = end
			}
		}
	}
	nest(found)
	for i := range found {
		c.read(&found[i])
	}
	return found
}

// broken: the upper border of a box has no box below it. The drawing's columns are lost, and its borders would be read
// as lines.
func (c *textCanvas) broken() bool {
	for r := range c.rows {
		for col := range c.rows[r] {
			if x := c.at(spot{r, col}); x.box != 0 || x.arms != right|down {
				continue
			}
			end, ok := c.border(spot{r, col}, right|down, left|down)
			if !ok || c.at(spot{r, end}).box != 0 {
				continue
			}
			plain := true
			for i := col + 1; i < end; i++ {
				plain = plain && c.at(spot{r, i}).arms == left|right
			}
			if plain {
				return true
			}
		}
	}
	return false
}

// border follows a horizontal border from a corner to the next corner. Lines may cross it and heads stand in it.
func (c *textCanvas) border(p spot, first, last side) (end int, ok bool) {
	if !corner(c.at(p), first) {
		return 0, false
	}
	for col := p.col + 1; ; col++ {
		c.steps--
		x := c.at(spot{p.row, col})
		switch {
		case c.steps < 0:
			return 0, false
		case col > p.col+1 && corner(x, last) && (x.char != '+' || !horizontal(c.at(spot{p.row, col + 1}).char)):
			return col, true
		case x.head != 0 && x.head&(up|down) != 0, x.arms&left != 0 && x.arms&right != 0:
		default:
			return 0, false
		}
	}
}

func corner(x cell, arms side) bool { return x.head == 0 && (x.arms == arms || x.char == '+') }

// closed looks down the left side for the lower border.
func (c *textCanvas) closed(top, first, last int) (panel, bool) {
	at := first
	for r := top + 1; r < len(c.rows); r++ {
		col, ok := c.sideNear(spot{r, at})
		if !ok {
			return panel{}, false
		}
		if end, ok := c.border(spot{r, col}, right|up, left|up); ok && end >= last-wideDrift && end <= last+wideDrift {
			return panel{top: top, bottom: r, left: first, right: last}, r > top+1
		}
		x := c.at(spot{r, col})
		if x.arms&up == 0 || x.arms&down == 0 {
			return panel{}, false
		}
		at = col
	}
	return panel{}, false
}

// sideNear is the column of a vertical line at a place or right beside it.
func (c *textCanvas) sideNear(p spot) (int, bool) {
	for _, d := range []int{0, -drift, drift} {
		if x := c.at(spot{p.row, p.col + d}); x.head == 0 && x.arms&up != 0 {
			return p.col + d, true
		}
	}
	return 0, false
}

// sidesOf are the columns of the borders in a row of a box.
func (c *textCanvas) sidesOf(f panel, row int) (first, last int) {
	first, last = f.left, f.right
	if col, ok := c.sideNear(spot{row, f.left}); ok {
		first = col
	}
	for d := 0; d <= wideDrift; d++ {
		for _, col := range []int{f.right - d, f.right + d} {
			if x := c.at(spot{row, col}); col > first && x.arms&up != 0 && x.arms&down != 0 && x.head == 0 {
				return first, col
			}
		}
	}
	return first, last
}

// mark notes the borders of a box on a drawing.
func (c *textCanvas) mark(f panel, id int) {
	set := func(p spot) {
		c.set(p, func(x *cell) {
			if x.box == 0 {
				x.box = id
			}
		})
	}
	for _, row := range []int{f.top, f.bottom} {
		for col := f.left - drift; col <= f.right+wideDrift; col++ {
			if x := c.at(spot{row, col}); x.wire() && (col >= f.left && col <= f.right || x.arms&left != 0 || col < f.left && x.arms == right|up) {
				set(spot{row, col})
			}
		}
	}
	for row := f.top + 1; row < f.bottom; row++ {
		first, last := c.sidesOf(f, row)
		set(spot{row, first})
		if c.at(spot{row, last}).wire() {
			set(spot{row, last})
		}
	}
}

// nest finds for each box the smallest one around it.
func nest(panels []panel) {
	for i := range panels {
		best := 0
		for j := range panels {
			if i != j && panels[j].holds(panels[i]) && (best == 0 || panels[best-1].holds(panels[j])) {
				best = j + 1
			}
		}
		panels[i].outer = best
		if best > 0 {
			panels[best-1].inner = append(panels[best-1].inner, i)
		}
	}
}

func (f panel) holds(g panel) bool {
	return f.top < g.top && f.bottom > g.bottom && f.left < g.left && f.right+wideDrift > g.right && f.right-f.left > g.right-g.left
}

// read takes the text out of a box. Of a box with boxes inside only the text above them is its own.
func (c *textCanvas) read(f *panel) {
	for row := f.top + 1; row < f.bottom; row++ {
		first, last := c.sidesOf(*f, row)
		var text strings.Builder
		nested := false
		end := last
		for col := first + 1; col < last; col++ {
			x := c.at(spot{row, col})
			nested = nested || x.box != 0
			if len(f.inner) == 0 && x.arms == up|down && !c.at(spot{row, last}).wire() {
				end = col // the right border, out of its place
				break
			}
			switch {
			case x.box != 0 || x.arms != 0 && armsOf(x.char) != 0:
				text.WriteByte(' ')
			case x.char == 0x200B:
			default:
				text.WriteRune(x.char)
			}
		}
		if nested && len(f.inner) > 0 {
			break
		}
		f.lines = append(f.lines, strings.Join(strings.Fields(text.String()), " "))
		f.beside = append(f.beside, c.rightOf(spot{row, end}))
	}
	f.node = boxName(f.lines)
}

// rightOf is what stands right of a border, up to another one.
func (c *textCanvas) rightOf(p spot) string {
	var text strings.Builder
	for p = p.step(right); p.col < len(c.rows[p.row]) && c.at(p).box == 0; p = p.step(right) {
		text.WriteRune(c.at(p).char)
	}
	return text.String()
}

// boxName is the name written in a box: its first line, and those below that only go on with it. Remarks in
// parentheses, lists and explanations are not part of the name.
func boxName(lines []string) string {
	const longest = 6 // words
	name := ""
	for _, line := range lines {
		switch {
		case name == "" && strings.ContainsFunc(line, word):
			name = line
			continue
		case name == "":
			continue
		}
		if line == "" || strings.IndexAny(line, "([•-*·–✓→") == 0 || strings.ContainsAny(line, ":,=;/.()") || strings.HasSuffix(name, ":") ||
			strings.ContainsAny(name, ":,(") || len(strings.Fields(name+" "+line)) > longest || !strings.ContainsFunc(line, word) {
			break
		}
		name += " " + line
	}
	return artLabel(name)
}

// artLabel cleans the name of a box or a piece of text: what stands in parentheses behind it, and marks around it.
func artLabel(text string) string {
	const longest = 120
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		text = text[1 : len(text)-1]
	}
	if i := strings.IndexByte(text, '('); i > 2 {
		text = text[:i]
	}
	text = strings.Trim(strings.TrimSpace(text), "•*·:;,`\"[]│| ")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "")
	}
	return strings.TrimSpace(text)
}
