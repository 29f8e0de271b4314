package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// silence is after how long without a line the user is told that work goes on.
const silence = 30 * time.Second

// steps shows a run while it goes on: a line per finished step, in UTC, nothing
// redrawn. The zero value shows nothing.
type steps struct {
	w   io.Writer // nil: nothing is shown
	now func() time.Time
	raw func(trace.Event) error // not nil: events as they are

	mu      sync.Mutex
	idle    *time.Timer
	quiet   time.Duration // since the last line
	running []string      // steps in the order in which they began
	began   time.Time     // of the fetch
	grave   map[string]int
	looked  func(node string) []string // what a node had before it
}

// progress is what stderr shows of a run.
func (a *app) progress(clock func() time.Time) *steps {
	s := &steps{now: clock, grave: map[string]int{}}
	if a.flags.quiet {
		return s
	}
	switch a.config.Text("progress") {
	case "none":
	case "json":
		s.raw = trace.Lines(a.Stderr)
	default:
		s.mu.Lock() // the timer reads what is set here
		defer s.mu.Unlock()
		s.w = a.Stderr
		s.idle = time.AfterFunc(silence, s.still)
	}
	return s
}

// stop ends the watch for silence.
func (s *steps) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.w = nil
	if s.idle != nil {
		s.idle.Stop()
	}
}

// still says that the oldest step is not done yet.
func (s *steps) still() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil || len(s.running) == 0 {
		return
	}
	s.quiet += silence
	l := &lines{w: s.w}
	l.f("still working: %s, %d s\n", s.running[0], int(s.quiet.Seconds()))
	s.idle.Reset(silence)
}

// begin notes that a step has begun.
func (s *steps) begin(step string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.began = s.now()
	s.running = append(s.running, step)
}

// fetched shows that the submission lies open.
func (s *steps) fetched(c court.Case) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = slices.DeleteFunc(s.running, func(r string) bool { return r == "fetch" })
	if s.w == nil || c.Commit == "" {
		return
	}
	end := s.now()
	text := strings.TrimPrefix(c.RepoURL, "https://") + " " + c.Commit[:min(len(c.Commit), 7)]
	_ = s.line(end.UTC(), "fetch", text, end.Sub(s.began)) // a lost line of progress is no loss
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
		if doc, err := scene.Document(ctx); err == nil {
			return []string{count(doc.Total, "page")}
		}
	case d == court.VisionInspector && scene.HasPDF():
		if figures, err := scene.Figures(ctx); err == nil {
			return []string{count(len(figures), "figure")}
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
	if s.w == nil {
		return nil
	}
	at, err := time.Parse("2006-01-02T15:04:05.000Z", e.At)
	if err != nil {
		return fmt.Errorf("reading the time of an event: %w", err)
	}
	switch {
	case e.Kind == trace.NodeStart:
		s.running = append(s.running, e.Node)
	case e.Kind == trace.NodeEnd:
		s.running = slices.DeleteFunc(s.running, func(r string) bool { return r == e.Node })
		return s.line(at, e.Node, s.result(e.Node, e.Text), time.Duration(e.Ms)*time.Millisecond)
	case e.Kind == trace.Evidence && e.Grave:
		s.grave[e.Node]++
		return s.line(at, e.Node, court.Clean(e.Text, 120), -1)
	case e.Kind == trace.Fault:
		return s.line(at, e.Node, "fault: "+court.Clean(e.Text, 120), -1)
	case e.Kind == trace.Route && e.Text == "re-evaluate":
		return s.line(at, e.Node, "criteria in dispute are heard again", -1)
	}
	return nil
}

// result is what came of a node.
func (s *steps) result(node, text string) string {
	if text != "" || s.looked == nil {
		return text
	}
	out := s.looked(node)
	if n := s.grave[node]; n > 0 {
		out = append(out, count(n, "violation")+" of severity high")
	}
	return strings.Join(out, ", ")
}

// line writes one line; a time under zero is none.
func (s *steps) line(at time.Time, step, text string, took time.Duration) error {
	l := &lines{w: s.w}
	if took < 0 {
		l.f("%s %-19s %s\n", at.Format("15:04:05Z"), step, text)
	} else {
		l.f("%s %-19s %-58s %5.1fs\n", at.Format("15:04:05Z"), step, court.Clean(text, 58), took.Seconds())
	}
	s.quiet = 0
	if s.idle != nil {
		s.idle.Reset(silence)
	}
	return l.err
}
