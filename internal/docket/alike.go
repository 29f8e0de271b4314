package docket

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Alike is one check that failed in several submissions over the same words, or that could not be answered in several.
type Alike struct {
	Criterion, Check, Quote string // Quote is the digest of the words without their spacing; empty: there are none
	Outcome                 court.Outcome
	Cases                   []AlikeCase // in the order of the roster
}

// AlikeCase is one submission of them.
type AlikeCase struct {
	ID, Label, Place string
}

// Alike are the checks that failed over the same words in at least two submissions of a cohort, the most frequent first.
func (d *Docket) Alike(ctx context.Context, cohort string) ([]Alike, error) {
	const failed = ` from submission s join standing t on t.cohort = s.cohort and t.submission = s.id join finding f on f.run = t.run
		where s.cohort = $1 and s.listed = 1 and s.state in ('done', 'partial') and f.outcome in ('violation', 'absent', 'partial') and f.place <> ''`
	return d.alike(ctx, cohort, `with w as (select f.criterion, f.question, f.quote, f.outcome, s.id, f.label, f.place, s.seq`+failed+`),
			g as (select criterion, question, quote, count(distinct id) n from w group by criterion, question, quote)
		select g.n, w.criterion, w.question, w.quote, w.outcome, w.id, w.label, w.place, w.seq
		from w join g on g.criterion = w.criterion and g.question = w.question and g.quote = w.quote
		where g.n > 1 order by g.n desc, w.criterion, w.question, w.quote, w.seq, w.id, w.label`)
}

// Untold are the checks that could not be answered in at least two submissions of a cohort, the most frequent first.
func (d *Docket) Untold(ctx context.Context, cohort string) ([]Alike, error) {
	return d.alike(ctx, cohort, `with w as (select f.criterion, f.question, s.id, s.seq, min(case when f.outcome = 'unknown' then f.label end) label
			from submission s join standing t on t.cohort = s.cohort and t.submission = s.id join finding f on f.run = t.run
			where s.cohort = $1 and s.listed = 1 and s.state in ('done', 'partial') group by f.criterion, f.question, s.id, s.seq having max(`+severity+`) = 2),
			g as (select criterion, question, count(*) n from w group by criterion, question)
		select g.n, w.criterion, w.question, '', 'unknown', w.id, w.label, '', w.seq
		from w join g on g.criterion = w.criterion and g.question = w.question
		where g.n > 1 order by g.n desc, w.criterion, w.question, w.seq, w.id`)
}

func (d *Docket) alike(ctx context.Context, cohort, query string) (list []Alike, err error) {
	err = d.each(ctx, "listing findings that are alike", func(rows *sql.Rows) error {
		var criterion, check, quote, outcome, id, label, place string
		var n, seq int64
		if err := rows.Scan(&n, &criterion, &check, &quote, &outcome, &id, &label, &place, &seq); err != nil {
			return err
		}
		if last := len(list) - 1; last < 0 || list[last].Criterion != criterion || list[last].Check != check || list[last].Quote != quote {
			list = append(list, Alike{Criterion: criterion, Check: check, Quote: quote, Outcome: court.Outcome(outcome)})
		}
		last := &list[len(list)-1]
		if k := len(last.Cases); k == 0 || last.Cases[k-1].ID != id { // a case that has it twice counts once
			last.Cases = append(last.Cases, AlikeCase{id, label, place})
		}
		return nil
	}, query, cohort)
	if err != nil {
		return nil, fmt.Errorf("grouping: %w", err)
	}
	return list, nil
}
