package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/automaton-auditor/automaton/internal/court"
)

// sarifSkeleton reads a log the way a strict validator does; what is left are
// its rules and results without their words.
func sarifSkeleton(t testing.TB, text string) []string {
	t.Helper()
	if _, err := sarif.FromBytes([]byte(text), sarif.WithStrictValidation()); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	list := []string{fmt.Sprintf("%d rules", len(run.Tool.Driver.Rules))}
	for _, r := range run.Results {
		at := r.Locations[0].Physical.Artifact
		if strings.ContainsAny(at.URI, ":?#\\ <>") || strings.HasPrefix(at.URI, "/") || at.Base != "%SRCROOT%" {
			t.Errorf("the place %q is no path in the repository", at.URI)
		}
		list = append(list, fmt.Sprint(r.RuleIndex, r.Level))
	}
	return list
}

// qualitySkeleton is what GitLab needs of each finding, without its words.
func qualitySkeleton(t testing.TB, text string) []string {
	t.Helper()
	var issues []qualityIssue
	if err := json.Unmarshal([]byte(text), &issues); err != nil {
		t.Fatal(err)
	}
	seen, list := map[string]bool{}, []string{}
	for _, x := range issues {
		if x.Description == "" || x.Check == "" || x.Location.Path == "" || x.Location.Lines.Begin < 1 || seen[x.Fingerprint] {
			t.Errorf("GitLab does not read %+v", x)
		}
		seen[x.Fingerprint] = true
		list = append(list, fmt.Sprint(x.Severity, x.Location.Lines.Begin))
	}
	return list
}

// xmlSkeleton is the elements and attributes of a document.
func xmlSkeleton(t testing.TB, text string) []string {
	t.Helper()
	var list []string
	for dec := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			for _, a := range x.Attr {
				list = append(list, x.Name.Local+" "+a.Name.Local)
			}
			list = append(list, x.Name.Local)
		case xml.Directive, xml.Comment:
			t.Errorf("there is a directive or a comment: %v", x)
		}
	}
}

// csvSkeleton is the shape of a table in which no cell is a formula.
func csvSkeleton(t testing.TB, text string) []string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll() // rows of unequal length are an error
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("the cell %q is a formula", cell)
			}
		}
	}
	return []string{fmt.Sprintf("%d rows", len(rows))}
}

var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) file=[^,:\s]*(?: [^,:\s]*)*(,line=\d+,endLine=\d+)?,title=[^,:]*::`)

// commandSkeleton is what a runner takes for commands.
func commandSkeleton(text string) []string {
	var list []string
	for l := range strings.Lines(text) {
		if m := workflowCommand.FindStringSubmatch(l); m != nil {
			list = append(list, m[1])
		} else {
			list = append(list, "text")
		}
	}
	return list
}

// crowd is a record with n flaws of severity high, n violations and n gaps in
// files, and one of each in a document from elsewhere.
func crowd(n int) *court.Record {
	d := newDraft("northwind/crowd", "9f2c41d07be35a0e6c1a8d2f4b6e9c7a1d3f5b80")
	d.criterion("safe", "Safe", court.GithubRepo, []check{{"a", "A holds", 5, "0.5"}}, [3]string{"2", "3", "2.5"}, [3]string{"a", "b", "c"})
	for i := range n {
		at := court.Place{Path: fmt.Sprintf("src/f %05d.py", n-i), Line: 1 + i%2, Blob: strings.Repeat("3e", 20)}
		d.evidence("safe", "a", "A holds", court.Absent, at, "0.5", "nothing there", "")
		d.evidence("safe", "a", "A holds", court.Violation, at, "0.5", "the opposite", "x = 1\n")
		x := d.evidence("safe", "a", "A holds", court.Violation, at, "0.5", "a flaw", "os.system(x)\n")
		x.Security = &court.Flaw{Severity: court.High}
	}
	for _, o := range []court.Outcome{court.Absent, court.Violation} {
		d.evidence("safe", "a", "A holds", o, court.Place{Page: 2, Digest: strings.Repeat("77", 32)}, "0.5", "not drawn", "")
	}
	return d.sealed()
}

func inFormat(t *testing.T, name string, rec *court.Record) string {
	t.Helper()
	for _, f := range Formats {
		if f.Name == name {
			var b bytes.Buffer
			if err := f.Write(&b, rec); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
	}
	t.Fatalf("no format %s", name)
	return ""
}

// A log above what code scanning shows loses its mildest results, and says how
// many; results of one text have prints of their own.
func TestSARIFLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 5,000 results")
	}
	text := inFormat(t, "sarif", crowd(1700)) // 5,100 in files
	sarifSkeleton(t, text)
	var log sarifLog
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	count := map[level]int{}
	prints := map[string]bool{}
	for _, r := range run.Results {
		count[r.Level]++
		prints[r.Prints["primaryLocationLineHash"]] = true
	}
	if len(run.Results) != 5000 || count[levelError] != 1700 || count[levelWarning] != 1700 || run.Properties["resultsLeftOut"] != 100.0 {
		t.Errorf("%d results, %v, left out %v", len(run.Results), count, run.Properties["resultsLeftOut"])
	}
	if len(prints) != len(run.Results) {
		t.Errorf("%d prints of %d results", len(prints), len(run.Results))
	}
	if run.Properties["resultsOutsideTheRepository"] != 2.0 {
		t.Errorf("outside: %v", run.Properties["resultsOutsideTheRepository"])
	}
	if s := run.Tool.Driver.Rules[0].Properties["security-severity"]; s != "8.8" {
		t.Errorf("severity %v", s)
	}
}

// What stands in a document of the tree points at it; of one from elsewhere
// nothing does.
func TestFindingsInADocument(t *testing.T) {
	for from, want := range map[string]int{"auto": 2, "tree": 2, "file": 0} {
		rec := crowd(0)
		rec.Case.PDFPath, rec.Case.PDF = "docs/the report.pdf", &court.PDF{From: from, SHA256: strings.Repeat("77", 32)}
		var log sarifLog
		if err := json.Unmarshal([]byte(inFormat(t, "sarif", rec)), &log); err != nil {
			t.Fatal(err)
		}
		results := log.Runs[0].Results
		if len(results) != want {
			t.Errorf("%s: %d results", from, len(results))
		}
		for _, r := range results {
			if p := r.Locations[0].Physical; p.Artifact.URI != "docs/the%20report.pdf" || p.Region != nil {
				t.Errorf("%s: %+v", from, p)
			}
		}
		issues := inFormat(t, "gitlab", rec)
		if n := len(qualitySkeleton(t, issues)); n != want || strings.Count(issues, `"path": "docs/the report.pdf"`) != want {
			t.Errorf("%s: of %d findings GitLab reads %d:\n%s", from, want, n, issues)
		}
	}
}

// Annotations above what a job shows are counted, and those of a kind come in
// the order of a diff.
func TestAnnotationLimit(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(inFormat(t, "github", crowd(11)), "\n"), "\n")
	if len(lines) != 31 || lines[30] != "30 findings shown here. The report has 3 more." {
		t.Fatalf("%d lines, at the end %q", len(lines), lines[len(lines)-1])
	}
	if want := "::error file=src/f 00002.py,line=2,endLine=2,title=Safe::A flaw. This security flaw is not confirmed, so no cap follows."; lines[0] != want {
		t.Errorf("first %q, want %q", lines[0], want)
	}
}

// A criterion fails where the gate says so, and nothing does where the gate passes
// or none was set. What nobody could decide is skipped; a gate that is undecided is
// an error.
func TestJUnitOutcomes(t *testing.T) {
	gate := func(outcome string, missed ...string) *court.Gate {
		return &court.Gate{Bars: map[string]court.Fixed{"overall": fx("2.1"), "safe": fx("2")}, Outcome: outcome, Missed: missed}
	}
	tests := map[string]struct {
		change func(*court.Record)
		want   [3]int // failures, errors, skipped
	}{
		"no gate":      {func(*court.Record) {}, [3]int{}},
		"passed":       {func(r *court.Record) { r.Gate = gate("pass") }, [3]int{}},
		"its own bar":  {func(r *court.Record) { r.Gate = gate("fail", "safe: 1.80 is under 2.00") }, [3]int{2, 0, 0}},
		"the total":    {func(r *court.Record) { r.Gate = gate("fail", "1.80 is under 2.10") }, [3]int{1, 0, 0}},
		"undecided":    {func(r *court.Record) { r.Gate = gate("insufficient", "1.80 is under 2.10") }, [3]int{0, 1, 0}},
		"insufficient": {func(r *court.Record) { r.Verdict.Rulings[0].Status = court.Insufficient }, [3]int{0, 0, 1}},
		"and passed": {func(r *court.Record) {
			r.Verdict.Rulings[0].Status, r.Gate = court.Insufficient, gate("pass")
			r.Faults = []court.Fault{{Stage: string(court.RepoInvestigator), Reason: "it broke", Blocks: true}}
		}, [3]int{0, 0, 1}},
		"no verdict": {func(r *court.Record) { r.Verdict = nil }, [3]int{0, 1, 0}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := crowd(1)
			tt.change(rec)
			var doc struct {
				Suite struct {
					Failures int `xml:"failures,attr"`
					Errors   int `xml:"errors,attr"`
					Skipped  int `xml:"skipped,attr"`
				} `xml:"testsuite"`
			}
			if err := xml.Unmarshal([]byte(inFormat(t, "junit", rec)), &doc); err != nil {
				t.Fatal(err)
			}
			if got := [3]int{doc.Suite.Failures, doc.Suite.Errors, doc.Suite.Skipped}; got != tt.want {
				t.Errorf("failures, errors, skipped: %v, want %v", got, tt.want)
			}
		})
	}
}
