package figure

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/pdf"
)

// texts finds drawings of characters, printed diagram sources and chains in the lines of a document. They may go over
// pages.
func texts(doc *pdf.Document) []Figure {
	lines := visible(doc)
	var found []Figure
	for i, last := 0, 0; i < len(lines); {
		if n := artRun(lines[i:]); n > 0 {
			from, to := grow(lines, last, i, i+n)
			f := textFigure(Text, lines[from:to])
			read := fromArt(f.Source, columns(lines[from:to]))
			f.Graph, f.Readable = read.Graph, read.Readable
			f.Caption = captionOf(lines, from, to)
			found = append(found, f)
			i, last = to, to
			continue
		}
		origin, n := Mermaid, sourceRun(lines[i:])
		if n == 0 {
			origin, n = DOT, dotRun(lines[i:])
		}
		if n > 0 {
			f := textFigure(origin, lines[i:i+n])
			read := fromSource(origin, f.Source)
			f.Graph, f.Readable = read.Graph, read.Readable
			f.Caption = captionOf(lines, i, i+n)
			found = append(found, f)
			i, last = i+n, i+n
			continue
		}
		if f, n := chainOn(lines, i); n > 0 {
			f.Caption = captionOf(lines, i, i+n)
			found = append(found, f)
			i, last = i+n, i+n
			continue
		}
		i++
	}
	return found
}

// visible are the lines that a reader sees, without running headers and footers: what they interrupt goes on.
func visible(doc *pdf.Document) []placed {
	const pages = 3
	edge := func(p *pdf.Page, l pdf.Line) bool {
		const margin = 0.08 // of the page's height
		return l.Box.Y1 < margin*p.Height || l.Box.Y0 > (1-margin)*p.Height
	}
	shape := func(text string) string { return number.ReplaceAllString(strings.Join(strings.Fields(text), " "), "#") }
	on := map[string]int{}
	for i := range doc.Pages {
		seen := map[string]bool{}
		for _, l := range doc.Pages[i].Lines {
			if s := shape(l.Text); edge(&doc.Pages[i], l) && !seen[s] {
				seen[s] = true
				on[s]++
			}
		}
	}
	var lines []placed
	for i := range doc.Pages {
		for _, l := range doc.Pages[i].Lines {
			if l.Hidden == "" && (!edge(&doc.Pages[i], l) || on[shape(l.Text)] < pages) {
				lines = append(lines, placed{l, doc.Pages[i].Number})
			}
		}
	}
	return lines
}

var number = regexp.MustCompile(`\d+`)

// grow takes the names above and below a drawing into it, to which its first and its last line lead.
func grow(lines []placed, low, from, to int) (int, int) {
	if from > low && strings.ContainsAny(lines[from].Text, "│|▼↓├║┃") && isName(lines[from-1]) {
		from--
	}
	if to < len(lines) && leadsDown(lines[to-1].Text) && isName(lines[to]) {
		to++
	}
	return from, to
}

// leadsDown: nothing but lines and heads that lead to the next line.
func leadsDown(text string) bool {
	return headLine.MatchString(text) || strings.ContainsAny(text, "│|▼↓║┃") && !strings.ContainsFunc(text, unicode.IsLetter)
}

// isName: a few words that are not a sentence and no caption.
func isName(l placed) bool {
	const words = 6
	text := strings.TrimSpace(l.Text)
	return len(strings.Fields(text)) <= words && !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ":") && !caption.MatchString(text) &&
		strings.ContainsFunc(text, unicode.IsLetter)
}

type placed struct {
	pdf.Line
	page int
}

func textFigure(origin Origin, lines []placed) Figure {
	f := Figure{Origin: origin, Page: lines[0].page, Box: lines[0].Box}
	source := make([]string, len(lines))
	for i, l := range lines {
		source[i] = l.Text
		if l.page == f.Page {
			f.Box = union(f.Box, l.Box)
		}
	}
	f.Source = strings.Join(source, "\n")
	f.Digest = digest(f.Source)
	return f
}

// columns sets the lines of a page so that what stands below something on the page stands below it in characters.
// The width of a character is that of the last words of the lines, most of which are strokes.
func columns(lines []placed) []string {
	var widths []float64
	first := lines[0].Box.X0
	for _, l := range lines {
		first = min(first, l.Box.X0)
		words := strings.Fields(l.Text)
		const long = 3 // letters of a word that tells
		if n := len(words); n > 0 && len(l.Words) == n && utf8.RuneCountInString(words[n-1]) >= long {
			widths = append(widths, (l.Box.X1-l.Words[n-1])/float64(utf8.RuneCountInString(words[n-1])))
		}
	}
	rows := make([]string, len(lines))
	if len(widths) == 0 {
		for i, l := range lines {
			rows[i] = l.Text
		}
		return rows
	}
	slices.Sort(widths)
	width := max(widths[len(widths)/2], 1)
	for i, l := range lines {
		rows[i] = set(l, first, width)
	}
	return rows
}

// set puts the words of a line into their columns, with at least one blank between two.
func set(l placed, first, width float64) string {
	var row strings.Builder
	used := 0
	for i, word := range strings.Fields(l.Text) {
		col := used + 1
		switch {
		case i < len(l.Words):
			col = int(math.Round((l.Words[i] - first) / width))
		case i == 0:
			col = int(math.Round((l.Box.X0 - first) / width))
		}
		if i > 0 {
			col = max(col, used+1)
		}
		col = min(max(col, used), maxColumns)
		row.WriteString(strings.Repeat(" ", col-used))
		row.WriteString(word)
		used = col + utf8.RuneCountInString(word)
	}
	return row.String()
}

// artGap is how many lines of labels may stand between two drawn lines, artMax how long a drawing is at most.
const (
	artGap = 4
	artMax = 300
)

// artRun is the length of the drawing that begins here; 0 when none does.
func artRun(lines []placed) int {
	if !isDrawn(lines[0].Text) {
		return 0
	}
	end, quiet := 0, 0
	for i := 0; i < min(len(lines), artMax) && quiet <= artGap; i++ {
		if isDrawn(lines[i].Text) {
			end, quiet = i+1, 0
		} else {
			quiet++
		}
	}
	text := make([]string, end)
	for i := range end {
		text[i] = lines[i].Text
	}
	if !isArt(text) {
		return 0
	}
	return end
}

var (
	sourceHead = regexp.MustCompile(`^\s*(?:graph|flowchart)\s+(?:TD|TB|BT|LR|RL)\s*;?\s*$|^\s*stateDiagram(?:-v2)?\s*$`)
	sourceLine = regexp.MustCompile(`--+>|-\.+->|==+>|---|^\s*(?:subgraph|end|style|classDef|class|linkStyle|direction|state|click)\b|^\s*%%|^\s*\w+\s*[\[({].*[\])}]\s*$`)
)

// sourceRun is the length of the Mermaid source that begins here; lines that it was broken into count up to two.
func sourceRun(lines []placed) int {
	if !sourceHead.MatchString(lines[0].Text) {
		return 0
	}
	end, quiet := 1, 0
	for i := 1; i < min(len(lines), artMax) && quiet <= 2; i++ {
		if sourceLine.MatchString(lines[i].Text) {
			end, quiet = i+1, 0
		} else {
			quiet++
		}
	}
	if end < 3 {
		return 0
	}
	return end
}

// dotRun is the length of the DOT source that begins here: to the brace that
// closes it, with an edge in between.
func dotRun(lines []placed) int {
	if !dotHead.MatchString(strings.TrimSpace(lines[0].Text)) {
		return 0
	}
	depth, edges := 0, 0
	for i := 0; i < min(len(lines), artMax); i++ {
		depth += strings.Count(lines[i].Text, "{") - strings.Count(lines[i].Text, "}")
		if strings.Contains(lines[i].Text, "->") || strings.Contains(lines[i].Text, "--") {
			edges++
		}
		if depth <= 0 {
			return min(edges, 1) * (i + 1)
		}
	}
	return 0
}

// captionOf looks at the line after a run of lines and at the one before.
func captionOf(lines []placed, from, to int) string {
	for _, i := range []int{to, to + 1, from - 1} {
		if i >= 0 && i < len(lines) && caption.MatchString(lines[i].Text) {
			return strings.TrimSpace(lines[i].Text)
		}
	}
	return ""
}
