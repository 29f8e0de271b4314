// Package trace tells what a run does while it does it: one event a line.
//
// Events are for watching and for looking back. Nothing that is decided depends
// on them, and they hold names, places and numbers, not the submission's text.
package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Kind says what an event reports. Readers skip kinds they do not know.
type Kind string

// The kinds of events.
const (
	CaseStart Kind = "case.start"
	CaseEnd   Kind = "case.end"
	NodeStart Kind = "node.start"
	NodeEnd   Kind = "node.end"
	Progress  Kind = "progress" // at most ten a second
	Replayed  Kind = "replayed" // a task whose outcome an earlier run had journalled
	Probed    Kind = "probe"    // a question to a probe was answered
	Evidence  Kind = "evidence"
	Opinion   Kind = "opinion"
	Holding   Kind = "holding"    // what a rule did
	ModelCall Kind = "model.call" // a request to a model, with all its tries
	Route     Kind = "route"
	Fault     Kind = "fault"
)

// Event is one thing that happened.
type Event struct {
	Seq   int    `json:"seq"`
	At    string `json:"at"` // UTC, milliseconds
	Case  string `json:"case"`
	Kind  Kind   `json:"kind"`
	Node  string `json:"node,omitempty"`
	Item  string `json:"item,omitempty"`
	Ms    int64  `json:"ms,omitempty"` // duration
	Text  string `json:"text,omitempty"`
	Grave bool   `json:"grave,omitempty"` // worth a look while it runs
	Done  int    `json:"done,omitempty"`  // of progress: what the node has behind it
	Of    int    `json:"of,omitempty"`    // and what there is; 0: nobody knows

	Found  int    `json:"found,omitempty"`  // of probe, of evidence: how many pieces
	Score  int    `json:"score,omitempty"`  // of opinion: 1..5
	Round  int    `json:"round,omitempty"`  // of opinion: the hearing, from 1
	Digest string `json:"digest,omitempty"` // of case.start: the rubric's
	Total  string `json:"total,omitempty"`  // of case.end: the overall as printed; empty: no verdict
	Rule   *Rule  `json:"rule,omitempty"`   // of holding
	Call   *Call  `json:"call,omitempty"`   // of model.call
}

// Rule is what one rule did to one criterion's score.
type Rule struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome"` // fired, idle, off
	Before  string `json:"before"`  // exact scores
	After   string `json:"after"`
}

// Call is one request to a model. Question and Answer are content: they are
// empty unless the user asked for them.
type Call struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`              // as asked
	Answered string `json:"answered,omitempty"` // as the server names it
	Host     string `json:"host,omitempty"`
	Mode     string `json:"mode"` // schema, tool, object, text
	Stop     string `json:"stop,omitempty"`
	Error    string `json:"error,omitempty"` // the kind of failure; empty: answered
	Tries    int    `json:"tries,omitempty"`
	Kept     bool   `json:"kept,omitempty"` // from a cassette or a cache
	In       int    `json:"in"`             // tokens
	Cached   int    `json:"cached,omitempty"`
	Out      int    `json:"out"`
	USD      string `json:"usd,omitempty"`
	Question string `json:"question,omitempty"`
	Answer   string `json:"answer,omitempty"`
}

// Log numbers and dates events and hands them on, in order, one at a time.
type Log struct {
	mu    sync.Mutex
	name  string
	clock func() time.Time
	seq   int
	sinks []func(Event) error
	err   error
}

// NewLog makes a log for the case of that name. Each sink gets every event; a
// sink that fails gets no more, and Err says why.
func NewLog(name string, clock func() time.Time, sinks ...func(Event) error) *Log {
	return &Log{name: name, clock: clock, sinks: sinks}
}

// Emit adds the number, the time and the case to an event and hands it on.
func (l *Log) Emit(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	e.Seq, e.Case, e.At = l.seq, l.name, l.clock().UTC().Format("2006-01-02T15:04:05.000Z")
	for i, sink := range l.sinks {
		if sink == nil {
			continue
		}
		if err := sink(e); err != nil {
			l.sinks[i] = nil
			if l.err == nil {
				l.err = fmt.Errorf("writing event %d: %w", e.Seq, err)
			}
		}
	}
}

// Err is the first failure of a sink.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Lines is a sink that writes each event as a line of JSON.
func Lines(w io.Writer) func(Event) error {
	return func(e Event) error {
		raw, err := json.Marshal(e)
		if err != nil {
			return err
		}
		_, err = w.Write(append(safetext.JSON(raw), '\n'))
		return err
	}
}
