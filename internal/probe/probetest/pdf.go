package probetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// inProcess runs the PDF worker's end in the test's own process, so that one
// compilation of the engine, which takes more than a second, serves all tests.
// It keeps its replies, as hundreds of tests read the same few documents; that
// reading one again gives the same is a test of package pdf.
type inProcess struct {
	sandbox.Service
	one     *sync.Mutex // a worker answers one request after the other
	replies *sync.Map   // by digest of the request
}

func (p inProcess) Do(_ context.Context, request []byte) ([]byte, error) {
	digest := sha256.Sum256(request)
	if known, ok := p.replies.Load(digest); ok {
		return bytes.Clone(known.([]byte)), nil
	}
	p.one.Lock()
	reply, err := p.Handle(request)
	p.one.Unlock()
	if err == nil {
		p.replies.Store(digest, bytes.Clone(reply))
	}
	return reply, err
}

// pdfReader has read something already: under the race detector compiling takes
// longer than a probe may.
var pdfReader = sync.OnceValue(func() inProcess {
	p := inProcess{pdf.Service(""), &sync.Mutex{}, &sync.Map{}}
	if _, err := pdf.Read(context.Background(), p, PDF("warm"), pdf.Options{}); err != nil {
		panic(err)
	}
	return p
})

// document puts the fixture's PDF on the scene.
func (f *Fixture) document(o *probe.Options) {
	if f.Settings["pdf"] == "" {
		return
	}
	o.PDFPath, o.PDF, o.NoPDF, o.Reader = f.pdfPath(), f.pdfBytes(), "", pdfReader()
}

// pdfBytes is the fixture's document.
func (f *Fixture) pdfBytes() []byte {
	text := f.Files[f.Settings["pdf"]]
	if raw, ok := strings.CutPrefix(text, "raw\n"); ok {
		return []byte(raw)
	}
	return PDF(text)
}

// pdfPath is where the document is said to be; when the setting pdf-path names
// it, it is a file of the tree too.
func (f *Fixture) pdfPath() string {
	if p := f.Settings["pdf-path"]; p != "" {
		return p
	}
	return "report.pdf"
}

// sheet writes pages of 600 by 800 points.
type sheet struct {
	pages []*bytes.Buffer
	y     float64 // of the next line's base
	drawn []string
}

func (s *sheet) page() *bytes.Buffer { return s.pages[len(s.pages)-1] }

func (s *sheet) turn() {
	s.pages = append(s.pages, &bytes.Buffer{})
	s.y = 740
}

// line writes one line of text and moves down.
func (s *sheet) line(font string, size, x float64, text string) {
	if s.y < 60 {
		s.turn()
	}
	s.text(font, size, x, s.y, text)
	s.y -= 1.2 * size
}

func (s *sheet) text(font string, size, x, y float64, text string) {
	text = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "•", "\x95", "’", "\x92", "–", "\x96").Replace(text)
	fmt.Fprintf(s.page(), "BT /%s %g Tf 1 0 0 1 %g %g Tm (%s) Tj ET\n", font, size, x, y, text)
}

// PDF sets a text as a small PDF. Each line of the text is a line on the page;
// an empty one ends a paragraph. "# " and "## " begin headings, "- " an item,
// four blanks a line in code font, "---" a page. A line in brackets draws:
//
//	[box X Y WIDTH HEIGHT LABEL]   a box with its label; Y grows downwards
//	[line X0 Y0 X1 Y1]
//	[arrow X0 Y0 X1 Y1]            a line with a filled head at its end
//	[blank]                        nothing; a page with it alone has no text
//	[space HEIGHT]                 moves down, to below what was drawn
//	[white TEXT]                   text that nobody sees, as the next three
//	[tiny TEXT]
//	[off TEXT]                     beside the page
//	[under TEXT]                   under a picture
//	[picture X Y WIDTH HEIGHT]     a raster picture
//	[drawn X Y WIDTH HEIGHT NAME]  one that shows something, see drawn.go
func PDF(text string) []byte {
	s := &sheet{}
	s.turn()
	for line := range strings.Lines(text) {
		s.set(strings.TrimRight(line, "\n"))
	}
	return s.bytes()
}

func (s *sheet) set(line string) {
	var x, y, w, h float64
	switch {
	case line == "":
		s.y -= 9
	case line == "---":
		s.turn()
	case line == "[blank]":
	case scan(line, "[space %g]", &h):
		s.y -= h
	case strings.HasPrefix(line, "[white "):
		s.page().WriteString("1 1 1 rg\n")
		s.line("F1", 10, 60, strings.TrimSuffix(line[7:], "]"))
		s.page().WriteString("0 0 0 rg\n")
	case strings.HasPrefix(line, "[tiny "):
		s.line("F1", 1, 60, strings.TrimSuffix(line[6:], "]"))
	case strings.HasPrefix(line, "[off "):
		s.text("F1", 10, 60, -200, strings.TrimSuffix(line[5:], "]"))
	case strings.HasPrefix(line, "[under "):
		fmt.Fprintf(s.page(), "BT /F1 10 Tf 60 %g Td (%s) Tj ET q 560 0 0 14 30 %g cm /P1 Do Q\n", s.y, strings.TrimSuffix(line[7:], "]"), s.y-4)
		s.y -= 14
	case strings.HasPrefix(line, "# "):
		s.y -= 8
		s.line("F2", 18, 60, line[2:])
		s.y -= 6
	case strings.HasPrefix(line, "## "):
		s.y -= 6
		s.line("F2", 14, 60, line[3:])
		s.y -= 4
	case strings.HasPrefix(line, "- "):
		s.line("F1", 10, 70, "• "+line[2:])
	case strings.HasPrefix(line, "    "):
		s.line("F3", 9, 60, line[4:])
	case scan(line, "[picture %g %g %g %g]", &x, &y, &w, &h):
		fmt.Fprintf(s.page(), "q %g 0 0 %g %g %g cm /P1 Do Q\n", w, h, x, 800-y-h)
	case scan(line, "[drawn %g %g %g %g", &x, &y, &w, &h):
		s.drawn = append(s.drawn, strings.TrimSuffix(strings.Fields(line)[5], "]"))
		fmt.Fprintf(s.page(), "q %g 0 0 %g %g %g cm /D%d Do Q\n", w, h, x, 800-y-h, len(s.drawn))
	case scan(line, "[line %g %g %g %g]", &x, &y, &w, &h):
		fmt.Fprintf(s.page(), "%g %g m %g %g l S\n", x, 800-y, w, 800-h)
	case scan(line, "[arrow %g %g %g %g]", &x, &y, &w, &h):
		s.arrow(x, 800-y, w, 800-h)
	case scan(line, "[box %g %g %g %g", &x, &y, &w, &h):
		fmt.Fprintf(s.page(), "%g %g %g %g re S\n", x, 800-y-h, w, h)
		label := strings.TrimSuffix(strings.Join(strings.Fields(line)[5:], " "), "]")
		s.text("F1", 9, x+5, 800-y-h/2-3, label)
	default:
		s.line("F1", 10, 60, line)
	}
}

// arrow has a head of 7 by 6 points.
func (s *sheet) arrow(x0, y0, x1, y1 float64) {
	n := math.Hypot(x1-x0, y1-y0)
	dx, dy := (x1-x0)/n, (y1-y0)/n
	fmt.Fprintf(s.page(), "%.2f %.2f m %.2f %.2f l S\n", x0, y0, x1, y1)
	fmt.Fprintf(s.page(), "%.2f %.2f m %.2f %.2f l %.2f %.2f l f\n", x1, y1, x1-7*dx-3*dy, y1-7*dy+3*dx, x1-7*dx+3*dy, y1-7*dy-3*dx)
}

func scan(line, format string, into ...any) bool {
	n, _ := fmt.Sscanf(line, format, into...)
	return n == len(into)
}

// bytes puts the pages together: objects 1 and 2 are the catalogue and the page
// tree, 3 to 5 the fonts, 6 the picture.
func (s *sheet) bytes() []byte {
	font := "<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>"
	stream := func(dict string, data []byte) string {
		return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data)
	}
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", fmt.Sprintf(font, "Helvetica"), fmt.Sprintf(font, "Helvetica-Bold"), fmt.Sprintf(font, "Courier"),
		stream("/Type /XObject /Subtype /Image /Width 160 /Height 160 /ColorSpace /DeviceGray /BitsPerComponent 8", bytes.Repeat([]byte{200}, 160*160))}
	var named strings.Builder
	for i, name := range s.drawn {
		p := drawn(name)
		objects = append(objects, stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8", p.Rect.Dx(), p.Rect.Dy()), p.Pix))
		fmt.Fprintf(&named, " /D%d %d 0 R", i+1, len(objects))
	}
	var kids strings.Builder
	for _, p := range s.pages {
		objects = append(objects, stream("", p.Bytes()))
		fmt.Fprintf(&kids, "%d 0 R ", len(objects)+1)
		objects = append(objects, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R"+
			" /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> /XObject << /P1 6 0 R%s >> >> >>", len(objects), named.String()))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), len(s.pages))
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}
