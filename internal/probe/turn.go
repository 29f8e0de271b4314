package probe

import (
	"context"
	"errors"
	"sync"
	"time"
)

// turn is the time in which one probe is at work. Its limit is for the probe's
// own work: the clock stands while it computes what all share or waits for it,
// so that neither who asks first nor how many ask at once decides an answer.
type turn struct {
	step   context.Context // of the case; shared work ends with it
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	left    time.Duration
	stretch context.Context // runs from one pause to the next
	stop    context.CancelFunc
	paused  int  // pauses lie within each other
	over    bool // the limit was reached
	ended   bool // the work is done; what it left behind may still look at things
}

var errLeft = errors.New("the work was left")

// inTurn does a piece of work with a limit for itself. Work returns what is to
// be done with its result; when it is late that is never done, and the work is
// left behind with a context that ended.
func (s *Scene) inTurn(step context.Context, limit time.Duration, work func(context.Context, *Scene) func() error) error {
	ctx, cancel := context.WithCancelCause(step)
	defer cancel(context.Canceled)
	t := &turn{step: step, cancel: cancel, left: limit}
	t.start()
	defer t.end()
	done := make(chan func() error, 1)
	go func() {
		result := func() error { return errLeft } // when the goroutine ends within
		defer func() {
			if p := recover(); p != nil {
				err := panicked(p)
				result = func() error { return err }
			}
			done <- result
		}()
		result = work(ctx, &Scene{common: s.common, turn: t})
	}()
	select {
	case result := <-done:
		return result()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// start lets the clock run. The caller has the lock, or is alone.
func (t *turn) start() {
	stretch, stop := context.WithTimeout(context.Background(), t.left)
	t.stretch, t.stop = stretch, stop
	context.AfterFunc(stretch, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.stretch == stretch && t.paused == 0 && stretch.Err() == context.DeadlineExceeded {
			t.expire()
		}
	})
}

// expire ends the turn. The caller has the lock.
func (t *turn) expire() {
	t.over = true
	t.cancel(context.DeadlineExceeded)
}

// pause stops the clock; after the turn is over that is an error.
func (t *turn) pause() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.step.Err(); err != nil {
		return err
	}
	if t.paused == 0 && !t.over && !t.ended {
		end, _ := t.stretch.Deadline()
		if t.left = time.Until(end); t.left <= 0 {
			t.expire()
		}
	}
	if t.over {
		return context.DeadlineExceeded
	}
	t.paused++
	if t.paused == 1 {
		t.stop()
	}
	return nil
}

// resume lets the clock go on after the last of the pauses.
func (t *turn) resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.paused--; t.paused == 0 && !t.over && !t.ended {
		t.start()
	}
}

// end takes the clock away.
func (t *turn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	t.stop()
}
