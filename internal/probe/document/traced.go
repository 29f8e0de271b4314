package document

import (
	"context"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// maxTraces bounds the pictures of which the pixels are read: each costs 0.1 to 0.5 seconds of processor time, most of
// which PDFium takes to decode and draw it.
const maxTraces = 6

// judges is how many there are: a second layer of more ways may be a choice among rules.
const judges = 3

// trace is a picture whose boxes and arrows were read from its pixels.
type trace struct {
	*figure.Trace
	drawing
	layers []figure.Layer // two, one behind the other, or none
}

// traced reads the pictures once per scene, until one shows both layers. What cannot be read is left out: it stays what
// nobody looked at.
func (g *gallery) traced(ctx context.Context, s *probe.Scene) ([]trace, error) {
	return probe.Shared(s, "document.traces", func() ([]trace, error) {
		labels := &seenLabels{}
		if s.OCR() != "" {
			var err error
			if labels, err = g.labels(ctx, s); err != nil {
				return nil, err
			}
		}
		var out []trace
		seen := map[string]bool{}
		for _, f := range g.pictures() {
			if f.Digest != "" && seen[f.Digest] {
				continue
			}
			if seen[f.Digest] = true; len(seen) > maxTraces {
				break
			}
			v := f.Box.On(f.Page)
			sketch, err := s.Sketch(ctx, v)
			if over := ctx.Err(); over != nil {
				return nil, over
			}
			if err != nil {
				continue
			}
			t := figure.Traced(sketch, v, labels.lines[keyOf(f)])
			if t == nil {
				continue
			}
			d := drawing{diagram: newDiagram(t.Graph), figure: f, at: g.at(f), part: true, sure: court.One}
			if first, second, ok := t.InRow(judges); ok {
				out = append(out, trace{t, d, []figure.Layer{first, second}})
				break
			}
			out = append(out, trace{t, d, nil})
		}
		return out, nil
	})
}

// said is what is known of a picture, and what is not.
func (t trace) said() string {
	n := fmt.Sprintf("In the pixels of the picture on page %d, %d boxes and %s could be read", t.figure.Page, len(t.Graph.Nodes), court.Count(len(t.Graph.Edges), "arrow"))
	if len(t.Lines) > 0 {
		n += ", and " + court.Count(len(t.Lines), "line") + " whose direction was not seen"
	}
	if t.Named == 0 {
		return n + ". The labels could not be read."
	}
	return fmt.Sprintf("%s. %d of the boxes have a label that was read.", n, t.Named)
}

// tracedKind finds a picture that shows a graph.
func (g *gallery) tracedKind(ctx context.Context, s *probe.Scene) (probe.Finding, bool) {
	all, err := g.traced(ctx, s)
	if err != nil || len(all) == 0 {
		return probe.Finding{}, false // the step ends, or nothing was seen
	}
	return probe.Present(court.Structure, []court.Place{all[0].at}, "A picture shows boxes with arrows from one to another. %s", all[0].said()), true
}

// tracedLayer finds a picture that shows a layer in parallel: by its labels where they were read, else by its form.
func (g *gallery) tracedLayer(ctx context.Context, s *probe.Scene, r role) (probe.Finding, bool) {
	all, err := g.traced(ctx, s)
	if err != nil {
		return probe.Finding{}, false
	}
	for _, t := range all {
		if l := t.parallel(r); l.is == drawnParallel {
			return probe.Present(court.Structure, []court.Place{t.at}, "The picture draws %s side by side. %s", cleanList(l.boxes), t.said()), true
		}
	}
	t, ok := formed(all)
	if !ok {
		return probe.Finding{}, false
	}
	first, second := t.layers[0], t.layers[1]
	if r == judgeRole {
		return probe.Present(court.Structure, []court.Place{t.at}, "In the picture, %d ways part and join again behind %d others that do, as the judges must behind the detectives. %s", len(second.Between), len(first.Between), t.said()), true
	}
	return probe.Present(court.Structure, []court.Place{t.at}, "In the picture, %d ways part and join again before %d others that do, as the detectives must before the judges. %s", len(first.Between), len(second.Between), t.said()), true
}

// formed finds the picture whose form tells its layers without a word: two places where ways part and join again, one
// behind the other. Of a
// single one nobody can say which layer it is.
func formed(all []trace) (trace, bool) {
	for _, t := range all {
		if t.layers != nil && (t.Named == 0 || !t.tells()) {
			return t, true
		}
	}
	return trace{}, false
}

// tells: the labels name a role, so that they and not the form of the figure say what it shows.
func (t trace) tells() bool {
	return slices.ContainsFunc(t.Graph.Nodes, func(n figure.Node) bool { r := t.role[n.ID]; return r == detectiveRole || r == judgeRole })
}

// tracedJoin finds a picture in which what parted joins again.
func (g *gallery) tracedJoin(ctx context.Context, s *probe.Scene) (probe.Finding, bool) {
	all, err := g.traced(ctx, s)
	if err != nil {
		return probe.Finding{}, false
	}
	for _, t := range all {
		if box, n := t.join(); n >= 2 {
			return probe.Present(court.Structure, []court.Place{t.at}, "In the picture, %d arrows lead into %s. %s", n, court.Clean(box, 60), t.said()), true
		}
	}
	if t, ok := formed(all); ok {
		return probe.Present(court.Structure, []court.Place{t.at}, "In the picture, %d ways that part at one box join at another, before the next ones part. %s", len(t.layers[0].Between), t.said()), true
	}
	return probe.Finding{}, false
}

// tracedEnd finds a picture that comes to its end behind the second layer. Every line at a box must have been read.
func (g *gallery) tracedEnd(ctx context.Context, s *probe.Scene) (probe.Finding, bool) {
	all, err := g.traced(ctx, s)
	if err != nil {
		return probe.Finding{}, false
	}
	t, ok := formed(all)
	if !ok || t.Graph.Loose > 0 {
		return probe.Finding{}, false
	}
	chief := t.layers[1].To
	after := t.until(chief, nil)
	ends := len(t.next[chief]) == 0
	for box := range after {
		ends = ends || len(t.next[box]) == 0
	}
	for _, l := range t.layers {
		if after[l.From] || slices.ContainsFunc(l.Between, func(id string) bool { return after[id] }) {
			return probe.Finding{}, false
		}
	}
	if !ends {
		return probe.Finding{}, false
	}
	return probe.Present(court.Structure, []court.Place{t.at}, "In the picture, the figure comes to its end behind the box at which the second layer joins, and nothing leads back. %s", t.said()), true
}

// orTraced is what the pixels of pictures show, where nobody could tell otherwise. It never says that something is not there.
func orTraced(f probe.Finding, look func() (probe.Finding, bool)) []probe.Finding {
	if f.Outcome == court.Unknown {
		if t, ok := look(); ok {
			return []probe.Finding{t}
		}
	}
	return []probe.Finding{f}
}
