package docket

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Stamp tells one state of a cohort from another: while it is the same, a list that was made with it is right, but for
// what may have come in the same millisecond.
type Stamp struct {
	Changed time.Time // of a submission, the last; zero: none
	Decided int64     // number of the newest decision; 0: none
}

// Stamp is the state of a cohort.
func (d *Docket) Stamp(ctx context.Context, cohort string) (s Stamp, err error) {
	var changed, decided sql.NullInt64
	err = d.patiently(ctx, func() error {
		return d.read.QueryRowContext(ctx, `select (select max(changed) from submission where cohort = $1), (select max(seq) from decision where cohort = $1)`,
			cohort).Scan(&changed, &decided)
	})
	if err != nil {
		return s, fmt.Errorf("asking what changed: %w", err)
	}
	return Stamp{moment(changed.Int64), decided.Int64}, nil
}
