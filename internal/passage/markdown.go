package passage

import (
	"slices"
	"strings"
)

// FromMarkdown makes passages of a Markdown text: headings, paragraphs, list items, tables, code blocks. Marks within a
// line stay as they are. Lines are numbered as in the text.
func FromMarkdown(text string) []Passage {
	b := newBuilder()
	for _, read := range blocks(text) {
		if read.Kind == Heading {
			b.add(read.Passage)
			continue
		}
		from, size := 0, 0
		for i, l := range read.Lines {
			if i-from >= passageLines || size > passageBytes {
				b.add(read.part(from, i))
				from, size = i, 0
			}
			size += len(l.Text)
		}
		b.add(read.part(from, len(read.Lines)))
	}
	return b.found
}

// Listings lists the code blocks of a Markdown text that a fence opens and a fence ends, each whole, however long it is.
func Listings(text string) []Passage {
	var found []Passage
	for _, read := range blocks(text) {
		if read.ended && len(read.Lines) > 0 {
			found = append(found, read.part(0, len(read.Lines)))
		}
	}
	return found
}

// part is some lines of a block as a passage.
func (b *block) part(from, to int) Passage {
	p := Passage{Kind: b.Kind, Lines: slices.Clip(b.Lines[from:to]), Lang: b.Lang}
	switch p.Kind {
	case Code, Table:
		p.Text = verbatim(p.Lines)
	default:
		p.Text = running(p.Lines, p.Kind)
		if captionStart.MatchString(strings.TrimLeft(p.Text, "*_")) {
			p.Kind = Caption
		}
	}
	return p
}

// running joins the lines of a paragraph or item without its marks. Markdown breaks lines at blanks only, so that no
// word has to be made whole.
func running(lines []Line, kind Kind) string {
	var words []string
	for i, l := range lines {
		text := strings.TrimSpace(strings.TrimLeft(l.Text, " >"))
		if i == 0 && kind == List {
			_, text = splitMark(text)
		}
		words = append(words, strings.Fields(strings.TrimSuffix(text, "\\"))...)
	}
	return strings.Join(words, " ")
}
