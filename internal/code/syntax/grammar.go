package syntax

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"sync"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// Caps on a grammar's own tree, which has more nodes than ours: names of
// fields, brackets and commas are among them.
const (
	maxPieces = 4 * maxNodes
	maxNested = 4 * maxDepth
	maxType   = 200 // bytes of a type's text
)

// grammar is a language with what is asked of it for every node.
type grammar struct {
	language *sitter.Language
	kinds    []string // by the grammar's number; the last one is a broken node's
	traits   []trait  // of the kinds
	fields   []string
}

// trait is what a kind of nodes is.
type trait uint8

const (
	named       trait = 1 << iota // more than a word or sign of the language
	comment                       // stands anywhere
	punctuation                   // a sign that never fills a field
	dull                          // what the language's reader does not ask for: it is not copied
)

// once makes a grammar when it is first needed.
func once(language func() unsafe.Pointer, dull ...string) func() *grammar {
	return sync.OnceValue(func() *grammar { return newGrammar(language(), dull) })
}

func newGrammar(language unsafe.Pointer, unasked []string) *grammar {
	g := &grammar{language: sitter.NewLanguage(language), fields: []string{""}}
	for i := range uint16(g.language.NodeKindCount()) {
		kind, is := g.language.NodeKindForId(i), trait(0)
		switch {
		case slices.Contains(unasked, kind):
			is = dull
		case g.language.NodeKindIsNamed(i) && (strings.HasSuffix(kind, "comment") || kind == "hash_bang_line"):
			is = named | comment
		case g.language.NodeKindIsNamed(i):
			is = named
		case len(kind) == 1 && strings.Contains("(){}[];,.", kind):
			is = punctuation
		}
		g.kinds, g.traits = append(g.kinds, kind), append(g.traits, is)
	}
	for i := range uint16(g.language.FieldCount()) {
		g.fields = append(g.fields, g.language.FieldNameForId(i+1))
	}
	g.kinds, g.traits = append(g.kinds, "ERROR"), append(g.traits, named)
	return g
}

// grown is a grammar's tree in memory of our own: every question to the C
// library costs a call out of Go, so each node is asked once, and little.
type grown struct {
	*grammar
	text   string
	pieces []pieceData
	sound  bool // no broken and no missing node
	offset int  // of the text that was parsed in text
}

type pieceData struct {
	from, to uint32
	after    int32 // index after the last piece below this one
	kind     uint16
	field    uint8
	missing  bool
}

// piece is one node of a grammar's tree, comments left out. The zero piece is
// none; every method answers it with a zero value.
type piece struct {
	g *grown
	i int32
}

// gather copies the tree below root, and notes its comments in w.
func gather(w *writer, text []byte, root *sitter.Node) (piece, error) {
	g := &grown{grammar: w.grammar, text: string(text), sound: !root.HasError()}
	return piece{g: g}, g.walk(w, root)
}

// again is an empty tree of the same grammar and text. What it gathers lies at
// an offset: it was parsed from a copy of a stretch of the text.
func (g *grown) again(offset int) *grown {
	more := *g
	more.pieces, more.offset, more.sound = nil, offset, true
	return &more
}

// walk copies the tree below root; without a writer comments and flaws are lost.
func (g *grown) walk(w *writer, root *sitter.Node) error {
	cursor := root.Walk()
	defer cursor.Close()
	var open []int32
	for {
		if w != nil {
			if err := w.work.Spend(1); err != nil {
				return err
			}
		}
		kept := g.copy(w, cursor)
		if len(g.pieces) > maxPieces {
			return errTooMany
		}
		last := int32(len(g.pieces) - 1)
		if kept && g.traits[g.pieces[last].kind]&named != 0 && g.shallow(w, len(open)) && cursor.GotoFirstChild() {
			open = append(open, last)
			continue
		}
		for len(open) == 0 || !cursor.GotoNextSibling() {
			if len(open) == 0 {
				return nil
			}
			cursor.GotoParent()
			g.pieces[open[len(open)-1]].after = int32(len(g.pieces))
			open = open[:len(open)-1]
		}
	}
}

// shallow tells whether the last piece may have pieces below it. What lies
// deeper is lost, and said to be.
func (g *grown) shallow(w *writer, depth int) bool {
	if depth < maxNested {
		return true
	}
	if last := g.pieces[len(g.pieces)-1]; w != nil {
		w.flaws = append(w.flaws, flaw{last.from, last.to})
	}
	return false
}

// copy keeps the cursor's node, unless it is a comment, which is noted. A word
// or sign of the language is as long as it is called.
func (g *grown) copy(w *writer, cursor *sitter.TreeCursor) bool {
	n := cursor.Node()
	kind := min(int(n.KindId()), len(g.kinds)-1)
	is := g.traits[kind]
	p := pieceData{kind: uint16(kind), missing: !g.sound && n.IsMissing()}
	if is&dull != 0 && !p.missing {
		return false
	}
	from, to := int(n.StartByte())+g.offset, 0
	switch {
	case is&named != 0:
		to = int(n.EndByte()) + g.offset
	case p.missing:
		to = from
	default:
		to = from + len(g.kinds[kind])
	}
	to = max(0, min(to, len(g.text)))
	from = max(0, min(from, to))
	if is&comment != 0 {
		if w != nil {
			end := from + len(strings.TrimRight(g.text[from:to], "\r\n"))
			w.comments = append(w.comments, Comment{uint32(from), uint32(end)})
		}
		return false
	}
	if is&punctuation == 0 {
		p.field = uint8(cursor.FieldId())
	}
	p.from, p.to, p.after = uint32(from), uint32(to), int32(len(g.pieces)+1)
	g.pieces = append(g.pieces, p)
	if w != nil && (p.missing || kind == len(g.kinds)-1) {
		w.flaws = append(w.flaws, flaw{p.from, p.to})
	}
	return true
}

func (p piece) data() *pieceData { return &p.g.pieces[p.i] }

func (p piece) valid() bool { return p.g != nil }

// kind is the grammar's name of the node, "ERROR" for what could not be parsed.
func (p piece) kind() string {
	if p.g == nil {
		return ""
	}
	return p.g.kinds[p.data().kind]
}

func (p piece) is(kinds ...string) bool { return p.g != nil && slices.Contains(kinds, p.kind()) }

// field is the name of the parent's field that the node fills.
func (p piece) field() string {
	if p.g == nil {
		return ""
	}
	return p.g.fields[p.data().field]
}

// named tells a node that is more than a word or sign of the language.
func (p piece) named() bool { return p.g != nil && p.g.traits[p.data().kind]&named != 0 }

// broken tells a node that could not be parsed, or that was made up.
func (p piece) broken() bool { return p.g != nil && (p.data().missing || p.kind() == "ERROR") }

func (p piece) from() int {
	if p.g == nil {
		return 0
	}
	return int(p.data().from)
}

func (p piece) to() int {
	if p.g == nil {
		return 0
	}
	return int(p.data().to)
}

func (p piece) text() string {
	if p.g == nil {
		return ""
	}
	return p.g.text[p.data().from:p.data().to]
}

// all are the children, words and signs of the language among them.
func (p piece) all() iter.Seq[piece] {
	return func(yield func(piece) bool) {
		if p.g == nil {
			return
		}
		for i := p.i + 1; i < p.data().after; i = p.g.pieces[i].after {
			if !yield(piece{p.g, i}) {
				return
			}
		}
	}
}

// parts are the named children; with fields, only those that fill one of them.
func (p piece) parts(fields ...string) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		for c := range p.all() {
			if c.named() && (len(fields) == 0 || slices.Contains(fields, c.field())) && !yield(c) {
				return
			}
		}
	}
}

// get is the first child in the field, named or not.
func (p piece) get(field string) piece {
	for c := range p.all() {
		if c.field() == field {
			return c
		}
	}
	return piece{}
}

// part is the first child of one of the kinds, named or not; with none, the
// first named one.
func (p piece) part(kinds ...string) piece {
	for c := range p.all() {
		if len(kinds) == 0 && c.named() || c.is(kinds...) {
			return c
		}
	}
	return piece{}
}

// has tells whether a word or sign of the language is a child.
func (p piece) has(word string) bool { return p.part(word).valid() }

// over opens a node over the whole piece.
func (w *writer) over(kind Kind, role string, p piece) { w.begin(kind, role, p.from(), p.to()) }

// salvage writes what could not be parsed: what is sound inside by node, the
// rest as broken. A node that the parser made up is nothing.
func (w *writer) salvage(role string, p piece, node func(string, piece), sound func(kind string) bool) {
	if p.kind() != "ERROR" {
		return
	}
	at := p.from()
	w.told[at] = true
	lose := func(to int) {
		if len(strings.TrimSpace(p.g.text[at:max(at, to)])) > 0 {
			w.leaf("broken", role, "", at, to)
		}
	}
	for c := range p.parts() {
		if !c.broken() && sound(c.kind()) {
			lose(c.from())
			node(role, c)
			at = c.to()
		}
	}
	lose(p.to())
}

// commentsBefore are the comments that stand directly before from, the last one
// first: nothing but white space and other comments lies between.
func (w *writer) commentsBefore(text []byte, from int) iter.Seq[string] {
	return func(yield func(string) bool) {
		i, _ := slices.BinarySearchFunc(w.comments, from, func(c Comment, from int) int { return int(c.From) - from })
		for i--; i >= 0; i-- {
			c := w.comments[i]
			if int(c.To) > from || len(bytes.TrimSpace(text[c.To:from])) > 0 || !yield(string(text[c.From:c.To])) {
				return
			}
			from = int(c.From)
		}
	}
}

// solid is text without white space.
func solid(s string) string { return strings.Join(strings.Fields(s), "") }

// typeName is a type as it is written, on one line and bounded.
func typeName(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxType {
		s = strings.ToValidUTF8(s[:maxType], "")
	}
	return s
}

// plainType is a type without what it is applied to.
func plainType(s string) string {
	s, _, _ = strings.Cut(s, "<")
	return solid(s)
}

// simpleName is the last part of a dotted name or type.
func simpleName(s string) string {
	s = plainType(s)
	return s[strings.LastIndexByte(s, '.')+1:]
}
