package code

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Module is one Python file, or the code cells of a notebook: its lines are the
// file's, and where those of a cell stand on one, it is theirs.
type Module struct {
	Path     string // path in the repository
	Name     string // dotted name by which first-party code imports it
	Package  bool   // an __init__.py
	Shadowed bool   // a package of the same name wins over this file (Python's rule): it is dead
	Scope    Scope  // scope class of the path
	Note     string // how the text was decoded, when not plain UTF-8
	Bytes    int    // size of the decoded text
	Lines    int    // lines of the file
	Parsed   bool   // false: the file has no tree (too large, parser crashed); only Text is known

	program *Program
	text    string
	starts  []int32 // offset of each line
	refused string  // why the text is not parsed
	tree    *tree
	folded  map[int32]string // identifiers that are known by another name than is written, by node

	index     moduleIndex
	indexOnce sync.Once
	lexed     lexed
	lexOnce   sync.Once
	wordIndex words
	wordsOnce sync.Once
}

// newModule is the module of a file, or nil: a notebook of another language is none.
func newModule(p *Program, f File, scope Scope) *Module {
	text, note, starts, err := pythonOf(f)
	if err == errNotPython {
		return nil
	}
	m := &Module{Path: f.Path, Scope: scope, Note: note, Bytes: len(text), Lines: countLines(text), program: p, text: text}
	m.Package = f.Path == "__init__.py" || strings.HasSuffix(f.Path, "/__init__.py")
	if err != nil {
		m.refused = err.Error()
	}
	if starts != nil {
		m.starts, m.Lines = starts, len(starts)
		return m
	}
	m.starts = make([]int32, 1, m.Lines+1)
	for i := range len(text) {
		if text[i] == '\n' {
			m.starts = append(m.starts, int32(i+1))
		}
	}
	return m
}

// parse asks the parser for the tree. Without one the module has only text.
func (m *Module) parse(ctx context.Context, parser Parser) error {
	if m.Bytes > maxSource {
		return fmt.Errorf("parsing source: larger than %d bytes", maxSource)
	}
	answer, err := parser.Do(ctx, []byte(m.text))
	if err != nil {
		return err
	}
	m.tree, err = readTree(answer, m.Bytes)
	m.Parsed = err == nil
	m.fold()
	return err
}

// share takes the tree of a module that has the same text. Trees don't change.
func (m *Module) share(other *Module) {
	if other != nil && other.Parsed && other.text == m.text {
		m.tree, m.folded, m.Parsed = other.tree, other.folded, true
	}
}

// lineAt returns the line of a byte offset, from 1.
func (m *Module) lineAt(at int) int {
	return sort.Search(len(m.starts), func(i int) bool { return int(m.starts[i]) > at })
}

// Root returns the node of the whole file. It is the zero Node for a file
// without a tree.
func (m *Module) Root() Node {
	if m.tree == nil {
		return Node{}
	}
	return Node{m, 0}
}

// At returns the innermost node that is exactly a stretch of the text, or the zero Node.
func (m *Module) At(from, to int) (found Node) {
	if m.tree == nil {
		return Node{}
	}
	nodes := m.tree.nodes // a node stands before what is below it, and no later in the text
	for i := sort.Search(len(nodes), func(i int) bool { return int(nodes[i].start) >= from }); i < len(nodes) && int(nodes[i].start) == from; i++ {
		if int(nodes[i].end) == to {
			found = Node{m, int32(i)}
		}
	}
	return found
}

// Starts returns the offsets in Text at which the lines of the file begin. It is
// shared: nobody writes it.
func (m *Module) Starts() []int32 { return m.starts }

// Text returns the decoded text, with "\n" as the only line end; of a notebook, the
// code of its cells.
func (m *Module) Text() string { return m.text }

// Line returns the text of line n (from 1) without its line end, "" outside.
func (m *Module) Line(n int) string {
	if n < 1 || n > m.Lines {
		return ""
	}
	line := m.text[m.starts[n-1]:]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	return line
}

// Broken returns the segments that no statement could be made of, in order:
// the outermost ERROR nodes and the tokens that the parser had to invent.
func (m *Module) Broken() []Node {
	var out []Node
	if m.tree == nil {
		return nil
	}
	for i := int32(0); i < int32(len(m.tree.nodes)); i++ {
		n := Node{m, i}
		if n.Broken() {
			out = append(out, n)
			i = n.node().after - 1
		}
	}
	return out
}

// Examined returns how many bytes of the file belong to well-formed
// statements; for coverage it is divided by Bytes. A file without a tree
// counts half, being read line by line.
func (m *Module) Examined() int {
	if !m.Parsed {
		return m.Bytes / 2
	}
	lost := 0
	for _, n := range m.Broken() {
		lost += n.End() - n.Start()
	}
	return m.Bytes - lost
}

// Examined returns that of all production code, and how much there is.
func (p *Program) Examined() (seen, all int) {
	for _, m := range p.Modules {
		if m.Scope == ScopeProduction {
			all += m.Bytes
			seen += min(m.Examined(), m.Bytes)
		}
	}
	return seen, all
}

// Body returns the module itself as a definition: the scope of its top level.
func (m *Module) Body() *Definition { return m.indexed().body }

// Definitions returns the classes, functions and lambdas of the file, nested
// ones included, in source order.
func (m *Module) Definitions() []*Definition { return m.indexed().defs }

// Imports returns what the file imports, wherever the import stands, in source
// order. Star imports of first-party modules are expanded.
func (m *Module) Imports() []Import { return m.program.imports(m) }

// indexed returns the module's index, built by the first caller.
func (m *Module) indexed() *moduleIndex {
	m.indexOnce.Do(func() { m.index.build(m) })
	return &m.index
}

// Calls returns the calls that the file writes, in source order.
func (m *Module) Calls() []Node { return m.indexed().calls }
