package sandbox

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// WorkerOptions configures the workers of one kind. The zero value is usable.
type WorkerOptions struct {
	Processes int           // at once, at most (1); each has 256 KiB of requests to do before the next is started
	Deadline  time.Duration // processor time for one document (60 s), a fence; three times as long on the wall
	WarmUp    time.Duration // the same for Service.Warm (60 s)
	Memory    uint64        // private writable memory, bytes (512 MiB)
	// Cache says that Warm fills Options.CacheDir when it finds it empty: it is then run once with write access, in a
	// process that never sees a document.
	Cache bool
}

// Deaths that give a kind of worker up: of starts, which no document has a part
// in, and of documents. Those who ask for many documents stop before that, by
// the order of the documents, as the order of the deaths depends on the machine.
const (
	maxStarts = 3
	maxDeaths = 20
)

// Worker is a handle on the worker processes of one kind. It is safe for concurrent use.
type Worker struct {
	box     *Box
	kind    string
	options WorkerOptions
	slots   chan struct{} // free places, one for each process that may run now

	mu     sync.Mutex
	idle   []*workerProcess
	places int // of slots, free or taken
	asked  int // bytes of all requests so far
	deaths int // of documents
	starts int // that failed
}

// perProcess is how many bytes of requests a process is worth: it takes as much processor time to start one as to parse
// so much. The second one is started when there is more to do than that.
const perProcess = 256 << 10

// Worker makes a handle on parser workers of the kind; the processes start when the first documents come.
func (b *Box) Worker(kind string, o WorkerOptions) *Worker {
	o.Processes = max(o.Processes, 1)
	o.Deadline = cmp.Or(o.Deadline, time.Minute)
	o.WarmUp = cmp.Or(o.WarmUp, time.Minute)
	o.Memory = cmp.Or(o.Memory, 512<<20)
	return &Worker{box: b, kind: kind, options: o, slots: make(chan struct{}, o.Processes)}
}

// Do hands one document to a worker and returns its answer. The document is tried once: when the worker dies of it or is
// silent past the deadline, the process is killed and replaced, and the error is a *WorkerError. After twenty such deaths
// the kind is given up. The time spent waiting for a free process does not count.
func (w *Worker) Do(ctx context.Context, request []byte) ([]byte, error) {
	if len(request) > MaxFrame {
		return nil, w.failure(TooLarge, "")
	}
	w.makeRoom(len(request))
	select {
	case <-w.slots:
		defer func() { w.slots <- struct{}{} }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	p, err := w.take(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := p.ask(ctx, request, within(w.options.Deadline))
	w.mu.Lock()
	defer w.mu.Unlock()
	if death, ok := errors.AsType[*WorkerError](err); ok {
		death.Kind = w.kind
	}
	switch {
	case p.reusable:
		w.idle = append(w.idle, p)
	case ctx.Err() == nil:
		w.deaths++
	}
	return answer, err
}

// makeRoom makes a place for each process that the requests so far, with one of this size, are worth.
func (w *Worker) makeRoom(size int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked += size
	for w.places < w.options.Processes && w.asked >= w.places*perProcess {
		w.places++
		w.slots <- struct{}{} // never full: it has room for all places
	}
}

// take gives a living process, started now if need be.
func (w *Worker) take(ctx context.Context) (*workerProcess, error) {
	w.mu.Lock()
	if w.deaths >= maxDeaths || w.starts >= maxStarts {
		w.mu.Unlock()
		return nil, w.failure(GivenUp, "")
	}
	for len(w.idle) > 0 {
		last := len(w.idle) - 1
		p := w.idle[last]
		w.idle = w.idle[:last]
		if p.alive() && p.quiet() {
			w.mu.Unlock()
			return p, nil
		}
		_ = p.end() // that its pipes could not be closed costs no document
	}
	w.mu.Unlock()
	p, err := w.box.startWorker(ctx, w.kind, w.options)
	if err == nil {
		return p, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if _, refused := errors.AsType[*Refusal](err); refused {
		return nil, err
	}
	w.mu.Lock()
	w.starts++
	w.mu.Unlock()
	return nil, w.failure(NoStart, safetext.Text(err.Error(), 300))
}

func (w *Worker) failure(r Reason, detail string) *WorkerError {
	return &WorkerError{Kind: w.kind, Reason: r, Detail: detail}
}

// Reason is why a document got no answer.
type Reason string

// The reasons.
const (
	Crashed  Reason = "crashed"      // the worker process died of the document
	TimedOut Reason = "timeout"      // no answer within WorkerOptions.Deadline
	GivenUp  Reason = "given up"     // too many deaths: the kind is not tried any more
	Failed   Reason = "failed"       // Service.Handle returned an error; the worker is well
	TooLarge Reason = "too large"    // the request is over MaxFrame
	NoStart  Reason = "not starting" // the worker could not be started or warmed
)

// WorkerError is the failure of one document.
type WorkerError struct {
	Kind   string
	Reason Reason
	Detail string // e.g. "stack overflow", cleaned and bounded; may be empty
}

// Error is a phrase such as "code worker crashed (stack overflow)".
func (e *WorkerError) Error() string {
	if e.Detail == "" {
		return e.Kind + " worker " + string(e.Reason)
	}
	return e.Kind + " worker " + string(e.Reason) + " (" + e.Detail + ")"
}
