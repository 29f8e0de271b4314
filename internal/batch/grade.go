package batch

import (
	"context"
	"fmt"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// Grade is what goes out of a submission, with the record as it stands; nil where there is none. Of the person, name and mail
// are told.
func (c *Cohort) Grade(ctx context.Context, d *docket.Docket, row docket.Row, person Entry) (report.Grade, *court.Record, error) {
	x := report.Grade{ID: row.ID, Name: person.Name, Email: person.Email, State: string(row.State), Reason: row.Reason, CappedBy: row.CappedBy, Needs: row.Needs, Decisions: row.Human}
	if !row.Published.IsZero() {
		x.Published = row.Published.Format(time.RFC3339)
	}
	if row.Record == "" || row.State != docket.Done && row.State != docket.Partial {
		return x, nil, nil
	}
	machine, rec, err := c.Standing(ctx, d, row)
	if err != nil {
		return x, nil, fmt.Errorf("reading the record of %q: %w", row.ID, err)
	}
	alone, err := withoutPeople(machine)
	if err != nil {
		return x, nil, fmt.Errorf("ruling on %q: %w", row.ID, err)
	}
	return x.GradeOf(rec, alone), rec, nil
}

// withoutPeople is the verdict as it is without what people gave.
func withoutPeople(rec *court.Record) (*court.Verdict, error) {
	if len(rec.Case.Answers) == 0 {
		return rec.Verdict, nil
	}
	alone := *rec
	alone.Case.Answers = nil
	return trial.Replay(&alone)
}
