package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func diagramParallel() probe.Probe {
	return probe.Probe{
		ID: "diagram.parallel", Version: "2", Target: court.PDFImages,
		Title:  "The figure shows the layer in parallel",
		Doc:    "Finds the boxes of the layer by the words in them, and asks whether one box has arrows to two of them of which neither leads to the other. Figures whose source can be read are looked at, drawings of lines or characters with boxes and arrows, and of drawings of characters whose columns are lost the boxes that stand side by side below a fork or hang on one stem. Of a picture the pixels are read: where its labels are not, three ways must part and join again at two places, the first of which are the detectives and the second the judges; nothing follows from what is not seen. In a document without any figure a chain of names and arrows, as START -> [a | b] -> c, counts half.",
		Remedy: "Draw an arrow from one box to each node of the layer.", Effort: 20,
		Args: []probe.Arg{{Name: "role", Type: "string", Allowed: []string{"detectives", "judges"}, Default: "detectives", Doc: "which layer"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			g, read, none, err := drawings(ctx, s)
			if err != nil {
				return nil, err
			}
			r := detectiveRole
			if a.String("role") == "judges" {
				r = judgeRole
			}
			read = append(g.withParts(read), g.seen(ctx, s)...)
			f := none
			if len(read) > 0 {
				f = []probe.Finding{layerFinding(g, read, r)}
			}
			if f[0].Outcome != court.Present {
				if art, ok := artFinding(g, r); ok {
					return []probe.Finding{art}, nil
				}
			}
			return orTraced(f[0], func() (probe.Finding, bool) { return g.tracedLayer(ctx, s, r) }), nil
		},
	}
}

// artFinding looks at drawings of characters.
func artFinding(g *gallery, r role) (probe.Finding, bool) {
	for _, f := range g.figures {
		boxes := besides(f, r)
		if len(boxes) == 0 {
			continue
		}
		found := probe.Present(court.Layout, []court.Place{g.at(f)}, "The drawing forks into %s.", cleanList(boxes))
		if g.twin == "" {
			found.Quote = boxes[0]
		}
		return found, true
	}
	return probe.Finding{}, false
}

func layerFinding(g *gallery, read []drawing, r role) probe.Finding {
	var row *drawing
	var rowOf drawn
	for i, d := range read {
		switch l := d.parallel(r); l.is {
		case drawnParallel:
			return d.shown(probe.Present(g.source(court.Structure), nil, "The figure draws %s side by side.", cleanList(l.boxes)))
		case drawnInARow:
			if row == nil && !d.part {
				row, rowOf = &read[i], l
			}
		default: // says nothing of this role
		}
	}
	switch {
	case g.unreadToo():
		return probe.Cannot(court.NoDetector, g.places(), "What could be read of the figures does not show this. %s", g.open).Do(asText)
	case row != nil:
		return row.shown(probe.Against(g.source(court.Structure), nil, "The figure draws %s one after the other.", cleanList(rowOf.boxes)))
	}
	if g.vague() {
		return probe.Cannot(court.NoDetector, g.places(), "The drawing forks or joins boxes whose names do not say what the boxes are.").Do(asText)
	}
	f := probe.Missing(court.One, g.source(court.Structure), "No figure draws two %ss side by side.", r)
	return f
}

func cleanList(list []string) string {
	var out []string
	for i, s := range list {
		if i == 5 {
			out = append(out, "…")
			break
		}
		out = append(out, court.Clean(s, 60))
	}
	return strings.Join(out, ", ")
}
