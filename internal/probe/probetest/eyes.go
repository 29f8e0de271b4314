package probetest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// eyes puts what a fixture says was seen on the scene: the file "ocr" is what
// OCR reads, pages parted by "---"; the file "looks" is a model's answer about
// every picture, as JSON.
func (f *Fixture) eyes(t testing.TB, o *probe.Options) {
	t.Helper()
	if text, ok := f.Files["ocr"]; ok {
		o.OCR, o.OCRName = Reader(strings.Split(text, "---\n")), "reader 1.0"
	}
	if text, ok := f.Files["looks"]; ok {
		var d figure.Drawn
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatalf("%s: looks: %v", f.file, err)
		}
		o.Looker = Looker{Answer: d}
	}
}

// Reader reads on each page what it was told stands there, one line below the
// other. In a figure an empty line parts labels.
type Reader []string

// Words is the text of the picture's page.
func (r Reader) Words(_ context.Context, p *pdf.Picture, _ bool) (pdf.Words, error) {
	const high, wide, step = 10.0, 6.0, 14.0
	if p.Page > len(r) {
		return nil, nil
	}
	var words pdf.Words
	y, row := p.Box.Y0+40, 0
	for line := range strings.Lines(r[p.Page-1]) {
		x, tall := p.Box.X0+40, high
		if after, ok := strings.CutPrefix(line, "# "); ok {
			line, tall = after, 1.6*high
		}
		row++
		for word := range strings.FieldsSeq(line) {
			w := wide * float64(len(word))
			words = append(words, pdf.Word{Text: word, Confidence: 95, Row: row, Box: pdf.Box{X0: x, Y0: y, X1: x + w, Y1: y + tall}})
			x += w + wide
		}
		y += step + tall - high
	}
	return words, nil
}

// Looker is a model that always gives one answer.
type Looker struct {
	Answer figure.Drawn
	Err    error
	Asked  func(figure.Picture) // told of each picture, when it is not nil
}

// Look gives the answer.
func (l Looker) Look(_ context.Context, p figure.Picture) (figure.Drawn, error) {
	if l.Asked != nil {
		l.Asked(p)
	}
	return l.Answer, l.Err
}
