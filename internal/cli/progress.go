package cli

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// fetch is the step before the graph's nodes.
const fetch = "fetch"

// view shows a run while it goes on. It is told one thing at a time.
type view interface {
	tell(n news) error
	stop()
}

// news is one thing that happened to a step.
type news struct {
	what tiding
	step string
	at   time.Time
	text string        // of moved: what is at work; of ended: what came of it
	took time.Duration // of ended
	done int           // of moved
	of   int           // of moved; 0: nobody knows
}

// tiding says what kind of news there is.
type tiding int

// The kinds of news.
const (
	begun tiding = iota
	moved
	ended
	sighted // something worth a look
	failed
	noted // something else worth a line
)

// steps listens to a run and hands on what there is to show. The zero value
// shows nothing.
type steps struct {
	view view                    // nil: nothing is shown
	raw  func(trace.Event) error // not nil: events as they are
	now  func() time.Time

	mu     sync.Mutex
	began  time.Time // of the fetch
	grave  map[string]int
	looked func(node string) []string // what a node had before it
}

// progress is what stderr shows of a run until it is stopped. The clock is the
// run's.
func (a *app) progress(ctx context.Context, clock func() time.Time) *steps {
	s := &steps{now: clock, grave: map[string]int{}}
	switch a.shows() {
	case "json":
		s.raw = trace.Lines(a.Stderr)
	case "live":
		s.view = a.liveView(ctx, a.nodes())
	case "plain":
		s.view = newPlainView(a.Stderr, a.about)
	}
	return s
}

// shows is how progress is shown: live, plain, json or none.
func (a *app) shows() string {
	how := a.config.Text("progress")
	switch {
	case a.flags.quiet:
		return "none"
	case how == "auto" && a.lively():
		return "live"
	case how == "auto":
		return "plain"
	}
	return how
}

// watch is the progress of a command with one step behind the fetch. Only a
// terminal gets to see it: the command has no events.
func (a *app) watch(ctx context.Context, step string) *steps {
	s := &steps{now: a.Now}
	if a.shows() == "live" {
		s.view = a.liveView(ctx, []string{step})
	}
	return s
}

// begin notes that a step has begun.
func (s *steps) begin(step, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range []news{{what: begun, step: step, at: s.now()}, {what: moved, step: step, at: s.now(), text: what}} {
		_ = s.tell(n) // a line of progress that is lost is no loss
	}
}

// stop ends the showing.
func (s *steps) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.view != nil {
		s.view.stop()
		s.view = nil
	}
}

// tell hands news to the view, if there is one.
func (s *steps) tell(n news) error {
	if s.view == nil {
		return nil
	}
	return s.view.tell(n)
}

// fetching notes that the submission is being fetched.
func (s *steps) fetching(what string) {
	s.mu.Lock()
	s.began = s.now()
	s.mu.Unlock()
	s.begin(fetch, court.Clean(discreet(what), 100))
}

// fetched shows that the submission lies open, or that there is none.
func (s *steps) fetched(c court.Case) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := news{what: ended, step: fetch, at: s.now(), text: "no repository"}
	if c.Commit != "" {
		n.text = court.Clean(strings.TrimPrefix(strings.TrimPrefix(c.RepoURL, "https://"), "file:")+" "+c.Commit[:min(len(c.Commit), 7)], 120)
	}
	n.took = n.at.Sub(s.began)
	_ = s.tell(n)
}

// know lets the steps say what was looked at, once a node is done with it.
func (s *steps) know(ctx context.Context, scene *probe.Scene, asks map[court.Detective]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looked = func(node string) []string {
		if ctx.Err() != nil {
			return nil // what was not read before is not read now
		}
		out := looked(ctx, scene, node)
		if n := asks[court.Detective(node)]; n > 0 {
			out = append(out, count(n, "check"))
		}
		return out
	}
}

// asksOf counts the questions of a rubric by who answers them.
func asksOf(criteria []court.Criterion, probes []probe.Probe) map[court.Detective]int {
	target := map[string]court.Artifact{}
	for _, p := range probes {
		target[p.ID] = p.Target
	}
	out := map[court.Detective]int{}
	for _, c := range criteria {
		for _, ch := range c.Checks {
			for _, ask := range ch.Asks {
				if t, ok := target[ask.Probe]; ok {
					out[t.Detective()]++
				}
			}
		}
	}
	return out
}

// looked says what a detective had before him. It is asked when he is done:
// what he read is kept on the scene.
func looked(ctx context.Context, scene *probe.Scene, node string) []string {
	switch d := court.Detective(node); {
	case d == court.RepoInvestigator && scene.HasRepo():
		if files, err := scene.Files(ctx); err == nil {
			return []string{count(len(files), "file")}
		}
	case d == court.DocAnalyst && scene.HasPDF():
		pages, read := 0, false
		for _, d := range scene.Documents() {
			if doc, err := d.Document(ctx); err == nil {
				pages, read = pages+doc.Total, true
			}
		}
		if read {
			return []string{count(pages, "page")}
		}
	case d == court.VisionInspector && scene.HasPDF():
		n, read := 0, false
		for _, d := range scene.Documents() {
			if figures, err := d.Figures(ctx); err == nil {
				n, read = n+len(figures), true
			}
		}
		if read {
			return []string{count(n, "figure")}
		}
	}
	return nil
}

// event shows one event.
func (s *steps) event(e trace.Event) error {
	if s.raw != nil {
		return s.raw(e)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.view == nil {
		return nil
	}
	at, err := time.Parse("2006-01-02T15:04:05.000Z", e.At)
	if err != nil {
		return fmt.Errorf("reading the time of an event: %w", err)
	}
	n := news{step: e.Node, at: at, text: court.Clean(e.Text, 400), took: time.Duration(e.Ms) * time.Millisecond, done: e.Done, of: e.Of}
	switch {
	case e.Kind == trace.NodeStart:
		n.what = begun
	case e.Kind == trace.Progress:
		n.what = moved
	case e.Kind == trace.NodeEnd:
		n.what, n.text = ended, court.Clean(s.result(e.Node, e.Text), 400)
	case e.Kind == trace.Evidence && e.Grave:
		n.what = sighted
		s.grave[e.Node]++
	case e.Kind == trace.Fault:
		n.what, n.text = failed, "fault: "+n.text
	case e.Kind == trace.Route && e.Text == "re-evaluate":
		n.what, n.text = noted, "criteria on which the judges disagree are re-evaluated"
	default:
		return nil
	}
	return s.tell(n)
}

// result is what came of a node.
func (s *steps) result(node, text string) string {
	if text != "" || s.looked == nil {
		return text
	}
	out := s.looked(node)
	if n := s.grave[node]; n > 0 {
		out = append(out, count(n, "serious violation"))
	}
	return strings.Join(out, ", ")
}
