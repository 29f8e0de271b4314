package docket

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/graph"
)

// mostJournal bounds what is read into memory of one run, in bytes.
const mostJournal = 256 << 20

// journal keeps the outcomes of one run's tasks.
type journal struct {
	d   *Docket
	run string
}

// Journal is the journal of a run.
func (d *Docket) Journal(run string) graph.Journal { return journal{d, run} }

// Load reads what is kept.
func (j journal) Load(ctx context.Context) (list []graph.Record, err error) {
	size := 0
	err = j.d.each(ctx, "reading the journal", func(rows *sql.Rows) error {
		var r graph.Record
		var at int64
		if err := rows.Scan(&r.Task, (*[]byte)(&r.Outcome), &at); err != nil {
			return err
		}
		if size += len(r.Outcome); size > mostJournal {
			return fmt.Errorf("%w: more than %d bytes", graph.ErrNotJournal, mostJournal)
		}
		r.At = moment(at)
		list = append(list, r)
		return nil
	}, `select task, outcome, at from journal where run = $1`, j.run)
	return list, err
}

// Append keeps a record, unless the task has one already: then that one is kept.
func (j journal) Append(ctx context.Context, r graph.Record) (graph.Record, error) {
	var at int64
	kept := graph.Record{Task: r.Task}
	err := j.d.patiently(ctx, func() error {
		return j.d.write.QueryRowContext(ctx, `insert into journal (run, task, outcome, at) values ($1, $2, $3, $4)
			on conflict (run, task) do update set task = excluded.task returning outcome, at`, j.run, r.Task, []byte(r.Outcome), stamp(r.At)).
			Scan((*[]byte)(&kept.Outcome), &at)
	})
	if err != nil {
		return graph.Record{}, fmt.Errorf("writing the journal: %w", err)
	}
	kept.At = moment(at)
	return kept, nil
}

// Drop forgets a run's journal: nothing of it fits the run any more.
func (d *Docket) Drop(ctx context.Context, run string) error {
	if _, err := d.write.ExecContext(ctx, `delete from journal where run = $1`, run); err != nil {
		return fmt.Errorf("dropping the journal: %w", err)
	}
	return nil
}
