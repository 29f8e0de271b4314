package verdict

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// wholeCase has a criterion with a confirmed flaw, one that was heard twice,
// one about the PDF that does not hold, and one that people judge.
func wholeCase() Papers {
	bench := func(p, t, d court.Fixed) map[court.Persona]court.Fixed {
		return map[court.Persona]court.Fixed{court.Prosecutor: p, court.TechLead: t, court.Defense: d}
	}
	tech := func(rows ...court.Row) map[court.Persona][]court.Row {
		return map[court.Persona][]court.Row{court.TechLead: rows}
	}
	p := Papers{Rubric: court.Rubric{Synthesis: court.DefaultSynthesis(), Criteria: []court.Criterion{
		{ID: "safe_tools", Binding: "alias:safe_tool_engineering", Weight: court.One, Artifacts: []court.Artifact{court.GithubRepo}},
		{ID: "langgraph_architecture", Binding: "alias:graph_orchestration", Weight: 2 * court.One},
		{ID: "report", Binding: "courtroom:report_accuracy", Weight: court.One, Artifacts: []court.Artifact{court.PDFReport}},
		{ID: "interview", Binding: "manual", Weight: court.One},
	}}}
	parted := []court.Parting{{Check: "graph.invoked", Because: "unknown", For: []string{"ev-2"}, Against: []string{"ev-2"}}}
	p.Hearings = []court.Hearing{
		{Criterion: "safe_tools", Round: 1, Bench: bench(20400, 26844, 36512), Low: 25252, High: 29236, Doubt: 996, Coverage: 9444,
			Ledger: tech(court.Row{Check: "tool.no_shell", Weight: 15, D: court.One})},
		{Criterion: "langgraph_architecture", Round: 1, Bench: bench(10000, 30000, 50000), Low: 20000, High: 45000, Doubt: 4000, Coverage: 5000,
			Parted: parted, Against: []string{"ev-2"}},
		{Criterion: "langgraph_architecture", Round: 2, Bench: bench(30000, 40000, 44000), Low: 36000, High: 44000, Doubt: 1000, Coverage: 9000},
		{Criterion: "report", Round: 1, Bench: bench(30000, 30000, 30000), Low: 25000, High: 50000, Doubt: 6000, Coverage: 4000,
			Ledger: tech(court.Row{Check: "ra.paths_exist", Weight: 10, D: 6000})},
	}
	for _, h := range p.Hearings {
		for _, j := range court.Personas() {
			p.Opinions = append(p.Opinions, court.Opinion{Judge: j, Criterion: h.Criterion, Round: h.Round, Exact: h.Bench[j], Score: h.Bench[j].Score()})
		}
	}
	p.Exhibits = map[string][]court.Exhibit{
		"safe_tools": {{Label: "E1", Strength: 9500, Verified: true, Evidence: court.Evidence{ID: "ev-1", Check: "tool.no_shell",
			Outcome: court.Violation, Source: court.AST, At: []court.Place{{Path: "src/git.py", Line: 88}},
			Security: &court.Flaw{Severity: court.High, Tainted: "yes", Scope: "production"}}}},
		"report": {{Label: "E3", Strength: 9000, Verified: true, Evidence: court.Evidence{ID: "ev-3", Check: "ra.paths_exist", Probe: "doc.paths/1",
			Outcome: court.Partial, Share: 4000, Source: court.Crossref, Detective: court.DocAnalyst, At: []court.Place{{Page: 4}}}}},
	}
	return p
}

func TestDecide(t *testing.T) {
	p := wholeCase()
	p.Points = func(c court.Criterion, exact court.Fixed) *court.Points {
		if c.ID != "report" {
			return nil
		}
		return &court.Points{Points: 5 * (exact - court.One), Max: 20 * court.One}
	}
	v, err := Decide(p)
	if err != nil {
		t.Fatal(err)
	}
	// (2.7919 + 2·3.85 + 3.0) / 4 = 3.3729…, capped at 3; the graph weighs its TechLead twice: (3 + 2·4 + 4.4) / 4
	want := court.Overall{Exact: 30000, BeforeCap: 33730, Low: 30000, High: 30000, Capped: true, Coverage: 7861}
	if diff := cmp.Diff(want, v.Overall); diff != "" {
		t.Errorf("overall (-want +got)\n%s", diff)
	}
	var got []string
	for _, r := range v.Rulings {
		got = append(got, strings.Join([]string{r.Criterion, r.Exact.String(), string(r.Status), r.Low.String(), r.High.String(), r.Disagreement}, "|"))
	}
	if diff := cmp.Diff([]string{
		"safe_tools|2.7919|proven|2.5252|2.9236|Prosecutor 2.04, Defense 3.65",
		"langgraph_architecture|3.85|proven|3.6|4.4|Prosecutor 3.00, Defense 4.40: graph.invoked",
		"report|3|insufficient|2.5|5|",
	}, got); diff != "" {
		t.Errorf("rulings (-want +got)\n%s", diff)
	}
	if graph := v.Rulings[1]; !graph.Reheard || !graph.Dissent || graph.Points != nil || v.Rulings[2].Points == nil {
		t.Errorf("reheard %t, dissent %t, points %v and %v", graph.Reheard, graph.Dissent, graph.Points, v.Rulings[2].Points)
	}
	if v.Headline != "Adequate, with a confirmed security flaw" {
		t.Errorf("headline %q", v.Headline)
	}
	if diff := cmp.Diff([]string{"langgraph_architecture"}, Disputed(p)); diff != "" {
		t.Errorf("disputed (-want +got)\n%s", diff)
	}
}

func TestDecideOtherwise(t *testing.T) {
	tests := map[string]struct {
		change   func(*Papers)
		headline string
		overall  court.Fixed
	}{
		"the flaw is dismissed": {func(p *Papers) { p.Exhibits["safe_tools"][0].Security.Dismissed = true },
			"Adequate, with open questions", 33730},
		"the inquiry fell short": {func(p *Papers) { p.Exhibits = nil; p.Incomplete = true },
			"Adequate, incomplete", 33730},
		"one criterion only": {func(p *Papers) { p.Only = []string{"langgraph_architecture"} },
			"Good", 38500},
		"nothing heard has a weight": {func(p *Papers) { p.Only = []string{"report"}; p.Rubric.Criteria[2].Weight = 0 },
			"Undecided, with open questions", 30000},
		"nothing to hear": {func(p *Papers) { p.Only = []string{"interview"} }, "No verdict", 0},
		"all paths of the PDF exist": {func(p *Papers) { p.Exhibits["report"][0].Share = court.One },
			"Adequate, with a confirmed security flaw", 30000},
		"explanations without code are no claim": {func(p *Papers) { p.Exhibits["report"][0].Probe = "doc.anchored/1" },
			"Adequate, with a confirmed security flaw", 30000},
		"weight decides what failed most": {func(p *Papers) { p.Exhibits = nil; p.Rubric.Criteria[2].Weight = 9 * court.One },
			"Adequate, with open questions", 31243},
		"exactly excellent": {func(p *Papers) {
			p.Only = []string{"report"}
			p.Hearings[3].Bench = map[court.Persona]court.Fixed{court.Prosecutor: 45000, court.TechLead: 45000, court.Defense: 45000}
			p.Hearings[3].Coverage, p.Opinions = court.One/2, nil
		}, "Excellent, with open questions", 45000},
		"the cap is the rubric's": {func(p *Papers) { p.Rubric.Synthesis.SecurityOverride.Cap = 14000 },
			"Failing, with a confirmed security flaw", 14000},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p := wholeCase()
			tc.change(&p)
			v, err := Decide(p)
			if err != nil {
				t.Fatal(err)
			}
			if v.Headline != tc.headline || v.Overall.Exact != tc.overall {
				t.Errorf("%s %q", v.Overall.Exact, v.Headline)
			}
		})
	}
}

// The denominator is the rubric's: what was not heard cannot drop out unseen.
func TestDecideNeedsEveryHearing(t *testing.T) {
	p := wholeCase()
	p.Hearings = p.Hearings[1:]
	if _, err := Decide(p); err == nil || !strings.Contains(err.Error(), `ruling on "safe_tools"`) {
		t.Errorf("error %v", err)
	}
	if got := Disputed(p); !slices.Equal(got, []string{"langgraph_architecture"}) {
		t.Errorf("disputed %v", got)
	}
}

// An overruled opinion is answered with the evidence of its side.
func TestOverruledByEvidence(t *testing.T) {
	m := Matter{Criterion: court.Criterion{ID: "k"}, Law: court.DefaultSynthesis(), Hearings: []court.Hearing{{Criterion: "k", Round: 1,
		Bench:   map[court.Persona]court.Fixed{court.Prosecutor: 20000, court.TechLead: 25000, court.Defense: 30000},
		Against: []string{"ev-bad"}, For: []string{"ev-good"}}}, Exhibits: []court.Exhibit{{Evidence: court.Evidence{ID: "ev-bad"}, Label: "E7"}}}
	tests := map[string]struct {
		scores    [3]int // Prosecutor, TechLead, Defense
		evidence  []string
		overruled []court.Persona
		text      string
	}{
		"too kind":  {[3]int{2, 3, 5}, []string{"ev-bad"}, []court.Persona{court.Defense}, "the evidence allows 2.00 to 3.00 and overrules the Defense"},
		"too harsh": {[3]int{1, 3, 3}, []string{"ev-good"}, []court.Persona{court.Prosecutor}, "the evidence allows 2.00 to 3.00 and overrules the Prosecutor"},
		"both":      {[3]int{1, 3, 5}, []string{"ev-good", "ev-bad"}, []court.Persona{court.Prosecutor, court.Defense}, "the evidence allows 2.00 to 3.00 and overrules the Prosecutor and the Defense"},
		"neither":   {[3]int{2, 3, 3}, nil, []court.Persona{}, "the evidence allows 2.00 to 3.00; no score lies outside"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			m.Opinions = nil
			for i, j := range court.Personas() {
				m.Opinions = append(m.Opinions, opinionOf(m, j, 1, tc.scores[i]))
			}
			h := RuleOn(m).Holdings[1]
			if diff := cmp.Diff(tc.evidence, h.Evidence); diff != "" || !slices.Equal(h.Judges, tc.overruled) || h.Text != tc.text {
				t.Errorf("%v by %v: %q", h.Judges, h.Evidence, h.Text)
			}
		})
	}
}

// Every condition of a confirmed flaw is needed.
func TestConfirmed(t *testing.T) {
	base := wholeCase().Exhibits["safe_tools"][0]
	law := court.DefaultSynthesis().SecurityOverride
	flaw := func(change func(*court.Flaw)) func(*court.Exhibit) {
		return func(x *court.Exhibit) { f := *x.Security; change(&f); x.Security = &f }
	}
	tests := map[string]struct {
		change func(*court.Exhibit)
		want   bool
	}{
		"as it is":         {func(*court.Exhibit) {}, true},
		"no flaw":          {func(x *court.Exhibit) { x.Security = nil }, false},
		"absent":           {func(x *court.Exhibit) { x.Outcome = court.Absent }, false},
		"a token":          {func(x *court.Exhibit) { x.Source = court.Token }, false},
		"a model's quote":  {func(x *court.Exhibit) { x.Source = court.ModelQuote }, false},
		"attested":         {func(x *court.Exhibit) { x.Source = court.Attested }, true},
		"just under proof": {func(x *court.Exhibit) { x.Strength = 8999 }, false},
		"not verified":     {func(x *court.Exhibit) { x.Verified = false }, false},
		"superseded":       {func(x *court.Exhibit) { x.Superseded = "ev-9" }, false},
		"struck":           {func(x *court.Exhibit) { x.Struck = "unverified" }, false},
		"medium":           {flaw(func(f *court.Flaw) { f.Severity = court.Medium }), false},
		"unnamed severity": {flaw(func(f *court.Flaw) { f.Severity = "" }), false},
		"origin unknown":   {flaw(func(f *court.Flaw) { f.Tainted = "unknown" }), false},
		"in a test":        {flaw(func(f *court.Flaw) { f.Scope = "test" }), false},
		"in docs":          {flaw(func(f *court.Flaw) { f.Scope = "docs" }), false},
		"dismissed":        {flaw(func(f *court.Flaw) { f.Dismissed = true }), false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			x := base
			tc.change(&x)
			if got := Confirmed(law, x); got != tc.want {
				t.Errorf("confirmed: %t, want %t", got, tc.want)
			}
		})
	}
	inTest := base
	flaw(func(f *court.Flaw) { f.Scope = "test" })(&inTest)
	law.Exclude = []string{"vendor"}
	if !Confirmed(law, inTest) {
		t.Error("a class that the rubric took out of exclude does not count")
	}
}

// plainMatter is a criterion that the three judges see alike at 3.
func plainMatter() Matter {
	m := Matter{Criterion: court.Criterion{ID: "k"}, Law: court.DefaultSynthesis(), Hearings: []court.Hearing{{Criterion: "k", Round: 1,
		Bench: map[court.Persona]court.Fixed{court.Prosecutor: 30000, court.TechLead: 30000, court.Defense: 30000}, Low: 30000, High: 30000}}}
	for _, j := range court.Personas() {
		m.Opinions = append(m.Opinions, opinionOf(m, j, 1, 3))
	}
	return m
}

// What happens exactly at a threshold.
func TestThresholds(t *testing.T) {
	tests := map[string]struct {
		change func(*Matter)
		want   func(court.Ruling) bool
	}{
		"moved by half a point is overruled": {func(m *Matter) {
			m.Hearings[0].Bench[court.Defense], m.Opinions[1] = 35000, opinionOf(*m, court.TechLead, 1, 4)
		},
			func(r court.Ruling) bool { return slices.Equal(r.Overruled, []court.Persona{court.TechLead}) }},
		"core conflict of one half re-opens": {func(m *Matter) { m.Hearings[0].Conflict = 5000 },
			func(r court.Ruling) bool { return r.Reheard && r.Status == court.Open }},
		"core conflict below does not": {func(m *Matter) { m.Hearings[0].Conflict = 4999 },
			func(r court.Ruling) bool { return !r.Reheard && r.Status == court.Proven }},
		"doubt of one half": {func(m *Matter) { m.Hearings[0].Doubt = 5000 }, func(r court.Ruling) bool { return r.Status == court.Insufficient }},
		"doubt below":       {func(m *Matter) { m.Hearings[0].Doubt = 4999 }, func(r court.Ruling) bool { return r.Status == court.Open }},
		"doubt of 0.15":     {func(m *Matter) { m.Hearings[0].Doubt = 1500 }, func(r court.Ruling) bool { return r.Status == court.Open }},
		"doubt below that":  {func(m *Matter) { m.Hearings[0].Doubt = 1499 }, func(r court.Ruling) bool { return r.Status == court.Proven }},
		"an integer that is not its exact is no score": {func(m *Matter) { m.Opinions[0].Score = 4 },
			func(r court.Ruling) bool { return slices.Equal(r.Substituted, []court.Persona{court.Prosecutor}) }},
		"a score outside the scale is none": {func(m *Matter) { m.Opinions[0].Score, m.Opinions[0].Exact = 6, 60000 },
			func(r court.Ruling) bool { return slices.Equal(r.Substituted, []court.Persona{court.Prosecutor}) }},
		"linear by the second hearing": {func(m *Matter) {
			m.Criterion.ID = "graph_orchestration"
			m.Law.OrchestrationFraud.On = true
			again := m.Hearings[0]
			again.Round, again.Ledger = 2, linear(true)
			m.Hearings[0].Conflict = court.One
			m.Hearings = append(m.Hearings, again)
		}, func(r court.Ruling) bool { return r.Exact == court.One && r.High == court.One }},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			m := plainMatter()
			tc.change(&m)
			if r := RuleOn(m); !tc.want(r) {
				t.Errorf("%+v", r)
			}
		})
	}
}

// What orchestration_fraud rests on is the rubric's to say; a law of a time when
// rubrics could not say it rests on the two fan-outs of the graph.
func TestOrchestrationFraudRestsOn(t *testing.T) {
	tests := map[string]struct {
		basis  []string
		d      map[string]court.Fixed
		want   court.RuleOutcome
		text   string
		proofs []string
	}{
		"all proven to fail":    {basis: []string{"a", "b"}, d: map[string]court.Fixed{"a": 9000, "b": court.One}, want: court.Fired, text: "proven to fail: a and b; the score is at most 1.00", proofs: []string{"ev-a"}},
		"one alone":             {basis: []string{"a", "b"}, d: map[string]court.Fixed{"a": court.One}, want: court.Idle, text: "not every check of this rule is proven to fail: a and b"},
		"likely is not proven":  {basis: []string{"a"}, d: map[string]court.Fixed{"a": 8999}, want: court.Idle, text: "not every check of this rule is proven to fail: a"},
		"a check of no ledger":  {basis: []string{"a"}, want: court.Idle, text: "not every check of this rule is proven to fail: a"},
		"of older rubrics":      {d: map[string]court.Fixed{"graph.detectives_parallel": court.One, "graph.judges_parallel": court.One}, want: court.Fired, text: "proven to fail: graph.detectives_parallel and graph.judges_parallel; the score is at most 1.00"},
		"of older rubrics, not": {d: map[string]court.Fixed{"graph.judges_parallel": court.One}, want: court.Idle, text: "not every check of this rule is proven to fail: graph.detectives_parallel and graph.judges_parallel"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			m := plainMatter()
			m.Law.OrchestrationFraud = court.FraudRule{On: true, Cap: court.One, AppliesTo: []string{m.Criterion.ID}, WhenAll: tc.basis}
			var rows []court.Row
			for check, d := range tc.d {
				rows = append(rows, court.Row{Check: check, Weight: 2, D: d})
			}
			m.Hearings[0].Ledger = map[court.Persona][]court.Row{court.TechLead: rows}
			m.Exhibits = []court.Exhibit{{Evidence: court.Evidence{ID: "ev-a", Check: "a", Outcome: court.Violation}}}
			hs := RuleOn(m).Holdings
			h := hs[slices.IndexFunc(hs, func(h court.Holding) bool { return h.Rule == orchestrationFraudID })]
			if h.Outcome != tc.want || h.Text != tc.text || !slices.Equal(h.Evidence, tc.proofs) {
				t.Errorf("%s %q %v", h.Outcome, h.Text, h.Evidence)
			}
		})
	}
}

// A rule that is confined to some criteria reaches those that are bound to
// them, and no criterion of another table that happens to have the name.
func TestAppliesTo(t *testing.T) {
	tests := map[string]struct {
		criterion court.Criterion
		want      bool
	}{
		"its id":               {court.Criterion{ID: "graph_orchestration", Binding: "own"}, true},
		"bound":                {court.Criterion{ID: "g", Binding: "courtroom:graph_orchestration"}, true},
		"bound by an alias":    {court.Criterion{ID: "g", Binding: "alias:graph_orchestration"}, true},
		"of another table":     {court.Criterion{ID: "g", Binding: "software:graph_orchestration"}, false},
		"another":              {court.Criterion{ID: "g", Binding: "courtroom:git_forensics"}, false},
		"bound to nothing":     {court.Criterion{ID: "g", Binding: "plan"}, false},
		"a prefix of the name": {court.Criterion{ID: "graph", Binding: "courtroom:graph"}, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			m := plainMatter()
			m.Criterion = tc.criterion
			h := RuleOn(m).Holdings[3]
			if fired := h.Outcome == court.Fired; h.Rule != functionalityWeightID || fired != tc.want {
				t.Errorf("%+v", h)
			}
		})
	}
}

func BenchmarkDecide(b *testing.B) {
	p := wholeCase()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decide(p); err != nil {
			b.Fatal(err)
		}
	}
}
