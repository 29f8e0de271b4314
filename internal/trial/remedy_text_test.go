package trial

import (
	"fmt"
	"slices"
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
