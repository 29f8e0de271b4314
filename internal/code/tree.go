package code

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unique"
)

// Bounds on the tables of names in an answer; the grammar has about 250 kinds
// and 30 fields.
const (
	maxKinds  = 1024
	maxFields = 255
)

// node is one node of a tree as it is kept in memory. Indexes are into the
// tree's nodes; -1 is none. A repository has millions of nodes.
type node struct {
	start, end uint32
	parent     int32
	after      int32 // index after the last node below this one: the next sibling, where there is one
	kind       uint16
	field      uint8 // index of the field's name plus one
	flags      uint8
}

// Flags that the reader adds to those of the answer: what is asked of nearly
// every node should not compare names.
const (
	flagDefines = flagMissing << (1 + iota) // opens a scope
	flagAside                               // a comment or a line continuation
)

// flagOf is what the name of a kind says.
func flagOf(kind string) uint8 {
	switch kind {
	case "function_definition", "class_definition", "lambda":
		return flagDefines
	case "comment", "line_continuation":
		return flagAside
	}
	return 0
}

// tree is the syntax tree of one file, in preorder.
type tree struct {
	kinds  []string
	fields []string
	nodes  []node
}

var errTree = errors.New("malformed tree")

// readTree reads what a worker answered about a text of size bytes. The
// answer is not trusted: every index, offset and count is checked.
func readTree(answer []byte, size int) (*tree, error) {
	r := treeReader{rest: answer}
	if len(answer) == 0 || answer[0] != treeFormat {
		return nil, fmt.Errorf("reading tree: %w", errTree)
	}
	r.rest = answer[1:]
	t := &tree{kinds: r.names(maxKinds), fields: r.names(maxFields)}
	count := r.number(maxNodes + 1)
	// A node takes at least six bytes; a larger count is a lie.
	if r.failed || len(t.kinds) == 0 || count == 0 || count > len(r.rest)/6 {
		return nil, fmt.Errorf("reading tree: %w", errTree)
	}
	t.nodes = make([]node, 0, count)
	if !r.nodes(t, count, size) {
		return nil, fmt.Errorf("reading tree: %w", errTree)
	}
	return t, nil
}

type treeReader struct {
	rest   []byte
	failed bool
}

// number reads a number in 0..limit.
func (r *treeReader) number(limit int) int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > uint64(limit) {
		r.failed = true
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

// names reads a table of names. All files use the same few.
func (r *treeReader) names(limit int) []string {
	count := r.number(limit)
	names := make([]string, 0, count)
	for range count {
		size := r.number(64)
		if r.failed || size > len(r.rest) {
			r.failed = true
			return nil
		}
		names = append(names, unique.Make(string(r.rest[:size])).Value())
		r.rest = r.rest[size:]
	}
	return names
}

// nodes reads count nodes and links them.
func (r *treeReader) nodes(t *tree, count, size int) bool {
	own := make([]uint8, len(t.kinds))
	for i, kind := range t.kinds {
		own[i] = flagOf(kind)
	}
	var stack []int32 // open nodes, by depth
	start := 0
	for i := range count {
		kind := r.number(len(t.kinds) - 1)
		field := r.number(len(t.fields))
		flags := r.number(7)
		depth := r.number(maxDepth + 1)
		start += r.number(size - start)
		length := r.number(size - start)
		if r.failed || depth > len(stack) || (depth == 0) != (i == 0) {
			return false
		}
		for len(stack) > depth {
			t.nodes[stack[len(stack)-1]].after = int32(i)
			stack = stack[:len(stack)-1]
		}
		n := node{kind: uint16(kind), field: uint8(field), flags: uint8(flags) | own[kind],
			start: uint32(start), end: uint32(start + length), parent: -1}
		if depth > 0 {
			n.parent = stack[depth-1]
		}
		t.nodes = append(t.nodes, n)
		stack = append(stack, int32(i))
	}
	for _, i := range stack {
		t.nodes[i].after = int32(count)
	}
	return len(r.rest) == 0
}
