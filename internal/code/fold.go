package code

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold lists the identifiers that Python reads as other ones than are written:
// it compares them by their NFKC form.
func (m *Module) fold() {
	if m.tree == nil || ascii(m.text) {
		return
	}
	for i := range m.tree.nodes {
		n := Node{m, int32(i)}
		if !n.Is("identifier") {
			continue
		}
		written := n.written()
		if folded := foldName(written); folded != written {
			if m.folded == nil {
				m.folded = map[int32]string{}
			}
			m.folded[n.i] = folded
		}
	}
}

// foldName is a name as Python knows it.
func foldName(name string) string {
	if ascii(name) {
		return name
	}
	return norm.NFKC.String(name)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
