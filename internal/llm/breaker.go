package llm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// When an endpoint counts as dead, and for how long it is left alone.
const (
	deadAfter = 8 // transient failures in a row
	restFor   = 30 * time.Second
)

// breaker keeps a run from asking an endpoint that does not answer. A 429 is no
// failure here: the one who says it is alive, and says when to come back.
type breaker struct {
	clock Clock

	mu     sync.Mutex
	fails  int
	out    int // requests under way
	rest   time.Time
	last   string
	change chan struct{} // closed when a request is back
}

// enter lets a request through, or says that the endpoint is dead. What is
// under way counts as if it failed, so that exactly deadAfter requests find
// out, however many ask at once.
func (b *breaker) enter(ctx context.Context) error {
	for {
		b.mu.Lock()
		now := b.clock.Now()
		dead := b.fails >= deadAfter
		switch {
		case dead && (now.Before(b.rest) || b.out > 0):
			defer b.mu.Unlock()
			return &Error{Kind: KindPermanent, What: "endpoint does not answer", Detail: fmt.Sprintf("%d failures in a row, the last: %s", b.fails, b.last)}
		case dead || b.fails+b.out < deadAfter || b.fails == 0:
			defer b.mu.Unlock()
			b.out++
			return nil
		}
		if b.change == nil {
			b.change = make(chan struct{})
		}
		change := b.change
		b.mu.Unlock()
		select {
		case <-change:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// leave notes how a request ended.
func (b *breaker) leave(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.out--
	if b.change != nil {
		close(b.change)
		b.change = nil
	}
	e, ours := errors.AsType[*Error](err)
	switch {
	case err == nil || ours && (e.Kind != KindTransient || e.Status == 429):
		b.fails = 0
	case ours:
		b.fails, b.last = b.fails+1, Why(err)
		if b.fails >= deadAfter {
			b.rest = b.clock.Now().Add(restFor)
		}
	}
}
