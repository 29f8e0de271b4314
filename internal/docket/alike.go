package docket

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Alike is one check that failed in several submissions over the same words.
type Alike struct {
	Criterion, Check, Quote string // Quote is the digest of the words without their spacing
	Outcome                 court.Outcome
	Cases                   []AlikeCase // in the order of the roster
}

// AlikeCase is one submission of them.
type AlikeCase struct {
	ID, Label, Place string
}

// Alike are the checks that failed over the same words in at least two submissions of a cohort, the most frequent first.
func (d *Docket) Alike(ctx context.Context, cohort string) (list []Alike, err error) {
	const standing = ` from submission s join standing t on t.cohort = s.cohort and t.submission = s.id join finding f on f.run = t.run
		where s.cohort = $1 and s.listed = 1 and s.state in ('done', 'partial') and f.outcome in ('violation', 'absent', 'partial') and f.place <> ''`
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
	}, `with g as (select f.criterion, f.question, f.quote, count(distinct s.id) n`+standing+` group by f.criterion, f.question, f.quote)
		select g.n, f.criterion, f.question, f.quote, f.outcome, s.id, f.label, f.place, s.seq`+
		` from submission s join standing t on t.cohort = s.cohort and t.submission = s.id join finding f on f.run = t.run
			join g on g.criterion = f.criterion and g.question = f.question and g.quote = f.quote
		where s.cohort = $1 and s.listed = 1 and s.state in ('done', 'partial') and f.outcome in ('violation', 'absent', 'partial') and f.place <> '' and g.n > 1
		order by g.n desc, f.criterion, f.question, f.quote, s.seq, s.id, f.label`, cohort)
	if err != nil {
		return nil, fmt.Errorf("grouping: %w", err)
	}
	return list, nil
}
