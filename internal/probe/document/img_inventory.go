package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func imgInventory() probe.Probe {
	return probe.Probe{
		ID: "img.inventory", Version: "3", Target: court.PDFImages,
		Title:  "The document has a figure",
		Doc:    "Lists pictures and vector drawings that are more than letters, logos and ornaments, and drawings of characters; report.diagrams has the same number. A printed source of a diagram is not a drawing. A picture of text and a picture of a diagram look the same to it, unless its caption speaks of a screenshot, a trace, a dashboard or the like: such a picture does not count; boxes with arrows between them, as far as they can be read from pixels, make it sure that there is a diagram. Diagrams in files of the repository, in Mermaid, DOT, PlantUML, draw.io or characters, are named besides and never counted. With --ocr it lists the labels that were read in pictures. Of a document that is made of pictures it knows only what its Markdown twin has.",
		Remedy: "Draw the graph of the program and put it into the document.", Effort: 45, Recall: 9000,
		Args: []probe.Arg{{Name: "aspect", Type: "string", Allowed: []string{"figure", "source"}, Default: "figure", Doc: "source: the repository keeps a diagram in a form that can be changed"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			if a.String("aspect") == "source" {
				kept, err := atlas(ctx, s)
				if err != nil {
					return nil, err
				}
				return []probe.Finding{kept.source()}, nil
			}
			g, err := figures(ctx, s)
			if err != nil {
				return nil, err
			}
			f := g.inventory()
			if all, err := g.traced(ctx, s); err == nil && len(all) > 0 && f.Outcome == court.Present {
				f.Source = court.Structure
				f.Rationale += court.Agree(len(g.drawn()), 0, " It is a diagram. ", " At least one of them is a diagram. ") + all[0].said()
			}
			elsewhere, err := atlas(ctx, s)
			if err != nil {
				return nil, err
			}
			if said, labels := g.labelled(ctx, s); said != "" {
				f.Rationale += said
				if data, ok := f.Data.(map[string]any); ok {
					data["labels"] = labels
				}
			}
			elsewhere.beside(&f)
			return []probe.Finding{f}, nil
		},
	}
}

// inventory counts what a reader sees drawn, as report.diagrams does.
func (g *gallery) inventory() probe.Finding {
	drawn, listed := g.drawn(), g.diagrams()
	by := map[string]int{}
	for _, x := range g.figures {
		by[string(x.Origin)]++
	}
	data := map[string]any{"figures": len(drawn), "origins": by, "shots": g.shots}
	var f probe.Finding
	switch {
	case len(drawn) > 0:
		f = probe.Present(g.source(court.Layout), listed.places(), "The document has %s.", court.Count(len(drawn), "figure"))
	case len(listed.figures) > 0:
		f = probe.Partly(court.One/2, g.source(court.Layout), listed.places(), "The document draws no figure. It prints the source of %s, which a reader sees as a listing.", court.Count(len(listed.figures), "diagram"))
	default:
		f = g.none()
	}
	if g.shots > 0 {
		f.Rationale += " The words beside them exclude " + court.Count(g.shots, "picture") + " of a screen, a photograph or a logo."
	}
	f.Data = data
	return f
}

// none says that there is no figure. Of a twin, pictures may have been left
// out.
func (g *gallery) none() probe.Finding {
	if g.scan {
		return probe.Cannot(court.NoTextLayer, nil, "The pages are pictures: their text was read, but figures cannot be told apart in them.")
	}
	if g.written != nil && g.shown {
		return probe.Cannot(court.NoDetector, nil, "The document draws no figure in text. The pictures that it shows lie elsewhere and were not looked at.")
	}
	if g.twin != "" && g.written == nil {
		return probe.Cannot(court.NoTextLayer, nil, "The pages are pictures, and the Markdown of the same name has no figure in it.")
	}
	return probe.Missing(court.One, court.Layout, "The document has no figure.")
}

// unread says that there are figures, but nobody can tell what they show.
func (g *gallery) unread(ctx context.Context, s *probe.Scene) probe.Finding {
	if len(g.figures) == 0 {
		return g.none()
	}
	said, _ := g.labelled(ctx, s)
	return probe.Cannot(court.NoDetector, g.places(), "%s%s", g.rest(ctx, s), said).Do(asText)
}

// rest says what of the figures could not be read; "" when all of it was.
func (g *gallery) rest(ctx context.Context, s *probe.Scene) string {
	part := len(g.partly())
	printed := 0 // in characters
	for _, f := range g.figures {
		if f.Origin == figure.Text && f.Graph == nil {
			printed++
		}
	}
	closed := len(g.figures) - len(g.graphs()) - part - printed
	var said []string
	if closed > 0 {
		all, err := g.traced(ctx, s)
		if err == nil && len(all) > 0 {
			said = append(said, court.Count(closed, "figure")+court.Agree(closed, closed, " is a picture or a drawing", " are pictures or drawings")+" of which not everything can be read. "+all[0].said())
		} else {
			said = append(said, "The boxes and arrows of "+court.Count(closed, "figure")+" cannot be read: "+court.Agree(closed, closed, "it is a picture or a drawing.", "they are pictures or drawings."))
		}
	}
	if printed > 0 {
		said = append(said, "No boxes and arrows could be read in "+court.Count(printed, "drawing")+" of characters.")
	}
	if part > 0 {
		said = append(said, "Only a part of the boxes and arrows of "+court.Count(part, "figure")+" could be read.")
	}
	return strings.Join(said, " ")
}
