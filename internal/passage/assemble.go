package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// passageLines and passageBytes bound one passage of a hostile document; a longer one goes on as another.
const (
	passageLines = 400
	passageBytes = 32 << 10
)

// assemble puts rows together that belong to one passage.
func (p *page) assemble(rows []row) []Passage {
	b := newBuilder()
	var open []row
	size := 0
	flush := func() {
		if len(open) > 0 {
			b.add(passageOf(open))
		}
		open, size = nil, 0
	}
	for _, r := range rows {
		if len(open) > 0 && (len(open) >= passageLines || size > passageBytes || !p.continues(open, r)) {
			flush()
		}
		open = append(open, r)
		size += len(r.text)
	}
	flush()
	return b.found
}

// continues says whether a row belongs to the open passage. The first row of the open one tells its kind.
func (p *page) continues(open []row, r row) bool {
	first, last := open[0], open[len(open)-1]
	if first.kind == Code || first.kind == Contents || first.kind == Table {
		return r.kind == first.kind && first.kind != Contents && r.Page-last.Page <= 1 && !r.breaks
	}
	if r.Page != last.Page {
		return p.overPage(first, last, r)
	}
	above := r.Box != (Box{}) && r.Box.Y1 < last.Box.Y0 // on top of the next column
	if above && endsSentence(last.text) || !above && !p.near(r) || above && r.Box.X0 <= last.Box.X0 {
		return false
	}
	switch first.kind {
	case Heading:
		return r.kind == Heading && r.level == first.level && r.mark == ""
	case Caption:
		return r.kind == Body && half(r.Size) == half(first.Size) && !endsSentence(last.text)
	case List:
		return r.kind == Body && r.mark == "" && (r.Box == Box{} || r.Box.X0 >= first.left-2)
	default:
		return r.kind == Body && p.sameRun(last, r) && !newParagraph(last, r)
	}
}

// sameRun: of one size, or within a sentence that fills its line: symbols in code font are often smaller.
func (p *page) sameRun(last, r row) bool {
	return half(r.Size) == half(last.Size) || similar(r.Size, last.Size) && !endsSentence(last.text) && p.full(last, r)
}

// overPage: a paragraph or item that does not end with its page goes on at the top of the next.
func (p *page) overPage(first, last, r row) bool {
	begin, _ := utf8.DecodeRuneInString(r.text)
	running := first.kind == Body || first.kind == List
	return running && r.kind == Body && r.Page == last.Page+1 && !endsSentence(last.text) &&
		(unicode.IsLower(begin) || unicode.IsDigit(begin)) && half(r.Size) == half(last.Size)
}

// newParagraph: an indented line after one that ended a sentence.
func newParagraph(last, r row) bool {
	return endsSentence(last.text) && r.Box.X0 > last.Box.X0+0.8*r.Size && r.Box.Y0 > last.Box.Y0
}

func passageOf(rows []row) Passage {
	passage := Passage{Kind: rows[0].kind, Level: rows[0].level}
	joined := make([]Line, len(rows))
	for i, r := range rows {
		if r.printed == nil {
			r.printed = []Line{r.Line}
		}
		passage.Lines = append(passage.Lines, r.printed...)
		joined[i] = Line{Text: r.text}
	}
	switch passage.Kind {
	case Code:
		passage.Text = verbatim(passage.Lines)
	case Table:
		passage.Text = verbatim(joined)
	default:
		passage.Text = strings.ReplaceAll(join(joined), "\u00AD", "")
	}
	return passage
}
