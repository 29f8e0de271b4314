package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// The part of JUnit's XML that continuous integration reads.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Name    string       `xml:"name,attr"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
		Output   *junitText  `xml:"system-out"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Failure *junitResult `xml:"failure"`
		Error   *junitResult `xml:"error"`
		Skipped *junitResult `xml:"skipped"`
		Output  *junitText   `xml:"system-out"`
	}
	junitResult struct {
		Message string `xml:"message,attr"`
		Body    string `xml:",cdata"`
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
)

// writeJUnit writes the rubric as a suite and each criterion as a test case, and
// where a gate was set one for the gate. A case fails only where the gate says so:
// a gate that passes has no failure and no error. A criterion that nothing is
// decided of is skipped.
func writeJUnit(w io.Writer, rec *court.Record) error {
	d := newDocket(rec)
	suite := junitSuite{Name: court.Clean(rec.Rubric.Name, 0)}
	if notes := d.headNotes(); len(notes) > 0 {
		suite.Output = &junitText{court.Clean(strings.Join(notes, " "), 0)}
	}
	var cases []junitCase
	for _, c := range d.heard() {
		cases = append(cases, d.junitCase(c))
	}
	if rec.Gate != nil {
		cases = append(cases, d.junitGate())
	}
	for _, t := range cases {
		suite.Tests++
		suite.Failures += one(t.Failure)
		suite.Errors += one(t.Error)
		suite.Skipped += one(t.Skipped)
		suite.Cases = append(suite.Cases, t)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	if err := enc.Encode(junitSuites{Name: "automaton", Suites: []junitSuite{suite}}); err != nil {
		return fmt.Errorf("writing XML: %w", err)
	}
	b.WriteByte('\n')
	return put(w, b.Bytes())
}

func one(r *junitResult) int {
	if r == nil {
		return 0
	}
	return 1
}

func (d *docket) junitCase(c court.Criterion) junitCase {
	t := junitCase{Class: court.Clean(d.rec.Case.ID, 0), Name: court.Clean(nameOf(c), 0)}
	r, why := d.rulings[c.ID], d.explain(c).text(TextOptions{})
	result := &junitResult{Message: court.Clean(d.rulingLine(c), 0), Body: why}
	missed := d.missed(c.ID)
	switch {
	case d.rec.Verdict == nil:
		t.Error = result
	case missed != "":
		result.Message += "; " + missed
		if d.rec.Gate.Outcome == "fail" {
			t.Failure = result
		} else {
			t.Error = result
		}
	case r == nil, r.Final == nil, r.Status == court.Insufficient:
		t.Skipped = result
	default:
		t.Output = &junitText{why}
	}
	return t
}

// missed is what the gate holds against one criterion; empty: nothing.
func (d *docket) missed(criterion string) string {
	g := d.rec.Gate
	if g == nil || g.Outcome == "pass" {
		return ""
	}
	var list []string
	for _, m := range g.Missed {
		if text, ok := strings.CutPrefix(m, criterion+": "); ok {
			list = append(list, court.Clean(text, 0)+gateFlag(g, m))
		}
	}
	return strings.Join(list, "; ")
}

// junitGate is the gate as a test case: a failure where it failed, an error where
// nothing was decided.
func (d *docket) junitGate() junitCase {
	g := d.rec.Gate
	t := junitCase{Class: court.Clean(d.rec.Case.ID, 0), Name: "Gate"}
	text := strings.Join(d.gateLines(), "; ")
	result := &junitResult{Message: court.Clean(text, 0), Body: gateWord(g) + "  " + text}
	switch g.Outcome {
	case "pass":
		t.Output = &junitText{result.Body}
	case "fail":
		t.Failure = result
	default:
		t.Error = result
	}
	return t
}

// rulingLine is a ruling in one line.
func (d *docket) rulingLine(c court.Criterion) string {
	r := d.rulings[c.ID]
	if r == nil || r.Final == nil {
		return safetext.Capital(d.why(c))
	}
	line := fmt.Sprintf("%d of 5 (%s), %s", *r.Final, r.Exact.Shown(), r.Status)
	if words := besideRuling(r); words != "" {
		line += ", " + words
	}
	if n := d.note(c); n != "" {
		line += ": " + n
	}
	return strings.TrimSuffix(line, ".")
}
