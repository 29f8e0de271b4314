package docket

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// Tell writes down what a run that is at work told, for who watches from elsewhere. It goes when the run ends, and
// what comes after that is passed over.
func (d *Docket) Tell(ctx context.Context, run string, lines []byte) error {
	_, err := d.write.ExecContext(ctx, `insert into event (run, seq, lines, at)
		select $1, (select case when coalesce(max(seq), 0) >= $3 then max(seq) + 1 else $3 end from event where run = $1), $2, $3
		from run where key = $1 and state = 'hearing'`, run, string(lines), stamp(d.now()))
	if err != nil {
		return fmt.Errorf("writing events: %w", err)
	}
	return nil
}

// Events are the lines that a run which is at work told behind a number, and the number of the last. Numbers grow over all that
// is told of a submission, also when another process goes on with it or it is judged again: each is the time in milliseconds,
// or one more than the one before.
func (d *Docket) Events(ctx context.Context, run string, after int64) (lines string, last int64, err error) {
	var b strings.Builder
	last = after
	err = d.each(ctx, "reading events", func(rows *sql.Rows) error {
		var more string
		err := rows.Scan(&last, &more)
		b.WriteString(more)
		return err
	}, `select seq, lines from event where run = $1 and seq > $2 order by seq`, run, after)
	return b.String(), last, err
}
