package trial

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/store"
)

// overlooked is a record that does not have what a check found: the answer is that there is nothing. It gives the criterion
// that suffers from it, and the place.
func overlooked(t *testing.T, rec *court.Record) (*court.Record, string, court.Place) {
	t.Helper()
	for _, c := range rec.Rubric.Heard(nil) {
		for i, x := range rec.Evidences[c.ID] {
			if x.Outcome != court.Present || len(x.At) == 0 || x.At[0].Line == 0 || !x.Stands() {
				continue
			}
			e := x.Evidence
			e.Outcome, e.Content, e.At, e.Data, e.More, e.Share = court.Absent, "", nil, nil, 0, 0
			e.Rationale = "Nobody found it."
			e = e.Sealed()
			out := *rec
			out.Evidences = map[string][]court.Exhibit{}
			for id, list := range rec.Evidences {
				out.Evidences[id] = slices.Clone(list)
			}
			out.Evidences[c.ID][i] = court.Exhibit{Evidence: e, Label: x.Label, Strength: bench.Strength(e), Verified: true}
			if err := hearChanged(t.Context(), rec, &out, false); err != nil {
				t.Fatal(err)
			}
			ruled, err := Ruling(&out)
			if err != nil {
				t.Fatal(err)
			}
			ruled.Seal()
			if exactOf(ruled, c.ID) < exactOf(rec, c.ID) {
				return ruled, c.ID, x.At[0]
			}
		}
	}
	t.Fatal("no evidence of the record matters")
	return nil, "", court.Place{}
}

func exactOf(rec *court.Record, criterion string) court.Fixed {
	for _, r := range rec.Verdict.Rulings {
		if r.Criterion == criterion {
			return r.Exact
		}
	}
	return 0
}

// What stands at a place that is named, and was overlooked, moves the score to where it belongs; a place without it moves nothing,
// and neither does a place that is not there.
func TestAppealed(t *testing.T) {
	f := miniature(t)
	right := try(t, hearing(t, f.Scene(t)))
	rec, criterion, place := overlooked(t, right)

	out, told, err := Appealed(t.Context(), opened(f.Scene(t)), rec, criterion, []court.Place{place}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := exactOf(out, criterion), exactOf(right, criterion); got != want || got == exactOf(rec, criterion) {
		t.Errorf("the ruling is %s, want %s", got, want)
	}
	if out.Parent != rec.Digest || out.Hypothetical || !out.Intact() || len(told) != 1 || told[0].Result != store.OK {
		t.Errorf("%s %v %+v", out.Parent, out.Hypothetical, told)
	}
	if again, err := Replay(out); err != nil || cmp.Diff(out.Verdict, again) != "" {
		t.Error("another verdict when it is played again: ", err)
	}
	for _, r := range out.Verdict.Rulings { // no other criterion is touched
		if r.Criterion != criterion && r.Exact != exactOf(rec, r.Criterion) {
			t.Errorf("%s is %s, and was %s", r.Criterion, r.Exact, exactOf(rec, r.Criterion))
		}
	}

	elsewhere := []court.Place{{Path: place.Path, Line: 100000, EndLine: 100000}, {Path: "no/such.py", Line: 1, EndLine: 1}, {Page: 900}}
	out, told, err = Appealed(t.Context(), opened(f.Scene(t)), rec, criterion, elsewhere, 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rec.Verdict, out.Verdict); diff != "" {
		t.Error("a place that is not there moved something: ", diff)
	}
	for _, l := range told {
		if l.Result != store.No {
			t.Errorf("%+v", l)
		}
	}

	rec.Case.Commit = "0000000000000000000000000000000000000000"
	if _, _, err := Appealed(t.Context(), opened(f.Scene(t)), rec, criterion, elsewhere, 2); err == nil {
		t.Error("another commit was examined")
	}
	if _, _, err := Appealed(t.Context(), opened(f.Scene(t)), right, "nothing", elsewhere, 2); err == nil {
		t.Error("a criterion that is not there was examined")
	}
}
