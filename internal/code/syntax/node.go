package syntax

import (
	"iter"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// File is one file as it was read. It is safe for concurrent readers.
type File struct {
	Path     string
	Language code.Language
	Scope    code.Scope
	Bytes    int    // of the file
	Examined int    // bytes that lie in no broken node; 0 when it was not parsed
	Parsed   bool   // there is a tree, perhaps with broken nodes
	Reason   string // why it was not parsed

	text     string
	lines    []uint32 // offset of each line's start
	nodes    []node
	names    []string
	comments []Comment
}

// Comment is a comment, delimiters included, as byte offsets into the text.
type Comment struct{ From, To uint32 }

// node is one node in preorder. Indexes are into the file's nodes; -1 is none.
type node struct {
	from, to uint32
	parent   int32
	after    int32 // index after the last node below this one
	name     uint32
	detail   uint32
	flags    Flags
	kind     uint8
	role     uint8
}

// Node is one node of a file: a small value, comparable, usable as a map key.
// Every method of the zero Node answers with a zero value.
type Node struct {
	f *File
	i int32
}

// Root is the file's node; the zero Node where the file was not parsed.
func (f *File) Root() Node {
	if f == nil || len(f.nodes) == 0 {
		return Node{}
	}
	return Node{f: f}
}

// At is the innermost node of some kinds that begins and ends at two offsets; the zero
// Node where there is none.
func (f *File) At(from, to int, kinds ...Kind) (found Node) {
	for n := f.Root(); n.Valid(); {
		if n.Start() == from && n.End() == to && n.Is(kinds...) {
			found = n
		}
		inner := Node{}
		for c := range n.Children() {
			if c.Start() <= from && to <= c.End() {
				inner = c
				break
			}
		}
		n = inner
	}
	return found
}

// BrokenLine is the first line that could not be parsed; 0: all could.
func (f *File) BrokenLine() int {
	n := f.Root()
	if !n.Has(Broken) {
		return 0
	}
	for {
		inside := n.broken()
		if !inside.Valid() {
			return n.Line()
		}
		n = inside
	}
}

// broken is the first child that could not be parsed, in whole or in part; none is not valid.
func (n Node) broken() Node {
	for c := range n.Children() {
		if c.Has(Broken) || c.Is("broken") {
			return c
		}
	}
	return Node{}
}

// Text is the decoded text that offsets count in.
func (f *File) Text() string { return f.text }

// Starts are the offsets at which its lines start.
func (f *File) Starts() []uint32 { return f.lines }

// Comments are the comments in order.
func (f *File) Comments() []Comment { return f.comments }

// LineAt is the line, from 1, of a byte offset into the text.
func (f *File) LineAt(offset int) int {
	i, exact := slices.BinarySearch(f.lines, uint32(offset))
	if exact {
		return i + 1
	}
	return max(i, 1)
}

func (n Node) node() *node { return &n.f.nodes[n.i] }

// Valid tells whether the node exists.
func (n Node) Valid() bool { return n.f != nil }

// File is the file of the node.
func (n Node) File() *File { return n.f }

// Path is the path of the node's file.
func (n Node) Path() string {
	if n.f == nil {
		return ""
	}
	return n.f.Path
}

// Kind says what the node is; see Kind.
func (n Node) Kind() Kind {
	if n.f == nil {
		return ""
	}
	return kinds[n.node().kind]
}

// Is tells whether the node is of one of the kinds.
func (n Node) Is(kinds ...Kind) bool { return n.f != nil && slices.Contains(kinds, n.Kind()) }

// Has tells whether the node has all of the flags.
func (n Node) Has(f Flags) bool { return n.f != nil && n.node().flags&f == f }

// Role is the node's part in its parent.
func (n Node) Role() string {
	if n.f == nil {
		return ""
	}
	return roles[n.node().role]
}

// Name is the node's name or constant value, see Kind.
func (n Node) Name() string {
	if n.f == nil {
		return ""
	}
	return n.f.names[n.node().name]
}

// Detail is the node's operator or variety, see Kind.
func (n Node) Detail() string {
	if n.f == nil {
		return ""
	}
	return n.f.names[n.node().detail]
}

// Text is the node's source text.
func (n Node) Text() string {
	if n.f == nil {
		return ""
	}
	return n.f.text[n.node().from:n.node().to]
}

// Start is the byte offset of the node in its file's text.
func (n Node) Start() int {
	if n.f == nil {
		return 0
	}
	return int(n.node().from)
}

// End is the byte offset after the node.
func (n Node) End() int {
	if n.f == nil {
		return 0
	}
	return int(n.node().to)
}

// Line is the line on which the node starts, from 1.
func (n Node) Line() int {
	if n.f == nil {
		return 0
	}
	return n.f.LineAt(n.Start())
}

// EndLine is the line on which the node ends, from 1.
func (n Node) EndLine() int {
	if n.f == nil {
		return 0
	}
	return n.f.LineAt(max(n.End()-1, n.Start()))
}

// Parent is the node around this one.
func (n Node) Parent() Node {
	if n.f == nil || n.node().parent < 0 {
		return Node{}
	}
	return Node{n.f, n.node().parent}
}

// Around are the nodes around this one, from its parent outwards.
func (n Node) Around() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for p := n.Parent(); p.Valid(); p = p.Parent() {
			if !yield(p) {
				return
			}
		}
	}
}

// Children are the nodes directly below, in source order; with roles, only those.
func (n Node) Children(only ...string) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.f == nil {
			return
		}
		for i := n.i + 1; i < n.node().after; i = n.f.nodes[i].after {
			c := Node{n.f, i}
			if (len(only) == 0 || slices.Contains(only, c.Role())) && !yield(c) {
				return
			}
		}
	}
}

// Child is the first child in that role.
func (n Node) Child(role string) Node {
	for c := range n.Children(role) {
		return c
	}
	return Node{}
}

// Nth is the child in that role at position i, from 0.
func (n Node) Nth(role string, i int) Node {
	for c := range n.Children(role) {
		if i == 0 {
			return c
		}
		i--
	}
	return Node{}
}

// Walk are the node and all nodes below it, in preorder.
func (n Node) Walk() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.f == nil {
			return
		}
		for i := n.i; i < n.node().after; i++ {
			if !yield(Node{n.f, i}) {
				return
			}
		}
	}
}

// Enclosing is the nearest node of one of the kinds around this one.
func (n Node) Enclosing(kinds ...Kind) Node {
	for p := range n.Around() {
		if p.Is(kinds...) {
			return p
		}
	}
	return Node{}
}
