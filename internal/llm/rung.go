package llm

import (
	"context"
	"sync"
)

// rung is what a run knows about the modes of one model at one endpoint. Until
// a mode has worked, one question at a time finds out; the others wait for what
// it learns, so that thirty first questions do not each walk down the ladder.
type rung struct {
	modes int

	mu      sync.Mutex
	at      int // the mode to ask in
	settled bool
	best    int           // the strongest mode that the server accepted, whatever came of it
	busy    chan struct{} // closed when the scout is back; nil: nobody is out
}

func newRung(modes int) *rung { return &rung{modes: modes, best: modes} }

// enter says in which mode to ask, and whether the caller is the one to find
// out. A scout calls leave when it is back.
func (r *rung) enter(ctx context.Context) (at int, scout bool, err error) {
	for {
		if ctx.Err() != nil {
			return 0, false, context.Cause(ctx)
		}
		r.mu.Lock()
		if r.settled {
			defer r.mu.Unlock()
			return r.at, false, nil
		}
		busy := r.busy
		if busy == nil {
			r.busy = make(chan struct{})
			defer r.mu.Unlock()
			return r.at, true, nil
		}
		r.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return 0, false, context.Cause(ctx)
		}
	}
}

func (r *rung) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.busy)
	r.busy = nil
}

// works settles the mode for the rest of the run.
func (r *rung) works(at int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at, r.settled = at, true
}

// down is the next weaker mode, for this question and those to come. Below the
// last there is none, and it is -1: the search is over for the whole run, and
// what remains is the strongest mode that the server took, or the weakest.
func (r *rung) down(at int, accepted bool) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if accepted {
		r.best = min(r.best, at)
	}
	if at+1 < r.modes {
		r.at = at + 1
		return r.at
	}
	r.at, r.settled = min(r.best, r.modes-1), true
	return -1
}
