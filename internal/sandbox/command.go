package sandbox

import (
	"io"
	"time"
)

// Command is one outside program to run.
type Command struct {
	// Path is the program's absolute path; empty is git.
	Path string
	Args []string
	// Config holds further git settings (key, value), handed over by environment, never by argument.
	Config [][2]string
	// Env holds further variables, NAME=value; none comes from a submission.
	Env []string
	// Read names directories and files that the child may read beside the system's programs and libraries.
	Read []string
	// Private says that Read can only be read with our own uid, so the throw-away uid is not taken (and said so).
	Private bool
	// Hosts the child may reach at port 443, through the proxy; each must be on the box's list. None: no network at all.
	Hosts []string
	// Auth is a header line for Hosts[0] only, e.g. "Authorization: Basic …"; it goes by environment and is never logged.
	Auth string
	// Stdin is all of the child's input.
	Stdin []byte
	// Sink reads the child's output as it comes; nil: the output is in Result.Stdout. An error of Sink ends the child and
	// is Run's error.
	Sink func(io.Reader) error
	// Limits overrides the box's limits where it is not zero.
	Limits Limits
}

// Result is what a child left.
type Result struct {
	Stdout []byte        // empty with a Sink
	Stderr []byte        // at most Limits.Stderr bytes; foreign text, show it through Clean
	Code   int           // exit code, -1 when a signal ended it
	Signal string        // the signal's name, or empty
	Used   time.Duration // processor time
}
