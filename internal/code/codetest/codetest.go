// Package codetest lets tests parse in their own process what the program
// parses in locked workers. It is for tests only: strangers' code belongs into
// a worker.
package codetest

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Inline is a worker in this process.
type Inline struct{ sandbox.Service }

// Do answers one request of the service.
func (w Inline) Do(ctx context.Context, request []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return w.Handle(request)
}
