package project

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// fewSkipped is the share of tests that may be switched off for nothing to be
// lost. A design choice: every long-lived suite has some.
const fewSkipped court.Fixed = 200

func testsSkipped() probe.Probe {
	return probe.Probe{
		ID: "tests.skipped", Version: "1", Target: court.GithubRepo,
		Title:  "Tests are not switched off",
		Doc:    "Counts the marks that switch a test off whatever happens (@Disabled, @Ignore, it.skip, xit, test.todo, pytest.mark.skip, #[ignore]) against all tests. Tests that skip themselves under a condition, for a platform or a missing tool, are not counted. Up to 2 % nothing is lost.",
		Remedy: "Correct the tests that are switched off, or delete them.",
		Effort: 30, Recall: 9000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			suite, err := tests(ctx, s)
			if err != nil {
				return nil, err
			}
			all, err := testCode(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{switchedOff(all, len(suite.tests))}, nil
		},
	}
}

var off = regexp.MustCompile(`@(?:Disabled|Ignore)\b|@(?:pytest\.mark|unittest)\.skip\b|\b(?:it|test|describe|context|suite)\.(?:skip|todo)\s*[(.]|\bx(?:it|test|describe|context)\s*\(|#\[ignore\b|@Test\s*\(\s*enabled\s*=\s*false|\[(?:Ignore\b|(?:\w*Fact|\w*Theory)\s*\([^)\]]*\bSkip\b)`)

func switchedOff(all []divided, total int) probe.Finding {
	var at []court.Place
	for _, d := range all {
		text := d.code()
		for _, m := range off.FindAllStringIndex(text, 500) {
			at = append(at, d.file.place(lineOf(text, m[0])))
		}
	}
	total = max(total, len(at))
	share := probe.Ratio(len(at), total)
	switch {
	case total == 0:
		return probe.Nothing(court.One, court.Structure, "There is no test that could be switched off.")
	case len(at) == 0:
		return probe.Clean(court.One, court.Structure, "%s is switched off.", safetext.Capital(court.Of(0, total, "test")))
	case share <= fewSkipped:
		return probe.Present(court.Structure, at, "%s %s switched off (%s).", safetext.Capital(court.Of(len(at), total, "test")), court.Agree(len(at), total, "is", "are"), percentOf(len(at), total))
	}
	return probe.Partly(court.One-share, court.Structure, at, "%s %s switched off (%s).", safetext.Capital(court.Of(len(at), total, "test")), court.Agree(len(at), total, "is", "are"), percentOf(len(at), total)).
		DoAt(at, "Correct the tests that are switched off, or delete them: %s.")
}
