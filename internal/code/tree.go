package code

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// maxNames bounds the tables of kinds and fields in an answer; the grammar has
// about 280.
const maxNames = 1024

// node is one node of a tree as it is kept in memory. Indexes are into the
// tree's nodes; -1 is none.
type node struct {
	kind       uint16
	field      uint16 // index of the field's name plus one
	flags      uint8
	start, end uint32
	parent     int32
	next       int32 // next sibling
	after      int32 // index after the last node below this one
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
	t := &tree{kinds: r.names(), fields: r.names()}
	count := r.number(maxNodes + 1)
	// A node takes at least six bytes; a larger count is a lie.
	if r.failed || count == 0 || count > len(r.rest)/6 {
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

func (r *treeReader) names() []string {
	names := make([]string, 0, 64)
	for range r.number(maxNames) {
		size := r.number(64)
		if r.failed || size > len(r.rest) {
			r.failed = true
			return nil
		}
		names = append(names, string(r.rest[:size]))
		r.rest = r.rest[size:]
	}
	return names
}

// nodes reads count nodes and links them.
func (r *treeReader) nodes(t *tree, count, size int) bool {
	var stack []int32 // open nodes, by depth
	var last []int32  // last child of each open node, -1 for none
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
			stack, last = stack[:len(stack)-1], last[:len(last)-1]
		}
		n := node{kind: uint16(kind), field: uint16(field), flags: uint8(flags),
			start: uint32(start), end: uint32(start + length), parent: -1, next: -1}
		if depth > 0 {
			n.parent = stack[depth-1]
			if before := last[depth-1]; before >= 0 {
				t.nodes[before].next = int32(i)
			}
			last[depth-1] = int32(i)
		}
		t.nodes = append(t.nodes, n)
		stack, last = append(stack, int32(i)), append(last, -1)
	}
	for _, i := range stack {
		t.nodes[i].after = int32(count)
	}
	return len(r.rest) == 0
}
