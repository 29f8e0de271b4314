package pdf

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/pdf/pixels"
)

// pictured is a page with a picture of three boxes, the first of which has arrows to the two others.
func pictured() []byte {
	const w, h = 500, 400
	grey := bytes.Repeat([]byte{255}, w*h)
	fill := func(x0, y0, x1, y1 int, shade byte) {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				grey[y*w+x] = shade
			}
		}
	}
	for _, at := range [][2]int{{170, 30}, {40, 280}, {300, 280}} {
		fill(at[0], at[1], at[0]+160, at[1]+60, 30)
		fill(at[0]+2, at[1]+2, at[0]+158, at[1]+58, 240)
		for i := range 8 {
			fill(at[0]+40+10*i, at[1]+22, at[0]+43+10*i, at[1]+36, 30)
		}
	}
	for x, start := range map[int]int{120: 210, 380: 290} {
		fill(start, 90, start+2, 150, 30)
		fill(min(x, start), 150, max(x, start)+2, 152, 30)
		fill(x, 150, x+2, 270, 30)
		for i := range 10 {
			fill(x+1-i/2, 279-i, x+2+i/2, 280-i, 30)
		}
	}
	m := newMaker()
	x := m.stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8", w, h), grey)
	m.page(fmt.Sprintf("q 500 0 0 400 50 300 cm /X%d Do Q\n", x), "")
	return m.bytes()
}

func TestSketch(t *testing.T) {
	data := pictured()
	d := read(t, data, Options{})
	s, err := d.Pages[0].Images[0].Box.On(1).Sketch(context.Background(), compiled(), data)
	if err != nil {
		t.Fatal(err)
	}
	if want := []pixels.Arrow{{From: 0, To: 1}, {From: 0, To: 2}}; len(s.Boxes) != 3 || len(s.Arrows) != 2 || s.Arrows[0] != want[0] || s.Arrows[1] != want[1] {
		t.Errorf("%+v", s)
	}
	again, err := d.Pages[0].Images[0].Box.On(1).Sketch(context.Background(), compiled(), data)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(s) {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestSketchRefuses(t *testing.T) {
	data := pictured()
	good := View{1, Box{X1: 600, Y1: 800}, 72}
	for name, c := range map[string]struct {
		data []byte
		view View
		w    Worker
		want string
	}{
		"no such page":     {data, View{2, good.Box, 72}, compiled(), "page 2"},
		"no page":          {data, View{0, good.Box, 72}, refusing{t}, "page 0"},
		"too many pixels":  {data, View{1, good.Box, 300}, refusing{t}, "pixels, over"},
		"no PDF":           {[]byte("plain text"), good, refusing{t}, "text without a PDF header"},
		"no answer":        {data, good, answering{""}, "empty"},
		"another mark":     {data, good, answering{"x{}"}, "no sketch"},
		"no JSON":          {data, good, answering{"p{"}, "decoding"},
		"further members":  {data, good, answering{`p{"words": ["present"]}`}, "decoding"},
		"beyond the page":  {data, good, answering{`p{"boxes": [{"x0": 0, "y0": 0, "x1": 900, "y1": 5, "form": "round", "in": -1}]}`}, "cannot be"},
		"arrow to nowhere": {data, good, answering{`p{"arrows": [{"from": 0, "to": 1}]}`}, "cannot be"},
		"a reason":         {data, good, answering{"nthe page is bad"}, "the page is bad"},
	} {
		if _, err := c.view.Sketch(context.Background(), c.w, c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
