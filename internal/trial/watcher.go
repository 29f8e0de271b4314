package trial

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// watcher turns the graph's events into the run's log and timeline.
type watcher struct {
	log     *trace.Log
	clock   func() time.Time
	started time.Time
	open    map[string]int // tasks of a node that are not done
	since   map[string]time.Time
	count   map[string]int
	spans   []court.Span

	mu    sync.Mutex
	told  []time.Time     // when the last reports of progress were told
	late  []trace.Event   // reports that wait for their turn
	heard map[string]bool // nodes that reported since they began
}

// emit tells an event. The nil watcher, as one without a log, tells nobody.
func (w *watcher) emit(e trace.Event) {
	if w != nil && w.log != nil {
		w.log.Emit(e)
	}
}

// asking tells of each question that was answered, and how long that took.
func (w *watcher) asking(d court.Detective) func(probe string, by []string) func(found int) {
	if w == nil || w.log == nil {
		return nil
	}
	return func(probe string, by []string) func(int) {
		began := w.clock()
		return func(found int) {
			w.emit(trace.Event{Kind: trace.Probed, Node: string(d), Item: strings.Join(by, ","), Text: probe, Found: found, Ms: w.clock().Sub(began).Milliseconds()})
		}
	}
}

// gathered tells how much evidence a detective found.
func (w *watcher) gathered(d court.Detective, found map[string][]court.Evidence) {
	n := 0
	for _, list := range found {
		n += len(list)
	}
	w.emit(trace.Event{Kind: trace.Evidence, Node: string(d), Found: n})
}

// spoke tells an opinion that was admitted.
func (w *watcher) spoke(o court.Opinion) {
	w.emit(trace.Event{Kind: trace.Opinion, Node: string(o.Judge), Item: o.Criterion, Score: o.Score, Round: o.Round})
}

// ruled tells what each rule did to each criterion.
func (w *watcher) ruled(v court.Verdict) {
	for _, r := range v.Rulings {
		for _, h := range r.Holdings {
			w.emit(trace.Event{Kind: trace.Holding, Node: chiefJustice, Item: r.Criterion,
				Rule: &trace.Rule{ID: h.Rule, Outcome: string(h.Outcome), Before: h.Before.String(), After: h.After.String()}})
		}
	}
}

// end tells how the case ended.
func (w *watcher) end(rec *court.Record) {
	e := trace.Event{Kind: trace.CaseEnd, Ms: rec.Run.Millis, Text: string(rec.Status)}
	if rec.Verdict != nil {
		e.Total = rec.Verdict.Overall.Shown()
	}
	w.emit(e)
}

// evidence shows grave violations as they come.
func (w *watcher) evidence(e court.Evidence) {
	if e.Outcome == court.Violation && e.Security != nil && e.Security.Severity == court.High && e.Security.Scope == "production" {
		w.emit(trace.Event{Kind: trace.Evidence, Node: string(e.Detective), Item: e.Check, Grave: true,
			Text: shown(e.Location+"  "+e.Rationale, 200)})
	}
}

// observe is called for one graph event at a time.
func (w *watcher) observe(e graph.Event) {
	node := e.Task.Node
	if w.since == nil {
		w.since, w.count = map[string]time.Time{}, map[string]int{}
	}
	switch e.Kind {
	case graph.Started, graph.Retried: // a node's start is told when its first task is queued
	case graph.Routed:
		w.emit(trace.Event{Kind: trace.Route, Node: e.Choice.From, Text: e.Choice.Label})
	case graph.Replayed:
		w.emit(trace.Event{Kind: trace.Replayed, Node: node, Item: item(e.Task)})
	case graph.Queued:
		if w.open[node]++; w.open[node] == 1 {
			w.since[node], w.count[node] = w.clock(), 0
			w.emit(trace.Event{Kind: trace.NodeStart, Node: node})
		}
	case graph.Finished, graph.Failed:
		end := w.clock()
		w.spans = append(w.spans, court.Span{Node: node, Item: item(e.Task), Start: end.Add(-e.Took).Sub(w.started).Milliseconds(), End: end.Sub(w.started).Milliseconds()})
		w.count[node]++
		if e.Kind == graph.Failed {
			w.emit(trace.Event{Kind: trace.Fault, Node: node, Item: item(e.Task), Text: shown(e.Err, 300)})
		}
		if n := w.count[node] + w.open[node] - 1; n > 1 {
			w.progress(node, w.count[node], n, item(e.Task))
		}
		if w.open[node]--; w.open[node] == 0 {
			w.silence(node)
			w.emit(trace.Event{Kind: trace.NodeEnd, Node: node, Ms: end.Sub(w.since[node]).Milliseconds(), Text: w.done(node)})
		}
	}
}

func (w *watcher) done(node string) string {
	if n := w.count[node]; n > 1 {
		return fmt.Sprintf("%d opinions", n)
	}
	return ""
}

// item is the criterion of a judge's task, "" of other tasks.
func item(t graph.Task) string {
	var at judgeTask
	if len(t.Item) == 0 || json.Unmarshal(t.Item, &at) != nil {
		return ""
	}
	return at.Criterion
}

// Reports of progress are at least a lull apart, but for the first of a node,
// and a second holds at most so many.
const (
	lull       = 150 * time.Millisecond
	mostTold   = 10
	toldWithin = time.Second
)

// progress tells how far a node is, and what it works at. Of several reports
// within the lull, the last one of each node waits for its turn, so that a busy
// node does not silence the others.
func (w *watcher) progress(node string, done, of int, now string) {
	if w.log == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forget(node) // what it has not told yet is out of date
	e := trace.Event{Kind: trace.Progress, Node: node, Done: done, Of: of, Text: shown(now, 120)}
	first := !w.heard[node]
	if first {
		w.late = slices.Insert(w.late, 0, e)
	} else {
		w.late = append(w.late, e)
	}
	at, n := w.clock(), len(w.told)
	if n > 0 && !first && at.Sub(w.told[n-1]) < lull || n == mostTold && at.Sub(w.told[0]) < toldWithin {
		return
	}
	w.told = append(w.told[max(0, n+1-mostTold):], at)
	w.heard[w.late[0].Node] = true
	w.log.Emit(w.late[0])
	w.late = w.late[1:]
}

// forget drops what a node has not told yet.
func (w *watcher) forget(node string) {
	w.late = slices.DeleteFunc(w.late, func(e trace.Event) bool { return e.Node == node })
}

// silence ends the reports of a node.
func (w *watcher) silence(node string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forget(node)
	delete(w.heard, node)
}
