package trace

import (
	"sync"
	"time"
)

// The times that a timestamp of four digits can show.
var (
	firstTime = time.Unix(0, 0)
	lastTime  = time.Unix(253402300799, 0)
)

// Steady is a clock that stands still where the other one goes back, and at
// either end of what timestamps can show: nothing takes a negative time, and
// every time can be written down. It is safe for concurrent use.
func Steady(clock func() time.Time) func() time.Time {
	var mu sync.Mutex
	last := firstTime
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		if now := clock(); now.After(last) {
			last = now
		}
		if last.After(lastTime) {
			last = lastTime
		}
		return last
	}
}
