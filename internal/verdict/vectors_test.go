package verdict

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/automaton-auditor/automaton/internal/court"
)

// The vectors were made by an independent reference of the same rules. Their
// numbers are in basis points.
type vectorRuling struct {
	Name      string                     `json:"name"`
	Criterion string                     `json:"criterion"`
	Hearings  []vectorHearing            `json:"hearings"`
	Flaws     []vectorFlaw               `json:"flaws"`
	Law       map[string]json.RawMessage `json:"law"`
	Want      vectorWant                 `json:"want"`
}

type vectorHearing struct {
	Bench    map[court.Persona]int64         `json:"bench"`
	Opinions map[court.Persona]vectorOpinion `json:"opinions"`
	Doubt    int64                           `json:"doubt"`
	Conflict int64                           `json:"conflict"`
	Low      int64                           `json:"low"`
	High     int64                           `json:"high"`
	Linear   bool                            `json:"linear"`
	Blind    bool                            `json:"blind"`
}

type vectorOpinion struct {
	Score      int    `json:"score"`
	Exact      *int64 `json:"exact"`
	Admissible *bool  `json:"admissible"`
	Argument   string `json:"argument"`
}

type vectorFlaw struct {
	Severity  court.Severity `json:"severity"`
	Tainted   string         `json:"tainted"`
	Place     string         `json:"place"`
	Verified  bool           `json:"verified"`
	Dismissed bool           `json:"dismissed"`
	Outcome   court.Outcome  `json:"outcome"`
	Source    court.Source   `json:"source"`
	Strength  int64          `json:"strength"`
}

type vectorWant struct {
	Exact       int64           `json:"exact"`
	Final       *int            `json:"final_score"`
	Status      court.Status    `json:"status"`
	Low         int64           `json:"low"`
	High        int64           `json:"high"`
	Spread      int             `json:"spread"`
	FirstSpread int             `json:"first_spread"`
	Reheard     bool            `json:"reheard"`
	Dissent     bool            `json:"dissent"`
	Overruled   []court.Persona `json:"overruled"`
	Substituted []court.Persona `json:"substituted"`
	Holdings    []vectorHolding `json:"holdings"`
}

type vectorHolding struct {
	Rule         string            `json:"rule"`
	Outcome      court.RuleOutcome `json:"outcome"`
	Before       int64             `json:"before"`
	After        int64             `json:"after"`
	Substituted  []court.Persona   `json:"substituted"`
	Overruled    []court.Persona   `json:"overruled"`
	Confirms     bool              `json:"confirms"`
	Disagreement bool              `json:"disagreement"`
	Spread       *int              `json:"spread"`
}

func (v vectorRuling) matter(t *testing.T) Matter {
	t.Helper()
	m := Matter{Criterion: court.Criterion{ID: v.Criterion}, Law: v.law(t), Edition: 2}
	for i, h := range v.Hearings {
		hearing := court.Hearing{Criterion: v.Criterion, Round: i + 1, Bench: map[court.Persona]court.Fixed{},
			Doubt: court.Fixed(h.Doubt), Conflict: court.Fixed(h.Conflict), Low: court.Fixed(h.Low), High: court.Fixed(h.High),
			Ledger: linear(h.Linear), Blind: h.Blind}
		for j, exact := range h.Bench {
			hearing.Bench[j] = court.Fixed(exact)
		}
		m.Hearings = append(m.Hearings, hearing)
		for _, j := range court.Personas() {
			if o, ok := h.Opinions[j]; ok {
				m.Opinions = append(m.Opinions, o.opinion(j, v.Criterion, i+1))
			}
		}
	}
	for i, f := range v.Flaws {
		m.Exhibits = append(m.Exhibits, f.exhibit(v.Criterion, i))
	}
	return m
}

// linear is the ledger of a graph that is proven linear, or of one of which
// nothing is known: the vectors say it in a word.
func linear(proven bool) map[court.Persona][]court.Row {
	if !proven {
		return nil
	}
	return map[court.Persona][]court.Row{court.TechLead: {
		{Check: "graph.detectives_parallel", Weight: 2, D: court.One}, {Check: "graph.judges_parallel", Weight: 2, D: court.One}}}
}

func (o vectorOpinion) opinion(j court.Persona, criterion string, round int) court.Opinion {
	out := court.Opinion{Judge: j, Criterion: criterion, Round: round, Score: o.Score, Exact: court.Fixed(o.Score) * court.One, Argument: o.Argument}
	if o.Exact != nil {
		out.Exact = court.Fixed(*o.Exact)
	}
	if o.Admissible != nil && !*o.Admissible {
		out.Substituted = "no claim stands"
	}
	return out
}

func (f vectorFlaw) exhibit(criterion string, i int) court.Exhibit {
	return court.Exhibit{Strength: court.Fixed(f.Strength), Verified: f.Verified, Evidence: court.Evidence{
		ID: "ev-" + string(rune('a'+i)), Criterion: criterion, Check: "tool.no_shell", Outcome: f.Outcome, Source: f.Source,
		Security: &court.Flaw{Severity: f.Severity, Tainted: f.Tainted, Scope: f.Place, Dismissed: f.Dismissed}}}
}

// law is the default one with the changes that the vector names.
func (v vectorRuling) law(t *testing.T) court.Synthesis {
	t.Helper()
	law := court.DefaultSynthesis()
	for rule, raw := range v.Law {
		var change struct {
			On      *bool                   `json:"on"`
			Scope   string                  `json:"scope"`
			Mode    string                  `json:"mode"`
			Cap     int64                   `json:"cap"`
			Weights map[court.Persona]int64 `json:"weights"`
		}
		if err := json.Unmarshal(raw, &change); err != nil {
			t.Fatal(err)
		}
		switch rule {
		case securityOverrideID:
			if change.On != nil {
				law.SecurityOverride.On = *change.On
			}
			if change.Scope != "" {
				law.SecurityOverride.Scope = change.Scope
			}
			if change.Cap > 0 {
				law.SecurityOverride.Cap = court.Fixed(change.Cap)
			}
		case orchestrationFraudID:
			law.OrchestrationFraud.On = *change.On
		case factSupremacyID:
			law.FactSupremacy.Mode = change.Mode
		case "re_evaluation":
			law.ReEvaluation.On = *change.On
		case functionalityWeightID:
			for j, w := range change.Weights {
				law.FunctionalityWeight.Weights[j] = court.Fixed(w)
			}
		default:
			t.Fatalf("the vector changes %q", rule)
		}
	}
	return law
}

// seen is a ruling in the words of the vectors.
func seen(r court.Ruling) vectorWant {
	w := vectorWant{Exact: int64(r.Exact), Final: r.Final, Status: r.Status, Low: int64(r.Low), High: int64(r.High), Spread: r.Spread,
		FirstSpread: r.FirstSpread, Reheard: r.Reheard, Dissent: r.Dissent, Overruled: r.Overruled, Substituted: r.Substituted}
	for _, h := range r.Holdings {
		v := vectorHolding{Rule: h.Rule, Outcome: h.Outcome, Before: int64(h.Before), After: int64(h.After)}
		switch h.Rule {
		case admissibilityID:
			v.Substituted = h.Judges
		case factSupremacyID:
			v.Overruled = h.Judges
		case reEvaluationID:
			v.Spread = &r.FirstSpread
		case functionalityWeightID:
			v.Confirms = strings.HasSuffix(h.Text, "4 or more")
		case dissentID:
			v.Disagreement = r.Disagreement != ""
		}
		w.Holdings = append(w.Holdings, v)
	}
	return w
}

func readRulings(t *testing.T) []vectorRuling {
	t.Helper()
	raw, err := os.ReadFile("../bench/testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Rulings []vectorRuling `json:"rulings"`
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v.Rulings
}

func TestVectorsRulings(t *testing.T) {
	vectors := readRulings(t)
	if len(vectors) != 72 {
		t.Errorf("%d vectors of rulings, want 72", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			m := v.matter(t)
			got := RuleOn(m)
			if diff := cmp.Diff(v.Want, seen(got), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			p := Papers{Rubric: court.Rubric{Criteria: []court.Criterion{m.Criterion}, Synthesis: m.Law}, Hearings: m.Hearings, Opinions: m.Opinions}
			if again := slices.Contains(Disputed(p), v.Criterion); again != got.Reheard {
				t.Errorf("disputed: %t, reheard: %t", again, got.Reheard)
			}
		})
	}
}

// Law 3 changes one word: an open ruling whose judges are less than two whole scores apart is not called contested.
func TestLaw3(t *testing.T) {
	changed := 0
	for _, v := range readRulings(t) {
		m := v.matter(t)
		before := seen(RuleOn(m))
		m.Edition = 0
		want := before
		if before.Status == court.Contested && before.Spread < 2 {
			want.Status = court.Open
			changed++
		}
		if diff := cmp.Diff(want, seen(RuleOn(m)), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", v.Name, diff)
		}
	}
	if changed == 0 {
		t.Error("no vector is about it")
	}
}

// The totals of law 2 were made by the reference beside the bench's vectors.
func TestVectorsLaw2(t *testing.T) {
	raw, err := os.ReadFile("../bench/testdata/law2/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	type want struct {
		Exact, Low, High court.Fixed
		Unexamined       int
		Unscored         bool
	}
	type share struct {
		Weight, Exact, Low, High int64
		Unexamined               bool
	}
	var v struct {
		Totals []struct {
			Shares []share
			Want   struct {
				Exact, Low, High int64
				Unexamined       int
				Unscored         bool
			}
		}
	}
	if err := json.Unmarshal(raw, &v); err != nil || len(v.Totals) != 40 {
		t.Fatal(err, len(v.Totals))
	}
	for i, vec := range v.Totals {
		var shares []Share
		for _, s := range vec.Shares {
			shares = append(shares, Share{Weight: court.Fixed(s.Weight), Exact: court.Fixed(s.Exact), Low: court.Fixed(s.Low), High: court.Fixed(s.High), Unexamined: s.Unexamined})
		}
		o, w := Total(shares, false, court.OverrideRule{}), vec.Want
		if diff := cmp.Diff(want{court.Fixed(w.Exact), court.Fixed(w.Low), court.Fixed(w.High), w.Unexamined, w.Unscored}, want{o.Exact, o.Low, o.High, o.Unexamined, o.Unscored}); diff != "" {
			t.Errorf("%d (-want +got)\n%s", i, diff)
		}
	}
}
