package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What the terminal prints, for each golden case.
func TestGoldenTerminal(t *testing.T) {
	type write = func(io.Writer, *court.Record) error
	explain := func(id string) write {
		return func(w io.Writer, rec *court.Record) error { return Explain(w, rec, id, TextOptions{}) }
	}
	tests := map[string]struct {
		rec   *court.Record
		write write
	}{
		"capped-summary-80.txt": {cappedRecord(), func(w io.Writer, rec *court.Record) error {
			return Summary(w, rec, TextOptions{Width: 80, Time: true, Report: "automaton-out/" + rec.Case.ID + "/report.html"})
		}},
		"capped-summary-120.txt": {cappedRecord(), func(w io.Writer, rec *court.Record) error {
			return Summary(w, rec, TextOptions{Width: 120, Time: true, Report: "automaton-out/" + rec.Case.ID + "/report.html"})
		}},
		"capped-summary-60.txt": {cappedRecord(), func(w io.Writer, rec *court.Record) error { return Summary(w, rec, TextOptions{Width: 60}) }},
		"capped-summary-color.txt": {cappedRecord(), func(w io.Writer, rec *court.Record) error {
			return Summary(w, rec, TextOptions{Color: true})
		}},
		"capped-explain.txt":         {cappedRecord(), explain("safe_tool_engineering")},
		"capped-explain-dissent.txt": {cappedRecord(), explain("swarm_visual")},
		"capped-explain-all.txt":     {cappedRecord(), explain("")},
		"capped-explain-chain.txt": {cappedRecord(), func(w io.Writer, rec *court.Record) error {
			return ExplainChain(w, rec, "safe_tool_engineering", TextOptions{})
		}},
		"blind-explain.txt":         {blindRecord(), explain("code_quality")},
		"blind-explain-none.txt":    {blindRecord(), explain("taste")},
		"blind-explain-unknown.txt": {blindRecord(), explain("theoretical_depth")},
		"models-explain.txt":        {modelsRecord(), explain("safe_tools")},
		"models-explain-lost.txt":   {modelsRecord(), explain("structured_output")},
		"models-explain-quote.txt":  {modelsRecord(), explain("judicial_nuance")},
		"models-explain-all.txt":    {modelsRecord(), explain("")},
		"models-run.txt":            {modelsRecord(), func(w io.Writer, rec *court.Record) error { return ExplainRun(w, rec, TextOptions{}) }},
		"models-summary-60.txt":     {modelsRecord(), func(w io.Writer, rec *court.Record) error { return Summary(w, rec, TextOptions{Width: 60}) }},
		"models-summary-120.txt": {modelsRecord(), func(w io.Writer, rec *court.Record) error {
			return Summary(w, rec, TextOptions{Width: 120, Time: true})
		}},
		"models-evidence.txt": {modelsRecord(), func(w io.Writer, rec *court.Record) error {
			return ExplainEvidence(w, rec, "E6", TextOptions{})
		}},
		"attack-explain.txt": {attackRecord(), explain("safe_tool_engineering" + attack)},
		"capped-evidence.txt": {cappedRecord(), func(w io.Writer, rec *court.Record) error {
			return ExplainEvidence(w, rec, rec.Evidences["safe_tool_engineering"][0].Label, TextOptions{})
		}},
		"attack-evidence.txt": {attackRecord(), func(w io.Writer, rec *court.Record) error {
			return ExplainEvidence(w, rec, rec.Evidences["safe_tool_engineering"][0].ID, TextOptions{})
		}},
		"capped-run.txt": {cappedRecord(), func(w io.Writer, rec *court.Record) error { return ExplainRun(w, rec, TextOptions{}) }},
		"good-run.txt":   {goodRecord(), func(w io.Writer, rec *court.Record) error { return ExplainRun(w, rec, TextOptions{}) }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := tt.write(&b, tt.rec); err != nil {
				t.Fatal(err)
			}
			compareGolden(t, name, b.Bytes())
		})
	}
}

// The summary of the design, byte for byte.
func TestSummaryOfTheDesign(t *testing.T) {
	want := `northwind/automaton-auditor 9f2c41d
  PDF reports/final_report.pdf (auto), rubric rubric.json 3.0.0 b1946ac9d3e0,
  built-in judges, version 1

  3.00 of 5  capped by security_override, 4.05 before

  Adequate, with a confirmed security flaw. 8 of 10 criteria reach 4 or more.
  Biggest problem: a confirmed security flaw caps the total: call of os.system
  with an f-string; repo_url comes from the command line (Safe Tool
  Engineering, src/tools/git_tools.py:86-90).

  CRITERION                          P  D  T  FINAL  EXACT
  Safe Tool Engineering              2  4  3      3   2.79
      A confirmed security flaw caps the total: call of os.system with an
      f-string; repo_url comes from the command line.
  Report Accuracy (Cross-Reference)  2  4  3      3   3.13
      2 paths not found: src/tools/ast_parser.py, src/nodes/vision.py.
  Architectural Diagram Analysis     2  5  4      4   3.66
      The judges disagree by 3 points.
  Theoretical Depth (Documentation)  3  4  4      4   3.80
  Chief Justice Synthesis Engine     4  5  4      4   4.30
  Judicial Nuance and Dialectics     4  5  5      4   4.36
  Structured Output Enforcement      4  5  5      5   4.50
  State Management Rigor             4  5  5      5   4.64
  Git Forensic Analysis              4  5  5      5   4.69
  Graph Orchestration Architecture   4  5  5      5   4.72
  P, D, T: scores of Prosecutor, Defense and Tech Lead. FINAL: the court's
  score. EXACT: the same before rounding.

    FIX FIRST                                                EFFORT  TOTAL AFTER
! 1 src/tools/git_tools.py:88                                15 min      1  4.17
      Pass git an argument list, no shell.
  2 pdf:page 4                                                5 min    1-2  4.29
      Correct or remove two paths.
  3 src/tools/git_tools.py:41                                30 min    1-3  4.32
      Handle failed logins of git.
  EFFORT: an estimate. TOTAL AFTER: the total once this fix and all above it
  are done. !: lifts a cap, or a score that is under its bar.

  NOTES, none of which lowers a score by itself
  - pdf:page 7, image 3: 1x1 spacer (VisionInspector).

  report  automaton-out/northwind__automaton-auditor-9f2c41d/report.html
  why     automaton explain -c safe_tool_engineering
  68 pieces of evidence, 30 opinions, 0 model calls, 1 note, 8.4 s

FAIL  3.00 is below the bar of 3.50 (--fail-under)
`
	rec := cappedRecord()
	var b strings.Builder
	if err := Summary(&b, rec, TextOptions{Time: true, Report: "automaton-out/" + rec.Case.ID + "/report.html"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestExplainRefusesWhatIsNotThere(t *testing.T) {
	rec := cappedRecord()
	first := rec.Evidences["safe_tool_engineering"][0]
	tests := map[string]struct {
		err  error
		want string
	}{
		"criterion":     {Explain(io.Discard, rec, "safe\x1btools", TextOptions{}), `explaining a ruling: no criterion "safe\x1btools" in this record (have git_forensic_analysis, `},
		"label":         {ExplainEvidence(io.Discard, rec, "E99", TextOptions{}), `finding evidence "E99": not in this record (have E1 to E68)`},
		"ambiguous":     {ExplainEvidence(io.Discard, rec, "ev-", TextOptions{}), `finding evidence "ev-": not in this record`},
		"empty":         {ExplainEvidence(io.Discard, rec, "", TextOptions{}), `finding evidence "": not in this record`},
		"no evidence":   {ExplainEvidence(io.Discard, mistrialRecord(), "E1", TextOptions{}), `finding evidence "E1": this record holds no evidence`},
		"a unique head": {ExplainEvidence(io.Discard, rec, first.ID[:len(first.ID)-1], TextOptions{}), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := ""
			if tt.err != nil {
				got = tt.err.Error()
			}
			if !strings.HasPrefix(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// The data of an explanation is one JSON value with the parts of the text.
func TestWhyAsData(t *testing.T) {
	e, err := Why(cappedRecord(), "safe_tool_engineering")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if n := len(back["opinions"].([]any)); n != 3 {
		t.Errorf("%d opinions, want 3", n)
	}
	if got := back["opinions"].([]any)[0].(map[string]any)["counted"]; got != 2.04 {
		t.Errorf("the Prosecutor counts as %v, want 2.04", got)
	}
}

// Nothing that could move a cursor, hide text or reorder it reaches a terminal.
func TestTerminalIsSafe(t *testing.T) {
	rec := attackRecord()
	var b bytes.Buffer
	for _, f := range []func() error{
		func() error { return Summary(&b, rec, TextOptions{}) },
		func() error { return Explain(&b, rec, "", TextOptions{}) },
		func() error { return Explain(&b, rec, "safe_tool_engineering"+attack, TextOptions{}) },
		func() error { return ExplainEvidence(&b, rec, rec.Opinions[0].Cited[0], TextOptions{}) },
		func() error { return ExplainRun(&b, rec, TextOptions{}) },
	} {
		if err := f(); err != nil {
			t.Fatal(err)
		}
	}
	if i := strings.IndexAny(b.String(), "\x1b\u202e\u200b\x07\r\t"); i >= 0 {
		t.Errorf("found %q", b.String()[max(0, i-40):i+10])
	}
	for i, l := range strings.Split(b.String(), "\n") {
		if strings.HasPrefix(l, "- [ ] item") || strings.HasPrefix(l, "# Heading") {
			t.Errorf("line %d begins with foreign text: %q", i+1, l)
		}
	}
}

// On a terminal, places lead to their permalinks: to the page that the other
// reports link, and without a change to a single column.
func TestLinksOfTheTerminal(t *testing.T) {
	sequences := regexp.MustCompile("\x1b\\]8;;(https://github\\.com/northwind/automaton-auditor/(?:blob|commit)/[!-~]+)?\x1b\\\\")
	rec := cappedRecord()
	bare := *rec
	bare.Evidences = nil
	id := rec.Evidences["safe_tool_engineering"][0].ID
	for name, write := range map[string]func(io.Writer, TextOptions) error{
		"summary":  func(w io.Writer, o TextOptions) error { return Summary(w, rec, o) },
		"explain":  func(w io.Writer, o TextOptions) error { return Explain(w, rec, "safe_tool_engineering", o) },
		"evidence": func(w io.Writer, o TextOptions) error { return ExplainEvidence(w, rec, id, o) },
		"compare":  func(w io.Writer, o TextOptions) error { return WriteComparison(w, Compare(rec, &bare), o) },
	} {
		for _, width := range []int{60, 80, 120, 200} {
			var with, without strings.Builder
			o := TextOptions{Width: width}
			if err := write(&without, o); err != nil {
				t.Fatal(err)
			}
			o.Links = true
			if err := write(&with, o); err != nil {
				t.Fatal(err)
			}
			if n := len(sequences.FindAllString(with.String(), -1)); n < 2 || n%2 != 0 {
				t.Errorf("%s at %d columns: %d sequences of links", name, width, n)
			}
			if d := cmp.Diff(without.String(), sequences.ReplaceAllString(with.String(), "")); d != "" {
				t.Errorf("%s at %d columns: %s", name, width, d)
			}
			if strings.Contains(without.String(), "\x1b") {
				t.Errorf("%s: links that nobody asked for", name)
			}
		}
	}
}

// No address but one of ours, which ends no sequence, becomes a link.
func TestLinkRefuses(t *testing.T) {
	for _, url := range []string{"", "http://a.example/", "https://a.example/\x1b\\x", "https://a.example/\a", "https://a.example/ b", "https://a.example/\u202e", "javascript:alert(1)"} {
		if got := (TextOptions{Links: true}).link(url, "text"); got != "text" {
			t.Errorf("%q gives %q", url, got)
		}
	}
}

// A rule may fire on a case that stays below its cap anyway.
func TestCapThatDoesNotBind(t *testing.T) {
	rec := cappedRecord()
	all := &rec.Verdict.Overall
	all.Exact, all.BeforeCap = fx("1.96"), fx("1.96")
	for format, want := range map[string]string{
		"text": "1.96 of 5  security_override fired, its cap does not bind",
		"md":   "**1.96 of 5**, `security_override` fired, its cap does not bind",
		"html": ">security_override fired, its cap does not bind</a>",
	} {
		i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == format })
		var b strings.Builder
		if err := Formats[i].Write(&b, rec); err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(b.String(), `type="application/json"`) // its text of the record may say "before"
		if !strings.Contains(head, want) || strings.Contains(head, "1.96 before") {
			t.Errorf("%s: no %q in\n%.2000s", format, want, head)
		}
	}
}

// The command that explains names the case where it would not find it, and
// stays within the line.
func TestWhyNamesTheRecord(t *testing.T) {
	for record, want := range map[string]string{
		"":                                   "  why     automaton explain -c safe_tool_engineering\n",
		"marks/ada-123":                      "  why     automaton explain marks/ada-123 -c safe_tool_engineering\n",
		"it's here/a-1":                      "  why     automaton explain 'it'\\''s here/a-1' -c safe_tool_engineering\n",
		"a/long/way/to/it":                   "  why     automaton explain a/long/way/to/it -c safe_tool_engineering\n",
		"automaton-out/northwind__a-9f2c41d": "  why     automaton explain \\\n            automaton-out/northwind__a-9f2c41d -c safe_tool_engineering\n",
	} {
		var b strings.Builder
		if err := Summary(&b, cappedRecord(), TextOptions{Record: record}); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%q: %v, no %q in\n%s", record, err, want, b.String())
		}
	}
}

// A remedy that serves several criteria is told with each of them.
func TestRemedyServesItsCriteria(t *testing.T) {
	rec := goodRecord()
	rec.Remedies = []court.Remedy{{Criterion: "criterion_1", Check: "one", Text: "hand it in", CriterionTo: 40000, Also: []court.Put{{Criterion: "criterion_2", Check: "two", CriterionTo: 50000}}}}
	for criterion, want := range map[string]string{"criterion_1": "one 4.0000", "criterion_2": "two 5.0000", "criterion_3": ""} {
		var list []string
		for _, m := range newDocket(rec).remedies(criterion) {
			list = append(list, fmt.Sprintf("%s %d.%04d", m.Check, m.CriterionTo/court.One, m.CriterionTo%court.One))
		}
		if got := strings.Join(list, ", "); got != want {
			t.Errorf("%s: %q, want %q", criterion, got, want)
		}
	}
}

// Evidence is found by its label however it is typed.
func TestFindEvidenceByLabel(t *testing.T) {
	rec := cappedRecord()
	for name, want := range map[string]string{"E4": "E4", "e4": "E4", "4": "E4", "999": "", "": ""} {
		if x, err := FindEvidence(rec, name); x.Label != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", name, x.Label, err)
		}
	}
}
