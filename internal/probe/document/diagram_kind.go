package document

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func diagramKind() probe.Probe {
	return probe.Probe{
		ID: "diagram.kind", Version: "2", Target: court.PDFImages,
		Title:  "A figure shows a graph",
		Doc:    "Tells flow charts and state machines from sequences, class diagrams and charts, where the figure can be read: Mermaid, DOT, PlantUML, and drawings of boxes and arrows by lines or characters. Of a picture the pixels are read: boxes, and arrows from one to another; it counts as a graph from 4 boxes and 3 arrows on, and nothing follows from what is not seen. Pictures are read by a model, too, where there is one. In a document without any figure a chain of names and arrows, as START -> [a | b] -> c, counts half.",
		Remedy: "Draw the program as a graph: nodes and arrows.", Effort: 45,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			g, read, none, err := drawings(ctx, s)
			if err != nil {
				return nil, err
			}
			if read = append(g.withParts(read), g.seen(ctx, s)...); len(read) > 0 {
				d := read[0]
				return []probe.Finding{d.shown(probe.Present(g.source(court.Structure), nil, "A figure shows a graph of %s and %s.", court.Count(len(d.graph.Nodes), "node"), court.Count(len(d.graph.Edges), "arrow")))}, nil
			}
			for _, f := range g.figures {
				if f.Graph == nil || f.Graph.Kind == figure.Flow || f.Graph.Kind == figure.States {
					return orTraced(none[0], func() (probe.Finding, bool) { return g.tracedKind(ctx, s) }), nil
				}
			}
			if len(g.figures) == 0 {
				return none, nil
			}
			f := probe.Partly(court.One/2, g.source(court.Structure), nil, "The document has figures, but none is a graph of nodes and arrows.")
			d := drawing{at: g.at(g.figures[0])}
			if g.twin == "" {
				d.quote = head(g.figures[0])
			}
			return []probe.Finding{d.shown(f)}, nil
		},
	}
}
