package llm

import (
	"context"
	"time"
)

// Clock is the time that the layers go by.
type Clock struct {
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error                                 // nil: a timer
	Bound func(context.Context, time.Duration) (context.Context, context.CancelFunc) // nil: context.WithTimeout
}

func (c Clock) sleep(ctx context.Context, d time.Duration) error {
	if c.Sleep != nil {
		return c.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (c Clock) bound(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if c.Bound != nil {
		return c.Bound(ctx, d)
	}
	return context.WithTimeout(ctx, d)
}

// fits tells whether a wait ends before the context does.
func (c Clock) fits(ctx context.Context, d time.Duration) bool {
	end, ok := ctx.Deadline()
	return !ok || c.Now().Add(d).Before(end)
}
