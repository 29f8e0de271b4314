package code

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// clock bounds the processor time of the work on one file, which is the same
// on a crowded machine. It belongs to one thread.
type clock struct {
	until time.Duration
	late  bool
}

// startClock keeps the goroutine on its thread until stop is called.
func startClock(budget time.Duration) (c *clock, stop func()) {
	runtime.LockOSThread()
	return &clock{until: ThreadTime() + budget}, runtime.UnlockOSThread
}

// err is errTooSlow once the time is spent.
func (c *clock) err() error {
	if c.late = c.late || ThreadTime() >= c.until; c.late {
		return errTooSlow
	}
	return nil
}

// ThreadTime is the processor time that this thread has spent so far; where
// the system does not tell, the worker's own deadline is the only one.
func ThreadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
