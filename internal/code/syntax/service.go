package syntax

import (
	"context"
	"errors"
	"fmt"
	"sync"

	sitter "github.com/tree-sitter/go-tree-sitter"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// reader turns the text of one language into a tree.
type reader struct {
	language string // of code.Language, or "tsx"
	grammar  func() *grammar
	// read writes the tree of text; root is the grammar's, nil where the reader
	// has a parser of its own.
	read func(w *writer, text []byte, root *sitter.Node) error
}

// readers are the languages that can be read. A request names one by its number.
var readers = []reader{
	{"go", nil, readGo},
	{"javascript", sync.OnceValue(func() *grammar { return newGrammar(javascript.Language()) }), readScript},
	{"typescript", sync.OnceValue(func() *grammar { return newGrammar(typescript.LanguageTypescript()) }), readScript},
	{"tsx", sync.OnceValue(func() *grammar { return newGrammar(typescript.LanguageTSX()) }), readScript},
	{"java", sync.OnceValue(func() *grammar { return newGrammar(java.Language()) }), readJava},
	{"rust", sync.OnceValue(func() *grammar { return newGrammar(rust.Language()) }), readRust},
}

// Service is what a worker does: a request is the number of a reader and a
// text, the answer a tree.
func Service() sandbox.Service {
	return sandbox.Service{
		Warm: func() error {
			for i := range readers {
				if _, err := handle([]byte{byte(i)}); err != nil {
					return err
				}
			}
			return nil
		},
		Handle: handle,
	}
}

// Inline parses in this process. It is for tests and for text of our own:
// hostile text belongs into a worker.
type Inline struct{}

// Do parses one file; see Service.
func (Inline) Do(ctx context.Context, request []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return handle(request)
}

func handle(request []byte) ([]byte, error) {
	if len(request) == 0 || int(request[0]) >= len(readers) {
		return nil, errors.New("parsing source: no such language")
	}
	if len(request) > maxSource+1 {
		return nil, fmt.Errorf("parsing source: larger than %d bytes", maxSource)
	}
	answer, err := parse(readers[request[0]], request[1:])
	if err != nil {
		return nil, fmt.Errorf("parsing source: %w", err)
	}
	return answer, nil
}

func parse(r reader, text []byte) ([]byte, error) {
	w := newWriter()
	if r.grammar == nil {
		if err := r.read(w, text, nil); err != nil {
			return nil, err
		}
		return w.bytes()
	}
	w.grammar = r.grammar()
	tree, err := grow(w.grammar.language, text)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	if err := r.read(w, text, tree.RootNode()); err != nil {
		return nil, err
	}
	return w.bytes()
}
