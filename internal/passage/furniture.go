package passage

import (
	"strings"
	"unicode"
)

// furnitureEdge is which part of the page's height, above and below, may hold headers and footers.
const furnitureEdge = 0.1

// withoutFurniture leaves out running headers, footers and page numbers: lines at the edge of the page whose text,
// but for its digits, returns on at least three pages and a third of all.
func withoutFurniture(lines []Line) []Line {
	pages := map[int]bool{}
	height := 0.0
	for _, l := range lines {
		pages[l.Page] = true
		height = max(height, l.Box.Y1)
	}
	needed := max(3, (len(pages)+2)/3)
	if len(pages) < 3 || height == 0 {
		return lines
	}
	on := map[string]map[int]bool{}
	for _, l := range lines {
		if key, ok := furnitureKey(l, height); ok {
			if on[key] == nil {
				on[key] = map[int]bool{}
			}
			on[key][l.Page] = true
		}
	}
	kept := make([]Line, 0, len(lines))
	for _, l := range lines {
		if key, ok := furnitureKey(l, height); ok && len(on[key]) >= needed {
			continue
		}
		kept = append(kept, l)
	}
	return kept
}

// furnitureKey is the text without its numbers; false when the line is not at an edge.
func furnitureKey(l Line, height float64) (string, bool) {
	if l.Box == (Box{}) || (l.Box.Y0 > furnitureEdge*height && l.Box.Y1 < (1-furnitureEdge)*height) {
		return "", false
	}
	text := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, l.Text)
	return text, true
}
