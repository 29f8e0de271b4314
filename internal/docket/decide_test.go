package docket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// again is the court of these tests.
var again = trial.Ruling

// recorded is a record of the reports' tests, ruled by this court: its scores are those that decisions start from.
func recorded(t *testing.T, name string) *court.Record {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "report", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	rec := new(court.Record)
	if err := json.Unmarshal(raw, rec); err != nil {
		t.Fatal(err)
	}
	if rec, err = again(rec); err != nil {
		t.Fatal(err)
	}
	rec.Seal()
	return rec
}

// uncapped is the capped record of a submission whose flaw is gone.
func uncapped(t *testing.T) *court.Record {
	t.Helper()
	rec := recorded(t, "capped.json")
	for id, list := range rec.Evidences {
		rec.Evidences[id] = slices.DeleteFunc(list, func(x court.Exhibit) bool { return x.Security != nil })
	}
	rec, err := again(rec)
	if err != nil || rec.Verdict.Overall.Capped {
		t.Fatal(rec.Verdict.Overall, err)
	}
	rec.Seal()
	return rec
}

// judged ends a run of a submission with a record.
func judged(t *testing.T, d *Docket, id, key string, rec *court.Record) {
	t.Helper()
	ctx := t.Context()
	if s, ok := claim(t, d, "me"); !ok || s.ID != id {
		t.Fatalf("claimed %q, want %q", s.ID, id)
	}
	if before, err := d.Pin(ctx, held(id), Run{Key: key}); err != nil || before != "" {
		t.Fatal(before, err)
	}
	raw, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := d.Finish(ctx, held(id), key, Result{Record: rec, Raw: raw}); err != nil || !kept {
		t.Fatal(kept, err)
	}
}

func rowOf(t *testing.T, d *Docket, id string) Row {
	t.Helper()
	rows, err := d.Rows(t.Context(), cohort)
	if err != nil {
		t.Fatal(err)
	}
	return rows[slices.IndexFunc(rows, func(r Row) bool { return r.ID == id })]
}

func markOf(t *testing.T, d *Docket, id, criterion string) Mark {
	t.Helper()
	marks, err := d.Marks(t.Context(), cohort)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(marks, func(m Mark) bool { return m.Submission == id && m.Criterion == criterion })
	if i < 0 {
		t.Fatalf("%s of %s is not listed", criterion, id)
	}
	return marks[i]
}

// decide decides as somebody who has seen all that was decided before.
func decide(t *testing.T, d *Docket, entries ...decision.Entry) []decision.Entry {
	t.Helper()
	seen := map[string]int64{}
	for _, e := range entries {
		seen[e.Submission] = rowOf(t, d, e.Submission).Seq
	}
	kept, err := d.Decide(t.Context(), cohort, seen, entries...)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func scored(id, criterion string, f court.Fixed) decision.Entry {
	return decision.Entry{By: "a.tutor", Kind: decision.Score, Submission: id, Criterion: criterion, To: &f, Reason: "shown in the oral exam"}
}

func does(kind decision.Kind, id string) decision.Entry {
	return decision.Entry{By: "a.tutor", Kind: kind, Submission: id, Reason: "looked at it with the author"}
}

const tools = "safe_tool_engineering" // the criterion of the capped record with the flaw

// A score of a person does not lift the cap, and the dismissal of the flaw does; what was taken back is as it was before.
func TestDecisionsAndCap(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		enrolled(t, d, "a", "b")
		rec := recorded(t, "capped.json")
		flaw := ""
		for _, x := range rec.Evidences[tools] {
			if x.Security != nil && x.Security.Confirmed {
				flaw = x.ID
			}
		}
		judged(t, d, "a", "run-a", rec)
		judged(t, d, "b", "run-b", rec)
		start := rowOf(t, d, "a")
		if flaw == "" || *start.Overall != 3*court.One || start.CappedBy == "" {
			t.Fatalf("%q %+v", flaw, start)
		}

		kept := decide(t, d, scored("a", tools, 5*court.One))
		row, mark := rowOf(t, d, "a"), markOf(t, d, "a", tools)
		if *row.Overall != 3*court.One || row.Machine != nil || row.Human != 1 || row.Seq != 1 || row.CappedBy == "" {
			t.Errorf("a score lifted the cap: %+v", row)
		}
		if *mark.Exact != 3*court.One || *mark.Final != 3 || !mark.Human || mark.Machine == nil {
			t.Errorf("%+v", mark)
		}
		if e := kept[0]; e.Record != rec.Digest || *e.From != *mark.Machine || e.Hash == "" || e.At.IsZero() {
			t.Errorf("%+v", e)
		}

		dismiss := does(decision.Dismiss, "a")
		dismiss.Criterion, dismiss.Evidence = tools, []string{flaw}
		decide(t, d, dismiss)
		row, mark = rowOf(t, d, "a"), markOf(t, d, "a", tools)
		if *row.Overall <= 3*court.One || *row.Machine != 3*court.One || row.Human != 2 || row.CappedBy != "" || *mark.Exact != 5*court.One {
			t.Errorf("a dismissal did not lift the cap: %+v %+v", row, mark)
		}
		if slices.ContainsFunc(row.Needs, func(s string) bool { return strings.Contains(s, "capped") }) {
			t.Errorf("%q", row.Needs)
		}

		undo := does(decision.Undo, "a")
		undo.Undoes = 2
		decide(t, d, undo)
		if row := rowOf(t, d, "a"); *row.Overall != 3*court.One || row.Human != 1 || row.Seq != 3 {
			t.Errorf("%+v", row)
		}
		undo.Undoes = 1
		decide(t, d, undo)
		was, is := start, rowOf(t, d, "a")
		if is.Seq = 0; cmp.Diff(was, is) != "" {
			t.Error(cmp.Diff(was, is))
		}
		if m := markOf(t, d, "a", tools); m.Human || *m.Exact != *m.Machine {
			t.Errorf("%+v", m)
		}
		if other := rowOf(t, d, "b"); other.Seq != 0 || other.Human != 0 {
			t.Errorf("another case was touched: %+v", other)
		}
		list, err := d.Decisions(t.Context(), cohort, "")
		if err != nil || len(list) != 4 || decision.Verify(list) != nil {
			t.Error(len(list), err, decision.Verify(list))
		}
	})
}

// A criterion that only people mark joins with its answer, and nobody has to look for it any more.
func TestAnswer(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		enrolled(t, d, "a")
		judged(t, d, "a", "run", recorded(t, "blind.json"))
		before := rowOf(t, d, "a")
		if !slices.ContainsFunc(before.Needs, func(s string) bool { return strings.Contains(s, "a person scores") }) {
			t.Fatalf("%q", before.Needs)
		}
		answer := scored("a", "oral_exam", 5*court.One)
		answer.Kind = decision.Answer
		decide(t, d, answer)
		row, mark := rowOf(t, d, "a"), markOf(t, d, "a", "oral_exam")
		if *row.Overall <= *before.Overall || *row.Machine != *before.Overall || *mark.Exact != 5*court.One || mark.Machine != nil || !mark.Human {
			t.Errorf("%+v %+v", row, mark)
		}
		if slices.ContainsFunc(row.Needs, func(s string) bool { return strings.Contains(s, "a person scores") }) {
			t.Errorf("%q", row.Needs)
		}
		accept := does(decision.Accept, "a")
		accept.Reason = ""
		decide(t, d, accept)
		if row := rowOf(t, d, "a"); len(row.Needs) > 0 || row.Human != 2 {
			t.Errorf("%+v", row)
		}
	})
}

// Decisions outlive a new run of the case, and what the court alone says then is told. What was accepted of an earlier record is
// not accepted of this one, and what was published is a draft when it is another score.
func TestNewRunKeepsDecisions(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		enrolled(t, d, "a")
		capped, good := recorded(t, "capped.json"), uncapped(t)
		judged(t, d, "a", "run-1", capped)
		accept, publish := does(decision.Accept, "a"), does(decision.Publish, "a")
		kept := decide(t, d, scored("a", tools, court.One), accept, publish)
		row := rowOf(t, d, "a")
		if row.Published.IsZero() || len(row.Needs) > 0 || *kept[2].To != *row.Overall {
			t.Fatalf("%+v", row)
		}
		if err := d.Reopen(t.Context(), cohort, false, Done, Partial); err != nil {
			t.Fatal(err)
		}
		judged(t, d, "a", "run-2", good)
		row = rowOf(t, d, "a")
		want, err := again(decision.Apply(good, kept))
		if err != nil || *row.Overall != want.Verdict.Overall.Exact || *row.Machine != good.Verdict.Overall.Exact || *row.Overall == *row.Machine || row.Human != 2 || row.Seq != 3 {
			t.Errorf("%+v %v", row, err)
		}
		if !row.Published.IsZero() {
			t.Error("another score than the published one counts as published")
		}
		if m := markOf(t, d, "a", tools); *m.Exact != court.One || !m.Human || *m.Machine == court.One {
			t.Errorf("%+v", m)
		}
		// the first run again, which is not made anew
		if err := d.Enrol(t.Context(), cohort, []Submission{{ID: "a", Folder: "a", Request: "as at first"}}); err != nil {
			t.Fatal(err)
		}
		claim(t, d, "me")
		if before, err := d.Pin(t.Context(), held("a"), Run{Key: "run-2"}); err != nil || before != Done {
			t.Fatal(before, err)
		}
		if again := rowOf(t, d, "a"); *again.Overall != *row.Overall || again.Human != 2 {
			t.Errorf("%+v", again)
		}
	})
}

// Who decides on what another one decided on meanwhile decides nothing, on any of the cases of the act.
func TestConflict(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		ctx := t.Context()
		enrolled(t, d, "a", "b", "c")
		for _, id := range []string{"a", "b"} {
			judged(t, d, id, "run-"+id, recorded(t, "capped.json"))
		}
		var wait sync.WaitGroup
		var mu sync.Mutex
		won, lost := 0, 0
		for i := range 6 {
			wait.Go(func() {
				_, err := d.Decide(ctx, cohort, nil, scored("a", tools, court.Fixed(10000+i)))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					won++
				case errors.Is(err, ErrConflict):
					lost++
				default:
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if won != 1 || lost != 5 {
			t.Errorf("%d decided, %d were refused", won, lost)
		}
		one, two := scored("b", tools, 2*court.One), scored("a", tools, 2*court.One)
		one.Group, two.Group = "act", "act"
		if _, err := d.Decide(ctx, cohort, nil, one, two); !errors.Is(err, ErrConflict) {
			t.Error(err)
		}
		if row := rowOf(t, d, "b"); row.Seq != 0 {
			t.Error("half of an act was written: ", row.Seq)
		}
		for name, e := range map[string]decision.Entry{
			"nobody judged it": scored("c", tools, 2*court.One), "not there": scored("z", tools, 2*court.One),
			"no reason":     {By: "a", Kind: decision.Comment, Submission: "b"},
			"undo another":  {By: "a", Kind: decision.Undo, Submission: "b", Undoes: 1, Reason: "it is of another case"},
			"of no one":     {Kind: decision.Publish, Submission: "b"},
			"no criterion":  scored("b", "nothing", court.One),
			"not from 1..5": scored("b", tools, 6*court.One),
		} {
			if kept, err := d.Decide(ctx, cohort, nil, e); err == nil || kept != nil {
				t.Errorf("%s: %v", name, kept)
			}
		}
		if _, err := d.Decide(ctx, "another", nil, scored("b", tools, court.One)); err == nil {
			t.Error("another cohort's case was decided on")
		}
		list, err := d.Decisions(ctx, cohort, "")
		if err != nil || len(list) != 1 {
			t.Error(len(list), err)
		}
	})
}

// Several who decide on several cases at once make one chain.
func TestOneChain(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		var ids []string
		for i := range 8 {
			ids = append(ids, fmt.Sprintf("s%d", i))
		}
		enrolled(t, d, ids...)
		rec := recorded(t, "capped.json")
		for _, id := range ids {
			judged(t, d, id, "run-"+id, rec)
		}
		var wait sync.WaitGroup
		for _, id := range ids {
			wait.Go(func() {
				for n := range 4 {
					seen := int64(0)
					if list, err := d.Decisions(t.Context(), cohort, id); err != nil {
						t.Error(err)
					} else if len(list) > 0 {
						seen = list[len(list)-1].Seq
					}
					if _, err := d.Decide(t.Context(), cohort, map[string]int64{id: seen}, scored(id, tools, court.Fixed(20000+n))); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		list, err := d.Decisions(t.Context(), cohort, "")
		if err != nil || len(list) != 32 || decision.Verify(list) != nil {
			t.Error(len(list), err, decision.Verify(list))
		}
		if _, err := d.write.ExecContext(t.Context(), `insert into decision (cohort, seq, at, author, kind, submission, criterion, record, body, prev, hash)
			select cohort, 99, at, author, kind, submission, criterion, record, body, prev, 'fork' from decision where seq = 7`); err == nil {
			t.Error("the chain forks")
		}
	})
}

// What stands of a case is what the court makes of its record with its decisions, whatever was decided on which case in which
// order, in one act or in many.
func TestStandingIsRuling(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		records := map[string]*court.Record{"a": recorded(t, "capped.json"), "b": recorded(t, "blind.json"), "c": recorded(t, "good.json")}
		enrolled(t, d, "a", "b", "c")
		for _, id := range []string{"a", "b", "c"} {
			judged(t, d, id, "run-"+id, records[id])
		}
		r := rand.New(rand.NewPCG(7, 7))
		for range 40 {
			var act []decision.Entry
			for range 1 + r.IntN(4) {
				act = append(act, anyEntry(r, records))
			}
			seen := map[string]int64{}
			for _, e := range act {
				seen[e.Submission] = rowOf(t, d, e.Submission).Seq
			}
			list, err := d.Decisions(t.Context(), cohort, "")
			if err != nil {
				t.Fatal(err)
			}
			for i := range act {
				if act[i].Kind == decision.Undo {
					of := slices.DeleteFunc(slices.Clone(list), func(e decision.Entry) bool { return e.Submission != act[i].Submission })
					if len(of) == 0 {
						act[i] = scored("c", "criterion_1", 2*court.One)
						seen["c"] = rowOf(t, d, "c").Seq
						continue
					}
					act[i].Undoes = of[r.IntN(len(of))].Seq
				}
			}
			if _, err := d.Decide(t.Context(), cohort, seen, act...); err != nil {
				t.Fatal(err)
			}
			for id, rec := range records {
				asRuled(t, d, id, rec)
			}
		}
	})
}

// anyEntry is some decision on some case; undo lacks what it takes back.
func anyEntry(r *rand.Rand, records map[string]*court.Record) decision.Entry {
	id := []string{"a", "b", "c"}[r.IntN(3)]
	rec := records[id]
	c := rec.Rubric.Criteria[r.IntN(len(rec.Rubric.Criteria))]
	e := scored(id, c.ID, court.Fixed(10000+r.IntN(40001)))
	switch n := r.IntN(10); {
	case n < 3:
		return does(decision.Undo, id)
	case n < 5 && id == "a":
		for _, x := range rec.Evidences[tools] {
			if x.Security != nil {
				e = does(decision.Dismiss, id)
				e.Criterion, e.Evidence = tools, []string{x.ID}
			}
		}
		return e
	case n == 5:
		return does(decision.Publish, id)
	case c.ForPeople():
		e.Kind = decision.Answer
	}
	return e
}

// asRuled holds what is listed of a submission against what the court makes of it.
func asRuled(t *testing.T, d *Docket, id string, rec *court.Record) {
	t.Helper()
	list, err := d.Decisions(t.Context(), cohort, id)
	if err != nil {
		t.Fatal(err)
	}
	want, err := again(decision.Apply(rec, list))
	if err != nil {
		t.Fatal(err)
	}
	row := rowOf(t, d, id)
	if *row.Overall != want.Verdict.Overall.Exact {
		t.Fatalf("%s: %s is listed, and the court gives %s", id, row.Overall, want.Verdict.Overall.Exact)
	}
	for _, c := range want.Rubric.Asked(want.Case.Only) {
		counts := want.Counts(c.ID)
		if counts == nil {
			continue
		}
		if m := markOf(t, d, id, c.ID); m.Exact == nil || *m.Exact != *counts || m.Human != (want.Case.Answer(c.ID) != nil) {
			t.Fatalf("%s, %s: %+v is listed, and the court gives %s", id, c.ID, m, counts)
		}
	}
}

// A process that judges holds the folder, and another one decides in it all the same.
func TestBeside(t *testing.T) {
	c, dir := newClock(), t.TempDir()
	if _, err := Open(t.Context(), dir, Setup{Now: c.now, Ruling: again, Beside: true}); !errors.Is(err, os.ErrNotExist) {
		t.Error("nothing is there to open: ", err)
	}
	d := opened(t, dir, c)
	enrolled(t, d, "a", "b")
	judged(t, d, "a", "run-a", recorded(t, "capped.json"))
	other, err := Open(t.Context(), dir, Setup{Now: c.now, Ruling: again, Beside: true})
	if err != nil {
		t.Fatal(err)
	}
	if !other.Shared() {
		t.Error("it would be taken for locked")
	}
	decide(t, other, scored("a", tools, court.One))
	judged(t, d, "b", "run-b", recorded(t, "capped.json"))
	if row := rowOf(t, d, "a"); row.Seq != 1 || *rowOf(t, other, "b").Overall == 0 {
		t.Errorf("%+v", row)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Open(t.Context(), dir, Setup{Now: c.now}); !errors.Is(err, ErrBusy) {
		t.Error("the lock was lost: ", err)
	}
}

// Tables of an older version are brought up to date with what is in them, which is kept as it was beside them; while another
// process holds them, they are left alone.
func TestOlder(t *testing.T) {
	c, dir := newClock(), t.TempDir()
	d, err := Open(t.Context(), dir, Setup{Now: c.now, Ruling: again})
	if err != nil {
		t.Fatal(err)
	}
	enrolled(t, d, "a")
	r := result(court.Complete, 42500)
	r.Record.Case.Answers = nil
	claim(t, d, "me")
	if _, err := d.Pin(t.Context(), held("a"), Run{Key: "run"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Finish(t.Context(), held("a"), "run", r); err != nil {
		t.Fatal(err)
	}
	for _, back := range []string{`drop table decision`, `drop table link`, `drop table standing_ruling`, `alter table standing drop column gate`, `drop table event`, `drop table purse`, `drop table share`, `alter table submission drop column asked`, `drop index submission_fetched`, `drop index submission_busy`, `delete from goose_db_version where version_id > 1`} {
		if _, err := d.write.ExecContext(t.Context(), back); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(t.Context(), dir, Setup{Now: c.now, Ruling: again, Beside: true}); !errors.Is(err, ErrOlder) {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	other, err := Open(t.Context(), dir, Setup{Now: c.now, Ruling: again, Beside: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if row := rowOf(t, other, "a"); *row.Overall != 42500 || row.Gate != "pass" {
		t.Errorf("%+v", row)
	}
	kept := filepath.Join(dir, FileName+".before-5")
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
		t.Error(info, err)
	}
	locked, err := Open(t.Context(), dir, Setup{Now: c.now, Ruling: again})
	if err != nil {
		t.Fatal("it kept the lock: ", err)
	}
	_ = locked.Close()
}

// A class of a thousand with decisions is listed from the index alone.
func TestManyDecisions(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes a thousand cases")
	}
	c := newClock()
	d := opened(t, t.TempDir(), c)
	var ids []string
	for i := range 200 {
		ids = append(ids, fmt.Sprintf("s%03d", i))
	}
	enrolled(t, d, ids...)
	rec := recorded(t, "capped.json")
	var act []decision.Entry
	for _, id := range ids {
		judged(t, d, id, "run-"+id, rec)
		e := scored(id, tools, 2*court.One)
		e.Group = "one act"
		act = append(act, e)
	}
	began := time.Now()
	kept, err := d.Decide(context.Background(), cohort, nil, act...)
	t.Logf("%d decisions in one act: %s", len(kept), time.Since(began))
	if err != nil || len(kept) != len(ids) || decision.Verify(kept) != nil {
		t.Fatal(len(kept), err)
	}
	began = time.Now()
	marks, err := d.Marks(t.Context(), cohort)
	t.Logf("%d marks: %s", len(marks), time.Since(began))
	if err != nil || len(marks) != len(ids)*len(rec.Verdict.Rulings) {
		t.Error(len(marks), err)
	}
}
