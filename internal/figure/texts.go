package figure

import (
	"regexp"
	"strings"

	"github.com/automaton-auditor/automaton/internal/pdf"
)

// texts finds drawings of characters and printed diagram sources in the lines of a document. Both may go over pages.
func texts(doc *pdf.Document) []Figure {
	var lines []placed
	for _, p := range doc.Pages {
		for _, l := range p.Lines {
			if l.Hidden == "" {
				lines = append(lines, placed{l, p.Number})
			}
		}
	}
	var found []Figure
	for i := 0; i < len(lines); {
		if n := artRun(lines[i:]); n > 0 {
			f := textFigure(Text, lines[i:i+n])
			f.Caption = captionOf(lines, i, i+n)
			found = append(found, f)
			i += n
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
			i += n
			continue
		}
		i++
	}
	return found
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
