package court

import (
	"slices"
	"strings"
	"testing"
)

func TestApart(t *testing.T) {
	one := map[Persona]string{Prosecutor: "embedded/1", Defense: "embedded/1", TechLead: "embedded/1"}
	mixed := map[Persona]string{Prosecutor: "embedded/1", Defense: "embedded/2", TechLead: "embedded/1"}
	model := map[Persona]string{Prosecutor: "maker/m", Defense: "maker/m", TechLead: "maker/m"}
	both := map[Persona]string{Prosecutor: "maker/m", Defense: "embedded/1", TechLead: "maker/m"}
	base := Terms{Rubric: "sha256:0123456789abcdef", Checks: "sha256:11", Law: 1, Bench: one}
	heard := Terms{base.Rubric, base.Checks, 1, model, "sha256:aa"}
	with := func(change func(*Terms)) Terms { t := base; change(&t); return t }
	for _, tt := range []struct {
		name     string
		was, now Terms
		want     []string
	}{
		{"the same", base, base, nil},
		{"rubric", base, with(func(t *Terms) { t.Rubric = "sha256:fedcba9876543210" }), []string{"the rubrics differ: 0123456789ab and fedcba987654"}},
		{"checks", base, with(func(t *Terms) { t.Checks = "" }), []string{"the checks differ: 11 and none"}},
		{"law", base, with(func(t *Terms) { t.Law = 2 }), []string{"the laws differ: 1 and 2"}},
		{"bench", base, with(func(t *Terms) { t.Bench = mixed }), []string{"the benches differ: embedded/1 and Prosecutor embedded/1, Defense embedded/2, TechLead embedded/1"}},
		{"no bench, law", base, with(func(t *Terms) { t.Law, t.Bench = 3, nil }), []string{"the laws differ: 1 and 3", "the benches differ: embedded/1 and no bench"}},
		{"the same models", heard, heard, nil},
		{"a model", base, heard, []string{"the benches differ: the embedded bench (embedded/1) and the model maker/m"}},
		{"no model any more", heard, base, []string{"the benches differ: the model maker/m and the embedded bench (embedded/1)"}},
		{"a mixed bench", heard, Terms{base.Rubric, base.Checks, 1, both, "sha256:aa"}, []string{"the benches differ: the model maker/m and a mixed bench (Prosecutor maker/m, Defense embedded/1, TechLead maker/m)"}},
		{"other prompts", heard, Terms{base.Rubric, base.Checks, 1, model, "sha256:bb"}, []string{"the models were asked in other words: prompts aa and bb"}},
		{"a model that only looks for evidence", base, with(func(t *Terms) { t.Prompts = "sha256:aa" }), []string{"models were asked in one of the two only"}},
	} {
		if got := tt.was.Apart(tt.now); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// What fell is what fell as printed, and totals over other criteria are not
// compared.
func TestFallen(t *testing.T) {
	verdict := func(overall Fixed, scores ...string) *Verdict {
		v := &Verdict{Overall: Overall{Exact: overall}}
		for _, s := range scores {
			id, score, _ := strings.Cut(s, " ")
			r := Ruling{Criterion: id}
			if score != "-" {
				f, err := ParseFixed(score)
				if err != nil {
					t.Fatal(err)
				}
				n := f.Score()
				r.Exact, r.Final = f, &n
			}
			v.Rulings = append(v.Rulings, r)
		}
		return v
	}
	for _, tt := range []struct {
		name     string
		old, now *Verdict
		want     string
	}{
		{"nothing", verdict(40000, "a 4", "b 4"), verdict(40000, "a 4", "b 4"), ""},
		{"up", verdict(40000, "a 4"), verdict(45000, "a 4.5"), ""},
		{"down", verdict(40000, "a 4", "b 4"), verdict(35000, "a 4", "b 3"), "b overall"},
		{"by less than is printed", verdict(40050, "a 4.005"), verdict(40000, "a 4"), ""},
		{"lost its score", verdict(40000, "a 4"), verdict(40000, "a -"), "a"},
		{"had none", verdict(40000, "a -"), verdict(40000, "a 2"), ""},
		{"fewer criteria", verdict(40000, "a 4", "b 4"), verdict(30000, "a 3"), "a"},
		{"other criteria", verdict(40000, "a 4"), verdict(10000, "b 1"), ""},
		{"no verdict then", nil, verdict(10000, "b 1"), ""},
		{"no verdict now", verdict(40000, "a 4"), nil, "overall"},
	} {
		var got []string
		for _, f := range tt.now.Fallen(tt.old) {
			got = append(got, f.Criterion)
			if f.Is != nil && f.Is.Cut() >= f.Was.Cut() {
				t.Errorf("%s: %s from %s to %s", tt.name, f.Criterion, f.Was, *f.Is)
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
		}
	}
}
