package code

import (
	"encoding/binary"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// treeFormat is the first byte of a serialised tree.
const treeFormat = 1

// Flags of a serialised node.
const (
	flagNamed = 1 << iota
	flagError
	flagMissing
)

// treeWriter serialises trees in preorder. A node is six numbers: kind, field
// (0 for none), flags, depth, distance of its start from the start of the
// node before, and length. Kinds and fields are indexes into tables of names
// that precede the nodes.
type treeWriter struct {
	language *sitter.Language
	kinds    nameTable
	fields   nameTable
	nodes    []byte
	count    int
	last     int  // start of the node before
	damaged  bool // errors are looked for; without any in the tree that is saved
}

// nameTable numbers names in the order in which they are first used.
type nameTable struct {
	index map[uint16]int
	names []string
}

func (t *nameTable) number(id uint16, name func() string) int {
	if i, ok := t.index[id]; ok {
		return i
	}
	i := len(t.names)
	t.index[id] = i
	t.names = append(t.names, name())
	return i
}

func newTreeWriter(language *sitter.Language) *treeWriter {
	return &treeWriter{
		language: language,
		kinds:    nameTable{index: map[uint16]int{}},
		fields:   nameTable{index: map[uint16]int{}},
	}
}

// root writes the root node, which spans the whole text.
func (w *treeWriter) root(size int) {
	kind := w.kinds.number(0, func() string { return "module" })
	w.put(kind, 0, flagNamed, 0, 0, size)
}

func (w *treeWriter) put(kind, field, flags, depth, start, end int) {
	// Nodes that the parser invents can lie before the node they follow.
	start = max(start, w.last)
	end = max(end, start)
	for _, v := range [...]int{kind, field, flags, depth, start - w.last, end - start} {
		w.nodes = binary.AppendUvarint(w.nodes, uint64(v))
	}
	w.last = start
	w.count++
}

// children writes what lies below a root node, shifted by offset bytes.
func (w *treeWriter) children(work *Work, root *sitter.Node, offset int) error {
	if root.IsError() {
		return w.subtree(work, root, offset)
	}
	return w.walk(work, root, offset, 0)
}

// subtree writes a node as a child of the root, with all below it.
func (w *treeWriter) subtree(work *Work, n *sitter.Node, offset int) error {
	return w.walk(work, n, offset, 1)
}

// walk writes the nodes below n, and n itself when base is 1.
func (w *treeWriter) walk(work *Work, n *sitter.Node, offset, base int) error {
	cursor := n.Walk()
	defer cursor.Close()
	depth := 0 // depth of the cursor below n
	if base == 0 {
		if !cursor.GotoFirstChild() {
			return nil
		}
		depth = 1
	}
	for {
		kept := w.node(cursor, offset, depth+base)
		if w.count > maxNodes {
			return errTooMany
		}
		if err := work.Spend(1); err != nil {
			return err
		}
		if kept && cursor.GotoFirstChild() {
			if depth++; depth+base > maxDepth {
				return errTooDeep
			}
			continue
		}
		for depth == 0 || !cursor.GotoNextSibling() {
			if depth <= 1-base || !cursor.GotoParent() {
				return nil
			}
			depth--
		}
	}
}

// node writes the cursor's node and reports whether it was kept. Anonymous
// tokens are kept only when they fill a field, as operators do.
func (w *treeWriter) node(cursor *sitter.TreeCursor, offset, depth int) bool {
	n := cursor.Node()
	field := cursor.FieldId()
	flags := 0
	if n.IsNamed() {
		flags |= flagNamed
	}
	if w.damaged && n.IsError() {
		flags |= flagError
	}
	if w.damaged && n.IsMissing() {
		flags |= flagMissing
	}
	if flags == 0 && field == 0 {
		return false
	}
	kind := w.kinds.number(n.KindId(), func() string {
		if flags&flagError != 0 {
			return "ERROR"
		}
		return n.Kind()
	})
	number := 0
	if field != 0 {
		number = w.fields.number(field, func() string { return w.language.FieldNameForId(field) }) + 1
	}
	w.put(kind, number, flags, depth, offset+int(n.StartByte()), offset+int(n.EndByte()))
	return true
}

// bytes returns the serialised tree.
func (w *treeWriter) bytes() []byte {
	out := []byte{treeFormat}
	for _, table := range [...][]string{w.kinds.names, w.fields.names} {
		out = binary.AppendUvarint(out, uint64(len(table)))
		for _, name := range table {
			out = binary.AppendUvarint(out, uint64(len(name)))
			out = append(out, name...)
		}
	}
	out = binary.AppendUvarint(out, uint64(w.count))
	return append(out, w.nodes...)
}
