package project

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// Admitted defects per so many lines of code: up to fewMarks nothing is lost,
// from manyMarks on all is. Design choices; six well-known projects in five
// languages have fewer than 0.5 in 1,000 lines.
const (
	marksPer  = 1000
	fewMarks  = 1
	manyMarks = 5
)

func codeMarks() probe.Probe {
	return probe.Probe{
		ID: "code.marks", Version: "1", Target: court.GithubRepo,
		Title:  "Known defects are corrected and not only marked",
		Doc:    "Counts the comments of production code that admit a defect: FIXME, XXX, HACK and BUG as words of their own in capitals. TODO is a plan and does not count. Up to one in 1,000 lines nothing is lost, from five on everything; in between it falls evenly.",
		Remedy: "Correct the defects that comments admit, or open issues for them.",
		Effort: 60, Recall: 9500,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			all, err := sources(ctx, s, a.Scope)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{marked(all)}, ctx.Err()
		},
	}
}

var defectMark = regexp.MustCompile(`\b(?:FIXME|XXX|HACK|BUG)\b(?:$|[^\w-])`)

func marked(all []divided) probe.Finding {
	var at []court.Place
	lines := 0
	for _, d := range all {
		lines += code.File{Path: d.file.path, Bytes: []byte(d.text)}.Lines()
		if !strings.Contains(d.text, "FIXME") && !strings.Contains(d.text, "XXX") && !strings.Contains(d.text, "HACK") && !strings.Contains(d.text, "BUG") {
			continue
		}
		text := d.comments()
		for _, m := range defectMark.FindAllStringIndex(text, 200) {
			at = append(at, d.file.place(lineOf(text, m[0])))
		}
	}
	if lines == 0 {
		return probe.Nothing(court.One, court.Token, "There is no line of code.")
	}
	if len(at) == 0 {
		return probe.Clean(court.One, court.Token, "No comment in %s of code admits a defect.", court.Count(lines, "line"))
	}
	what := fmt.Sprintf("%s in %s of code %s a defect.", court.Count(len(at), "comment"), court.Count(lines, "line"), court.Agree(len(at), 0, "admits", "admit"))
	rate := int64(len(at)) * marksPer * int64(court.One) / int64(max(lines, 1)) // marks in 1,000 lines, in basis points
	over := rate - fewMarks*int64(court.One)
	if over <= 0 {
		return probe.Present(court.Token, at, "%s", what)
	}
	return probe.Partly(court.Fixed(max(0, int64(court.One)-over/(manyMarks-fewMarks))), court.Token, at, "%s", what).
		DoAt(at, "Correct the defects that the comments at %s admit, or open issues for them.")
}
