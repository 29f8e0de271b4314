package cli

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// cohortIn makes a cohort of four: a is done, b is done and a person marked it, c failed, and d was not begun.
func cohortIn(t *testing.T, dir string) {
	t.Helper()
	ctx := context.Background()
	const id = "c0ffee000001"
	roster := []batch.Entry{{ID: "s-01", Name: "Ana Ruiz", Email: "ana@example.org", Target: "x"}, {ID: "s-02", Name: "Ben", Email: "Ben@example.org", Target: "x"}, {ID: "s-03", Target: "x"}, {ID: "s-04", Target: "x"}}
	if err := (&batch.Cohort{Schema: batch.Schema, ID: id, Roster: roster}).Write(dir); err != nil {
		t.Fatal(err)
	}
	d, err := docket.Open(ctx, dir, docket.Setup{Now: time.Now, Ruling: trial.Ruling})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(d.Found(ctx, docket.Cohort{ID: id, Tool: "automaton 0.0.0", Law: court.Law, Terms: "{}"}))
	var list []docket.Submission
	for i, e := range roster {
		list = append(list, docket.Submission{ID: e.ID, Seq: int64(i), Folder: e.ID, Request: e.ID, Spec: "{}"})
	}
	must(d.Enrol(ctx, id, list))
	for i, name := range []string{"good.json", "good.json", ""} {
		s, ok, err := d.Claim(ctx, id, "me", 0)
		if err != nil || !ok || s.ID != roster[i].ID {
			t.Fatal(s.ID, ok, err)
		}
		l := docket.Lease{Cohort: id, ID: s.ID, Holder: "me"}
		if name == "" {
			must(d.Fail(ctx, l, docket.Private, "there is no such repository", time.Time{}))
			continue
		}
		raw, err := os.ReadFile(filepath.Join("..", "report", "testdata", name))
		must(err)
		rec, err := store.Decode(raw)
		must(err)
		if i == 1 {
			rec.Case.Answers = []court.Answer{{Criterion: rec.Rubric.Criteria[0].ID, Score: 2 * court.One, By: "a tutor", Override: true}}
			raw, err = json.Marshal(rec)
			must(err)
		}
		_, err = d.Pin(ctx, l, docket.Run{Key: s.ID})
		must(err)
		_, err = d.Finish(ctx, l, s.ID, docket.Result{Record: rec, Raw: raw})
		must(err)
	}
	must(d.Close())
}

// Reading a cohort needs nothing that another process holds; removing what it keeps does.
func TestReportBeside(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.Dir, "c7")
	cohortIn(t, dir)
	d, err := docket.Open(t.Context(), dir, docket.Setup{Now: time.Now, Ruling: trial.Ruling})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	if code := w.run("report", "c7", "-f", "csv"); code != 0 || !strings.Contains(w.out.String(), "s-01") {
		t.Error(code, w.err.String())
	}
	if code := w.run("report", "c7", "--forget", "source"); code != exitUsage || !strings.Contains(w.err.String(), "wait until it ends") {
		t.Error(code, w.err.String())
	}
}

func TestReportCohort(t *testing.T) {
	w := newWorld(t)
	cohortIn(t, filepath.Join(w.Dir, "c7"))

	if code := w.run("report", "c7"); code != 0 || !strings.Contains(w.out.String(), "s-03") {
		t.Fatal(code, w.err.String(), w.out.String())
	}
	if code := w.run("report", "c7", "--json"); code != 0 || !json.Valid([]byte(w.out.String())) {
		t.Fatal(code, w.err.String(), w.out.String())
	}
	if code := w.run("report", "c7", "-f", "csv"); code != 0 {
		t.Fatal(code, w.err.String())
	}
	rows, err := csv.NewReader(strings.NewReader(w.out.String())).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatal(err, rows)
	}
	col := func(row int, name string) string { return rows[row][slices.Index(rows[0], name)] }
	if got := strings.Join([]string{col(1, "status"), col(2, "status"), col(3, "status"), col(4, "status")}, " "); got != "done done failed pending" {
		t.Error(got)
	}
	if col(1, "overall") == "" || col(3, "overall")+col(4, "overall") != "" || col(1, "court_score") != col(1, "overall") || col(2, "scored_by_people") == "" {
		t.Errorf("%q", rows)
	}
	if col(1, "name") != "Ana Ruiz" || w.run("report", "c7", "-f", "csv", "--ids-only") != 0 || strings.Contains(w.out.String(), "Ana") || strings.Contains(w.out.String(), "@") {
		t.Error("names: ", w.out.String())
	}

	if code := w.run("report", "c7", "-o", "grades.jsonl", "--scale", "0..100"); code != 0 || w.out.Len() > 0 {
		t.Fatal(code, w.err.String(), w.out.String())
	}
	if raw, err := os.ReadFile(filepath.Join(w.Dir, "grades.jsonl")); err != nil || strings.Count(string(raw), "\n") != 4 || !strings.Contains(string(raw), `"scaled":`) {
		t.Error(err, string(raw))
	}

	w.file(t, "export.csv", "Student,ID,SIS Login ID,Project (7)\n    Points Possible,,,100\nRuiz,1,s-01,\nBen,2,ben@example.org,7\nEve,3,s-03,8\nX,4,other,\n")
	if code := w.run("report", "c7", "-f", "canvas", "--into", "export.csv", "--column", "Project (7)", "--scale", "0..100"); code != 0 {
		t.Fatal(code, w.err.String())
	}
	lines := strings.Split(w.out.String(), "\n")
	if lines[2] == "Ruiz,1,s-01," || lines[3] == "Ben,2,ben@example.org,7" || lines[4] != "Eve,3,s-03," || lines[5] != "X,4,other," {
		t.Errorf("%q", lines)
	}
	for _, want := range []string{"1 row has no submission in export.csv: line 6", "1 submission has no row of its own: s-04", "1 submission has no score, and the cell is empty: s-03"} {
		if !strings.Contains(w.err.String(), want) {
			t.Errorf("%q is not said in:\n%s", want, w.err.String())
		}
	}

	for format, files := range map[string][]string{"gradescope": {"results.json"}, "feedback": {"report.html", "report.md", "feedback.txt"}} {
		if code := w.run("report", "c7", "-f", format, "-o", format); code != 0 {
			t.Fatal(format, code, w.err.String())
		}
		for _, id := range []string{"s-01", "s-02", "s-03", "s-04"} {
			for _, f := range files {
				raw, err := os.ReadFile(filepath.Join(w.Dir, format, id, f))
				if (err == nil) != (id < "s-03") {
					t.Errorf("%s of %s: %v", f, id, err)
				}
				if strings.Contains(string(raw), "Ruiz") || strings.Contains(string(raw), "ana@") {
					t.Errorf("%s of %s names the student", f, id)
				}
			}
		}
		if !strings.Contains(w.err.String(), "s-04") {
			t.Errorf("%s: %s", format, w.err.String())
		}
	}
}

// Grades follow what people decided, and say what the court alone gives; drafts stay inside when they are asked to.
func TestReportDecided(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.Dir, "c7")
	cohortIn(t, dir)
	c, err := batch.ReadCohort(dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := docket.Open(t.Context(), dir, docket.Setup{Now: time.Now, Ruling: trial.Ruling})
	if err != nil {
		t.Fatal(err)
	}
	low := court.One
	_, err = c.Decide(t.Context(), d, dir, nil,
		decision.Entry{By: "t", Kind: decision.Score, Submission: "s-01", Criterion: "criterion_2", To: &low, Reason: "it was not there in the exam"},
		decision.Entry{By: "t", Kind: decision.Publish, Submission: "s-01"})
	if err := errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
	grades := func(args ...string) (rows [][]string, col func(row int, name string) string) {
		t.Helper()
		if code := w.run(append([]string{"report", "c7", "-f", "csv"}, args...)...); code != 0 {
			t.Fatal(code, w.err.String())
		}
		rows, err := csv.NewReader(strings.NewReader(w.out.String())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows, func(row int, name string) string { return rows[row][slices.Index(rows[0], name)] }
	}
	_, col := grades()
	if col(1, "criterion_2") != "1.00" || col(1, "overall") >= col(1, "court_score") || col(1, "scored_by_people") != "criterion_2" || col(1, "published") == "" || col(2, "published") != "" {
		t.Error(w.out.String())
	}
	rows, _ := grades("--published-only")
	if len(rows) != 2 || rows[1][0] != "s-01" || !strings.Contains(w.err.String(), "3 submissions are left out, because nobody published the score: s-02, s-03, s-04") {
		t.Error(rows, w.err.String())
	}
	w.file(t, "export.csv", "SIS Login ID,Project\ns-01,9\ns-02,9\ns-03,9\n")
	if code := w.run("report", "c7", "-f", "canvas", "--into", "export.csv", "--column", "Project", "--published-only"); code != 0 {
		t.Fatal(code, w.err.String())
	}
	if lines := strings.Split(w.out.String(), "\n"); lines[1] == "s-01,9" || lines[2] != "s-02,9" || lines[3] != "s-03,9" || strings.Contains(w.err.String(), "no submission") {
		t.Error(lines, w.err.String())
	}
	if code := w.run("report", "c7", "-f", "jsonl"); code != 0 || !strings.Contains(w.out.String(), `"human_score":1,`) || !strings.Contains(w.out.String(), `"decisions":1`) {
		t.Error(code, w.out.String())
	}
	if code := w.run("report", "c7", "-f", "decisions"); code != 0 || strings.Count(w.out.String(), "\n") != 2 || !strings.HasPrefix(w.out.String(), `{"answers":[],"at":`) {
		t.Error(code, w.out.String())
	}
	if file, err := os.ReadFile(filepath.Join(dir, batch.DecisionsName)); err != nil || string(file) != w.out.String() {
		t.Error(string(file), err)
	}
	if code := w.run("report", "c7"); code != 0 || !strings.Contains(w.out.String(), "People decided on 1 case, and 1 has another total by that: s-01 (court") || !strings.Contains(w.out.String(), "1 score is published; the others are drafts.") {
		t.Error(code, w.out.String())
	}
	if code := w.run("report", "c7", "-f", "feedback", "-o", "out"); code != 0 {
		t.Fatal(code, w.err.String())
	}
	text, err := os.ReadFile(filepath.Join(w.Dir, "out", "s-01", "feedback.txt"))
	if err != nil || !strings.Contains(string(text), ": 1.00 of 5") {
		t.Error(string(text), err)
	}
	if code := w.run("replay", "out/s-01/report.html"); code != 0 {
		t.Error("the page does not hold its own verdict: ", w.err.String())
	}
}

func TestReportCohortRefuses(t *testing.T) {
	w := newWorld(t)
	cohortIn(t, filepath.Join(w.Dir, "c7"))
	w.file(t, "export.csv", "ID,Grade\ns-01,\n")
	w.refuses(t, map[string]string{
		"report c7 -f md":                    "is not a format of a cohort",
		"report c7 -f canvas":                "fills a column",
		"report c7 -f csv --into export.csv": "--into, --column and --match are for",
		"report c7 -f canvas --into export.csv --column Grade --feedback Note": "--feedback is for -f moodle",
		"report c7 -f gradescope":                          "writes a folder",
		"report c7 -f csv --scale 5..1":                    "--scale",
		"report c7 -f moodle --into none.csv --column x":   "reading none.csv",
		"report c7 -f moodle --into export.csv --column x": "it has no column \"x\" (have \"ID\", \"Grade\")",
		"report x -f canvas":                               "this is a record",
		"report --scale 0..100":                            "this is a record",
		"report c7 -f csv --open":                          "--open",
		"report c7 --published-only":                       "--published-only is for grades",
	})
}
