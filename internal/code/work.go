package code

import (
	"errors"
	"fmt"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// Bounds on the work that one text may cost.
const (
	// maxWork is in steps: actions of a parser and nodes that are looked at. A
	// mebibyte of dense code takes eight million. They cost a third of a
	// microsecond each in common code, and seven times that in hostile code.
	maxWork = 10_000_000
	// perTree is what a parse is reckoned at beside its actions.
	perTree = 300
	// actionsPerLook is how many actions a parser takes between two looks at the
	// count.
	actionsPerLook = 100
	// readBlock is how much text the C parser is handed at a time.
	readBlock = 32 << 10
)

var errTooMuch = fmt.Errorf("not parsed within %d steps", maxWork)

// Work counts the steps that reading one text takes. The count is the same on
// every machine, whatever else the machine does. The zero value is usable, by
// one goroutine.
type Work struct{ done int }

// Spend counts steps; it answers an error once there are too many.
func (w *Work) Spend(steps int) error {
	if w.done += steps; w.done > maxWork {
		return errTooMuch
	}
	return nil
}

// Tree parses a text. The caller closes the tree.
func (w *Work) Tree(parser *sitter.Parser, text []byte) (*sitter.Tree, error) {
	read := func(at int, _ sitter.Point) []byte {
		if at >= len(text) {
			return nil
		}
		return text[at:min(at+readBlock, len(text))]
	}
	err := w.Spend(perTree)
	if err != nil {
		return nil, err
	}
	look := func(sitter.ParseState) bool {
		err = w.Spend(actionsPerLook)
		return err != nil
	}
	tree := parser.ParseWithOptions(read, nil, &sitter.ParseOptions{ProgressCallback: look})
	switch {
	case err != nil:
		if tree != nil {
			tree.Close()
		}
		return nil, err
	case tree == nil:
		return nil, errors.New("no tree")
	}
	return tree, nil
}

// NewTree is Tree with a parser of its own.
func (w *Work) NewTree(language *sitter.Language, text []byte) (*sitter.Tree, error) {
	parser := sitter.NewParser()
	defer parser.Close()
	if err := parser.SetLanguage(language); err != nil {
		return nil, fmt.Errorf("loading grammar: %w", err)
	}
	return w.Tree(parser, text)
}
