package batch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// Step is something that happened to a submission.
type Step struct {
	Row   docket.Submission
	Kind  happened
	Event trace.Event // of Worked
}

// happened says what a step is.
type happened string

// The kinds of steps.
const (
	Begun  happened = "begun"
	Worked happened = "worked"
	Ended  happened = "ended"
)

// Local judges a cohort in this process.
type Local struct {
	Docket *docket.Docket
	Cases  *store.Shelf // where the cases' files go; nil: nowhere
	Cohort string       // id
	Entry  func(id string) Entry
	Court  *Court
	Width  int // cases at once, at least 1
	// PerHost is how many submissions are fetched from one host at once, at least 1, by all who use the docket.
	PerHost int
	Watch   func(Step) // nil: nobody watches; called from several goroutines
	// Now is the time that submissions wait by. The clock of the court may stand still, so that records are the same.
	Now func() time.Time

	holder string
	mu     sync.Mutex
	wake   chan struct{} // closed and made anew when something ended, or came
	over   bool          // nothing was open: what came since is for another run, which has all hands
}

// Run works until nothing of the cohort is open, or ctx ends; what is at work then is given back, and its journal stays.
// The error is of the docket or the disk: the cohort pauses, and nothing is lost.
func (l *Local) Run(ctx context.Context) error {
	if err := l.begin(); err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wait sync.WaitGroup
	for range max(l.Width, 1) {
		wait.Go(func() {
			if err := l.work(ctx); err != nil {
				stop(err)
			}
		})
	}
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("judging the cohort: %w", err)
	}
	return nil
}

// begin makes what the work needs.
func (l *Local) begin() error {
	holder, err := NewID() // any random name does
	if err != nil {
		return err
	}
	l.tell(func() { l.holder, l.over = holder, false })
	if l.Watch == nil {
		l.Watch = func(Step) {}
	}
	return nil
}

// work takes one submission after another.
func (l *Local) work(ctx context.Context) error {
	for ctx.Err() == nil {
		woken, over := l.next()
		if over {
			return nil
		}
		s, ok, err := l.Docket.Claim(ctx, l.Cohort, l.holder, max(l.PerHost, 1))
		if err != nil {
			return err
		}
		if ok {
			if err := l.examine(ctx, s); err != nil {
				return err
			}
			continue
		}
		if l.Docket.Shared() {
			if err := l.Docket.Expire(ctx, l.Cohort); err != nil {
				return err
			}
		}
		at, open, err := l.Docket.Opens(ctx, l.Cohort)
		if err != nil || open == 0 {
			l.tell(func() { l.over = true })
			return err
		}
		l.await(ctx, woken, at)
	}
	return nil
}

// next is closed when something ends or comes from now on; over tells whether the run has.
func (l *Local) next() (woken <-chan struct{}, over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wake, l.over
}

// Wake says that submissions came: who waits looks at once.
func (l *Local) Wake() { l.tell(func() {}) }

// await waits until something ends here, what waits may be claimed, or another process may have ended something.
func (l *Local) await(ctx context.Context, woken <-chan struct{}, at time.Time) {
	rest := docket.RenewEvery
	if !at.IsZero() {
		rest = min(rest, max(at.Sub(l.Now()), leastRest))
	}
	t := time.NewTimer(rest)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-woken:
	case <-t.C:
	}
}

// leastRest is how long is waited at least for a host that is busy.
const leastRest = 250 * time.Millisecond

// tell wakes those who wait.
func (l *Local) tell(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	if l.wake != nil {
		close(l.wake)
	}
	l.wake = make(chan struct{})
}

// examine works at one submission and keeps the hold on it meanwhile.
func (l *Local) examine(ctx context.Context, s docket.Submission) error {
	l.Watch(Step{Row: s, Kind: Begun})
	lease := docket.Lease{Cohort: l.Cohort, ID: s.ID, Holder: l.holder}
	mine, let := context.WithCancelCause(ctx)
	defer let(nil)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		l.renew(mine, lease, let)
	}()
	h := &held{court: l.Court, docket: l.Docket, cases: l.Cases, lease: lease, entry: l.Entry(s.ID), row: s, now: l.Now, fetched: l.Wake}
	err := h.examine(mine, func(e trace.Event) { l.Watch(Step{Row: s, Kind: Worked, Event: e}) })
	let(nil)
	<-renewed
	if errors.Is(err, docket.ErrLost) {
		err = nil
	}
	l.Wake()
	if ended, ok, find := l.Docket.Submission(context.WithoutCancel(ctx), l.Cohort, s.ID); ok && find == nil {
		l.Watch(Step{Row: ended, Kind: Ended})
	}
	return err
}

// renew keeps the hold on a submission until its work ends; when it is lost, the work is let go.
func (l *Local) renew(ctx context.Context, lease docket.Lease, let context.CancelCauseFunc) {
	t := time.NewTicker(docket.RenewEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if err := l.Docket.Renew(ctx, lease); errors.Is(err, docket.ErrLost) {
				let(err)
				return
			}
		}
	}
}

// caseMemory is what one case needs of the machine: measured over student repositories, a case takes 129 to 340 MB over
// all its processes.
const caseMemory = 400 << 20

// Width is how many cases may be judged at once: as many as are asked for, and as this memory, in bytes, allows; at least
// one.
func Width(jobs int, memory int64) int { return max(1, min(jobs, int(memory/caseMemory))) }
