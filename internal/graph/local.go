package graph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// Local runs a graph in this process. Its zero value but for Graph runs
// everything at once and remembers nothing.
type Local[S any] struct {
	Graph   *Graph[S]
	Journal Journal           // nil: nothing survives a crash
	Head    map[string]string // all that the run depends on besides graph and input
	Jobs    int               // most tasks at work at once in a run; 0: no limit. Never changes a result
	Observe func(Event)       // calls of one run never overlap; nil: none
	Now     func() time.Time  // for durations and the times in the journal; nil: there are none
	Redo    func(S) bool      // what a node brought fell short, and Rewind has it tried again; nil: never
	Strict  bool              // for tests: a node that changes the state it was given fails the run
}

// Run drives the graph from in to its end, or resumes after the outcomes that
// the journal holds; those of another head, graph or input are a
// *MismatchError. A journalled failure counts as an outcome until Rewind. When
// ctx ends, tasks at work leave no outcome, for what an interrupted node
// returns may be half of what it would have found. On an error Run returns the
// state as far as tasks had finished.
func (l *Local[S]) Run(ctx context.Context, in S) (S, error) {
	r := &run[S]{Local: l, history: &history{}}
	if l.Jobs > 0 {
		r.jobs = make(chan struct{}, l.Jobs)
	}
	if err := r.open(ctx, in); err != nil {
		return in, fmt.Errorf("running graph %s: %w", l.Graph.name, err)
	}
	out, err := l.Graph.Drive(in, func(step Step[S]) ([]Outcome[S], error) { return r.step(ctx, step) })
	if err != nil {
		return out, fmt.Errorf("running graph %s: %w", l.Graph.name, err)
	}
	return out, nil
}

// run is one call of Run.
type run[S any] struct {
	*Local[S]
	*history
	jobs chan struct{} // nil: no limit
	mu   sync.Mutex    // held while observing
}

// open makes sure that the journal is of this run and reads it.
func (r *run[S]) open(ctx context.Context, in S) error {
	input, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encoding the input: %w", err)
	}
	sum := sha256.Sum256(input)
	now, err := headOf(r.Head, r.Graph.Topology(), hex.EncodeToString(sum[:]))
	if err != nil || r.Journal == nil {
		return err
	}
	raw, err := json.Marshal(now)
	if err != nil {
		return fmt.Errorf("encoding the head: %w", err)
	}
	kept, err := r.Journal.Append(ctx, Record{Task: headTask, Outcome: raw, At: r.now()})
	if err != nil {
		return fmt.Errorf("opening the journal: %w", err)
	}
	if err := checkHead(kept.Outcome, now); err != nil {
		return err
	}
	recs, err := r.Journal.Load(ctx)
	if err != nil {
		return fmt.Errorf("reading the journal: %w", err)
	}
	r.history, err = historyOf(recs)
	return err
}

// step runs one superstep: what the journal has is replayed, the rest runs at
// once, as far as the limits allow.
func (r *run[S]) step(ctx context.Context, step Step[S]) ([]Outcome[S], error) {
	for _, c := range step.Taken {
		r.emit(Event{Kind: Routed, Choice: c})
	}
	out := make([]Outcome[S], len(step.Tasks))
	todo, err := r.replay(step.Tasks, out)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	widths := map[string]chan struct{}{}
	for _, i := range todo {
		node := step.Tasks[i].Node
		if w := r.Graph.Policy(node).Width; w > 0 && widths[node] == nil {
			widths[node] = make(chan struct{}, w)
		}
		r.emit(Event{Kind: Queued, Task: step.Tasks[i]})
	}
	var wg sync.WaitGroup
	for _, i := range todo {
		wg.Go(func() {
			// A place under the node's width comes first: waiting for it must
			// not hold a job that another node could use.
			e := execution[S]{run: r, task: step.Tasks[i], gates: gates{widths[step.Tasks[i].Node], r.jobs}}
			var err error
			if out[i], err = e.do(ctx, step.State); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return out, context.Cause(ctx)
}

// replay fills in the outcomes that the journal has and lists the tasks that
// it has not.
func (r *run[S]) replay(tasks []Task, out []Outcome[S]) (todo []int, err error) {
	for i, t := range tasks {
		raw, ok := r.outcomes[r.key(t.Step, t.ID())]
		if !ok {
			todo = append(todo, i)
			continue
		}
		if out[i], err = decode[Outcome[S]](raw); err != nil {
			return nil, fmt.Errorf("replaying %s: %w: %w", t.ID(), ErrNotJournal, err)
		}
		r.emit(Event{Kind: Replayed, Task: t, Err: out[i].Failure})
	}
	return todo, nil
}

func (r *run[S]) emit(e Event) {
	if r.Observe != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.Observe(e)
	}
}

func (r *run[S]) now() time.Time {
	if r.Now == nil {
		return time.Time{}
	}
	return r.Now()
}
