// Package sandbox runs what must not be trusted: outside programs (git) on a stranger's bytes, and our own parsers of a
// stranger's files. Each runs as a child process with an environment built from nothing, resource limits, a process
// group, a deadline and, where the system grants them, a throw-away uid, namespaces, Landlock and seccomp. The only way
// out of a child is a proxy in this process that resolves, checks and dials itself.
//
// It must not know what it runs: no git object, no syntax tree, no page. It never runs what a submission contains. A
// layer that is not available is reported, never silently left out.
package sandbox

import (
	"context"
	"errors"
	"io"
)

// Box is one run's sandbox: a locked run directory, the children and workers started in it, and the proxy's log.
// It is safe for concurrent use.
type Box struct{}

// Open makes the run directory, removes those that dead runs left behind, and looks up git. It starts nothing, but with
// Options.Require, where it starts one child to see that every layer is in force.
//
// Errors: *Refusal with code layer_missing (Require), git_missing, git_old.
func Open(o Options) (*Box, error) { return nil, errors.New("opening sandbox: not ready") }

// Close ends every worker and child and removes the run directory. It may be called more than once.
func (b *Box) Close() error { return nil }

// Check starts one child (git version) so that Report can say which layers are in force; later calls cost nothing.
// Errors: those of Run, and *Refusal git_old below git 2.31 (GIT_CONFIG_COUNT is missing there).
func (b *Box) Check(ctx context.Context) error { return errors.New("not ready") }

// MakeDir makes a fresh directory that lives as long as the box. Children can write to it when writable, and only read
// it, when Command.Read names it, when not.
func (b *Box) MakeDir(writable bool) (string, error) { return "", errors.New("not ready") }

// Run runs one outside program to its end. A program that ends with another code than 0 is an error, with Result.Code
// set; a limit that ended it is a *Refusal whose code names the limit (limit_wall, limit_cpu, limit_memory, limit_fsize,
// limit_disk, limit_files, limit_output, limit_download).
func (b *Box) Run(ctx context.Context, c Command) (Result, error) {
	return Result{}, errors.New("not ready")
}

// Worker makes a handle on parser workers of the kind; the processes start when the first document comes.
func (b *Box) Worker(kind string, o WorkerOptions) *Worker { return &Worker{} }

// Report says which layers were in force for everything that was started so far.
func (b *Box) Report() Report { return Report{} }

// Command is one outside program to run.
type Command struct {
	// Path is the program's absolute path; empty is git.
	Path string
	Args []string
	// Config holds further git settings (key, value), handed over by environment, never by argument.
	Config [][2]string
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
	Stdout []byte // empty with a Sink
	Stderr []byte // at most Limits.Stderr bytes; foreign text, show it through Clean
	Code   int    // exit code, -1 when a signal ended it
	Signal string // the signal's name, or empty
}
