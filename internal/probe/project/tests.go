package project

import (
	"context"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// trial is one test.
type trial struct {
	name    string
	at      court.Place
	asserts bool
	tree    bool // it was read from a tree that is not Python's
	apart   bool // its file takes nothing of the project's own code
}

// suite is what the repository has of tests.
type suite struct {
	files  []file // test files with any text or without
	tests  []trial
	unread map[string]bool // languages of test files in which nobody knows what a test is
}

// tests reads the test files: Python in full, other languages by their
// declarations.
func tests(ctx context.Context, s *probe.Scene) (*suite, error) {
	return probe.Shared(s, "project.tests", func() (*suite, error) {
		inv, err := files(ctx, s)
		if err != nil {
			return nil, err
		}
		program, err := s.Joined(ctx)
		if err != nil {
			return nil, err
		}
		others, err := trees(ctx, s)
		if err != nil {
			return nil, err
		}
		out := &suite{unread: map[string]bool{}}
		e := newExaminer(others)
		all := inv.testFiles()
		checking := goHelpers(all)
		for _, f := range all {
			out.read(program, e, f, checking[f.dir()])
		}
		for _, f := range inv.files { // Rust keeps unit tests beside the code
			if f.lang == "rust" && f.scope == code.ScopeProduction {
				found := e.inFile(f, nil)
				if out.tests = append(out.tests, found...); len(found) > 0 {
					out.files = append(out.files, f)
				}
			}
		}
		return out, nil
	})
}

// read adds the tests of a file. A file that only lies among tests and holds
// none is not a test file: a helper, or what tests are fed with.
func (t *suite) read(program *intree.Program, e *examiner, f file, checking map[string]bool) {
	if m := program.Module(f.path); m != nil && m.Parsed {
		t.files = append(t.files, f)
		t.tests = append(t.tests, pythonTests(program, m)...)
		return
	}
	found := e.inFile(f, checking)
	t.tests = append(t.tests, found...)
	x := e.p.File(f.path)
	_, known := formOf(f.lang)
	if len(found) > 0 || namedTest(f) || x == nil && !known || x != nil && !x.Parsed {
		t.files = append(t.files, f)
	}
	if x == nil && !known {
		t.unread[string(f.lang)] = true
	}
}

// inFile lists the tests of a file in another language than Python, by its tree
// where it has one.
func (e *examiner) inFile(f file, checking map[string]bool) []trial {
	if x := e.p.File(f.path); x != nil && x.Parsed {
		if fed(f.path) {
			return nil
		}
		return e.trials(x)
	}
	return otherTests(f, checking)
}

var testNames = regexp.MustCompile(`(?:_test\.go|\.(?:test|spec|cy|e2e)\.[cm]?[jt]sx?|(?:tests?|it|testcase)\.java|tests?\.cs)$`)

// namedTest tells a file whose name says that it holds tests.
func namedTest(f file) bool { return !fed(f.path) && testNames.MatchString(f.base) }

// fed tells a file that tests are fed with: it lies among their data, and what
// looks like a test in it is none.
func fed(name string) bool {
	for part := range strings.SplitSeq(strings.ToLower(path.Dir(name)), "/") {
		if part == "testdata" || strings.HasSuffix(strings.Trim(part, "_"), "fixtures") || strings.HasSuffix(strings.Trim(part, "_"), "fixture") || part == "__snapshots__" || part == "resources" {
			return true
		}
	}
	return false
}

// testFiles lists the test files, scripts and examples apart. Where a folder
// for tests exists, a test file at a root is a scratch script.
func (inv *inventory) testFiles() []file {
	all := inv.pick(func(f file) bool {
		if f.scope != code.ScopeTest || !f.lang.Code() || f.base == "conftest.py" || f.base == "__init__.py" {
			return false
		}
		for part := range strings.SplitSeq(strings.ToLower(f.dir()), "/") {
			if part == "scripts" || part == "script" || part == "examples" || part == "example" {
				return false
			}
		}
		return true
	})
	atRoot := func(f file) bool { return f.dir() == "" || f.dir() == inv.layout.Root() }
	folder := false
	for _, f := range all {
		folder = folder || !atRoot(f) && !f.blank()
	}
	if !folder {
		return all
	}
	var out []file
	for _, f := range all {
		if !atRoot(f) || f.lang != "python" {
			out = append(out, f)
		}
	}
	return out
}

// pythonTests lists the test functions and methods that do something.
func pythonTests(p *intree.Program, m *code.Module) []trial {
	var out []trial
	for _, d := range m.Definitions() {
		if d.Kind != code.DefFunction && d.Kind != code.DefMethod || !strings.HasPrefix(d.Name, "test") || !does(d) {
			continue
		}
		if c := d.Parent; d.Kind == code.DefMethod && !strings.HasPrefix(c.Name, "Test") && !strings.HasSuffix(c.Name, "Test") && !p.Inherits(c, "*TestCase") {
			continue
		}
		out = append(out, trial{name: d.Name, at: court.Place{Path: m.Path, Line: d.Line()}, asserts: asserts(p, d, 3)})
	}
	return out
}

// does tells a body with a statement from a placeholder.
func does(d *code.Definition) bool {
	for st := range d.Body().Children() {
		if st.Is("pass_statement") || st.Is("expression_statement") && st.Child(0).Is("string", "concatenated_string", "ellipsis") {
			continue
		}
		return true
	}
	return false
}

var checking = regexp.MustCompile(`(?i)^(?:assert\w*|fail|raises|warns|expect\w*|check\w*|verify\w*|should\w*|approx)$`)

// asserts tells whether a test checks something that can fail: itself, or in a
// helper that it calls.
func asserts(p *intree.Program, d *code.Definition, depth int) bool {
	for n := range d.Node.Walk() {
		switch {
		case n.Is("assert_statement", "raise_statement", "call") && idleCheck(p, n):
		case n.Is("assert_statement") && !tautology(n.Child(0)):
			return true
		case n.Is("raise_statement"):
			return true
		case n.Is("call"):
			if c := p.Call(n); c != nil && checking.MatchString(strings.TrimLeft(c.Name, "_")) {
				return true
			}
		}
	}
	if depth == 0 {
		return false
	}
	defs := p.Callees(d)
	for _, callee := range defs {
		if callee.IsFunction() && callee.Module.Scope == code.ScopeTest && callee != d && asserts(p, callee, depth-1) {
			return true
		}
	}
	return false
}

// tautology tells a condition that cannot fail: one of literals only, or a
// thing compared with itself.
func tautology(n code.Node) bool {
	n = n.Unparen()
	if n.Is("comparison_operator") && n.Child(0).Text() == n.Child(1).Text() && !n.Child(0).Is("call") {
		return true
	}
	for x := range n.Walk() {
		if x.Is("identifier", "call", "attribute", "lambda") {
			return false
		}
	}
	return true
}

// testForm is how a language declares a test and how its tests check.
type testForm struct{ declares, checks *regexp.Regexp }

func formOf(lang code.Language) (testForm, bool) {
	switch lang {
	case "go":
		return testForm{regexp.MustCompile(`(?m)^func (?:Test|Fuzz|Example)\w*\(`), goChecks}, true
	case "javascript", "typescript":
		return testForm{regexp.MustCompile(`(?m)\b(?:it|test)(?:\.\w+)*\s*\(`), regexp.MustCompile(`\b(?:expect|assert)\w*\s*[.(]|\.should\b`)}, true
	case "java", "kotlin":
		return testForm{regexp.MustCompile(`@(?:Test|ParameterizedTest|RepeatedTest)\b`), regexp.MustCompile(`\b(?:assert\w*|verify|fail|expect\w*)\s*\(|\bexpected\s*=`)}, true
	case "c#": // with the attributes below it: each case of a method has one
		return testForm{regexp.MustCompile(`(?m)^[ \t]*\[(?:[\w.]+\.)?(?:\w*Fact|\w*Theory|Test|TestCase|TestCaseSource|\w*TestMethod|Property)\b[^\n]*(?:\n[ \t]*\[[^\n]*)*`),
			regexp.MustCompile(`\b(?:\w*Assert|Check|Verify|Expect|Should|Received|DidNotReceive)\w*\s*[.(<]|\bthrow\b`)}, true
	case "rust":
		return testForm{regexp.MustCompile(`#\[(?:\w+::)?test\b`), regexp.MustCompile(`\bassert\w*[!(]|\bpanic!|\.unwrap\(|should_panic`)}, true
	}
	return testForm{}, false
}

// otherTests finds tests by their declarations. What lies between two of them
// belongs to the first. A Go test that hands itself to a helper that checks does
// so, too.
func otherTests(f file, helpers map[string]bool) []trial {
	form, ok := formOf(f.lang)
	if !ok {
		return nil
	}
	text := split(f.lang, f.text).code()
	var out []trial
	found := form.declares.FindAllStringIndex(text, 2000)
	for i, m := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		body := text[m[1]:end]
		checks := form.checks.MatchString(body) || f.lang == "go" && handsOn(body, helpers)
		out = append(out, trial{name: path.Base(f.path), at: f.place(lineOf(text, m[0])), asserts: checks})
	}
	return out
}
