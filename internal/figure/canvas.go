package figure

import (
	"strings"
	"unicode"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Bounds of one drawing of characters.
const (
	maxRows    = 400
	maxColumns = 400
)

// side is a direction on a drawing.
type side uint8

const (
	up side = 1 << iota
	down
	left
	right
)

func sides() [4]side { return [4]side{up, down, left, right} }

func (s side) opposite() side {
	switch s {
	case up:
		return down
	case down:
		return up
	case left:
		return right
	default:
		return left
	}
}

// spot is a place on a drawing.
type spot struct{ row, col int }

func (p spot) step(s side) spot {
	switch s {
	case up:
		return spot{p.row - 1, p.col}
	case down:
		return spot{p.row + 1, p.col}
	case left:
		return spot{p.row, p.col - 1}
	default:
		return spot{p.row, p.col + 1}
	}
}

// cell is one character of a drawing and what it draws.
type cell struct {
	char rune
	arms side // where lines leave it
	head side // where it points to; 0 when it is no arrow head
	box  int  // 1 + the box whose border it is; 0 for none
	seg  int  // 1 + the piece of text that it belongs to; 0 for none
}

func (c cell) wire() bool { return c.arms != 0 }

// textCanvas is a drawing as rows of characters of one width.
type textCanvas struct {
	rows  [][]cell
	steps int // along borders that may still be taken; a drawing that needs more has no boxes
}

const maxSteps = 5_000_000

func newTextCanvas(lines []string) *textCanvas {
	c := &textCanvas{steps: maxSteps}
	for _, line := range unwrapped(lines[:min(len(lines), maxRows)]) {
		c.rows = append(c.rows, lay(line))
	}
	for r := range c.rows {
		for i := range c.rows[r] {
			c.classify(spot{r, i})
		}
	}
	return c
}

// unwrapped takes the rest of a remark in brackets, which a narrow page put on a line of its own, back to the line that begins
// it.
func unwrapped(lines []string) []string {
	var out []string
	for _, line := range lines {
		if n := len(out); n > 0 && restOfRemark.MatchString(line) && strings.Count(out[n-1], "(") == strings.Count(out[n-1], ")")+1 {
			out[n-1] += " " + strings.TrimSpace(line)
			continue
		}
		out = append(out, line)
	}
	return out
}

// restOfRemark has nothing of a drawing.
var restOfRemark = regexp.MustCompile(`^\s*[\p{L}\p{N}][\p{L}\p{N} ,.'’/&-]*\)\s*$`)

// lay puts a line's characters into columns: tabs go to the next eighth one, pictures take two, accents none.
func lay(line string) []cell {
	const tabStop = 8
	var row []cell
	for _, r := range line {
		if len(row) >= maxColumns {
			break
		}
		switch {
		case r == '\t':
			row = append(row, cell{char: ' '})
			for len(row)%tabStop != 0 {
				row = append(row, cell{char: ' '})
			}
		case unicode.Is(unicode.Mn, r) || r == 0x200D || r == 0x200B || r == 0xFE0F || unicode.Is(unicode.Cc, r):
		case unicode.IsSpace(r):
			row = append(row, cell{char: ' '})
		case r >= 0x1F000:
			row = append(row, cell{char: r}, cell{char: 0x200B})
		default:
			row = append(row, cell{char: r})
		}
	}
	return row[:min(len(row), maxColumns)]
}

func (c *textCanvas) at(p spot) cell {
	if p.row < 0 || p.row >= len(c.rows) || p.col < 0 || p.col >= len(c.rows[p.row]) {
		return cell{char: ' '}
	}
	return c.rows[p.row][p.col]
}

func (c *textCanvas) set(p spot, change func(*cell)) {
	if p.row >= 0 && p.row < len(c.rows) && p.col >= 0 && p.col < len(c.rows[p.row]) {
		change(&c.rows[p.row][p.col])
	}
}

// arms of the box drawing characters, light, heavy, double and round ones alike.
func armsOf(r rune) side {
	switch {
	case strings.ContainsRune("─━═┄┅┈┉╌╍", r):
		return left | right
	case strings.ContainsRune("│┃║┆┇┊┋╎╏", r):
		return up | down
	case strings.ContainsRune("┌┍┎┏╒╓╔╭", r):
		return right | down
	case strings.ContainsRune("┐┑┒┓╕╖╗╮", r):
		return left | down
	case strings.ContainsRune("└┕┖┗╘╙╚╰", r):
		return right | up
	case strings.ContainsRune("┘┙┚┛╛╜╝╯", r):
		return left | up
	case strings.ContainsRune("├┝┞┟┠┡┢┣╞╟╠", r):
		return up | down | right
	case strings.ContainsRune("┤┥┦┧┨┩┪┫╡╢╣", r):
		return up | down | left
	case strings.ContainsRune("┬┭┮┯┰┱┲┳╤╥╦", r):
		return left | right | down
	case strings.ContainsRune("┴┵┶┷┸┹┺┻╧╨╩", r):
		return left | right | up
	case r >= 0x253C && r <= 0x254B || strings.ContainsRune("╪╫╬", r):
		return up | down | left | right
	}
	return 0
}

// headOf is where an arrow head points to, of the characters that are nothing else.
func headOf(r rune) side {
	switch {
	case strings.ContainsRune("▼↓⇓▽⬇", r):
		return down
	case strings.ContainsRune("▲↑⇑△⬆", r):
		return up
	case strings.ContainsRune("►▶→⇒➔➜⟶▸➡", r):
		return right
	case strings.ContainsRune("◄◀←⇐⟵◂⬅", r):
		return left
	}
	return 0
}

// classify decides what a character draws. Those that are letters or signs elsewhere draw only in the company of
// strokes.
func (c *textCanvas) classify(p spot) {
	here := c.at(p)
	before, after := c.at(p.step(left)).char, c.at(p.step(right)).char
	loose := !word(before) && !word(after)
	arms, head := armsOf(here.char), headOf(here.char)
	switch here.char {
	case '|':
		if loose {
			arms = beside(before, after, left, right)
			if below := c.at(p.step(down)).char; arms == 0 || below != ' ' {
				arms |= down
			}
			if above := c.at(p.step(up)).char; arms&^down == 0 || above != ' ' {
				arms |= up
			}
		}
	case '\\':
		arms = beside(before, after, left|down, right|up)
	case '/':
		arms = beside(before, after, left|up, right|down)
	case '-', '=':
		if c.stroke(p) {
			arms = left | right
		}
	case '+':
		if loose && (horizontal(before) || horizontal(after)) || loose && before == ' ' && after == ' ' && c.at(p.step(up)).char == '|' {
			arms = c.crossing(p)
		}
	case 'v', 'V':
		if before == ' ' && after == ' ' {
			head = c.underLine(p)
		}
	case '^':
		if loose {
			head = up
		}
	case '>':
		if horizontal(before) {
			head = right
		}
	case '<':
		if horizontal(after) {
			head = left
		}
	}
	if head != 0 {
		arms = head.opposite()
	}
	c.set(p, func(x *cell) { x.arms, x.head = arms, head })
}

// crossing are the arms of a plus sign: to the strokes around it.
func (c *textCanvas) crossing(p spot) side {
	arms := beside(c.at(p.step(left)).char, c.at(p.step(right)).char, left, right)
	for _, s := range []side{up, down} {
		r := c.at(p.step(s)).char
		for _, d := range []int{-drift, drift} {
			if x := c.at(spot{p.step(s).row, p.col + d}).char; r == ' ' && (x == '\\' && s == up || x == '/' && s == down) {
				r = x
			}
		}
		if strings.ContainsRune(`|+vV^\/`, r) || armsOf(r)&s.opposite() != 0 || headOf(r) == s {
			arms |= s
		}
	}
	return arms
}

// beside chooses arms by the strokes at both sides of a sign.
func beside(before, after rune, first, last side) side {
	var arms side
	if horizontal(before) {
		arms |= first
	}
	if horizontal(after) {
		arms |= last
	}
	return arms
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func horizontal(r rune) bool { return r == '-' || r == '=' || armsOf(r)&(left|right) != 0 }

// underLine: a letter v is a head where a line comes from above, or a head stands beside it.
func (c *textCanvas) underLine(p spot) side {
	for d := -1; d <= 1; d++ {
		above := c.at(spot{p.row - 1, p.col + d}).char
		if above == '|' || above == '+' || armsOf(above)&down != 0 {
			return down
		}
	}
	return 0
}

// stroke: a dash is one in a run of two or more, or right before a head or behind one; not inside of words.
func (c *textCanvas) stroke(p spot) bool {
	const far = 40 // columns; words that far away are not parted by a hyphen
	first, last := p.col, p.col
	for first > max(0, p.col-far) && (horizontal(c.at(spot{p.row, first - 1}).char) || c.at(spot{p.row, first - 1}).char == '+') {
		first--
	}
	for last < p.col+far && (horizontal(c.at(spot{p.row, last + 1}).char) || c.at(spot{p.row, last + 1}).char == '+') {
		last++
	}
	before, after := c.at(spot{p.row, first - 1}).char, c.at(spot{p.row, last + 1}).char
	return last > first && !(word(before) && word(after)) || after == '>' || before == '<'
}
