package docket

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
)

// ErrConflict says that somebody else decided on a submission after the one who decides now had looked at it.
var ErrConflict = errors.New("somebody decided on this case in the meantime: look at it again")

// errMoved says that another run took the place of the one that a decision was ruled on: it is ruled on again.
var errMoved = errors.New("a new run ended in the meantime")

// mostRulings is how often a decision is ruled on again before it is given up.
const mostRulings = 5

// Decide writes decisions down, all or none, and makes what stands of their submissions anew. Number, time, record and
// hashes are filled in, and what stood before. seen has, by submission, the number of the newest decision that the person
// saw, 0 being none; where there is another one by now, the error wraps ErrConflict.
func (d *Docket) Decide(ctx context.Context, cohort string, seen map[string]int64, entries ...decision.Entry) (kept []decision.Entry, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	for _, e := range entries {
		err = errors.Join(err, e.Check())
	}
	for n := 0; err == nil && n < mostRulings; n++ {
		if kept, err = d.attempt(ctx, cohort, seen, entries); err == nil {
			return kept, nil
		}
		if errors.Is(err, errMoved) && n < mostRulings-1 {
			err = nil
		}
	}
	return nil, fmt.Errorf("deciding: %w", err)
}

// attempt works out what becomes of submissions, and writes it, if nothing changed meanwhile.
func (d *Docket) attempt(ctx context.Context, cohort string, seen map[string]int64, entries []decision.Entry) (kept []decision.Entry, err error) {
	plans, err := d.rule(ctx, cohort, seen, entries)
	if err != nil {
		return nil, err
	}
	err = d.within(ctx, func(tx *sql.Tx) error {
		kept, err = d.decide(ctx, tx, cohort, plans, entries)
		return err
	})
	return kept, err
}

// ruled is what becomes of one submission by decisions.
type ruled struct {
	submission string
	run        string
	seen       int64
	record     *court.Record    // of the run
	list       []decision.Entry // all decisions on it, with those that are made now
	from, to   *court.Record    // as it stood, and as it stands with them
	seq        int64            // of the newest decision
}

// rule works out what becomes of the submissions of entries. Nothing is written and nothing is held meanwhile: whether it
// still is so is asked when it is.
func (d *Docket) rule(ctx context.Context, cohort string, seen map[string]int64, entries []decision.Entry) ([]*ruled, error) {
	var plans []*ruled
	for i, e := range entries {
		at := slices.IndexFunc(plans, func(p *ruled) bool { return p.submission == e.Submission })
		if at < 0 {
			p, err := d.before(ctx, cohort, e.Submission)
			if err != nil {
				return nil, err
			}
			if p.seq != seen[e.Submission] {
				return nil, fmt.Errorf("%s: %w", e.Submission, ErrConflict)
			}
			p.seen = p.seq
			at, plans = len(plans), append(plans, p)
		}
		p := plans[at]
		if err := e.Fits(p.record); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Submission, err)
		}
		if e.Kind == decision.Undo && !slices.ContainsFunc(p.list, func(o decision.Entry) bool { return o.Seq == e.Undoes }) {
			return nil, fmt.Errorf("%s: there is no decision %d to take back", e.Submission, e.Undoes)
		}
		for _, n := range e.Answers {
			if !waits(n, e, decision.Appeals(p.list), entries[:i]) {
				return nil, fmt.Errorf("%s: no appeal %d waits for this decision", e.Submission, n)
			}
		}
		p.list = append(p.list, e)
	}
	for _, p := range plans {
		var err error
		if p.to, err = d.applied(p.record, p.list); err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// waits tells whether a decision can answer an appeal: one that is open, or one that the same act has filed before it.
func waits(n int64, e decision.Entry, open, act []decision.Entry) bool {
	of := func(a decision.Entry) bool {
		return a.Kind == decision.Appeal && a.Submission == e.Submission && (a.Criterion == e.Criterion || e.Criterion == "")
	}
	if n < 0 {
		at := len(act) + int(n)
		return at >= 0 && of(act[at])
	}
	return slices.ContainsFunc(open, func(a decision.Entry) bool { return n > 0 && a.Seq == n && of(a) })
}

// before is a submission as it stands.
func (d *Docket) before(ctx context.Context, cohort, submission string) (*ruled, error) {
	p := &ruled{submission: submission}
	err := d.read.QueryRowContext(ctx, `select run, seq from standing where cohort = $1 and submission = $2`, cohort, submission).Scan(&p.run, &p.seq)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%s: it was not judged yet, so that there is nothing to decide", submission)
	}
	if err != nil {
		return nil, err
	}
	if p.record, err = d.recordOf(ctx, p.run); err != nil {
		return nil, err
	}
	if p.list, err = d.Decisions(ctx, cohort, submission); err != nil {
		return nil, err
	}
	p.from, err = d.applied(p.record, p.list)
	return p, err
}

// recordOf is the record that a run left.
func (d *Docket) recordOf(ctx context.Context, run string) (*court.Record, error) {
	raw, err := d.File(ctx, run, RecordName)
	if err != nil {
		return nil, err
	}
	rec := new(court.Record)
	if err := json.Unmarshal(raw, rec); err != nil {
		return nil, fmt.Errorf("reading the record: %w", err)
	}
	return rec, nil
}

// applied is a record as it stands with decisions.
func (d *Docket) applied(rec *court.Record, list []decision.Entry) (*court.Record, error) {
	if rec.Verdict == nil || len(list) == 0 {
		return rec, nil
	}
	out, err := d.ruling(decision.Apply(rec, list))
	if err != nil {
		return nil, fmt.Errorf("ruling with the decisions: %w", err)
	}
	return out, nil
}

// decide writes what was worked out, where it still is so.
func (d *Docket) decide(ctx context.Context, tx *sql.Tx, cohort string, plans []*ruled, entries []decision.Entry) ([]decision.Entry, error) {
	// whoever else decides on this cohort waits here, on a server, too
	if err := changeIn(ctx, tx, `update cohort set published = published where id = $1`, cohort); err != nil {
		return nil, errors.Join(ErrUnknown, err)
	}
	var seq int64
	prev := ""
	err := tx.QueryRowContext(ctx, `select seq, hash from decision where cohort = $1 order by seq desc limit 1`, cohort).Scan(&seq, &prev)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	now := d.now()
	kept := make([]decision.Entry, len(entries))
	for i, e := range entries {
		p := plans[slices.IndexFunc(plans, func(p *ruled) bool { return p.submission == e.Submission })]
		seq++
		e.Seq, e.At, e.Record, e.From = seq, now, p.record.Digest, stood(p.from, e.Criterion)
		if e.Kind == decision.Publish {
			e.To = stood(p.to, "")
		}
		e.Answers = answered(e, kept[:i])
		e = decision.Chain(prev, e)
		kept[i], prev, p.seq = e, e.Hash, seq
		// the place of the entry in the list of its submission
		at := slices.IndexFunc(p.list, func(o decision.Entry) bool { return o.Seq == 0 })
		p.list[at] = e
		if err := insert(ctx, tx, cohort, e); err != nil {
			return nil, err
		}
	}
	for _, p := range plans {
		if err := d.restand(ctx, tx, cohort, p); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// answered are the numbers of the appeals that a decision answers, where act are the entries that were numbered before it.
func answered(e decision.Entry, act []decision.Entry) []int64 {
	if !e.Rules() {
		return nil
	}
	list := []int64{} // none is said to be none
	for _, n := range e.Answers {
		if n < 0 {
			n = act[len(act)+int(n)].Seq
		}
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

// stood is the score that counts of a criterion, or of the case.
func stood(rec *court.Record, criterion string) *court.Fixed {
	switch {
	case rec.Verdict == nil:
		return nil
	case criterion != "":
		return rec.Counts(criterion)
	case rec.Verdict.Overall.Unscored:
		return nil
	}
	return &rec.Verdict.Overall.Exact
}

func insert(ctx context.Context, tx *sql.Tx, cohort string, e decision.Entry) error {
	body, err := court.Canonical(e)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `insert into decision (cohort, seq, at, author, kind, submission, criterion, record, body, prev, hash)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, cohort, e.Seq, stamp(e.At), e.By, string(e.Kind), e.Submission, e.Criterion, e.Record, string(body), e.Prev, e.Hash)
	return err
}

// restand writes what stands of a submission: its run's record with all decisions.
func (d *Docket) restand(ctx context.Context, tx *sql.Tx, cohort string, p *ruled) error {
	needs, err := json.Marshal(standingNeeds(p.to, p.record, p.list))
	if err != nil {
		return err
	}
	o, machine := overallOf(p.to), overallOf(p.record).exact
	if machine != nil && o.exact != nil && *machine == *o.exact {
		machine = nil
	}
	human, published := counted(p.list, o.exact)
	if err := changeIn(ctx, tx, `update standing set overall = $5, low = $6, high = $7, capped_by = $8, needs = $9, gate = $10, human = $11, machine = $12,
			published = $13, seq = $14 where cohort = $1 and submission = $2 and run = $3 and seq = $4`, cohort, p.submission, p.run, p.seen,
		o.exact, o.low, o.high, cappedBy(p.to), string(needs), gateOf(p.to), human, machine, stamp(published), p.seq); errors.Is(err, ErrLost) {
		return d.lostTo(ctx, tx, cohort, p)
	} else if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `delete from standing_ruling where cohort = $1 and submission = $2`, cohort, p.submission); err != nil {
		return err
	}
	return overlay(ctx, tx, cohort, p)
}

// lostTo says what changed a submission since it was looked at.
func (d *Docket) lostTo(ctx context.Context, tx *sql.Tx, cohort string, p *ruled) error {
	var seq int64
	if err := tx.QueryRowContext(ctx, `select seq from standing where cohort = $1 and submission = $2`, cohort, p.submission).Scan(&seq); err != nil {
		return err
	}
	if seq != p.seen {
		return fmt.Errorf("%s: %w", p.submission, ErrConflict)
	}
	return errMoved
}

// counted are how many decisions on the rulings are in force, and when the score that stands was published; zero: it was not,
// or another one was.
func counted(list []decision.Entry, overall *int64) (n int, published time.Time) {
	for _, e := range decision.InForce(list) {
		switch e.Kind {
		case decision.Score, decision.Answer, decision.Dismiss, decision.Accept:
			n++
		case decision.Publish:
			if same := (e.To == nil) == (overall == nil); same && (e.To == nil || int64(*e.To) == *overall) {
				published = e.At
			}
		}
	}
	return n, published
}

// overlay keeps the criteria that stand otherwise than the run ruled.
func overlay(ctx context.Context, tx *sql.Tx, cohort string, p *ruled) error {
	stands := p.to
	if stands.Verdict == nil {
		return nil
	}
	for _, c := range stands.Rubric.Asked(stands.Case.Only) {
		human := stands.Case.Answer(c.ID) != nil
		exact := stands.Counts(c.ID)
		was := rulingOf(p.record, c.ID)
		if !human && (was == nil || was.Final == nil || exact == nil || *exact == was.Exact) {
			continue
		}
		var final *int
		if exact != nil {
			n := exact.Score()
			final = &n
		}
		if _, err := tx.ExecContext(ctx, `insert into standing_ruling (cohort, submission, criterion, final, exact, human) values ($1, $2, $3, $4, $5, $6)`,
			cohort, p.submission, c.ID, final, exact, flag(human)); err != nil {
			return err
		}
	}
	return nil
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func rulingOf(rec *court.Record, criterion string) *court.Ruling {
	for i := range rec.Verdict.Rulings {
		if rec.Verdict.Rulings[i].Criterion == criterion {
			return &rec.Verdict.Rulings[i]
		}
	}
	return nil
}

// settle makes what stands of a submission, whose row of standing is held, from a run that ended and all decisions.
func (d *Docket) settle(ctx context.Context, tx *sql.Tx, cohort, submission, run string, rec *court.Record) error {
	p := &ruled{submission: submission, run: run, record: rec}
	if err := tx.QueryRowContext(ctx, `select seq from standing where cohort = $1 and submission = $2`, cohort, submission).Scan(&p.seq); err != nil {
		return err
	}
	p.seen = p.seq
	rows, err := tx.QueryContext(ctx, decisionsOf, cohort, submission)
	if err != nil {
		return err
	}
	if p.list, err = entriesOf(rows); err != nil {
		return err
	}
	if p.to, err = d.applied(rec, p.list); err != nil {
		return err
	}
	return d.restand(ctx, tx, cohort, p)
}

const decisionsOf = `select body from decision where cohort = $1 and ($2 = '' or submission = $2) order by seq`

func entriesOf(rows *sql.Rows) (list []decision.Entry, err error) {
	defer func() { _ = rows.Close() }() // rows.Err tells
	for rows.Next() {
		var body string
		var e decision.Entry
		if err := rows.Scan(&body); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(body), &e); err != nil {
			return nil, fmt.Errorf("reading a decision: %w", err)
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

// Decisions are the decisions on a submission, or on all of a cohort for an empty id, in the order in which they were made.
func (d *Docket) Decisions(ctx context.Context, cohort, submission string) ([]decision.Entry, error) {
	rows, err := d.read.QueryContext(ctx, decisionsOf, cohort, submission)
	var list []decision.Entry
	if err == nil {
		list, err = entriesOf(rows)
	}
	if err != nil {
		return nil, fmt.Errorf("listing decisions: %w", err)
	}
	return list, nil
}
