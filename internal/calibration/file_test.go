package calibration

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

var rubric = court.Rubric{Digest: "r", Checks: "c", Criteria: []court.Criterion{{ID: "git"}, {ID: "essay", Scale: court.Scale{Kind: "points", Min: 0, Max: 20 * court.One}},
	{ID: "talk", Scale: court.Scale{Kind: "levels", Min: 0, Max: 10 * court.One, Exclude: "n/a", Levels: []court.Level{{Name: "n/a"}, {Name: "Poor"}, {Name: "Good", ID: "g", Points: 10 * court.One}}}}}}

// heard is a case whose criterion git has a score, in a record of its own.
func heard(name string, exact court.Fixed) Heard {
	final := exact.Score()
	rec := &court.Record{Rubric: rubric, Origin: court.Origin{Law: 3, Bench: map[court.Persona]string{court.TechLead: "embedded/1"}, BenchSum: "b"},
		Opinions: []court.Opinion{{Criterion: "git", Judge: court.TechLead, Round: 2, Exact: exact}, {Criterion: "git", Judge: court.TechLead, Round: 1, Exact: 11111}},
		Verdict:  &court.Verdict{Rulings: []court.Ruling{{Criterion: "git", Exact: exact, Final: &final, Status: court.Proven}}}}
	rec.Case.ID = name
	return Heard{rec, []string{name}}
}

// milder is a court that gives each of n cases a point more than two people, who differ by a point.
func milder(n int) (list []Heard, marks []Mark) {
	for i := range n {
		name := fmt.Sprintf("c%d", i)
		exact := 2*court.One + court.Fixed(i)*3*court.One/court.Fixed(n)
		list = append(list, heard(name, exact))
		marks = append(marks, Mark{Case: name, Criterion: "git", Marker: "a", Score: exact - court.One + 1000}, Mark{Case: name, Criterion: "git", Marker: "b", Score: exact - court.One - 1000})
	}
	return list, marks
}

func TestMarks(t *testing.T) {
	got, err := Marks([]byte("\ufeffmarker,Case,criterion_id,score\na,1,git,3.5\nb,1,git,4\na,1,essay,15\na,1,talk,good\na,2,talk,G\na,3,talk,n/a\na,4,talk,poor\n"), &rubric)
	want := []Mark{{2, "1", "git", "a", 35000}, {3, "1", "git", "b", 40000}, {4, "1", "essay", "a", 40000}, {5, "1", "talk", "a", 50000}, {6, "2", "talk", "a", 50000}, {8, "4", "talk", "a", 10000}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if got, err := Marks([]byte("case;criterion_id;score\n1;git;5\n"), &rubric); err != nil || len(got) != 1 || got[0].Score != 5*court.One {
		t.Error(got, err)
	}
	_, err = Marks([]byte("case,criterion_id,score\n1,git,6\n1,gti,3\n,git,3\n2,git,3\n2,git,4\n3,essay,\n4,talk,fine\n"), &rubric)
	var bad Problems
	wantBad := Problems{`2: the score "6" of "git" is not a number from 1 to 5`, `3: the rubric has no criterion "gti"`, "4: the case is empty", `6: "" marks "git" of "2" on line 5, too`,
		`7: the score "" of "essay" is not a number from 0 to 20`, `8: the score "fine" of "talk" is not a number from 0 to 10`}
	if errors.As(err, &bad); !cmp.Equal(wantBad, bad) {
		t.Error(cmp.Diff(wantBad, bad))
	}
	if _, err := Marks([]byte("case,score\n1,2\n"), &rubric); err == nil || !strings.Contains(err.Error(), "criterion_id") {
		t.Error(err)
	}
}

func TestFile(t *testing.T) {
	list, marks := milder(12)
	f, missing, err := Make(list, append(marks, Mark{Case: "nobody", Criterion: "git", Score: court.One}))
	if err != nil || len(f.Criteria) != 1 || !cmp.Equal(missing, []string{"nobody"}) {
		t.Fatal(err, f, missing)
	}
	c := f.Criteria[0]
	if c.Map == nil || c.Why != "" || c.Court.Anchors != 12 || c.Court.Error != court.One || c.Court.Bias != court.One || c.Mapped.Error > 1500 {
		t.Errorf("%+v", c)
	}
	if j := c.Judges[court.TechLead]; j != c.Court {
		t.Errorf("the judge of the last hearing: %+v, want %+v", j, c.Court)
	}
	if c.Markers == nil || c.Markers.Anchors != 12 || c.Markers.Error != 2000 {
		t.Errorf("people among themselves: %+v", c.Markers)
	}
	raw, err := json.Marshal(f)
	if err != nil || strings.Contains(string(raw), "c11") {
		t.Fatal(err, string(raw))
	}
	back, err := Read(raw)
	if diff := cmp.Diff(f, back); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	now := list[0].Record.Terms()
	got, err := back.For(now, "b")
	want := &court.Calibration{Digest: f.Digest, Criteria: []court.Calibrated{{Criterion: "git", Map: *c.Map, Anchors: 12, Kappa: c.Mapped.Kappa, Error: c.Mapped.Error}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	other := now
	other.Checks = "other"
	if _, err := back.For(other, "b"); !errors.Is(err, ErrTerms) {
		t.Error(err)
	}
	if _, err := back.For(now, "c"); !errors.Is(err, ErrTerms) {
		t.Error(err)
	}
}

// A file that was written by hand is refused, even with a digest that fits.
func TestReadRefuses(t *testing.T) {
	list, marks := milder(12)
	spoil := map[string]func(*File){
		"not follow":  func(f *File) { f.Criteria[0].Map[2] += 100 },
		"follow":      func(f *File) { f.Criteria[0].Mapped.Kappa = court.One + 1 },
		"from 1 to 5": func(f *File) { f.Criteria[0].Anchors[0].Mark = 0 },
		"schema":      func(f *File) { f.Schema = "automaton/calibration/2" },
	}
	for want, change := range spoil {
		f, _, err := Make(list, marks)
		if err != nil {
			t.Fatal(err)
		}
		change(f)
		f.Digest = f.digest()
		raw, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(raw); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
		if _, err := Read([]byte(strings.Replace(string(raw), `"law":3`, `"law":2`, 1))); err == nil {
			t.Errorf("%q: another content has the digest", want)
		}
	}
}

func TestMakeRefuses(t *testing.T) {
	list, marks := milder(3)
	other := heard("c9", 30000)
	other.Record.Rubric.Digest = "another"
	if _, _, err := Make(append(list, other), marks); !errors.Is(err, ErrTerms) {
		t.Error(err)
	}
	if _, missing, err := Make(list, []Mark{{Case: "x", Criterion: "git"}}); !errors.Is(err, ErrNone) || len(missing) != 1 {
		t.Error(missing, err)
	}
	if _, _, err := Make(append(list, heard("c0", 20000)), marks); err == nil || !strings.Contains(err.Error(), `two records could be of the case "c0"`) {
		t.Error(err)
	}
	list[0].Record.Verdict.Rulings[0].Status = court.Insufficient
	list[1].Record.Verdict.Rulings[0].Final = nil
	f, _, err := Make(list, marks)
	if err != nil || f.Criteria[0].Court.Anchors != 1 || f.Criteria[0].Map != nil || f.Criteria[0].Why != "it has 1 anchor, and a map needs 8" {
		t.Errorf("%v %+v", err, f)
	}
}
