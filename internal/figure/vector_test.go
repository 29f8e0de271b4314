package figure

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/google/go-cmp/cmp"
)

// canvas writes the content of a page of 600 by 800 points; y grows downwards.
type canvas struct{ bytes.Buffer }

func (c *canvas) ink(format string, numbers ...float64) {
	args := make([]any, len(numbers))
	for i, n := range numbers {
		args[i] = fmt.Sprintf("%.2f", n)
	}
	fmt.Fprintf(c, format+"\n", args...)
}

func (c *canvas) text(x, y float64, text string) {
	fmt.Fprintf(c, "BT /F1 9 Tf 1 0 0 1 %g %g Tm (%s) Tj ET\n", x, 800-y, text)
}

// box has its label in the middle.
func (c *canvas) box(x, y, w, h float64, label string) {
	c.ink("%s %s %s %s re S", x, 800-y-h, w, h)
	c.text(x+w/2-2.2*float64(len(label)), y+h/2+3, label)
}

func (c *canvas) diamond(x, y, w, h float64, label string) {
	c.ink("%s %s m %s %s l %s %s l %s %s l h S", x, 800-y-h/2, x+w/2, 800-y, x+w, 800-y-h/2, x+w/2, 800-y-h)
	c.text(x+w/2-2.2*float64(len(label)), y+h/2+3, label)
}

// line goes through pairs of coordinates.
func (c *canvas) line(at ...float64) {
	for i := 0; i < len(at); i += 2 {
		fmt.Fprintf(c, "%.2f %.2f %s ", at[i], 800-at[i+1], map[bool]string{true: "m", false: "l"}[i == 0])
	}
	c.WriteString("S\n")
}

// wings are the two hind corners of a head that points from a to b.
func wings(x0, y0, x1, y1 float64) (ax, ay, bx, by float64) {
	const long, wide = 7.0, 3.0
	n := math.Hypot(x1-x0, y1-y0)
	dx, dy := (x1-x0)/n, (y1-y0)/n
	return x1 - long*dx - wide*dy, y1 - long*dy + wide*dx, x1 - long*dx + wide*dy, y1 - long*dy - wide*dx
}

func (c *canvas) head(x0, y0, x1, y1 float64) {
	ax, ay, bx, by := wings(x0, y0, x1, y1)
	c.ink("%s %s m %s %s l %s %s l f", x1, 800-y1, ax, 800-ay, bx, 800-by)
}

// arrow is a line with a filled head at its end.
func (c *canvas) arrow(at ...float64) {
	c.line(at...)
	c.head(at[len(at)-4], at[len(at)-3], at[len(at)-2], at[len(at)-1])
}

// open is a line with a head of one stroke, or of two.
func (c *canvas) open(two bool, x0, y0, x1, y1 float64) {
	ax, ay, bx, by := wings(x0, y0, x1, y1)
	c.line(x0, y0, x1, y1)
	if two {
		c.line(x1, y1, ax, ay)
		c.line(x1, y1, bx, by)
		return
	}
	c.line(ax, ay, x1, y1, bx, by)
}

// layer is a fork to three boxes and a join; head draws the arrows.
func (c *canvas) layer(arrow func(x0, y0, x1, y1 float64)) {
	c.box(250, 100, 100, 30, "start")
	c.box(250, 300, 100, 30, "join")
	for i, name := range []string{"left", "mid", "right"} {
		x := 100 + 150*float64(i)
		c.box(x, 200, 100, 30, name)
		arrow(300, 130, x+50, 200)
		arrow(x+50, 230, 270+30*float64(i), 300)
	}
}

var layered = []string{"left>join", "mid>join", "right>join", "start>left", "start>mid", "start>right"}

// engine is PDFium for the tests of this room.
type engine struct {
	handle func([]byte) ([]byte, error)
}

func (e engine) Do(_ context.Context, request []byte) ([]byte, error) { return e.handle(request) }

var compiled = sync.OnceValue(func() engine { return engine{pdf.Service("").Handle} })

// document sets one page. What is in form can be drawn by /X; more are entries of the page.
func printed(t *testing.T, content, form, more string) *pdf.Page {
	t.Helper()
	stream := func(dict, data string) string {
		return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data)
	}
	fonts := "/Font << /F1 4 0 R >>"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << " + fonts + " /XObject << /X 6 0 R >> >> " + more + " >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		stream("", content),
		stream("/Type /XObject /Subtype /Form /BBox [-1000 -1000 1000 1000] /Resources << "+fonts+" >>", form),
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	d, err := pdf.Read(context.Background(), compiled(), b.Bytes(), pdf.Options{})
	if err != nil || len(d.Pages) != 1 {
		t.Fatal(err, d)
	}
	return &d.Pages[0]
}

// vectorOf is the only figure of a page.
func vectorOf(t *testing.T, p *pdf.Page) Figure {
	t.Helper()
	p.Number = 2 // no title page
	var found []Figure
	for _, f := range Inventory(&pdf.Document{Status: pdf.Readable, Total: 2, Pages: []pdf.Page{*p}}) {
		if f.Origin == Vector {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		t.Fatalf("figures %+v", found)
	}
	return found[0]
}

// arrowsOf lists the arrows by labels, sorted; a label at an arrow behind a colon.
func arrowsOf(g *Graph) []string {
	if g == nil {
		return nil
	}
	names := map[string]string{}
	for _, n := range g.Nodes {
		names[n.ID] = n.Label
	}
	var list []string
	for _, e := range g.Edges {
		text := names[e.From] + ">" + names[e.To]
		if e.Label != "" {
			text += ":" + e.Label
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}

func TestVectorArrows(t *testing.T) {
	tests := map[string]struct {
		draw  func(c *canvas)
		want  []string
		loose int
	}{
		"filled heads":     {func(c *canvas) { c.layer(func(x0, y0, x1, y1 float64) { c.arrow(x0, y0, x1, y1) }) }, layered, 0},
		"stroked chevrons": {func(c *canvas) { c.layer(func(x0, y0, x1, y1 float64) { c.open(false, x0, y0, x1, y1) }) }, layered, 0},
		"two strokes":      {func(c *canvas) { c.layer(func(x0, y0, x1, y1 float64) { c.open(true, x0, y0, x1, y1) }) }, layered, 0},
		"short of the box": {func(c *canvas) {
			c.layer(func(x0, y0, x1, y1 float64) { c.arrow(x0, y0+2, x1, y1-3) })
		}, layered, 0},
		"slim rectangles": {func(c *canvas) {
			c.layer(func(x0, y0, x1, y1 float64) {
				c.ink("%s %s m %s %s l %s %s l %s %s l f", x0-.4, 800-y0, x1-.4, 800-y1, x1+.4, 800-y1, x0+.4, 800-y0)
				c.head(x0, y0, x1, y1)
			})
		}, layered, 0},
		"dashes one by one": {func(c *canvas) {
			c.layer(func(x0, y0, x1, y1 float64) {
				for i := range 12 {
					a, b := float64(i)/12, (float64(i)+.6)/12
					c.line(x0+a*(x1-x0), y0+a*(y1-y0), x0+b*(x1-x0), y0+b*(y1-y0))
				}
				c.head(x0, y0, x1, y1)
			})
		}, layered, 0},
		"splines": {func(c *canvas) {
			c.layer(func(x0, y0, x1, y1 float64) {
				c.ink("%s %s m %s %s %s %s %s %s c S", x0, 800-y0, x0, 800-y0-30, x1, 800-y1+30, x1, 800-y1)
				c.head(x1, y1-20, x1, y1)
			})
		}, layered, 0},
		"elbows in pieces": {func(c *canvas) {
			c.layer(func(x0, y0, x1, y1 float64) {
				c.line(x0+(x1-x0)/50, y0, x0+(x1-x0)/50, y0+20)
				c.line(x0+(x1-x0)/50, y0+20, x1, y0+20+(x1-x0)/40)
				c.arrow(x1, y0+20+(x1-x0)/40, x1, y1)
			})
		}, layered, 0},
		"a trunk and its branches": {func(c *canvas) {
			c.layer(func(_, _, _, _ float64) {})
			c.line(300, 130, 300, 160)
			c.line(150, 160, 450, 160)
			c.line(150, 270, 450, 270)
			for _, x := range []float64{150, 300, 450} {
				c.arrow(x, 160, x, 200)
				c.line(x, 230, x, 270)
			}
			c.arrow(300, 270, 300, 300)
		}, layered, 0},
		"a router": {func(c *canvas) {
			c.diamond(250, 100, 100, 50, "ok?")
			c.box(250, 220, 100, 30, "go on")
			c.box(450, 110, 100, 30, "stop")
			c.box(250, 300, 100, 30, "report")
			c.arrow(300, 150, 300, 220)
			c.text(305, 185, "yes")
			c.arrow(350, 125, 450, 125)
			c.text(390, 120, "no")
			c.arrow(300, 250, 300, 300)
		}, []string{"go on>report", "ok?>go on:yes", "ok?>stop:no"}, 0},
		"back, to itself and both ways": {func(c *canvas) {
			c.box(100, 100, 100, 30, "one")
			c.box(300, 100, 100, 30, "two")
			c.box(300, 200, 100, 30, "three")
			c.arrow(200, 115, 300, 115)
			c.arrow(350, 200, 350, 130)
			c.head(350, 130, 350, 200)
			c.arrow(400, 210, 440, 210, 440, 222, 400, 222)
			c.arrow(300, 215, 150, 215, 150, 130)
		}, []string{"one>two", "three>one", "three>three", "three>two", "two>three"}, 0},
		"lines that cross": {func(c *canvas) {
			c.box(100, 100, 100, 30, "one")
			c.box(300, 100, 100, 30, "two")
			c.box(100, 250, 100, 30, "three")
			c.box(300, 250, 100, 30, "four")
			c.arrow(150, 130, 350, 250)
			c.arrow(350, 130, 150, 250)
		}, []string{"one>four", "two>three"}, 0},
		"arrives and leaves at one point": {func(c *canvas) {
			c.box(100, 100, 100, 30, "one")
			c.box(300, 200, 100, 30, "two")
			c.box(100, 300, 100, 30, "three")
			c.arrow(200, 115, 300, 215)
			c.arrow(300, 215, 200, 315)
			c.arrow(150, 330, 150, 360, 350, 360, 350, 230)
		}, []string{"one>two", "three>two", "two>three"}, 0},
		"no direction": {func(c *canvas) {
			c.layer(func(x0, y0, x1, y1 float64) {
				if x0 == 300 && x1 == 300 && y0 < 200 {
					c.line(x0, y0, x1, y1)
					return
				}
				c.arrow(x0, y0, x1, y1)
			})
		}, slices.DeleteFunc(slices.Clone(layered), func(s string) bool { return s == "start>mid" }), 1},
		"from nowhere": {func(c *canvas) {
			c.layer(func(x0, y0, x1, y1 float64) { c.arrow(x0, y0, x1, y1) })
			c.arrow(520, 140, 480, 200)
		}, layered, 1},
		"heads alone": {func(c *canvas) {
			c.layer(func(x0, y0, x1, y1 float64) { c.arrow(x0, y0, x1, y1) })
			c.head(508, 140, 508, 180)
		}, layered, 1},
		"two to two by one bus": {func(c *canvas) {
			c.layer(func(x0, y0, x1, y1 float64) { c.arrow(x0, y0, x1, y1) })
			for i, name := range []string{"in", "as well", "out", "too"} {
				c.box(100+100*float64(i), 345, 80, 30, name)
				x := 140 + 100*float64(i)
				if i < 2 {
					c.line(x, 375, x, 400)
				} else {
					c.arrow(x, 400, x, 375)
				}
			}
			c.line(140, 400, 440, 400)
		}, layered, 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var c canvas
			test.draw(&c)
			f := vectorOf(t, printed(t, c.String(), "", ""))
			if diff := cmp.Diff(test.want, arrowsOf(f.Graph)); diff != "" {
				t.Error(diff)
			}
			if f.Graph != nil && (f.Graph.Loose != test.loose || f.Readable != (test.loose == 0)) {
				t.Errorf("%d arrows are loose, readable %v", f.Graph.Loose, f.Readable)
			}
		})
	}
}

// The same drawing, moved by matrices and by the page's rotation.
func TestVectorPlaces(t *testing.T) {
	var c canvas
	c.layer(func(x0, y0, x1, y1 float64) { c.arrow(x0, y0, x1, y1) })
	var marked canvas
	marked.layer(func(x0, y0, x1, y1 float64) {
		marked.line(x0, y0, x1, y1)
		n := math.Hypot(x1-x0, y1-y0)
		dx, dy := (x1-x0)/n, (y0-y1)/n
		marked.ink("q %s %s %s %s %s %s cm /X Do Q", dx, dy, -dy, dx, x1, 800-y1)
	})
	tests := map[string]struct{ content, form, more string }{
		"by matrix":     {"q 0.7 0 0 0.7 50 100 cm " + c.String() + " Q", "", ""},
		"mirrored":      {"q 1 0 0 -1 0 800 cm q 1 0 0 -1 0 800 cm " + c.String() + " Q Q", "", ""},
		"in a form":     {"q 0.5 0 0 0.5 100 100 cm /X Do Q", c.String(), ""},
		"lying":         {"q 0 0.7 -0.7 0 580 20 cm " + c.String() + " Q", "", "/Rotate 90"},
		"upside down":   {"q -1 0 0 -1 600 800 cm " + c.String() + " Q", "", "/Rotate 180"},
		"lying, a form": {"q 0 -0.7 0.7 0 20 780 cm /X Do Q", c.String(), "/Rotate 270"},
		"with markers":  {marked.String(), "0 0 m -8 3 l -8 -3 l h f", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f := vectorOf(t, printed(t, test.content, test.form, test.more))
			if diff := cmp.Diff(layered, arrowsOf(f.Graph)); diff != "" || !f.Readable {
				t.Errorf("readable %v\n%s", f.Readable, diff)
			}
		})
	}
}

func TestVectorGroups(t *testing.T) {
	var c canvas
	c.layer(func(x0, y0, x1, y1 float64) { c.arrow(x0, y0, x1, y1) })
	c.ink("[3 2] 0 d %s %s %s %s re S [] 0 d", 80, 800-250, 440, 85)
	c.text(90, 178, "The middle")
	// A label's ground lies over the arrow that it belongs to.
	c.ink("0.9 g %s %s %s %s re f 0 g", 285, 800-160, 30, 12)
	c.text(288, 157, "send")
	f := vectorOf(t, printed(t, c.String(), "", ""))
	want := []Node{
		{ID: "box 1", Label: "start"}, {ID: "box 2", Label: "left", Group: "The middle"}, {ID: "box 3", Label: "mid", Group: "The middle"},
		{ID: "box 4", Label: "right", Group: "The middle"}, {ID: "box 5", Label: "join"},
	}
	if f.Graph == nil || !f.Readable {
		t.Fatalf("figure %+v", f)
	}
	if diff := cmp.Diff(want, f.Graph.Nodes); diff != "" {
		t.Error(diff)
	}
	if got := arrowsOf(f.Graph); !slices.Contains(got, "start>mid:send") {
		t.Errorf("arrows %v", got)
	}
}

// What is drawn but shows no arrows between boxes.
func TestVectorNone(t *testing.T) {
	tests := map[string]func(c *canvas){
		"a plot": func(c *canvas) {
			c.line(100, 100, 100, 300, 400, 300)
			for i := range 10 {
				x := 100 + 30*float64(i)
				c.line(x, 300, x, 305)
				c.text(x, 315, fmt.Sprint(i))
				c.line(x, 300-float64(i*i), x+30, 300-float64((i+1)*(i+1)))
			}
			c.box(350, 110, 40, 20, "cost")
		},
		"a plot whose axes have heads": func(c *canvas) {
			c.arrow(100, 300, 100, 90)
			c.arrow(100, 300, 410, 300)
			for i := range 8 {
				c.line(100+30*float64(i), 300-float64(i*i), 130+30*float64(i), 300-float64((i+1)*(i+1)))
			}
			c.text(405, 312, "time")
			c.text(80, 90, "cost")
		},
		"a table with check marks": func(c *canvas) {
			for i := range 6 {
				y := 100 + 20*float64(i)
				c.line(100, y, 400, y)
				c.text(110, y+14, "row")
				c.line(300, y+10, 304, y+15, 312, y+4)
			}
			c.line(100, 100, 100, 200)
			c.line(250, 100, 250, 200)
		},
		"bullets before boxes": func(c *canvas) {
			for i := range 6 {
				y := 100 + 30*float64(i)
				c.head(90, y+10, 98, y+10)
				c.box(110, y, 200, 20, "point")
			}
		},
		"messages in time": func(c *canvas) {
			for i := range 3 {
				x := 100 + 150*float64(i)
				c.box(x, 100, 80, 24, "actor")
				c.line(x+40, 124, x+40, 400)
			}
			for i := range 4 {
				y := 150 + 40*float64(i)
				c.arrow(140, y, 290, y)
				c.arrow(440, y+20, 290, y+20)
			}
		},
	}
	for name, draw := range tests {
		t.Run(name, func(t *testing.T) {
			var c canvas
			draw(&c)
			p := printed(t, c.String(), "", "")
			room := pdf.Box{X0: 60, Y0: 60, X1: 560, Y1: 450}
			if g, complete := drawn(p, room); g != nil || complete {
				t.Errorf("arrows %v", arrowsOf(g))
			}
		})
	}
}

// A box whose text cannot be read may be any: then nothing follows from what is not there.
func TestVectorWithoutText(t *testing.T) {
	var c canvas
	c.layer(func(x0, y0, x1, y1 float64) { c.arrow(x0, y0, x1, y1) })
	content := strings.ReplaceAll(c.String(), "(mid)", "()")
	f := vectorOf(t, printed(t, content, "", ""))
	if f.Readable || f.Graph == nil || len(f.Graph.Edges) != len(layered) {
		t.Errorf("readable %v, graph %+v", f.Readable, f.Graph)
	}
}

// scribble makes a page of bytes: shapes, their outlines, and labels.
func scribble(data []byte) *pdf.Page {
	p := &pdf.Page{Number: 2, Width: 600, Height: 800}
	next := func() float64 {
		if len(data) == 0 {
			return 0
		}
		v := float64(data[0])
		data = data[1:]
		return v
	}
	for len(data) > 0 {
		kind := int(next())
		if kind%7 == 6 {
			x, y := 2*next(), 2*next()
			p.Labels = append(p.Labels, pdf.Label{Text: "word", Box: pdf.Box{X0: x, Y0: y, X1: x + 20, Y1: y + 9}})
			continue
		}
		var line []pdf.Point
		x, y := 2*next(), 2*next()
		for range 1 + kind%5 {
			line = append(line, pdf.Point{x, y})
			x, y = x+(next()-128)/4, y+(next()-128)/4
		}
		if kind%2 == 0 {
			line = append(line, line[0])
		}
		p.Shapes = append(p.Shapes, pdf.Shape{Box: bounds(line), Filled: kind%3 == 0, Stroked: kind%3 != 0, Lines: [][]pdf.Point{line, nil}})
	}
	return p
}

func FuzzVector(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{2, 40, 40, 200, 128, 128, 160, 56, 128, 6, 42, 42, 1, 50, 50, 128, 200, 3, 50, 68, 132, 120, 120, 120})
	f.Add(bytes.Repeat([]byte{1, 60, 60, 128, 255}, 400))
	f.Add(bytes.Repeat([]byte{0, 60, 60, 128, 128}, 400))
	f.Add(bytes.Repeat([]byte{4, 9, 9, 255, 128, 128, 255, 0, 128, 6, 9, 9}, 200))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, complete := drawn(scribble(data), pdf.Box{X1: 600, Y1: 800})
		again, _ := drawn(scribble(data), pdf.Box{X1: 600, Y1: 800})
		if diff := cmp.Diff(g, again); diff != "" {
			t.Fatal(diff)
		}
		if g == nil {
			if complete {
				t.Fatal("complete without a graph")
			}
			return
		}
		known := map[string]bool{}
		for _, n := range g.Nodes {
			if known[n.ID] {
				t.Fatalf("two nodes %q", n.ID)
			}
			known[n.ID] = true
		}
		for _, e := range g.Edges {
			if !known[e.From] || !known[e.To] {
				t.Fatalf("edge %+v without its nodes", e)
			}
		}
	})
}

// A page that is full of lines, boxes and heads costs no more than a moment.
func TestVectorHostile(t *testing.T) {
	full := func(frames, wires, tips int) *pdf.Page {
		p := &pdf.Page{Number: 2, Width: 600, Height: 800}
		add := func(filled bool, line ...pdf.Point) {
			p.Shapes = append(p.Shapes, pdf.Shape{Box: bounds(line), Filled: filled, Stroked: !filled, Lines: [][]pdf.Point{line}})
		}
		for i := range frames {
			x, y := float64(i%20)*25, float64(i/20)*30
			add(false, pdf.Point{x, y}, pdf.Point{x + 20, y}, pdf.Point{x + 20, y + 20}, pdf.Point{x, y + 20}, pdf.Point{x, y})
		}
		for i := range wires {
			var line []pdf.Point
			for j := range 8 {
				line = append(line, pdf.Point{float64((i*37 + j*61) % 500), float64((i*53 + j*29) % 600)})
			}
			add(false, line...)
		}
		for i := range tips {
			x, y := float64((i*41)%500), float64((i*23)%600)
			add(true, pdf.Point{x, y}, pdf.Point{x + 4, y + 2}, pdf.Point{x, y + 4})
		}
		return p
	}
	for name, p := range map[string]*pdf.Page{"at the bounds": full(maxFrames, maxWires-1, maxTips-1), "far above": full(0, 100_000, 0)} {
		t.Run(name, func(t *testing.T) {
			if _, complete := drawn(p, pdf.Box{X1: 600, Y1: 800}); complete {
				t.Error("it passes for complete")
			}
		})
	}
}
