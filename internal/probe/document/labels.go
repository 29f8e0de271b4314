package document

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// Bounds of reading figures that are pictures.
const (
	maxPictures = 20
	shownLabels = 8 // of a figure, in a sentence
)

// label is what OCR read in one figure.
type label struct {
	Page   int      `json:"page"`
	Labels []string `json:"labels"`
}

// seenLabels is what OCR read in the pictures of a document.
type seenLabels struct {
	by     map[string][]string   // of a figure, by digest and place
	lines  map[string][]pdf.Line // the same with their places
	failed int
	why    string // of the first failure
}

func keyOf(f figure.Figure) string { return fmt.Sprintf("%d %v %s", f.Page, f.Box, f.Digest) }

// pictures lists the figures that are raster pictures of the PDF.
func (g *gallery) pictures() []figure.Figure {
	var out []figure.Figure
	for _, f := range g.figures {
		if g.twin == "" && f.Origin == figure.Raster && len(out) < maxPictures {
			out = append(out, f)
		}
	}
	return out
}

// labels reads all pictures once per scene.
func (g *gallery) labels(ctx context.Context, s *probe.Scene) (*seenLabels, error) {
	return probe.Shared(s, "document.labels", func() (*seenLabels, error) {
		l := &seenLabels{by: map[string][]string{}, lines: map[string][]pdf.Line{}}
		for _, f := range g.pictures() {
			lines, err := labelsOf(ctx, s, f)
			if over := ctx.Err(); over != nil {
				return nil, over
			}
			if err != nil {
				l.failed++
				if l.why == "" {
					l.why = court.Clean(err.Error(), 160)
				}
				continue
			}
			l.lines[keyOf(f)] = lines
			l.by[keyOf(f)] = []string{}
			for _, line := range lines {
				l.by[keyOf(f)] = append(l.by[keyOf(f)], line.Text)
			}
		}
		return l, nil
	})
}

func labelsOf(ctx context.Context, s *probe.Scene, f figure.Figure) ([]pdf.Line, error) {
	p, err := s.Picture(ctx, pdf.View{Page: f.Page, Box: f.Box, DPI: f.Box.Resolution()})
	if err != nil {
		return nil, err
	}
	lines, err := s.Labels(ctx, p)
	for i := range lines {
		lines[i].Text = court.Clean(lines[i].Text, 120)
	}
	return lines, err
}

// labelled is a sentence on what OCR read in the pictures, and the same as
// data; "" without OCR or pictures. Labels say what is named in a figure and
// never what is not.
func (g *gallery) labelled(ctx context.Context, s *probe.Scene) (string, []label) {
	if s.OCR() == "" || len(g.pictures()) == 0 {
		return "", nil
	}
	l, err := g.labels(ctx, s)
	if err != nil {
		return "", nil // the step ends
	}
	var said strings.Builder
	data := []label{}
	for _, f := range g.pictures() {
		texts := l.by[keyOf(f)]
		if len(texts) == 0 {
			continue
		}
		data = append(data, label{f.Page, texts})
		more := ""
		if n := len(texts) - shownLabels; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(&said, " Labels read on page %d: %s%s.", f.Page, strings.Join(texts[:min(len(texts), shownLabels)], ", "), more)
	}
	if l.failed > 0 {
		fmt.Fprintf(&said, " %s could not be read (%s).", court.Count(l.failed, "picture"), l.why)
	}
	if said.Len() == 0 {
		return " No label could be read in its pictures.", data
	}
	return said.String(), data
}
