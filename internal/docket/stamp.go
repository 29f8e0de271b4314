package docket

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Changed is when a submission of a cohort last changed; zero: never. Who keeps a list knows by it whether it is old.
func (d *Docket) Changed(ctx context.Context, cohort string) (time.Time, error) {
	var at sql.NullInt64
	if err := d.read.QueryRowContext(ctx, `select max(changed) from submission where cohort = $1`, cohort).Scan(&at); err != nil {
		return time.Time{}, fmt.Errorf("asking what changed: %w", err)
	}
	return moment(at.Int64), nil
}
