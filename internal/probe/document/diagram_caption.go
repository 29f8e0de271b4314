package document

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var refersTo = regexp.MustCompile(`(?i)\b(?:figure|fig\.|diagram|image|exhibit)\s*\d|\b` + pictured + `s? (?:below|above|shows|showing|illustrates|illustrating|depicts|depicting|in (?:section|figure))|` +
	`\b(?:below|above|following|this) (?:is the |is a )?(?:\w+ )?` + pictured + `|\b(?:visual|graphical) (?:representation|overview) of\b`)

// pictured is how sentences call a figure.
const pictured = `(?:diagram|figure|drawing|chart|image|graph|visuali[sz]ation|illustration|picture|schematic)`

func diagramCaption() probe.Probe {
	return probe.Probe{
		ID: "diagram.caption", Version: "1", Target: court.PDFImages,
		Title:  "The figure has a caption or is referred to",
		Doc:    "Of the figures that are drawn, as img.inventory counts them, looks for a caption beside one, for a short line or heading right above it that names it, and for a sentence that names a figure or points to one.",
		Remedy: "Give the figure a caption that says what it shows.", Effort: 5,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			g, err := figures(ctx, s)
			if err != nil {
				return nil, err
			}
			if len(g.drawn()) == 0 {
				return []probe.Finding{g.none()}, nil
			}
			r, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			from, err := assigned(s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{captioned(g, r, from)}, nil
		},
	}
}

func captioned(g *gallery, r *reading, from base) probe.Finding {
	for _, f := range g.drawn() {
		if f.Caption != "" {
			found := probe.Present(g.source(court.Layout), []court.Place{g.at(f)}, "A figure has the caption %q.", court.Clean(f.Caption, 120))
			if g.twin == "" {
				found.Quote = shorten(f.Caption)
			}
			return found
		}
	}
	for _, f := range g.drawn() {
		if f.Title != "" {
			at := g.at(f)
			at.Box = nil // of the figure and not of the line
			found := probe.Present(g.source(court.Layout), []court.Place{at}, "The line above a figure names the figure: %q.", court.Clean(f.Title, 120))
			if r.stands(f.Title, f.Page) {
				found.Quote = shorten(f.Title)
			}
			return found
		}
	}
	for i := range r.passages {
		p := &r.passages[i]
		if (prose(p) || p.Kind == passage.Caption || p.Kind == passage.Heading) && refersTo.MatchString(p.Text) {
			said := sentenceWith(p, refersTo)
			if from.borrowed(said) { // what the rubric asks for refers to nothing here
				continue
			}
			at, quote := r.cite(p, said)
			found := probe.Present(g.source(court.Token), []court.Place{at}, "A sentence refers to the figure.")
			found.Quote = quote
			return found
		}
	}
	return probe.Missing(court.One, g.source(court.Layout), "No caption or title was found beside a figure, and no sentence that refers to one.")
}
