package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// char is one character of a page with its index in PDFium's text page.
type char struct {
	r     rune
	index int
}

// textReader reads the lines of one page.
type textReader struct {
	s        *session
	ref      references.FPDF_TEXTPAGE
	frame    frame
	sheet    Box
	suspects []suspect
	shown    []textObject // the other texts
	budget   *budget
	maxText  int
	capped   bool
	any      bool // the page has at least one character that one can see
	unspelt  bool // it has glyphs of which nobody knows the letter
}

// lines reads the page's text in PDFium's order, which is that of the content stream with line breaks where the
// writing moves down or back.
func (t *textReader) lines(page requests.Page) []Line {
	loaded, ok := ask(t.s, t.s.FPDFText_LoadPage, requests.FPDFText_LoadPage{Page: page})
	if !ok {
		return nil
	}
	t.ref = loaded.TextPage
	var lines []Line
	for _, chars := range t.split() {
		for _, run := range t.byVisibility(chars.chars) {
			line, ok := t.line(run)
			if !ok {
				continue
			}
			if !t.budget.line(len(line.Text)) {
				t.capped = true
				return lines
			}
			lines = append(lines, line)
		}
		if chars.hyphen && len(lines) > 0 {
			lines[len(lines)-1].Hyphen = true
		}
	}
	ask(t.s, t.s.FPDFText_ClosePage, requests.FPDFText_ClosePage{TextPage: t.ref})
	return lines
}

// rawLine is a line before it is looked at.
type rawLine struct {
	chars  []char
	hyphen bool
}

// PDFium replaces a hyphen at a line's end by one of these and goes on with the word without a line break.
const (
	hyphenMark  = 0x02
	hyphenMark2 = 0xFFFE
)

func (t *textReader) split() []rawLine {
	count, _ := ask(t.s, t.s.FPDFText_CountChars, requests.FPDFText_CountChars{TextPage: t.ref})
	whole := t.whole(count.Count)
	var lines []rawLine
	var current rawLine
	size := 0
	for i := range count.Count {
		if size >= t.maxText || !t.budget.char() {
			t.capped = true
			break
		}
		r, ok := t.letter(whole, i)
		if !ok {
			continue
		}
		size += 3
		switch {
		case r == '\n':
			lines = append(lines, current)
			current = rawLine{}
		case r == hyphenMark || r == hyphenMark2:
			current.chars = append(current.chars, char{'-', i})
			current.hyphen = true
			lines = append(lines, current)
			current = rawLine{}
		case r == '\r':
		case r == 0 || unicode.Is(unicode.Cc, r) && r != '\t':
			t.unspelt = true
		default:
			current.chars = append(current.chars, char{r, i})
		}
	}
	return append(lines, current)
}

// whole is the page's text in one piece, in UTF-16 as PDFium counts: asking for each character takes a third of all the
// time. nil when it is not as long as it should be.
func (t *textReader) whole(count int) []uint16 {
	if count == 0 || 3*count > t.maxText {
		return nil
	}
	text, ok := ask(t.s, t.s.FPDFText_GetText, requests.FPDFText_GetText{TextPage: t.ref, Count: count})
	if whole := utf16.Encode([]rune(text.Text)); ok && len(whole) == count {
		return whole
	}
	return nil
}

// letter is the character of an index; false for the second half of one outside of the basic plane. What has no
// letter looks like a hyphen in the whole, and only there.
func (t *textReader) letter(whole []uint16, index int) (rune, bool) {
	if whole == nil || whole[index] == hyphenMark2 {
		u, ok := ask(t.s, t.s.FPDFText_GetUnicode, requests.FPDFText_GetUnicode{TextPage: t.ref, Index: index})
		return rune(u.Unicode & 0x1FFFFF), ok
	}
	r := rune(whole[index])
	if !utf16.IsSurrogate(r) {
		return r, true
	}
	if index+1 < len(whole) {
		r = utf16.DecodeRune(r, rune(whole[index+1]))
		return r, r != unicode.ReplacementChar
	}
	return 0, false
}

// run is a part of a line that is visible or hidden as a whole.
type run struct {
	chars []char
	why   Hidden
}

// byVisibility splits a line where it changes between visible and hidden, looking at the first character of every
// word: a text object seldom ends within a word, and what is hidden to fool a reader comes in words. Words that run
// over the page's edge at the end of a visible line are not hidden: long lines of listings and badly set columns do
// so in honest documents.
func (t *textReader) byVisibility(chars []char) []run {
	if len(t.suspects) == 0 {
		return []run{{chars: chars}}
	}
	var runs []run
	blank := true
	var why Hidden
	for _, c := range chars {
		space := unicode.IsSpace(c.r)
		if blank && !space {
			why = t.hidden(c.index)
			if why == OffPage && len(runs) > 0 && runs[len(runs)-1].why == "" && t.overflows(c.index) {
				why = ""
			}
		}
		blank = space
		if n := len(runs); n == 0 || (runs[n-1].why != why && !space) {
			runs = append(runs, run{why: why})
		}
		last := &runs[len(runs)-1]
		last.chars = append(last.chars, c)
	}
	return runs
}

// hidden finds the suspect that a character belongs to: by place, then by what it is drawn with.
func (t *textReader) hidden(index int) Hidden {
	box, ok := t.box(index)
	if !ok {
		return ""
	}
	x, y := box.centre()
	for _, s := range t.suspects {
		if !s.box.near(Box{x, y, x, y}, 1) {
			continue
		}
		if t.drawnLike(index, s) && !t.repeated(x, y, s) {
			return s.why
		}
	}
	return ""
}

// repeated: the same look stands in the same place once more, where one can see it: over the box that covers the
// first, for example. Nothing tells to which of the two a character belongs.
func (t *textReader) repeated(x, y float64, s suspect) bool {
	return s.doubtful() && slices.ContainsFunc(t.shown, func(o textObject) bool {
		return o.mode == s.mode && o.fill == s.fill && o.box.contains(x, y)
	})
}

// overflows: beside the page, at most half its width away.
func (t *textReader) overflows(index int) bool {
	box, ok := t.box(index)
	return ok && box.X0 < 1.5*t.sheet.X1 && box.Y0 < t.sheet.Y1 && box.Y1 > 0
}

func (t *textReader) drawnLike(index int, s suspect) bool {
	switch s.why {
	case OffPage:
		return true
	case Tiny:
		return t.font(index).size < tinySize+0.5
	default:
	}
	object, ok := ask(t.s, t.s.FPDFText_GetTextObject, requests.FPDFText_GetTextObject{TextPage: t.ref, Index: index})
	if !ok {
		return false
	}
	mode, ok := ask(t.s, t.s.FPDFTextObj_GetTextRenderMode,
		requests.FPDFTextObj_GetTextRenderMode{PageObject: object.TextObject})
	if !ok || int(mode.TextRenderMode) != s.mode {
		return false
	}
	if s.why == Invisible {
		return true
	}
	c, ok := ask(t.s, t.s.FPDFText_GetFillColor, requests.FPDFText_GetFillColor{TextPage: t.ref, Index: index})
	return ok && colour{c.R, c.G, c.B, c.A} == s.fill
}

// box is the area of a character with its font's ascent and descent, so that all of a line are equally high.
func (t *textReader) box(index int) (Box, bool) {
	b, ok := ask(t.s, t.s.FPDFText_GetLooseCharBox, requests.FPDFText_GetLooseCharBox{TextPage: t.ref, Index: index})
	r := b.Rect
	return t.frame.box(float64(r.Left), float64(r.Bottom), float64(r.Right), float64(r.Top)), ok
}

// line makes a Line of a run. Leading blanks stay, because listings and drawings of characters need them.
func (t *textReader) line(r run) (Line, bool) {
	chars := r.chars
	for len(chars) > 0 && unicode.IsSpace(chars[len(chars)-1].r) {
		chars = chars[:len(chars)-1]
	}
	var text strings.Builder
	var inked []char
	for _, c := range chars {
		text.WriteRune(c.r)
		if !unicode.IsSpace(c.r) {
			inked = append(inked, c)
		}
	}
	if len(inked) == 0 {
		return Line{}, false
	}
	t.any = t.any || r.why == ""
	line := Line{Text: strings.ToValidUTF8(text.String(), "\uFFFD"), Hidden: r.why}
	line.Box, _ = t.box(inked[0].index)
	if last, ok := t.box(inked[len(inked)-1].index); ok {
		line.Box = line.Box.union(last)
	}
	t.face(&line, inked)
	gaps := t.gaps(line, chars)
	if len(gaps) > 0 {
		line.Text = tabbed(chars, gaps)
	}
	if line.Mono || len(gaps) > 0 || strings.ContainsFunc(line.Text, draws) {
		line.Words = t.words(chars)
	}
	return line, true
}

// draws: box drawing characters, blocks and arrows.
func draws(r rune) bool { return r >= 0x2500 && r <= 0x25FF || r >= 0x2190 && r <= 0x21FF }

// words are the left edges of the words of a line.
func (t *textReader) words(chars []char) []float64 {
	var found []float64
	for i, c := range chars {
		if unicode.IsSpace(c.r) || i > 0 && !unicode.IsSpace(chars[i-1].r) {
			continue
		}
		box, ok := t.box(c.index)
		if !ok {
			return nil
		}
		found = append(found, box.X0)
	}
	return found
}

// A line is as wide as its letters: more than wideLetter of the font size for each, and there are gaps in it. A
// single blank wider than wideBlank of the font size separates the cells of a table row or a mark from its item.
const (
	wideLetter = 0.44
	wideBlank  = 1.25
)

// gaps finds the single blanks that are gaps, by their position in chars. When nearly all of many
// blanks are wide, and equally so, the line is justified and has none.
func (t *textReader) gaps(line Line, chars []char) map[int]bool {
	if line.Size <= 0 || line.Box.width() < wideLetter*line.Size*float64(len(chars)) {
		return nil
	}
	found := map[int]bool{}
	blanks := 0
	least, most := math.Inf(1), 0.0
	for i := 1; i+1 < len(chars); i++ {
		if !unicode.IsSpace(chars[i].r) || unicode.IsSpace(chars[i-1].r) || unicode.IsSpace(chars[i+1].r) {
			continue
		}
		before, ok := t.box(chars[i-1].index)
		after, ok2 := t.box(chars[i+1].index)
		if !ok || !ok2 {
			continue
		}
		blanks++
		width := after.X0 - before.X1
		least, most = min(least, width), max(most, width)
		if width > wideBlank*line.Size {
			found[i] = true
		}
	}
	const many, uneven = 5, 4
	if len(found) >= many && 10*len(found) >= 7*blanks && most < uneven*max(least, 0.1*line.Size) {
		return nil
	}
	return found
}

func tabbed(chars []char, gaps map[int]bool) string {
	var text strings.Builder
	for i, c := range chars {
		if gaps[i] {
			c.r = '\t'
		}
		text.WriteRune(c.r)
	}
	return strings.ToValidUTF8(text.String(), "\uFFFD")
}

// face takes font and size from the middle of a line, and calls it bold or monospaced only when its beginning and
// its end are so too: a bold first word or a symbol in code font does not make a heading or a listing.
func (t *textReader) face(line *Line, inked []char) {
	line.Bold, line.Mono = true, true
	samples := []char{inked[len(inked)/2], inked[0], inked[len(inked)-1]}
	for i, c := range samples {
		if i > 0 && len(inked) == 1 {
			break
		}
		f := t.font(c.index)
		line.Bold = line.Bold && f.bold
		line.Mono = line.Mono && f.mono
		if i == 0 {
			line.Font = f.name
			line.Size = f.size
		}
	}
}
