package passage

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	source "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Bounds of what goldmark is given at once. It keeps a note for each line and each block that is open there, and a node
// for each cell of a table, also of those that a short row leaves out.
const (
	partLines  = 16 << 10 // a longer text is read in parts
	nestedMost = 32       // bytes of marks and blanks before the words of a line; each block around them takes one or more
	cellsMost  = 1 << 17  // of the tables of a part; a table with more is read as a paragraph
)

// block is a block of a Markdown text with the lines that it stands on. Text is set of headings only.
type block struct {
	Passage
	fence int  // of a code block: the line of the fence that opens it; 0 for one that is indented
	ended bool // a fence ends it
}

// blocks reads the blocks of CommonMark and the tables of GitHub. Comments are none: nobody reads them as part of the
// document. Headings within quotations and lists are read as text, as no section begins there.
func blocks(text string) []block {
	text = strings.TrimPrefix(text, "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	var lines []Line
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, Line{Text: line, Number: len(lines) + 1})
	}
	var found []block
	for part := range slices.Chunk(lines, partLines) {
		found = append(found, readBlocks(part, true)...)
	}
	return found
}

// outline is the reading of one part of a text.
type outline struct {
	lines  []Line
	source []byte
	starts []int // of the lines within source
	cells  int   // that tables may still have
	state  map[ast.Node]fenceState
	found  []block
}

// fenceState is how a code block ended; none of these is one that the text or a block around it ended.
type fenceState int

const (
	closed fenceState = iota + 1 // by its fence
	torn                         // by the fence of the next one
)

func readBlocks(lines []Line, fences bool) []block {
	o := &outline{lines: lines, cells: cellsMost, state: map[ast.Node]fenceState{}}
	for _, l := range lines {
		o.starts = append(o.starts, len(o.source))
		o.source = append(append(o.source, shallow(l.Text)...), '\n')
	}
	readers := parser.DefaultBlockParsers()
	for i, p := range readers {
		if p.Value == parser.NewFencedCodeBlockParser() {
			readers[i].Value = &fenceReader{parser.NewFencedCodeBlockParser(), o}
			if !fences {
				readers = slices.Delete(readers, i, i+1)
			}
			break
		}
	}
	p := parser.NewParser(parser.WithBlockParsers(readers...),
		parser.WithParagraphTransformers(util.Prioritized(&tableReader{extension.NewTableParagraphTransformer(), o}, 0)))
	o.walk(p.Parse(source.NewReader(o.source)))
	// A table above the line under a heading comes before the heading, whatever the text says.
	slices.SortStableFunc(o.found, func(a, b block) int { return a.first() - b.first() })
	return o.found
}

// first is the line on which a block begins.
func (b *block) first() int {
	if b.fence > 0 {
		return b.fence
	}
	return b.Lines[0].Number
}

// shallow is a line with at most so many marks of quotations and lists before its words as a person writes.
func shallow(line string) string {
	words := strings.TrimLeft(line, " \t>*+-.)0123456789")
	if marks := len(line) - len(words); marks > nestedMost {
		return line[:nestedMost] + words
	}
	return line
}

// fenceReader reads code blocks between fences.
type fenceReader struct {
	parser.BlockParser
	o *outline
}

var fence = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)")

// Continue ends a block that nobody closed where the next one with a language opens. Markdown would go on to the end of
// the text. A listing of Markdown may hold fences of its own.
func (f *fenceReader) Continue(node ast.Node, r source.Reader, pc parser.Context) parser.State {
	line, _ := r.PeekLine()
	if next := fence.FindSubmatch(line); next != nil && language(next[2]) != "" {
		own := fence.FindSubmatch(f.o.source[node.Pos():])
		if own != nil && bytes.Equal(own[1], next[1]) && !slices.Contains([]string{"markdown", "md", "mdx"}, language(own[2])) {
			f.o.state[node] = torn
			return parser.Close
		}
	}
	state := f.BlockParser.Continue(node, r, pc)
	if state == parser.Close {
		f.o.state[node] = closed
	}
	return state
}

func language(info []byte) string {
	word, _, _ := strings.Cut(strings.TrimSpace(string(info)), " ")
	return strings.ToLower(strings.Trim(word, "{}.,"))
}

// tableReader makes tables of paragraphs.
type tableReader struct {
	parser.ParagraphTransformer
	o *outline
}

// Transform keeps the lines of a table in place of its cells.
func (t *tableReader) Transform(node *ast.Paragraph, r source.Reader, pc parser.Context) {
	lines := slices.Clone(node.Lines().Sliced(0, node.Lines().Len()))
	widest := 0
	for _, l := range lines {
		widest = max(widest, bytes.Count(l.Value(r.Source()), []byte{'|'}))
	}
	if t.o.cells -= widest * len(lines); t.o.cells < 0 {
		return
	}
	parent, before := node.Parent(), node.PreviousSibling()
	t.ParagraphTransformer.Transform(node, r, pc)
	made := parent.FirstChild()
	if before != nil {
		made = before.NextSibling()
	}
	if made == node {
		made = node.NextSibling()
	}
	if table, ok := made.(*tables.Table); ok {
		table.RemoveChildren(table)
		table.Lines().AppendAll(lines[node.Lines().Len():])
	}
}

// walk lists the blocks within a node that hold lines.
func (o *outline) walk(parent ast.Node) {
	for node := parent.FirstChild(); node != nil; node = node.NextSibling() {
		kind := Body
		switch n := node.(type) {
		case *ast.FencedCodeBlock:
			o.listing(n)
			continue
		case *ast.HTMLBlock:
			o.html(n)
			continue
		case *ast.Heading:
			if parent.Kind() == ast.KindDocument {
				kind = Heading
			}
		case *ast.CodeBlock:
			kind = Code
		case *tables.Table:
			kind = Table
		case *ast.Paragraph, *ast.TextBlock:
			if parent.Kind() == ast.KindListItem && n.PreviousSibling() == nil {
				kind = List
			}
		default:
			o.walk(n)
			continue
		}
		if node.Lines().Len() == 0 {
			continue
		}
		b := block{Passage: Passage{Kind: kind, Lines: o.between(node)}}
		if heading, ok := node.(*ast.Heading); ok {
			b.Level = heading.Level
			b.Text = strings.Join(strings.Fields(string(heading.Lines().Value(o.source))), " ")
		}
		o.found = append(o.found, b)
	}
}

// between are the lines from the first to the last that a node holds.
func (o *outline) between(node ast.Node) []Line {
	held := node.Lines()
	return o.lines[o.index(held.At(0).Start) : o.index(held.At(held.Len()-1).Start)+1]
}

// index is the line that a place in source lies on.
func (o *outline) index(at int) int {
	i, found := slices.BinarySearch(o.starts, at)
	if !found {
		i--
	}
	return i
}

// listing reads a code block. One that the next one tore ends at its first blank line, and what comes after that is
// text.
func (o *outline) listing(node *ast.FencedCodeBlock) {
	at := o.index(node.Pos())
	b := block{Passage: Passage{Kind: Code, Lines: o.lines[at+1 : at+1+node.Lines().Len()]}, fence: o.lines[at].Number, ended: o.state[node] == closed}
	if node.Info != nil {
		b.Lang = language(node.Info.Segment.Value(o.source))
	}
	var after []block
	if o.state[node] == torn {
		if end := slices.IndexFunc(b.Lines, func(l Line) bool { return strings.TrimSpace(l.Text) == "" }); end >= 0 {
			after = readBlocks(b.Lines[end:], false)
			b.Lines = b.Lines[:end]
		}
	}
	o.found = append(append(o.found, b), after...)
}

// html reads the lines of elements as paragraphs, without comments.
func (o *outline) html(node *ast.HTMLBlock) {
	if node.HTMLBlockType == ast.HTMLBlockType2 {
		return
	}
	first := o.index(node.Pos())
	last := first + max(node.Lines().Len(), 1)
	if node.HasClosure() {
		last = o.index(node.ClosureLine.Start) + 1
	}
	var open []Line
	comment := false
	for _, l := range append(slices.Clone(o.lines[first:last]), Line{}) {
		text := strings.TrimLeft(l.Text, " \t>")
		comment = comment || strings.HasPrefix(text, "<!--")
		if !comment && text != "" {
			open = append(open, l)
			continue
		}
		comment = comment && !strings.Contains(text, "-->")
		if len(open) > 0 {
			o.found = append(o.found, block{Passage: Passage{Kind: Body, Lines: open}})
			open = nil
		}
	}
}
