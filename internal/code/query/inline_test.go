package query

import "context"

// inline parses in the test's own process.
type inline struct{}

func (inline) Do(ctx context.Context, request []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return Service().Handle(request)
}
