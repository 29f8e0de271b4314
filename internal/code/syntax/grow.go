package syntax

import (
	"errors"
	"fmt"
	"time"

	sitter "github.com/tree-sitter/go-tree-sitter"

	"github.com/automaton-auditor/automaton/internal/code"
)

// budget is the processor time that grammars may take for one file, and the
// copying of their trees. It stays below the worker's own deadline, so that a
// slow file is refused with a reason instead of costing a worker.
const budget = 3 * time.Second

var errTooSlow = fmt.Errorf("not parsed within %s of processor time", budget)

// readBlock is how much text the C parser is handed at a time.
const readBlock = 32 << 10

// grow parses text until this thread has spent that much processor time.
func grow(language *sitter.Language, text []byte, until time.Duration) (*sitter.Tree, error) {
	parser := sitter.NewParser()
	defer parser.Close()
	if err := parser.SetLanguage(language); err != nil {
		return nil, fmt.Errorf("loading grammar: %w", err)
	}
	return growBy(parser, text, until)
}

// growBy is grow with a parser that is there.
func growBy(parser *sitter.Parser, text []byte, until time.Duration) (*sitter.Tree, error) {
	late := false
	read := func(at int, _ sitter.Point) []byte {
		if at >= len(text) {
			return nil
		}
		return text[at:min(at+readBlock, len(text))]
	}
	stop := func(sitter.ParseState) bool {
		late = late || code.ThreadTime() >= until
		return late
	}
	tree := parser.ParseWithOptions(read, nil, &sitter.ParseOptions{ProgressCallback: stop})
	switch {
	case late:
		if tree != nil {
			tree.Close()
		}
		return nil, errTooSlow
	case tree == nil:
		return nil, errors.New("no tree")
	}
	return tree, nil
}
