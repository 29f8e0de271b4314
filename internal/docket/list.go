package docket

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
)

// each calls scan for every row that a query gives.
func (d *Docket) each(ctx context.Context, doing string, scan func(*sql.Rows) error, query string, args ...any) (err error) {
	var rows *sql.Rows
	err = d.patiently(ctx, func() (err error) {
		rows, err = d.read.QueryContext(ctx, query, args...) //nolint:sqlclosecheck // closed below
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("%s: %w", doing, err)
		}
	}
	if err := rows.Err(); err != nil && d.OnServer() && isAway(err) {
		return fmt.Errorf("%s: %w: %w", doing, ErrAway, err)
	} else if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// Row is one submission as lists show it.
type Row struct {
	Submission
	Overall  *court.Fixed // nil: none
	CappedBy string
	Needs    []string // why a person should look
	Gate     string
	Record   string // digest of the record as a file; empty: none
	Calls    int    // to models
	Tokens   int64  // that models read and wrote
	Cost     llm.USD
	Unpriced bool // Cost is not known

	Human     int          // decisions of people on the rulings that are in force
	Machine   *court.Fixed // what the court alone gives, where decisions make it another score; nil: they do not
	Seq       int64        // of the newest decision on it; 0: none
	Published time.Time    // when the score that stands was given out; zero: it is a draft
}

// Draft tells whether there is a score that was not given out.
func (r Row) Draft() bool {
	return r.Listed && r.Overall != nil && r.Published.IsZero() && (r.State == Done || r.State == Partial)
}

// Rows are the submissions of a cohort in the order of the roster, with the scores that stand. No record is read.
func (d *Docket) Rows(ctx context.Context, cohort string) (list []Row, err error) {
	err = d.each(ctx, "listing submissions", func(rows *sql.Rows) error {
		var r Row
		var overall, machine sql.NullInt64
		var published int64
		var needs string
		if err := r.scan(rows, &overall, &r.CappedBy, &needs, &r.Gate, &r.Record, &r.Calls, &r.Tokens, &r.Cost, &r.Human, &machine, &r.Seq, &published); err != nil {
			return err
		}
		r.Overall, r.Machine, r.Published = fixed(overall), fixed(machine), moment(published)
		if r.Unpriced = r.Cost == unpriced; r.Unpriced {
			r.Cost = 0
		}
		list = append(list, r)
		return json.Unmarshal([]byte(needs), &list[len(list)-1].Needs)
	}, `select `+columns+`, t.overall, coalesce(t.capped_by, ''), coalesce(t.needs, '[]'), coalesce(t.gate, ''), coalesce(r.record, ''),
			coalesce(r.calls, 0), coalesce(r.tokens, 0), coalesce(r.cost, 0), coalesce(t.human, 0), t.machine, coalesce(t.seq, 0), coalesce(t.published, 0)
		from submission left join standing t on t.cohort = submission.cohort and t.submission = submission.id left join run r on r.key = t.run
		where submission.cohort = $1 order by submission.seq, submission.id`, cohort)
	return list, err
}

func fixed(n sql.NullInt64) *court.Fixed {
	if !n.Valid {
		return nil
	}
	f := court.Fixed(n.Int64)
	return &f
}

// Mark is one criterion of one submission, as it stands.
type Mark struct {
	Submission string
	Criterion  string
	Final      *int
	Exact      *court.Fixed
	Machine    *court.Fixed // of the court alone; nil: it gave no score
	Human      bool         // a person marked it
}

// Marks are the criteria of all submissions of a cohort with a score that stands, in the order of roster and rubric; those that
// only people mark come last.
func (d *Docket) Marks(ctx context.Context, cohort string) (list []Mark, err error) {
	err = d.each(ctx, "listing rulings", func(rows *sql.Rows) error {
		var m Mark
		var seq, place int64
		var final, exact, machine sql.NullInt64
		if err := rows.Scan(&seq, &m.Submission, &place, &m.Criterion, &final, &exact, &machine, &m.Human); err != nil {
			return err
		}
		if final.Valid {
			n := int(final.Int64)
			m.Final = &n
		}
		m.Exact, m.Machine = fixed(exact), fixed(machine)
		list = append(list, m)
		return nil
	}, `select s.seq, s.id, r.seq, r.criterion, case when o.human is null then r.final else o.final end, case when o.human is null then r.exact else o.exact end,
			r.exact, coalesce(o.human, 0)
		from submission s join standing t on t.cohort = s.cohort and t.submission = s.id join ruling r on r.run = t.run
			left join standing_ruling o on o.cohort = s.cohort and o.submission = s.id and o.criterion = r.criterion
		where s.cohort = $1 and s.listed = 1 and s.state in ('done', 'partial')
		union all select s.seq, s.id, 1000000, o.criterion, o.final, o.exact, null, o.human
		from submission s join standing t on t.cohort = s.cohort and t.submission = s.id join standing_ruling o on o.cohort = s.cohort and o.submission = s.id
		where s.cohort = $1 and s.listed = 1 and s.state in ('done', 'partial') and not exists (select 1 from ruling r where r.run = t.run and r.criterion = o.criterion)
		order by 1, 2, 3, 4`, cohort)
	return list, err
}

// Check is how a check came out over a cohort.
type Check struct {
	Criterion, Check string
	Failed           []string // submissions that it speaks against, in the order of the roster
	Partly, Met      int
	Untold           int // nobody could tell, or it does not apply
}

// severity orders outcomes, so that the worst of several findings on one check counts.
const severity = `case f.outcome when 'violation' then 4 when 'absent' then 4 when 'partial' then 3 when 'unknown' then 2 when 'present' then 1 else 0 end`

// Checks are all checks of a cohort's standing cases, by criterion and name.
func (d *Docket) Checks(ctx context.Context, cohort string) (list []Check, err error) {
	err = d.each(ctx, "listing checks", func(rows *sql.Rows) error {
		var criterion, check, id string
		var seq, worst int64
		if err := rows.Scan(&criterion, &check, &id, &seq, &worst); err != nil {
			return err
		}
		if n := len(list); n == 0 || list[n-1].Criterion != criterion || list[n-1].Check != check {
			list = append(list, Check{Criterion: criterion, Check: check})
		}
		last := &list[len(list)-1]
		switch worst {
		case 4:
			last.Failed = append(last.Failed, id)
		case 3:
			last.Partly++
		case 1:
			last.Met++
		default:
			last.Untold++
		}
		return nil
	}, `select f.criterion, f.question, s.id, s.seq, max(`+severity+`)
		from submission s join standing t on t.cohort = s.cohort and t.submission = s.id join finding f on f.run = t.run
		where s.cohort = $1 and s.listed = 1 and s.state in ('done', 'partial') group by f.criterion, f.question, s.id, s.seq order by f.criterion, f.question, s.seq`, cohort)
	return list, err
}

// Tally counts the listed submissions of a cohort by state.
func (d *Docket) Tally(ctx context.Context, cohort string) (map[State]int, error) {
	tally := map[State]int{}
	err := d.each(ctx, "counting submissions", func(rows *sql.Rows) error {
		var s State
		var n int
		err := rows.Scan(&s, &n)
		tally[s] = n
		return err
	}, `select state, count(*) from submission where cohort = $1 and listed = 1 group by state`, cohort)
	return tally, err
}

// Files are the names and digests of what a run left, its record among them.
func (d *Docket) Files(ctx context.Context, run string) (map[string]string, error) {
	files := map[string]string{}
	err := d.each(ctx, "listing files", func(rows *sql.Rows) error {
		var name, digest string
		err := rows.Scan(&name, &digest)
		files[name] = digest
		return err
	}, `select name, digest from file where owner = $1`, run)
	return files, err
}
