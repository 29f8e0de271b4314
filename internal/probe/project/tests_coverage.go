package project

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func testsCoverage() probe.Probe {
	return probe.Probe{
		ID: "tests.coverage", Version: "1", Target: court.GithubRepo,
		Title:  "A tool measures what the tests reach",
		Doc:    "Looks in pipelines, manifests, targets of make and settings of test tools for a tool that measures coverage: coverage.py and pytest-cov, nyc and the coverage of jest and vitest, go test -cover, jacoco, kover, tarpaulin and llvm-cov, simplecov, codecov, coveralls, sonar. What was measured is not known.",
		Remedy: "Let the test command measure coverage.",
		Effort: 15, Recall: 9000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			for _, f := range inv.files {
				settled := f.scope == code.ScopeConfig || f.lang == "make" || strings.Contains(f.base, ".config.") || strings.HasPrefix(f.base, "justfile") || strings.Contains(f.base, "gulpfile") || strings.HasSuffix(f.base, ".gradle")
				if !settled || strings.HasSuffix(f.base, "ignore") || f.scope == code.ScopeVendor || aside(f) || f.text == "" || f.lang == "json" && f.base != "package.json" && !strings.HasPrefix(f.base, ".nycrc") && !strings.HasPrefix(f.base, ".c8rc") {
					continue
				}
				if i := measures.FindStringIndex(f.text); i != nil || f.base == ".coveragerc" || strings.HasPrefix(f.base, ".nycrc") {
					line := 1
					if i != nil {
						line = lineOf(f.text, i[0])
					}
					return []probe.Finding{probe.Present(court.Config, []court.Place{f.place(line)}, "%s measures coverage.", shown(f.path))}, nil
				}
			}
			return []probe.Finding{probe.Missing(court.One, court.Config, "No pipeline, manifest or setting measures coverage.")}, nil
		},
	}
}

var measures = regexp.MustCompile(`(?i)\b(?:codecov|coveralls|pytest-cov|--cov\b|tool\.coverage|coverage run|coverage report|--coverage\b|-coverprofile|go test[^\n]*-cover|jacoco\w*|cobertura|kover|tarpaulin|llvm-cov|grcov|kcov|lcov|gcov\w*|simplecov|nyc|c8|istanbul|coverageThreshold|collectCoverage|@vitest/coverage-\w+|coverage-(?:v8|istanbul)|sonar\.\w+\.coverage|xdebug|phpunit[^\n]*coverage|coverlet|scoverage|excoveralls|codeclimate)\b|--cov(?:erage)?\b|-coverprofile\b`)
