package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// goTrials lists what "go test" runs, benchmarks apart: tests, fuzz targets,
// examples that say what they print, methods of suites, and the specs of
// Ginkgo.
func (e *examiner) goTrials(f *syntax.File) []trial {
	if !strings.HasSuffix(f.Path, "_test.go") {
		return nil
	}
	var out []trial
	for n := range f.Root().Walk() {
		switch {
		case n.Is("func") && filled(n) && goTest(n):
			out = append(out, e.trial(n.Name(), n, n))
		case n.Is("call") && goSpec(n):
			out = append(out, e.trial(last(n.Child("callee")), n, n))
		}
	}
	for i, t := range out {
		if strings.HasPrefix(t.name, "Example") { // go test compares what it prints
			out[i].asserts = true
		}
	}
	return out
}

var goPrints = regexp.MustCompile(`(?i)//\s*(?:unordered )?output:`)

// goTest tells a function that go test runs as a test.
func goTest(n syntax.Node) bool {
	name := n.Name()
	switch {
	case n.Has(syntax.Method):
		return strings.HasPrefix(name, "Test") && suiteMethod(n)
	case !n.Has(syntax.Test), strings.HasPrefix(name, "Benchmark"), name == "TestMain":
		return false
	case strings.HasPrefix(name, "Example"):
		return goPrints.MatchString(n.Text())
	}
	return true
}

// suiteMethod tells a method that a suite runs: its type holds a suite, or it
// takes a checker.
func suiteMethod(n syntax.Node) bool {
	if t := n.Child("param").Child("type").Name(); strings.HasSuffix(t, ".C") {
		return true
	}
	return embedsSuite(n.File(), strings.TrimLeft(n.Child("receiver").Child("type").Name(), "*"))
}

// embedsSuite tells a type of the file whose bases are suites by their name. A
// type of another file is taken for what its name says.
func embedsSuite(f *syntax.File, name string) bool {
	for c := range f.Root().Children() {
		if !c.Is("class") || c.Name() != name {
			continue
		}
		for b := range c.Children("base") {
			if strings.Contains(strings.ToLower(b.Name()), "suite") {
				return true
			}
		}
		return false
	}
	return strings.Contains(strings.ToLower(name), "suite")
}

// goSpec tells a spec of Ginkgo: It("adds", func() {...}).
func goSpec(n syntax.Node) bool {
	switch spelled(n.Child("callee")) {
	case "It", "Specify", "Entry", "ginkgo.It", "ginkgo.Specify":
		return n.Nth("arg", 0).Is("string") && n.Nth("arg", 1).Is("func")
	}
	return false
}

// takesTests tells a function that is given a test.
func takesTests(n syntax.Node) bool {
	for p := range n.Children("param") {
		if testingType(p.Child("type").Name()) {
			return true
		}
	}
	return false
}

// handsTest tells a call that hands its test on.
func handsTest(n syntax.Node) bool {
	for a := range n.Children("arg") {
		if testValue(a) {
			return true
		}
	}
	return false
}

func testingType(t string) bool {
	switch strings.TrimLeft(t, "*") {
	case "testing.T", "testing.TB", "testing.F", "testing.B", "check.C", "qt.C", "testing.PB":
		return true
	}
	return strings.HasSuffix(t, ".TestingT") || strings.HasSuffix(t, ".TB") || t == "TestingT"
}

// goLibrary tells a package of assertions by its path.
var goLibrary = regexp.MustCompile(`(?:^|/)(?:assert|require|testify|gomega|quicktest|is|check\.v1|go-check/check|goconvey/convey|testscript|should|must|expect|httpexpect|autogold|golden|goldie|cupaloy|approvals|snaps|td|go-testdeep|be)(?:/v\d+)?$`)

// goCheck tells a call that fails a test: on the test itself, of a package of
// assertions, of what such a package made, or of a suite.
func goCheck(n syntax.Node) bool {
	callee := n.Child("callee")
	name := last(callee)
	root := first(callee)
	switch {
	case callee.Is("name"):
		return name == "panic" || name == "RunSpecs" || (name == "Expect" || name == "So" || name == "Eventually" || name == "Consistently" || name == "Ω") && !vain(n)
	case !callee.Is("member"):
		return false
	case failing(name) && testValue(callee.Child("object")):
		return !guardedInVain(n)
	}
	if name == "Run" && spelled(callee) == "suite.Run" { // hands itself to the methods of a suite
		return true
	}
	if name == "New" || name == "NewWithT" || name == "NewGomegaWithT" {
		return false
	}
	lib := madeBy(root)
	return goLibrary.MatchString(lib) && !vainGo(n) || lib == "" && checker(root) && !vainGo(n)
}

func failing(name string) bool {
	switch name {
	case "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow":
		return true
	}
	return false
}

// testValue tells an expression that is a test by its declared type, or by the
// name that it usually has as a field.
func testValue(n syntax.Node) bool {
	switch {
	case n.Is("call"):
		return last(n.Child("callee")) == "T"
	case n.Is("member"):
		return n.Name() == "t" || n.Name() == "T" || n.Name() == "tb" || n.Name() == "TB"
	case !n.Is("name"):
		return false
	}
	if t := parameterType(n); t != "" {
		return testingType(t)
	}
	return n.Name() == "t" || n.Name() == "tb"
}

// parameterType is the type of the parameter or receiver that a name means in
// the functions around it.
func parameterType(n syntax.Node) string {
	for fn := range n.Around() {
		if !fn.Is("func") {
			continue
		}
		for p := range fn.Children("param", "receiver") {
			if p.Name() == n.Name() {
				return p.Child("type").Name()
			}
		}
	}
	return ""
}

// guardedInVain tells a failure under a condition that can never hold.
func guardedInVain(n syntax.Node) bool {
	in := n.Enclosing("if", "func", "case", "loop")
	return in.Is("if") && constant(in.Child("cond"))
}

// checker tells a value that checks by its name or declared type: the suite or
// what a library made for this test.
func checker(n syntax.Node) bool {
	if !n.Is("name") {
		return false
	}
	t := parameterType(n)
	return testingType(t) && t != "" && strings.HasSuffix(t, ".C") || strings.Contains(strings.ToLower(t), "suite") || strings.HasSuffix(t, ".Assertions") || strings.HasSuffix(t, "is.I")
}

// madeBy is the path of the package that a name means, or that made its value
// in the function around it.
func madeBy(n syntax.Node) string {
	if !n.Is("name") {
		return ""
	}
	name := n.Name()
	for fn := range n.Around() {
		if !fn.Is("func") {
			continue
		}
		for a := range fn.Walk() {
			if a.Is("assign") && a.Name() == name && a.Child("value").Is("call") {
				if made := first(a.Child("value").Child("callee")); made.Is("name") && a.Child("value").Child("callee").Is("member") {
					return moduleOf(n.File(), made.Name())
				}
			}
		}
	}
	return moduleOf(n.File(), name)
}

// vainGo is vain, the test itself apart, which the assertions are given first.
func vainGo(n syntax.Node) bool {
	known := 0
	var rest []syntax.Node
	for a := range n.Children("arg") {
		if known++; known == 1 && testValue(a) {
			continue
		}
		rest = append(rest, a)
	}
	if len(rest) == 0 {
		return false
	}
	for _, a := range rest {
		if !constant(a) {
			return len(rest) == 2 && rest[0].Is("name") && rest[0].Text() == rest[1].Text()
		}
	}
	return true
}
