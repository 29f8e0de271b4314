package report

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// TestSeatsOfABlindCriterionSayNothing fails when judges who had no check to
// go by are shown with the scores of total ignorance.
func TestSeatsOfABlindCriterionSayNothing(t *testing.T) {
	rec := crowd(1)
	for i := range rec.Hearings {
		rec.Hearings[i].Blind = true
	}
	var b bytes.Buffer
	if err := writeCSV(&b, rec); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) < 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if seats := strings.Join(rows[1][5:8], ""); seats != "–––" {
		t.Errorf("the seats of %s said %q", rows[1][3], seats)
	}
	if spread := rows[1][15]; spread != "" {
		t.Errorf("the spread of %s is %q", rows[1][3], spread)
	}
	if last := rows[len(rows)-1]; last[3] != "overall" || last[11] == "" {
		t.Errorf("the last line is %q", last)
	}
	d := newDocket(rec)
	for _, seat := range seats() {
		if s := d.said(rows[1][3], seat); s != court.NoScore {
			t.Errorf("%s said %q", seat, s)
		}
	}
}
