package trace

import (
	"testing"
	"time"
)

// A clock that jumps gives no negative duration and no time that cannot be
// written down.
func TestD30Steady(t *testing.T) {
	jumps := []time.Time{time.Unix(1000, 0), time.Unix(500, 0), time.Unix(1001, 0), time.Unix(-9, 0), time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(1, 0)}
	next := 0
	clock := Steady(func() time.Time { next++; return jumps[next-1] })
	last := time.Unix(0, 0)
	for i := range jumps {
		now := clock()
		if now.Before(last) {
			t.Errorf("reading %d: %v after %v", i, now, last)
		}
		if _, err := now.UTC().MarshalJSON(); err != nil {
			t.Errorf("reading %d: %v", i, err)
		}
		last = now
	}
}
