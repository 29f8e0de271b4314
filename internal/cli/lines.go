package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// lines writes text and keeps the first error, so that it is looked at once,
// at the end of the page.
type lines struct {
	w   io.Writer
	err error
}

// Write writes unless something went wrong before.
func (l *lines) Write(p []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	n, err := l.w.Write(p)
	l.err = err
	return n, err
}

// swallower keeps what went wrong from the library that prints the help: it
// would tell in words of its own, and go on.
type swallower struct{ lines }

// Write never fails; what went wrong is in err.
func (s *swallower) Write(p []byte) (int, error) {
	_, _ = s.lines.Write(p)
	return len(p), nil
}

// f writes formatted text.
func (l *lines) f(format string, a ...any) {
	if l.err == nil {
		_, l.err = fmt.Fprintf(l.w, format, a...)
	}
}

// through collects what is written and prints it at once: standard output has
// the whole result or nothing.
func (a *app) through(write func(*lines) error) error {
	var b strings.Builder
	l := &lines{w: &b}
	if err := errors.Join(write(l), l.err); err != nil {
		return err
	}
	return a.print([]byte(b.String()))
}

// print writes the result to standard output. A reader that went away, such as
// head, has all it wanted: that is not a failure of the case.
func (a *app) print(raw []byte) error {
	_, err := a.Stdout.Write(a.hide(raw))
	return a.printed(err)
}

// printed says what it means that writing to standard output gave err.
func (a *app) printed(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		a.say("standard output was closed by its reader")
		return nil
	}
	if err != nil {
		return coded(exitUnexamined, fmt.Errorf("writing the result: %w", err))
	}
	return nil
}

// printJSON writes data as one JSON value.
func (a *app) printJSON(v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the result: %w", err)
	}
	return a.print(append(safetext.JSON(raw), '\n'))
}

// shared is a stream that several goroutines write to.
type shared struct {
	mu   sync.Mutex
	w    io.Writer
	hide func([]byte) []byte
	over func([]byte) // not nil: a live view has the stream, and shows what is written
}

// divert hands what is written to a live view from now on; nil ends that.
func (s *shared) divert(over func([]byte)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = over
}

// Write writes a line as a whole, without our secrets.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over != nil {
		s.over(s.hide(p))
		return len(p), nil
	}
	if _, err := s.w.Write(s.hide(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}
