package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// same hears the chief justice again and comes to what stands on record.
func same(rec *court.Record) (*court.Verdict, error) {
	v := *rec.Verdict
	return &v, nil
}

func ownDigests(r court.Rubric) (rubric, checks string, err error) { return r.Digest, r.Checks, nil }

func TestVerifyHolds(t *testing.T) {
	for _, name := range []string{"capped", "good", "blind", "mistrial", "models"} {
		t.Run(name, func(t *testing.T) {
			for _, l := range Verify(golden(t, name), Tools{Rubric: ownDigests, Rule: same}) {
				if l.Result != OK {
					t.Errorf("%s %s: %s", l.Result, l.Check, l.Text)
				}
			}
		})
	}
}

func TestVerifyFinds(t *testing.T) {
	first := func(r *court.Record) *court.Exhibit { return &r.Evidences["safe_tool_engineering"][0] }
	tests := map[string]struct {
		spoil func(*court.Record)
		tools Tools
		check string
		want  string
	}{
		"another version":          {func(r *court.Record) { r.Schema = "automaton/record/9" }, Tools{}, "schema", `not a record`},
		"a changed score":          {func(r *court.Record) { r.Verdict.Overall.Exact++ }, Tools{}, "digest", "the content does not have the digest sha256:"},
		"a changed quote":          {func(r *court.Record) { first(r).Content += " " }, Tools{}, "evidence", "its content gives ev-"},
		"found without an outcome": {func(r *court.Record) { first(r).Found = false }, Tools{}, "evidence", "found or location do not follow"},
		"the wrong criterion": {func(r *court.Record) {
			r.Evidences["judicial_nuance"] = append(r.Evidences["judicial_nuance"], *first(r))
		}, Tools{}, "evidence", "its id or label E1 is there twice"},
		"evidence that lies elsewhere": {func(r *court.Record) {
			r.Evidences["elsewhere"], r.Evidences["judicial_nuance"] = r.Evidences["judicial_nuance"], nil
		}, Tools{}, "evidence", "it stands under another criterion"},
		"an invented citation": {func(r *court.Record) {
			r.Opinions[0].Cited = append(r.Opinions[0].Cited, "ev-000000000000000000000000")
		}, Tools{}, "citations", "git_forensic_analysis/1/Prosecutor: ev-000000000000000000000000 is not in the record"},
		"an invented quote":         {func(r *court.Record) { r.Opinions[0].Citations[0].Quote = "never written" }, Tools{}, "citations", "the quote is not in ev-"},
		"a quote that nobody cites": {func(r *court.Record) { r.Opinions[0].Cited = nil }, Tools{}, "citations", "is quoted and not cited"},
		"a holding on nothing":      {func(r *court.Record) { r.Verdict.Rulings[3].Holdings[5].Evidence = []string{"ev-0"} }, Tools{}, "citations", "safe_tool_engineering/security_override: ev-0 is not in the record"},
		"a remedy of nothing":       {func(r *court.Record) { r.Remedies[0].Evidence = []string{"ev-0"} }, Tools{}, "citations", "remedy tool.no_shell: ev-0"},
		"another rubric":            {func(*court.Record) {}, Tools{Rubric: func(court.Rubric) (string, string, error) { return "ffff", "", nil }}, "rubric, checks", "the content of the rubric does not have the digest b1946ac9d3e0"},
		"an unreadable rubric":      {func(*court.Record) {}, Tools{Rubric: func(court.Rubric) (string, string, error) { return "", "", errors.New("no criteria") }}, "rubric, checks", "no criteria"},
		"another verdict": {func(*court.Record) {}, Tools{Rule: func(r *court.Record) (*court.Verdict, error) {
			v := *r.Verdict
			v.Rulings = append([]court.Ruling{}, v.Rulings...)
			v.Rulings[2].Exact = 46000
			v.Rulings[2].Holdings = append([]court.Holding{}, v.Rulings[2].Holdings...)
			v.Rulings[2].Holdings[3].After = 46000
			return &v, nil
		}}, "verdict", "graph_orchestration 4.72, now 4.60; traces part at functionality_weight"},
		"no verdict": {func(*court.Record) {}, Tools{Rule: func(*court.Record) (*court.Verdict, error) { return nil, errors.New("it was not heard") }}, "verdict", "it was not heard"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := golden(t, "capped")
			tt.spoil(rec)
			lines := Verify(rec, tt.tools)
			if Holds(lines) {
				t.Error("it holds")
			}
			for _, l := range lines {
				if l.Check == tt.check && (l.Result != No || !strings.Contains(l.Text, tt.want)) {
					t.Errorf("got %s %q, want no …%q", l.Result, l.Text, tt.want)
				}
			}
		})
	}
}

func TestVerifySkips(t *testing.T) {
	rec := golden(t, "capped")
	rec.Origin.Law = court.Law + 1
	rec.Seal()
	got := map[string]Line{}
	for _, l := range Verify(rec, Tools{Rule: same, Rubric: func(r court.Rubric) (string, string, error) { return r.Digest, "0123456789abcdef", nil }}) {
		got[l.Check] = l
	}
	for check, want := range map[string]string{"verdict": "the record was made by version 4 of the rules, and this program has version 3", "rubric, checks": "the checks are not those of this program: 91c3e2f07ab6, here 0123456789ab"} {
		if got[check].Result != Skipped || got[check].Text != want {
			t.Errorf("%s: got %s %q, want skipped %q", check, got[check].Result, got[check].Text, want)
		}
	}
}

// One changed byte anywhere in a record is noticed: it is refused or the digest
// no longer holds. Times of the run are not part of it.
func TestVerifyFindsOneByte(t *testing.T) {
	raw := goldenFile(t, "good.json")
	whole := strings.Index(string(raw), "\n  \"run\":")
	digest := strings.Index(string(raw), "\n  \"case\":")
	tried := 0
	for i := digest; i < whole; i += 7 {
		c := raw[i]
		if c == ' ' || c == '\n' {
			continue
		}
		spoiled := append([]byte{}, raw...)
		spoiled[i] = c ^ 1
		tried++
		rec, err := Decode(spoiled)
		if err == nil && Holds(Verify(rec, Tools{})) {
			t.Errorf("byte %d: %q for %q went unnoticed", i, spoiled[i], c)
		}
	}
	if tried < 1000 {
		t.Errorf("only %d bytes tried", tried)
	}
}

func TestDifferences(t *testing.T) {
	v := golden(t, "capped").Verdict
	short := *v
	short.Rulings = v.Rulings[:9]
	words := *v
	words.Headline = "Excellent"
	tests := map[string]struct {
		was, now *court.Verdict
		want     string
	}{
		"the same":    {v, v, ""},
		"none at all": {nil, nil, ""},
		"none before": {nil, v, "the record has no verdict"},
		"none now":    {v, nil, "there is no verdict now"},
		"one less":    {v, &short, "swarm_visual: not ruled on now"},
		"one more":    {&short, v, "swarm_visual: not in the record"},
		"other words": {v, &words, "the words of the verdict or the order of its rulings differ"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(Differences(tt.was, tt.now, true), "|"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	t.Run("of another program", func(t *testing.T) {
		other := *v
		other.Headline, other.Summary, other.Rulings = "Fine", "All is well.", slices.Clone(v.Rulings)
		for i := range other.Rulings {
			other.Rulings[i].Disagreement, other.Rulings[i].Holdings = "they differ", slices.Clone(other.Rulings[i].Holdings)
			for k := range other.Rulings[i].Holdings {
				other.Rulings[i].Holdings[k].Text = "said otherwise"
			}
		}
		if got := Differences(v, &other, false); len(got) > 0 {
			t.Errorf("only the words differ: %q", got)
		}
		other.Rulings[0].Holdings[1].After++
		if got := Differences(v, &other, false); len(got) != 1 {
			t.Errorf("a number differs: %q", got)
		}
	})
}
