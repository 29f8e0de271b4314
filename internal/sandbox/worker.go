package sandbox

import (
	"context"
	"errors"
	"time"
)

// Service is one kind of parser worker.
type Service struct {
	// Warm loads what needs files or much time, once, before the locks close and before any document arrives. It may read
	// the directory in the environment variable CacheEnv, if that is set.
	Warm func() error
	// Handle answers one request: untrusted bytes in, an answer out, at most MaxFrame bytes each. It is called by one
	// goroutine at a time. No file can be opened, no socket made, no program run in here. An error is the document's
	// failure and the worker lives on; a panic, endless loop or exhausted memory costs the process.
	Handle func(request []byte) ([]byte, error)
}

// MaxFrame bounds one request and one answer, in bytes.
const MaxFrame = 128 << 20

// CacheEnv is the environment variable by which Service.Warm learns of the readable copy of Options.CacheDir.
const CacheEnv = "AUTOMATON_WORKER_CACHE"

// Main must be the first call of main, and of TestMain where tests use a Box. In the parent process it returns at once;
// in a child of this package it does the child's work and never returns.
func Main(services map[string]Service) {}

// WorkerOptions configures the workers of one kind. The zero value is usable.
type WorkerOptions struct {
	Processes int           // at once (1)
	Deadline  time.Duration // for one document (5 s)
	WarmUp    time.Duration // for Service.Warm (30 s)
	Memory    uint64        // private writable memory, bytes (512 MiB)
	// Cache says that Warm fills Options.CacheDir when it finds it empty: it is then run once with write access, in a
	// process that never sees a document.
	Cache bool
}

// Worker is a handle on the worker processes of one kind. It is safe for concurrent use.
type Worker struct{}

// Do hands one document to a worker and returns its answer. The document is tried once: when the worker dies of it or is
// silent past the deadline, the process is killed and replaced, and the error is a *WorkerError. After three such deaths
// without an answer between them the kind is given up. The time spent waiting for a free process does not count.
func (w *Worker) Do(ctx context.Context, request []byte) ([]byte, error) {
	return nil, errors.New("not ready")
}

// Reason is why a document got no answer.
type Reason string

// The reasons.
const (
	Crashed  Reason = "crashed"      // the worker process died of the document
	TimedOut Reason = "timeout"      // no answer within WorkerOptions.Deadline
	GivenUp  Reason = "given up"     // three deaths in a row: the kind is not tried any more
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
