package project

import (
	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// splitTree takes a file apart by its tree: comments as the parser found them,
// texts but for the expressions inside of them. Where something could not be
// parsed, its text counts as code.
func splitTree(f *syntax.File) parts {
	text := f.Text()
	classes := make([]class, len(text))
	mark := func(from, to int, c class) {
		for i := from; i < min(to, len(classes)); i++ {
			classes[i] = c
		}
	}
	for n := range f.Root().Walk() {
		switch {
		case n.Is("string"):
			mark(n.Start(), n.End(), inString)
		case n.Is("template"):
			mark(n.Start(), n.End(), inString)
			for c := range n.Children() { // a string among them is marked when its turn comes
				mark(c.Start(), c.End(), inCode)
			}
		}
	}
	for _, c := range f.Comments() {
		mark(int(c.From), int(c.To), inComment)
	}
	return assemble(text, classes)
}
