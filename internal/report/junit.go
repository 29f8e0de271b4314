package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
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

// passing is the bar of a criterion for which the case set none.
const passing = 3 * court.One

// writeJUnit writes the rubric as a suite and each criterion as a test case: it
// fails when its low end is under its bar, is skipped when it could not be
// decided, and is an error when a fault of the inquiry took it.
func writeJUnit(w io.Writer, rec *court.Record) error {
	d := newDocket(rec)
	suite := junitSuite{Name: court.Clean(rec.Rubric.Name, 0)}
	for _, c := range d.heard() {
		t := d.junitCase(c)
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
	switch {
	case d.rec.Verdict == nil, r != nil && r.Status == court.Insufficient && d.faulted(c):
		t.Error = result
	case r == nil, r.Final == nil, r.Status == court.Insufficient:
		t.Skipped = result
	case r.Low < d.barOf(c.ID):
		result.Message += fmt.Sprintf("; %s is proven, %s is the bar", r.Low.Shown(), d.barOf(c.ID).Shown())
		t.Failure = result
	default:
		t.Output = &junitText{why}
	}
	return t
}

// rulingLine is a ruling in one line.
func (d *docket) rulingLine(c court.Criterion) string {
	r := d.rulings[c.ID]
	if r == nil || r.Final == nil {
		return d.why(c)
	}
	line := fmt.Sprintf("%d of 5 (%s), %s", *r.Final, r.Exact.Shown(), r.Status)
	if n := d.note(c); n != "" {
		line += ": " + n
	}
	if words := besideRuling(r); words != "" {
		line += "; " + words
	}
	return line
}

// barOf is the bar of a criterion: its own, else that of the whole case, else 3.
func (d *docket) barOf(criterion string) court.Fixed {
	if g := d.rec.Gate; g != nil {
		for _, id := range []string{criterion, court.OverallID} {
			if bar, ok := g.Bars[id]; ok {
				return bar
			}
		}
	}
	return passing
}

// faulted tells whether a failure of our own inquiry kept something of a
// criterion from being examined: something is unknown, and a fault blocks at
// one of the detectives that looked for it.
func (d *docket) faulted(c court.Criterion) bool {
	for _, x := range d.of(c.ID) {
		blocks := func(f court.Fault) bool { return f.Blocks && f.Stage == string(x.Detective) }
		if x.Outcome == court.Unknown && x.Stands() && slices.ContainsFunc(d.rec.Faults, blocks) {
			return true
		}
	}
	return false
}
