package probe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Runs are the runs of the repository's own Python: any of its files may be run, or
// imported by what is. Whoever asks them holds the lock of the analyses.
func (s *Scene) Runs(ctx context.Context) (*analyse.Analyses, *analyse.Runs, error) {
	p, err := s.Joined(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, err := s.Analyses(ctx)
	if err != nil {
		return nil, nil, err
	}
	graphs, err := s.Graphs(ctx)
	if err != nil {
		return nil, nil, err
	}
	runs, err := Shared(s, "probe.runs", func() (*analyse.Runs, error) {
		all.Lock()
		defer all.Unlock()
		var entries []*il.Function
		for _, m := range all.Program.Modules {
			if m.Language == "python" && p.Layout.Scope(m.Path) == code.ScopeProduction {
				entries = append(entries, m.Top)
			}
		}
		for _, e := range p.Entries() {
			if e.Def == nil || e.Def.Kind == code.DefModule {
				continue
			}
			if f := p.Body(e.Def); f != nil {
				entries = append(entries, f)
			}
		}
		runs := all.Runs(entries...)
		behind(all, graphs, runs, (&unheld{Analyses: all, s: s, ctx: ctx}).fails)
		return runs, nil
	})
	return all, runs, err
}

// effective is a finding after a look at whether a run can come to what was found, and
// on from there: what always fails before is there, and has no effect. It touches no
// violation.
func (s *Scene) effective(ctx context.Context, q *question, by asker, f Finding) Finding {
	if !q.known || !q.probe.Wired || len(f.Places) == 0 || f.Security != nil || q.probe.Generic && by.check.Polarity == court.Avoid || f.Outcome != court.Present && f.Outcome != court.Partial {
		return f
	}
	all, runs, err := s.Runs(ctx)
	if err != nil {
		return f
	}
	broken, err := s.broken(ctx)
	if err != nil {
		return f
	}
	all.Lock()
	defer all.Unlock()
	var cause analyse.Failure
	for _, p := range f.Places {
		x, ok := crash(all, runs, p)
		if !ok {
			return s.switchedOn(ctx, all, runs, f)
		}
		if cause.At == nil {
			cause = x
		}
	}
	at := placeOf(cause.Places[0])
	if cause.Unparsed {
		at = broken[at.Path]
		out := Cannot(court.Unparsed, slices.Concat([]court.Place{at}, f.Places), "%s But %s.", safetext.Sentence(f.Rationale), cannotParse(at))
		out.Data, out.Remedy, out.Effort = f.Data, repair(at), mendEffort
		return out
	}
	why := strings.TrimSuffix(cause.Why, ".")
	if by.check.Polarity == court.Avoid && !cause.Cased { // what is not run has no flaw, and is no merit
		return Nothing(court.One, f.Source, "No run gets to what this is asked of: none gets past %s: %s.", at, why)
	}
	text := fmt.Sprintf("No run gets past %s: %s. So this has no effect: %s", at, why, safetext.Small(safetext.Sentence(f.Rationale)))
	out := Against(f.Source, slices.Concat([]court.Place{at}, f.Places), "%s", text)
	if cause.Cased {
		out = Partly(court.One/2, f.Source, out.Places, "%s", text)
	}
	toMend := "Correct %s, which no run gets past: %s."
	if cause.File {
		toMend = "Commit the file that %s opens, as no run gets past that: %s."
	}
	out.Data, out.Remedy, out.Effort = f.Data, fmt.Sprintf(toMend, alike(all, cause), why), mendEffort
	out.Barred = fmt.Sprintf("no run gets past %s: %s", at, why)
	return out
}

// maxAlike bounds how many places a remedy names that are to be corrected together.
const maxAlike = 4

// alike names a failure with the others of its file that have the same reason, in the order
// of the file: to correct one of them alone would put nothing right.
func alike(all *analyse.Analyses, cause analyse.Failure) string {
	var at []string
	for _, x := range all.Failures() {
		if x.At == cause.At || x.Is == analyse.Yes && x.Why == cause.Why && x.Function.Module == cause.Function.Module && (x.Named || x.Function == cause.Function) {
			at = append(at, placeOf(x.Places[0]).String())
		}
	}
	switch {
	case len(at) == 0: // it is none by itself, but what a function comes to
		return placeOf(cause.Places[0]).String()
	case len(at) > maxAlike:
		at = append(at[:maxAlike], court.Count(len(at)-maxAlike, "more place"))
	}
	return safetext.List(at)
}

// Crash says what keeps every run of the program from a place, and where; "": nothing
// that is known.
func (s *Scene) Crash(ctx context.Context, p court.Place) (why string, at court.Place, err error) {
	all, runs, err := s.Runs(ctx)
	if err != nil {
		return "", at, err
	}
	all.Lock()
	defer all.Unlock()
	if x, ok := crash(all, runs, p); ok && !x.Cased && !x.Unparsed {
		return x.Why, placeOf(x.Places[0]), nil
	}
	return "", at, nil
}

// mendEffort is what it takes to mend a line that always fails, in minutes; a guess of ours.
const mendEffort = 10

// crash is the failure that keeps every run from a place of the program's own code.
func crash(all *analyse.Analyses, runs *analyse.Runs, p court.Place) (analyse.Failure, bool) {
	if p.Path == "" || p.Line == 0 {
		return analyse.Failure{}, false
	}
	f, at := all.At(p.Path, p.Line)
	if f == nil {
		return analyse.Failure{}, false
	}
	for f.Kind == il.Lambda { // the place is what the line does, and not what a function in it will
		before := all.Before(f.Outer, f.Span.From)
		if before == nil || f.Outer.Place(before.Span).Line != p.Line {
			break
		}
		f, at = f.Outer, before
	}
	return runs.Crash(f, at)
}

func placeOf(p il.Place) court.Place {
	return court.Place{Path: p.Path, Line: p.Line, EndLine: p.EndLine}
}
