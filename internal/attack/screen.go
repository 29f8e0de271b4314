package attack

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Screen is a small terminal: what a person sees, at the end, of the bytes that were written to it. It takes every
// character for one column wide.
type Screen struct {
	NoCursor bool     // it was hidden
	Odd      []string // sequences that a screen does not need for lines that are redrawn in place

	width, height int
	lines         [][]rune // what scrolled out at the top, too
	x, y          int      // y counts from the first of lines
	rest          string   // of a sequence that has not come to its end
}

// NewScreen makes an empty screen with the cursor at its top.
func NewScreen(width, height int) *Screen {
	return &Screen{width: width, height: height, lines: [][]rune{nil}}
}

// sequence is an escape sequence, or the beginning of one.
var sequence = regexp.MustCompile("^\x1b(?:\\[([?>=<]?)([0-9;:]*)([ -/]*[@-~])?|\\][^\x07\x1b]*(\x07|\x1b\\\\)?|[^\\[\\]])?")

// Write shows bytes.
func (s *Screen) Write(p []byte) (int, error) {
	text := s.rest + string(p)
	s.rest = ""
	for text != "" {
		if text[0] == '\x1b' {
			m := sequence.FindStringSubmatch(text)
			if m[0] == text && m[3] == "" && m[4] == "" { // more is to come
				s.rest = text
				break
			}
			s.act(m[0], m[1], m[2], m[3])
			text = text[len(m[0]):]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 && !utf8.FullRuneInString(text) {
			s.rest = text
			break
		}
		s.put(r)
		text = text[n:]
	}
	return len(p), nil
}

// put shows one character, or does what a control character asks for.
func (s *Screen) put(r rune) {
	switch {
	case r == '\n':
		s.down(1, true)
	case r == '\r':
		s.x = 0
	case r == '\b':
		s.x = max(min(s.x, s.width-1)-1, 0)
	case r < ' ' || r >= 0x7f && r < 0xa0:
		s.Odd = append(s.Odd, fmt.Sprintf("%q", r))
	default:
		if s.x >= s.width { // a line that is full wraps with the next character
			s.x = 0
			s.down(1, true)
		}
		line := s.lines[s.y]
		for len(line) <= s.x {
			line = append(line, ' ')
		}
		line[s.x] = r
		s.lines[s.y] = line
		s.x++
	}
}

// top is the first line that is on the screen.
func (s *Screen) top() int { return max(len(s.lines)-s.height, 0) }

// down moves the cursor; at the bottom the screen scrolls, or the cursor stays.
func (s *Screen) down(n int, scroll bool) {
	last := s.top() + s.height - 1
	s.y += n
	if !scroll {
		s.y = min(s.y, last)
	}
	for s.y >= len(s.lines) {
		s.lines = append(s.lines, nil)
	}
}

// act does what an escape sequence asks for.
func (s *Screen) act(whole, mark, numbers, final string) {
	n := 1
	if v, err := strconv.Atoi(numbers); err == nil {
		n = v
	}
	s.x = min(s.x, s.width-1)
	if whole == "\x1bM" && s.y > s.top() { // a line up; at the top it would push all lines down
		s.y--
		return
	}
	if mark != "" || final == "" {
		s.mode(whole)
		return
	}
	switch final {
	case "A":
		s.y = max(s.y-max(n, 1), s.top())
	case "B":
		s.down(max(n, 1), false)
	case "C":
		s.x = min(s.x+max(n, 1), s.width-1)
	case "D":
		s.x = max(s.x-max(n, 1), 0)
	case "G":
		s.x = min(max(n, 1), s.width) - 1
	case "J", "K", "X", "P":
		s.erase(final, n, numbers)
	case "L":
		s.lines = slices.Insert(s.lines, s.y, make([][]rune, n)...)
		s.lines = s.lines[:max(len(s.lines)-n, s.y+1)]
	case "m":
	default:
		s.Odd = append(s.Odd, fmt.Sprintf("%q", whole))
	}
}

// mode follows whether the cursor is shown; up is the one move among the short sequences.
func (s *Screen) mode(whole string) {
	switch whole {
	case "\x1bM":
		s.x = min(s.x, s.width-1)
		if s.y > s.top() {
			s.y--
		} else {
			s.lines = slices.Insert(s.lines[:max(len(s.lines)-1, s.y)], s.y, nil)
		}
	case "\x1b[?25l":
		s.NoCursor = true
	case "\x1b[?25h":
		s.NoCursor = false
	default:
		s.Odd = append(s.Odd, fmt.Sprintf("%q", whole))
	}
}

// erase takes characters away: to the end of the screen or of the line, or some.
func (s *Screen) erase(final string, n int, numbers string) {
	line := s.lines[s.y]
	head := slices.Clone(line[:min(s.x, len(line))])
	switch {
	case final == "X" && s.x < len(line):
		tail := line[min(s.x+n, len(line)):]
		s.lines[s.y] = append(append(head, []rune(strings.Repeat(" ", min(n, len(line)-s.x)))...), tail...)
	case final == "P" && s.x < len(line):
		s.lines[s.y] = append(head, line[min(s.x+n, len(line)):]...)
	case (final == "J" || final == "K") && (numbers == "" || numbers == "0"):
		s.lines[s.y] = head
		if final == "J" {
			s.lines = s.lines[:s.y+1]
		}
	case final == "J" || final == "K":
		s.Odd = append(s.Odd, fmt.Sprintf("%q", numbers+final))
	}
}

// Text is everything that can be read, what scrolled away included.
func (s *Screen) Text() string {
	var b strings.Builder
	for _, l := range s.lines {
		b.WriteString(strings.TrimRight(string(l), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
