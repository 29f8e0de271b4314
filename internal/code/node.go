package code

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Node is one node of a syntax tree: a small value, comparable, and usable as
// a map key. Kinds and fields are those of tree-sitter-python 0.25
// ("function_definition", field "name"). Anonymous tokens are kept only when
// they fill a field, as operators do. Every method of the zero Node answers
// with a zero value, so that chains of Field need no tests in between.
type Node struct {
	m *Module
	i int32 // index in the module's tree
}

// maxExpr bounds the expression shown by Unknown, in characters.
const maxExpr = 60

func (n Node) node() *node { return &n.m.tree.nodes[n.i] }

// Valid reports whether the node exists.
func (n Node) Valid() bool { return n.m != nil }

// Module returns the file of the node.
func (n Node) Module() *Module { return n.m }

// Path returns the path of the node's file.
func (n Node) Path() string {
	if n.m == nil {
		return ""
	}
	return n.m.Path
}

// Kind returns the grammar's name of the node, such as "call".
func (n Node) Kind() string {
	if n.m == nil {
		return ""
	}
	return n.m.tree.kinds[n.node().kind]
}

// Is reports whether the node's kind is one of kinds.
func (n Node) Is(kinds ...string) bool { return n.m != nil && slices.Contains(kinds, n.Kind()) }

// Named reports whether the node is a named one; operators are not.
func (n Node) Named() bool { return n.m != nil && n.node().flags&flagNamed != 0 }

// Broken reports whether the node is an ERROR node or was inserted by the parser.
func (n Node) Broken() bool { return n.m != nil && n.node().flags&(flagError|flagMissing) != 0 }

// FieldName returns the field of the parent that the node fills, or "".
func (n Node) FieldName() string {
	if n.m == nil || n.node().field == 0 {
		return ""
	}
	return n.m.tree.fields[n.node().field-1]
}

// Start returns the byte offset of the node in the module's text.
func (n Node) Start() int {
	if n.m == nil {
		return 0
	}
	return int(n.node().start)
}

// End returns the byte offset after the node.
func (n Node) End() int {
	if n.m == nil {
		return 0
	}
	return int(n.node().end)
}

// Line returns the line on which the node starts, from 1.
func (n Node) Line() int {
	if n.m == nil {
		return 0
	}
	return n.m.lineAt(n.Start())
}

// EndLine returns the line on which the node ends, from 1.
func (n Node) EndLine() int {
	if n.m == nil {
		return 0
	}
	end := n.End()
	if end > n.Start() {
		end-- // a node that ends with its line's end does not reach the next line
	}
	return n.m.lineAt(end)
}

// Text returns the source text of the node; of an identifier, the name that
// Python knows it by.
func (n Node) Text() string {
	if n.m == nil {
		return ""
	}
	if n.m.folded != nil {
		if name, ok := n.m.folded[n.i]; ok {
			return name
		}
	}
	return n.written()
}

// written is the source text of the node as it stands.
func (n Node) written() string { return n.m.text[n.node().start:n.node().end] }

// Parent returns the node around this one.
func (n Node) Parent() Node {
	if n.m == nil || n.node().parent < 0 {
		return Node{}
	}
	return Node{n.m, n.node().parent}
}

// Field returns the first child in the field.
func (n Node) Field(name string) Node {
	for c := range n.All() {
		if c.FieldName() == name {
			return c
		}
	}
	return Node{}
}

// Fields returns all children in the field, in order.
func (n Node) Fields(name string) []Node {
	var out []Node
	for c := range n.All() {
		if c.FieldName() == name {
			out = append(out, c)
		}
	}
	return out
}

// All yields every child, comments and operators included, in order.
func (n Node) All() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.m == nil {
			return
		}
		nodes := n.m.tree.nodes
		for i := n.i + 1; i < nodes[n.i].after; i = nodes[i].after {
			if !yield(Node{n.m, i}) {
				return
			}
		}
	}
}

// Children yields the named children other than comments, in order.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := range n.All() {
			if c.node().flags&(flagNamed|flagAside) == flagNamed && !yield(c) {
				return
			}
		}
	}
}

// Child returns the i-th of Children, from 0.
func (n Node) Child(i int) Node {
	for c := range n.Children() {
		if i == 0 {
			return c
		}
		i--
	}
	return Node{}
}

// Walk yields the node and everything below it, in source order. It does not
// recurse.
func (n Node) Walk() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.m == nil {
			return
		}
		for i := n.i; i < n.node().after; i++ {
			if !yield(Node{n.m, i}) {
				return
			}
		}
	}
}

// WalkScope is Walk without what lies inside nested functions, lambdas and
// classes; the nested definition's own node is yielded.
func (n Node) WalkScope() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.m == nil {
			return
		}
		for i := n.i; i < n.node().after; {
			c := Node{n.m, i}
			if !yield(c) {
				return
			}
			if i++; c != n && c.defines() {
				i = c.node().after
			}
		}
	}
}

// defines reports whether the node opens a scope of its own.
func (n Node) defines() bool {
	return n.m != nil && n.node().flags&flagDefines != 0
}

// Around yields the nodes around this one, from the parent to the root.
func (n Node) Around() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for a := n.Parent(); a.Valid(); a = a.Parent() {
			if !yield(a) {
				return
			}
		}
	}
}

// Contains reports whether other is the node itself or lies below it.
func (n Node) Contains(other Node) bool {
	return n.m != nil && n.m == other.m && other.i >= n.i && other.i < n.node().after
}

// Statement returns the statement that the node belongs to: the nearest node
// around it, or itself, that stands in a block.
func (n Node) Statement() Node {
	for n.Valid() {
		parent := n.Parent()
		if parent.Is("block", "module") {
			return n
		}
		n = parent
	}
	return n
}

// Unparen returns the node without the parentheses around it.
func (n Node) Unparen() Node {
	for n.Is("parenthesized_expression") && n.Child(0).Valid() {
		n = n.Child(0)
	}
	return n
}

// Unknown renders the node as a thing that could not be resolved:
// "?expr@path:line", the expression on one line and cut at 60 characters.
func (n Node) Unknown() string {
	if n.m == nil {
		return "?"
	}
	expr := strings.Join(strings.Fields(n.Text()), " ")
	if r := []rune(expr); len(r) > maxExpr {
		expr = string(r[:maxExpr-1]) + "…"
	}
	return fmt.Sprintf("?%s@%s:%d", expr, n.Path(), n.Line())
}

// child returns the first child of one of the kinds.
func (n Node) child(kinds ...string) Node {
	for c := range n.All() {
		if c.Is(kinds...) {
			return c
		}
	}
	return Node{}
}

// before reports whether the node starts before other, in the order of path
// and position.
func (n Node) before(other Node) int {
	if n.m != other.m {
		return strings.Compare(n.Path(), other.Path())
	}
	return int(n.i) - int(other.i)
}
