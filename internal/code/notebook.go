package code

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	// magic is a line that IPython takes before Python does: "%matplotlib inline",
	// "!ls", "?name" and "files = !ls". An operator that begins a continued line
	// has a space behind it, or is "!=".
	magic = regexp.MustCompile(`^([ \t]*)(?:[%!?][\w./%?-].*|[\w.]+[ \t]*=[ \t]*[%!]\w.*|[\w.]+\?{1,2}[ \t]*)$`)
	// timed are the magics of a whole cell whose text is Python all the same.
	timed = regexp.MustCompile(`^\s*%%(?:time|timeit|capture|prun)\b.*`)
)

// pythonOf is the Python code of a file: its text, or the code cells of a
// notebook in their order, whose lines are those of the notebook's own text.
// Starts are the offsets where each line of the file begins in the code; nil are
// those of the code itself.
func pythonOf(f File) (text, note string, starts []int32, err error) {
	text, note = f.Text()
	if f.Language() != "notebook" {
		return text, note, nil, nil
	}
	b := notebook{raw: text, decoder: json.NewDecoder(strings.NewReader(text)), starts: []int32{0}}
	err = b.read()
	b.begin(countLines(text)) // every line of the file has its start
	return b.text.String(), note, b.starts, err
}

// notebook writes down the code cells of a Jupyter notebook (nbformat 4).
type notebook struct {
	raw     string
	decoder *json.Decoder
	seen    int // bytes of raw whose lines are counted
	lines   int // in them
	text    strings.Builder
	starts  []int32
	cells   []int // the lines of the file on which the text of each cell begins
}

// Source is the text that a module of the file has: of a notebook in Python its
// code, of any other file its text.
func (f File) Source() string {
	text, _, _, err := pythonOf(f)
	if err == errNotPython {
		text, _ = f.Text()
	}
	return text
}

// Cells are the lines of a notebook, from 1, on which the text of each of its
// cells begins, whatever its kind. A file that is not a notebook has none.
func (f File) Cells() []int {
	if f.Language() != "notebook" {
		return nil
	}
	text, _ := f.Text()
	b := notebook{raw: text, decoder: json.NewDecoder(strings.NewReader(text)), starts: []int32{0}}
	_ = b.read() // the cells before what cannot be read are there
	return b.cells
}

// source is a text of a cell and the line on which it stands, from 1.
type source struct {
	text string
	line int
}

var errNotPython = errors.New("a notebook whose language is not Python")

// read takes the notebook's own fields. What was read before an error stays.
func (b *notebook) read() error {
	if t, err := b.decoder.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("reading notebook: no JSON object: %w", err)
	}
	for b.decoder.More() {
		key, err := b.decoder.Token()
		if err != nil {
			return fmt.Errorf("reading notebook: %w", err)
		}
		switch key {
		case "cells":
			err = b.each('[', b.cell)
		case "metadata":
			err = b.language()
		default:
			err = b.skip()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// language refuses a notebook that says that it is of another language.
func (b *notebook) language() error {
	var m struct {
		Kernel struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
		Info struct {
			Name string `json:"name"`
		} `json:"language_info"`
	}
	if err := b.decoder.Decode(&m); err != nil {
		return fmt.Errorf("reading notebook's metadata: %w", err)
	}
	if said := strings.ToLower(m.Info.Name + m.Kernel.Language); said != "" && !strings.Contains(said, "python") {
		b.text.Reset()
		b.starts = b.starts[:1]
		return errNotPython
	}
	return nil
}

func (b *notebook) skip() error {
	var any json.RawMessage
	if err := b.decoder.Decode(&any); err != nil {
		return fmt.Errorf("reading notebook: %w", err)
	}
	return nil
}

// each reads a list or an object, one element or key at a time; what is neither
// is passed over.
func (b *notebook) each(open json.Delim, one func() error) error {
	t, err := b.decoder.Token()
	if err != nil {
		return fmt.Errorf("reading notebook: %w", err)
	}
	if d, ok := t.(json.Delim); !ok {
		return nil
	} else if d != open {
		return fmt.Errorf("reading notebook: %q where %q is expected", d, open)
	}
	for b.decoder.More() {
		if err := one(); err != nil {
			return err
		}
	}
	if _, err := b.decoder.Token(); err != nil {
		return fmt.Errorf("reading notebook: %w", err)
	}
	return nil
}

// cell writes down a cell, if it holds code.
func (b *notebook) cell() error {
	kind, sources := "", []source(nil)
	err := b.each('{', func() error {
		key, err := b.decoder.Token()
		if err != nil {
			return fmt.Errorf("reading notebook: %w", err)
		}
		switch key {
		case "cell_type":
			return b.decoder.Decode(&kind)
		case "source":
			sources, err = b.source()
			return err
		default:
			return b.skip()
		}
	})
	if err != nil {
		return err
	}
	first := b.here()
	if len(sources) > 0 {
		first = sources[0].line
	}
	b.cells = append(b.cells, first)
	if kind == "code" {
		b.write(sources)
	}
	return nil
}

// source is the text of a cell: one string, or a list of them.
func (b *notebook) source() ([]source, error) {
	var out []source
	depth := 0
	for {
		t, err := b.decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("reading notebook: %w", err)
		}
		switch t := t.(type) {
		case string:
			out = append(out, source{t, b.here()})
		case json.Delim:
			if depth++; t == ']' || t == '}' {
				depth -= 2
			}
		default:
		}
		if depth <= 0 {
			return out, nil
		}
	}
}

// here is the line of what was read last.
func (b *notebook) here() int {
	at := int(b.decoder.InputOffset())
	b.lines += strings.Count(b.raw[b.seen:at], "\n")
	b.seen = at
	return b.lines + 1
}

// write puts the lines of a cell on those of the file.
func (b *notebook) write(cell []source) {
	lines := lines(cell)
	first := slices.IndexFunc(lines, func(l source) bool { return strings.TrimSpace(l.text) != "" })
	for i, l := range lines {
		switch m := magic.FindStringSubmatch(l.text); {
		case i == first && timed.MatchString(l.text):
			l.text = ""
		case i == first && strings.HasPrefix(strings.TrimSpace(l.text), "%%"):
			return // text of another language
		case m != nil:
			l.text = m[1] + "pass"
		}
		if l.line <= len(b.starts) {
			b.text.WriteByte('\n')
		}
		b.begin(l.line)
		b.text.WriteString(l.text)
	}
}

// lines are the lines of a cell, without their ends; each stands where it begins.
func lines(cell []source) []source {
	var out []source
	open := false
	for _, s := range cell {
		for text := range strings.Lines(s.text) {
			line, ended := strings.CutSuffix(text, "\n")
			if open {
				out[len(out)-1].text += line
			} else {
				out = append(out, source{line, s.line})
			}
			open = !ended
		}
	}
	return out
}

// begin begins the lines of the file up to n that have not begun.
func (b *notebook) begin(n int) {
	for len(b.starts) < n {
		b.text.WriteByte('\n')
		b.starts = append(b.starts, int32(b.text.Len()))
	}
}
