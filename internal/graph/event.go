package graph

import "time"

// Event reports progress of a Local run. Events are for watching: nothing in
// the state depends on them.
type Event struct {
	Kind    Kind
	Task    Task          // of all kinds but Routed
	Attempt int           // from 1; 0 before the first
	Took    time.Duration // of the attempt; 0 without a clock
	Err     string        // of a Retried or Failed attempt, or of a Replayed failure; whole, unlike in the state
	Stack   string        // where a node panicked
	Yielded bool          // this outcome came second: another process's stands
	Choice  Choice        // of a Routed event
}

// Kind says what an Event reports.
type Kind string

// A task is Replayed. Or it is Queued, Started, perhaps Retried and Started
// again, and at last Finished or Failed: then the journal has its outcome. A
// run that ends early may leave it at any point. Routed is a route's decision.
const (
	Queued   Kind = "queued"
	Started  Kind = "started"
	Retried  Kind = "retried"
	Finished Kind = "finished"
	Failed   Kind = "failed"
	Replayed Kind = "replayed"
	Routed   Kind = "routed"
)
