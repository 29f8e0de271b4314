package code

import (
	"sync"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Service is the parsing worker, of kind "code". A request is the decoded text
// of one Python file; the answer is its tree, readable by Load alone. One file
// may have 1 MiB, 200,000 nodes, 500 levels of nesting and the steps of Work; beyond that
// the answer is an error that says so.
func Service() sandbox.Service {
	load := sync.OnceValue(newGrammar)
	return sandbox.Service{
		Warm: func() error {
			_, err := load().handle(nil)
			return err
		},
		Handle: func(request []byte) ([]byte, error) { return load().handle(request) },
	}
}
