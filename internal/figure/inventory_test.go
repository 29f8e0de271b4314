package figure

import (
	"strconv"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/google/go-cmp/cmp"
)

// written is a page full of words, lines 12 points apart from y = 60 on.
func written(number int, lines ...string) pdf.Page {
	p := pdf.Page{Number: number, Width: 600, Height: 800}
	words := strings.Repeat("words of a report ", 20)
	for i, text := range append([]string{words}, lines...) {
		y := 60 + 12*float64(i)
		p.Lines = append(p.Lines, pdf.Line{Text: text, Size: 10, Box: pdf.Box{X0: 72, Y0: y, X1: 500, Y1: y + 10}})
	}
	return p
}

func document(pages ...pdf.Page) *pdf.Document {
	return &pdf.Document{Status: pdf.Readable, Total: len(pages), Pages: pages}
}

func picture(digest string, w, h int, box pdf.Box) pdf.Image {
	return pdf.Image{Digest: digest, Width: w, Height: h, Box: box}
}

func TestInventoryRaster(t *testing.T) {
	middle := pdf.Box{X0: 100, Y0: 300, X1: 500, Y1: 600}
	tests := map[string]struct {
		image pdf.Image
		want  int
	}{
		"figure":            {picture("a", 800, 600, middle), 1},
		"few pixels":        {picture("a", 100, 100, middle), 0},
		"icon":              {picture("a", 512, 512, pdf.Box{X0: 72, Y0: 100, X1: 100, Y1: 128}), 0},
		"rule":              {picture("a", 1200, 8, pdf.Box{X0: 72, Y0: 300, X1: 540, Y1: 303}), 0},
		"wide figure":       {picture("a", 1300, 194, pdf.Box{X0: 72, Y0: 300, X1: 540, Y1: 370}), 1},
		"background":        {picture("a", 1200, 1600, pdf.Box{X1: 600, Y1: 800}), 0},
		"without a digest":  {picture("", 800, 600, middle), 1},
		"tall flow diagram": {picture("a", 276, 1363, pdf.Box{X0: 239, Y0: 150, X1: 372, Y1: 700}), 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := written(2)
			p.Images = []pdf.Image{test.image}
			if got := Inventory(document(written(1), p)); len(got) != test.want {
				t.Errorf("figures %+v", got)
			}
		})
	}
}

func TestInventoryRepetition(t *testing.T) {
	header := picture("logo", 400, 200, pdf.Box{X0: 450, Y0: 20, X1: 550, Y1: 70})
	var pages []pdf.Page
	for i := range 10 {
		p := written(i + 1)
		p.Images = []pdf.Image{header}
		if i < 3 { // the same diagram again, elsewhere
			p.Images = append(p.Images, picture("flow", 800, 400, pdf.Box{X0: 100, Y0: 200 + 10*float64(i), X1: 500, Y1: 400}))
		}
		pages = append(pages, p)
	}
	got := Inventory(document(pages...))
	if len(got) != 3 || got[0].Digest != "flow" {
		t.Errorf("figures %+v", got)
	}
}

func TestInventoryCover(t *testing.T) {
	logo := picture("logo", 800, 400, pdf.Box{X0: 72, Y0: 300, X1: 540, Y1: 560})
	cover := pdf.Page{Number: 1, Width: 600, Height: 800, Images: []pdf.Image{logo},
		Lines: []pdf.Line{{Text: "Final Report", Box: pdf.Box{X0: 72, Y0: 70, X1: 300, Y1: 100}}}}
	if got := Inventory(document(cover, written(2))); len(got) != 0 {
		t.Errorf("a logo on the title page: %+v", got)
	}
	cover.Lines = append(cover.Lines, pdf.Line{Text: "Figure 1: The flow", Box: pdf.Box{X0: 72, Y0: 570, X1: 300, Y1: 582}})
	if got := Inventory(document(cover, written(2))); len(got) != 1 || got[0].Caption != "Figure 1: The flow" {
		t.Errorf("a figure on the title page: %+v", got)
	}
}

func TestInventoryScan(t *testing.T) {
	scan := pdf.Page{Number: 1, Width: 600, Height: 800, Images: []pdf.Image{picture("a", 600, 800, pdf.Box{X1: 600, Y1: 800})}}
	d := document(scan, scan)
	if got := Inventory(d); len(got) != 0 {
		t.Errorf("page pictures: %+v", got)
	}
	d.Status = pdf.NoText
	if got := Inventory(d); got != nil {
		t.Errorf("without text layer: %+v", got)
	}
	if got := Inventory(nil); got != nil {
		t.Errorf("without document: %+v", got)
	}
}

func TestInventoryVector(t *testing.T) {
	box := pdf.Box{X0: 100, Y0: 50, X1: 520, Y1: 200}
	drawn := func(boxes ...pdf.Box) pdf.Page {
		p := written(1, "node one", "node two", "node three")
		for i, b := range boxes {
			p.Drawings = append(p.Drawings, pdf.Drawing{Box: b, Objects: 20, Slanted: 9, Digest: strconv.Itoa(i)})
		}
		return p
	}
	ornament := written(1)
	ornament.Drawings = []pdf.Drawing{{Box: pdf.Box{X0: 100, Y0: 500, X1: 400, Y1: 700}, Digest: "o"}}
	tests := map[string]struct {
		page pdf.Page
		want int
	}{
		"with labels":          {drawn(box), 1},
		"icon":                 {drawn(pdf.Box{X0: 100, Y0: 50, X1: 140, Y1: 100}), 0},
		"ornament":             {ornament, 0},
		"parts of one drawing": {drawn(pdf.Box{X0: 100, Y0: 50, X1: 520, Y1: 90}, pdf.Box{X0: 100, Y0: 110, X1: 520, Y1: 200}), 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := Inventory(document(test.page))
			if len(got) != test.want {
				t.Errorf("figures %+v", got)
			}
		})
	}
}

func TestInventoryText(t *testing.T) {
	first := written(1, append(strings.Split(boxes, "\n"), "Figure 3: Drawn by hand")...)
	source := written(2, "graph TD", "A[START] --> B{Fan", "out}", "B --> C[Repo]", "That is its source.", "More words.", "And more.")
	got := Inventory(document(first, source))
	if len(got) != 2 {
		t.Fatalf("figures %+v", got)
	}
	art, printed := got[0], got[1]
	if art.Origin != Text || !art.Drawn() || art.Caption != "Figure 3: Drawn by hand" || art.Source != boxes || !art.Readable || len(art.Graph.Edges) != 1 {
		t.Errorf("drawing %+v", art)
	}
	if printed.Origin != Mermaid || printed.Drawn() || printed.Graph == nil || printed.Page != 2 {
		t.Errorf("source %+v", printed)
	}
}

// A drawing that goes over a page's end is one figure; the hidden lines of a page are none.
func TestInventoryTextOverPages(t *testing.T) {
	lines := strings.Split(boxes, "\n")
	first, second := written(1, lines[:4]...), pdf.Page{Number: 2, Width: 600, Height: 800}
	for _, l := range lines[4:] {
		second.Lines = append(second.Lines, pdf.Line{Text: l})
	}
	if got := Inventory(document(first, second)); len(got) != 1 || got[0].Page != 1 || got[0].Source != boxes {
		t.Errorf("figures %+v", got)
	}
	for i := range first.Lines {
		first.Lines[i].Hidden = pdf.SameColour
	}
	if got := Inventory(document(first)); len(got) != 0 {
		t.Errorf("hidden: %+v", got)
	}
}

func TestInventoryOrder(t *testing.T) {
	p := written(1)
	p.Images = []pdf.Image{
		picture("low", 800, 400, pdf.Box{X0: 100, Y0: 500, X1: 500, Y1: 700}),
		picture("high", 800, 400, pdf.Box{X0: 100, Y0: 200, X1: 500, Y1: 400}),
	}
	var order []string
	for _, f := range Inventory(document(p)) {
		order = append(order, f.Digest)
	}
	if diff := cmp.Diff([]string{"high", "low"}, order); diff != "" {
		t.Error(diff)
	}
}

func TestInventoryTitles(t *testing.T) {
	at := pdf.Box{X0: 60, Y0: 300, X1: 500, Y1: 500}
	line := func(y float64, text string) pdf.Line {
		return pdf.Line{Text: text, Box: pdf.Box{X0: 60, Y0: y, X1: 300, Y1: y + 10}}
	}
	tests := map[string]struct {
		before, on []pdf.Line
		want       string
	}{
		"title right above":        {nil, []pdf.Line{line(100, "Intro"), line(280, "2.1 Flow of the state")}, "2.1 Flow of the state"},
		"title and a remark":       {nil, []pdf.Line{line(260, "Architecture"), line(280, "(all of it)")}, "Architecture"},
		"far above":                {nil, []pdf.Line{line(200, "Flow of the state")}, ""},
		"a sentence":               {nil, []pdf.Line{line(280, "It has a graph.")}, ""},
		"below":                    {nil, []pdf.Line{line(100, "Words"), line(510, "Flow of the state")}, ""},
		"at the end of the page":   {[]pdf.Line{line(700, "Diagram of the state")}, nil, "Diagram of the state"},
		"a page number in between": {[]pdf.Line{line(690, "Diagram of the state"), line(740, "7")}, nil, "Diagram of the state"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			words := line(600, strings.Repeat("word ", 70))
			first := pdf.Page{Number: 1, Width: 600, Height: 800, Lines: append([]pdf.Line{line(90, words.Text)}, test.before...)}
			second := pdf.Page{Number: 2, Width: 600, Height: 800, Lines: append([]pdf.Line{words}, test.on...), Images: []pdf.Image{picture("p", 800, 400, at)}}
			got := Inventory(document(first, second))
			if len(got) != 1 || got[0].Title != test.want || got[0].Caption != "" {
				t.Errorf("figures %+v", got)
			}
		})
	}
}
