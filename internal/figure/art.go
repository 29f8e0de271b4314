package figure

import (
	"strings"
	"unicode"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Characters that draw: box drawing (U+2500 to U+257F) and arrow heads.
func isBoxRune(r rune) bool { return r >= 0x2500 && r <= 0x257F }

const heads = "▼▲►◄▶◀↓↑→←⇓⇑v^"

var (
	asciiBox = regexp.MustCompile(`\+[-=]{2,}(\+|[-=]*>)`)
	// What a tree of folders never has: two boxes in a line, a line leaving a box downwards, or a fork from above.
	twoBoxes = regexp.MustCompile(`[┐┘╗╝╮╯]\s+.*[┌└╔╚╭╰]`)
	leaving  = regexp.MustCompile(`[└╚╰][─═]*[┬╦╤]|[┌╔╭├][─═]*[┴╩]|├─*┬`)
)

// isDrawn says whether a line has a part of a drawing: a box character, a border of + and -, or nothing but strokes
// and heads.
func isDrawn(line string) bool {
	if strings.ContainsFunc(line, isBoxRune) || asciiBox.MatchString(line) {
		return true
	}
	strokes := 0
	for _, r := range line {
		switch {
		case unicode.IsSpace(r):
		case strings.ContainsRune(heads, r), strings.ContainsRune(`|/\`, r):
			strokes++
		default:
			return false
		}
	}
	return strokes > 0
}

// An arrow of signs over two lines, of which a drawing has more than one.
var (
	lineOnly = regexp.MustCompile(`^\s*\|[\s|]*$`)
	headLine = regexp.MustCompile(`^\s*[vV][\s|vV]*$`)
)

// artLines is from how many drawn lines on something is a drawing.
const artLines = 4

// isArt tells a drawing of boxes or arrows from a tree of folders and from a table with borders.
func isArt(lines []string) bool {
	drawn, joints, borders, arrows := 0, 0, 0, 0
	for i, line := range lines {
		if !isDrawn(line) {
			continue
		}
		drawn++
		lone := !strings.ContainsFunc(line, unicode.IsLetter) && strings.ContainsAny(line, "▼▲↓↑⇓⇑")
		if lone || twoBoxes.MatchString(line) || leaving.MatchString(line) && !strings.ContainsAny(line, "┼╬") {
			joints++
		}
		if asciiBox.MatchString(line) {
			borders++
		}
		if i > 0 && headLine.MatchString(line) && lineOnly.MatchString(lines[i-1]) {
			arrows++
		}
	}
	if drawn < artLines {
		return false
	}
	return joints > 0 || arrows > 1 || borders >= 2 && asciiJoint(lines)
}

var asciiArrow = regexp.MustCompile(`^[\s|]*[v^|][\s|v^]*$|--+>|<--+|\+\s{2,}\+[-=]`)

// asciiJoint: boxes of + and - are tied by an arrow or stand side by side. A table's rows have no such line.
func asciiJoint(lines []string) bool {
	for _, line := range lines {
		if asciiArrow.MatchString(line) && strings.TrimSpace(line) != "" {
			return true
		}
	}
	return false
}
