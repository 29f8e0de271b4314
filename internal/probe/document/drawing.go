package document

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// drawing is a figure that could be read, with its place.
type drawing struct {
	*diagram
	figure figure.Figure
	at     court.Place
	quote  string
	part   bool // not all of its arrows are known: nothing follows from what is not there
	seen   bool // a model read it: see img_vision.go
	sure   court.Fixed
	parts  int // how many figures it is put together of; 0: it is one
}

// together puts the figures that show the program as it is into one drawing, boxes of one
// label into one box; false where there are no two.
func together(read []drawing) (drawing, bool) {
	whole, n := &figure.Graph{}, 0
	var first drawing
	for i, d := range read {
		if d.seen || d.figure.Origin == figure.Chain || notMeant.MatchString(d.figure.Caption+"\n"+d.figure.Title) || len(whole.Nodes)+len(d.graph.Nodes) > mostBoxes {
			continue
		}
		if n++; n == 1 {
			first, whole.Kind = d, d.graph.Kind
		}
		first.part = first.part || d.part
		ids := map[string]string{}
		for _, box := range d.graph.Nodes {
			id := box.ID
			at := slices.IndexFunc(whole.Nodes, func(o figure.Node) bool { return fold(o.Label) == fold(box.Label) })
			if at < 0 {
				if slices.ContainsFunc(whole.Nodes, func(o figure.Node) bool { return o.ID == id }) {
					box.ID = fmt.Sprintf("%s %d", id, i)
				}
				at, whole.Nodes = len(whole.Nodes), append(whole.Nodes, box)
			}
			ids[id] = whole.Nodes[at].ID
		}
		for _, e := range d.graph.Edges {
			whole.Edges = append(whole.Edges, figure.Edge{From: ids[e.From], To: ids[e.To], Label: e.Label})
		}
		whole.Loose += d.graph.Loose
	}
	first.diagram, first.parts = newDiagram(whole), n
	return first, n > 1
}

// drawings lists the figures whose boxes and arrows are known; when there is
// none, the finding that says so. Chains count only in a document that has no
// figure else.
func drawings(ctx context.Context, s *probe.Scene) (*gallery, []drawing, []probe.Finding, error) {
	g, err := figures(ctx, s)
	if err != nil {
		return nil, nil, nil, err
	}
	if drawn := g.diagrams(); len(drawn.figures) > 0 {
		g = drawn
		g.open = g.rest(ctx, s)
	}
	var out []drawing
	for _, f := range g.graphs() {
		out = append(out, g.drawing(f))
	}
	if len(out) == 0 {
		return g, nil, []probe.Finding{g.diagrams().unread(ctx, s)}, nil
	}
	return g, out, nil, nil
}

func (g *gallery) drawing(f figure.Figure) drawing {
	d := drawing{diagram: newDiagram(f.Graph), figure: f, at: g.at(f), part: !f.Readable}
	if g.twin == "" {
		d.quote = head(f)
	}
	return d
}

// withParts adds the figures of which only a part is known.
func (g *gallery) withParts(read []drawing) []drawing {
	for _, f := range g.partly() {
		read = append(read, g.drawing(f))
	}
	return read
}

// head is the first line of a printed figure; "" for a picture.
func head(f figure.Figure) string {
	line, _, _ := strings.Cut(f.Source, "\n")
	return shorten(line)
}

// shown puts the drawing's place and words to a finding.
func (d drawing) shown(f probe.Finding) probe.Finding {
	f.Places = append([]court.Place{d.at}, f.Places...)
	f.Quote = d.quote
	if d.seen {
		f.Source, f.Certainty = court.ModelQuote, d.sure
		f.Rationale += " A model read the picture."
	}
	if d.figure.Origin == figure.Chain {
		return spelled(f)
	}
	return f
}

// spelled is what a finding about a chain comes to: half of what a drawing is
// worth, and nothing against the document but that it has no figure.
func spelled(f probe.Finding) probe.Finding {
	switch f.Outcome {
	case court.Present:
		f.Outcome, f.Share = court.Partial, court.One/2
	case court.Partial:
		f.Share = max(f.Share/2, 1)
	case court.Violation:
		return probe.Missing(court.One, court.Layout, "The document has no figure. Its text has only a chain of names and arrows.")
	default: // says nothing for or against it
		return f
	}
	f.Rationale += " This is a chain of names and arrows in the text and not a drawing, so it counts half."
	return f
}

// unreadToo tells whether other figures could not be read, so that they may
// show what was not found.
func (g *gallery) unreadToo() bool { return len(g.graphs()) < len(g.figures) }

// vague tells whether a drawing of characters has a fork or join of boxes whose names tell no role.
func (g *gallery) vague() bool {
	return slices.ContainsFunc(g.graphs(), func(f figure.Figure) bool { return f.Origin == figure.Text && newDiagram(f.Graph).hides() })
}
