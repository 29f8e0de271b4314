package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/calibration"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/store"
)

// markedCases writes n case folders below cases/, of which each criterion has another score, and marks that are a point
// lower.
func markedCases(t *testing.T, w *world, n int) (criterion string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "report", "testdata", "good.json"))
	if err != nil {
		t.Fatal(err)
	}
	marks := "case,criterion_id,score\nnobody,CRITERION,3\n"
	for i := range n {
		rec, err := store.Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		exact := 2*court.One + court.Fixed(i)*3*court.One/court.Fixed(n)
		r := &rec.Verdict.Rulings[0]
		criterion = r.Criterion
		r.Exact, r.Holdings, r.Status = exact, nil, court.Proven
		rec.Case.ID = fmt.Sprintf("case-%d", i)
		text, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		w.file(t, fmt.Sprintf("cases/f%d/record.json", i), string(text))
		marks += fmt.Sprintf("%s,%s,%s\n", []string{rec.Case.ID, fmt.Sprintf("f%d", i)}[i%2], criterion, exact-court.One)
	}
	w.file(t, "cases/notes.json", "{}")
	w.file(t, "marks.csv", strings.ReplaceAll(marks, "CRITERION", criterion))
	return criterion
}

func TestCalibrate(t *testing.T) {
	w := newWorld(t)
	id := markedCases(t, w, 10)
	if code := w.run("calibrate", "marks.csv", "--records", "cases", "-o", "c.json"); code != 0 {
		t.Fatal(code, w.err.String())
	}
	for _, want := range []string{"  court                       10   0.00", "  1.00   1.00\n", "court with a map, unseen", "The scores 1, 2, 3, 4 and 5 become 1.00, 1.00, 2.00, 3.00, 4.00.",
		"With the map ERROR goes from 1.00 to "} {
		if !strings.Contains(w.out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, w.out.String())
		}
	}
	if !strings.Contains(w.err.String(), "1 case has a mark and no record with a verdict: nobody") {
		t.Error(w.err.String())
	}
	raw, err := os.ReadFile(filepath.Join(w.Dir, "c.json"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := calibration.Read(raw)
	if err != nil || len(f.Criteria) != 1 || f.Criteria[0].ID != id || f.Criteria[0].Map == nil {
		t.Errorf("%v %+v", err, f)
	}
	if code := w.run("calibrate", "marks.csv", "--records", "cases", "--json"); code != 0 || !json.Valid([]byte(w.out.String())) {
		t.Error(code, w.out.String())
	}
}

// In a cohort a case is known by the id of its student alone.
func TestCalibrateCohort(t *testing.T) {
	w := newWorld(t)
	id := markedCases(t, w, 1)
	c := batch.Cohort{Schema: batch.Schema, ID: "c0ffee000001", Roster: []batch.Entry{{ID: "Ana Ruiz", Target: "x"}}}
	if err := c.Write(filepath.Join(w.Dir, "c7")); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(w.Dir, "cases", "f0", "record.json"))
	if err != nil {
		t.Fatal(err)
	}
	w.file(t, "c7/cases/Ana_Ruiz/record.json", string(raw))
	w.file(t, "marks.csv", "case,criterion_id,score\nAna Ruiz,"+id+",2\n")
	if code := w.run("calibrate", "marks.csv", "--records", "c7"); code != 0 || !strings.Contains(w.out.String(), "There is no map: it has 1 anchor, and a map needs 8.") {
		t.Error(code, w.err.String(), w.out.String())
	}
}

func TestCalibrateRefuses(t *testing.T) {
	w := newWorld(t)
	id := markedCases(t, w, 2)
	w.file(t, "bad.csv", "case,criterion_id,score\nf0,"+id+",9\nf1,none,1\n")
	w.file(t, "empty/x.txt", "")
	w.file(t, "text.json", "{}")
	w.refuses(t, map[string]string{
		"calibrate marks.csv":                                    "--records is missing",
		"calibrate marks.csv --records none":                     "no such file",
		"calibrate marks.csv --records empty":                    "there is none with a verdict",
		"calibrate none.csv --records cases":                     "reading none.csv",
		"calibrate bad.csv --records cases":                      "bad.csv:2: the score \"9\" of",
		"audit . --calibration text.json --offline":              "it lies inside the audited tree",
		"audit . --calibration none.json --trust-tree --offline": "reading none.json",
		"audit . --calibration text.json --trust-tree --offline": "its schema is \"\"",
	})
}
