package syntax

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// Caps on one file. A file beyond one of the first two counts as not parsed.
const (
	maxSource = 1 << 20 // bytes of decoded text
	maxNodes  = 400_000
	maxDepth  = 400 // levels of nesting; what lies deeper is broken
	maxValue  = 4 << 10
)

var errTooMany = fmt.Errorf("more than %d nodes", maxNodes)

// format is the first byte of an answer.
const format = 2

// writer is what a reader of a language writes a file's tree with: nodes are
// opened and closed in source order. The first limit that is passed stays its
// error; the reader may go on, nothing more is kept.
type writer struct {
	grammar  *grammar // of what is read; nil where the reader has a parser of its own
	work     *code.Work
	nodes    []node
	open     []int32
	names    []string
	numbers  map[string]uint32
	comments []Comment
	broken   int // bytes in broken nodes
	flaws    []flaw
	told     map[int]bool // where flaws start whose bytes are accounted for
	below    int          // levels of what is open and lies too deep to be kept
	err      error
}

// flaw is a stretch of text that could not be parsed, or, of no length, a place
// where something is missing.
type flaw struct{ from, to uint32 }

// within tells whether a flaw begins before end; what is missing may be the end.
func (f flaw) within(end uint32) bool { return f.from < end || f.from == end && f.to == end }

var kindNumbers, roleNumbers = numbered(kinds), numbered(roles)

func numbered[T comparable](list []T) map[T]uint8 {
	numbers := map[T]uint8{}
	for i, x := range list {
		numbers[x] = uint8(i)
	}
	return numbers
}

func newWriter() *writer {
	w := &writer{numbers: map[string]uint32{}, told: map[int]bool{}}
	w.number("")
	return w
}

func (w *writer) number(name string) uint32 {
	if len(name) > maxValue {
		name = strings.ToValidUTF8(name[:maxValue], "")
	}
	n, ok := w.numbers[name]
	if !ok {
		n = uint32(len(w.names))
		w.names, w.numbers[name] = append(w.names, name), n
	}
	return n
}

// begin opens a node; end must close it.
func (w *writer) begin(kind Kind, role string, from, to int) {
	if w.err != nil {
		return
	}
	switch {
	case w.below > 0:
		w.below++
		return
	case len(w.nodes) >= maxNodes:
		w.err = errTooMany
		return
	case len(w.open) >= maxDepth:
		kind = "broken"
	}
	parent := int32(-1)
	if n := len(w.open); n > 0 {
		parent = w.open[n-1]
	}
	k, isKind := kindNumbers[kind]
	r, isRole := roleNumbers[role]
	if !isKind || !isRole {
		w.err = fmt.Errorf("no kind %q or role %q in the vocabulary", kind, role)
		return
	}
	if kind == "broken" {
		w.broken += to - from
		w.flaws = append(w.flaws, flaw{uint32(from), uint32(to)})
		w.told[from] = true
	}
	w.open = append(w.open, int32(len(w.nodes)))
	w.nodes = append(w.nodes, node{from: uint32(from), to: uint32(to), parent: parent, kind: k, role: r})
	if len(w.open) > maxDepth {
		w.end()
		w.below = 1
	}
}

// name, detail and flag say more of the node that is open.
func (w *writer) name(s string)   { w.top().name = w.number(s) }
func (w *writer) detail(s string) { w.top().detail = w.number(s) }
func (w *writer) flag(f Flags)    { w.top().flags |= f }

func (w *writer) top() *node {
	if w.err != nil || w.below > 0 || len(w.open) == 0 {
		return &node{}
	}
	return &w.nodes[w.open[len(w.open)-1]]
}

func (w *writer) end() {
	if w.err != nil {
		return
	}
	if w.below > 0 {
		w.below--
		return
	}
	w.nodes[w.open[len(w.open)-1]].after = int32(len(w.nodes))
	w.open = w.open[:len(w.open)-1]
}

// leaf writes a node without children.
func (w *writer) leaf(kind Kind, role, name string, from, to int) {
	w.begin(kind, role, from, to)
	w.name(name)
	w.end()
}

// lost is how many bytes lie in flaws; what is only missing counts as one.
func (w *writer) lost() int {
	sum := 0
	for _, f := range w.flaws {
		sum += max(1, int(f.to-f.from))
	}
	return sum
}

// settle marks the nodes that flaws lie in, and counts the flaws that no broken
// node stands for: a reader need not look everywhere for them.
func (w *writer) settle() {
	slices.SortStableFunc(w.flaws, func(a, b flaw) int { return cmp.Or(cmp.Compare(a.from, b.from), -cmp.Compare(a.to, b.to)) })
	end := 0
	for _, f := range w.flaws {
		if !w.told[int(f.from)] {
			w.broken += max(0, int(f.to)-max(end, int(f.from)))
		}
		end = max(end, int(f.to))
	}
	w.broken = min(w.broken, int(w.nodes[0].to)) // a flaw may hold others
	for i := range w.nodes {
		n := &w.nodes[i]
		at, _ := slices.BinarySearchFunc(w.flaws, n.from, func(f flaw, from uint32) int { return cmp.Compare(f.from, from) })
		if at == len(w.flaws) || !w.flaws[at].within(n.to) || kinds[n.kind] == "broken" {
			continue
		}
		if leaf := n.after == int32(i+1); !leaf || w.flaws[at].to > w.flaws[at].from || i == 0 {
			n.flags |= Broken
		}
	}
}

// bytes is the answer: tables of names and comments, then the nodes as numbers.
func (w *writer) bytes() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	if len(w.nodes) == 0 || len(w.open) > 0 {
		return nil, errors.New("the tree was not closed")
	}
	if len(w.flaws) > 0 {
		w.settle()
	}
	out := []byte{format}
	put := func(n int) { out = binary.AppendUvarint(out, uint64(n)) }
	put(w.broken)
	put(len(w.names))
	for _, s := range w.names {
		put(len(s))
	}
	for _, s := range w.names {
		out = append(out, s...)
	}
	put(len(w.comments))
	for _, c := range w.comments {
		put(int(c.From))
		put(int(c.To - c.From))
	}
	put(len(w.nodes))
	for i, n := range w.nodes {
		put(int(n.kind))
		put(int(n.role))
		put(int(n.flags))
		put(int(n.name))
		put(int(n.detail))
		put(int(n.from))
		put(int(n.to - n.from))
		put(int(n.after) - i)
	}
	return out, nil
}

// unescaped resolves the escapes of a text: one writes what s, which follows a
// backslash, begins with, and tells how much of s it took.
func unescaped(text string, one func(b *strings.Builder, s string) int) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i+1 >= len(text) {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		text = text[i+1:]
		text = text[one(&b, text):]
	}
}
