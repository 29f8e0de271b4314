package document

import (
	"context"
	"errors"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// gallery is the figures of the document, or of its Markdown twin.
type gallery struct {
	figures []figure.Figure // without shots
	shots   int             // screenshots, photographs and logos, by the words beside them
	twin    string
	scan    bool // the pages are pictures: nobody can tell figures in them
	digest  string
	written func(first, last int) court.Place // of a document that is text itself; else nil
	// of that: it shows pictures, which lie elsewhere
	shown bool
	open  string // what of the figures could not be read; see drawings
}

// inlinePicture is a picture in Markdown, as a mark or an element.
var inlinePicture = regexp.MustCompile(`!\[[^\]\n]*\](?:\(|\[)|(?i:<img\b)`)

// figures takes the inventory once per scene.
func figures(ctx context.Context, s *probe.Scene) (*gallery, error) {
	return probe.Shared(s, "document.figures", func() (*gallery, error) {
		r, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		if r.twin != "" {
			return &gallery{figures: figure.FromMarkdown(r.markdown), twin: r.twin, digest: r.digest, written: r.written, shown: inlinePicture.MatchString(r.markdown)}, nil
		}
		all, err := s.Figures(ctx)
		if err != nil {
			return nil, err
		}
		g := &gallery{digest: r.digest, scan: r.scan != ""}
		for _, f := range all {
			if f.Shot {
				g.shots++
				continue
			}
			g.figures = append(g.figures, f)
		}
		return g, nil
	})
}

// at is the place of a figure.
func (g *gallery) at(f figure.Figure) court.Place {
	if g.written != nil {
		return g.written(max(f.Line, 1), max(f.Line, 1))
	}
	if g.twin != "" {
		return court.Place{Path: g.twin, Line: max(f.Line, 1), EndLine: max(f.Line, 1)}
	}
	return court.Place{Page: f.Page, Box: box(f.Box.X0, f.Box.Y0, f.Box.X1, f.Box.Y1), Digest: g.digest}
}

func (g *gallery) places() []court.Place {
	var out []court.Place
	for _, f := range g.figures {
		out = append(out, g.at(f))
	}
	return out
}

// source is the kind of instrument that saw the figures.
func (g *gallery) source(of court.Source) court.Source {
	if g.twin != "" && g.written == nil {
		return court.Layout
	}
	return of
}

// graphs lists the figures whose boxes and arrows are known.
func (g *gallery) graphs() []figure.Figure {
	var out []figure.Figure
	for _, f := range g.figures {
		if f.Readable && f.Graph != nil && (f.Graph.Kind == figure.Flow || f.Graph.Kind == figure.States) {
			out = append(out, f)
		}
	}
	return out
}

// partly lists the figures of whose arrows some could not be tied to boxes: what
// they show is drawn, but nobody can say what they do not show.
func (g *gallery) partly() []figure.Figure {
	var out []figure.Figure
	for _, f := range g.figures {
		if !f.Readable && f.Graph != nil && (f.Origin == figure.Vector || f.Origin == figure.Text || f.Origin == figure.Chain) {
			out = append(out, f)
		}
	}
	return out
}

// drawn lists the figures that a reader sees drawn: on a page the source of a
// diagram is a listing, while a Markdown file shows what it draws. A chain is
// written in both.
func (g *gallery) drawn() []figure.Figure {
	return slices.DeleteFunc(slices.Clone(g.figures), func(f figure.Figure) bool { return g.twin == "" && !f.Drawn() || f.Origin == figure.Chain })
}

// diagrams is the gallery without chains, which are not diagrams.
func (g *gallery) diagrams() *gallery {
	d := *g
	d.figures = slices.DeleteFunc(slices.Clone(g.figures), func(f figure.Figure) bool { return f.Origin == figure.Chain })
	return &d
}

// figureFacts fills the facts of the figures.
func figureFacts(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	g, err := figures(ctx, s)
	if u, ok := errors.AsType[*probe.Unable](err); ok {
		sheet.Prove("report.diagrams", "%s", u.Why)
		return nil
	}
	if err != nil {
		return err
	}
	if g.scan {
		sheet.Prove("report.diagrams", "the pages are pictures, and figures cannot be told apart in them")
		sheet.Prove("report.diagram_shows_parallel", "the pages are pictures, and figures cannot be told apart in them")
		return nil
	}
	g = g.diagrams()
	drawn := g.drawn()
	sheet.Report.Diagrams = new(len(drawn))
	if len(drawn) > 0 {
		sheet.Prove("report.diagrams", "%s and %d more", g.at(drawn[0]), len(drawn)-1)
	} else {
		sheet.Prove("report.diagrams", "the document has no figure")
		sheet.Prove("report.diagram_shows_parallel", "the document has no figure")
		return nil
	}
	for _, f := range g.figures {
		if besides(f, detectiveRole) != nil || besides(f, judgeRole) != nil {
			sheet.Report.DiagramShowsParallel = new(true)
			sheet.Prove("report.diagram_shows_parallel", "%s", g.at(f))
			return nil
		}
	}
	readable := g.graphs() // the source printed beside a drawing counts as what it shows
	for _, f := range append(slices.Clone(readable), g.partly()...) {
		d := newDiagram(f.Graph)
		if d.parallel(detectiveRole).is == drawnParallel || d.parallel(judgeRole).is == drawnParallel {
			sheet.Report.DiagramShowsParallel = new(true)
			sheet.Prove("report.diagram_shows_parallel", "%s", g.at(f))
			return nil
		}
	}
	if len(readable) == len(g.figures) && !g.vague() {
		sheet.Report.DiagramShowsParallel = new(false)
		sheet.Prove("report.diagram_shows_parallel", "%s shows neither layer side by side", g.at(g.figures[0]))
		return nil
	}
	sheet.Prove("report.diagram_shows_parallel", "the boxes and arrows of %d of %d figures cannot be read", len(g.figures)-len(readable), len(g.figures))
	return nil
}

// asText is what lets the program read the whole of a figure.
const asText = "Add the source of the figure, for example in Mermaid, to let the program read all its boxes and arrows."
