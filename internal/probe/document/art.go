package document

import (
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/figure"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	cells     = regexp.MustCompile(`[│|║\t]+|\s{2,}`)
	rightward = regexp.MustCompile(`→|►|▶|-+>|=+>`)
	downward  = regexp.MustCompile(`[▼↓⇓]|\bv\b`)
	forking   = regexp.MustCompile(`[─═][┬┼╦╬][─═]`)
)

// forkLines is how many lines above a row its fork stands at most: its arrows
// and the upper edges of its boxes.
const forkLines = 5

// besides reads one thing of a drawing of characters: the boxes of a role that
// stand in one line, with no arrow from one to the next, right below a line
// that forks or has an arrow down for each, or that are the branches of a tree.
// Nothing is said of other drawings.
func besides(f figure.Figure, r role) []string {
	if f.Origin != figure.Text {
		return nil
	}
	lines := strings.Split(f.Source, "\n")
	if boxes := branches(lines, r); boxes != nil {
		return boxes
	}
	for i, line := range lines {
		if rightward.MatchString(line) {
			continue
		}
		var boxes []string
		for _, cell := range cells.Split(line, -1) {
			if cell = strings.TrimSpace(cell); cell != "" && len(cell) < 60 && roleOf(cell) == r {
				boxes = append(boxes, cell)
			}
		}
		if len(boxes) < 2 {
			continue
		}
		for _, above := range lines[max(0, i-forkLines):i] {
			if forking.MatchString(above) && !strings.ContainsAny(above, "└┴┘") || len(downward.FindAllString(above, -1)) >= len(boxes) {
				return boxes
			}
		}
	}
	return nil
}

var twig = regexp.MustCompile(`^[\s│|]*[├└][─\-\s]*(?:[►▶>]\s*)?([^├└─]+)$`)

// branches are the boxes of a role that hang one below the other on one stem,
// followed by one arrow down: what forks there meets again.
func branches(lines []string, r role) []string {
	var boxes []string
	for _, line := range lines {
		m := twig.FindStringSubmatch(line)
		switch {
		case m != nil && roleOf(m[1]) == r && !strings.ContainsAny(m[1], "./"):
			boxes = append(boxes, strings.TrimSpace(m[1]))
		case m == nil && len(boxes) > 1 && downward.MatchString(line) && !strings.ContainsFunc(line, unicode.IsLetter):
			return boxes
		case m != nil || downward.MatchString(line):
			boxes = nil
		}
	}
	return nil
}
