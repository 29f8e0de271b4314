package pdf

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// tsv writes what tesseract would: a word for each "TEXT left top width height confidence line".
func tsv(words ...string) string {
	var b strings.Builder
	b.WriteString(tsvHead + "\n1\t1\t0\t0\t0\t0\t0\t0\t600\t800\t-1\t\n")
	for i, w := range words {
		f := strings.Fields(w)
		fmt.Fprintf(&b, "5\t1\t1\t1\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", f[6], i+1, f[1], f[2], f[3], f[4], f[5], f[0])
	}
	return b.String()
}

// standIn is this test binary in tesseract's place. What it does is told by the width of its picture.
func standIn(args []string) int {
	if args[0] == "--version" {
		fmt.Println("tesseract 9.8.7\n leptonica-1")
		return 0
	}
	img, err := png.Decode(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "no picture:", err)
		return 1
	}
	switch img.Bounds().Dx() {
	case 100:
		fmt.Print(tsv("Chief 10 10 30 10 91.5 1", "Justice 42 10 30 10 88 1", "args:"+strings.Join(args, "_")+" 10 40 60 10 90 2"))
	case 101:
		fmt.Println("no table")
	case 102:
		for {
			fmt.Println(strings.Repeat("x", 1000))
		}
	case 103:
		fmt.Fprintln(os.Stderr, "Error: language \x1b[31mis missing")
		return 3
	case 104: // what a program that was taken over would try
		_, read := os.ReadFile("/etc/shadow")
		_, made := os.Create("/var/tmp/outside")
		conn, dialled := net.Dial("tcp", "192.0.2.1:443")
		if dialled == nil {
			_ = conn.Close()
		}
		if read == nil || made == nil || dialled == nil {
			return 4
		}
		fmt.Print(tsv("held 10 10 30 10 90 1"))
	}
	return 0
}

func plainPicture(t *testing.T, width int) *Picture {
	t.Helper()
	var b strings.Builder
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 60))); err != nil {
		t.Fatal(err)
	}
	return &Picture{View: View{Page: 3, Box: Box{X0: 72, Y0: 36, X1: 172, Y1: 96}, DPI: 72}, Width: width, Height: 60, PNG: []byte(b.String())}
}

func ocrBox(t *testing.T) *sandbox.Box {
	t.Helper()
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	return box
}

// The flow through a real child, with this test binary in the program's place.
func TestOCRStandIn(t *testing.T) {
	o, err := FindOCR(t.Context(), ocrBox(t), os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if o.Version != "tesseract 9.8.7" {
		t.Errorf("version %q", o.Version)
	}
	words, err := o.Words(t.Context(), plainPicture(t, 100), true)
	if err != nil {
		t.Fatal(err)
	}
	lines := words.Lines()
	if len(lines) != 2 || lines[0].Text != "Chief Justice" || lines[0].Box != (Box{82, 46, 144, 56}) {
		t.Errorf("lines %+v", lines)
	}
	if want := "args:stdin_stdout_-l_eng_--oem_1_--psm_11_--dpi_72_-c_tessedit_create_tsv=1_-c_tessedit_create_txt=0"; lines[1].Text != want {
		t.Errorf("called with %s", lines[1].Text)
	}
	for width, want := range map[int]string{101: "not a table", 102: "more than", 103: "language"} {
		if _, err := o.Words(t.Context(), plainPicture(t, width), false); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%d: %v, wanted %q", width, err, want)
		}
	}
	if _, err := o.Words(t.Context(), plainPicture(t, 104), false); err != nil {
		t.Errorf("the child was not held: %v", err)
	}
}

func TestOCRMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := FindOCR(t.Context(), nil, ""); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
}

// The real program, where it is installed.
func TestOCRReads(t *testing.T) {
	o, err := FindOCR(t.Context(), ocrBox(t), "")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("tesseract is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	m := newMaker()
	m.page(text("F1", 14, 100, 640, "Evidence Aggregator")+"100 600 200 60 re S\n", "")
	p, err := Render(t.Context(), compiled(), m.bytes(), View{1, Box{X0: 80, Y0: 120, X1: 320, Y1: 220}, 200})
	if err != nil {
		t.Fatal(err)
	}
	words, err := o.Words(t.Context(), p, true)
	if err != nil {
		t.Fatal(err)
	}
	labels := words.Labels()
	i := slices.IndexFunc(labels, func(l Line) bool { return l.Text == "Evidence Aggregator" })
	if i < 0 {
		t.Fatalf("labels %+v", labels)
	}
	if b := labels[i].Box; abs(b.X0-100) > 3 || abs(b.Y1-160) > 6 {
		t.Errorf("it is said to stand at %+v", b)
	}
}

// scripted answers page after page.
type scripted []any

func (s *scripted) Words(_ context.Context, p *Picture, _ bool) (Words, error) {
	next := (*s)[0]
	*s = (*s)[1:]
	if err, ok := next.(error); ok {
		return nil, err
	}
	return parseWords([]byte(next.(string)), p)
}

func blankPages(n int) ([]byte, *Document) {
	m := newMaker()
	d := &Document{Status: NoText, Total: n}
	for i := range n {
		m.page("", "")
		d.Pages = append(d.Pages, Page{Number: i + 1, Width: 600, Height: 800})
	}
	return m.bytes(), d
}

func TestRecognise(t *testing.T) {
	data, d := blankPages(3)
	heading := "Findings 100 100 400 60 95 1"
	body := []string{"one 100 300 100 38 95 2", "(two) 220 295 100 48 95 2", "three 340 300 100 37 95 2", "four 460 300 90 40 95 2", "more 100 380 100 39 90 3", "still 100 460 100 42 90 4"}
	r := &scripted{tsv(append([]string{heading}, body...)...), errors.New("it died"), tsv("last 100 300 100 40 95 1")}
	pages, notes, err := Recognise(t.Context(), compiled(), r, data, d)
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != 2 || pages[0].Number != 1 || pages[1].Number != 3 || pages[1].Lines[0].Text != "last" {
		t.Fatalf("pages %+v", pages)
	}
	lines := pages[0].Lines
	if lines[1].Text != "one (two) three four" || lines[1].Size != lines[2].Size || lines[0].Size < 1.3*lines[1].Size {
		t.Errorf("lines %+v", lines)
	}
	if len(notes) != 1 || notes[0].Page != 2 || notes[0].Code != Unscanned || notes[0].Text != "it died" {
		t.Errorf("notes %+v", notes)
	}
}

func TestRecogniseGivesUp(t *testing.T) {
	data, d := blankPages(6)
	no := errors.New("no")
	r := &scripted{no, no, no, tsv()}
	pages, notes, err := Recognise(t.Context(), compiled(), r, data, d)
	if err != nil || len(pages) != 0 || len(notes) != failuresMax+1 || len(*r) != 1 {
		t.Errorf("%v, notes %+v, %v", pages, notes, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Recognise(ctx, compiled(), &scripted{no}, data, d); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
