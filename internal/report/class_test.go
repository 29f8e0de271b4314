package report

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func fixed(f court.Fixed) *court.Fixed { return &f }

// someClass is a class of seven with a few of everything.
func someClass() Class {
	c := Class{Name: "week 2", Rubric: "course.json 2", Bench: "built-in judges, version 1", Bar: fixed(30000), Terms: "a",
		Tally: map[string]int{CaseAudited: 5, CaseFailed: 1, CaseOpen: 1}, Twins: [][]string{{"ada", "bob"}}, Run: &ClassRun{Judged: 6, Kept: 1, Millis: 372_000}}
	for i, id := range []string{"ada", "bob", "cyd", "dan", "eve"} {
		c.Cases = append(c.Cases, ClassCase{ID: id, State: CaseAudited, Score: fixed(court.Fixed(20000 + 7000*i)), Needs: []string{}})
	}
	c.Cases[1].Needs = []string{"capped by security_override", "contested: Safe tools (spread 3), Typed state (spread 2)"}
	c.Cases = append(c.Cases, ClassCase{ID: "fay\x1b[31m", State: CaseFailed, Needs: []string{}, Reason: "cloning https://github.com/o/n: remote_private: repository not found, or private"},
		ClassCase{ID: "gil", State: CaseOpen, Needs: []string{}})
	c.Criteria = []ClassMark{{ID: "tools", Name: "Safe tools", Scores: [5]int{1, 0, 2, 1, 1}, Mean: fixed(32000)}, {ID: "state", Name: "Typed state", None: 5}}
	c.Checks = []ClassCheck{
		{Criterion: "tools", Check: "shell", Text: "No process is started through a shell", Failed: []string{"ada", "bob", "cyd", "dan"}, Met: 1},
		{Criterion: "tools", Check: "all", Text: "The code is there", Failed: []string{}, Met: 5},
		{Criterion: "tools", Check: "none", Text: "The prompts are fenced", Failed: []string{"ada", "bob", "cyd", "dan", "eve"}},
		{Criterion: "tools", Check: "few", Text: "Hardly anybody was asked", Failed: []string{"ada"}, Untold: 4},
	}
	for i, outcome := range []string{"fail", "insufficient", "pass", "pass", "pass"} {
		c.Cases[i].Gate = outcome
	}
	c.Gate, c.ByPeople, c.Unmarked, c.Moved = "--fail-under 3.00 --fail-on contested", []string{"Oral exam"}, 4, []string{"cyd"}
	c.Calls, c.Tokens, c.USD, c.Unpriced = 12, 34567, "0.42", 1
	c.Alike = &Similarity{Submissions: 7, Pairs: []LikePair{{A: "ada", B: "cyd", Contained: 8300, Files: []string{"a.py"}}, {A: "bob", B: "eve", Document: 2000, Commits: 3}}}
	return c
}

func TestClassSummary(t *testing.T) {
	var b strings.Builder
	if err := ClassSummary(&b, someClass(), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "class.txt", []byte(b.String()))
	b.Reset()
	if err := ClassJSON(&b, someClass()); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "class.json", []byte(b.String()))
	b.Reset()
	if err := ClassSummary(&b, Class{Name: "none", Tally: map[string]int{}}, TextOptions{}); err != nil || !strings.Contains(b.String(), "0 audited") {
		t.Error(err, b.String())
	}
}

// A gate that all pass is said, too, and nothing is said of what a class does not have.
func TestClassGate(t *testing.T) {
	c := someClass()
	for i := range c.Cases {
		c.Cases[i].Gate = map[bool]string{true: "pass"}[c.Cases[i].State == CaseAudited]
	}
	c.ByPeople, c.Moved, c.Calls = nil, nil, 0
	var b strings.Builder
	if err := ClassSummary(&b, c, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "  PASS  5 of 5 cases reached what was asked (--fail-under 3.00 --fail-on") || strings.Contains(text, "FAIL ") {
		t.Error(text)
	}
	for _, no := range []string{"marked by a person", "--retry moved", "Models answered"} {
		if strings.Contains(b.String(), no) {
			t.Errorf("%q is said of a class without it", no)
		}
	}
	c.Calls, c.USD = 3, ""
	b.Reset()
	if err := ClassSummary(&b, c, TextOptions{}); err != nil || !strings.Contains(b.String(), "Models answered 3 calls with 34567 tokens; the price is not known.") {
		t.Error(err, b.String())
	}
}

// The flags of the gate are those that were given.
func TestClassUnder(t *testing.T) {
	rec := goodRecord()
	rec.Gate = &court.Gate{Bars: map[string]court.Fixed{court.OverallID: 35000, rec.Rubric.Criteria[0].ID: 30000}, FailOn: []string{"contested"}}
	var c Class
	c.Under(rec)
	if want := "--fail-under 3.50 --fail-under " + rec.Rubric.Criteria[0].ID + "=3.00 --fail-on contested"; c.Gate != want || *c.Bar != 35000 {
		t.Errorf("%q, want %q", c.Gate, want)
	}
}

func TestClassDrift(t *testing.T) {
	old, now := someClass(), someClass()
	now.Name, now.Terms = "week 3", "b"
	now.Cases[0].Score, now.Cases[4].Score = fixed(41000), fixed(40000)
	now.Cases = append(now.Cases[1:], now.Cases[0], ClassCase{ID: "hal", Score: fixed(30000)})
	now.Criteria[0].Mean = fixed(35000)
	old.Cases = append(old.Cases, ClassCase{ID: "ivy", Score: fixed(30000)})
	var b strings.Builder
	if err := ClassDrift(&b, old, now, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "class-drift.txt", []byte(b.String()))
}

func TestDuration(t *testing.T) {
	for millis, want := range map[int64]string{0: "0.0 s", 4210: "4.2 s", 59_999: "59.9 s", 60_000: "1 min 0 s", 372_000: "6 min 12 s", 7_500_000: "2 h 5 min"} {
		if got := Duration(millis); got != want {
			t.Errorf("%d: %s, want %s", millis, got, want)
		}
	}
}

// Differences are those of the numbers that are shown, and judges of another kind are told.
func TestClassDriftShows(t *testing.T) {
	old, now := someClass(), someClass()
	old.Criteria[0].Mean, now.Criteria[0].Mean = fixed(29999), fixed(30000)
	old.Cases[0].Score, now.Cases[0].Score = fixed(29901), fixed(29950)
	now.Bench = "models"
	var b strings.Builder
	if err := ClassDrift(&b, old, now, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"    2.99    3.00    +0.01", "different rubrics, checks or judges"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "ROSE MOST") {
		t.Error(b.String())
	}
}

// No character of an id acts in a terminal that the JSON is printed to.
func TestClassJSONIsSafe(t *testing.T) {
	c := someClass()
	c.Cases[0].ID = "a\u202eb\u009bc"
	var b strings.Builder
	if err := ClassJSON(&b, c); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\u202e\u009b") || !strings.Contains(b.String(), `a\u202eb\u009bc`) {
		t.Error("a character that acts in a terminal is printed")
	}
}
