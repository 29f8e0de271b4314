package figure

import (
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// piece is a piece of text outside of boxes.
type piece struct {
	row, first, last int
	text             string
	label            bool // written on a line: it names an arrow and is no node
	dead             bool // a name or the label of an arrow, nobody can tell
}

// quiet takes for text what looks like a stroke and is none: what is written inside of boxes, arrows that point at a
// remark, and strokes between words.
func (c *textCanvas) quiet(panels []panel) {
	for i := range panels {
		f := &panels[i]
		for row := f.top + 1; row < f.bottom && len(f.inner) == 0; row++ {
			first, last := c.sidesOf(*f, row)
			for col := first + 1; col < last; col++ {
				c.set(spot{row, col}, func(x *cell) { x.arms, x.head, x.char = 0, 0, ' ' })
			}
		}
	}
	for r := range c.rows {
		for col := range c.rows[r] {
			p := spot{r, col}
			x := c.at(p)
			remark := x.head == left && !c.at(p.step(right)).wire()
			if x.box == 0 && (remark || x.char == '|' && !c.meets(p, up) && !c.meets(p, down)) {
				c.set(p, func(x *cell) { x.arms, x.head = 0, 0 })
			}
		}
	}
}

// meets: the line at a place goes on in a direction, if with a bend of one column.
func (c *textCanvas) meets(p spot, s side) bool {
	q := p.step(s)
	for d := -1; d <= 1; d++ {
		x := c.at(spot{q.row, q.col + d})
		if x.box != 0 || x.head != 0 && s == down || x.arms&s.opposite() != 0 || x.head == s.opposite() {
			return true
		}
	}
	return false
}

// open passes lines through the border of a box where they cross it and go on inside.
func (c *textCanvas) open(panels []panel) {
	for _, f := range panels {
		if len(f.inner) == 0 {
			continue
		}
		for _, edge := range []struct {
			row    int
			inward side
		}{{f.top, down}, {f.bottom, up}} {
			for col := f.left + 1; col < f.right; col++ {
				p := spot{edge.row, col}
				x, inside := c.at(p), c.at(p.step(edge.inward))
				leads := inside.arms&edge.inward.opposite() != 0 || inside.arms&(left|right) == left|right
				if x.arms&up != 0 && x.arms&down != 0 && inside.box == 0 && leads {
					c.set(p, func(x *cell) { x.arms, x.box = up|down, 0 })
				}
			}
		}
	}
}

// maxPieces bounds the pieces of text of one drawing.
const maxPieces = 2_000

// pieces finds the text outside of boxes. Two blanks or a stroke part one piece from the next.
func (c *textCanvas) pieces() []piece {
	const gap = 2
	var found []piece
	for r, row := range c.rows {
		start, end := -1, -1
		flush := func() {
			if start >= 0 && len(found) < maxPieces {
				text := make([]rune, 0, end-start+1)
				for col := start; col <= end; col++ {
					if row[col].char != 0x200B {
						text = append(text, row[col].char)
					}
				}
				found = append(found, piece{row: r, first: start, last: end, text: string(text)})
				for col := start; col <= end; col++ {
					row[col].seg = len(found)
				}
			}
			start = -1
		}
		for col, x := range row {
			switch {
			case x.wire() || x.head != 0 || x.box != 0:
				flush()
			case x.char == ' ':
				if start >= 0 && col-end >= gap {
					flush()
				}
			default:
				if start < 0 {
					start = col
				}
				end = col
			}
		}
		flush()
	}
	return found
}

// condition is how the label of an arrow reads that says when it is taken.
var condition = regexp.MustCompile(`(?i)[=?<>≤≥"']|^\W*(?:yes|no|ok|okay|error|errors|fail(?:s|ed|ure)?|success(?:ful)?|true|false|valid|invalid|pass(?:ed)?|else|otherwise|default|if\b.*|when\b.*|on\b.*|retry|none|empty)\W*$|^\s*[(\[].*[)\]]\s*$`)

// written decides of the pieces that stand in the course of a line whether they are a node or the label of the line.
func (c *textCanvas) written(all []piece) {
	for i := range all {
		s := &all[i]
		before, after := c.beside(*s, left), c.beside(*s, right)
		onRow := c.at(before).wire() && c.at(before).arms&right != 0 && c.at(after).arms&left != 0
		switch {
		case onRow && c.turns(after): // lines of a bundle: a node
		case onRow && (condition.MatchString(s.text) || c.spans(before, after)):
			s.label = true
		case onRow && c.at(before).head == 0 && c.at(after).head == 0:
			s.dead = true
		case condition.MatchString(s.text) && c.hangs(*s):
			s.label = true
		case c.remark(*s):
			s.dead = true
		}
	}
}

// near is across how many blanks a line leads to a text or box beside it.
const nearBlanks = 3

// beside is the first place beside a piece that is not blank.
func (c *textCanvas) beside(s piece, to side) spot {
	p := spot{s.row, s.last}
	if to == left {
		p.col = s.first
	}
	for range 2 * nearBlanks {
		p = p.step(to)
		if x := c.at(p); x.char != ' ' || x.wire() {
			break
		}
	}
	return p
}

// remark: the text stands right beside a line that goes past it.
func (c *textCanvas) remark(s piece) bool {
	x := c.at(spot{s.row, s.first - 2})
	return x.box == 0 && x.arms == up|down && c.at(spot{s.row, s.first - 1}).char == ' '
}

// turns: the line to the right of a text does not go straight on but joins others.
func (c *textCanvas) turns(p spot) bool {
	for c.at(p).arms == left|right {
		p = p.step(right)
	}
	x := c.at(p)
	return x.head == 0 && x.box == 0 && (x.arms&(up|down) != 0 || x.char == '\\' || x.char == '/')
}

// spans: the line around a text goes from one box straight to another.
func (c *textCanvas) spans(before, after spot) bool {
	for x := c.at(before); x.box == 0 && (x.arms == left|right || x.head == left); x = c.at(before) {
		before = before.step(left)
	}
	for x := c.at(after); x.box == 0 && (x.arms == left|right || x.head == right); x = c.at(after) {
		after = after.step(right)
	}
	for range nearBlanks {
		if c.at(before).char == ' ' {
			before = before.step(left)
		}
		if c.at(after).char == ' ' {
			after = after.step(right)
		}
	}
	return c.at(before).box != 0 && c.at(after).box != 0 && c.at(before).box != c.at(after).box
}

// hangs: a line comes into a text from above and leaves it below.
func (c *textCanvas) hangs(s piece) bool {
	_, above := c.lineAt(s, up)
	_, below := c.lineAt(s, down)
	return above && below
}

// lineAt is the line that touches a text from above or below.
func (c *textCanvas) lineAt(s piece, to side) (spot, bool) {
	for col := s.first - 1; col <= s.last+1; col++ {
		p := spot{s.row, col}.step(to)
		if x := c.at(p); x.box == 0 && x.arms&to.opposite() != 0 {
			return p, true
		}
	}
	return spot{}, false
}

// members are the names in a text that puts several side by side: `[a | b]`, `a ∥ b`, `a / b (parallel)`. One name is
// its only member.
func members(text string) []string {
	bracketed := strings.HasPrefix(strings.TrimSpace(text), "[")
	marked := parallelWord.MatchString(text)
	var parts []string
	switch {
	case strings.ContainsAny(text, "∥‖") || strings.Contains(text, "||"):
		parts = sideBySide.Split(text, -1)
	case bracketed || marked:
		parts = listed.Split(text, -1)
	default:
		parts = []string{text}
	}
	var names []string
	for _, p := range parts {
		if name := artLabel(p); strings.ContainsFunc(name, word) {
			names = append(names, name)
		}
	}
	return names
}

var (
	parallelWord = regexp.MustCompile(`(?i)\b(?:parallel|concurrent(?:ly)?|simultaneous(?:ly)?)\b`)
	sideBySide   = regexp.MustCompile(`\s*(?:∥|‖|\|\|)\s*`)
	listed       = regexp.MustCompile(`\s+[/|+&]\s+|\s*,\s*|\s*\|\s*`)
)
