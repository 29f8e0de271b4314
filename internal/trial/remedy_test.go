package trial

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// courtVector is a whole case of the scoring reference, in basis points.
type courtVector struct {
	Name string          `json:"name"`
	Case json.RawMessage `json:"case"` // an object whose order counts
	Want struct {
		Rulings []courtRuling    `json:"rulings"`
		Overall courtOverall     `json:"overall"`
		Gate    map[int64]string `json:"gate"`
		Gains   []courtGain      `json:"gains"`
	} `json:"want"`
}

type courtRuling struct {
	Criterion string       `json:"criterion_id"`
	Exact     int64        `json:"exact"`
	Final     *int         `json:"final_score"`
	Status    court.Status `json:"status"`
	Low       int64        `json:"low"`
	High      int64        `json:"high"`
}

type courtOverall struct {
	Exact     int64 `json:"exact"`
	Low       int64 `json:"low"`
	High      int64 `json:"high"`
	BeforeCap int64 `json:"before_cap"`
	Capped    bool  `json:"capped"`
}

type courtGain struct {
	Criterion     string `json:"criterion_id"`
	Check         string `json:"check"`
	CriterionFrom int64  `json:"criterion_from"`
	CriterionTo   int64  `json:"criterion_to"`
	OverallFrom   int64  `json:"overall_from"`
	OverallTo     int64  `json:"overall_to"`
}

type courtCriterion struct {
	Weight int64 `json:"weight"`
	Checks []struct {
		ID       string      `json:"id"`
		Weight   int         `json:"weight"`
		Facet    court.Facet `json:"facet"`
		Requires []string    `json:"requires"`
		Probes   []string    `json:"probes"`
		Evidence []struct {
			ID         string        `json:"id"`
			Outcome    court.Outcome `json:"outcome"`
			Source     court.Source  `json:"source"`
			Confidence int64         `json:"confidence"`
			Share      int64         `json:"share"`
			Coverage   *int64        `json:"coverage"`
			Probe      string        `json:"probe"`
			Flaw       *struct {
				Severity  court.Severity `json:"severity"`
				Tainted   string         `json:"tainted"`
				Place     string         `json:"place"`
				Verified  bool           `json:"verified"`
				Dismissed bool           `json:"dismissed"`
			} `json:"flaw"`
		} `json:"evidence"`
	} `json:"checks"`
}

func (v courtVector) papersOf(t *testing.T) verdict.Papers {
	t.Helper()
	p := verdict.Papers{Rubric: court.Rubric{Synthesis: court.DefaultSynthesis()}, Exhibits: map[string][]court.Exhibit{}}
	dec := json.NewDecoder(bytes.NewReader(v.Case))
	token := func() json.Token {
		tok, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		return tok
	}
	for token(); dec.More(); {
		id := token().(string)
		var in courtCriterion
		if err := dec.Decode(&in); err != nil {
			t.Fatal(err)
		}
		c, exhibits := in.court(id)
		p.Rubric.Criteria = append(p.Rubric.Criteria, c)
		p.Exhibits[id] = exhibits
	}
	return p
}

func (in courtCriterion) court(id string) (court.Criterion, []court.Exhibit) {
	c := court.Criterion{ID: id, Weight: court.Fixed(in.Weight)}
	var exhibits []court.Exhibit
	for _, k := range in.Checks {
		check := court.Check{ID: k.ID, Weight: k.Weight, Facet: k.Facet, Requires: k.Requires}
		for _, probe := range k.Probes {
			check.Asks = append(check.Asks, court.Ask{Probe: probe})
		}
		c.Checks = append(c.Checks, check)
		for _, e := range k.Evidence {
			x := court.Exhibit{Verified: true, Evidence: court.Evidence{ID: e.ID, Criterion: id, Check: k.ID, Ask: e.Probe, Outcome: e.Outcome,
				Source: e.Source, Confidence: court.Fixed(e.Confidence), Share: court.Fixed(e.Share), Coverage: court.One, Rationale: "r"}}
			if e.Coverage != nil {
				x.Coverage = court.Fixed(*e.Coverage)
			}
			if e.Flaw != nil {
				x.Verified = e.Flaw.Verified
				x.Security = &court.Flaw{Severity: e.Flaw.Severity, Tainted: e.Flaw.Tainted, Scope: e.Flaw.Place, Dismissed: e.Flaw.Dismissed}
			}
			x.Strength = bench.Strength(x.Evidence)
			exhibits = append(exhibits, x)
		}
	}
	return c, exhibits
}

func courtVectors(t *testing.T) []courtVector {
	t.Helper()
	raw, err := os.ReadFile("../bench/testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Courts []courtVector `json:"courts"`
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Courts) != 11 {
		t.Errorf("%d vectors of courts, want 11", len(v.Courts))
	}
	return v.Courts
}

func TestVectorsCourts(t *testing.T) {
	for _, vec := range courtVectors(t) {
		t.Run(vec.Name, func(t *testing.T) {
			p := vec.papersOf(t)
			p.Edition = 2 // law 3 has another word for some of them: TestLaw3
			v, err := Repair(t.Context(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			var rulings []courtRuling
			from := map[string]int64{}
			for _, r := range v.Rulings {
				rulings = append(rulings, courtRuling{r.Criterion, int64(r.Exact), r.Final, r.Status, int64(r.Low), int64(r.High)})
				from[r.Criterion] = int64(r.Exact)
			}
			if diff := cmp.Diff(vec.Want.Rulings, rulings); diff != "" {
				t.Errorf("rulings (-want +got)\n%s", diff)
			}
			o := v.Overall
			if vec.Name == "a criterion without checks" { // the vectors are of law 1: law 2 leaves it out
				if o.Exact != 5*court.One || o.Unexamined != 1 || o.Low != 3*court.One {
					t.Errorf("under law 2: %+v", o)
				}
				return
			}
			if diff := cmp.Diff(vec.Want.Overall, courtOverall{int64(o.Exact), int64(o.Low), int64(o.High), int64(o.BeforeCap), o.Capped}); diff != "" {
				t.Errorf("overall (-want +got)\n%s", diff)
			}
			for bar, want := range vec.Want.Gate {
				if got := verdict.Gate(v, verdict.Bar{Bars: map[string]court.Fixed{court.OverallID: court.Fixed(bar)}}); got.Outcome != want {
					t.Errorf("gate at %d: %s, want %s", bar, got.Outcome, want)
				}
			}
			var gains []courtGain
			for _, r := range Remedies(p.Rubric, p.Only, p.Exhibits) {
				gains = append(gains, courtGain{r.Criterion, r.Check, from[r.Criterion], int64(r.CriterionTo), int64(o.Exact), int64(r.OverallTo)})
			}
			byName := cmpopts.SortSlices(func(a, b courtGain) bool { return a.Criterion+a.Check < b.Criterion+b.Check }) // the order is another question
			if diff := cmp.Diff(vec.Want.Gains, gains, byName, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("gains (-want +got)\n%s", diff)
			}
		})
	}
}

// What a remedy promises, alone and after those above it, is what the whole
// court gives when the check is put right.
func TestRemediesKeepTheirPromise(t *testing.T) {
	for _, vec := range courtVectors(t) {
		t.Run(vec.Name, func(t *testing.T) {
			p := vec.papersOf(t)
			var done []Fix
			for _, r := range Remedies(p.Rubric, p.Only, p.Exhibits) {
				fixes := FixesOf(r)
				done = append(done, fixes...)
				alone, err := Repair(t.Context(), p, fixes)
				if err != nil {
					t.Fatal(err)
				}
				then, err := Repair(t.Context(), p, done)
				if err != nil {
					t.Fatal(err)
				}
				i := slices.IndexFunc(alone.Rulings, func(x court.Ruling) bool { return x.Criterion == r.Criterion })
				got := fmt.Sprint(alone.Rulings[i].Exact, alone.Overall.Exact, then.Overall.Exact)
				if want := fmt.Sprint(r.CriterionTo, r.OverallTo, r.OverallThen); got != want {
					t.Errorf("%s of %s gives %s, promised %s", r.Check, r.Criterion, got, want)
				}
			}
		})
	}
}

// The worked example: what each rule did to the criterion with the flaw.
func TestWorkedExampleRules(t *testing.T) {
	v, err := Repair(t.Context(), courtVectors(t)[0].papersOf(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := v.Rulings[len(v.Rulings)-1]
	var got []string
	for _, h := range r.Holdings {
		got = append(got, fmt.Sprintf("%s %s %s %s: %s", h.Rule, h.Outcome, h.Before, h.After, h.Text))
	}
	want := []string{
		"admissibility idle 2.7919 2.7919: three opinions count",
		"fact_supremacy idle 2.7919 2.7919: the evidence allows 2.04 to 3.65; no score lies outside",
		"variance_re_evaluation idle 2.7919 2.7919: the whole scores are 2 apart; more than 2 opens a re-evaluation",
		"functionality_weight off 2.7919 2.7919: this rule does not apply to the criterion",
		"orchestration_fraud off 2.7919 2.7919: this rule does not apply to the criterion",
		"security_override fired 2.7919 2.7919: a security flaw is confirmed; the score is not above the cap of 3.00, and the total is at most 3.00",
		"dissent_requirement idle 2.7919 2.7919: whole scores more than 2 apart need a dissent",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("holdings (-want +got)\n%s", diff)
	}
	if r.Disagreement != "Prosecutor 2.04, Defense 3.65: tool.no_shell, tool.auth, tool.not_live" {
		t.Errorf("disagreement %q", r.Disagreement)
	}
	if v.Headline != "Adequate, with a confirmed security flaw" {
		t.Errorf("headline %q", v.Headline)
	}
}
