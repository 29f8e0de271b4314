package trial

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// lottery makes random cases; a seed makes the same ones again.
type lottery struct {
	*rand.Rand
	serial int
}

func draw[T any](r *lottery, list ...T) T { return list[r.IntN(len(list))] }

func (r *lottery) unit() court.Fixed {
	return draw(r, 0, court.One, court.Fixed(r.IntN(int(court.One)+1)), court.Fixed(500*r.IntN(21)))
}

func (r *lottery) exhibit(criterion string, check court.Check, outcomes ...court.Outcome) court.Exhibit {
	if len(outcomes) == 0 {
		outcomes = []court.Outcome{court.Present, court.Violation, court.Partial, court.Absent, court.Unknown}
	}
	r.serial++
	x := court.Exhibit{Verified: r.IntN(5) > 0, Evidence: court.Evidence{ID: fmt.Sprintf("ev-%06d", r.serial), Criterion: criterion,
		Check: check.ID, Outcome: draw(r, outcomes...), Source: draw(r, court.Sources()...), Confidence: r.unit(), Share: r.unit(),
		Coverage: draw(r, court.One, r.unit()), Rationale: "what was searched and found"}}
	if len(check.Asks) > 1 {
		x.Ask = draw(r, check.Asks[0].Key(), check.Asks[1].Key(), "")
	}
	if x.Outcome == court.Violation && r.IntN(3) == 0 {
		x.Security = &court.Flaw{Severity: draw(r, court.Medium, court.High), Tainted: draw(r, "yes", "yes", "no"),
			Scope: draw(r, "production", "production", "test"), Dismissed: r.IntN(10) == 0}
	}
	x.Strength = bench.Strength(x.Evidence)
	return x
}

// papers has 1 to 3 criteria of 1 to 4 checks.
func (r *lottery) papersOf() verdict.Papers {
	p := verdict.Papers{Rubric: court.Rubric{Synthesis: court.DefaultSynthesis()}, Exhibits: map[string][]court.Exhibit{}}
	for i := range 1 + r.IntN(3) {
		c := court.Criterion{ID: fmt.Sprintf("k%d", i), Weight: court.Fixed(1+r.IntN(3)) * court.One}
		for n := range 1 + r.IntN(4) {
			check := court.Check{ID: fmt.Sprintf("c%d", n), Weight: 1 + r.IntN(5), Facet: draw(r, court.Core, court.Robust)}
			if n > 0 && r.IntN(4) == 0 {
				check.Requires = []string{fmt.Sprintf("c%d", r.IntN(n))}
			}
			if r.IntN(5) == 0 {
				check.Asks = []court.Ask{{Probe: "p"}, {Probe: "q"}}
			}
			c.Checks = append(c.Checks, check)
			for range 1 + r.IntN(2) {
				p.Exhibits[c.ID] = append(p.Exhibits[c.ID], r.exhibit(c.ID, check))
			}
		}
		p.Rubric.Criteria = append(p.Rubric.Criteria, c)
	}
	return p
}

// more is the case with one more piece of evidence in its first criterion.
func (r *lottery) more(p verdict.Papers, outcome court.Outcome) verdict.Papers {
	c := p.Rubric.Criteria[0]
	list := append(slices.Clone(p.Exhibits[c.ID]), r.exhibit(c.ID, draw(r, c.Checks...), outcome))
	exhibits := map[string][]court.Exhibit{}
	maps.Copy(exhibits, p.Exhibits)
	exhibits[c.ID] = list
	p.Exhibits = exhibits
	return p
}

func decided(t *testing.T, p verdict.Papers) court.Verdict {
	t.Helper()
	v, err := Repair(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// figures are what the laws of order speak of.
func figures(v court.Verdict) []court.Fixed {
	out := []court.Fixed{v.Overall.Exact, v.Overall.Low, v.Overall.High}
	for _, r := range v.Rulings {
		out = append(out, r.Exact, r.Low, r.High)
	}
	return out
}

func notBelow(a, b []court.Fixed) bool {
	for i := range a {
		if a[i] < b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

func graded(v court.Verdict, bar court.Fixed) string {
	return verdict.Gate(v, verdict.Bar{Bars: map[string]court.Fixed{court.OverallID: bar}}).Outcome
}

// courtLaw runs a law on random cases that are the same in every run.
func courtLaw(t *testing.T, name string, holds func(r *lottery, p verdict.Papers, v court.Verdict) bool) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		draws := uint64(400)
		if raced { // nothing of this is done at once
			draws = 20
		}
		for seed := range draws {
			r := &lottery{Rand: rand.New(rand.NewPCG(seed, 15))}
			p := r.papersOf()
			if v := decided(t, p); !holds(r, p, v) {
				t.Fatalf("broken with seed %d: %+v", seed, p)
			}
		}
	})
}

func TestLawsOfTheCourt(t *testing.T) {
	courtLaw(t, "C1 evidence in favour lowers nothing", func(r *lottery, p verdict.Papers, v court.Verdict) bool {
		return notBelow(figures(decided(t, r.more(p, court.Present))), figures(v))
	})
	courtLaw(t, "C2 evidence against raises nothing", func(r *lottery, p verdict.Papers, v court.Verdict) bool {
		return notBelow(figures(v), figures(decided(t, r.more(p, court.Violation))))
	})
	courtLaw(t, "C3 other criteria are untouched", func(r *lottery, p verdict.Papers, v court.Verdict) bool {
		return cmp.Equal(decided(t, r.more(p, court.Violation)).Rulings[1:], v.Rulings[1:])
	})
	courtLaw(t, "C4 the overall lies between the rulings, or is the cap", func(_ *lottery, _ verdict.Papers, v court.Verdict) bool {
		low, high := v.Rulings[0].Exact, v.Rulings[0].Exact
		for _, r := range v.Rulings {
			low, high = min(low, r.Exact), max(high, r.Exact)
		}
		return low <= v.Overall.BeforeCap && v.Overall.BeforeCap <= high &&
			(v.Overall.Exact == v.Overall.BeforeCap || v.Overall.Capped && v.Overall.Exact == 3*court.One)
	})
	courtLaw(t, "C7 order of criteria changes nothing", func(_ *lottery, p verdict.Papers, v court.Verdict) bool {
		p.Rubric.Criteria = slices.Clone(p.Rubric.Criteria)
		slices.Reverse(p.Rubric.Criteria)
		return decided(t, p).Overall == v.Overall
	})
	courtLaw(t, "C8 a second run is equal", func(_ *lottery, p verdict.Papers, v court.Verdict) bool {
		return cmp.Equal(decided(t, p), v)
	})
	courtLaw(t, "C9 evidence in favour never takes a pass away", func(r *lottery, p verdict.Papers, v court.Verdict) bool {
		bar := court.Fixed(500 * (20 + r.IntN(81)))
		return graded(v, bar) != verdict.Pass || graded(decided(t, r.more(p, court.Present)), bar) == verdict.Pass
	})
	courtLaw(t, "C10 a higher bar is never easier", func(_ *lottery, _ verdict.Papers, v court.Verdict) bool {
		order := []string{verdict.Pass, verdict.Undecided, verdict.Fail}
		last := 0
		for bar := court.One; bar <= 5*court.One; bar += 500 {
			now := slices.Index(order, graded(v, bar))
			if now < last {
				return false
			}
			last = now
		}
		return true
	})
}

func TestLawsOfRemedies(t *testing.T) {
	courtLaw(t, "C5 a repair never costs", func(_ *lottery, p verdict.Papers, v court.Verdict) bool {
		then := v.Overall.Exact
		for _, r := range Remedies(p.Rubric, p.Only, p.Exhibits) {
			i := slices.IndexFunc(v.Rulings, func(x court.Ruling) bool { return x.Criterion == r.Criterion })
			if r.CriterionTo < v.Rulings[i].Exact || r.OverallTo < v.Overall.Exact || r.OverallThen < then {
				return false
			}
			then = r.OverallThen
		}
		return true
	})
	courtLaw(t, "C6 the promised gain is kept, alone and together", func(_ *lottery, p verdict.Papers, _ court.Verdict) bool {
		var done []Fix
		for _, r := range Remedies(p.Rubric, p.Only, p.Exhibits) {
			done = append(done, FixesOf(r)...)
			alone, err := Repair(t.Context(), p, FixesOf(r))
			if err != nil || alone.Overall.Exact != r.OverallTo {
				return false
			}
			then, err := Repair(t.Context(), p, done)
			if err != nil || then.Overall.Exact != r.OverallThen {
				return false
			}
		}
		return true
	})
	courtLaw(t, "what was repaired is not listed again", func(_ *lottery, p verdict.Papers, _ court.Verdict) bool {
		for _, r := range Remedies(p.Rubric, p.Only, p.Exhibits) {
			for _, f := range FixesOf(r) {
				p.Exhibits[f.Criterion] = mend(p.Exhibits[f.Criterion], court.Check{ID: f.Check})
			}
		}
		return len(Remedies(p.Rubric, p.Only, p.Exhibits)) == 0
	})
}

func BenchmarkRemedies(b *testing.B) {
	r := &lottery{Rand: rand.New(rand.NewPCG(1, 15))}
	p := verdict.Papers{Rubric: court.Rubric{Synthesis: court.DefaultSynthesis()}, Exhibits: map[string][]court.Exhibit{}}
	for i := range 10 { // 120 checks, none of them fully met
		c := court.Criterion{ID: fmt.Sprintf("k%d", i), Weight: court.One}
		for n := range 12 {
			check := court.Check{ID: fmt.Sprintf("c%d", n), Weight: 1 + n%5, Facet: court.Robust}
			c.Checks = append(c.Checks, check)
			p.Exhibits[c.ID] = append(p.Exhibits[c.ID], r.exhibit(c.ID, check, court.Violation), r.exhibit(c.ID, check, court.Absent))
		}
		p.Rubric.Criteria = append(p.Rubric.Criteria, c)
	}
	b.ReportAllocs()
	for b.Loop() {
		Remedies(p.Rubric, nil, p.Exhibits)
	}
}

// Remedies lists, per check that is not fully met, what would put it right and
// what that is worth. The worth is found by hearing the criterion again on the
// embedded bench with the check met and the flaws it carried gone, so on that
// bench the promise is kept to the last digit. Checks of which nobody could tell
// because one thing cannot be read are one remedy. Flaws that cap come first,
// then most worth for the whole case, then for the criterion, then the rubric's
// order.
func Remedies(rubric court.Rubric, only []string, exhibits map[string][]court.Exhibit) []court.Remedy {
	return remedies(rubric, court.Case{Only: only}, exhibits, func(stand, string) bool { return true })
}

// Repair is the verdict of the embedded bench on the case as it would stand
// with the named checks put right.
func Repair(ctx context.Context, p verdict.Papers, fixes []Fix) (court.Verdict, error) {
	tried := court.Record{Evidences: map[string][]court.Exhibit{}}
	for _, c := range p.Rubric.Heard(p.Only) {
		list := p.Exhibits[c.ID]
		for _, f := range fixes {
			if f.Criterion == c.ID {
				list = mend(list, checkOf(c, f.Check))
			}
		}
		tried.Evidences[c.ID] = list
		if err := hearAgain(ctx, &tried, c, 1); err != nil {
			return court.Verdict{}, err
		}
	}
	p.Hearings, p.Opinions, p.Exhibits, p.Modelled = tried.Hearings, tried.Opinions, tried.Evidences, false
	return verdict.Decide(p)
}
