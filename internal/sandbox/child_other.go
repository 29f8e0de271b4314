//go:build !linux

package sandbox

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// childMain sets the limits and becomes the program. It runs before anything untrusted is read and never returns.
func childMain() {
	conn := os.NewFile(specFD, "parent")
	unix.CloseOnExec(specFD)
	unix.CloseOnExec(selfFD)
	var s spec
	if err := gob.NewDecoder(io.LimitReader(conn, 64<<20)).Decode(&s); err != nil {
		os.Exit(exitSpec)
	}
	become, cause := prepare(s)
	var r reply
	if cause != nil {
		r.Err = cause.Error()
	}
	if err := gob.NewEncoder(conn).Encode(r); err != nil {
		os.Exit(exitSpec)
	}
	if cause != nil {
		os.Exit(exitRefuse)
	}
	become()
	os.Exit(exitExec)
}

// message is the spec in the form in which the child reads it. gob and not JSON, because arguments and paths are bytes,
// not text. Beyond limits there is nothing to apply here; Report names what is missing.
func (s spec) message() ([]byte, reply, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(s)
	return b.Bytes(), reply{LandlockWhy: notHere, SeccompWhy: notHere}, err
}

// hear completes what is known of an answer.
func (r *reply) hear(message []byte) error {
	var told reply
	err := gob.NewDecoder(bytes.NewReader(message)).Decode(&told)
	r.Err = told.Err
	return err
}

// prepare sets all limits; the function it returns executes.
func prepare(s spec) (become func(), err error) {
	if err := setLimits(s); err != nil {
		return nil, err
	}
	unix.Umask(0o077)
	if s.Dir != "" {
		if err := os.Chdir(s.Dir); err != nil {
			return nil, err
		}
	}
	program := s.Program
	if program == "" {
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	return func() {
		// does not return but on an error, which the caller's exit code tells
		_ = unix.Exec(program, s.Argv, s.Env)
	}, nil
}

// setLimits sets the limits under which Go itself can still work.
func setLimits(s spec) error {
	limits := []struct {
		which     int
		name      string
		soft, max uint64
	}{
		{unix.RLIMIT_FSIZE, "fsize", s.FileSize, s.FileSize},
		{unix.RLIMIT_NPROC, "nproc", s.Processes, s.Processes},
		{unix.RLIMIT_NOFILE, "nofile", s.OpenFiles, s.OpenFiles},
		{unix.RLIMIT_STACK, "stack", s.Stack, s.Stack},
		// PID 1 of a namespace does not get SIGXCPU; the hard limit a second later kills it
		{unix.RLIMIT_CPU, "cpu", s.CPU, s.CPU + 1},
	}
	for _, l := range limits {
		if l.soft == 0 {
			continue
		}
		if err := lower(l.which, l.soft, l.max); err != nil {
			return fmt.Errorf("setting limit %s: %w", l.name, err)
		}
	}
	if err := lower(unix.RLIMIT_CORE, 0, 0); err != nil {
		return fmt.Errorf("setting limit core: %w", err)
	}
	return nil
}

func openSelf() (*os.File, error) { return os.Open(os.DevNull) }
