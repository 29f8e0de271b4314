package document

import (
	"context"
	"fmt"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Bounds of asking a model.
const (
	maxLooks = 6
	lookTime = 60 * time.Second
	lookDPI  = 150
)

// unchecked is how sure a model's reading is when no label could be held
// against text of the figure. A design choice.
const unchecked = court.One / 2

func imgVision() probe.Probe {
	return probe.Probe{
		ID: "img.vision", Version: "1", Target: court.PDFImages,
		Title:  "A model reads boxes and arrows of a picture",
		Doc:    "Asks a vision model, where one is configured, for the class, the boxes and the arrows of each figure that is a picture, and holds the answer against the text that was read in the figure otherwise. What does not stand is left out and counted. No words of the model reach a score, and what it did not see means nothing.",
		Remedy: "Give the figure's source as Mermaid in the document, too.", Effort: 15, Recall: 5000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			g, err := figures(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{visionFinding(ctx, s, g)}, nil
		},
	}
}

func visionFinding(ctx context.Context, s *probe.Scene, g *gallery) probe.Finding {
	pictures := g.pictures()
	switch {
	case len(pictures) == 0:
		return probe.Cannot(court.NoArtifact, nil, "The document has no figure that is a picture.")
	case s.Looker() == nil:
		return probe.Cannot(court.NoDetector, g.places(), "No vision model was asked.").Do(asText)
	}
	looks, err := g.looked(ctx, s)
	if err != nil {
		return probe.Cannot(court.TimedOut, g.places(), "Not all pictures were looked at.")
	}
	why := ""
	for _, l := range looks {
		if l.Graph != nil {
			f := g.sighted(l).shown(probe.Present(court.ModelQuote, nil, "The picture shows %s and %s.%s", court.Count(len(l.Graph.Nodes), "node"), court.Count(len(l.Graph.Edges), "arrow"), l.fell()))
			f.Data = map[string]any{"checked": l.Checked, "nodes": l.Nodes, "edges": l.Edges, "nodes_fell": l.NodesFell, "edges_fell": l.EdgesFell}
			return f
		}
		if why == "" {
			why = l.Refused + l.fell()
		}
	}
	return probe.Cannot(court.NoDetector, g.places(), "The model's answer about the pictures is not used: %s", why).Do(asText)
}

// look is what a model made of one picture.
type look struct {
	figure.Confirmed
	figure figure.Figure
}

// fell says what of an answer did not stand.
func (l look) fell() string {
	out := ""
	if l.NodesFell > 0 {
		out += fmt.Sprintf(" %s %s not labelled so in the figure.", safetext.Capital(court.Of(l.NodesFell, l.Nodes, "node")), court.Agree(l.NodesFell, l.Nodes, "is", "are"))
	}
	if l.EdgesFell > 0 {
		out += fmt.Sprintf(" %s %s on labels that are not there, or %s nothing.", safetext.Capital(court.Of(l.EdgesFell, l.Edges, "edge")), court.Agree(l.EdgesFell, l.Edges, "rests", "rest"), court.Agree(l.EdgesFell, l.Edges, "says", "say"))
	}
	if l.Graph != nil && !l.Checked {
		out += " No text of the figure was there to hold it against."
	}
	return out
}

// looked asks the model about each picture, once per scene.
func (g *gallery) looked(ctx context.Context, s *probe.Scene) ([]look, error) {
	return probe.Shared(s, "document.looks", func() ([]look, error) {
		pictures := g.pictures()
		labels := &seenLabels{}
		if s.OCR() != "" {
			var err error
			if labels, err = g.labels(ctx, s); err != nil {
				return nil, err
			}
		}
		d, err := s.Document(ctx)
		if err != nil {
			return nil, err
		}
		var out []look
		for _, f := range pictures[:min(len(pictures), maxLooks)] {
			l := look{figure: f}
			l.Confirmed = lookAt(ctx, s, f, append(inside(d, f), labels.by[keyOf(f)]...))
			if over := ctx.Err(); over != nil {
				return nil, over
			}
			out = append(out, l)
		}
		return out, nil
	})
}

func lookAt(ctx context.Context, s *probe.Scene, f figure.Figure, labels []string) figure.Confirmed {
	p, err := s.Picture(ctx, pdf.View{Page: f.Page, Box: f.Box, DPI: min(lookDPI, f.Box.Resolution())})
	if err != nil {
		return figure.Confirmed{Refused: court.Clean(err.Error(), 160) + "."}
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	drawn, err := s.Looker().Look(ctx, figure.Picture{PNG: p.PNG, Digest: p.Digest, Page: f.Page, Box: f.Box, Labels: labels})
	if err != nil {
		return figure.Confirmed{Refused: "asking it failed: " + court.Clean(err.Error(), 160) + "."}
	}
	c := figure.Confirm(drawn, labels)
	if c.Refused != "" {
		c.Refused += "."
	}
	return c
}

// inside lists the visible text of a page within a figure.
func inside(d *pdf.Document, f figure.Figure) []string {
	var out []string
	for _, p := range d.Pages {
		if p.Number != f.Page {
			continue
		}
		for _, l := range p.Lines {
			x, y := (l.Box.X0+l.Box.X1)/2, (l.Box.Y0+l.Box.Y1)/2
			if l.Hidden == "" && x > f.Box.X0 && x < f.Box.X1 && y > f.Box.Y0 && y < f.Box.Y1 {
				out = append(out, l.Text)
			}
		}
	}
	return out
}

// sighted is a picture as a model read it: nothing follows from what it did not
// see.
func (g *gallery) sighted(l look) drawing {
	d := drawing{diagram: newDiagram(l.Graph), figure: l.figure, at: g.at(l.figure), part: true, seen: true, sure: court.One}
	if !l.Checked {
		d.sure = unchecked
	}
	return d
}

// seen lists the pictures that a model could read.
func (g *gallery) seen(ctx context.Context, s *probe.Scene) []drawing {
	if s.Looker() == nil {
		return nil
	}
	looks, err := g.looked(ctx, s)
	if err != nil {
		return nil // the step ends, or there is no document, as others say
	}
	var out []drawing
	for _, l := range looks {
		if l.Graph != nil {
			out = append(out, g.sighted(l))
		}
	}
	return out
}
