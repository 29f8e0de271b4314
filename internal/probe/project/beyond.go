package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// testTools are the modules that belong into tests: asked for by name, they are
// looked for where they belong.
var testTools = []string{"pytest", "unittest", "nose", "nose2", "hypothesis", "doctest", "tox", "coverage", "testtools", "responses", "vcr",
	"freezegun", "factory_boy", "jest", "vitest", "mocha", "chai", "sinon", "jasmine", "cypress", "playwright", "testing", "testify", "junit", "mockito", "rspec"}

// elsewhereShare is what a name is worth that stands outside of production code
// only. Design choice.
const elsewhereShare = court.One / 2

type answering func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error)

// beyond looks into all code of the submission before it lets a probe say of
// production code that a name is missing in it: who asks for a name seldom
// thinks of scopes. Where the name is not wanted, the answer stays.
func beyond(run answering) answering {
	return func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		found, err := run(ctx, s, a)
		if err != nil || a.Scope == "all" || a.Scope == "tests" || len(found) != 1 || found[0].Outcome != court.Absent {
			return found, err
		}
		wide := a
		wide.Scope = "all"
		more, err := run(ctx, s, wide)
		if err != nil || len(more) != 1 || len(more[0].Places) == 0 {
			return found, err // it stands nowhere
		}
		at := more[0]
		switch {
		case a.Avoid:
			found[0].Rationale += " It stands outside of it only, as in " + shown(at.Places[0].Path) + "."
			return found, nil
		case at.Source == court.Mention, at.Outcome == court.Unknown, forTests(a):
			return more, nil
		}
		f := probe.Partly(elsewhereShare, at.Source, at.Places, "%s", at.Rationale)
		f.Rationale += " None of it is in production code."
		return []probe.Finding{f}, nil
	}
}

// forTests tells whether one of the names belongs to a tool for tests.
func forTests(a probe.Args) bool {
	return slices.ContainsFunc(append(a.Strings("module"), a.Strings("name")...), func(name string) bool {
		first, _, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(name, "@")), ".")
		return slices.Contains(testTools, first)
	})
}

// counted is a number of files that were searched, with the scope that they are.
func counted(n int, noun, scope string) string {
	switch scope {
	case "all":
		return court.Count(n, noun) + ", tests included"
	case "tests":
		return court.Count(n, noun) + " of the tests"
	}
	return court.Count(n, noun) + " of production code"
}
