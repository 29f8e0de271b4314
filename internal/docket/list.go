package docket

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Row is one submission as lists show it.
type Row struct {
	Submission
	Overall, Low, High *court.Fixed // nil: none
	CappedBy           string
	Needs              []string // why a person should look
	Gate               string
	Millis             int64
	Record             string // digest of the record as a file; empty: none
	Calls              int    // to models
}

// Rows are the submissions of a cohort in the order of the roster, with the scores that stand. No record is read.
func (d *Docket) Rows(ctx context.Context, cohort string) (list []Row, err error) {
	rows, err := d.read.QueryContext(ctx, `select s.id, s.seq, s.folder, s.host, s.request, s.spec, s.state, s.class, s.reason, s.attempt, s.pinned, s.run, s.listed,
			t.overall, t.low, t.high, coalesce(t.capped_by, ''), coalesce(t.needs, '[]'), coalesce(r.gate, ''), coalesce(r.millis, 0), coalesce(r.record, ''), coalesce(r.calls, 0)
		from submission s left join standing t on t.cohort = s.cohort and t.submission = s.id left join run r on r.key = t.run
		where s.cohort = $1 order by s.seq, s.id`, cohort)
	if err != nil {
		return nil, fmt.Errorf("listing submissions: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	for rows.Next() {
		var r Row
		var overall, low, high sql.NullInt64
		var needs string
		if err := rows.Scan(&r.ID, &r.Seq, &r.Folder, &r.Host, &r.Request, &r.Spec, &r.State, &r.Class, &r.Reason, &r.Attempt, &r.Pinned, &r.Run, &r.Listed,
			&overall, &low, &high, &r.CappedBy, &needs, &r.Gate, &r.Millis, &r.Record, &r.Calls); err != nil {
			return nil, fmt.Errorf("listing submissions: %w", err)
		}
		r.Overall, r.Low, r.High = fixed(overall), fixed(low), fixed(high)
		if err := json.Unmarshal([]byte(needs), &r.Needs); err != nil {
			return nil, fmt.Errorf("listing submissions: %s: %w", r.ID, err)
		}
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("listing submissions: %w", err)
	}
	return list, nil
}

func fixed(n sql.NullInt64) *court.Fixed {
	if !n.Valid {
		return nil
	}
	f := court.Fixed(n.Int64)
	return &f
}

// Mark is one criterion of one submission.
type Mark struct {
	Submission string
	Criterion  string
	Final      *int
	Exact      *court.Fixed
	Status     court.Status
	Spread     int
	Seats      map[court.Persona]int
}

// Marks are the criteria of all submissions of a cohort with a score that stands, in the order of roster and rubric.
func (d *Docket) Marks(ctx context.Context, cohort string) (list []Mark, err error) {
	rows, err := d.read.QueryContext(ctx, `select s.id, r.criterion, r.final, r.exact, r.status, r.spread, r.prosecutor, r.defense, r.techlead
		from submission s join standing t on t.cohort = s.cohort and t.submission = s.id join ruling r on r.run = t.run
		where s.cohort = $1 and s.listed = 1 and s.state in ('done', 'partial') order by s.seq, s.id, r.seq`, cohort)
	if err != nil {
		return nil, fmt.Errorf("listing rulings: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	for rows.Next() {
		m := Mark{Seats: map[court.Persona]int{}}
		var final, exact sql.NullInt64
		var seat [3]sql.NullInt64
		if err := rows.Scan(&m.Submission, &m.Criterion, &final, &exact, &m.Status, &m.Spread, &seat[0], &seat[1], &seat[2]); err != nil {
			return nil, fmt.Errorf("listing rulings: %w", err)
		}
		if final.Valid {
			n := int(final.Int64)
			m.Final = &n
		}
		m.Exact = fixed(exact)
		for i, j := range []court.Persona{court.Prosecutor, court.Defense, court.TechLead} {
			if seat[i].Valid {
				m.Seats[j] = int(seat[i].Int64)
			}
		}
		list = append(list, m)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("listing rulings: %w", err)
	}
	return list, nil
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
	rows, err := d.read.QueryContext(ctx, `select f.criterion, f.question, s.id, s.seq, max(`+severity+`)
		from submission s join standing t on t.cohort = s.cohort and t.submission = s.id join finding f on f.run = t.run
		where s.cohort = $1 and s.listed = 1 and s.state in ('done', 'partial') group by f.criterion, f.question, s.id, s.seq order by f.criterion, f.question, s.seq`, cohort)
	if err != nil {
		return nil, fmt.Errorf("listing checks: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	for rows.Next() {
		var criterion, check, id string
		var seq, worst int64
		if err := rows.Scan(&criterion, &check, &id, &seq, &worst); err != nil {
			return nil, fmt.Errorf("listing checks: %w", err)
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
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("listing checks: %w", err)
	}
	return list, nil
}

// Tally counts the listed submissions of a cohort by state.
func (d *Docket) Tally(ctx context.Context, cohort string) (map[State]int, error) {
	rows, err := d.read.QueryContext(ctx, `select state, count(*) from submission where cohort = $1 and listed = 1 group by state`, cohort)
	if err != nil {
		return nil, fmt.Errorf("counting submissions: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	tally := map[State]int{}
	for rows.Next() {
		var s State
		var n int
		if err := rows.Scan(&s, &n); err != nil {
			return nil, fmt.Errorf("counting submissions: %w", err)
		}
		tally[s] = n
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("counting submissions: %w", err)
	}
	return tally, nil
}

// Files are the names and digests of what a run left, its record among them.
func (d *Docket) Files(ctx context.Context, run string) (map[string]string, error) {
	rows, err := d.read.QueryContext(ctx, `select name, digest from file where owner = $1`, run)
	if err != nil {
		return nil, fmt.Errorf("listing files: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	files := map[string]string{}
	for rows.Next() {
		var name, digest string
		if err := rows.Scan(&name, &digest); err != nil {
			return nil, fmt.Errorf("listing files: %w", err)
		}
		files[name] = digest
	}
	return files, rows.Err()
}
