package project

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func testsReal() probe.Probe {
	return probe.Probe{
		ID: "tests.real", Version: "2", Target: court.GithubRepo,
		Title: "Tests check the project's own code",
		Doc: "Counts test functions that do something, and of these the ones that check something that can fail: an assertion that is not a tautology, whose failure nobody passes over and that is not about the answer a mock was given, an expected exception, a helper of the tests that checks. " +
			"In Go these are tests, fuzz targets, examples that say what they print and methods of suites; in JavaScript and TypeScript calls of it and test under the names of the usual frameworks, and files that hand themselves to a function of the project that declares tests; in Java annotated methods and those of JUnit 3; in Rust functions with the attribute, those beside the code included; in C# and Kotlin, by the words alone, what the attributes of the usual frameworks stand at. Other languages are unknown. " +
			"Those that are switched off, and files that tests are fed with, are left out; a table of cases is one test. Test files must import the project's own code, lie in its package, or reach the program from outside. Tests are not run.",
		Remedy: "Write tests that call the project's functions and assert what they return.",
		Effort: 60,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			all, err := tests(ctx, s)
			if err != nil {
				return nil, err
			}
			program, err := s.Joined(ctx)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{tested(all, program)}, nil
		},
	}
}

func tested(all *suite, program *intree.Program) probe.Finding {
	source := court.AST
	var at, idle []court.Place
	own := map[string]bool{}
	for _, f := range all.files {
		m := program.Module(f.path)
		own[f.path] = m == nil || importsOwn(program, m)
	}
	for _, t := range all.tests {
		m := program.Module(t.at.Path)
		if m == nil && !(t.tree && strings.HasSuffix(t.at.Path, ".go")) {
			source = court.Structure
		}
		if t.asserts && !t.apart && (m == nil || own[t.at.Path]) {
			at = append(at, t.at)
		} else {
			idle = append(idle, t.at)
		}
	}
	switch {
	case len(all.tests) > 0:
		places := at
		if len(idle) > 0 {
			places = idle
		}
		f := probe.Partly(probe.Ratio(len(at), len(all.tests)), source, places, "%s in %s %s the project's own code and %s something that can fail.",
			safetext.Capital(court.Of(len(at), len(all.tests), "test")), court.Count(len(all.files), "test file"), court.Agree(len(at), len(all.tests), "calls", "call"), court.Agree(len(at), len(all.tests), "checks", "check"))
		if len(at) < len(all.tests) {
			f = f.DoAt(places, "Give these tests an assertion about the project's own code that can fail: %s.")
		}
		f.Data = map[string]any{"tests": len(all.tests), "checking": len(at)}
		return f
	case len(all.unread) > 0:
		return probe.Cannot(court.NoDetector, nil, "The audit does not read the tests in %s.", safetext.List(slices.Sorted(maps.Keys(all.unread))))
	case len(all.files) > 0:
		var empty []court.Place
		for _, f := range all.files {
			empty = append(empty, court.Place{Path: f.path})
		}
		return probe.Against(source, empty, "%s %s no test, %s among them.", court.Count(len(all.files), "test file"), court.Agree(len(all.files), len(all.files), "has", "have"), shown(all.files[0].path)).Do("Write tests in %s that call the project's functions and assert what they return.", shown(all.files[0].path))
	}
	return probe.Missing(court.One, source, "There is no test file.")
}

// importsOwn tells whether a test file, or one that it imports, takes something
// from the project's own code. An import of a name that does not exist any more
// is meant so too.
func importsOwn(p *intree.Program, m *code.Module) bool {
	for _, i := range m.Imports() {
		if i.Missing || i.Module != nil && i.Module.Scope != code.ScopeTest {
			return true
		}
		if i.Module != nil && i.Module != m {
			for _, j := range i.Module.Imports() {
				if j.Module != nil && j.Module.Scope != code.ScopeTest {
					return true
				}
			}
		}
	}
	// Fixtures of pytest come from conftest.py without an import.
	for _, other := range p.Modules {
		if path := other.Path; len(path) >= 11 && path[len(path)-11:] == "conftest.py" {
			for _, i := range other.Imports() {
				if i.Module != nil && i.Module.Scope != code.ScopeTest {
					return true
				}
			}
		}
	}
	return false
}
