// Package mcp offers the auditor to coding agents as tools of the Model Context
// Protocol, on two streams.
//
// It knows the protocol, what a client may ask for and how much of it, and how
// foreign text is marked in an answer. It opens no file and judges nothing: what is
// asked for is done by the desk, with the operator's settings. A client chooses a
// folder, criteria and records; rubric, bench, gate and budget are none of its business.
package mcp

import (
	"context"
	"errors"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
)

// Desk does what the tools ask for. It is asked by several at once.
type Desk interface {
	// Audit hears a submission. Where it may lie is for the desk to check.
	Audit(context.Context, Request, func(Step)) (Audited, error)
	// WhatIf compares a record with itself once checks are met: ids, or numbers of its remedies.
	WhatIf(ctx context.Context, rec *court.Record, fixes []string) (report.Comparison, error)
	// Record is a record as it is kept, by the name of its case folder.
	Record(id string) ([]byte, error)
}

// Request is one audit that a client asks for.
type Request struct {
	Path   string   `json:"path"`
	Commit string   `json:"commit"`
	PDF    string   `json:"pdf"`
	Only   []string `json:"only"`

	Rooted bool     `json:"-"` // the client names folders, and asks for nothing outside
	Roots  []string `json:"-"` // those folders
}

// Step is how far an audit has come.
type Step struct {
	Done, Of int
	Text     string
}

// Audited is an audit that came to its end.
type Audited struct {
	ID          string // of its record
	Record      *court.Record
	Uncommitted int // files with changes that nobody looked at
}

// Options are what a server is made of.
type Options struct {
	Desk    Desk
	Rubric  *court.Rubric // that audits are judged by
	Version string        // of this program
	In      io.Reader
	Out     io.Writer // a message is one write
	Crash   func(any) // is told of a bug of ours
}

// Limits of what one client may ask for. Design choices: an agent works on one
// thing at a time, and a message holds names, no files.
const (
	maxMessage = 1 << 20   // bytes of a message
	maxDepth   = 64        // how deep its JSON nests
	maxCalls   = 32        // calls that are answered or wait
	maxWaiting = 4         // audits that wait for another one
	maxReaders = 2         // records that are read at once
	maxAnswer  = 512 << 10 // bytes of an answer
	maxRecord  = 8 << 20   // bytes of a record that is handed out whole
)

// instructions are what a client's model learns about this server.
const instructions = "Audits git repositories on this machine by a rubric that the operator of this server chose. Commit before auditing: a commit is audited, and not the files as they lie. " +
	"The other tools take the record_id that audit_repository gives. " + notice

// server answers one client.
type server struct {
	Options
	calls, readers, audits, waiting chan struct{} // filled while one is at work
}

// Serve answers a client until it goes away or the context ends. Whatever is being
// done then is stopped first.
func Serve(ctx context.Context, o Options) error {
	s := &server{Options: o, calls: make(chan struct{}, maxCalls), readers: make(chan struct{}, maxReaders), audits: make(chan struct{}, 1), waiting: make(chan struct{}, maxWaiting+1)}
	of := sdk.NewServer(&sdk.Implementation{Name: "automaton", Title: "Automaton Auditor", Version: o.Version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}}})
	of.AddReceivingMiddleware(s.bounded(ctx))
	s.offer(of)
	in := newMessages(o.In, o.Out)
	err := of.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{o.Out}, MaxLineLength: maxMessage + 1})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// unclosed is a stream that is not ours to close.
type unclosed struct{ io.Writer }

// Close does nothing.
func (unclosed) Close() error { return nil }

// errBusy refuses what would be one call too many.
var errBusy = errors.New("too many calls are open: wait for an answer first")

// bounded lets so many calls in, and ends each when the server ends: the library
// ends them only when the client goes.
func (s *server) bounded(until context.Context) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (_ sdk.Result, err error) {
			select {
			case s.calls <- struct{}{}:
			default:
				return nil, errBusy
			}
			defer func() { <-s.calls }()
			defer func() {
				if p := recover(); p != nil {
					s.Crash(p)
					err = errors.New("an internal error; standard error of the server says more")
				}
			}()
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			defer context.AfterFunc(until, func() { cancel(context.Cause(until)) })()
			return next(ctx, method, r)
		}
	}
}

// take waits for a place among those at work; the function it gives leaves it.
func take(ctx context.Context, places chan struct{}) (leave func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
