package docket

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Cohort is what all its cases have in common. Its digests say what a case rests on besides the submission.
type Cohort struct {
	ID      string // 12 random hex digits
	Created time.Time
	Tool    string // version of the program: one for all cases
	Law     int
	Rubric  string // digest
	Checks  string // digest
	Bench   string // digest
	Terms   string // JSON: gate, criteria, flags
	Roster  string // digest
}

// ErrUnknown says that the database holds no such cohort, submission or blob.
var ErrUnknown = errors.New("not in the store")

// Found writes a cohort down, or, when it is there, what may change of it: the tool, the digests, the terms, the roster.
func (d *Docket) Found(ctx context.Context, c Cohort) error {
	_, err := d.write.ExecContext(ctx, `insert into cohort (id, created, tool, law, rubric, checks, bench, terms, roster, state, generation, published)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open', 1, 0)
		on conflict (id) do update set tool = excluded.tool, law = excluded.law, rubric = excluded.rubric, checks = excluded.checks,
			bench = excluded.bench, terms = excluded.terms, roster = excluded.roster`,
		c.ID, stamp(c.Created), c.Tool, c.Law, c.Rubric, c.Checks, c.Bench, c.Terms, c.Roster)
	if err != nil {
		return fmt.Errorf("writing cohort: %w", err)
	}
	return nil
}
