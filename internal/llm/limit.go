package llm

import (
	"context"
	"sync"
	"time"
)

// What an endpoint is asked to bear at once.
const (
	atOnce   = 4
	slowFor  = time.Minute // after a 429, half of it
	rateSpan = time.Minute // of the requests and tokens a minute
)

// limit holds the requests to one endpoint to a few at once and to a rate.
type limit struct {
	next Model
	gate *gate
}

func (l *limit) Complete(ctx context.Context, p Prompt) (Reply, error) {
	if err := l.gate.enter(ctx); err != nil {
		return Reply{}, err
	}
	defer l.gate.leave()
	return l.next.Complete(ctx, p)
}

// gate is what all models of one endpoint pass through.
type gate struct {
	clock    Clock
	rpm, tpm int // 0: no limit

	mu      sync.Mutex
	running int
	slow    time.Time // until then, half of the requests at once
	waiting []chan struct{}
	sent    []sending
}

// sending is a request of the last minute.
type sending struct {
	at     time.Time
	tokens int
}

func (g *gate) most() int {
	if g.clock.Now().Before(g.slow) {
		return atOnce / 2
	}
	return atOnce
}

func (g *gate) enter(ctx context.Context) error {
	g.mu.Lock()
	if len(g.waiting) == 0 && g.running < g.most() {
		g.running++
		g.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	g.waiting = append(g.waiting, turn)
	g.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, w := range g.waiting {
		if w == turn {
			g.waiting = append(g.waiting[:i], g.waiting[i+1:]...)
			return context.Cause(ctx)
		}
	}
	g.running-- // the turn came at the same time: it is handed on
	g.admit()
	return context.Cause(ctx)
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.admit()
}

// admit lets in who waits, in order.
func (g *gate) admit() {
	for len(g.waiting) > 0 && g.running < g.most() {
		close(g.waiting[0])
		g.waiting = g.waiting[1:]
		g.running++
	}
}

// pressed notes that the server said 429.
func (g *gate) pressed() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.slow = g.clock.Now().Add(slowFor)
}

// pace waits until the rate has room for a request with so many tokens. One
// that is alone larger than the rate goes when nothing else was sent.
func (g *gate) pace(ctx context.Context, tokens int) error {
	for {
		wait := g.send(tokens)
		if wait <= 0 {
			return nil
		}
		if !g.clock.fits(ctx, wait) {
			return &Error{Kind: KindPermanent, What: "out of time", Detail: "the rate limit of the profile leaves no room before the deadline"}
		}
		if err := g.clock.sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// send notes a request when it may go; else it says how long until then.
func (g *gate) send(tokens int) time.Duration {
	if g.rpm == 0 && g.tpm == 0 {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock.Now()
	sum, kept := 0, g.sent[:0]
	for _, s := range g.sent {
		if now.Sub(s.at) < rateSpan {
			kept, sum = append(kept, s), sum+s.tokens
		}
	}
	g.sent = kept
	full := g.rpm > 0 && len(kept) >= g.rpm || g.tpm > 0 && len(kept) > 0 && sum+tokens > g.tpm
	if full {
		return rateSpan - now.Sub(kept[0].at)
	}
	g.sent = append(kept, sending{now, tokens})
	return 0
}
