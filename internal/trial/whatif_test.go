package trial

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/automaton-auditor/automaton/internal/court"
)

// better are the checks that a case met and another one does not.
func better(has, lacks *court.Record) []Fix {
	met := func(rec *court.Record, c, check string) bool {
		for _, h := range slices.Backward(rec.Hearings) {
			if h.Criterion == c {
				for _, row := range h.Ledger[court.TechLead] {
					if row.Check == check {
						return row.B > row.D && row.B > row.U
					}
				}
			}
		}
		return false
	}
	var out []Fix
	for _, c := range has.Rubric.Criteria {
		for _, check := range c.Checks {
			if met(has, c.ID, check.ID) && !met(lacks, c.ID, check.ID) {
				out = append(out, Fix{c.ID, check.ID})
			}
		}
	}
	return out
}

// The verdict if something were put right is that of the audit of the case in
// which it was, to the last digit, where the repair leaves no trace of its own.
func TestWhatIfIsTheAuditOfTheRepairedCase(t *testing.T) {
	if raced { // every hearing takes ten times as long, and the mutants are watched
		t.Skip("takes too long under the race detector")
	}
	perfect := loadGolden(t, "f01_perfect")
	repaired := try(t, hearing(t, perfect.fixture(t, "").Scene(t)))
	exact := []string{"os.system", "shell=True", "temporary folder dropped", "evidence without types", "opinion reducer dropped",
		"structured output dropped", "retry removed", "fact supremacy removed", "one sitting"}
	_, list := mutants(t)
	for _, m := range list {
		if !slices.Contains(exact, m.name) {
			continue
		}
		exact = slices.DeleteFunc(exact, func(name string) bool { return name == m.name })
		t.Run(strings.ReplaceAll(m.name, " ", "_"), func(t *testing.T) {
			f := perfect.fixture(t, "")
			edit(t, f, m.edits)
			rec := try(t, hearing(t, f.Scene(t)))
			fixes := better(repaired, rec)
			if len(fixes) == 0 {
				t.Fatal("nothing is to be put right")
			}
			then, err := WhatIf(t.Context(), rec, Change{Fixes: fixes})
			if err != nil {
				t.Fatal(err)
			}
			attest(t, then, Probes())
			if d := cmp.Diff(scores(repaired), scores(then)); d != "" {
				t.Errorf("%v put right (-audit +what if):\n%s", fixes, d)
			}
		})
	}
	if len(exact) > 0 {
		t.Errorf("no mutant is called %q", exact)
	}
}

// What each line of the remediation list promises, alone and with those above
// it, is what the whole court gives.
func TestWhatIfKeepsThePromiseOfRemedies(t *testing.T) {
	if raced {
		t.Skip("takes too long under the race detector")
	}
	f := miniature(t)
	delete(f.Files, "src/graph.py")
	rec := try(t, hearing(t, f.Scene(t)))
	if len(rec.Remedies) < 5 {
		t.Fatalf("%d remedies", len(rec.Remedies))
	}
	var done []Fix
	for _, m := range rec.Remedies {
		fixes := FixesOf(m)
		done = append(done, fixes...)
		alone, err := WhatIf(t.Context(), rec, Change{Fixes: fixes})
		if err != nil {
			t.Fatal(err)
		}
		then, err := WhatIf(t.Context(), rec, Change{Fixes: done})
		if err != nil {
			t.Fatal(err)
		}
		got := []court.Fixed{scores(alone)[m.Criterion], scores(alone)["overall"], scores(then)["overall"]}
		if want := []court.Fixed{m.CriterionTo, m.OverallTo, m.OverallThen}; !slices.Equal(got, want) {
			t.Errorf("%s of %s gives %s, promised %s", m.Check, m.Criterion, got, want)
		}
	}
}

// Nothing altered alters nothing but what marks the record.
func TestWhatIfNothing(t *testing.T) {
	rec := try(t, hearing(t, miniature(t).Scene(t)))
	then, err := WhatIf(t.Context(), rec, Change{})
	if err != nil {
		t.Fatal(err)
	}
	attest(t, then, Probes())
	if !then.Hypothetical || then.Parent != rec.Digest || rec.Hypothetical {
		t.Errorf("%v %s, the record itself %v", then.Hypothetical, then.Parent, rec.Hypothetical)
	}
	back := *then
	back.Hypothetical, back.Parent, back.Run = false, "", rec.Run
	back.Seal()
	if d := cmp.Diff(rec, &back, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("(-record +what if nothing):\n%s", d)
	}
}

// Another law, other evidence and another rubric give what the same court says
// of them; the record that was handed in stays as it is.
func TestWhatIfOtherwise(t *testing.T) {
	f := miniature(t)
	f.Files["src/more.py"] = "import os\nimport sys\n\nfrom src import graph\n\nos.system('git log ' + sys.argv[1])\n"
	rec := try(t, hearing(t, f.Scene(t)))
	if !rec.Verdict.Overall.Capped {
		t.Fatal("the flaw does not cap")
	}
	before := rec.Digest
	var flaws []string
	for _, list := range rec.Evidences {
		for _, x := range list {
			if x.Security != nil && x.Security.Confirmed {
				flaws = append(flaws, x.ID)
			}
		}
	}
	lawless := rec.Rubric
	lawless.Synthesis.SecurityOverride.On = false
	tighter := rec.Rubric
	tighter.Synthesis.SecurityOverride.Cap = 2 * court.One
	for name, tt := range map[string]struct {
		change Change
		holds  func(v court.Overall) bool
	}{
		"no cap":       {Change{Rubric: &lawless}, func(v court.Overall) bool { return !v.Capped && v.Exact >= rec.Verdict.Overall.BeforeCap }},
		"a lower cap":  {Change{Rubric: &tighter}, func(v court.Overall) bool { return v.Capped && v.Exact == 2*court.One }},
		"no such flaw": {Change{Drop: flaws}, func(v court.Overall) bool { return !v.Capped && v.Exact > rec.Verdict.Overall.Exact }},
	} {
		then, err := WhatIf(t.Context(), rec, tt.change)
		if err != nil {
			t.Fatal(err)
		}
		if !tt.holds(then.Verdict.Overall) {
			t.Errorf("%s: %+v", name, then.Verdict.Overall)
		}
	}
	rec.Seal()
	if rec.Digest != before {
		t.Error("the record was changed")
	}
	mute := *rec
	mute.Verdict = nil
	if _, err := WhatIf(t.Context(), &mute, Change{}); !errors.Is(err, ErrNoVerdict) {
		t.Errorf("without a verdict: %v", err)
	}
}

// Under another rubric its questions are answered by the evidence at hand, and
// what nobody asked is unknown: a rubric of one criterion scores as that one.
func TestWhatIfOtherRubric(t *testing.T) {
	rec := try(t, hearing(t, miniature(t).Scene(t)))
	other := *law(t)
	other.Criteria = slices.Clone(other.Criteria[3:4])
	id := other.Criteria[0].ID
	other.Criteria[0].ID = "renamed"
	then, err := WhatIf(t.Context(), rec, Change{Rubric: &other})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := scores(then)["renamed"], scores(rec)[id]; got != want {
		t.Errorf("renamed %s scores %s, was %s", id, got, want)
	}
	other.Criteria[0].Checks = []court.Check{{ID: "x", Weight: 1, Facet: court.Core, Polarity: court.Want, Asks: []court.Ask{{Probe: "nobody.asked"}}, Text: "It holds"}}
	if then, err = WhatIf(t.Context(), rec, Change{Rubric: &other}); err != nil {
		t.Fatal(err)
	}
	if r := then.Verdict.Rulings[0]; r.Status != court.Insufficient {
		t.Errorf("what nobody asked is %s", r.Status)
	}
}
