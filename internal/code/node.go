package code

import "iter"

// Node is one node of a syntax tree: a small value, comparable, and usable as
// a map key. Kinds and fields are those of tree-sitter-python 0.25
// ("function_definition", field "name"). Brackets, commas and other bare
// punctuation are not kept. Every method of the zero Node answers with a zero
// value, so that chains of Field need no tests in between.
type Node struct {
	m *Module
	i int32 // index in the tree, plus one
}

// Valid reports whether the node exists.
func (n Node) Valid() bool { return n.m != nil }

// Module returns the file of the node.
func (n Node) Module() *Module { return n.m }

// Path returns the path of the node's file.
func (n Node) Path() string { return "" }

// Kind returns the grammar's name of the node, such as "call".
func (n Node) Kind() string { return "" }

// Is reports whether the node's kind is one of kinds.
func (n Node) Is(kinds ...string) bool { return false }

// Named reports whether the node is a named one; operators and keywords are not.
func (n Node) Named() bool { return false }

// Broken reports whether the node is an ERROR node or was inserted by the parser.
func (n Node) Broken() bool { return false }

// FieldName returns the field of the parent that the node fills, or "".
func (n Node) FieldName() string { return "" }

// Start returns the byte offset of the node in the module's text.
func (n Node) Start() int { return 0 }

// End returns the byte offset after the node.
func (n Node) End() int { return 0 }

// Line returns the line on which the node starts, from 1.
func (n Node) Line() int { return 0 }

// EndLine returns the line on which the node ends, from 1.
func (n Node) EndLine() int { return 0 }

// Text returns the source text of the node.
func (n Node) Text() string { return "" }

// Parent returns the node around this one.
func (n Node) Parent() Node { return Node{} }

// Field returns the first child in the field.
func (n Node) Field(name string) Node { return Node{} }

// Fields returns all children in the field, in order.
func (n Node) Fields(name string) []Node { return nil }

// Children yields the named children other than comments, in order.
func (n Node) Children() iter.Seq[Node] { return func(func(Node) bool) {} }

// All yields every child, comments and operators included, in order.
func (n Node) All() iter.Seq[Node] { return func(func(Node) bool) {} }

// Child returns the i-th of Children, from 0.
func (n Node) Child(i int) Node { return Node{} }

// Walk yields the node and everything below it, in source order. It does not
// recurse.
func (n Node) Walk() iter.Seq[Node] { return func(func(Node) bool) {} }

// WalkScope is Walk without what lies inside nested functions, lambdas and
// classes; the nested definition's own node is yielded.
func (n Node) WalkScope() iter.Seq[Node] { return func(func(Node) bool) {} }

// Around yields the nodes around this one, from the parent to the root.
func (n Node) Around() iter.Seq[Node] { return func(func(Node) bool) {} }

// Contains reports whether other is the node itself or lies below it.
func (n Node) Contains(other Node) bool { return false }

// Statement returns the statement that the node belongs to: the nearest node
// around it, or itself, that stands in a block.
func (n Node) Statement() Node { return Node{} }

// Unparen returns the node without the parentheses around it.
func (n Node) Unparen() Node { return n }

// Unknown renders the node as a thing that could not be resolved:
// "?expr@path:line", the expression cut at 60 characters.
func (n Node) Unknown() string { return "" }
