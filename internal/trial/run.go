package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/trace"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// Setup is what one case is conducted with.
type Setup struct {
	Opened    *Opened
	Rubric    *court.Rubric
	Only      []string           // criteria; empty: all
	Answers   []court.Answer     // of people
	Marks     *court.Calibration // sets calibrated scores beside the court's; nil: there are none
	Probes    []probe.Probe
	Bar       *verdict.Bar  // nil: no gate
	Baseline  *court.Record // what nothing may have fallen from; nil: nothing
	Tool      string        // "automaton 0.1.0"
	TrustTree bool
	Jobs      int
	Panel     Panel         // the zero value: the embedded bench
	Partial   bool          // a gate may pass though too few of the judges spoke
	Journal   graph.Journal // nil: an interrupted run starts anew
	Clock     func() time.Time
	Log       *trace.Log // nil: nobody watches
}

// Conduct runs the audit graph and makes the record. When ctx ends it returns the
// record of what is known, marked partial, together with the error.
func Conduct(ctx context.Context, h Setup) (*court.Record, error) {
	h.Clock = trace.Steady(h.Clock)
	started := h.Clock()
	in := court.State{Case: h.Opened.Case, Rubric: *h.Rubric}
	in.Case.Only, in.Case.Answers, in.Case.Calibration = inRubricOrder(h.Rubric, h.Only), h.Answers, h.Marks
	if len(h.Rubric.Heard(in.Case.Only)) == 0 {
		return nil, fmt.Errorf("judging %s: %w", in.Case.Slug, ErrNothingToJudge)
	}
	h.Opened.Scene.Equip(h.Probes, Sections(), assignment(h.Rubric))
	c := &nodes{scene: h.Opened.Scene.For(probe.Assignment{Criteria: h.Rubric.Heard(in.Case.Only)}.Reads(h.Probes)), probes: h.Probes, panel: h.Panel, jobs: h.Jobs, faults: h.Opened.Faults, leftOut: h.Opened.LeftOut, papered: h.Opened.Scene.HasPDF() || h.Opened.unsought,
		parser: h.Opened.parser, syntax: h.Opened.syntax, queries: h.Opened.queries, reader: h.Opened.reader}
	w := &watcher{log: h.Log, clock: h.Clock, started: started, open: map[string]int{}, heard: map[string]bool{}}
	c.saw, c.step, c.watch = w.evidence, w.progress, w
	g, err := c.auditGraph()
	if err != nil {
		return nil, fmt.Errorf("declaring the audit graph: %w", err)
	}
	run := graph.Local[court.State]{Graph: g, Journal: h.Journal, Head: h.head(), Jobs: h.width(), Now: h.Clock, Observe: w.observe, Redo: fellShort}
	w.emit(trace.Event{Kind: trace.CaseStart, Text: in.Case.Slug, Digest: h.Rubric.Digest})
	state, err := run.Run(ctx, in)
	if err != nil {
		state.Faults = append(state.Faults, court.Fault{Stage: "case", Subject: in.Case.Slug, Reason: shown(cause(ctx, err), 300), Blocks: true})
	}
	rec := h.record(state, err != nil)
	slices.SortStableFunc(w.spans, func(a, b court.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Item, b.Item))
	})
	rec.Run = court.Run{Started: started.UTC().Format(time.RFC3339), Millis: h.Clock().Sub(started).Milliseconds(), Jobs: h.Jobs,
		Sandbox: h.Opened.Sandbox(), Spans: w.spans}
	if h.Panel.Use != nil {
		rec.Run.Models = h.Panel.Use()
	}
	if hiding := veil(h.Opened.veil, rec); hiding != nil {
		return nil, hiding
	}
	rec.Seal()
	w.end(rec)
	if err != nil {
		return rec, fmt.Errorf("judging %s: %w", in.Case.Slug, err)
	}
	return rec, nil
}

// ErrNothingToJudge says that no machine judges any of the criteria asked for.
var ErrNothingToJudge = errors.New("only people answer the criteria that were asked for")

// cause is why a run ended early, without the names of its tasks.
func cause(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return "the run ended early: " + context.Cause(ctx).Error()
	}
	return err.Error()
}

// inRubricOrder sorts the criteria that were asked for, each once, so that the
// order of asking makes no other case.
func inRubricOrder(r *court.Rubric, only []string) []string {
	out := []string{}
	for _, c := range r.Criteria {
		if slices.Contains(only, c.ID) {
			out = append(out, c.ID)
		}
	}
	return out
}
