package probe

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Shared computes a value that several probes of a group need, once per scene.
// The key names the value within the whole program. Where the end of the case's
// step cuts it short nothing is kept. A panic is an error that all who ask are
// told.
func Shared[T any](s *Scene, key string, make func() (T, error)) (T, error) {
	l, _ := s.shared.LoadOrStore(key, new(lazy[T]))
	return l.(*lazy[T]).get(context.Background(), s, key, func(context.Context) (T, error) { return make() })
}

// lazy is a value that is computed once.
type lazy[T any] struct {
	mu    sync.Mutex
	busy  chan struct{} // closed when the computation under way is over; nil: there is none
	done  bool
	value T
	err   error
}

// get computes the value or waits for it, for as long as the asker's step of
// the case may take, or ctx where there is no step.
func (l *lazy[T]) get(ctx context.Context, s *Scene, what string, compute func(context.Context) (T, error)) (value T, err error) {
	if value, done, err := l.look(); done {
		return value, err
	}
	if s.step != nil {
		ctx = s.step
	}
	if err := ctx.Err(); err != nil {
		return value, err
	}
	for {
		l.mu.Lock()
		if l.done {
			defer l.mu.Unlock()
			return l.value, l.err
		}
		busy := l.busy
		if busy == nil {
			l.busy = make(chan struct{})
			l.mu.Unlock()
			return l.fill(ctx, s.step != nil, what, compute)
		}
		l.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return value, ctx.Err()
		}
	}
}

// ready tells whether the value is there.
func (l *lazy[T]) ready() bool {
	_, done, _ := l.look()
	return done
}

func (l *lazy[T]) look() (value T, done bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value, l.done, l.err
}

// fill computes the value. What came of it while the step was ending is not
// kept, since it may be half a value: the next who asks computes it anew. Where
// ctx is not known to be the step's, the error tells.
func (l *lazy[T]) fill(ctx context.Context, known bool, what string, compute func(context.Context) (T, error)) (value T, err error) {
	err = fmt.Errorf("computing %s: it was left", what) // when the goroutine ends within
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("computing %s: %w", what, panicked(p))
		}
		over := ctx.Err()
		l.mu.Lock()
		defer l.mu.Unlock()
		if over == nil && (known || !stopped(err)) {
			l.value, l.err, l.done = value, err, true
		} else if err == nil {
			err = over
		}
		close(l.busy)
		l.busy = nil
	}()
	return compute(ctx)
}

// stopped tells the end of a step from what an analysis came to.
func stopped(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// panicked is the error of a panic. It holds no stack and no address: faults
// are part of a record that is the same every time.
func panicked(p any) error {
	switch p := p.(type) {
	case error:
		return fmt.Errorf("panic: %w", p)
	case string:
		return fmt.Errorf("panic: %s", p)
	case fmt.Stringer:
		return fmt.Errorf("panic: %s", p)
	default:
		return fmt.Errorf("panic: a %T", p)
	}
}
