package project

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	// javaTest is what annotations are called that make a method a test. That of
	// an extension of the project's own ends so, too.
	javaTest = regexp.MustCompile(`(?:^|\.)(?:\w*Test|\w*Tests|TestFactory|TestTemplate|\w+Template|Property|Theory)$`)
	javaNot  = regexp.MustCompile(`(?:^|\.)(?:Before\w*|After\w*|Disabled|Ignore|VisibleForTesting)$`)
)

// javaTrials lists the tests of a class: annotated methods of JUnit 4 and 5, of
// TestNG and of extensions, those of a class that TestNG's annotation stands
// at, and methods named test... of a JUnit 3 case. Those that are disabled are
// none.
func (e *examiner) javaTrials(f *syntax.File) []trial {
	var out []trial
	for n := range f.Root().Walk() {
		if !n.Is("func") || !filled(n) || annotated(n, javaNot) || annotated(n.Parent(), regexp.MustCompile(`(?:^|\.)(?:Disabled|Ignore)$`)) {
			continue
		}
		if annotated(n, javaTest) || e.oldCase(n) || annotated(n.Parent(), regexp.MustCompile(`^(?:org\.testng\.annotations\.)?Test$`)) && n.Has(syntax.Exported) && !n.Has(syntax.Static|syntax.Constructor) {
			t := e.trial(n.Name(), n, n)
			t.asserts = t.asserts || expects(n)
			out = append(out, t)
		}
	}
	return out
}

func annotated(n syntax.Node, re *regexp.Regexp) bool {
	for d := range n.Children("decorator") {
		if re.MatchString(d.Name()) {
			return true
		}
	}
	return false
}

// expects tells an annotation that names the exception that must come.
func expects(n syntax.Node) bool {
	for d := range n.Children("decorator") {
		for x := range d.Walk() {
			if x.Name() == "expected" || x.Name() == "expectedExceptions" {
				return true
			}
		}
	}
	return false
}

// oldCase tells a test of JUnit 3.
func (e *examiner) oldCase(n syntax.Node) bool {
	if !strings.HasPrefix(n.Name(), "test") || n.Has(syntax.Static) || n.Child("param").Valid() || !n.Parent().Is("class") {
		return false
	}
	return e.testCase(n.Parent(), 5)
}

func (e *examiner) testCase(class syntax.Node, depth int) bool {
	for b := range class.Children("base") {
		name, _, _ := strings.Cut(b.Name(), "<")
		name = name[strings.LastIndexByte(name, '.')+1:]
		if name == "TestCase" || strings.HasSuffix(name, "TestCase") {
			return true
		}
		if depth == 0 {
			continue
		}
		for _, c := range e.ownCode.classes[name] {
			if c != class && e.testCase(c, depth-1) {
				return true
			}
		}
	}
	return false
}

// javaOther are methods of libraries that check under other names.
var javaOther = []string{"andExpect", "andExpectAll", "until", "untilAsserted", "statusCode"}

// javaCheck tells a call that fails a test: assertions of any library, mocks
// that are asked what was called, expectations of responses.
func (e *examiner) javaCheck(n syntax.Node) bool {
	name := last(n.Child("callee"))
	switch {
	case name == "assertThat":
		return n.Role() == "object" && !vain(n) || n.Nth("arg", 1).Valid() && !vain(n)
	case checkName.MatchString(name):
		return !vain(n) && len(e.candidates(n, n.Child("callee"))) == 0
	case name == "that" || name == "withMessage": // of a value that collects failures
		return checkName.MatchString(first(n.Child("callee")).Name())
	}
	return slices.Contains(javaOther, name)
}
