package batch

import (
	"context"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/docket"
)

// mostTold bounds what is told of one hearing while it goes on, in bytes: the rest is in its file of events.
const mostTold = 16 << 20

// feed writes what a hearing tells into the docket, where watchers in other processes find it: what came in a second at once.
// Who judges never waits for it.
type feed struct {
	mu   sync.Mutex
	rest []byte // not written yet
	size int    // of all that came

	more, end chan struct{}
	gone      chan struct{} // closed when nothing is written any more
}

// tellEvery is how often a hearing tells what is new.
const tellEvery = time.Second

// feedOf begins to tell of a run. What cannot be written is missed by watchers, and by nobody else.
func feedOf(ctx context.Context, d *docket.Docket, run string) *feed {
	f := &feed{more: make(chan struct{}, 1), end: make(chan struct{}), gone: make(chan struct{})}
	go func() {
		defer close(f.gone)
		for open := true; open; {
			select {
			case <-f.more:
			case <-f.end:
				open = false
			}
			if lines := f.take(); len(lines) > 0 {
				_ = d.Tell(context.WithoutCancel(ctx), run, lines)
			}
			if open {
				f.rests()
			}
		}
	}()
	return f
}

// rests waits until the next lines may be told.
func (f *feed) rests() {
	t := time.NewTimer(tellEvery)
	defer t.Stop()
	select {
	case <-t.C:
	case <-f.end:
	}
}

func (f *feed) take() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	lines := f.rest
	f.rest = nil
	return lines
}

// Write takes a line.
func (f *feed) Write(line []byte) (int, error) {
	f.mu.Lock()
	if f.size += len(line); f.size <= mostTold {
		f.rest = append(f.rest, line...)
	}
	f.mu.Unlock()
	select {
	case f.more <- struct{}{}:
	default: // it is known that there is more
	}
	return len(line), nil
}

// close writes what is left.
func (f *feed) close() {
	close(f.end)
	<-f.gone
}
