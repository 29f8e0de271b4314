package batch

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/trace"
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
	before := f.size
	if f.size += len(line); f.size <= mostTold {
		f.rest = append(f.rest, line...)
	} else if before <= mostTold {
		f.rest = append(f.rest, cutAt(line)...)
	}
	f.mu.Unlock()
	select {
	case f.more <- struct{}{}:
	default: // it is known that there is more
	}
	return len(line), nil
}

// cutAt is the line that takes the place of the first one that there is no room for.
func cutAt(line []byte) []byte {
	var e trace.Event
	_ = json.Unmarshal(line, &e) // it is one of ours; without its time the words are the same
	raw, err := json.Marshal(trace.Event{At: e.At, Case: e.Case, Kind: trace.Fault, Text: fmt.Sprintf("More than %d MiB of this hearing was told: the rest is shown when it has ended.", mostTold>>20)})
	if err != nil {
		return nil
	}
	return append(raw, '\n')
}

// close writes what is left.
func (f *feed) close() {
	close(f.end)
	<-f.gone
}
