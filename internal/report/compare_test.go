package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func copyOf(t *testing.T, rec *court.Record) *court.Record {
	t.Helper()
	raw, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	var out court.Record
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// lowered is the record with one ruling and the total half a point lower.
func lowered(t *testing.T, rec *court.Record) *court.Record {
	out := copyOf(t, rec)
	out.Verdict.Rulings[0].Exact -= court.One / 2
	out.Verdict.Overall.Exact -= court.One / 2
	out.Seal()
	return out
}

func TestCompare(t *testing.T) {
	rec := goodRecord()
	id := rec.Verdict.Rulings[0].Criterion
	otherLaw := lowered(t, rec)
	otherLaw.Origin.Law++
	fewer := lowered(t, rec)
	fewer.Verdict.Rulings = fewer.Verdict.Rulings[:1]
	moved := copyOf(t, rec)
	for _, list := range moved.Evidences {
		for i := range list {
			for k := range list[i].At {
				list[i].At[k].Line += 7
			}
		}
	}
	asked := lowered(t, rec)
	asked.Rubric.Digest, asked.Hypothetical, asked.Parent = "sha256:00", true, rec.Digest
	for _, tt := range []struct {
		name     string
		now      *court.Record
		fallen   []string
		warnings int
		delta    court.Fixed // of the total
		text     string
	}{
		{"the same", copyOf(t, rec), []string{}, 0, 0, ""},
		{"code moved", moved, []string{}, 0, 0, ""},
		{"lower", lowered(t, rec), []string{id, "overall"}, 0, -court.One / 2, "-0.50"},
		{"another law", otherLaw, []string{}, 1, -court.One / 2, "warning: the laws differ"},
		{"other criteria", fewer, []string{id}, 0, 0, "The totals are over different criteria and cannot be compared."},
		{"as was asked", asked, []string{id, "overall"}, 0, -court.One / 2, "-0.50"},
	} {
		c := Compare(rec, tt.now)
		if !slices.Equal(c.Fallen, tt.fallen) || c.Regressed != (len(tt.fallen) > 0) || len(c.Warnings) != tt.warnings || c.Overall.Delta() != tt.delta {
			t.Errorf("%s: fallen %q, regressed %v, warnings %q, total %s", tt.name, c.Fallen, c.Regressed, c.Warnings, c.Overall.Delta())
		}
		var b bytes.Buffer
		if err := WriteComparison(&b, c, TextOptions{Width: 200}); err != nil || !strings.Contains(b.String(), tt.text) {
			t.Errorf("%s: %v\n%s", tt.name, err, b.String())
		}
		for _, x := range c.Criteria {
			if (tt.name == "the same" || tt.name == "code moved") && len(x.Gone)+len(x.Came)+len(x.Note) > 0 {
				t.Errorf("%s: %+v", tt.name, x)
			}
		}
	}
}

// comparison is the page of two audits that found some things otherwise.
func comparison(t *testing.T) string {
	t.Helper()
	rec := goodRecord()
	now := lowered(t, rec)
	now.Evidences[now.Rubric.Criteria[0].ID][0].Outcome = court.Absent
	now.Evidences[now.Rubric.Criteria[1].ID][0].Content += " otherwise"
	var b bytes.Buffer
	if err := HTMLComparison(&b, Compare(rec, now), nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page shows what the two audits found otherwise, and needs no script.
func TestComparisonPage(t *testing.T) {
	page := comparison(t)
	for _, want := range []string{"The total fell by 0.50, 1 criterion fell", "<b>absent</b>", `class="rng wide"`, "1 check with the same outcome and other evidence"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<script") {
		t.Error("the page has a script")
	}
}

// Text and Markdown bring evidence together by its check, as the page does:
// what was found otherwise is one line, what stayed is none.
func TestComparisonByCheck(t *testing.T) {
	at := func(label, check string, o court.Outcome) Trace {
		return Trace{Label: label, Check: check, Outcome: o, Location: "a.py:" + label[1:]}
	}
	for _, tt := range []struct {
		name           string
		gone, came     []Trace
		text, markdown string
	}{
		{"mended", []Trace{at("E84", "tool.no_shell", court.Violation)}, []Trace{at("E85", "tool.no_shell", court.Present)},
			"“tool.no_shell.” Before: violation (E84, a.py:84). Now: present (E85, a.py:85).", "“tool.no\\_shell.” Before: violation (E84, `a.py:84`). Now: present (E85, `a.py:85`)."},
		{"elsewhere", []Trace{at("E1", "c", court.Violation)}, []Trace{at("E2", "c", court.Violation)}, "", ""},
		{"one of two", []Trace{at("E1", "c", court.Violation), at("E3", "c", court.Violation)}, []Trace{at("E2", "c", court.Violation)},
			"“c.” Before: violation (E3, a.py:3). Now: nothing on it.", "“c.” Before: violation (E3, `a.py:3`). Now: nothing on it."},
		{"good signs", []Trace{at("E1", "c", court.Present)}, []Trace{at("E2", "d", court.Present)}, "", ""},
		{"two checks", []Trace{at("E1", "c", court.Absent), at("E3", "e", court.Absent)}, []Trace{at("E2", "d", court.Absent)},
			"“c.” Before: absent (E1, a.py:1). Now: nothing on it.\n    1 more check was found in the first audit only.\n    “d.” Before: nothing on it. Now: absent (E2, a.py:2).",
			"“c.” Before: absent (E1, `a.py:1`). Now: nothing on it. “e.” Before: absent (E3, `a.py:3`). Now: nothing on it. “d.” Before: nothing on it. Now: absent (E2, `a.py:2`)."},
	} {
		c := Comparison{Criteria: []Change{{ID: "one", Name: "One", Gone: tt.gone, Came: tt.came}}, Overall: Change{ID: court.OverallID, Name: "Overall"}}
		var text, markdown bytes.Buffer
		if err := WriteComparison(&text, c, TextOptions{Width: 200}); err != nil {
			t.Fatal(err)
		}
		if err := MarkdownComparison(&markdown, c); err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(text.String(), "\nOne           – ->    –\n")
		notes, _, _ := strings.Cut(body, "Overall")
		if notes = strings.TrimSpace(notes); notes != tt.text {
			t.Errorf("%s: %q, want %q", tt.name, notes, tt.text)
		}
		if want := "|  | " + tt.markdown + " |\n"; !strings.Contains(markdown.String(), want) {
			t.Errorf("%s: no %q in\n%s", tt.name, want, markdown.String())
		}
	}
}
