package figure

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/pdf"
)

// captionNear finds the caption closest below a figure or above it.
func captionNear(p *pdf.Page, b pdf.Box) string {
	const within = 60.0 // points
	best, text := within, ""
	for _, l := range p.Lines {
		if l.Hidden != "" || !caption.MatchString(l.Text) {
			continue
		}
		distance := max(l.Box.Y0-b.Y1, b.Y0-l.Box.Y1)
		if distance > -within/2 && distance < best {
			best, text = distance, strings.TrimSpace(l.Text)
		}
	}
	return text
}

// A title is a short line that is not a sentence and has a word for what figures show.
const titleWords = 12

var titleNoun = regexp.MustCompile(`(?i)diagram|figure|flow|graph\b|chart|visuali[sz]ation|architectur|topology|overview|representation|illustration|schema|pipeline`)

func isTitle(text string) bool {
	text = strings.TrimSpace(text)
	return len(strings.Fields(text)) <= titleWords && !strings.HasSuffix(text, ".") && titleNoun.MatchString(text)
}

// titleAbove finds the line that names a figure among the two right above it. Those of a figure that begins its page
// end the page before.
func titleAbove(doc *pdf.Document, f Figure) string {
	const within, lines = 60.0, 2
	i := slices.IndexFunc(doc.Pages, func(p pdf.Page) bool { return p.Number == f.Page })
	if i < 0 {
		return ""
	}
	above := linesAbove(&doc.Pages[i], f.Box.Y0)
	switch {
	case len(above) > 0 && f.Box.Y0-above[0].Box.Y1 > within:
		return ""
	case len(above) == 0 && i > 0:
		above = linesAbove(&doc.Pages[i-1], doc.Pages[i-1].Height)
	}
	for _, l := range above[:min(len(above), lines)] {
		if isTitle(l.Text) {
			return strings.TrimSpace(l.Text)
		}
	}
	return ""
}

// linesAbove are the visible lines of a page above a height, the nearest first, without what stands at its edges, page
// numbers and the fences of listings.
func linesAbove(p *pdf.Page, y float64) []pdf.Line {
	const margin = 0.05 // of the page's height
	var found []pdf.Line
	for _, l := range p.Lines {
		if l.Hidden == "" && l.Box.Y1 <= y+1 && l.Box.Y0 > margin*p.Height && l.Box.Y1 < (1-margin)*p.Height && !strings.HasPrefix(l.Text, "```") &&
			strings.ContainsFunc(l.Text, unicode.IsLetter) {
			found = append(found, l)
		}
	}
	slices.SortStableFunc(found, func(a, b pdf.Line) int { return cmp.Compare(b.Box.Y1, a.Box.Y1) })
	return found
}

var (
	shotWords    = regexp.MustCompile(`(?i)screen[\s-]?(?:shots?|captures?|dumps?)|\b(?:langsmith|dashboards?|console|terminal|stdout|logs?|photo(?:graph)?s?|logos?|badges?|traces?|trace[\s_]?(?:views?|spans?))\b`)
	diagramWords = regexp.MustCompile(`(?i)diagram|architectur|flow|topology|schematic|state ?graph|pipeline|chart`)
)

// isShot: the words beside a picture say that it shows a screen, a photograph or a logo. A diagram of such things is
// still a diagram.
func isShot(texts ...string) bool {
	text := strings.Join(texts, "\n")
	return shotWords.MatchString(text) && !diagramWords.MatchString(text)
}
