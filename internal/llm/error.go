package llm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Kind sorts what went wrong by what may be done about it.
type Kind string

// The kinds of failure.
const (
	KindTransient Kind = "transient" // the same request may succeed later
	KindFormat    Kind = "format"    // an answer came, and it is not valid
	KindRefused   Kind = "refused"   // the model will not answer
	KindPermanent Kind = "permanent" // asking again is of no use
)

// Error is why a question has no answer. What and Detail are fit for a record:
// the one who makes an Error with foreign text in it has taken keys out of it.
type Error struct {
	Kind   Kind
	What   string // in a few words: timeout, http 401, cut off
	Detail string // what the server or the check said
	Status int    // of HTTP; 0: there was none

	Wait   time.Duration // what the server asked us to wait; 0: nothing
	Billed bool          // the server may have counted the request, and its answer
}

// Error is the reason with its detail.
func (e *Error) Error() string {
	if e.Detail == "" {
		return e.What
	}
	return fmt.Sprintf("%s: %s", e.What, e.Detail)
}

// maxWhy is the longest reason that a record is given, in characters.
const maxWhy = 160

// Why names a failure in a few words, fit for a record: without control
// characters, and without keys, as adapters leave none in what they return.
func Why(err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return safetext.Text(e.Error(), maxWhy)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "stopped"
	case errors.Is(err, context.DeadlineExceeded):
		return "out of time"
	}
	return safetext.Text(err.Error(), maxWhy)
}

// kindOf is the kind of an error; what is not ours is permanent.
func kindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return KindPermanent
}
