package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/automaton-auditor/automaton/internal/court"
)

// The vectors were made by an independent reference of the same arithmetic.
// Their numbers are in basis points.
type vectors struct {
	Numbers []struct {
		Fn   string          `json:"fn"`
		X    int64           `json:"x"`
		Y    int64           `json:"y"`
		Want json.RawMessage `json:"want"`
	} `json:"numbers"`
	Criteria []struct {
		Name   string        `json:"name"`
		Checks []vectorCheck `json:"checks"`
		Want   vectorWant    `json:"want"`
	} `json:"criteria"`
}

type vectorCheck struct {
	ID       string           `json:"id"`
	Weight   int              `json:"weight"`
	Facet    court.Facet      `json:"facet"`
	Requires []string         `json:"requires"`
	Probes   []string         `json:"probes"`
	Evidence []vectorEvidence `json:"evidence"`
}

type vectorEvidence struct {
	ID         string        `json:"id"`
	Outcome    court.Outcome `json:"outcome"`
	Reason     court.Reason  `json:"reason"`
	Source     court.Source  `json:"source"`
	Confidence int64         `json:"confidence"`
	Share      int64         `json:"share"`
	Coverage   *int64        `json:"coverage"`
	Probe      string        `json:"probe"`
}

type vectorWant struct {
	Bench    map[court.Persona]int64 `json:"bench"`
	Score    map[court.Persona]int   `json:"score"`
	Doubt    int64                   `json:"doubt"`
	Conflict int64                   `json:"conflict"`
	Coverage int64                   `json:"coverage"`
	Low      int64                   `json:"low"`
	High     int64                   `json:"high"`
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func fromVector(checks []vectorCheck) (court.Criterion, []court.Evidence) {
	c := court.Criterion{ID: "k"}
	var evidence []court.Evidence
	for _, v := range checks {
		check := court.Check{ID: v.ID, Weight: v.Weight, Facet: v.Facet, Requires: v.Requires, Asks: []court.Ask{{Probe: "p"}}}
		if len(v.Probes) > 0 {
			check.Asks = nil
		}
		for _, p := range v.Probes {
			check.Asks = append(check.Asks, court.Ask{Probe: p})
		}
		c.Checks = append(c.Checks, check)
		for _, e := range v.Evidence {
			x := court.Evidence{ID: e.ID, Criterion: c.ID, Check: v.ID, Ask: e.Probe, Outcome: e.Outcome, Reason: e.Reason, Withheld: e.Reason.Withheld(), Source: e.Source,
				Confidence: court.Fixed(e.Confidence), Share: court.Fixed(e.Share), Coverage: court.One, Rationale: "what was searched, and what was found"}
			if e.Coverage != nil {
				x.Coverage = court.Fixed(*e.Coverage)
			}
			evidence = append(evidence, x)
		}
	}
	return c, evidence
}

func exhibits(evidence []court.Evidence) []court.Exhibit {
	out := make([]court.Exhibit, len(evidence))
	for i, e := range evidence {
		out[i] = court.Exhibit{Evidence: e, Label: fmt.Sprintf("E%d", i+1), Strength: Strength(e), Verified: true}
	}
	return out
}

// distinct tells whether no id stands for two things; some vectors use one id
// in several checks, which real evidence cannot.
func distinct(evidence []court.Evidence) bool {
	seen := map[string]bool{}
	for _, e := range evidence {
		if seen[e.ID] {
			return false
		}
		seen[e.ID] = true
	}
	return true
}

func TestVectorsNumbers(t *testing.T) {
	v := readVectors(t)
	if len(v.Numbers) != 58 {
		t.Errorf("%d vectors of numbers, want 58", len(v.Numbers))
	}
	for _, n := range v.Numbers {
		var got any
		switch n.Fn {
		case "strict":
			got = strict.of(court.Fixed(n.X))
		case "lenient":
			got = lenient.of(court.Fixed(n.X))
		case "score":
			got = court.Fixed(n.X).Score()
		case "shown":
			got = fmt.Sprintf("%q", court.Fixed(n.X).Shown())
		case "mul":
			got = int64(court.Mul(court.Fixed(n.X), court.Fixed(n.Y)))
		case "div":
			got = court.Div(n.X, n.Y)
		default:
			t.Fatalf("unknown function %q", n.Fn)
		}
		if f, ok := got.(court.Fixed); ok {
			got = int64(f)
		}
		if fmt.Sprint(got) != string(n.Want) {
			t.Errorf("%s(%d, %d) = %v, want %s", n.Fn, n.X, n.Y, got, n.Want)
		}
	}
}

func TestVectorsCriteria(t *testing.T) {
	v := readVectors(t)
	if len(v.Criteria) != 92 {
		t.Errorf("%d vectors of criteria, want 92", len(v.Criteria))
	}
	for _, vec := range v.Criteria {
		t.Run(vec.Name, func(t *testing.T) {
			c, evidence := fromVector(vec.Checks)
			h := Assess(c, exhibits(evidence), 1)
			got := vectorWant{Bench: map[court.Persona]int64{}, Score: map[court.Persona]int{}, Doubt: int64(h.Doubt),
				Conflict: int64(h.Conflict), Coverage: int64(h.Coverage), Low: int64(h.Low), High: int64(h.High)}
			brief := NewBrief(c, 1, exhibits(evidence))
			for _, j := range court.Personas() {
				o, err := Embedded(j).Opine(t.Context(), brief)
				if err != nil {
					t.Fatal(err)
				}
				if err := Admit(brief, o); err != nil && distinct(evidence) {
					t.Errorf("the embedded opinion is not admissible: %v", err)
				}
				got.Bench[j], got.Score[j] = int64(h.Bench[j]), o.Score
				if o.Exact != h.Bench[j] {
					t.Errorf("%s says %s, the bench %s", j, o.Exact, h.Bench[j])
				}
			}
			if diff := cmp.Diff(vec.Want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The vectors of law 2 were made by reference.py beside them: what was withheld, and what
// nobody looked at.
func TestVectorsLaw2(t *testing.T) {
	raw, err := os.ReadFile("testdata/law2/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	type want struct {
		Bench  map[court.Persona]int64   `json:"bench"`
		Held   map[court.Persona][]int64 `json:"held"`
		Low    int64                     `json:"low"`
		High   int64                     `json:"high"`
		Doubt  int64                     `json:"doubt"`
		Unseen int64                     `json:"unseen"`
	}
	var v struct {
		Criteria []struct {
			Checks []vectorCheck `json:"checks"`
			Want   want          `json:"want"`
		} `json:"criteria"`
	}
	if err := json.Unmarshal(raw, &v); err != nil || len(v.Criteria) != 80 {
		t.Fatal(err, len(v.Criteria))
	}
	for i, vec := range v.Criteria {
		c, evidence := fromVector(vec.Checks)
		h := Assess(c, exhibits(evidence), 1)
		got := want{Bench: map[court.Persona]int64{}, Held: map[court.Persona][]int64{}, Low: int64(h.Low), High: int64(h.High), Doubt: int64(h.Doubt), Unseen: int64(h.Unseen)}
		for _, j := range court.Personas() {
			got.Bench[j] = int64(h.Bench[j])
			for _, r := range h.Ledger[j] {
				got.Held[j] = append(got.Held[j], int64(r.Held))
			}
			brief := NewBrief(c, 1, exhibits(evidence))
			if o, err := Embedded(j).Opine(t.Context(), brief); err != nil {
				t.Error(err)
			} else if err := Admit(brief, o); err != nil && !slices.ContainsFunc(vec.Checks, func(c vectorCheck) bool { return len(c.Evidence) == 0 }) { // a court has some on each check
				t.Errorf("%d: the opinion of the %s is not admissible: %v", i, j, err)
			}
		}
		if diff := cmp.Diff(vec.Want, got); diff != "" {
			t.Errorf("%d (-want +got)\n%s", i, diff)
		}
	}
}
