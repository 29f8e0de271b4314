package syntax

import (
	"encoding/binary"
	"errors"
)

var errAnswer = errors.New("malformed tree")

// fill reads what a worker answered about the file's text. The answer is not
// trusted: every index, offset and count is checked.
func (f *File) fill(answer []byte) error {
	if len(answer) == 0 || answer[0] != format {
		return errAnswer
	}
	r := numbers{rest: answer[1:]}
	size := len(f.text)
	broken := r.next(size)
	f.names = r.texts()
	f.comments = make([]Comment, r.count(2))
	last := 0
	for i := range f.comments {
		from := r.next(size)
		to := from + r.next(size-from)
		if from < last {
			return errAnswer
		}
		last = to
		f.comments[i] = Comment{uint32(from), uint32(to)}
	}
	f.nodes = make([]node, min(r.count(8), maxNodes))
	if r.failed || len(f.names) == 0 || len(f.nodes) == 0 || !f.link(&r, size) {
		f.nodes, f.names, f.comments = nil, nil, nil
		return errAnswer
	}
	f.Parsed, f.Examined = true, f.Bytes-min(broken, f.Bytes)
	return nil
}

// link reads the nodes: preorder, each inside its parent's range of nodes.
func (f *File) link(r *numbers, size int) bool {
	var open []int32
	for i := range f.nodes {
		n := node{parent: -1, kind: uint8(r.next(len(kinds) - 1)), role: uint8(r.next(len(roles) - 1)), flags: Flags(r.next(1<<30 - 1)),
			name: uint32(r.next(len(f.names) - 1)), detail: uint32(r.next(len(f.names) - 1))}
		from := r.next(size)
		n.from, n.to = uint32(from), uint32(from+r.next(size-from))
		n.after = int32(i + r.next(len(f.nodes)-i))
		for len(open) > 0 && f.nodes[open[len(open)-1]].after <= int32(i) {
			open = open[:len(open)-1]
		}
		if r.failed || int(n.after) <= i || (len(open) == 0) != (i == 0) || i == 0 && int(n.after) != len(f.nodes) {
			return false
		}
		if len(open) > 0 {
			n.parent = open[len(open)-1]
			if n.after > f.nodes[n.parent].after || len(open) > maxDepth {
				return false
			}
		}
		f.nodes[i] = n
		open = append(open, int32(i))
	}
	return true
}

// numbers reads the numbers of an answer.
type numbers struct {
	rest   []byte
	failed bool
}

// next reads a number in 0..limit.
func (r *numbers) next(limit int) int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || limit < 0 || v > uint64(limit) {
		r.failed = true
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

// count reads how many things follow that take at least least bytes each.
func (r *numbers) count(least int) int { return r.next(len(r.rest) / least) }

// texts reads a table of texts, as parts of one.
func (r *numbers) texts() []string {
	ends := make([]uint32, r.count(1))
	size := 0
	for i := range ends {
		size += r.next(maxValue)
		ends[i] = uint32(min(size, len(r.rest)))
	}
	if r.failed || size > len(r.rest) {
		r.failed = true
		return nil
	}
	all, from, out := string(r.rest[:size]), uint32(0), make([]string, len(ends))
	for i, end := range ends {
		out[i], from = all[from:end], end
	}
	r.rest = r.rest[size:]
	return out
}
