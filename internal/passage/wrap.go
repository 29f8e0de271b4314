package passage

import (
	"math"
	"strings"
)

// wraps marks rows that go on with the row before although the white space between them is more than usual: lists are
// often set closer than paragraphs. The row before must be full, so that the first word of this one had no room
// there, and either end within a sentence or stand as far from its own neighbour.
func (p *page) wraps(rows []row) {
	const most, same = 0.8, 0.08
	for i := 1; i < len(rows); i++ {
		r, before := &rows[i], rows[i-1]
		if r.breaks || math.IsNaN(r.gap) || r.gap > most || p.near(*r) || r.mark != "" || !p.full(before, *r) ||
			r.Box.X0 < before.Box.X0-2 || !similar(r.Size, before.Size) {
			continue
		}
		even := math.Abs(before.gap-r.gap) < same || i+1 < len(rows) && math.Abs(rows[i+1].gap-r.gap) < same
		r.wraps = even || !endsSentence(before.text)
	}
}

// full: the first word of the next row would not have fitted into this one.
func (p *page) full(r, next row) bool {
	letters := len([]rune(next.text))
	if r.Page != next.Page || r.Box == (Box{}) || letters == 0 || r.beside || next.beside {
		return false
	}
	word := float64(len([]rune(firstWord(next.text)))) * (next.Box.X1 - next.Box.X0) / float64(letters)
	return r.Box.X1+word+0.2*r.Size > p.right[r.Page]
}

// similar: of one size, but for the symbols in code font that a line may be made of.
func similar(a, b float64) bool { return a >= 0.8*b && b >= 0.8*a }

// withinSentence takes back marks of list items that are none: "(see section" and below it "5) and so on", "first one, and" and
// below it "(2) another".
func (p *page) withinSentence(rows []row) {
	for i := 1; i < len(rows); i++ {
		r, before := &rows[i], rows[i-1]
		if r.kind != List || !strings.HasPrefix(strings.TrimSpace(r.Text), r.mark) || before.mark != "" || before.kind != Body ||
			before.Page != r.Page || !p.near(*r) || !p.full(before, *r) || endsSentence(before.text) ||
			math.Abs(before.Box.X0-r.Box.X0) > 2 || p.hasSibling(rows[:i], *r) {
			continue
		}
		r.kind, r.text, r.mark = Body, strings.TrimSpace(r.Text), ""
	}
}

// hasSibling: an item with a mark of the same make begins on the same left edge shortly above.
func (p *page) hasSibling(rows []row, r row) bool {
	const most = 20
	for i := len(rows) - 1; i >= max(0, len(rows)-most) && rows[i].Page == r.Page; i-- {
		if rows[i].mark != "" && math.Abs(rows[i].Box.X0-r.Box.X0) < 2 && isBullet(rows[i].mark) == isBullet(r.mark) {
			return true
		}
	}
	return false
}
