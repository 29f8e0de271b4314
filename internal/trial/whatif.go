package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// Change is what a thought experiment alters about a case. The zero value
// alters nothing.
type Change struct {
	Fixes  []Fix         // checks that are put right
	Drop   []string      // ids of evidence that was never found
	Rubric *court.Rubric // nil: the record's own. It may have another law, or other criteria
	// Embedded hears everything before the embedded bench, no matter who sat.
	Embedded bool
}

// ErrNoVerdict says that a record has no verdict to alter.
var ErrNoVerdict = errors.New("the record has no verdict")

// WhatIf is the record of the case as it would stand under a change: what the
// change touches is heard again by the embedded bench, and the same court rules
// on everything. It is marked as hypothetical, names the record that it comes
// from, and no gate accepts it.
func WhatIf(ctx context.Context, rec *court.Record, ch Change) (*court.Record, error) {
	if rec.Verdict == nil {
		return nil, fmt.Errorf("trying %s otherwise: %w", rec.Case.ID, ErrNoVerdict)
	}
	out := *rec
	out.Hypothetical, out.Parent, out.Run = true, rec.Digest, court.Run{Spans: []court.Span{}}
	if ch.Rubric != nil {
		out.Rubric = *ch.Rubric
		if len(out.Rubric.Heard(out.Case.Only)) < len(out.Case.Only) { // chosen among other criteria
			out.Case.Only = []string{}
		}
	}
	out.Evidences = altered(rec, &out, ch)
	if ch.Embedded {
		out.Origin.Bench, out.Origin.Prompts = Panel{}.sources(), ""
	}
	if err := hearChanged(ctx, rec, &out, ch.Embedded); err != nil {
		return nil, fmt.Errorf("trying %s otherwise: %w", rec.Case.ID, err)
	}
	v, err := Replay(&out)
	if err != nil {
		return nil, fmt.Errorf("trying %s otherwise: %w", rec.Case.ID, err)
	}
	out.Verdict, out.Remedies, out.Stakes = v, advised(out.Rubric, out.Case, out.Evidences), stakes(out.Rubric, out.Case, out.Evidences)
	if rec.Gate != nil {
		g := verdict.Gate(*v, verdict.Bar{Bars: rec.Gate.Bars, FailOn: rec.Gate.FailOn})
		out.Gate = &g
	}
	out.Seal()
	return &out, nil
}

// altered is the evidence under a change, for each criterion that is heard.
func altered(rec, out *court.Record, ch Change) map[string][]court.Exhibit {
	all := map[string][]court.Exhibit{}
	last := lastLabel(rec)
	label := func(x *court.Exhibit) { last++; x.Label = fmt.Sprintf("E%d", last) }
	for _, c := range out.Rubric.Heard(out.Case.Only) {
		list := slices.Clone(rec.Evidences[c.ID])
		if !sameQuestions(rec, c) {
			list = borrowed(rec, c)
			for i := range list { // one piece may answer for two criteria
				label(&list[i])
			}
		}
		list = slices.DeleteFunc(list, func(x court.Exhibit) bool { return slices.Contains(ch.Drop, x.ID) })
		for _, f := range ch.Fixes {
			if f.Criterion == c.ID {
				list = mend(list, checkOf(c, f.Check))
				label(&list[len(list)-1])
			}
		}
		all[c.ID] = confirmed(out.Rubric.Synthesis.SecurityOverride, inCheckOrder(c, list))
	}
	return all
}

func lastLabel(rec *court.Record) int {
	last := 0
	for _, list := range rec.Evidences {
		for _, x := range list {
			if n, err := strconv.Atoi(strings.TrimPrefix(x.Label, "E")); err == nil {
				last = max(last, n)
			}
		}
	}
	return last
}

// borrowed is the evidence of a record that answers the questions of a criterion
// of another rubric, whatever criterion it was found for. A question that nobody
// asked has no evidence, and so is unknown.
func borrowed(rec *court.Record, c court.Criterion) []court.Exhibit {
	var out []court.Exhibit
	taken := map[string]bool{}
	for _, check := range c.Checks {
		for _, ask := range check.Asks {
			for _, x := range replies(rec, ask.Key()) {
				x.Criterion, x.Check = c.ID, check.ID
				if x.Evidence = x.Sealed(); !taken[x.ID] {
					taken[x.ID] = true
					out = append(out, x)
				}
			}
		}
	}
	return out
}

// replies is the evidence of the first criterion that asked a question.
func replies(rec *court.Record, ask string) []court.Exhibit {
	for _, c := range rec.Rubric.Heard(rec.Case.Only) {
		var out []court.Exhibit
		for _, x := range rec.Evidences[c.ID] {
			if x.Ask == ask && x.Stands() {
				out = append(out, x)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// hearChanged keeps the hearings and opinions on criteria whose questions and
// evidence are as they were, and hears the others, or all, again.
func hearChanged(ctx context.Context, rec, out *court.Record, all bool) error {
	out.Hearings, out.Opinions = []court.Hearing{}, []court.Opinion{}
	for _, c := range out.Rubric.Heard(out.Case.Only) {
		if !all && sameQuestions(rec, c) && sameEvidence(rec.Evidences[c.ID], out.Evidences[c.ID]) {
			out.Hearings = append(out.Hearings, of(c.ID, rec.Hearings, func(h court.Hearing) string { return h.Criterion })...)
			out.Opinions = append(out.Opinions, of(c.ID, rec.Opinions, func(o court.Opinion) string { return o.Criterion })...)
			continue
		}
		if err := hearAgain(ctx, out, c, 1); err != nil {
			return err
		}
	}
	disputed := verdict.Disputed(firstRound(out))
	for _, c := range out.Rubric.Heard(out.Case.Only) {
		twice := slices.ContainsFunc(out.Hearings, func(h court.Hearing) bool { return h.Criterion == c.ID && h.Round == 2 })
		switch wanted := slices.Contains(disputed, c.ID); {
		case wanted && !twice:
			if err := hearAgain(ctx, out, c, 2); err != nil {
				return err
			}
		case !wanted && twice:
			out.Hearings = slices.DeleteFunc(out.Hearings, func(h court.Hearing) bool { return h.Criterion == c.ID && h.Round == 2 })
			out.Opinions = slices.DeleteFunc(out.Opinions, func(o court.Opinion) bool { return o.Criterion == c.ID && o.Round == 2 })
		}
	}
	return nil
}

// firstRound is what the chief justice decides from after the first hearing.
func firstRound(rec *court.Record) verdict.Papers {
	p := papersOf(court.State{Case: rec.Case, Rubric: rec.Rubric, Faults: rec.Faults})
	p.Exhibits = rec.Evidences
	p.Hearings = slices.DeleteFunc(slices.Clone(rec.Hearings), func(h court.Hearing) bool { return h.Round > 1 })
	p.Opinions = slices.DeleteFunc(slices.Clone(rec.Opinions), func(o court.Opinion) bool { return o.Round > 1 })
	return p
}

func sameQuestions(rec *court.Record, c court.Criterion) bool {
	i := slices.IndexFunc(rec.Rubric.Criteria, func(k court.Criterion) bool { return k.ID == c.ID })
	return i >= 0 && court.Digest(rec.Rubric.Criteria[i].Checks) == court.Digest(c.Checks)
}

func sameEvidence(a, b []court.Exhibit) bool {
	return slices.EqualFunc(a, b, func(x, y court.Exhibit) bool { return x.ID == y.ID && x.Stands() == y.Stands() })
}

// of is the part of a list that belongs to one criterion.
func of[T any](criterion string, list []T, key func(T) string) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return key(x) != criterion })
}

// hearAgain is one hearing before the embedded bench.
func hearAgain(ctx context.Context, rec *court.Record, c court.Criterion, round int) error {
	list := rec.Evidences[c.ID]
	rec.Hearings = append(rec.Hearings, bench.Assess(c, list, round))
	for _, j := range court.Personas() {
		o, err := bench.Embedded(j).Opine(ctx, bench.NewBrief(c, round, list))
		if err != nil {
			return fmt.Errorf("hearing %q again: %w", c.ID, err)
		}
		rec.Opinions = append(rec.Opinions, o)
	}
	return nil
}
