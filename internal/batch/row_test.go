package batch

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// A submission is taken at its place in the roster, by one at a time, and once it has ended, by nobody.
func TestExamine(t *testing.T) {
	now := time.UnixMilli(1_790_000_000_000)
	clock := func() time.Time { return now }
	d, err := docket.Open(t.Context(), t.TempDir(), docket.Setup{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	rows := []docket.Submission{{ID: "ada", Folder: "ada"}, {ID: "bob", Seq: 1, Folder: "bob"}}
	if err := errors.Join(d.Found(t.Context(), docket.Cohort{ID: "c"}), d.Enrol(t.Context(), "c", rows)); err != nil {
		t.Fatal(err)
	}
	opened := 0
	court := &Court{Limit: time.Minute, Clock: clock, Submission: func(Entry) (trial.Submission, error) {
		opened++
		return trial.Submission{}, errors.New("it cannot be opened")
	}}
	l := &Local{Docket: d, Cohort: "c", Court: court, Now: clock, Entry: func(id string) Entry { return Entry{ID: id} }}
	examine := func(row int64, want docket.State) {
		t.Helper()
		out, err := l.Examine(context.Background(), Ref{Cohort: "c", Row: row}, nil)
		if err != nil || out.State != want {
			t.Fatalf("row %d: %+v, %v; wanted %s", row, out, err, want)
		}
	}
	if _, _, err := d.ClaimAt(t.Context(), "c", 1, "other", 0); err != nil {
		t.Fatal(err)
	}
	examine(0, docket.Failed)
	examine(0, docket.Failed) // at once, as nothing is open
	examine(1, docket.Fetching)
	if opened != 1 {
		t.Errorf("%d were opened", opened)
	}
	now = now.Add(time.Hour) // the other one died
	examine(1, docket.Failed)
	if opened != 2 {
		t.Errorf("%d were opened", opened)
	}
	if _, err := l.Examine(context.Background(), Ref{Cohort: "c", Row: 2}, nil); !errors.Is(err, docket.ErrUnknown) {
		t.Error(err)
	}
}
