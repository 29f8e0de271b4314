package report

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/automaton-auditor/automaton/internal/court"
)

// maxLine is how much of a foreign string a terminal gets to see, in runes.
const maxLine = 200

// clean makes foreign text safe for one line of a terminal.
func clean(s string) string { return court.Clean(s, maxLine) }

// cells is the room that s takes on a terminal: East Asian wide characters
// take two columns, combining marks none.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// cut shortens s to n columns with an ellipsis at its end.
func cut(s string, n int) string {
	if cells(s) <= n {
		return s
	}
	return head(s, n-1) + "…"
}

// cutWord shortens s to n columns at a blank, with an ellipsis; where the first
// word is wider, in it.
func cutWord(s string, n int) string {
	if cells(s) <= n {
		return s
	}
	whole := head(s, n-1)
	if !strings.HasPrefix(s[len(whole):], " ") {
		if i := strings.LastIndexByte(whole, ' '); i > 0 {
			whole = whole[:i]
		}
	}
	return strings.TrimRight(whole, " ,;:(") + "…"
}

// head is the beginning of s that fits into n columns.
func head(s string, n int) string {
	for i, r := range s {
		if n -= runeCells(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// cutLeft shortens s to n columns and keeps its end, as a place needs it.
func cutLeft(s string, n int) string {
	if cells(s) <= n {
		return s
	}
	runes, room := []rune(s), n-1
	for i, r := range slices.Backward(runes) {
		if room -= runeCells(r); room < 0 {
			return "…" + string(runes[i+1:])
		}
	}
	return s
}

func left(s string, n int) string  { return s + strings.Repeat(" ", max(0, n-cells(s))) }
func right(s string, n int) string { return strings.Repeat(" ", max(0, n-cells(s))) + s }

// wrap breaks s at blanks into lines of at most n columns; a longer word stands
// alone on its line and is cut hard.
func wrap(s string, n int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		for cells(word) > n {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			piece := head(word, n)
			if piece == "" { // a wide rune in one column
				piece = word
			}
			lines, word = append(lines, piece), word[len(piece):]
		}
		switch {
		case word == "":
		case line == "":
			line = word
		case cells(line)+1+cells(word) <= n:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// fewLines is wrap, cut at a word where it would be more than so many lines.
func fewLines(s string, n, most int) []string {
	lines := wrap(s, n)
	if len(lines) > most {
		lines = append(lines[:most-1], cutWord(strings.Join(lines[most-1:], " "), n))
	}
	return lines
}

// wrapItems breaks a list that is joined by commas between its items, and only
// an item that is longer than a line at its blanks.
func wrapItems(items []string, n int) []string {
	var lines []string
	line := ""
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		if line != "" && cells(line)+1+cells(item) <= n {
			line += " " + item
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		pieces := wrap(item, n)
		lines = append(lines, pieces[:max(0, len(pieces)-1)]...)
		line = ""
		if len(pieces) > 0 {
			line = pieces[len(pieces)-1]
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// hung puts a start before the first of some lines, and so many blanks before the others.
func hung(start string, indent int, lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(start + l + "\n")
		start = strings.Repeat(" ", indent)
	}
	return b.String()
}

// legend explains what stands above it.
func legend(words string, o TextOptions) string {
	var b strings.Builder
	for _, l := range wrap(words, o.width()-4) {
		b.WriteString("  " + paint(o.Color).faint(l) + "\n")
	}
	return b.String()
}

// trimRight drops the blanks at the ends of lines.
func trimRight(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// paint adds colour to what the words say already.
type paint bool

func (p paint) bold(s string) string  { return p.with("1", s) }
func (p paint) faint(s string) string { return p.with("2", s) }
func (p paint) red(s string) string   { return p.with("31", s) }
func (p paint) green(s string) string { return p.with("32", s) }
func (p paint) amber(s string) string { return p.with("33", s) }

func (p paint) with(code, s string) string {
	if !bool(p) || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
