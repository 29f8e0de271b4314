package code

import (
	"bytes"
	"fmt"

	sitter "github.com/tree-sitter/go-tree-sitter"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
)

// Caps on one file. A file beyond one of them counts as unparsed.
const (
	maxSource = 1 << 20 // bytes of decoded text
	maxNodes  = 200_000 // nodes kept
	maxDepth  = 500     // levels of nesting
)

var (
	errTooDeep = fmt.Errorf("nested deeper than %d levels", maxDepth)
	errTooMany = fmt.Errorf("more than %d nodes", maxNodes)
)

// grammar turns Python text into a serialised tree. It is safe for concurrent
// use: each file gets a parser of its own.
type grammar struct {
	language *sitter.Language
}

func newGrammar() *grammar {
	return &grammar{language: sitter.NewLanguage(python.Language())}
}

// handle parses one file. The request is the decoded text; the answer is read
// by readTree.
func (g *grammar) handle(request []byte) ([]byte, error) {
	if len(request) > maxSource {
		return nil, fmt.Errorf("parsing source: larger than %d bytes", maxSource)
	}
	w := newTreeWriter(g.language)
	if err := g.parse(&Work{}, request, w); err != nil {
		return nil, fmt.Errorf("parsing source: %w", err)
	}
	return w.bytes(), nil
}

// parse writes the tree of the text: first in one go, and where that leaves
// broken segments, statement by statement, so that one bad statement does
// not take its neighbours along.
func (g *grammar) parse(work *Work, text []byte, w *treeWriter) error {
	tree, err := work.NewTree(g.language, text)
	if err != nil {
		return err
	}
	defer tree.Close()
	root := tree.RootNode()
	w.root(len(text))
	w.damaged = root.HasError()
	if !w.damaged {
		return w.children(work, root, 0)
	}
	parts, err := brokenParts(work, root, len(text))
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := g.part(work, text, part, w); err != nil {
			return err
		}
	}
	return nil
}

// part writes a run of top-level statements: sound ones as they are, broken
// ones from chunks parsed alone unless that loses more text than it makes sound.
func (g *grammar) part(work *Work, text []byte, part treePart, w *treeWriter) error {
	if part.broken {
		chunks, lost, sound, err := g.chunks(work, text[part.start:part.end])
		defer closeAll(chunks)
		if err != nil {
			return err
		}
		if lost-sound <= part.lost {
			for _, piece := range chunks {
				if err := w.children(work, piece.tree.RootNode(), part.start+piece.start); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for _, n := range part.nodes {
		if err := w.subtree(work, n, 0); err != nil {
			return err
		}
	}
	return nil
}

// treePart is a run of consecutive top-level nodes that are all sound or all
// broken, and the text up to the next run.
type treePart struct {
	nodes      []*sitter.Node
	broken     bool
	start, end int
	lost       int // bytes in ERROR nodes
}

// brokenParts splits the children of the root into runs.
func brokenParts(work *Work, root *sitter.Node, size int) ([]treePart, error) {
	var parts []treePart
	cursor := root.Walk()
	defer cursor.Close()
	for _, child := range root.Children(cursor) {
		if err := work.Spend(1); err != nil {
			return nil, err
		}
		n := child
		bad := n.HasError() || n.IsError() || n.IsMissing()
		if len(parts) == 0 || parts[len(parts)-1].broken != bad {
			start := int(n.StartByte())
			if len(parts) == 0 && bad {
				start = 0
			}
			parts = append(parts, treePart{broken: bad, start: start})
			if len(parts) > 1 {
				parts[len(parts)-2].end = start
			}
		}
		last := &parts[len(parts)-1]
		last.nodes = append(last.nodes, &n)
		if bad {
			lost, err := lostBytes(work, &n)
			if err != nil {
				return nil, err
			}
			last.lost += lost
		}
	}
	if len(parts) > 0 {
		parts[len(parts)-1].end = size
	}
	return parts, nil
}

// lostBytes counts the bytes of the outermost ERROR nodes in n, and one for
// each token that the parser had to invent. It goes no deeper than a tree may
// be: what lies below is not kept anyway.
func lostBytes(work *Work, n *sitter.Node) (int, error) {
	cursor := n.Walk()
	defer cursor.Close()
	lost, depth := 0, 0 // the cursor's own depth costs a walk to the top
	for {
		if err := work.Spend(1); err != nil {
			return 0, err
		}
		node := cursor.Node()
		descend := node.HasError()
		switch {
		case node.IsError():
			lost += int(node.EndByte()-node.StartByte()) + 1
			descend = false
		case node.IsMissing():
			lost++
		}
		if descend && cursor.GotoFirstChild() {
			if depth++; depth > maxDepth {
				return 0, errTooDeep
			}
			continue
		}
		for depth == 0 || !cursor.GotoNextSibling() {
			if depth == 0 || !cursor.GotoParent() {
				return lost, nil
			}
			depth--
		}
	}
}

// chunk is a piece of text that was parsed alone.
type chunk struct {
	tree  *sitter.Tree
	start int
}

func closeAll(chunks []chunk) {
	for _, c := range chunks {
		c.tree.Close()
	}
}

// chunks parses each column-0 statement of the text alone, and reports the
// bytes lost all the same and the bytes of sound chunks. The caller closes the
// chunks, after an error too.
func (g *grammar) chunks(work *Work, text []byte) (out []chunk, lost, sound int, err error) {
	starts := append(statementStarts(text), len(text))
	for i := 0; i+1 < len(starts); i++ {
		tree, err := work.NewTree(g.language, text[starts[i]:starts[i+1]])
		if err != nil {
			return out, 0, 0, err
		}
		out = append(out, chunk{tree: tree, start: starts[i]})
		if root := tree.RootNode(); root.HasError() {
			n, err := lostBytes(work, root)
			if err != nil {
				return out, 0, 0, err
			}
			lost += n
		} else {
			sound += starts[i+1] - starts[i]
		}
	}
	return out, lost, sound, nil
}

// statementStarts returns the offsets at which a statement may begin in column
// 0: lines that start with a word or decorator and do not continue the
// statement before. Lines inside triple-quoted strings are not starts.
func statementStarts(text []byte) []int {
	starts := []int{0}
	quote := []byte(nil)
	decorated := false
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := text[at:end]
		if quote == nil && startsStatement(line) {
			if at > 0 && !decorated {
				starts = append(starts, at)
			}
			decorated = line[0] == '@'
		}
		quote = tripleQuote(line, quote)
		at = end
	}
	return starts
}

// startsStatement reports whether a line begins a statement of its own in
// column 0.
func startsStatement(line []byte) bool {
	c := line[0]
	if c != '@' && c != '_' && c < 0x80 && (c|0x20 < 'a' || c|0x20 > 'z') {
		return false
	}
	word := line
	if i := bytes.IndexFunc(line, func(r rune) bool { return r < 'a' || r > 'z' }); i >= 0 {
		word = line[:i]
	}
	switch string(word) {
	case "else", "elif", "except", "finally", "and", "or", "in", "is":
		return false
	}
	return true
}

// tripleQuote follows triple-quoted strings over a line: open is the quote
// that is open at its start, the result the one open at its end.
func tripleQuote(line, open []byte) []byte {
	for i := 0; i < len(line); {
		if open != nil {
			if line[i] == '\\' {
				i += 2
				continue
			}
			if bytes.HasPrefix(line[i:], open) {
				i += len(open)
				open = nil
				continue
			}
			i++
			continue
		}
		switch c := line[i]; c {
		case '#':
			return nil
		case '"', '\'':
			if len(line) >= i+3 && line[i+1] == c && line[i+2] == c {
				open = line[i : i+3]
				i += 3
				continue
			}
			i = skipString(line, i)
		default:
			i++
		}
	}
	return open
}

// skipString returns the offset after the one-line string that starts at i.
func skipString(line []byte, i int) int {
	quote := line[i]
	for i++; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return len(line)
}
