package figure

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/pdf/pixels"
)

// sketchOf has boxes in a row of one pixel's distance, so many as its arrows and lines name.
func sketchOf(arrows, lines [][2]int) *pixels.Sketch {
	s := &pixels.Sketch{Ink: 200, Unread: 50}
	most := 0
	take := func(list [][2]int) (out []pixels.Arrow) {
		for _, a := range list {
			most = max(most, a[0], a[1])
			out = append(out, pixels.Arrow{From: a[0], To: a[1]})
		}
		return out
	}
	s.Arrows, s.Lines = take(arrows), take(lines)
	for i := range most + 1 {
		s.Boxes = append(s.Boxes, pixels.Box{X0: 100 * i, X1: 100*i + 80, Y0: 10, Y1: 50, In: -1})
	}
	return s
}

var twoLayers = [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 5}, {4, 6}, {4, 7}, {5, 8}, {6, 8}, {7, 8}}

func TestTraced(t *testing.T) {
	for name, c := range map[string]struct {
		s    *pixels.Sketch
		want bool
	}{
		"nothing":         {nil, false},
		"boxes only":      {sketchOf(nil, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}}), false},
		"two arrows":      {sketchOf([][2]int{{0, 1}, {1, 2}}, [][2]int{{2, 3}}), false},
		"three boxes":     {sketchOf([][2]int{{0, 1}, {1, 2}, {2, 0}}, nil), false},
		"a small diagram": {sketchOf([][2]int{{0, 1}, {1, 2}, {2, 3}}, nil), true},
	} {
		if got := Traced(c.s, pdf.View{DPI: 72}, nil); (got != nil) != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// What OCR read stands in the box that its middle lies in, at the resolution of the sketch.
func TestTracedLabels(t *testing.T) {
	s := sketchOf([][2]int{{0, 1}, {1, 2}, {2, 3}}, nil)
	line := func(text string, x, y float64) pdf.Line {
		return pdf.Line{Text: text, Box: pdf.Box{X0: x - 5, X1: x + 5, Y0: y - 2, Y1: y + 2}}
	}
	got := Traced(s, pdf.View{Box: pdf.Box{X0: 50, Y0: 200}, DPI: 144}, []pdf.Line{
		line("below", 70, 221), line("above", 70, 210), line("second", 120, 215), line("beside", 95, 215)})
	want := []Node{{ID: "1", Label: "above below"}, {ID: "2", Label: "second"}, {ID: "3"}, {ID: "4"}}
	if diff := cmp.Diff(want, got.Graph.Nodes); diff != "" || got.Named != 2 || got.Unread != 25 {
		t.Errorf("%s\n%+v", diff, got)
	}
}

func TestLayers(t *testing.T) {
	for name, c := range map[string]struct {
		arrows, lines [][2]int
		layers        int
		row           bool
	}{
		"two in a row":                       {twoLayers, nil, 2, true},
		"a decision":                         {[][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}}, nil, 0, false},
		"a fork only":                        {[][2]int{{0, 1}, {0, 2}, {0, 3}, {3, 4}}, nil, 0, false},
		"a join only":                        {[][2]int{{1, 0}, {2, 0}, {3, 0}, {0, 4}}, nil, 0, false},
		"one":                                {twoLayers[:6], nil, 1, false},
		"one and a half":                     {twoLayers[:11], nil, 1, false},
		"some heads unseen":                  {[][2]int{{0, 1}, {0, 2}, {0, 3}, {2, 4}, {3, 4}, {4, 5}, {4, 6}, {4, 7}, {6, 8}, {7, 8}}, [][2]int{{1, 4}, {8, 5}}, 2, true},
		"no head seen":                       {[][2]int{{0, 8}, {8, 9}, {9, 10}}, [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}}, 0, false},
		"a way back":                         {[][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {4, 3}}, nil, 0, false},
		"a choice of four behind":            {append([][2]int{{4, 9}, {9, 8}}, twoLayers...), nil, 2, false},
		"beside each other":                  {[][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {10, 5}, {10, 6}, {10, 7}, {5, 8}, {6, 8}, {7, 8}}, nil, 2, false},
		"the second has the smaller numbers": {[][2]int{{4, 1}, {4, 2}, {4, 3}, {1, 0}, {2, 0}, {3, 0}, {8, 5}, {8, 6}, {8, 7}, {5, 4}, {6, 4}, {7, 4}}, nil, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			got := Traced(sketchOf(c.arrows, c.lines), pdf.View{DPI: 72}, nil)
			if got == nil {
				t.Fatal("no diagram")
			}
			first, second, ok := got.InRow(3)
			if layers := got.Layers(); len(layers) != c.layers || ok != c.row {
				t.Errorf("%+v, in a row: %v", layers, ok)
			}
			if ok && first.To != second.From {
				t.Errorf("%+v before %+v", first, second)
			}
		})
	}
}
