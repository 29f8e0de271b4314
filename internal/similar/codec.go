package similar

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/likeness"
)

// format begins prints.
const format = "automaton/prints/1\n"

// Encode is the prints as bytes: the same for the same prints.
func (p *Prints) Encode() []byte {
	w := writer(format)
	for _, work := range []likeness.Work{p.Code, p.Text} {
		w.number(len(work.Files))
		for _, f := range work.Files {
			w.text(f.Path)
			w.marks(f.Marks)
		}
	}
	w.number(len(p.Blobs))
	for _, b := range p.Blobs {
		w.text(b.Path)
		w = binary.LittleEndian.AppendUint64(w, b.Sum)
		w.number(int(b.Since))
	}
	for _, set := range []likeness.Set{p.Commits, p.Trees} {
		w.number(len(set))
		for _, sum := range set {
			w = binary.LittleEndian.AppendUint64(w, sum)
		}
	}
	w.number(p.Unread)
	return w
}

type writer []byte

func (w *writer) number(n int)  { *w = binary.AppendUvarint(*w, uint64(max(n, 0))) }
func (w *writer) text(s string) { w.number(len(s)); *w = append(*w, s...) }

// marks are written by their distances: they rise.
func (w *writer) marks(list []likeness.Mark) {
	w.number(len(list))
	at, line := 0, 0
	for _, m := range list {
		*w = binary.LittleEndian.AppendUint64(*w, m.Hash)
		w.number(m.At - at)
		*w = binary.AppendVarint(*w, int64(m.Line-line))
		*w = binary.AppendVarint(*w, int64(m.EndLine-m.Line))
		at, line = m.At, m.Line
	}
}

// Decode reads prints. They may come from elsewhere: every count is checked.
func Decode(raw []byte) (*Prints, error) {
	if len(raw) < len(format) || string(raw[:len(format)]) != format {
		return nil, fmt.Errorf("reading prints: %w", errDamaged)
	}
	r := &reader{rest: raw[len(format):]}
	p := &Prints{Code: r.work(), Text: r.work()}
	for range r.count(mostFiles, 10) {
		p.Blobs = append(p.Blobs, Blob{Path: r.text(), Sum: r.sum(), Since: int64(r.number(mostNumber))})
	}
	for _, set := range []*likeness.Set{&p.Commits, &p.Trees} {
		var sums []uint64
		for range r.count(mostCommits, 8) {
			sums = append(sums, r.sum())
		}
		*set = likeness.SetOf(sums)
	}
	p.Unread = r.number(mostNumber)
	if r.failed || len(r.rest) > 0 {
		return nil, fmt.Errorf("reading prints: %w", errDamaged)
	}
	return p, nil
}

const mostNumber = 1 << 40

// reader reads numbers until one is wrong; from then on everything is zero.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) number(most int) int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > uint64(most) {
		return r.fail()
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *reader) signed() int {
	v, n := binary.Varint(r.rest)
	if n <= 0 || v > mostNumber || v < -mostNumber {
		return r.fail()
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *reader) fail() int {
	r.failed, r.rest = true, nil
	return 0
}

// count is a number of things that take some bytes each at least: a larger one is a lie.
func (r *reader) count(most, each int) int {
	n := r.number(most)
	if n*each > len(r.rest) {
		return r.fail()
	}
	return n
}

func (r *reader) sum() uint64 {
	if len(r.rest) < 8 {
		r.fail()
		return 0
	}
	v := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return v
}

func (r *reader) text() string {
	n := r.count(4*mostName+16, 1)
	s := string(r.rest[:n])
	r.rest = r.rest[n:]
	if !utf8.ValidString(s) {
		r.fail()
	}
	return s
}

func (r *reader) work() (w likeness.Work) {
	for range r.count(mostFiles, 2) {
		f := likeness.File{Path: r.text()}
		at, line := 0, 0
		for range r.count(mostMarks, 11) {
			m := likeness.Mark{Hash: r.sum()}
			m.At = at + r.number(mostNumber)
			m.Line = line + r.signed()
			m.EndLine = m.Line + r.signed()
			if m.At > mostNumber || m.Line < 0 || m.Line > mostNumber || m.EndLine < m.Line {
				r.fail()
				break
			}
			at, line = m.At, m.Line
			f.Marks = append(f.Marks, m)
		}
		if r.failed {
			return likeness.Work{}
		}
		w.Files = append(w.Files, f)
	}
	return w
}
