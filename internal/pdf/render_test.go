package pdf

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"strings"
	"testing"
)

// a page whose lower left quarter is black but for a white square in it
func quartered() []byte {
	m := newMaker()
	m.page("0 g 0 0 300 400 re f 1 g 100 100 50 50 re f\n", "")
	return m.bytes()
}

func TestRender(t *testing.T) {
	data := quartered()
	before := bytes.Clone(data)
	whole := Box{X1: 600, Y1: 800}
	cases := map[string]struct {
		view          View
		width, height int
		dark          [][2]int // pixels that are black; all others asked for are white
		light         [][2]int
	}{
		"whole page":   {View{1, whole, 72}, 600, 800, [][2]int{{10, 790}, {290, 410}}, [][2]int{{10, 390}, {310, 790}, {120, 680}}},
		"finer":        {View{1, whole, 144}, 1200, 1600, [][2]int{{20, 1580}}, [][2]int{{20, 780}, {240, 1360}}},
		"a region":     {View{1, Box{X0: 90, Y0: 640, X1: 160, Y1: 710}, 72}, 70, 70, [][2]int{{2, 2}, {67, 67}}, [][2]int{{35, 35}}},
		"off the page": {View{1, Box{X0: -50, Y0: 700, X1: 50, Y1: 900}, 72}, 100, 200, [][2]int{{60, 50}}, [][2]int{{20, 50}, {60, 150}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := Render(context.Background(), compiled(), data, c.view)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(p.PNG))
			if err != nil {
				t.Fatal(err)
			}
			if b := img.Bounds(); b.Dx() != c.width || b.Dy() != c.height || p.Width != c.width || p.Height != c.height {
				t.Fatalf("%v, said %d by %d, wanted %d by %d", b, p.Width, p.Height, c.width, c.height)
			}
			for _, at := range c.dark {
				if v, _, _, _ := img.At(at[0], at[1]).RGBA(); v != 0 {
					t.Errorf("%v is not black: %d", at, v)
				}
			}
			for _, at := range c.light {
				if v, _, _, _ := img.At(at[0], at[1]).RGBA(); v != 0xFFFF {
					t.Errorf("%v is not white: %d", at, v)
				}
			}
		})
	}
	if !bytes.Equal(data, before) {
		t.Error("the document's bytes were changed")
	}
}

// A turned page is drawn as it is displayed, in the coordinates of Box.
func TestRenderTurned(t *testing.T) {
	m := newMaker()
	m.page("0 g 0 0 300 400 re f\n", "/Rotate 90")
	p, err := Render(context.Background(), compiled(), m.bytes(), View{1, Box{X1: 800, Y1: 600}, 36})
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[[2]int]uint32{{5, 5}: 0, {190, 140}: 0, {210, 10}: 0xFFFF, {10, 160}: 0xFFFF} {
		if v, _, _, _ := img.At(at[0], at[1]).RGBA(); v != want {
			t.Errorf("%v is %d, wanted %d", at, v, want)
		}
	}
}

func TestRenderRefuses(t *testing.T) {
	secret := newMaker()
	secret.withPassword("u", "o")
	secret.page("", "")
	huge := newMaker()
	huge.objects[1] = ""
	huge.page("", "/UserUnit 1")
	cases := map[string]struct {
		data   []byte
		view   View
		asked  bool
		reason string
	}{
		"just fits":    {quartered(), View{1, Box{X1: 600, Y1: 800}, 500}, true, ""},
		"a pixel bomb": {quartered(), View{1, Box{X1: 1e5, Y1: 1e5}, 72}, false, "over 25000000"},
		"empty":        {quartered(), View{1, Box{}, 72}, false, "empty box"},
		"no page":      {quartered(), View{0, Box{X1: 1, Y1: 1}, 72}, false, "page 0"},
		"beyond":       {quartered(), View{2, Box{X1: 60, Y1: 60}, 72}, true, "does not load"},
		"too coarse":   {quartered(), View{1, Box{X1: 1, Y1: 1}, 1}, false, "1 dpi"},
		"no pdf":       {[]byte("hello"), View{1, Box{X1: 9, Y1: 9}, 72}, false, "text without a PDF header"},
		"password":     {secret.bytes(), View{1, Box{X1: 9, Y1: 9}, 72}, true, "password"},
		"broken":       {[]byte("%PDF-1.4 nothing"), View{1, Box{X1: 9, Y1: 9}, 72}, true, "structure"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var w Worker = refusing{t}
			if c.asked {
				w = compiled()
			}
			p, err := Render(context.Background(), w, c.data, c.view)
			if c.reason == "" { // the largest page that fits
				if err != nil || p.Width*p.Height > picturePixels {
					t.Fatalf("%v, %v", p, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%v, wanted %q", err, c.reason)
			}
		})
	}
}

type saying struct {
	answer []byte
	err    error
}

func (s saying) Do(context.Context, []byte) ([]byte, error) { return s.answer, s.err }

// A worker that a document has taken over gives no picture that was not asked for.
func TestRenderTrustsNoWorker(t *testing.T) {
	view := View{1, Box{X1: 2, Y1: 2}, 72}
	for name, w := range map[string]saying{
		"silent": {}, "short": {answer: []byte("pxxx")}, "long": {answer: []byte("pxxxxx")}, "other": {answer: []byte("qxxxx")},
		"reason": {answer: []byte("nno luck")}, "dead": {err: errors.New("crashed")},
	} {
		if p, err := Render(context.Background(), w, quartered(), view); err == nil {
			t.Errorf("%s: a picture %+v", name, p)
		}
	}
	if p, err := Render(context.Background(), saying{answer: []byte("pabcd")}, quartered(), view); err != nil || p.Width != 2 {
		t.Errorf("%+v, %v", p, err)
	}
}
