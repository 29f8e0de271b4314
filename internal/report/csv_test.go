package report

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
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

// The rows add up to the total: the mean of effective by weight is the effective of
// the last row, also where a person decided, and so it is with low and high.
func TestRowsAddUp(t *testing.T) {
	for name, rec := range map[string]*court.Record{"good": goodRecord(), "answered": answeredRecord(t)} {
		var b bytes.Buffer
		if err := writeCSV(&b, rec); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		col := func(name string) int { return slices.Index(rows[0], name) }
		total := rows[len(rows)-1]
		for _, of := range []string{"effective", "low", "high"} {
			sum, weights := 0.0, 0.0
			for _, r := range rows[1 : len(rows)-1] {
				score, err := strconv.ParseFloat(r[col(of)], 64)
				weight, err2 := strconv.ParseFloat(r[col("weight")], 64)
				if err == nil && err2 == nil {
					sum, weights = sum+score*weight, weights+weight
				}
			}
			want, err := strconv.ParseFloat(total[col(of)], 64)
			if mean := sum / weights; err != nil || math.Abs(mean-want) > 0.011 {
				t.Errorf("%s: the %s of the rows is %.3f, the last row has %s", name, of, mean, total[col(of)])
			}
		}
	}
}

// answeredRecord is a good one with a criterion that a person marked otherwise.
func answeredRecord(t *testing.T) *court.Record {
	t.Helper()
	rec := copyOf(t, goodRecord())
	first := rec.Verdict.Rulings[0]
	rec.Case.Answers = []court.Answer{{Criterion: first.Criterion, Score: fx("2"), By: "A. Tutor", Override: true}}
	n := court.Fixed(len(rec.Verdict.Rulings))
	all := &rec.Verdict.Overall
	all.Exact += (fx("2") - first.Exact) / n
	all.Low += (fx("2") - first.Low) / n
	all.High += (fx("2") - first.High) / n
	return rec
}

// A person's score stands beside the court's, and the one that counts is told in
// every format.
func TestAnsweredInEveryFormat(t *testing.T) {
	rec := answeredRecord(t)
	for format, want := range map[string]string{
		"text": "HUMAN  COUNTS\n", "md": "| Exact | Human | Counts | Note |", "csv": ",5,4.78,2.00,2.00,2.00,2.00,proven,", "junit": "A. Tutor gave 2.00",
	} {
		if text := inFormat(t, format, rec); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", format, want, text[:min(len(text), 3000)])
		}
	}
}
