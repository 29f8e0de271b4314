package trial

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
)

// remedyCase has one criterion with a check of every kind.
func remedyCase() (court.Rubric, map[string][]court.Exhibit) {
	c := court.Criterion{ID: "safe_tools", Weight: court.One, Checks: []court.Check{
		{ID: "no_shell", Weight: 5, Facet: court.Core, Text: "No process is started through a shell"},
		{ID: "clone", Weight: 3, Facet: court.Core, Text: "Repositories are cloned"},
		{ID: "cleanup", Weight: 1, Requires: []string{"clone"}, Text: "Clones are removed"},
		{ID: "report", Weight: 1, Text: "The report says how"},
		{ID: "urls", Weight: 1, Text: "Addresses are checked"},
		{ID: "done", Weight: 1, Text: "It is finished"},
	}}
	evidence := []court.Evidence{
		{Check: "no_shell", Outcome: court.Violation, Source: court.AST, Confidence: court.One, Remedy: "Pass git an argument list, no shell", Effort: 15,
			At: []court.Place{{Path: "src/git.py", Line: 88}}, Security: &court.Flaw{Severity: court.High, Tainted: "yes", Scope: "production"}},
		{Check: "clone", Outcome: court.Absent, Source: court.AST, Confidence: 9500, Rationale: "all 9 files read"},
		{Check: "cleanup", Outcome: court.Present, Source: court.AST, Confidence: court.One, At: []court.Place{{Path: "src/git.py", Line: 9}}},
		{Check: "report", Outcome: court.Unknown, Reason: court.NoTextLayer, Source: court.AST},
		{Check: "urls", Outcome: court.Present, Source: court.Token, Confidence: court.One, At: []court.Place{{Path: "src/url.py", Line: 3}}},
		{Check: "done", Outcome: court.Present, Source: court.AST, Confidence: court.One, At: []court.Place{{Path: "README.md"}}},
	}
	var list []court.Exhibit
	for _, e := range evidence {
		e.Criterion, e.Probe, e.Coverage = c.ID, "p/1", court.One
		e = e.Sealed()
		list = append(list, court.Exhibit{Evidence: e, Strength: bench.Strength(e), Verified: true})
	}
	return court.Rubric{Criteria: []court.Criterion{c}, Synthesis: court.DefaultSynthesis()}, map[string][]court.Exhibit{c.ID: list}
}

func TestRemedyTexts(t *testing.T) {
	rubric, exhibits := remedyCase()
	type said struct {
		Check, Text, Location string
		Effort                int
		Blocking              bool
		After                 []string
	}
	exhibits["safe_tools"] = append(exhibits["safe_tools"], court.Exhibit{Verified: true, // no part of what the remedy rests on
		Evidence: court.Evidence{ID: "ev-weaker", Criterion: "safe_tools", Check: "clone", Outcome: court.Present, Source: court.Mention, Confidence: court.One}})
	var got []said
	for _, r := range Remedies(rubric, nil, exhibits) {
		got = append(got, said{r.Check, r.Text, r.Location, r.Effort, r.Blocking, r.After})
		if len(r.Evidence) != 1 {
			t.Errorf("%s rests on %v", r.Check, r.Evidence)
		}
	}
	want := []said{
		{"no_shell", "Pass git an argument list, no shell.", "src/git.py:88", 15, true, nil},
		{"clone", `Make this hold: "Repositories are cloned".`, "", 0, false, nil},
		{"urls", `Make this hold: "Addresses are checked".`, "src/url.py:3", 0, false, nil},
		{"cleanup", "Nothing is to be done here itself. It depends on clone.", "src/git.py:9", 0, false, []string{"clone"}},
		{"report", "Export the document again as a PDF with selectable text.", "", 0, false, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Of two flaws each lifts the cap only with the other one.
func TestRemediesOfTwoFlaws(t *testing.T) {
	rubric, exhibits := remedyCase()
	second := rubric.Criteria[0]
	second.ID = "more_tools"
	rubric.Criteria = append(rubric.Criteria, second)
	for _, x := range exhibits["safe_tools"] {
		x.Criterion = second.ID
		x.Evidence = x.Sealed()
		exhibits[second.ID] = append(exhibits[second.ID], x)
	}
	list := Remedies(rubric, nil, exhibits)
	if list[0].Text != "Pass git an argument list, no shell. The cap is lifted only together with no_shell in more_tools." || !list[1].Blocking {
		t.Errorf("%+v", list[:2])
	}
	rubric.Synthesis.SecurityOverride.Scope = "criterion"
	if list = Remedies(rubric, nil, exhibits); list[0].Text != "Pass git an argument list, no shell." || !list[0].Blocking {
		t.Errorf("a cap that stays in its criterion: %+v", list[0])
	}
	rubric.Synthesis.SecurityOverride.On = false
	if list = Remedies(rubric, nil, exhibits); list[0].Blocking {
		t.Errorf("nothing caps, but %+v blocks", list[0])
	}
}

// Checks that ask for the same are one remedy, worth what all of them are worth together. What
// could not be read stands last.
func TestRemediesOfOneAct(t *testing.T) {
	rubric, exhibits := remedyCase()
	second := rubric.Criteria[0]
	second.ID = "figures"
	second.Checks = []court.Check{{ID: "nodes", Weight: 2, Text: "The nodes are right"}, {ID: "arrows", Weight: 2, Text: "The arrows are right"}, {ID: "other", Weight: 2, Text: "Another one is"}, {ID: "text", Weight: 2}}
	rubric.Criteria = append(rubric.Criteria, second)
	for i, c := range second.Checks {
		e := court.Evidence{Criterion: second.ID, Check: c.ID, Probe: "p/1", Detective: court.VisionInspector, Outcome: court.Unknown, Reason: court.NoDetector, Source: court.Mention,
			Coverage: court.One, At: []court.Place{{Page: 7 + i/2}}, Effort: 10 * (i + 1), Rationale: "It is a picture.", Remedy: "Add the source of the figure as text."}
		if c.ID == "text" { // as in the other criterion
			e.Reason, e.At, e.Detective, e.Remedy = court.NoTextLayer, nil, court.DocAnalyst, ""
		}
		exhibits[second.ID] = append(exhibits[second.ID], court.Exhibit{Evidence: e.Sealed(), Verified: true})
	}
	report := &exhibits["safe_tools"][3]
	report.Detective = court.DocAnalyst
	report.Evidence = report.Sealed()
	var got []string
	for _, r := range Remedies(rubric, nil, exhibits) {
		for _, f := range FixesOf(r) {
			if f.Criterion == second.ID {
				got = append(got, fmt.Sprintf("%s %d %s %d %v", r.Check, r.Effort, r.Text, len(r.Evidence), FixesOf(r)))
				break
			}
		}
	}
	want := []string{
		"nodes 30 Add the source of the figure as text. This puts 3 checks right; the totals count them all. 3 [{figures nodes} {figures arrows} {figures other}]",
		"report 40 Export the document again as a PDF with selectable text. This puts 2 checks right; the totals count them all. 2 [{safe_tools report} {figures text}]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	list := Remedies(rubric, nil, exhibits)
	if n := len(list); !list[0].Blocking || !slices.IsSortedFunc(list[1:n-2], func(a, b court.Remedy) int { return int(b.OverallTo - a.OverallTo) }) {
		t.Errorf("%+v", list[:2])
	}
}

// A remedy that another one contains is not a remedy of its own.
func TestRemediesFolded(t *testing.T) {
	rubric, exhibits := remedyCase()
	ask := map[string]string{
		"no_shell": "Bound these fields: score as int, judge as str.",
		"clone":    "Bound these fields: judge as str.",
		"cleanup":  "Commit the report. Write into it what it lacks: dissent.",
		"report":   "Commit the report.",
		"urls":     "Commit the reports.",
		"done":     "Bound these fields: judge as str, name as str.",
	}
	for i, x := range exhibits["safe_tools"] {
		x.Outcome, x.Reason, x.Source, x.Security, x.Remedy = court.Violation, "", court.AST, nil, ask[x.Check]
		x.Confidence, x.At = court.One, []court.Place{{Path: "a.py", Line: i + 1}}
		x.Evidence = x.Sealed()
		x.Strength = bench.Strength(x.Evidence)
		exhibits["safe_tools"][i] = x
	}
	got := map[string]int{}
	for _, r := range Remedies(rubric, nil, exhibits) {
		got[r.Text] = len(r.Evidence)
	}
	want := map[string]int{
		"Bound these fields: score as int, judge as str. This puts 2 checks right; the totals count them all.":          2,
		"Commit the report. Write into it what it lacks: dissent. This puts 2 checks right; the totals count them all.": 2,
		"Commit the reports.":                            1,
		"Bound these fields: judge as str, name as str.": 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What a file that cannot be parsed hides comes before all else, and nothing that stands
// in it is an accusation.
func TestRemedyOfBrokenCode(t *testing.T) {
	perfect := loadGolden(t, "f01_perfect")
	f := perfect.fixture(t, "")
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.Files)) {
		if strings.HasPrefix(name, "src/") {
			all.WriteString(f.Files[name] + "\n")
			delete(f.Files, name)
		}
	}
	f.Files["court.py"] = "LIMITS = {'a': [1, 2\n\n" + all.String()
	rec := try(t, hearing(t, f.Scene(t)))
	hidden := 0
	for _, list := range rec.Evidences {
		for _, x := range list {
			if x.Reason == court.Unparsed {
				hidden++
			}
			if x.Source == court.AST && (x.Outcome == court.Violation || x.Outcome == court.Absent) {
				t.Errorf("%s: %s", x.Check, x.Rationale)
			}
		}
	}
	first := rec.Remedies[0]
	want := fmt.Sprintf(": the file cannot be parsed. %d checks could not be answered because of it. The totals assume that all of them are then met.", len(first.Also)+1)
	if !strings.HasPrefix(first.Text, "Repair court.py:") || !strings.HasSuffix(first.Text, want) || len(first.Also) < 20 || hidden <= len(first.Also) {
		t.Errorf("%q, %d more checks, %d pieces of evidence", first.Text, len(first.Also), hidden)
	}
}

// Where the graph is in a file that cannot be parsed, each criterion that nothing is
// known of because of it has the repair of the file for its remedy.
func TestRepairBeforeAll(t *testing.T) {
	f := miniature(t)
	maps.DeleteFunc(f.Files, func(name, _ string) bool { return strings.HasSuffix(name, ".py") })
	f.Files["src/graph.py"] = "from langgraph.graph import StateGraph\ngraph = StateGraph(dict\n"
	rec, err := Conduct(t.Context(), hearing(t, f.Scene(t)))
	if err != nil {
		t.Fatal(err)
	}
	repaired := map[string]bool{}
	for _, r := range rec.Remedies {
		if strings.HasPrefix(r.Text, "Repair src/graph.py:2") {
			repaired[r.Criterion] = true
			for _, x := range r.Also {
				repaired[x.Criterion] = true
			}
		}
	}
	for criterion, list := range rec.Evidences {
		if slices.ContainsFunc(list, func(x court.Exhibit) bool { return x.Reason == court.Unparsed }) && !repaired[criterion] {
			t.Errorf("%s: nothing is said of the file that cannot be parsed", criterion)
		}
	}
	if len(repaired) < 2 {
		t.Errorf("the repair helps %v", repaired)
	}
}
