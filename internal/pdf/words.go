package pdf

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is one word that OCR read in a picture.
type Word struct {
	Text       string
	Box        Box     // on the page, points
	Confidence float64 // 0 to 100, as the program says
	Row        int     // words of one printed line have the same, in reading order
}

// Words is what OCR read of one picture, in its reading order.
type Words []Word

// Bounds of what is taken from one picture. A page of dense text has 800 words.
const (
	maxWords     = 20_000
	maxWordBytes = 200
	maxLabels    = 300
	labelWords   = 2_000 // words that labels are made of: each is compared with every label
	maxLabel     = 120   // runes
)

// How sure the program must be of a word. A page is prose, where a doubtful word does little harm and a missing one
// breaks a sentence; a label is shown by itself. Design choices.
const (
	sureOnPage  = 30
	sureInLabel = 60
)

// tsvHead begins the table that tesseract writes: level, page, block, paragraph, line, word, left, top, width,
// height, confidence, text.
const tsvHead = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"

const (
	tsvFields = 12
	tsvWord   = 5 // the level of words
)

var errTable = errors.New("the program's answer is not a table of words")

// parseWords reads the table. Rows that are none of a word, or that lie outside of the picture, are passed over.
func parseWords(table []byte, p *Picture) (Words, error) {
	head, rest, _ := bytes.Cut(table, []byte("\n"))
	if strings.TrimRight(string(head), "\r") != tsvHead {
		return nil, errTable
	}
	var words Words
	var line [3]int // block, paragraph, line of the word before
	row := 0
	for raw := range bytes.Lines(rest) {
		f := strings.SplitN(strings.TrimRight(string(raw), "\r\n"), "\t", tsvFields)
		if len(f) != tsvFields {
			continue
		}
		var n [tsvFields - 2]int
		ok := true
		for i := range n {
			v, err := strconv.Atoi(f[i])
			n[i], ok = v, ok && err == nil && v >= 0
		}
		sure, err := strconv.ParseFloat(f[10], 64)
		text := strings.TrimSpace(cutString(f[11], maxWordBytes))
		left, top, width, height := n[6], n[7], n[8], n[9]
		if !ok || err != nil || n[0] != tsvWord || !(sure >= 0 && sure <= 100) || text == "" ||
			left > p.Width || top > p.Height || width > p.Width || height > p.Height {
			continue
		}
		if len(words) >= maxWords {
			break
		}
		if at := [3]int{n[2], n[3], n[4]}; at != line {
			line = at
			row++
		}
		words = append(words, Word{Text: text, Confidence: sure, Row: row, Box: p.place(left, top, width, height)})
	}
	return words, nil
}

// place is a rectangle of pixels on the page.
func (p *Picture) place(left, top, width, height int) Box {
	points := func(pixels int) float64 { return float64(pixels) * pointsPerInch / float64(p.DPI) }
	return Box{round(p.Box.X0 + points(left)), round(p.Box.Y0 + points(top)),
		round(p.Box.X0 + points(left+width)), round(p.Box.Y0 + points(top+height))}
}

// sure are the words of at least a confidence.
func (w Words) sure(least float64) Words {
	return slices.DeleteFunc(slices.Clone(w), func(x Word) bool { return x.Confidence < least })
}

// Lines puts words together to lines as Read gives them. A wide gap is a tab, as between the cells of a table. Size is
// the height of all but the tallest quarter of the line's words, in points: what is printed tells no more, and a
// bracket is taller than the line's letters.
func (w Words) Lines() []Line {
	var lines []Line
	sure := w.sure(sureOnPage)
	for len(sure) > 0 {
		n := slices.IndexFunc(sure, func(x Word) bool { return x.Row != sure[0].Row })
		if n < 0 {
			n = len(sure)
		}
		lines = append(lines, sure[:n].line())
		sure = sure[n:]
	}
	return lines
}

// line is the line that all of the words are in.
func (w Words) line() Line {
	const cell = 1.6 // of the height: a wider gap lies between cells
	heights := make([]float64, len(w))
	for i, x := range w {
		heights[i] = x.Box.height()
	}
	slices.Sort(heights)
	l := Line{Text: w[0].Text, Box: w[0].Box, Size: heights[len(heights)*3/4]}
	for i, x := range w[1:] {
		if x.Box.X0-w[i].Box.X1 > cell*l.Size {
			l.Text += "\t"
		} else {
			l.Text += " "
		}
		l.Text += x.Text
		l.Box = l.Box.union(x.Box)
	}
	return l
}

// Labels puts words together to what is printed in the boxes and at the arrows of a figure: words beside each other,
// and lines right below each other. What has fewer than two letters or digits is a stroke. They come in the order in
// which they were read, at most 300.
func (w Words) Labels() []Line {
	const apart, below, alike = 1.1, 0.75, 1.7 // of the height
	var labels []Line
	for _, x := range w[:min(len(w), labelWords)].sure(sureInLabel) {
		tall := x.Box.height()
		i := slices.IndexFunc(labels, func(l Line) bool {
			beside := min(l.Box.Y1, x.Box.Y1)-max(l.Box.Y0, x.Box.Y0) > tall/2 && x.Box.X0-l.Box.X1 < apart*min(l.Size, tall) && l.Box.X0 < x.Box.X0
			return beside && max(l.Size, tall) < alike*min(l.Size, tall) && utf8.RuneCountInString(l.Text+x.Text) < maxLabel
		})
		if i < 0 {
			labels = append(labels, Line{Text: x.Text, Box: x.Box, Size: tall})
			continue
		}
		labels[i].Text += " " + x.Text
		labels[i].Box, labels[i].Size = labels[i].Box.union(x.Box), max(labels[i].Size, tall)
	}
	var stacked []Line
	for _, x := range labels {
		i := slices.IndexFunc(stacked, func(l Line) bool {
			overlap := min(l.Box.X1, x.Box.X1) - max(l.Box.X0, x.Box.X0)
			gap := x.Box.Y0 - l.Box.Y1
			return 2*overlap > min(l.Box.width(), x.Box.width()) && gap > -x.Size/2 && gap < below*min(l.Size, x.Size) &&
				max(l.Size, x.Size) < alike*min(l.Size, x.Size) && utf8.RuneCountInString(l.Text+x.Text) < maxLabel
		})
		if i < 0 {
			stacked = append(stacked, x)
			continue
		}
		stacked[i].Text += " " + x.Text
		stacked[i].Box = stacked[i].Box.union(x.Box)
	}
	stacked = slices.DeleteFunc(stacked, func(l Line) bool { return letters(l.Text) < 2 })
	return stacked[:min(len(stacked), maxLabels)]
}

func letters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}
