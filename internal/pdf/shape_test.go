package pdf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sketched is a drawing and something more.
func sketched(t *testing.T, more, entries string) Page {
	t.Helper()
	return onePage(t, diagram(100, 300)+more, entries)
}

func TestShapes(t *testing.T) {
	tests := map[string]struct {
		content string
		want    *Shape // the last of the page; nil when nothing may be added
	}{
		"box": {"300 400 60 20 re S", &Shape{Box: Box{299.5, 379.5, 360.5, 400.5}, Stroked: true,
			Lines: [][]Point{{{300, 400}, {360, 400}, {360, 380}, {300, 380}, {300, 400}}}}},
		"triangle": {"300 400 m 310 400 l 305 410 l f", &Shape{Box: Box{300, 390, 310, 400}, Filled: true,
			Lines: [][]Point{{{300, 400}, {310, 400}, {305, 390}}}}},
		"two lines": {"300 400 m 320 420 l 330 410 m 350 430 l S", &Shape{Box: Box{299, 369, 351, 401}, Stroked: true,
			Lines: [][]Point{{{300, 400}, {320, 380}}, {{330, 390}, {350, 370}}}}},
		"thin line":   {"300 400 m 360 400 l S", &Shape{Box: Box{299.5, 399.5, 360.5, 400.5}, Stroked: true, Lines: [][]Point{{{300, 400}, {360, 400}}}}},
		"hair line":   {"0.5 w 300 400 m 300 360 l S", &Shape{Box: Box{299.5, 399.5, 300, 440}, Stroked: true, Lines: [][]Point{{{300, 399.5}, {300, 440.5}}}}},
		"by matrix":   {"q 2 0 0 2 100 100 cm 1 w 100 150 m 120 140 l S Q", &Shape{Box: Box{298, 398, 342, 422}, Stroked: true, Lines: [][]Point{{{300, 400}, {340, 420}}}}},
		"no ink":      {"300 400 60 20 re n", nil},
		"transparent": {"/G gs 300 400 m 340 440 l S", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := newMaker()
			content := strings.ReplaceAll(diagram(100, 300)+test.content, "/G gs", fmt.Sprintf("/X%d Do", m.stream(
				"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /ExtGState << /G << /CA 0.01 >> >> >>", []byte("/G gs 300 400 m 340 440 l S"))))
			content = strings.TrimSuffix(content, " 300 400 m 340 440 l S")
			m.page(content, "")
			p := read(t, m.bytes(), Options{}).Pages[0]
			plain := sketched(t, "", "")
			if test.want == nil {
				if diff := cmp.Diff(plain.Shapes, p.Shapes); diff != "" {
					t.Error(diff)
				}
				return
			}
			if len(p.Shapes) != len(plain.Shapes)+1 || p.Partial {
				t.Fatalf("shapes %+v", p.Shapes)
			}
			got := p.Shapes[len(p.Shapes)-1]
			got.Box = test.want.Box // PDFium adds some of the line's width
			if diff := cmp.Diff(*test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A curve is handed out as points on it, and a long outline is not.
func TestShapesOfCurves(t *testing.T) {
	p := sketched(t, "300 400 m 300 420 320 440 340 440 c S\n300 500 m "+strings.Repeat("310 510 l 320 500 l ", 200)+"S", "")
	curve, long := p.Shapes[len(p.Shapes)-2], p.Shapes[len(p.Shapes)-1]
	if len(curve.Lines) != 1 || len(curve.Lines[0]) != curveSteps+1 {
		t.Fatalf("curve %+v", curve)
	}
	first, middle, last := curve.Lines[0][0], curve.Lines[0][curveSteps/2], curve.Lines[0][curveSteps]
	if first != (Point{300, 400}) || middle != (Point{312.5, 372.5}) || last != (Point{340, 360}) {
		t.Errorf("curve through %v, %v, %v", first, middle, last)
	}
	if long.Lines != nil || long.Box.width() < 19 {
		t.Errorf("long outline %+v", long)
	}
}

func TestShapesRotatedPage(t *testing.T) {
	p := sketched(t, "300 400 m 310 400 l 305 410 l f", "/Rotate 90")
	got := p.Shapes[len(p.Shapes)-1]
	if diff := cmp.Diff([][]Point{{{400, 300}, {400, 310}, {410, 305}}}, got.Lines); diff != "" {
		t.Error(diff)
	}
}

func TestLabels(t *testing.T) {
	p := sketched(t, text("F1", 9, 230, 340, "one")+text("F1", 9, 260, 340, "two words")+"1 1 1 rg "+
		text("F1", 9, 230, 360, "unseen")+"0 g "+text("F1", 9, 400, 700, "far away"), "")
	var got []string
	for _, l := range p.Labels {
		got = append(got, l.Text)
	}
	if diff := cmp.Diff([]string{"node 0", "node 1", "node 2", "node 3", "one"}, got); diff != "" {
		t.Error(diff)
	}
	if b := p.Labels[0].Box; b.X0 < 109 || b.X1 > 140 || b.height() > 14 {
		t.Errorf("box %v", b)
	}
}

// Without a drawing nobody asks for shapes.
func TestNoShapes(t *testing.T) {
	p := onePage(t, table(50, 400)+text("F1", 9, 60, 405, "cell"), "")
	if p.Shapes != nil || p.Labels != nil {
		t.Errorf("shapes %v, labels %v", p.Shapes, p.Labels)
	}
}

func TestShapesCapped(t *testing.T) {
	var b strings.Builder
	for i := range 700 {
		fmt.Fprintf(&b, "%d %d m %s S\n", 50+i%25*20, 50+i/25*20, strings.Repeat("100 120 300 140 400 440 c ", 20))
	}
	m := newMaker()
	m.page(b.String(), "")
	d := read(t, m.bytes(), Options{})
	points := 0
	for _, s := range d.Pages[0].Shapes {
		for _, l := range s.Lines {
			points += len(l)
		}
	}
	capped := slices.ContainsFunc(d.Notes, func(n Note) bool { return n.Code == ShapesCapped && n.Page == 1 })
	if !capped || !d.Pages[0].Partial || points == 0 || points > maxPoints {
		t.Errorf("%d points, partial %v, notes %v", points, d.Pages[0].Partial, d.Notes)
	}
}
