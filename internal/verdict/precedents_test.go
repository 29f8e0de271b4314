package verdict

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/court"
)

// precedent is one decided case: hearings, opinions whose words would mislead
// the one who read them, flaws, and the ruling with what every rule did.
type precedent struct {
	matter Matter
	want   precedentRuling
}

type precedentRuling struct {
	court.Ruling
	Disagreement bool `json:"disagreement"`
}

func readPrecedent(t *testing.T, path string) precedent {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := precedent{matter: Matter{Law: court.DefaultSynthesis()}}
	into := map[string]any{"law.json": &p.matter.Law, "hearings.json": &p.matter.Hearings, "opinions.json": &p.matter.Opinions,
		"exhibits.json": &p.matter.Exhibits, "ruling.json": &p.want}
	for _, f := range archive.Files {
		if f.Name == "criterion" {
			p.matter.Criterion = court.Criterion{ID: strings.TrimSpace(string(f.Data)), Weight: court.One}
			continue
		}
		if err := json.Unmarshal(f.Data, into[f.Name]); err != nil {
			t.Fatalf("%s: %s: %v", path, f.Name, err)
		}
	}
	if len(p.matter.Hearings) == 0 || len(p.want.Holdings) < len(Rules) {
		t.Fatalf("%s: hearings or holdings are missing", path)
	}
	return p
}

func precedents(t *testing.T) map[string]precedent {
	t.Helper()
	paths, err := filepath.Glob("testdata/precedents/*.txtar")
	if err != nil || len(paths) < 50 {
		t.Fatalf("%d precedents, error %v", len(paths), err)
	}
	out := map[string]precedent{}
	for _, path := range paths {
		out[strings.TrimSuffix(filepath.Base(path), ".txtar")] = readPrecedent(t, path)
	}
	return out
}

// bare is a ruling without its wording, which is free.
func bare(r court.Ruling) precedentRuling {
	r.Holdings = slices.Clone(r.Holdings)
	for i := range r.Holdings {
		h := &r.Holdings[i]
		h.Text, h.Evidence = "", nil
		if len(h.Judges) == 0 {
			h.Judges = nil
		}
	}
	out := precedentRuling{Ruling: r, Disagreement: r.Disagreement != ""}
	out.Ruling.Disagreement, out.Parted = "", nil
	return out
}

func TestPrecedents(t *testing.T) {
	for name, p := range precedents(t) {
		t.Run(name, func(t *testing.T) {
			got := RuleOn(p.matter)
			if diff := cmp.Diff(p.want, bare(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			for _, h := range got.Holdings {
				if h.Text == "" {
					t.Errorf("%s says nothing", h.Rule)
				}
				if h.Rule == securityOverrideID && h.Outcome == court.Fired && len(h.Evidence) == 0 {
					t.Error("the override names no evidence")
				}
			}
		})
	}
}

// T1: no word of an argument, a rationale or a rubric reaches the verdict.
func TestNoTextIsRead(t *testing.T) {
	cases := map[string]Papers{"a whole case": wholeCase()}
	for name, p := range precedents(t) {
		id := p.matter.Criterion.ID
		cases[name] = Papers{Rubric: court.Rubric{Criteria: []court.Criterion{p.matter.Criterion}, Synthesis: p.matter.Law},
			Hearings: p.matter.Hearings, Opinions: p.matter.Opinions, Exhibits: map[string][]court.Exhibit{id: p.matter.Exhibits}}
	}
	for name, p := range cases {
		t.Run(name, func(t *testing.T) {
			want := bytesOf(t, p)
			for seed := range uint64(20) {
				if got := bytesOf(t, noise(newChance(seed), p)); got != want {
					t.Fatalf("noise changed the verdict\n%s", cmp.Diff(want, got))
				}
			}
		})
	}
}

func bytesOf(t *testing.T, p Papers) string {
	t.Helper()
	v, err := Decide(p)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// noise replaces every text of a case by other words.
func noise(r chance, p Papers) Papers {
	words := func() string {
		var out []string
		for range r.IntN(12) {
			out = append(out, pick(r, "security", "os.system", "linear", "not", "confirmed", "overruled", "5/5", "1", "variance", "\x00", "ß", "hallucination", "cap"))
		}
		return strings.Join(out, " ")
	}
	p.Rubric.Name, p.Rubric.Description, p.Rubric.Preamble, p.Rubric.Target = words(), words(), words(), words()
	p.Rubric.Guidance = court.Guidance{Prosecutor: words(), Defense: words(), TechLead: words(), Shared: words()}
	p.Rubric.Rules = []court.RuleText{{ID: "security_override", Text: words()}}
	p.Rubric.Criteria = slices.Clone(p.Rubric.Criteria)
	for i := range p.Rubric.Criteria {
		c := &p.Rubric.Criteria[i]
		c.Name, c.Instruction, c.Success, c.Failure = words(), words(), words(), words()
		c.Guidance, c.Shown = court.Guidance{Shared: words()}, map[string]string{"statute": words()}
		c.Checks = slices.Clone(c.Checks)
		for k := range c.Checks {
			c.Checks[k].Text = words()
		}
	}
	p.Opinions = slices.Clone(p.Opinions)
	for i := range p.Opinions {
		o := &p.Opinions[i]
		o.Argument, o.Source = words(), words()
		o.Cited, o.Citations = []string{words()}, []court.Citation{{Quote: words(), Text: words(), Stance: words()}}
		if o.Substituted != "" {
			o.Substituted = "because " + words()
		}
	}
	exhibits := map[string][]court.Exhibit{}
	for id, list := range p.Exhibits {
		list = slices.Clone(list)
		for i := range list {
			list[i].Rationale, list[i].Content, list[i].Goal, list[i].Remedy = words(), words(), words(), words()
		}
		exhibits[id] = list
	}
	p.Exhibits = exhibits
	return p
}
