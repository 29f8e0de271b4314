package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// class is a cohort: a submission that was judged, one that a person marked, one without a score, and one that failed.
func class(t *testing.T) []Grade {
	t.Helper()
	answered, mistrial := answeredRecord(t), goodRecord()
	mistrial.Status, mistrial.Verdict, mistrial.Hearings, mistrial.Opinions, mistrial.Case.Answers = court.Mistrial, nil, nil, nil, nil
	list := []Grade{
		Grade{ID: "=1+1", Name: "Ruiz, Ana", Email: "@ana", State: "done"}.GradeOf(goodRecord(), goodRecord().Verdict),
		Grade{ID: "b", State: "partial", Needs: []string{"one", "two"}, CappedBy: "security_override"}.GradeOf(answered, goodRecord().Verdict),
		Grade{ID: "c", State: "failed"}.GradeOf(mistrial, nil),
		{ID: "d", State: "failed", Reason: "not there"},
	}
	return list
}

func TestGradesCSV(t *testing.T) {
	var b bytes.Buffer
	list := class(t)
	if err := WriteGradesCSV(&b, list, &Range{0, 100 * court.One}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatal(err, len(rows))
	}
	col := func(row int, name string) string { return rows[row][slices.Index(rows[0], name)] }
	if got := col(1, "id") + " " + col(1, "email"); got != "'=1+1 '@ana" {
		t.Errorf("formulas: %s", got)
	}
	local := *goodRecord()
	local.Case.RepoURL = "file:work"
	if g := (Grade{}).GradeOf(&local, nil); g.URL != "" || list[0].URL == "" {
		t.Errorf("%q of a folder of this machine, %q of an address", g.URL, list[0].URL)
	}
	for _, name := range []string{"overall", "low", "high", "court_score", "scaled"} {
		if col(1, name) == "" || col(2, name) == "" {
			t.Errorf("%s is empty where there is a score", name)
		}
		if col(3, name)+col(4, name) != "" {
			t.Errorf("%s is %q and %q where there is none", name, col(3, name), col(4, name))
		}
	}
	answer := list[1].Criteria[slices.IndexFunc(list[1].Criteria, func(m criterionMark) bool { return m.Human != nil })]
	if col(2, answer.ID) != answer.Human.Shown() || col(1, answer.ID) == col(2, answer.ID) || col(3, answer.ID)+col(4, answer.ID) != "" {
		t.Errorf("%s: %q, %q, %q", answer.ID, col(1, answer.ID), col(2, answer.ID), col(3, answer.ID))
	}
	if col(2, "scored_by_people") != answer.ID || col(1, "scored_by_people") != "" || col(2, "needs_person") != "one; two" {
		t.Errorf("%v", rows[2])
	}
	if col(2, "overall") == col(2, "court_score") || col(1, "overall") != col(1, "court_score") {
		t.Errorf("a person's marks count: %v, %v", rows[1], rows[2])
	}
}

func TestGradesJSONL(t *testing.T) {
	var b bytes.Buffer
	if err := WriteGradesJSONL(&b, class(t), nil); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, l := range lines {
		var got struct {
			ID       string
			Overall  *float64
			Scaled   *float64
			Needs    []string `json:"needs_person"`
			Criteria []struct {
				ID    string   `json:"criterion_id"`
				Score *float64 `json:"score"`
				Court *float64 `json:"court_score"`
				Human *float64 `json:"human_score"`
			}
		}
		if err := json.Unmarshal([]byte(l), &got); err != nil || got.Needs == nil || got.Criteria == nil || got.Scaled != nil {
			t.Errorf("%d: %v: %s", i, err, l)
		}
		if (got.Overall != nil) != (i < 2) {
			t.Errorf("%d: the total is %v", i, got.Overall)
		}
		human := 0
		for _, c := range got.Criteria {
			if c.Human != nil {
				human++
			}
		}
		if (human > 0) != (i == 1) {
			t.Errorf("%d: %d marks of people", i, human)
		}
	}
}

func TestGradescope(t *testing.T) {
	var b bytes.Buffer
	g := class(t)[0]
	if err := WriteGradescope(&b, g, &Range{0, 10 * court.One}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Score      float64
		Output     string
		Visibility string
		Tests      []struct {
			Name               string
			Score, Max         float64
			MaxScore           float64 `json:"max_score"`
			Output, Visibility string
		}
	}
	dec := json.NewDecoder(&b)
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if want := (int64(*g.Score-court.One)*25/1000 + 5) / 10; int64(got.Score*10+0.5) != want || got.Output == "" || got.Visibility != published {
		t.Errorf("%+v, want a score of %d tenths of %s", got, want, g.Score)
	}
	if len(got.Tests) == 0 || got.Tests[0].MaxScore != 10 || got.Tests[0].Name == "" || got.Tests[0].Visibility != published {
		t.Errorf("%+v", got.Tests)
	}
}

// A score is one number in every format, and a scale starts from it: 3.9999 is 3.99, and not 4.
func TestGradesAreOneNumber(t *testing.T) {
	rec := goodRecord()
	rec.Verdict.Overall.Exact = 39999
	g := Grade{ID: "a", State: "done"}.GradeOf(rec, rec.Verdict)
	percent := &Range{0, 100 * court.One}
	written := func(write func(io.Writer) error) string {
		t.Helper()
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	fill := func(r *Range) string {
		t.Helper()
		out, err := Fill([]byte("ID,Grade\na,\n"), []Grade{g}, Filling{Column: "Grade", Range: r})
		if err != nil {
			t.Fatal(err)
		}
		return string(out.Raw)
	}
	for name, c := range map[string][2]string{
		"csv":             {written(func(w io.Writer) error { return WriteGradesCSV(w, []Grade{g}, nil) }), ",3.99,"},
		"csv, scaled":     {written(func(w io.Writer) error { return WriteGradesCSV(w, []Grade{g}, percent) }), ",74.8,"},
		"jsonl":           {written(func(w io.Writer) error { return WriteGradesJSONL(w, []Grade{g}, percent) }), `"overall":3.99,`},
		"jsonl, scaled":   {written(func(w io.Writer) error { return WriteGradesJSONL(w, []Grade{g}, percent) }), `"scaled":74.8,`},
		"a platform":      {fill(nil), "a,3.99\n"},
		"scaled there":    {fill(percent), "a,74.8\n"},
		"gradescope":      {written(func(w io.Writer) error { return WriteGradescope(w, g, nil) }), `"score": 3.99,`},
		"gradescope of %": {written(func(w io.Writer) error { return WriteGradescope(w, g, percent) }), `"score": 74.8,`},
		"feedback":        {written(func(w io.Writer) error { return WriteFeedback(w, rec, g, nil) }), "Score: 3.99 of 5\n"},
		"feedback of %":   {written(func(w io.Writer) error { return WriteFeedback(w, rec, g, percent) }), "Score: 74.8 of 100\n"},
	} {
		if !strings.Contains(c[0], c[1]) {
			t.Errorf("%s: %q is missing in\n%s", name, c[1], c[0])
		}
	}
}

// What models cost stands beside the scores of the submissions that they judged.
func TestGradesModels(t *testing.T) {
	rec := goodRecord()
	rec.Run.Models = &court.Models{Calls: 30, In: 1000, Out: 50, USD: "0.0123"}
	list := []Grade{Grade{ID: "a"}.GradeOf(rec, rec.Verdict), Grade{ID: "b"}.GradeOf(goodRecord(), rec.Verdict)}
	list[1].Models = nil
	var b bytes.Buffer
	if err := WriteGradesCSV(&b, list, nil); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], "model_calls")
	if diff := cmp.Diff([][]string{{"model_calls", "model_tokens", "model_usd"}, {"30", "1050", "0.0123"}, {"", "", ""}}, [][]string{rows[0][at : at+3], rows[1][at : at+3], rows[2][at : at+3]}); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := WriteGradesJSONL(&b, list, nil); err != nil || !strings.Contains(b.String(), `"models":{"calls":30,`) || strings.Count(b.String(), `"models"`) != 1 {
		t.Error(err, b.String())
	}
}

func TestFeedback(t *testing.T) {
	rec := goodRecord()
	g := class(t)[0]
	var b bytes.Buffer
	if err := WriteFeedback(&b, rec, g, nil); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.HasPrefix(text, "Score: "+g.Score.Shown()+" of 5\n") {
		t.Errorf("it begins with %.40q", text)
	}
	for _, m := range g.Criteria {
		if m.Score != nil && !strings.Contains(text, m.name+": "+m.Score.Shown()+" of 5\n") {
			t.Errorf("%s is not told in %s", m.name, text)
		}
	}
	if strings.Contains(text, "Ruiz") {
		t.Error("it names the student")
	}
	b.Reset()
	rec.Verdict, rec.Status, rec.Remedies = nil, court.Mistrial, nil
	if err := WriteFeedback(&b, rec, class(t)[2], nil); err != nil || !strings.HasPrefix(b.String(), "There is no score.\nNothing could be examined.\n") {
		t.Errorf("%v %q", err, b.String())
	}
}

func TestRange(t *testing.T) {
	var r Range
	for text, want := range map[string][]string{
		"0..100": {"0", "25", "50", "100", "64.3"}, "1..5": {"1", "2", "3", "5", "3.6"}, "0..10": {"0", "2.5", "5", "10", "6.4"}, "4..6": {"4", "4.5", "5", "6", "5.3"}, "0..1.5": {"0", "0.4", "0.8", "1.5", "1"}} {
		if err := r.Set(text); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range []court.Fixed{10000, 20000, 30000, 50000, 35700} {
			got = append(got, r.text(&f))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(text, diff)
		}
		if r.text(nil) != "" {
			t.Error("no score is a grade")
		}
	}
	for _, text := range []string{"", "5", "5..", "..5", "5..5", "5..1", "-1..5", "0..99999", "a..b", "0...5"} {
		if err := r.Set(text); err == nil {
			t.Errorf("%q is a scale", text)
		}
	}
}
