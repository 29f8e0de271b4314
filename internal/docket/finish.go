package docket

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
)

// Run is one audit of a submission. Key names all that its result follows from.
type Run struct {
	Key     string
	Request string
	URL     string
	Commit  string
	PDF     string // digests of the documents
	Tool    string
}

// begin writes a run down as being at work. One that was begun before goes on.
func (r Run) begin(ctx context.Context, tx *sql.Tx, l Lease, now int64) error {
	_, err := tx.ExecContext(ctx, `insert into run (key, cohort, submission, request, repo_url, commit_id, pdf, tool, state, status, record, began, ended, millis,
			capped_by, gate, needs, faults, calls, tokens, cost, parent)
		values ($1, $2, $3, $4, $5, $6, $7, $8, 'hearing', '', '', $9, 0, 0, '', '', '[]', 0, 0, 0, 0, '')
		on conflict (key) do update set state = 'hearing', parent = run.record, began = excluded.began`,
		r.Key, l.Cohort, l.ID, r.Request, r.URL, r.Commit, r.PDF, r.Tool, now)
	return err
}

// Result is what an audit left: the record as bytes and decoded, and what lies beside it by its name.
type Result struct {
	Record *court.Record
	Raw    []byte
	Files  map[string][]byte // events.jsonl, and what submissions are compared by
}

// RecordName is the name of a run's record.
const RecordName = "record.json"

// stateOf is where a submission stands with a record.
func stateOf(rec *court.Record) (State, Class) {
	switch rec.Status {
	case court.Complete:
		return Done, ""
	case court.Partway:
		return Partial, ""
	default:
		return Failed, Mistried
	}
}

// Finish ends a run: its record, its index and the submission's state are written in one transaction. kept is false
// when another process ended the run first; then that result stands.
func (d *Docket) Finish(ctx context.Context, l Lease, key string, r Result) (kept bool, err error) {
	err = d.within(ctx, func(tx *sql.Tx) error {
		var ended int64
		done, err := tx.ExecContext(ctx, `update run set state = 'ending' where key = $1 and state = 'hearing'`, key)
		if err != nil {
			return err
		}
		if ended, err = done.RowsAffected(); err != nil || ended == 0 {
			return err
		}
		digest, err := d.put(ctx, tx, key, RecordName, r.Raw)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(r.Files)) {
			if _, err := d.put(ctx, tx, key, name, r.Files[name]); err != nil {
				return err
			}
		}
		kept = true
		return d.index(ctx, tx, l, key, digest, r.Record)
	})
	if err != nil {
		return false, fmt.Errorf("ending a run: %w", err)
	}
	return kept, nil
}

// stands makes a run that has ended the one whose scores count for its submission.
// Decisions on the submission are not in them yet.
const stands = `insert into standing (cohort, submission, run, overall, low, high, capped_by, needs, gate, human, seq, published)
	select cohort, submission, key, overall, low, high, capped_by, needs, gate, 0, 0, 0 from run where key = $1
	on conflict (cohort, submission) do update set run = excluded.run`

// index writes what lists and summaries ask for.
func (d *Docket) index(ctx context.Context, tx *sql.Tx, l Lease, key, digest string, rec *court.Record) error {
	state, class := stateOf(rec)
	needs := needsOf(rec)
	list, err := json.Marshal(needs)
	if err != nil {
		return err
	}
	now := stamp(d.now())
	o := overallOf(rec)
	calls, tokens, cost := 0, 0, llm.USD(0)
	if m := rec.Run.Models; m != nil {
		calls, tokens = m.Calls, m.In+m.Out
		if err := cost.UnmarshalText([]byte(m.USD)); err != nil { // a price is not known
			cost = unpriced
		}
	}
	steps := []struct {
		statement string
		args      []any
	}{
		{`delete from ruling where run = $1`, []any{key}},
		{`delete from finding where run = $1`, []any{key}},
		{`delete from event where run = $1`, []any{key}},
		{`update run set state = $2, status = $3, record = $4, ended = $5, millis = $6, overall = $7, low = $8, high = $9, coverage = $10, capped_by = $11,
			gate = $12, needs = $13, faults = $14, calls = $15, tokens = $16, cost = $17 where key = $1`,
			[]any{key, state, rec.Status, digest, now, rec.Run.Millis, o.exact, o.low, o.high, o.coverage, cappedBy(rec), gateOf(rec), string(list), len(rec.Faults), calls, tokens, int64(cost)}},
		{stands, []any{key}},
	}
	for _, s := range steps {
		if _, err := tx.ExecContext(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	if err := d.settle(ctx, tx, l.Cohort, l.ID, key, rec); err != nil {
		return err
	}
	if rec.Status == court.Complete { // others may be opened again
		if _, err := tx.ExecContext(ctx, `delete from journal where run = $1`, key); err != nil {
			return err
		}
	}
	if err := rulings(ctx, tx, key, rec); err != nil {
		return err
	}
	if err := findings(ctx, tx, key, rec); err != nil {
		return err
	}
	return changeIn(ctx, tx, `update submission set state = $4, class = $5, reason = $6, run = $7, leased_by = '', leased_until = 0, changed = $8
		where cohort = $1 and id = $2 and leased_by = $3 and state = 'hearing'`, l.Cohort, l.ID, l.Holder, state, class, mistrial(rec), key, now)
}

// gateOf is the outcome of a record's gate; empty: none was set.
func gateOf(rec *court.Record) string {
	if rec.Gate == nil {
		return ""
	}
	return rec.Gate.Outcome
}

func mistrial(rec *court.Record) string {
	if rec.Status == court.Mistrial {
		return "nothing of the submission could be examined"
	}
	return ""
}

// unpriced is the cost of a run whose models' price is not known.
const unpriced llm.USD = -1

// scores are the numbers of a record; nil where there is none.
type scores struct{ exact, low, high, coverage *int64 }

func number(f court.Fixed) *int64 { n := int64(f); return &n }

func overallOf(rec *court.Record) (s scores) {
	if rec.Verdict == nil {
		return s
	}
	o := rec.Verdict.Overall
	s = scores{low: number(o.Low), high: number(o.High), coverage: number(o.Coverage)}
	if !o.Unscored {
		s.exact = number(o.Exact)
	}
	return s
}

// cappedBy is the rule that caps a criterion of the record.
func cappedBy(rec *court.Record) string {
	if rec.Verdict != nil {
		for _, r := range rec.Verdict.Rulings {
			if rule := r.CappedBy(); rule != "" {
				return rule
			}
		}
	}
	return ""
}

func rulings(ctx context.Context, tx *sql.Tx, key string, rec *court.Record) error {
	if rec.Verdict == nil {
		return nil
	}
	for n, r := range rec.Verdict.Rulings {
		seat := map[court.Persona]*int{}
		round := 0
		for _, o := range rec.Opinions {
			if o.Criterion == r.Criterion && o.Round >= round {
				seat[o.Judge], round = &o.Score, o.Round
			}
		}
		var exact *int64
		if r.Final != nil {
			exact = number(r.Exact)
		}
		overruled := make([]string, len(r.Overruled))
		for i, j := range r.Overruled {
			overruled[i] = string(j)
		}
		if _, err := tx.ExecContext(ctx, `insert into ruling (run, seq, criterion, final, exact, low, high, status, spread, prosecutor, defense, techlead, overruled)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`, key, n, r.Criterion, r.Final, exact, int64(r.Low), int64(r.High), r.Status, r.Spread,
			seat[court.Prosecutor], seat[court.Defense], seat[court.TechLead], strings.Join(overruled, ",")); err != nil {
			return err
		}
	}
	return nil
}

// findings are how every check came out; what speaks against a submission, in whole or in part, has its place, too.
func findings(ctx context.Context, tx *sql.Tx, key string, rec *court.Record) error {
	for _, criterion := range slices.Sorted(maps.Keys(rec.Evidences)) {
		for _, x := range rec.Evidences[criterion] {
			if !x.Stands() {
				continue
			}
			place, quote := "", ""
			if slices.Contains([]court.Outcome{court.Violation, court.Absent, court.Partial}, x.Outcome) {
				quote = Digest([]byte(strings.Join(strings.Fields(x.Content), " ")))
				if len(x.At) > 0 {
					place = x.At[0].String()
				}
			}
			if _, err := tx.ExecContext(ctx, `insert into finding (run, label, criterion, question, outcome, place, quote) values ($1, $2, $3, $4, $5, $6, $7)`,
				key, x.Label, criterion, x.Check, x.Outcome, place, quote); err != nil {
				return err
			}
		}
	}
	return nil
}
