package passage

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cut makes passages of the printed lines of a document, given in reading order. It goes by type size, face, place
// and marks; page headers, page footers and page numbers are left out.
func Cut(lines []Line) []Passage {
	rows := rowsOf(lines)
	p := measure(rows)
	rows = p.wrappedRows(rows)
	p.wraps(rows)
	p.classify(rows)
	return p.assemble(rows)
}

// row is a line with what is found out about it.
type row struct {
	Line
	text    string  // trimmed
	mark    string  // its list mark, when it has one
	left    float64 // where its text may begin: right of a mark that stood alone, else its box
	gap     float64 // white space above it in units of its size; NaN when it does not stand below the row before
	beside  bool    // another row stands beside it
	breaks  bool    // an empty line stood before it
	wraps   bool    // it goes on with the row before, whatever the gap
	kind    Kind
	level   int
	printed []Line // the lines that a table row was put together from; nil for others
}

func rowsOf(lines []Line) []row {
	rows := make([]row, 0, len(lines))
	breaks := false
	for _, l := range withoutFurniture(lines) {
		text := strings.TrimSpace(l.Text)
		if text == "" {
			breaks = true
			continue
		}
		rows = append(rows, row{Line: l, text: text, breaks: breaks})
		breaks = false
	}
	rows = attachMarks(rows)
	for i := range rows {
		rows[i].gap = math.NaN()
		if rows[i].mark == "" {
			rows[i].left = rows[i].Box.X0
		}
		if i > 0 && rows[i-1].Page == rows[i].Page && rows[i].Box != (Box{}) {
			rows[i].gap = (rows[i].Box.Y0 - rows[i-1].Box.Y1) / max(1, rows[i].Size)
		}
	}
	findNeighbours(rows)
	return rows
}

// isMark: the text is nothing but the mark of a list item.
func isMark(text string) bool {
	mark, rest := splitMark(text + " x")
	return mark != "" && rest == "x"
}

// splitMark cuts the mark of a list item off: a bullet, "3.", "b)" or "(iv)".
func splitMark(text string) (mark, rest string) {
	text = strings.TrimSpace(text)
	end := strings.IndexAny(text, " \t\u00A0")
	if end < 1 || end > 7 {
		return "", text
	}
	mark = text[:end]
	if !isBullet(mark) && !isOrdinal(mark) {
		return "", text
	}
	return mark, strings.TrimSpace(strings.TrimLeft(text[end:], "\u00A0 \t"))
}

func isBullet(mark string) bool {
	r, n := utf8.DecodeRuneInString(mark)
	return n == len(mark) && strings.ContainsRune("•◦▪‣○●■□–—*-+o\u00B7\uF0B7\uF0A7❖➢✓✔", r)
}

func isOrdinal(mark string) bool {
	inner := strings.TrimRight(strings.TrimPrefix(mark, "("), ".)")
	if inner == "" || len(inner) > 4 || len(inner) == len(mark) || strings.HasPrefix(mark, "(") && !strings.HasSuffix(mark, ")") {
		return false
	}
	digits := strings.Trim(inner, "0123456789") == ""
	roman := strings.Trim(inner, "ivx") == ""
	letter := len(inner) == 1 && unicode.IsLetter(rune(inner[0]))
	return digits && len(inner) <= 3 || roman || letter
}

// attachMarks puts marks that stand alone to the line beside them: browsers print all marks of a page after its text.
func attachMarks(rows []row) []row {
	marks := map[int][]int{}
	for i, r := range rows {
		if r.Box != (Box{}) && (isMark(r.text) || r.text == ".") { // the number before a lone full stop may be drawn
			marks[r.Page] = append(marks[r.Page], i)
		}
	}
	used := map[int]bool{}
	for i := range rows {
		for _, m := range marks[rows[i].Page] {
			if m != i && rows[i].mark == "" && besideMark(rows[m].Box, rows[i].Box) && !slices.Contains(marks[rows[i].Page], i) {
				rows[i].mark, rows[i].left = rows[m].text, rows[m].Box.X1
				used[m] = true
			}
		}
	}
	kept := rows[:0:0]
	for i, r := range rows {
		if !used[i] {
			kept = append(kept, r)
		}
	}
	return kept
}

// besideMark: on the same height, and directly right of the mark.
func besideMark(mark, text Box) bool {
	const near = 40.0 // points
	middle := (mark.Y0 + mark.Y1) / 2
	return text.X0 >= mark.X0 && text.X0-mark.X1 < near && middle > text.Y0 && middle < text.Y1
}

// window is how many rows apart the cells of one table row are at most. The columns of a page are further apart.
const window = 6

func findNeighbours(rows []row) {
	for i := range rows {
		for j := i + 1; j < len(rows) && j <= i+window && rows[j].Page == rows[i].Page; j++ {
			if sideBySide(rows[i].Box, rows[j].Box) {
				rows[i].beside, rows[j].beside = true, true
			}
		}
	}
}

func sideBySide(a, b Box) bool {
	overlap := min(a.Y1, b.Y1) - max(a.Y0, b.Y0)
	return overlap > 0.5*min(a.Y1-a.Y0, b.Y1-b.Y0) && (a.X1 <= b.X0 || b.X1 <= a.X0)
}

// page is what is usual in this document.
type page struct {
	body  float64         // font size of running text
	lead  float64         // white space between the lines of a paragraph, in units of the size
	right map[int]float64 // right edge of the text, by page
	sizes []heading
}

// measure finds the size that most characters have and the usual leading.
func measure(rows []row) *page {
	weight := map[float64]int{}
	var gaps []float64
	p := &page{right: map[int]float64{}}
	for _, r := range rows {
		p.right[r.Page] = max(p.right[r.Page], r.Box.X1)
		if !r.Mono {
			weight[half(r.Size)] += len(r.text)
		}
		if !math.IsNaN(r.gap) && r.gap > -0.5 && r.gap < 2 && !r.beside {
			gaps = append(gaps, r.gap)
		}
	}
	most := -1
	for _, size := range slices.Sorted(maps.Keys(weight)) {
		if weight[size] > most {
			most, p.body = weight[size], size
		}
	}
	if len(gaps) > 0 {
		slices.Sort(gaps)
		p.lead = gaps[len(gaps)*3/10] // paragraph gaps are among them, so less than the median
	}
	return p
}

func half(size float64) float64 { return math.Round(size*2) / 2 }

// near: the row follows the one before without a paragraph's gap.
func (p *page) near(r row) bool {
	return !r.breaks && (math.IsNaN(r.gap) || r.gap < p.lead+0.35 || r.wraps)
}
