package batch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
)

// stateWords are the states as people are told them.
var stateWords = map[docket.State]string{
	docket.Done: report.CaseAudited, docket.Partial: report.CasePartial, docket.Failed: report.CaseFailed, docket.Cancelled: report.CaseCancelled,
	docket.Pending: report.CaseOpen, docket.Fetching: report.CaseOpen, docket.Hearing: report.CaseOpen,
}

// StateWord is a state as people are told it.
func StateWord(s docket.State) string { return stateWords[s] }

// Summary is what a cohort's docket says of the class. Records are not read, but one, for the words of its rubric.
func Summary(ctx context.Context, d *docket.Docket, cohort string) (c report.Class, err error) {
	rows, err := d.Rows(ctx, cohort)
	if err != nil {
		return c, err
	}
	rows = slices.DeleteFunc(rows, func(r docket.Row) bool { return !r.Listed })
	c.Tally = map[string]int{}
	commits := map[string][]string{}
	var order []string
	var rec *court.Record
	var cost llm.USD
	priced := false
	for _, r := range rows {
		state := stateWords[r.State]
		c.Tally[state]++
		one := report.ClassCase{ID: r.ID, State: state, Needs: r.Needs, Gate: r.Gate, Reason: r.Reason}
		if r.Overall != nil {
			score := r.Overall.Cut() // as grades have it
			one.Score = &score
		}
		if r.Machine != nil {
			court := r.Machine.Cut()
			one.Machine = &court
		}
		one.Decisions, one.Published = r.Human, !r.Published.IsZero()
		if r.State != docket.Done && r.State != docket.Partial {
			one.Machine, one.Decisions, one.Published = nil, 0, false
			one.Score, one.Needs, one.Gate = nil, []string{}, "" // of an earlier run
		} else if c.Calls, c.Tokens, cost = c.Calls+r.Calls, c.Tokens+r.Tokens, cost+r.Cost; r.Unpriced {
			c.Unpriced++
		} else {
			priced = priced || r.Calls > 0
		}
		c.Cases = append(c.Cases, one)
		if r.Pinned != "" {
			if commits[r.Pinned] == nil {
				order = append(order, r.Pinned)
			}
			commits[r.Pinned] = append(commits[r.Pinned], r.ID)
		}
		if rec == nil && r.Record != "" {
			if rec, err = recordOf(ctx, d, r.Record); err != nil {
				return c, err
			}
		}
	}
	for _, commit := range order {
		if len(commits[commit]) > 1 {
			c.Twins = append(c.Twins, commits[commit])
		}
	}
	if priced {
		c.USD = strings.TrimPrefix(cost.String(), "$")
	}
	if rec == nil {
		return c, nil
	}
	c.Under(rec)
	byPeople(&c, rec)
	if c.Criteria, err = criteria(ctx, d, cohort, rec.Rubric.Criteria); err != nil {
		return c, err
	}
	c.Checks, err = checks(ctx, d, cohort, rec.Rubric.Criteria)
	return c, err
}

// byPeople takes from the cases what is so of the class: that only people mark some criteria, and nobody did.
func byPeople(c *report.Class, rec *court.Record) {
	manual := slices.DeleteFunc(slices.Clone(rec.Rubric.Asked(rec.Case.Only)), func(k court.Criterion) bool { return !k.ForPeople() })
	why := docket.ByPeople(manual)
	for _, k := range manual {
		c.ByPeople = append(c.ByPeople, cmp.Or(k.Name, k.ID))
	}
	for i, one := range c.Cases {
		if j := slices.Index(one.Needs, why); j >= 0 {
			c.Unmarked++
			c.Cases[i].Needs = slices.Delete(one.Needs, j, j+1)
		}
	}
}

// Record is the record of a digest.
func (c *Cohort) Record(ctx context.Context, d *docket.Docket, digest string) (*court.Record, error) {
	return recordOf(ctx, d, digest)
}

func recordOf(ctx context.Context, d *docket.Docket, digest string) (*court.Record, error) {
	raw, err := d.Blob(ctx, digest)
	if err != nil {
		return nil, fmt.Errorf("reading a record of the cohort: %w", err)
	}
	return store.Decode(raw)
}

// criteria are the scores of each criterion of a rubric, over those that have one.
func criteria(ctx context.Context, d *docket.Docket, cohort string, list []court.Criterion) ([]report.ClassMark, error) {
	marks, err := d.Marks(ctx, cohort)
	if err != nil {
		return nil, err
	}
	out := make([]report.ClassMark, 0, len(list))
	for _, c := range list {
		m := report.ClassMark{ID: c.ID, Name: c.Name}
		sum, n := court.Fixed(0), 0
		for _, x := range marks {
			switch {
			case x.Criterion != c.ID:
			case x.Final == nil:
				m.None++
			default:
				m.Scores[min(max(*x.Final, 1), 5)-1]++
				if x.Exact != nil {
					sum, n = sum+*x.Exact, n+1
				}
			}
		}
		if n > 0 {
			mean := sum / court.Fixed(n)
			m.Mean = &mean
		}
		if n > 0 || m.None > 0 {
			out = append(out, m)
		}
	}
	return out, nil
}

// checks are how the checks of a rubric came out.
func checks(ctx context.Context, d *docket.Docket, cohort string, list []court.Criterion) (out []report.ClassCheck, err error) {
	all, err := d.Checks(ctx, cohort)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		for _, k := range c.Checks {
			i := slices.IndexFunc(all, func(x docket.Check) bool { return x.Criterion == c.ID && x.Check == k.ID })
			if i < 0 {
				continue
			}
			x := all[i]
			out = append(out, report.ClassCheck{Criterion: c.ID, Check: k.ID, Text: k.Text, Failed: append([]string{}, x.Failed...), Partly: x.Partly, Met: x.Met, Untold: x.Untold})
		}
	}
	return out, nil
}
