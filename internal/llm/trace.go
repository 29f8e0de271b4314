package llm

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Call is one request through all layers, for the one who traces it. Prompt and
// Reply are content: what of them is kept is for the listener to decide.
type Call struct {
	Provider string
	Host     string
	Prompt   Prompt
	Reply    Reply
	Err      error
	Tries    int // requests that reached the network; 0 when it was kept, or never began
	Took     time.Duration
	Cost     USD
	Priced   bool // Cost is known
	Missed   bool // a cassette has no answer to it
}

// traced tells a listener of every request.
type traced struct {
	next     Model
	clock    Clock
	tell     func(Call)
	endpoint Endpoint
	price    *Price
}

func (t *traced) Complete(ctx context.Context, p Prompt) (Reply, error) {
	var n atomic.Int64
	begun := t.clock.Now()
	reply, err := t.next.Complete(context.WithValue(ctx, triesKey{}, &n), p)
	c := Call{
		Provider: t.endpoint.Provider, Host: t.endpoint.host(), Prompt: p, Reply: reply, Err: err,
		Tries: int(n.Load()), Took: t.clock.Now().Sub(begun), Priced: t.price != nil, Missed: errors.Is(err, errMiss),
	}
	if !reply.Kept && err == nil {
		c.Cost = billOf(reply.Usage, t.price).Cost
	}
	t.tell(c)
	if tell, ok := ctx.Value(listenerKey{}).(func(Call)); ok {
		tell(c)
	}
	return reply, err
}

type listenerKey struct{}

// Telling is a context in which one more listener is told of requests: where several cases share a run, each has its own. The
// run's own listener is told, too.
func (r *Run) Telling(ctx context.Context, tell func(Call)) context.Context {
	return context.WithValue(ctx, listenerKey{}, tell)
}

type triesKey struct{}

// tried counts a request that goes out.
func tried(ctx context.Context) {
	if n, ok := ctx.Value(triesKey{}).(*atomic.Int64); ok {
		n.Add(1)
	}
}
