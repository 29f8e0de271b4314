package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/trace"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// pdfDeadline bounds the processor time of reading one document.
const pdfDeadline = 20 * time.Second

// Hearing is one case to be heard.
type Hearing struct {
	Opened    *Opened
	Rubric    *court.Rubric
	Only      []string       // criteria; empty: all
	Answers   []court.Answer // of people
	Probes    []probe.Probe
	Bar       *verdict.Bar  // nil: no gate
	Baseline  *court.Record // what nothing may have fallen from; nil: nothing
	Tool      string        // "automaton 0.1.0"
	TrustTree bool
	Jobs      int
	Bench     Bench         // the zero value: the embedded bench
	Partial   bool          // a gate may pass though too few of the judges spoke
	Journal   graph.Journal // nil: an interrupted run starts anew
	Clock     func() time.Time
	Log       *trace.Log // nil: nobody watches
}

// Hear runs the audit graph and makes the record. When ctx ends it returns the
// record of what is known, marked partial, together with the error.
func Hear(ctx context.Context, h Hearing) (*court.Record, error) {
	h.Clock = trace.Steady(h.Clock)
	started := h.Clock()
	in := court.State{Case: h.Opened.Case, Rubric: *h.Rubric}
	in.Case.Only, in.Case.Answers = inRubricOrder(h.Rubric, h.Only), h.Answers
	if len(h.Rubric.Heard(in.Case.Only)) == 0 {
		return nil, fmt.Errorf("hearing %s: %w", in.Case.Slug, ErrNothingToHear)
	}
	h.Opened.Scene.Equip(h.Probes, Sections(), assignment(h.Rubric))
	c := &chambers{scene: h.Opened.Scene, probes: h.Probes, bench: h.Bench, jobs: h.Jobs, faults: h.Opened.Faults, leftOut: h.Opened.LeftOut,
		parser: h.Opened.parser, syntax: h.Opened.syntax, queries: h.Opened.queries, reader: h.Opened.reader}
	w := &watcher{log: h.Log, clock: h.Clock, started: started, open: map[string]int{}, heard: map[string]bool{}}
	c.saw, c.step, c.watch = w.evidence, w.progress, w
	g, err := c.audit()
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
	if h.Bench.Use != nil {
		rec.Run.Models = h.Bench.Use()
	}
	if hiding := veil(h.Opened.veil, rec); hiding != nil {
		return nil, hiding
	}
	rec.Seal()
	w.end(rec)
	if err != nil {
		return rec, fmt.Errorf("hearing %s: %w", in.Case.Slug, err)
	}
	return rec, nil
}

// assignment is what the rubric tells people about each criterion, so that its
// words can be told from the authors'.
func assignment(r *court.Rubric) []string {
	var texts []string
	for _, c := range r.Criteria {
		texts = append(texts, c.Name, c.Instruction, c.Success, c.Failure, c.Guidance.Prosecutor, c.Guidance.Defense, c.Guidance.TechLead, c.Guidance.Shared)
		for _, key := range slices.Sorted(maps.Keys(c.Shown)) {
			texts = append(texts, c.Shown[key])
		}
		for _, l := range c.Scale.Levels {
			texts = append(texts, l.Text)
		}
		for _, ch := range c.Checks {
			texts = append(texts, ch.Text)
		}
	}
	return texts
}

// ErrNothingToHear says that no machine judges any of the criteria asked for.
var ErrNothingToHear = errors.New("only people answer the criteria that were asked for")

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

// head is all that a run depends on besides graph and input.
func (h Hearing) head() map[string]string {
	head := map[string]string{"tool": h.Tool, "law": fmt.Sprint(court.Law), "bench": bench.Digest(),
		"rubric": h.Rubric.Digest, "checks": h.Rubric.Checks, "commit": h.Opened.Case.Commit, "pdf": h.Opened.Case.PDFDigests(), "ocr": h.Opened.Scene.OCR()}
	if len(h.Answers) > 0 {
		head["answers"] = court.Digest(h.Answers)
	}
	maps.Copy(head, h.Bench.head())
	return head
}

// record makes the record of a state.
func (h Hearing) record(s court.State, cut bool) *court.Record {
	r := &court.Record{Schema: court.SchemaRecord, Case: s.Case, Rubric: s.Rubric, Status: court.Complete,
		Origin:    court.Origin{Tool: h.Tool, Law: court.Law, Bench: h.Bench.sources(), BenchSum: bench.Digest(), TrustTree: h.TrustTree, OCR: h.Opened.Scene.OCR(), Prompts: h.Bench.Prompts, Detectives: h.Bench.Detectives},
		Evidences: map[string][]court.Exhibit{}, Opinions: []court.Opinion{}, Hearings: []court.Hearing{},
		Verdict: s.Verdict, Portrait: s.Portrait, Remedies: []court.Remedy{}, Faults: []court.Fault{}}
	if s.Document != nil {
		r.Case.PDF = s.Document
	}
	if len(s.Further) > 0 {
		r.Case.Further = s.Further
	}
	r.Faults = append(r.Faults, s.Faults...)
	if cut {
		s.Seals = append(s.Seals, unsealed(s)...)
	}
	for _, c := range s.Rubric.Heard(s.Case.Only) {
		r.Evidences[c.ID] = confirmed(s.Rubric.Synthesis.SecurityOverride, inCheckOrder(c, exhibits(s, c.ID)))
		for _, o := range s.Opinions {
			if o.Criterion == c.ID {
				r.Opinions = append(r.Opinions, o)
			}
		}
		for _, x := range s.Hearings {
			if x.Criterion == c.ID {
				r.Hearings = append(r.Hearings, x)
			}
		}
	}
	switch {
	case !cut && slices.ContainsFunc(s.Faults, func(f court.Fault) bool { return f.Stage == ErrorHandler }):
		r.Status = court.Mistrial
	case cut, s.Verdict == nil, incomplete(s), substituted(s.Verdict):
		r.Status = court.Partway
	}
	if s.Verdict != nil {
		r.Remedies = append(r.Remedies, advised(s.Rubric, s.Case, r.Evidences)...)
	}
	r.Gate = h.gate(s.Verdict)
	return r
}

// substituted tells whether a seat was filled from the bench: somebody did not
// speak.
func substituted(v *court.Verdict) bool {
	return slices.ContainsFunc(v.Rulings, func(r court.Ruling) bool { return len(r.Substituted) > 0 })
}

// gate holds the verdict against the bar. Without a verdict it is undecided.
func (h Hearing) gate(v *court.Verdict) *court.Gate {
	if h.Bar == nil {
		return nil
	}
	if v == nil {
		g := court.Gate{Bars: h.Bar.Bars, FailOn: append([]string{}, h.Bar.FailOn...), Outcome: verdict.Undecided, Missed: []string{"there is no verdict"}}
		return &g
	}
	bar := *h.Bar
	bar.Fallen, bar.Degraded = h.fallen(v), degraded(h.Bench, v) && !h.Partial
	g := verdict.Gate(*v, bar)
	return &g
}

// confirmed marks the flaws that the law of the case confirms.
func confirmed(law court.OverrideRule, list []court.Exhibit) []court.Exhibit {
	for i, x := range list {
		if x.Security != nil {
			flaw := *x.Security
			flaw.Confirmed = verdict.Confirmed(law, x)
			list[i].Security = &flaw
		}
	}
	return list
}
