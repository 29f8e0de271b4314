package trial

import (
	"bytes"
	"encoding/json"
	"html"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
)

// tickSets is how many sets of ticks are tried on each record.
const tickSets = 25

// ticked is what the page makes of one set of ticks.
type ticked struct {
	Total    *int64
	Criteria []struct {
		Exact int64
		Gone  bool
	}
}

// Whatever is ticked in the page, its own arithmetic gives what the program gives: on
// records with everything that evidence can say.
func TestPageTriesAsTheProgramDoes(t *testing.T) {
	if raced || testing.Short() {
		t.Skip("takes too long")
	}
	random := rand.New(rand.NewPCG(12, 9))
	type trialCase struct {
		Numbers *tries  `json:"numbers"`
		Sets    [][]int `json:"sets"`
	}
	var cases []trialCase
	var records []*court.Record
	for _, rec := range tickedRecords(t, random) {
		c := trialCase{Numbers: triesOf(rec), Sets: [][]int{}}
		if c.Numbers == nil {
			t.Fatalf("no numbers for a record with %d remedies and %s", len(rec.Remedies), rec.Verdict.Overall.Exact)
		}
		for range tickSets {
			set, share := []int{}, random.IntN(10)
			for i := range rec.Remedies {
				if random.IntN(10) <= share {
					set = append(set, i)
				}
			}
			c.Sets = append(c.Sets, set)
		}
		cases, records = append(cases, c), append(records, rec)
	}
	if n := len(cases) * tickSets; n < 200 {
		t.Fatalf("only %d sets", n)
	}
	var got [][]ticked
	runPageScript(t, cases, &got)
	for i, rec := range records {
		for k, set := range cases[i].Sets {
			var fixes []Fix
			for _, n := range set {
				fixes = append(fixes, FixesOf(rec.Remedies[n])...)
			}
			then, err := WhatIf(t.Context(), rec, Change{Fixes: fixes})
			if err != nil {
				t.Fatal(err)
			}
			sameScores(t, then, got[i][k])
		}
	}
}

func sameScores(t *testing.T, then *court.Record, got ticked) {
	t.Helper()
	o := then.Verdict.Overall
	if o.Unscored != (got.Total == nil) || got.Total != nil && court.Fixed(*got.Total) != o.Exact {
		t.Errorf("total %v, want %s (unscored %t)", got.Total, o.Exact, o.Unscored)
	}
	for i, r := range then.Verdict.Rulings {
		if c := got.Criteria[i]; court.Fixed(c.Exact) != r.Exact || c.Gone != (r.Final == nil) {
			t.Errorf("%s is %s, gone %t; want %s, final %v", r.Criterion, court.Fixed(c.Exact), c.Gone, r.Exact, r.Final)
		}
	}
}

// tickedRecords are a case without its graph, one with a flaw that caps, one in which a
// person gave a mark, and some in which the evidence says anything at all.
func tickedRecords(t *testing.T, random *rand.Rand) (out []*court.Record) {
	f := miniature(t)
	delete(f.Files, "src/graph.py")
	f.Files["src/more.py"] = "import os\nimport sys\n\nos.system('git log ' + sys.argv[1])\n"
	first := try(t, hearing(t, f.Scene(t)))
	out = append(out, first)
	answered := *first
	answered.Case.Answers = []court.Answer{{Criterion: first.Rubric.Criteria[3].ID, Score: 5 * court.One, By: "A", Override: true},
		{Criterion: first.Rubric.Criteria[0].ID, Excluded: true, Level: "none", By: "A", Override: true}}
	out = append(out, reheard(t, &answered))
	for len(out) < 9 {
		rec := *first
		rec.Rubric.Synthesis.OrchestrationFraud.On = len(out)%2 == 0
		rec.Rubric.Synthesis.SecurityOverride.Scope = []string{"both", "criterion", "overall"}[len(out)%3]
		rec.Evidences = map[string][]court.Exhibit{}
		for _, c := range rec.Rubric.Criteria {
			for _, x := range first.Evidences[c.ID] {
				rec.Evidences[c.ID] = append(rec.Evidences[c.ID], anyhow(random, x))
			}
		}
		out = append(out, reheard(t, &rec))
	}
	return out
}

// anyhow is a piece of evidence that says something else.
func anyhow(random *rand.Rand, x court.Exhibit) court.Exhibit {
	outcomes := []court.Outcome{court.Present, court.Present, court.Violation, court.Absent, court.Partial, court.Partial, court.Unknown, court.NotApplicable}
	x.Outcome = outcomes[random.IntN(len(outcomes))]
	x.Source = court.Sources()[random.IntN(len(court.Sources()))]
	x.Confidence, x.Share, x.Reason = court.Fixed(random.IntN(10001)), 0, ""
	x.Withheld = false
	switch x.Outcome {
	case court.Partial:
		x.Share = court.Fixed(random.IntN(10001))
	case court.Unknown:
		x.Reason = court.Reasons()[random.IntN(len(court.Reasons()))]
		x.Withheld = random.IntN(3) == 0
	default:
	}
	x.Evidence = x.Sealed()
	x.Strength = bench.Strength(x.Evidence)
	return x
}

// reheard is a record judged anew by the built-in judges.
func reheard(t *testing.T, rec *court.Record) *court.Record {
	t.Helper()
	out, err := WhatIf(t.Context(), rec, Change{Embedded: true})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// runPageScript runs the page's arithmetic in node, or in a browser.
func runPageScript(t *testing.T, cases, result any) {
	t.Helper()
	script, err := os.ReadFile("../report/page/whatif.js")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	const run = "JSON.stringify(cases.map(c => c.sets.map(s => tried(c.numbers, s))))"
	code := "'use strict';\n" + string(script) + "\nconst cases = " + string(raw) + ";\n"
	dir := t.TempDir()
	var cmd *exec.Cmd
	if node, err := exec.LookPath("node"); err == nil {
		file := filepath.Join(dir, "run.js")
		if err := os.WriteFile(file, []byte(code+"console.log("+run+");\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd = exec.CommandContext(t.Context(), node, file)
	} else if browser := os.Getenv("AUTOMATON_CHROMIUM"); browser != "" {
		file := filepath.Join(dir, "run.html")
		if err := os.WriteFile(file, []byte("<!doctype html><body><script>"+code+"document.body.textContent = "+run+";</script>"), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd = exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file)
	} else {
		t.Skip("neither node nor a browser (AUTOMATON_CHROMIUM) is here to run the page's script")
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	text := html.UnescapeString(string(out))
	from, to := strings.Index(text, "[["), strings.LastIndex(text, "]]")
	if from < 0 || to < from {
		t.Fatalf("the script gave %.200q", text)
	}
	if err := json.Unmarshal([]byte(text[from:to+2]), result); err != nil {
		t.Fatal(err)
	}
}

// The numbers that a page gets are those of the ledgers: wherever nothing falls on a
// check, its belief and disbelief follow from them. They hold no text.
func TestNumbersAreTheLedgers(t *testing.T) {
	f := miniature(t)
	delete(f.Files, "src/graph.py")
	rec := try(t, hearing(t, f.Scene(t)))
	n := triesOf(rec)
	if n == nil || len(n.Fixes) != len(rec.Remedies) {
		t.Fatalf("%+v", n)
	}
	rows := 0
	for i, c := range rec.Rubric.Criteria {
		h := hear(rec.Rubric.Synthesis, c, rec.Evidences[c.ID]).hearing
		for k, check := range n.Criteria[i].Checks {
			for j, seat := range court.Personas() {
				if row := h.Ledger[seat][k]; len(check.Needs) == 0 && check.Applies {
					rows++
					pro, con := court.Fixed(check.Pro[j]), court.Fixed(check.Con[j])
					if row.B != min(pro, court.One-con) || row.D != min(con, court.One-pro) {
						t.Errorf("%s of %s for %s: %v, the ledger has %+v", row.Check, c.ID, seat, check, row)
					}
				}
			}
		}
	}
	if rows < 20 {
		t.Errorf("only %d rows compared", rows)
	}
	i := slices.IndexFunc(report.Formats, func(f report.Format) bool { return f.Name == "html" })
	var page bytes.Buffer
	if err := Render(&page, report.Formats[i], rec); err != nil {
		t.Fatal(err)
	}
	_, raw, ok := strings.Cut(page.String(), `id="automaton-numbers">`)
	raw, _, _ = strings.Cut(raw, "</script>")
	var back tries
	if err := json.Unmarshal([]byte(raw), &back); !ok || err != nil || len(back.Fixes) != len(n.Fixes) {
		t.Errorf("the page has %.100q: %v", raw, err)
	}
	other := *rec
	other.Origin.BenchSum = "another"
	if triesOf(&other) != nil {
		t.Error("numbers for a record of other judges")
	}
}
