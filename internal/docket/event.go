package docket

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Happening is what a run told in about a second, as lines of JSON. Seq grows over all that is told of a submission, also
// when another process goes on with it or it is judged again later: it is the time in milliseconds, or one more than the one before.
type Happening struct {
	Seq   int64
	Lines string
	At    time.Time
}

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

// Events are what a run that is at work told behind a number, in order.
func (d *Docket) Events(ctx context.Context, run string, after int64) (list []Happening, err error) {
	err = d.each(ctx, "reading events", func(rows *sql.Rows) error {
		var h Happening
		var at int64
		err := rows.Scan(&h.Seq, &h.Lines, &at)
		h.At = moment(at)
		list = append(list, h)
		return err
	}, `select seq, lines, at from event where run = $1 and seq > $2 order by seq`, run, after)
	return list, err
}
