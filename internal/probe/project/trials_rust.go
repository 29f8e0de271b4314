package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	rustTest    = regexp.MustCompile(`^(?:\w+(?:::|\.))*(?:test|rstest|test_case|case|test_log|quickcheck|wasm_bindgen_test|proptest|ptest|googletest|apply|parameterized|tokio_test|sqlx_test|actix_test)$`)
	rustMacro   = regexp.MustCompile(`#\[\s*(?:\w+::)?test\s*\]`)
	rustAsserts = regexp.MustCompile(`\b(?:prop_)?assert\w*!|\bpanic!|\.unwrap\(|\.expect\(`)
)

// rustTrials lists the test functions, those of modules for tests among them,
// and the tests that a macro for properties holds. Those that are ignored are
// none.
func (e *examiner) rustTrials(f *syntax.File) []trial {
	var out []trial
	for n := range f.Root().Walk() {
		switch {
		case n.Is("func") && filled(n) && annotated(n, rustTest) && !annotated(n, regexp.MustCompile(`^ignore$`)):
			t := e.trial(n.Name(), n, n)
			t.asserts = t.asserts || annotated(n, regexp.MustCompile(`^(?:should_panic|quickcheck)$|test_case$`))
			out = append(out, t)
		case n.Is("call") && n.Has(syntax.Macro) && (last(n.Child("callee")) == "proptest" || last(n.Child("callee")) == "quickcheck"):
			for range rustMacro.FindAllString(n.Text(), 200) {
				t := e.trial("", n, n)
				t.asserts = t.asserts || rustAsserts.MatchString(n.Text()) || last(n.Child("callee")) == "quickcheck"
				out = append(out, t)
			}
		}
	}
	return out
}

// inTestModule tells what lies in a module that is compiled for tests only.
func inTestModule(n syntax.Node) bool {
	for a := range n.Around() {
		if a.Has(syntax.Test) {
			return true
		}
	}
	return false
}

// rustCheck tells a call that fails a test: assertions, what insists on a value,
// and the methods by which libraries for commands and compilations check.
func rustCheck(n syntax.Node) bool {
	callee := n.Child("callee")
	name := strings.TrimSuffix(last(callee), "!")
	if n.Has(syntax.Macro) {
		switch {
		case name == "panic" || name == "unreachable":
			return true
		case strings.Contains(name, "assert") || name == "expect":
			return !vain(n)
		}
		return false
	}
	switch name {
	case "unwrap", "expect", "unwrap_err", "expect_err", "compile_fail", "pass", "quickcheck":
		return callee.Is("member") || name == "quickcheck"
	}
	return checkName.MatchString(name)
}
