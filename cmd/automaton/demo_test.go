package main

import (
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/automaton-auditor/automaton/internal/store"
)

// promise is a row of demo/README.md: a check, the answer of its evidence, and the place that it cites.
var promise = regexp.MustCompile("(?m)^\\|.*\\| `([a-z_.]+)` \\| ([a-z]+) \\| `([^`]+)` \\|$")

// promises holds every row of a page that names a check against a record, in which all ten criteria have a score.
//
// usage: promises PAGE RECORD
func promises(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: promises PAGE RECORD")
	}
	record, _, err := store.ReadFrom(strings.NewReader(ts.ReadFile(args[1])))
	ts.Check(err)
	scored := 0
	for _, r := range record.Verdict.Rulings {
		if r.Final != nil {
			scored++
		}
	}
	if want := len(record.Rubric.Criteria); scored != want || want != 10 {
		ts.Fatalf("%d of %d criteria have a score, want 10", scored, want)
	}
	found := map[[3]string]bool{}
	for _, list := range record.Evidences {
		for _, e := range list {
			found[[3]string{e.Check, string(e.Outcome), e.Location}] = true
		}
	}
	rows := promise.FindAllStringSubmatch(ts.ReadFile(args[0]), -1)
	if len(rows) == 0 {
		ts.Fatalf("%s has no row that names a check", args[0])
	}
	for _, row := range rows {
		if !found[[3]string(row[1:])] {
			ts.Fatalf("%s: no evidence says that", strings.TrimSpace(row[0]))
		}
	}
}

// duration is what differs between two runs of the same case.
var duration = regexp.MustCompile(`, \d+\.\d s$`)

// shown asks whether a page shows the lines of a summary in one piece, but for how long the run took.
//
// usage: shown PAGE SUMMARY
func shown(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: shown PAGE SUMMARY")
	}
	plain := func(text string) string {
		var lines []string
		for line := range strings.Lines(text) {
			lines = append(lines, duration.ReplaceAllString(strings.TrimRight(line, " \n"), ""))
		}
		return strings.TrimSpace(strings.Join(lines, "\n"))
	}
	if !strings.Contains(plain(ts.ReadFile(args[0])), plain(ts.ReadFile(args[1]))) {
		ts.Fatalf("%s does not show what the command printed:\n%s", args[0], ts.ReadFile(args[1]))
	}
}
