package passage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// heading is one kind of heading in this document: larger and bolder ones stand above.
type heading struct {
	size float64
	bold bool
}

var (
	captionStart = regexp.MustCompile(`^(?i:figure|fig\.?|diagram|table|listing|image|exhibit|chart|screenshot)\s*\d+[a-z]?\s*[.:–—|-]`)
	leaders      = regexp.MustCompile(`(\.\s?){4,}\s*\d{1,4}$|…\s*\d{1,4}$`)
	pageAtEnd    = regexp.MustCompile(`[^\d\t]\t(\d{1,4})$`)
)

// classify says of each row what it is, first by itself, then by its neighbours.
func (p *page) classify(rows []row) {
	for i := range rows {
		rows[i].kind = p.kind(&rows[i])
	}
	p.withinSentence(rows)
	contents(rows)
	betweenCells(rows)
	p.loneGaps(rows)
	p.fenced(rows)
	p.loneCode(rows)
	p.boldParagraphs(rows)
	p.plainHeadings(rows)
	p.levels(rows)
}

func (p *page) kind(r *row) Kind {
	switch {
	case r.printed != nil:
		return Table
	case leaders.MatchString(r.text):
		return Contents
	case r.Mono || isDrawn(r.text):
		return Code
	case captionStart.MatchString(r.text):
		return Caption
	}
	if r.mark == "" {
		if mark, rest := splitMark(r.text); mark != "" && !p.isHeading(*r) {
			r.mark, r.text = mark, rest
		}
	}
	switch {
	case strings.Contains(r.text, "\t") && r.mark == "" || r.beside:
		return Table
	case p.isHeading(*r):
		if mark, rest, ok := strings.Cut(r.text, " "); ok && (isBullet(mark) && mark != "o" || mark == ".") {
			r.text = strings.TrimSpace(rest) // the title of an item, or a number that is drawn
		}
		return Heading
	case r.mark != "":
		return List
	}
	return Body
}

// isDrawn: lines and arrows made of characters.
func isDrawn(text string) bool {
	drawn, other := 0, 0
	for _, r := range text {
		switch {
		case r >= 0x2500 && r <= 0x257F, r >= 0x2580 && r <= 0x259F, strings.ContainsRune("▼▲◄►▶◀→←↓↑|", r):
			drawn++
		case !unicode.IsSpace(r):
			other++
		}
	}
	return drawn > 0 && (other == 0 || strings.ContainsFunc(text, func(r rune) bool { return r >= 0x2500 && r <= 0x257F }))
}

const (
	headingRunes = 120
	headingSize  = 1.12 // of the body's size
)

// isHeading: larger than the body, or bold as a whole; short, and no sentence.
func (p *page) isHeading(r row) bool {
	larger := half(r.Size) >= headingSize*p.body && p.body > 0
	if !larger && (!r.Bold || r.Size < 0.95*p.body) {
		return false
	}
	n := len([]rune(r.text))
	if n > headingRunes || !strings.ContainsFunc(r.text, unicode.IsLetter) || r.beside {
		return false
	}
	return larger || !strings.HasSuffix(r.text, ".") && !strings.HasSuffix(r.text, ",")
}

// contents finds entries of a table of contents without leaders: at least three rows in a run that end with page
// numbers which never fall. Marks of list items do not matter here.
func contents(rows []row) {
	start, before := 0, 0
	end := func(i int) {
		if i-start >= 3 {
			for j := start; j < i; j++ {
				rows[j].kind = Contents
			}
		}
	}
	for i := range rows {
		number := 0
		if m := pageAtEnd.FindStringSubmatch(rows[i].text); m != nil && rows[i].kind != Code {
			number, _ = strconv.Atoi(m[1]) // four digits at most
		}
		if number == 0 || number < before {
			end(i)
			start = i
			if number == 0 {
				start = i + 1
			}
		}
		before = number
	}
	end(len(rows))
}

// betweenCells: up to three short rows between rows of a table are cells too, those that fill their column.
func betweenCells(rows []row) {
	const most, short, near = 3, 100, 2.0
	last := -1 // the last row of a table
	for i := range rows {
		if rows[i].kind == Table {
			for j := last + 1; last >= 0 && i-last <= most+1 && j < i; j++ {
				rows[j].kind = Table
			}
			last = i
			continue
		}
		if rows[i].kind != Body || len(rows[i].text) > short || rows[i].gap > near || last >= 0 && rows[last].Page != rows[i].Page {
			last = -1
		}
	}
}

// loneCode: a single line in code font that continues a sentence is a symbol or path that filled its line.
func (p *page) loneCode(rows []row) {
	for i := 1; i < len(rows); i++ {
		r, before := &rows[i], rows[i-1]
		alone := i+1 == len(rows) || rows[i+1].kind != Code || rows[i+1].Page != r.Page
		if r.kind != Code || !alone || isDrawn(r.text) || before.Page != r.Page || !p.near(*r) {
			continue
		}
		if (before.kind == Body || before.kind == List) && !endsSentence(before.text) {
			r.kind = Body
		}
	}
}

// fenced: what stands between two lines of Markdown's fences is a listing, whatever its face. A heading or the name of a
// language says that the fence above was never closed.
func (p *page) fenced(rows []row) {
	const most = 200
	open := -1
	for i := range rows {
		switch {
		case !strings.HasPrefix(rows[i].text, "```"):
			if rows[i].kind == Heading && half(rows[i].Size) >= headingSize*p.body {
				open = -1
			}
			continue
		case open < 0 || i-open > most || rows[i].text != "```":
			open = i
			continue
		}
		for j := open; j <= i; j++ {
			rows[j].kind = Code
		}
		open = -1
	}
}

// boldParagraphs: more than three bold lines of body size in a row are emphasis and no headings, but for those that
// go on with the numbers of the outline.
func (p *page) boldParagraphs(rows []row) {
	const most = 3
	start := 0
	number := ""
	for i := 0; i <= len(rows); i++ {
		same := i < len(rows) && rows[i].kind == Heading && half(rows[i].Size) < headingSize*p.body &&
			(i == start || p.near(rows[i]))
		if same {
			continue
		}
		for j := start; j < min(i+1, len(rows)); j++ {
			own := numberOf(rows[j].text)
			next := own != "" && number != "" && isNext(own, number)
			if j < i && i-start > most && !next {
				rows[j].kind = Body
			}
			if own != "" && rows[j].kind == Heading {
				number = own
			}
		}
		start = i + 1
	}
}

// levels ranks the kinds of headings.
func (p *page) levels(rows []row) {
	for _, r := range rows {
		if h := (heading{half(r.Size), r.Bold}); r.kind == Heading && !slices.Contains(p.sizes, h) {
			p.sizes = append(p.sizes, h)
		}
	}
	slices.SortFunc(p.sizes, func(a, b heading) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(rank(b.bold), rank(a.bold)))
	})
	for i := range rows {
		if rows[i].kind == Heading {
			rows[i].level = 1 + slices.Index(p.sizes, heading{half(rows[i].Size), rows[i].Bold})
		}
	}
}

func rank(bold bool) int {
	if bold {
		return 1
	}
	return 0
}

func endsSentence(text string) bool {
	text = strings.TrimRight(text, ")]\"'”’ ")
	return strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") ||
		strings.HasSuffix(text, ":")
}
