package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// emptyRecord has a check over nothing in one criterion, and another criterion
// of nothing else.
func emptyRecord() *court.Record {
	d := newDraft("acme/tide", "0000000000000000000000000000000000000000")
	d.criterion("tools", "Tools", court.GithubRepo, []check{{"tools.there", "There are tools", 3, "0"}, {"proc.shell", "No process is started through a shell", 4, "0"}},
		[3]string{"4.60", "4.95", "4.80"}, [3]string{`Met: "There are tools" — there are two tools, and they were read.`, `Met: "There are tools" — there are two tools, and they were read.`, `Met: "There are tools" — there are two tools, and they were read.`})
	at := court.Place{Path: "tide/tools.py", Line: 3, EndLine: 4}
	d.evidence("tools", "tools.there", "There are tools", court.Present, at, "0.95", "two tools", "def measure():")
	d.evidence("tools", "proc.shell", "No process is started through a shell", court.NotApplicable, court.Place{}, "0", "no process is started", "")
	r := d.criterion("packages", "Packages", court.GithubRepo, []check{{"deps.lock", "Dependencies are locked", 2, "0"}}, [3]string{"1.12", "4.30", "2.60"}, [3]string{})
	d.evidence("packages", "deps.lock", "Dependencies are locked", court.NotApplicable, court.Place{}, "0", "No manifest declares a dependency.", "")
	r.Final, r.Status, r.Low, r.High = nil, court.Insufficient, court.One, 5*court.One
	last := &d.rec.Hearings[len(d.rec.Hearings)-1]
	last.Blind, last.Ledger = true, map[court.Persona][]court.Row{}
	d.rec.Verdict.Overall = court.Overall{Exact: fx("3.7"), BeforeCap: fx("3.7"), Low: fx("2.8"), High: fx("4.9"), Coverage: fx("0.9")}
	d.rec.Verdict.Headline = "Adequate, with open questions"
	return d.sealed()
}

// Every format says that there was nothing to check, and none calls it met. Code
// scanning takes every result for an alert, so SARIF has it as a property.
func TestNothingToCheckInEveryFormat(t *testing.T) {
	rec := emptyRecord()
	for _, f := range Formats {
		var b bytes.Buffer
		if err := f.Write(&b, rec); err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		text := b.String()
		switch f.Name {
		case "json":
			if !strings.Contains(text, `"outcome": "not_applicable"`) {
				t.Errorf("json does not say so")
			}
		case "sarif":
			if !strings.Contains(text, `"tools.proc.shell"`) || strings.Contains(text, `"ruleId": "tools.proc.shell"`) {
				t.Errorf("sarif lists it as a result, or not at all")
			}
		case "github", "gitlab", "badge":
			if strings.Contains(text, "proc.shell") {
				t.Errorf("%s warns of what does not apply:\n%s", f.Name, text)
			}
		case "junit":
			if !strings.Contains(text, `skipped="1"`) || !strings.Contains(text, "nothing to check") {
				t.Errorf("junit does not skip it:\n%s", text)
			}
		default:
			if !strings.Contains(strings.ToLower(text), "nothing to check") || strings.Contains(text, "not_applicable") && f.Name != "html" {
				t.Errorf("%s does not say so:\n%s", f.Name, text)
			}
		}
	}
}
