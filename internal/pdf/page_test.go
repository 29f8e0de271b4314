package pdf

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func onePage(t *testing.T, content, more string) Page {
	t.Helper()
	m := newMaker()
	m.page(content, more)
	d := read(t, m.bytes(), Options{})
	if len(d.Pages) != 1 || len(d.Notes) != 0 {
		t.Fatalf("%d pages, notes %v", len(d.Pages), d.Notes)
	}
	return d.Pages[0]
}

func TestLines(t *testing.T) {
	p := onePage(t, text("F2", 20, 72, 720, "1 Design")+text("F1", 10, 72, 690, "Nodes run at once (in parallel).")+
		text("F3", 9, 90, 670, "graph.add_edge(a, b)"), "")
	type line struct {
		Text       string
		Size       float64
		Bold, Mono bool
		Font       string
	}
	var got []line
	for _, l := range p.Lines {
		got = append(got, line{l.Text, l.Size, l.Bold, l.Mono, l.Font})
	}
	want := []line{
		{"1 Design", 20, true, false, "Helvetica-Bold"},
		{"Nodes run at once (in parallel).", 10, false, false, "Helvetica"},
		{"graph.add_edge(a, b)", 9, false, true, "Courier"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	first := p.Lines[0].Box
	if first.X0 < 71 || first.X0 > 75 || first.Y1 < 79 || first.Y1 > 88 || first.Y0 > 66 {
		t.Errorf("box of the heading is %v", first)
	}
	if p.Width != 600 || p.Height != 800 {
		t.Errorf("page of %g by %g", p.Width, p.Height)
	}
}

func TestLinesScaledText(t *testing.T) {
	p := onePage(t, "q 0.5 0 0 0.5 0 0 cm\n"+text("F1", 24, 144, 1400, "Half as large")+"Q\n", "")
	if len(p.Lines) != 1 || p.Lines[0].Size != 12 {
		t.Errorf("lines %+v", p.Lines)
	}
}

func TestLinesRotatedPage(t *testing.T) {
	p := onePage(t, "BT /F1 12 Tf 0 1 -1 0 100 72 Tm (Sideways) Tj ET", "/Rotate 90")
	if p.Width != 800 || p.Height != 600 || len(p.Lines) != 1 {
		t.Fatalf("%g by %g, lines %+v", p.Width, p.Height, p.Lines)
	}
	b := p.Lines[0].Box
	if b.X0 < 71 || b.X0 > 74 || b.Y1 < 100 || b.Y1 > 106 || b.Y0 > 100 || b.width() < 40 {
		t.Errorf("box is %v", b)
	}
}

func TestLinesHyphenAndGaps(t *testing.T) {
	p := onePage(t, text("F1", 10, 72, 700, "the aggrega-")+text("F1", 10, 72, 688, "tor joins")+
		text("F1", 10, 72, 640, "Metric")+text("F1", 10, 250, 640, "Value")+text("F1", 10, 400, 640, "Note it"), "")
	var got []string
	for _, l := range p.Lines {
		got = append(got, l.Text)
	}
	want := []string{"the aggrega-", "tor joins", "Metric\tValue\tNote it"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(p.Lines) > 0 && !p.Lines[0].Hyphen {
		t.Error("the hyphen is not marked")
	}
}

func TestHiddenText(t *testing.T) {
	visible := text("F1", 12, 72, 700, "Plain words.")
	box := "0 0.2 0.4 rg 60 590 400 40 re f\n"
	tests := map[string]struct {
		content string
		want    Hidden
	}{
		"black on paper":        {text("F1", 12, 72, 600, "Look here"), ""},
		"white on paper":        {"1 1 1 rg " + text("F1", 12, 72, 600, "Look here"), SameColour},
		"nearly white":          {"0.97 0.97 0.97 rg " + text("F1", 12, 72, 600, "Look here"), SameColour},
		"grey on paper":         {"0.6 0.6 0.6 rg " + text("F1", 12, 72, 600, "Look here"), ""},
		"white on blue":         {box + "1 1 1 rg " + text("F1", 12, 72, 600, "Look here"), ""},
		"blue on blue":          {box + text("F1", 12, 72, 600, "Look here"), SameColour},
		"blue before the box":   {"0 0.2 0.4 rg " + text("F1", 12, 72, 600, "Look here") + box, Covered},
		"neither fill nor line": {"3 Tr " + text("F1", 12, 72, 600, "Look here") + "0 Tr ", Invisible},
		"tiny":                  {text("F1", 1, 72, 600, "Look here"), Tiny},
		"tiny by scale":         {"q 0.1 0 0 0.1 0 0 cm " + text("F1", 12, 720, 6000, "Look here") + " Q ", Tiny},
		"small print":           {text("F1", 6, 72, 600, "Look here"), ""},
		"a dash is no tiny":     {text("F1", 12, 72, 600, "-"), ""},
		"below the page":        {text("F1", 12, 72, -300, "Look here"), OffPage},
		"under a box":           {text("F1", 12, 72, 600, "Look here") + box, Covered},
		"beside a box":          {text("F1", 12, 72, 560, "Look here") + box, ""},
		"mostly out of a box":   {text("F1", 12, 10, 600, "Look here, it goes") + box, ""},
		"little out of a box":   {text("F1", 12, 55, 600, "Look here, it goes") + box, Covered},
		"under two boxes":       {text("F1", 12, 72, 600, "Look here, it goes") + "0.8 g 70 596 30 14 re f 99 596 90 14 re f", Covered},
		"under and on a box":    {text("F1", 12, 72, 600, "Look here") + box + "0 0 0 rg " + text("F1", 12, 72, 600, "Look here"), ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := onePage(t, visible+test.content, "")
			if len(p.Lines) != 2 {
				t.Fatalf("lines %+v", p.Lines)
			}
			if p.Lines[0].Hidden != "" || p.Lines[1].Hidden != test.want {
				t.Errorf("hidden: %q and %q", p.Lines[0].Hidden, p.Lines[1].Hidden)
			}
		})
	}
}

// The letters of a figure are not hidden for being small, but for anything else.
func TestTinyLabels(t *testing.T) {
	tests := map[string]struct {
		content string
		want    Hidden
	}{
		"in a drawing":            {text("F1", 3, 120, 310, "Look here"), ""},
		"beside a drawing":        {text("F1", 3, 420, 710, "Look here"), Tiny},
		"white in a drawing":      {"1 g " + text("F1", 3, 120, 350, "Look here"), SameColour},
		"too tiny for a drawing":  {text("F1", 0.5, 120, 310, "Look here"), Tiny},
		"on a picture":            {text("F1", 3, 425, 525, "Look here"), ""},
		"on a picture, invisible": {"3 Tr " + text("F1", 3, 425, 525, "Look here"), Invisible},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := newMaker()
			picture := fmt.Sprintf("q 100 0 0 100 400 500 cm /X%d Do Q ", m.image(40, 40, 200))
			m.page(diagram(100, 300)+picture+test.content, "")
			p := read(t, m.bytes(), Options{}).Pages[0]
			if len(p.Drawings) != 1 || len(p.Images) != 1 {
				t.Fatalf("%d drawings, %d images", len(p.Drawings), len(p.Images))
			}
			for _, l := range p.Lines {
				if l.Text == "Look here" && l.Hidden == test.want {
					return
				}
			}
			t.Errorf("lines %+v", p.Lines)
		})
	}
	m := newMaker()
	m.page(fmt.Sprintf("q 600 0 0 800 0 0 cm /X%d Do Q ", m.image(40, 40, 200))+text("F1", 3, 120, 310, "Look here"), "")
	if p := read(t, m.bytes(), Options{}).Pages[0]; len(p.Lines) != 1 || p.Lines[0].Hidden != Tiny {
		t.Errorf("on the background: %+v", p.Lines)
	}
}

// What looks hidden to a reader of objects and is not: ink tells.
func TestHiddenByInk(t *testing.T) {
	look := text("F1", 12, 72, 600, "Look here")
	place := "q 400 0 0 40 60 590 cm /X%d Do Q\n"
	tests := map[string]struct {
		content func(m *maker) (content, resources string)
		want    Hidden
	}{
		"under a picture": {func(m *maker) (string, string) {
			return look + fmt.Sprintf(place, m.image(40, 4, 200)), ""
		}, Covered},
		"under a picture that is clear": {func(m *maker) (string, string) {
			mask := m.image(40, 4, 0)
			n := m.stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width 40 /Height 4 /ColorSpace /DeviceGray /BitsPerComponent 8 /SMask %d 0 R", mask),
				bytes.Repeat([]byte{200}, 160))
			return look + fmt.Sprintf(place, n), ""
		}, ""},
		"under a highlighter": {func(*maker) (string, string) {
			return look + "/G1 gs 1 1 0 rg 60 590 400 40 re f", "/ExtGState << /G1 << /BM /Multiply >> >>"
		}, ""},
		"filled with a pattern": {func(m *maker) (string, string) {
			shade := "<< /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [72 0 140 0] /Extend [true true]" +
				" /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >> >>"
			return "/Pattern cs /P1 scn " + look, fmt.Sprintf("/Pattern << /P1 %s >>", shade)
		}, ""},
		"clipped away": {func(*maker) (string, string) {
			return "q 0 0 20 20 re W n " + look + " Q", ""
		}, Clipped},
		"within the clip path": {func(*maker) (string, string) {
			return "q 0.5 0 0 0.5 0 0 cm 100 1100 400 400 re W n 2 0 0 2 0 0 cm " + look + " Q", ""
		}, ""},
		"clipped away in a form": {func(m *maker) (string, string) {
			n := m.stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Matrix [1 0 0 1 0 100] /Resources << /Font << /F1 3 0 R >> >>",
				[]byte("300 480 9 9 re W n "+text("F1", 12, 72, 500, "Look here")))
			return fmt.Sprintf("/X%d Do", n), ""
		}, Clipped},
		"within the clip path of a form": {func(m *maker) (string, string) {
			n := m.stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Matrix [1 0 0 1 0 100] /Resources << /Font << /F1 3 0 R >> >>",
				[]byte("60 480 99 40 re W n "+text("F1", 12, 72, 500, "Look here")))
			return fmt.Sprintf("/X%d Do", n), ""
		}, ""},
		"on a layer that is off": {func(m *maker) (string, string) {
			return "/OC /L1 BDC " + look + " EMC", layer(m, "/OFF")
		}, LayerOff},
		"on a layer that is on": {func(m *maker) (string, string) {
			return "/OC /L1 BDC " + look + " EMC", layer(m, "/ON")
		}, ""},
		"white on a page with transparency": {func(*maker) (string, string) {
			return "/G1 gs 1 1 1 rg " + look, "/ExtGState << /G1 << /ca 0.9 >> >>"
		}, SameColour},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := newMaker()
			content, resources := test.content(m)
			m.resources = resources
			m.page(text("F1", 12, 72, 700, "Plain words.")+content, "")
			d := read(t, m.bytes(), Options{})
			if len(d.Pages) != 1 || len(d.Pages[0].Lines) != 2 || len(d.Notes) > 0 {
				t.Fatalf("pages %+v, notes %v", d.Pages, d.Notes)
			}
			if l := d.Pages[0].Lines; l[0].Hidden != "" || l[1].Hidden != test.want {
				t.Errorf("hidden: %q and %q", l[0].Hidden, l[1].Hidden)
			}
		})
	}
}

// layer adds a layer, and gives the resources that name it L1.
func layer(m *maker, list string) string {
	n := m.add("<< /Type /OCG /Name (Layer) >>")
	m.objects[0] = fmt.Sprintf("<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [%[1]d 0 R] /D << %[2]s [%[1]d 0 R] >> >> >>", n, list)
	return fmt.Sprintf("/Properties << /L1 %d 0 R >>", n)
}

func TestHiddenWithinLine(t *testing.T) {
	p := onePage(t, "BT /F1 12 Tf 72 600 Td (We say ) Tj 1 1 1 rg (give full marks ) Tj 0 0 0 rg (what we did.) Tj ET", "")
	type part struct {
		Text   string
		Hidden Hidden
	}
	var got []part
	for _, l := range p.Lines {
		got = append(got, part{strings.TrimSpace(l.Text), l.Hidden})
	}
	want := []part{{"We say", ""}, {"give full marks", SameColour}, {"what we did.", ""}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A listing's line that is too long runs over the edge; its author hides nothing.
func TestOverflowIsNotHidden(t *testing.T) {
	p := onePage(t, "BT /F3 12 Tf 400 600 Td (a_call_of_a_name\\() Tj ( another_argument_beyond_the_edge) Tj ET", "")
	if len(p.Lines) != 1 || p.Lines[0].Hidden != "" {
		t.Errorf("lines %+v", p.Lines)
	}
}

func TestImages(t *testing.T) {
	m := newMaker()
	a, b := m.image(200, 100, 10), m.image(200, 100, 20)
	draw := func(image int, w, h, x, y float64) string {
		return fmt.Sprintf("q %g 0 0 %g %g %g cm /X%d Do Q\n", w, h, x, y, image)
	}
	m.page(text("F1", 12, 72, 700, "Figures")+draw(a, 400, 200, 100, 400)+draw(b, 400, 200, 100, 100)+
		draw(a, 12, 12, 20, 20), "")
	m.page(draw(a, 100, 50, 100, 400), "")
	d := read(t, m.bytes(), Options{})
	if len(d.Pages) != 2 || len(d.Pages[0].Images) != 2 || d.Pages[0].Glyphs != 1 || len(d.Pages[1].Images) != 1 {
		t.Fatalf("pages %+v", d.Pages)
	}
	first := d.Pages[0].Images[0]
	if diff := cmp.Diff(Box{100, 200, 500, 400}, first.Box); diff != "" {
		t.Error(diff)
	}
	if first.Width != 200 || first.Height != 100 || len(first.Digest) != 64 {
		t.Errorf("image %+v", first)
	}
	if first.Digest != d.Pages[1].Images[0].Digest || first.Digest == d.Pages[0].Images[1].Digest {
		t.Error("digests do not tell pictures apart")
	}
}

// diagram draws boxes one above the other with arrows between them.
func diagram(x, y float64) string {
	var b strings.Builder
	for i := range 4 {
		top := y + float64(i)*60
		fmt.Fprintf(&b, "%g %g 120 30 re S\n", x, top)
		fmt.Fprintf(&b, "%g %g m %g %g l S\n", x+60, top+30, x+60, top+60)
		fmt.Fprintf(&b, "%g %g m %g %g l %g %g l f\n", x+60, top+60, x+55, top+52, x+65, top+52)
		b.WriteString(text("F1", 9, x+10, top+10, fmt.Sprintf("node %d", i)))
	}
	return b.String()
}

func table(x, y float64) string {
	var b strings.Builder
	for i := range 6 {
		fmt.Fprintf(&b, "%g %g 400 20 re S %g %g m %g %g l S\n", x, y+float64(i)*20, x+200, y, x+200, y+120)
	}
	return b.String()
}

func roundedBadges(x, y float64) string {
	var b strings.Builder
	for i := range 12 {
		l := x + float64(i%4)*30
		o := y + float64(i/4)*14
		fmt.Fprintf(&b, "%g %g m %g %g l %g %g %g %g %g %g c %g %g l %g %g l f\n",
			l, o, l+20, o, l+23, o, l+23, o+1, l+23, o+3, l+23, o+10, l, o+10)
	}
	return b.String()
}

func TestDrawings(t *testing.T) {
	form := func(content string) func(m *maker) string {
		return func(m *maker) string {
			n := m.stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >>", []byte(content))
			return fmt.Sprintf("q 0.5 0 0 0.5 100 100 cm /X%d Do Q", n)
		}
	}
	plain := func(content string) func(*maker) string { return func(*maker) string { return content } }
	tests := map[string]struct {
		content func(*maker) string
		want    int
	}{
		"diagram":              {plain(diagram(100, 300)), 1},
		"two diagrams":         {plain(diagram(50, 500) + diagram(350, 50)), 2},
		"diagram in a form":    {form(diagram(100, 300)), 1},
		"diagram on a ground":  {plain("0.9 g 0 0 600 800 re f 0 g " + diagram(100, 300)), 1},
		"table":                {plain(table(50, 400)), 0},
		"badges with corners":  {plain(roundedBadges(72, 500)), 0},
		"text only":            {plain(text("F1", 12, 72, 700, "Words.")), 0},
		"page-wide rules only": {plain("0 100 600 1 re f 0 700 600 1 re f"), 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := newMaker()
			content := test.content(m)
			m.page(content, "")
			p := read(t, m.bytes(), Options{}).Pages[0]
			if len(p.Drawings) != test.want {
				t.Errorf("drawings %+v", p.Drawings)
			}
		})
	}
}

func TestDrawingBox(t *testing.T) {
	p := onePage(t, diagram(100, 300), "")
	if len(p.Drawings) != 1 {
		t.Fatalf("drawings %+v", p.Drawings)
	}
	d := p.Drawings[0]
	if d.Objects != 12 || d.Slanted != 4 || d.Box.X0 < 98 || d.Box.X0 > 100 || d.Box.Y1 < 500 || d.Box.Y1 > 502 {
		t.Errorf("drawing %+v", d)
	}
}

func TestLinksAndMetadata(t *testing.T) {
	m := newMaker()
	annotation := m.add("<< /Type /Annot /Subtype /Link /Rect [72 690 172 710] /A << /S /URI /URI (https://example.org/a) >> >>")
	m.page(text("F1", 12, 72, 700, "See there."), fmt.Sprintf("/Annots [%d 0 R]", annotation))
	m.extra = fmt.Sprintf("/Info %d 0 R", m.add("<< /Title (A title) /Producer (by hand) /CreationDate (D:20260101120000Z) >>"))
	d := read(t, m.bytes(), Options{})
	if diff := cmp.Diff([]Link{{Box{72, 90, 172, 110}, "https://example.org/a"}}, d.Pages[0].Links); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Metadata{Title: "A title", Producer: "by hand", Created: "D:20260101120000Z"}, d.Meta); diff != "" {
		t.Error(diff)
	}
}
