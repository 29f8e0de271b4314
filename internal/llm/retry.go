package llm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// How long and how often one request is tried.
const (
	tries      = 4
	firstWait  = 500 * time.Millisecond
	longWait   = 8 * time.Second
	mostWait   = time.Minute // that a server may ask for
	perTry     = 2 * time.Minute
	freeAgain  = 10 // tries of a run beyond the first, and one for every five requests
	againEvery = 5
)

// retry tries again what may pass: what timed out, broke off, or was turned
// away for now. A try's time covers the body and the reading of it.
type retry struct {
	next    Model
	clock   Clock
	random  func(n int64) int64
	breaker *breaker
	gate    *gate
	again   *allowance
}

// allowance is how many tries beyond the first a run has.
type allowance struct {
	mu         sync.Mutex
	asked, had int
}

func (a *allowance) ask() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked++
}

func (a *allowance) take() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.had >= freeAgain+a.asked/againEvery {
		return false
	}
	a.had++
	return true
}

func (r *retry) Complete(ctx context.Context, p Prompt) (Reply, error) {
	r.again.ask()
	var last error
	for try := 1; ; try++ {
		if err := r.admit(ctx, p); err != nil {
			if last != nil {
				err = last // the real reason, not that nobody asks any more
			}
			return Reply{}, err
		}
		tried(ctx)
		reply, err := r.once(ctx, p)
		if err == nil {
			return reply, nil
		}
		if ctx.Err() != nil {
			return Reply{}, context.Cause(ctx)
		}
		last = err
		wait, err := r.wait(ctx, last, try)
		if err != nil {
			return Reply{}, err
		}
		if err := spendAgain(ctx, last); err != nil {
			return Reply{}, err
		}
		last = paid(last)
		if err := r.clock.sleep(ctx, wait); err != nil {
			return Reply{}, err
		}
	}
}

// paid is an error whose try has been paid for.
func paid(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || !e.Billed {
		return err
	}
	c := *e
	c.Billed = false
	return &c
}

// admit waits for the rate and asks whether the endpoint is alive.
func (r *retry) admit(ctx context.Context, p Prompt) error {
	in, out := worst(p)
	if err := r.gate.pace(ctx, in+out); err != nil {
		return err
	}
	return r.breaker.enter(ctx)
}

func (r *retry) once(ctx context.Context, p Prompt) (reply Reply, err error) {
	defer func() { r.breaker.leave(err) }()
	inner, cancel := r.clock.bound(ctx, perTry)
	defer cancel()
	reply, err = r.next.Complete(inner, p)
	switch {
	case err == nil || ctx.Err() != nil:
	case inner.Err() != nil:
		err = &Error{Kind: KindTransient, What: "timeout", Detail: fmt.Sprintf("no whole answer within %s", perTry), Billed: true}
	}
	if e, ok := errors.AsType[*Error](err); ok && e.Status == 429 {
		r.gate.pressed()
	}
	return reply, err
}

// wait is how long to wait before the next try, or why there is none. A wait
// that the deadline cuts off is not begun, and the real reason is told.
func (r *retry) wait(ctx context.Context, last error, try int) (time.Duration, error) {
	e, ok := errors.AsType[*Error](last)
	if !ok || e.Kind != KindTransient || try >= tries {
		return 0, last
	}
	if e.Wait > mostWait {
		return 0, &Error{Kind: KindPermanent, What: e.What, Detail: fmt.Sprintf("the server asks to wait %s, over %s", e.Wait, mostWait), Status: e.Status, Billed: e.Billed}
	}
	wait := e.Wait
	if wait <= 0 {
		wait = min(firstWait<<(try-1), longWait)
		wait -= time.Duration(r.random(int64(wait / 4)))
	}
	if !r.clock.fits(ctx, wait) || !r.again.take() {
		return 0, last
	}
	return wait, nil
}
