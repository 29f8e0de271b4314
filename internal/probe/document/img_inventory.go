package document

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func imgInventory() probe.Probe {
	return probe.Probe{
		ID: "img.inventory", Version: "1", Target: court.PDFImages,
		Title:  "The document has a figure",
		Doc:    "Lists pictures and vector drawings that are more than letters, logos and ornaments, drawings of characters, and printed diagram sources. A picture of text and a picture of a diagram look the same to it. With --ocr it lists the labels that were read in pictures. Of a document that is made of pictures it knows only what its Markdown twin has.",
		Remedy: "Draw the graph of the program and put it into the document.", Effort: 45, Recall: 9000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			g, err := figures(ctx, s)
			if err != nil {
				return nil, err
			}
			if len(g.figures) == 0 {
				return []probe.Finding{g.none()}, nil
			}
			f := probe.Present(g.source(court.Layout), g.places(), "The document has %s.", count(len(g.figures), "figure"))
			by := map[string]int{}
			for _, x := range g.figures {
				by[string(x.Origin)]++
			}
			data := map[string]any{"figures": len(g.figures), "origins": by}
			if said, read := g.labelled(ctx, s); said != "" {
				f.Rationale += said
				data["labels"] = read
			}
			f.Data = data
			return []probe.Finding{f}, nil
		},
	}
}

// none says that there is no figure. Of a twin, pictures may have been left
// out.
func (g *gallery) none() probe.Finding {
	if g.scan {
		return probe.Cannot(court.NoTextLayer, nil, "The pages are pictures: their text was read, but nobody can tell the figures in them.")
	}
	if g.twin != "" {
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
	return probe.Cannot(court.NoDetector, g.places(), "The boxes and arrows of %s cannot be read: they are pictures or drawings.%s", count(len(g.figures), "figure"), said)
}
