package trial

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// watchedWorker is a worker of which is known whether it failed for reasons of this
// machine. A document that its parser dies of is lost alone; where no parser can
// be had, nothing was examined.
type watchedWorker struct {
	probe.Worker
	first []byte // of each request, where the worker answers others, too
	mu    sync.Mutex
	why   error
	files func(done, of int, path string) // nil: nobody watches
}

// Parsing hands on how far the files of the program are.
func (l *watchedWorker) Parsing(done, of int, path string) {
	l.mu.Lock()
	files := l.files
	l.mu.Unlock()
	if files != nil {
		files(done, of, path)
	}
}

// watched tells how far the files are from now on.
func (l *watchedWorker) watched(files func(done, of int, path string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files = files
}

// Do hands a document on.
func (l *watchedWorker) Do(ctx context.Context, request []byte) ([]byte, error) {
	answer, err := l.Worker.Do(ctx, append(slices.Clip(l.first), request...))
	if err != nil && ctx.Err() == nil && ourFault(err) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.why == nil {
			l.why = err
		}
	}
	return answer, err
}

func ourFault(err error) bool {
	w, ok := errors.AsType[*sandbox.WorkerError](err)
	return !ok || slices.Contains([]sandbox.Reason{sandbox.NoStart, sandbox.GivenUp, sandbox.TimedOut}, w.Reason)
}

// faults say what kept a detective from looking; a nil watchedWorker saw nothing.
func (l *watchedWorker) faults(d court.Detective) []court.Fault {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why == nil {
		return nil
	}
	return []court.Fault{{Stage: string(d), Subject: "worker", Reason: court.Clean(l.why.Error()+"; this may be otherwise on another machine", 300), Blocks: true}}
}

// fellShort tells whether our own inquiry failed in what a node brings: a run
// that goes on tries it again.
func fellShort(patch court.State) bool {
	return blocked(patch.Faults)
}

func blocked(faults []court.Fault) bool {
	return slices.ContainsFunc(faults, func(f court.Fault) bool { return f.Blocks })
}
