package probe

import (
	"context"
	"errors"
)

var (
	// errTooLong is what a fault says where the time of a step ran out: the fence
	// around all that is counted otherwise.
	errTooLong = errors.New("the time for this step ran out; on another machine this may be answered")
	errLeft    = errors.New("the work was left")
)

// inStep does a piece of work for a step of the case. Work returns what is to
// be done with its result; once the step is over that is never done, and the
// work is left behind with a context that ended.
func (s *Scene) inStep(step context.Context, work func(context.Context, *Scene) func() error) error {
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
		result = work(step, &Scene{common: s.common, step: step, sole: s.sole, reads: s.reads})
	}()
	select {
	case result := <-done:
		return result()
	case <-step.Done():
		return step.Err()
	}
}
