package code

import "context"

// Inline is a Parser that parses in this process. It is for tests and for text
// of our own: hostile text belongs into a worker.
type Inline struct{}

// Do parses one file; see Service.
func (Inline) Do(ctx context.Context, request []byte) ([]byte, error) { return nil, ctx.Err() }
