package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// byRules is a record of models as the embedded bench alone would have left it.
func byRules(t *testing.T, rec *court.Record) *court.Record {
	t.Helper()
	out := copyOf(t, rec)
	for seat := range out.Origin.Bench {
		out.Origin.Bench[seat] = "embedded/1"
	}
	out.Origin.Prompts, out.Origin.Detectives, out.Run.Models = "", nil, nil
	for i := range out.Opinions {
		o := &out.Opinions[i]
		for _, h := range out.Hearings {
			if h.Criterion == o.Criterion && h.Round == o.Round {
				*o = court.Opinion{Judge: o.Judge, Criterion: o.Criterion, Round: o.Round, Score: h.Bench[o.Judge].Score(), Exact: h.Bench[o.Judge],
					Argument: "what the embedded judge says", Cited: o.Cited, Source: "embedded/1"}
			}
		}
	}
	v := out.Verdict
	for i := range v.Rulings {
		v.Rulings[i].Exact, v.Rulings[i].Embedded = *v.Rulings[i].Embedded, nil
	}
	v.Overall.Exact, v.Overall.Embedded = *v.Overall.Embedded, nil
	out.Seal()
	return out
}

// Scores of models are never said to have risen or fallen against those of
// another bench or under other prompts; the embedded bench's own stand beside.
func TestCompareBenches(t *testing.T) {
	rec := modelsRecord()
	rules := byRules(t, rec)
	prompts := copyOf(t, lowered(t, rec))
	prompts.Origin.Prompts = "sha256:" + strings.Repeat("d5", 32)
	better := copyOf(t, rec)
	*better.Verdict.Overall.Embedded += court.One / 10
	*better.Verdict.Rulings[1].Embedded += 4 * court.One / 10
	for _, tt := range []struct {
		name     string
		old, now *court.Record
		warnings []string
		fallen   int
		notes    string // of the total
	}{
		{"the same models", rec, copyOf(t, rec), []string{}, 0, ""},
		{"the same models, and worse", rec, lowered(t, rec), []string{}, 2, ""},
		{"rules, then models", rules, rec, []string{"the benches differ: the embedded bench (embedded/1) and a mixed bench (Prosecutor openai/advocate-2, Defense compatible/counsel-7b, TechLead embedded/1)"}, 0, ""},
		{"models, then rules", rec, rules, []string{"the benches differ: a mixed bench (Prosecutor openai/advocate-2, Defense compatible/counsel-7b, TechLead embedded/1) and the embedded bench (embedded/1)"}, 0, ""},
		{"other prompts", rec, prompts, []string{"the models were asked in other words: prompts c4c4c4c4c4c4 and d5d5d5d5d5d5"}, 0, ""},
		{"repaired", rules, better, nil, 0, "Built-in judges alone: 3.79 -> 3.89."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Compare(tt.old, tt.now)
			if tt.warnings != nil && strings.Join(c.Warnings, "|") != strings.Join(tt.warnings, "|") {
				t.Errorf("warnings %q, want %q", c.Warnings, tt.warnings)
			}
			if len(c.Fallen) != tt.fallen || c.Regressed != (tt.fallen > 0) {
				t.Errorf("fallen: %v", c.Fallen)
			}
			if got := strings.Join(c.Overall.Note, "; "); got != tt.notes {
				t.Errorf("notes %q, want %q", got, tt.notes)
			}
		})
	}
}

// What would be otherwise is answered by the embedded bench: the answer is held
// against its own score, never against a model's.
func TestCompareAsked(t *testing.T) {
	rec := modelsRecord()
	*rec.Verdict.Rulings[1].Embedded -= court.One // a model was kinder than the rules
	*rec.Verdict.Overall.Embedded -= court.One / 4
	rec.Seal()
	then := copyOf(t, rec)
	then.Hypothetical, then.Parent = true, rec.Digest
	id := then.Verdict.Rulings[1].Criterion
	rules := byRules(t, rec)
	for i, o := range then.Opinions {
		if o.Criterion == id {
			then.Opinions[i] = rules.Opinions[i]
		}
	}
	then.Verdict.Rulings[1].Exact, then.Verdict.Rulings[1].Embedded = fx("2.5"), nil // above the rules' 1.85, under the models' 2.85
	*then.Verdict.Overall.Embedded += fx("0.16")
	then.Verdict.Overall.Exact -= fx("0.08")
	c := Compare(rec, then)
	if d := c.Criteria[1].Delta(); d != fx("0.65") {
		t.Errorf("the criterion gains %s", d)
	}
	if d := c.Overall.Delta(); d <= 0 || c.Regressed || len(c.Warnings) > 0 {
		t.Errorf("the total gains %s, fallen %v, warnings %v", d, c.Fallen, c.Warnings)
	}
	if d := c.Criteria[0].Delta(); d != 0 || *c.Criteria[0].Old != rec.Verdict.Rulings[0].Exact {
		t.Errorf("what was not heard again changed by %s", d)
	}
	var b bytes.Buffer
	if err := WriteComparison(&b, c, TextOptions{Width: 100}); err != nil || strings.Count(b.String(), aboutNote) != 2 {
		t.Errorf("%v in\n%s", err, b.String())
	}
	alone := byRules(t, rec) // another bench was asked for: that is the question
	alone.Hypothetical, alone.Parent = true, rec.Digest
	if c := Compare(rec, alone); *c.Overall.Old != rec.Verdict.Overall.Exact || *c.Overall.New != *rec.Verdict.Overall.Embedded || len(c.Warnings) > 0 {
		t.Errorf("%s -> %s, %q", *c.Overall.Old, *c.Overall.New, c.Warnings)
	}
	law := copyOf(t, rec) // the same opinions under another law: nobody was heard again
	law.Hypothetical, law.Parent = true, rec.Digest
	law.Verdict.Overall.Exact -= court.One
	if c := Compare(rec, law); c.Overall.Delta() != -court.One || strings.Contains(strings.Join(c.Overall.Note, " "), "about") {
		t.Errorf("%s, %q", c.Overall.Delta(), c.Overall.Note)
	}
}
