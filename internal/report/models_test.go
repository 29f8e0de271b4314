package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestAskedWords(t *testing.T) {
	for want, m := range map[string]*court.Models{
		"": nil,
		"27 calls, 3 kept, 81,204 tokens in (20,480 of them cached), 6,120 out, $0.41 by prices of 2026-11-01": {Calls: 27, Kept: 3, In: 81204, Cached: 20480, Out: 6120, USD: "0.41", Prices: "2026-11-01"},
		"1 call, 999 tokens in, 1,000 out, price not known":                                                    {Calls: 1, In: 999, Out: 1000},
		"0 calls, 30 kept, 0 tokens in, 0 out":                                                                 {Kept: 30},
		"2 calls, 1,234,567 tokens in, 12 out, $0.00":                                                          {Calls: 2, In: 1234567, Out: 12, USD: "0.00"},
	} {
		rec := goodRecord()
		rec.Run.Models = m
		if got := newDocket(rec).asked(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSampleWords(t *testing.T) {
	for want, o := range map[string]court.Opinion{
		"": {Score: 3, Samples: []int{3}},
		"asked 3 times: 3, 4, 3; median 3, 1 of 3 differs":                  {Score: 3, Samples: []int{3, 4, 3}},
		"asked 5 times: 1, 5, 3, 3, 4; median 3, 3 of 5 differ":             {Score: 3, Samples: []int{1, 5, 3, 3, 4}},
		"asked 2 times: 4, 4; median 4, all agree":                          {Score: 4, Samples: []int{4, 4}},
		"asked 12 times: 2, 2, 2, 2, 2, 2, 2, 2, 2, …; median 2, all agree": {Score: 2, Samples: slices.Repeat([]int{2}, 12)},
	} {
		if got := sampleWords(o); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What a remedy gains is told over the score of the embedded bench, and never as
// a loss: a model may have been kinder than any repair makes the rules.
func TestGainsAreOverTheEmbeddedBench(t *testing.T) {
	rec := modelsRecord()
	rec.Verdict.Overall.Exact, rec.Verdict.Rulings[1].Exact = fx("4.9"), fx("4.9") // far above what is reached
	for i := range rec.Remedies {
		rec.Remedies[i].OverallTo = rec.Verdict.Overall.Embedded.Cut() - 100*court.Fixed(i) // of the second less than nothing
		rec.Remedies[i].OverallThen = *rec.Verdict.Overall.Embedded + fx("0.5") - court.One*court.Fixed(i)
		rec.Remedies[i].CriterionTo = *rec.Verdict.Rulings[1].Embedded + fx("0.25") - court.One*court.Fixed(i)
		rec.Remedies[i].Criterion = "safe_tools"
	}
	wants := map[string][]string{
		"text":           {"TOTAL, ABOUT", "  1  +0.50\n", "1-2  +0.00\n"},
		"md":             {"total after 1: about 0.50 more", "total after 1 to 2: about 0.00 more", "this criterion then about 0.25 more", "this criterion then about 0.00 more"},
		"github-comment": {"total after 1: about 0.50 more", "this criterion then about 0.25 more"},
		"html":           {"total after 1: about 0.50 more", "total after 1 to 2: about 0.00 more"},
	}
	for format, list := range wants {
		text := inFormat(t, format, rec)
		for _, want := range list {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q", format, want)
			}
		}
		if format != "html" && strings.Contains(text, "-0.") { // of a page the styles have such numbers
			t.Errorf("%s tells of a loss", format)
		}
	}
	var b bytes.Buffer
	if err := Explain(&b, rec, "safe_tools", TextOptions{}); err != nil || !strings.Contains(b.String(), "  1  +0.25  ") || !strings.Contains(b.String(), "  2  +0.00  ") {
		t.Errorf("%v in\n%s", err, b.String())
	}
}

// Where the score of the embedded bench is not known, what is reached is told as
// about, and no gain is made up.
func TestNothingToCountGainsFrom(t *testing.T) {
	rec := blindRecord()
	if rec.Verdict.Overall.Embedded != nil {
		t.Fatal("there is something to count from")
	}
	if text := inFormat(t, "md", rec); !strings.Contains(text, "total after 1: about 3.30") || strings.Contains(text, " more\n") {
		t.Error("it is not told as about")
	}
}

// The score of the built-in judges stands beside that of models wherever a score
// is told.
func TestEmbeddedStandsBeside(t *testing.T) {
	rec := modelsRecord()
	total, one := rec.Verdict.Overall.Embedded.Shown(), "3.21" // told apart from every other score
	*rec.Verdict.Rulings[0].Embedded = fx(one)
	for _, f := range Formats {
		switch f.Name {
		case "sarif", "github", "gitlab", "github-summary", "json": // findings, the Markdown report, the record itself
			continue
		}
		text := inFormat(t, f.Name, rec)
		if f.Name != "junit" && !strings.Contains(text, "built-in judges alone: "+total) {
			t.Errorf("%s: not beside the total", f.Name)
		}
		if f.Name != "badge" && !strings.Contains(text, one) {
			t.Errorf("%s: not beside a ruling", f.Name)
		}
	}
}

// What fell is struck through with the reason, and what stood is not.
func TestStruckClaims(t *testing.T) {
	rec := modelsRecord()
	o := newDocket(rec).opinion("safe_tools", court.Defense)
	for format, want := range map[string]string{
		"md":   "~~For [E2](#e2): Git is called with a list of arguments. `subprocess.run([\"git\", \"clone\", url])`~~ **Struck:** the quote is not in the exhibit.",
		"html": "<del><span class=\"vh\">Struck: </span>For: Git is called with a list of arguments. <q>subprocess.run([&#34;git&#34;, &#34;clone&#34;, url])</q></del>",
	} {
		text := inFormat(t, format, rec)
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %s", format, want)
		}
		if mark := map[string]string{"md": "~~", "html": "</del>"}[format]; strings.Count(text, mark) != len(o.Struck)*map[string]int{"md": 2, "html": 1}[format] {
			t.Errorf("%s strikes through %d", format, strings.Count(text, mark))
		}
	}
}

// An argument that is not what the court makes of the claims is told as well: a
// report hides nothing of a record.
func TestArgumentBesideClaims(t *testing.T) {
	rec := modelsRecord()
	o := newDocket(rec).opinion("graph_wiring", court.Defense)
	o.Argument = "This stands nowhere else in the whole record, and in no claim."
	for _, format := range []string{"md", "html", "junit"} {
		if !strings.Contains(strings.Join(strings.Fields(inFormat(t, format, rec)), " "), o.Argument) { // one is wrapped
			t.Errorf("%s leaves the argument out", format)
		}
	}
}

// However long models talk, a line of theirs is bounded.
func TestModelsTalkBounded(t *testing.T) {
	rec := modelsRecord()
	long := strings.Repeat("word ", 4000)
	o := newDocket(rec).opinion("safe_tools", court.Defense)
	o.Struck[0].Text, o.Struck[0].Quote, o.Struck[0].Why = long, long, long
	for _, format := range []string{"md", "html", "junit"} {
		text := inFormat(t, format, rec)
		if format == "html" { // the record itself holds all of it
			text, _, _ = strings.Cut(text, `<script type="application/json"`)
		}
		if n := strings.Count(text, "word word"); n > 3*(claimText+2*claimQuote)/5 {
			t.Errorf("%s: %d words", format, n)
		}
	}
	if got := fmt.Sprint(clipped(court.Citation{Text: long}).Text); len([]rune(got)) > claimText {
		t.Errorf("%d characters", len(got))
	}
}
