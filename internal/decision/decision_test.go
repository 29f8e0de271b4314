package decision

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

func score(n court.Fixed) *court.Fixed { return &n }

// entry is a score that is in order.
func entry() Entry {
	return Entry{By: "a.tutor", Kind: Score, Submission: "ada", Criterion: "k", To: score(4 * court.One), Reason: "shown in the exam"}
}

func TestCheck(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Entry)
		want   string // in the error; empty: none
	}{
		"in order":              {func(*Entry) {}, ""},
		"nine characters":       {func(e *Entry) { e.Reason = "  123456789 " }, "the reason has 9 characters: give at least 10"},
		"ten of another script": {func(e *Entry) { e.Reason = "показано на" }, ""},
		"no reason":             {func(e *Entry) { e.Kind, e.To, e.Reason = Accept, nil, "" }, ""},
		"half a reason":         {func(e *Entry) { e.Kind, e.To, e.Reason = Accept, nil, "fine" }, "at least 10"},
		"publish":               {func(e *Entry) { e.Kind, e.Criterion, e.Reason = Publish, "", "" }, ""},
		"publish a criterion":   {func(e *Entry) { e.Kind = Publish }, "leave the criterion out"},
		"long":                  {func(e *Entry) { e.Reason = strings.Repeat("x", 2001) }, "give at most 2000"},
		"control":               {func(e *Entry) { e.Reason = "cleared \x1b[2J screen" }, "control characters"},
		"two lines":             {func(e *Entry) { e.Reason = "shown in\nthe exam" }, ""},
		"a name of two lines":   {func(e *Entry) { e.By = "a\nb" }, "name of the person"},
		"a turned name":         {func(e *Entry) { e.By = "a\u202eb" }, "name of the person"},
		"nobody":                {func(e *Entry) { e.By = "" }, "name of the person"},
		"no submission":         {func(e *Entry) { e.Submission = "" }, "id of a submission"},
		"no criterion":          {func(e *Entry) { e.Criterion = "" }, "score needs a criterion"},
		"too little":            {func(e *Entry) { e.To = score(court.One - 1) }, "from 1 to 5"},
		"too much":              {func(e *Entry) { e.To = score(5*court.One + 1) }, "from 1 to 5"},
		"no score":              {func(e *Entry) { e.To = nil }, "from 1 to 5"},
		"a comment with one":    {func(e *Entry) { e.Kind = Comment }, "comment sets no score"},
		"dismiss nothing":       {func(e *Entry) { e.Kind, e.To = Dismiss, nil }, "name the evidence"},
		"an appeal to nothing":  {func(e *Entry) { e.Kind, e.To = Appeal, nil }, "names the places"},
		"places of a score":     {func(e *Entry) { e.Points = []string{"a.py:1"} }, "no other decision does"},
		"undo nothing":          {func(e *Entry) { e.Kind, e.To, e.Criterion = Undo, nil, "" }, "the number of the decision"},
		"unknown":               {func(e *Entry) { e.Kind = "erase" }, "not a kind"},
		"many":                  {func(e *Entry) { e.Evidence = slices.Repeat([]string{"ev-1"}, 51) }, "at most 50"},
	} {
		t.Run(name, func(t *testing.T) {
			e := entry()
			test.change(&e)
			err := e.Check()
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// chained is a chain of entries with numbers and times.
func chained(list ...Entry) []Entry {
	prev := ""
	for i, e := range list {
		e.Seq, e.At = int64(i+1), time.UnixMilli(1_790_000_000_123).Add(time.Duration(i)*time.Minute)
		list[i] = Chain(prev, e)
		prev = list[i].Hash
	}
	return list
}

// Every change of any field of any entry, a missing entry, another order: each is found, at the first entry that it touches.
func TestVerify(t *testing.T) {
	make5 := func() []Entry {
		undo := Entry{By: "b", Kind: Undo, Submission: "ada", Undoes: 2, Reason: "that was the wrong case"}
		group := entry()
		group.Group, group.Evidence = "one act", []string{"ev-1"}
		return chained(entry(), entry(), undo, group, entry())
	}
	if err := Verify(make5()); err != nil {
		t.Fatal(err)
	}
	// what was read from a file is the same chain
	raw, err := json.Marshal(make5())
	var read []Entry
	if err := errors.Join(err, json.Unmarshal(raw, &read)); err != nil || Verify(read) != nil || cmp.Diff(make5(), read) != "" {
		t.Fatal(err, Verify(read), cmp.Diff(make5(), read))
	}
	breaks := func(name string, seq int64, list []Entry) {
		t.Helper()
		var b *BreakError
		if err := Verify(list); !errors.As(err, &b) || b.Seq != seq {
			t.Errorf("%s: %v, want a break at %d", name, err, seq)
		}
	}
	for name, change := range map[string]func(*Entry){
		"at": func(e *Entry) { e.At = e.At.Add(time.Second) }, "by": func(e *Entry) { e.By += "x" }, "kind": func(e *Entry) { e.Kind = Comment },
		"submission": func(e *Entry) { e.Submission = "bob" }, "record": func(e *Entry) { e.Record = "x" }, "criterion": func(e *Entry) { e.Criterion = "m" },
		"from": func(e *Entry) { e.From = score(1) }, "to": func(e *Entry) { e.To = score(5 * court.One) }, "evidence": func(e *Entry) { e.Evidence = nil },
		"points": func(e *Entry) { e.Points = []string{"x"} }, "undoes": func(e *Entry) { e.Undoes = 1 }, "answers": func(e *Entry) { e.Answers = []int64{} }, "group": func(e *Entry) { e.Group = "" },
		"reason": func(e *Entry) { e.Reason += " " }, "hash": func(e *Entry) { e.Hash = strings.Repeat("0", 64) }, "prev": func(e *Entry) { e.Prev = "" },
	} {
		list := make5()
		change(&list[3])
		breaks(name, 4, list)
	}
	list := make5()
	breaks("one is missing", 3, slices.Delete(list, 1, 2))
	list = make5()
	list[1], list[2] = list[2], list[1]
	breaks("another order", 3, list)
	list = make5()
	list[1].Reason = "another reason than it was"
	list[1] = Chain(list[0].Hash, list[1])
	breaks("made anew", 3, list)
}

func TestInForce(t *testing.T) {
	at := func(kind Kind, criterion string, to court.Fixed, undoes int64) Entry {
		e := Entry{By: "a", Kind: kind, Submission: "ada", Criterion: criterion, Undoes: undoes, Reason: "a reason of some length"}
		if to > 0 {
			e.To = score(to)
		}
		return e
	}
	other := at(Score, "k", 20000, 0)
	other.Submission = "bob"
	for name, test := range map[string]struct {
		list []Entry
		want []int64
	}{
		"the newest score":        {[]Entry{at(Score, "k", 10000, 0), at(Score, "m", 20000, 0), at(Score, "k", 30000, 0)}, []int64{2, 3}},
		"of each submission":      {[]Entry{at(Score, "k", 10000, 0), other}, []int64{1, 2}},
		"taken back":              {[]Entry{at(Score, "k", 10000, 0), at(Score, "k", 20000, 0), at(Undo, "", 0, 2)}, []int64{1}},
		"taken back and again":    {[]Entry{at(Score, "k", 10000, 0), at(Undo, "", 0, 1), at(Undo, "", 0, 2)}, []int64{1}},
		"three times":             {[]Entry{at(Score, "k", 10000, 0), at(Undo, "", 0, 1), at(Undo, "", 0, 2), at(Undo, "", 0, 3)}, nil},
		"twice the same":          {[]Entry{at(Score, "k", 10000, 0), at(Undo, "", 0, 1), at(Undo, "", 0, 1)}, nil},
		"comments all":            {[]Entry{at(Comment, "", 0, 0), at(Comment, "", 0, 0)}, []int64{1, 2}},
		"an undo of what follows": {[]Entry{at(Undo, "", 0, 2), at(Score, "k", 10000, 0)}, []int64{2}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []int64
			for _, e := range InForce(chained(test.list...)) {
				got = append(got, e.Seq)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			force := InForce(chained(test.list...))
			if diff := cmp.Diff(force, InForce(force)); diff != "" {
				t.Error("twice is not once: ", diff)
			}
		})
	}
}

// A decision answers the appeals that it names and no others, also when a newer score takes its place.
func TestAnswers(t *testing.T) {
	appeal := Entry{By: "ada", Kind: Appeal, Submission: "ada", Criterion: "k", Points: []string{"a.py:3"}, Reason: "it is handled there"}
	second, third, none := entry(), entry(), entry()
	second.Answers, third.Answers, none.Answers = []int64{2}, []int64{1}, []int64{}
	stays := Entry{By: "t", Kind: Accept, Submission: "ada", Answers: []int64{1}}
	for name, test := range map[string]struct {
		list []Entry
		want []int64
	}{
		"none":                {[]Entry{appeal, appeal, none}, []int64{1, 2}},
		"one":                 {[]Entry{appeal, appeal, second}, []int64{1}},
		"one after the other": {[]Entry{appeal, appeal, second, third}, nil},
		"the case stays":      {[]Entry{appeal, appeal, stays}, []int64{2}},
		"taken back":          {[]Entry{appeal, appeal, second, third, {By: "t", Kind: Undo, Submission: "ada", Undoes: 3, Reason: "the wrong case"}}, []int64{2}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []int64
			for _, a := range Appeals(chained(test.list...)) {
				got = append(got, a.Seq)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	e := entry()
	e.Kind, e.To, e.Answers = Comment, nil, []int64{1}
	if err := e.Check(); err == nil || !strings.Contains(err.Error(), "comment answers no appeal") {
		t.Error(err)
	}
	before, err := court.Canonical(entry())
	if err != nil || strings.Contains(string(before), "answers") {
		t.Error("a decision of before has another digest: ", string(before), err)
	}
}

// An appeal is open until somebody decides on its criterion, and again when that is taken back.
func TestAppeals(t *testing.T) {
	appeal := Entry{By: "ada", Kind: Appeal, Submission: "ada", Criterion: "k", Points: []string{"a.py:3"}, Reason: "it is handled there"}
	elsewhere, back := entry(), Entry{By: "t", Kind: Undo, Submission: "ada", Undoes: 3, Reason: "that was the wrong case"}
	elsewhere.Criterion = "m"
	for want, list := range map[int][]Entry{ // made before decisions named what they answer
		1: {appeal, elsewhere},
		0: {appeal, elsewhere, entry()},
		2: {appeal, appeal, entry(), back},
	} {
		if got := Appeals(chained(slices.Clone(list)...)); len(got) != want {
			t.Errorf("%d are open, want %d: %v", len(got), want, got)
		}
	}
}

// A record with decisions is a copy: the record stays as it was, to the byte.
func TestApply(t *testing.T) {
	rec := &court.Record{Digest: "sha256:1", Rubric: court.Rubric{Criteria: []court.Criterion{
		{ID: "talk", Binding: "manual", Scale: court.Scale{Kind: "points", Max: 20 * court.One}}, {ID: "k"}}},
		Case: court.Case{Answers: []court.Answer{{Criterion: "k", Score: 2 * court.One, By: "a file"}}},
		Evidences: map[string][]court.Exhibit{"k": {{Evidence: court.Evidence{ID: "ev-1", Security: &court.Flaw{Confirmed: true}}},
			{Evidence: court.Evidence{ID: "ev-2", Security: &court.Flaw{Confirmed: true}}}}}}
	before := court.Digest(rec)
	answer := entry()
	answer.Kind, answer.Criterion, answer.To = Answer, "talk", score(3*court.One)
	gone, dismiss := entry(), Entry{By: "t", Kind: Dismiss, Submission: "ada", Criterion: "k", Evidence: []string{"ev-2", "ev-9"}, Reason: "only in a helper"}
	gone.Criterion = "no more"
	got := Apply(rec, chained(answer, gone, dismiss, entry()))
	if court.Digest(rec) != before {
		t.Error("the record was changed")
	}
	want := []court.Answer{{Criterion: "talk", Score: 3 * court.One, Points: 10 * court.One, By: "a.tutor", Reason: "shown in the exam"},
		{Criterion: "k", Score: 4 * court.One, Points: 4 * court.One, By: "a.tutor", Reason: "shown in the exam", Override: true}}
	if diff := cmp.Diff(want, got.Case.Answers); diff != "" {
		t.Error(diff)
	}
	if k := got.Evidences["k"]; k[0].Security.Dismissed || !k[0].Security.Confirmed || !k[1].Security.Dismissed || k[1].Security.Confirmed {
		t.Errorf("%+v %+v", k[0].Security, k[1].Security)
	}
	accept := Entry{By: "t", Kind: Accept, Submission: "ada", Record: "sha256:1", Criterion: "k"}
	if !Accepted(rec, chained(accept), "k") || Accepted(rec, chained(accept), "") || Accepted(&court.Record{Digest: "sha256:2"}, chained(accept), "k") {
		t.Error("what is accepted is a criterion of a record")
	}
}

func TestFits(t *testing.T) {
	rec := &court.Record{Verdict: &court.Verdict{}, Rubric: court.Rubric{Criteria: []court.Criterion{{ID: "talk", Binding: "manual"}, {ID: "k"}}},
		Evidences: map[string][]court.Exhibit{"k": {{Evidence: court.Evidence{ID: "ev-1", Security: &court.Flaw{}}}, {Evidence: court.Evidence{ID: "ev-2"}}}}}
	for name, test := range map[string]struct {
		kind      Kind
		criterion string
		evidence  string
		want      string
	}{
		"score": {Score, "k", "", ""}, "answer": {Answer, "talk", "", ""}, "score of people": {Score, "talk", "", "give an answer"},
		"answer of the court": {Answer, "k", "", "give a score"}, "no criterion": {Comment, "x", "", "has no criterion"},
		"flaw": {Dismiss, "k", "ev-1", ""}, "no flaw": {Dismiss, "k", "ev-2", "not a security flaw"}, "of another": {Dismiss, "talk", "ev-1", "not a security flaw"},
		"case": {Accept, "", "", ""},
	} {
		e := Entry{Kind: test.kind, Criterion: test.criterion}
		if test.evidence != "" {
			e.Evidence = []string{test.evidence}
		}
		if err := e.Fits(rec); test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if err := e.Fits(&court.Record{}); (err == nil) != (test.criterion == "") {
			t.Errorf("%s without a verdict: %v", name, err)
		}
	}
}
