package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// caseName is what functions that declare a test are called: those of the
// usual frameworks, and wrappers that are named after them.
var (
	caseName   = regexp.MustCompile(`^(?:f?it|test|tape|specify)(?:[A-Z_]\w*)?$`)
	caseMember = regexp.MustCompile(`^(?:only|concurrent|sequential|parallel|serial|each|for|failing|fails|runIf|skipIf|if|browser|extend|macro|cb)$`)
	skipped    = regexp.MustCompile(`(?:^|\.)(?:skip|todo|fixme)$|^x(?:it|test|describe|specify)$|(?i)^(?:it|test|describe)Skip`)
)

// scriptTrials lists the tests that a file declares by calls: it("adds", () =>
// {...}), test.each(...)("%s", fn), t.test("part", fn), Deno.test(fn). Those that
// are skipped are none. A file of no such call that hands itself to a function
// that declares tests is one.
func (e *examiner) scriptTrials(f *syntax.File) []trial {
	var out []trial
	for n := range f.Root().Walk() {
		if !n.Is("call") || !declaresTest(n) || inSkipped(n) || len(e.beside(n.Child("callee"))) > 0 && n.Child("callee").Is("name") { // a function of the file's own
			continue
		}
		body := testBody(n)
		if body.Is("func") && !filled(body) {
			continue
		}
		t := e.trial("", n, n)
		if body.Is("name") {
			t.asserts = t.asserts || e.assertsNamed(body)
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		if n := e.handsOver(f); n.Valid() {
			out = append(out, trial{at: at(n), asserts: true, tree: true})
		}
	}
	return out
}

// declaresTest tells a call that declares one test, or one of a table.
func declaresTest(n syntax.Node) bool {
	callee := n.Child("callee")
	name, object := spelled(callee), ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name, object = name[i+1:], name[:i]
	}
	body := testBody(n)
	if !body.Valid() {
		return false
	}
	switch {
	case callee.Is("name"):
		return caseName.MatchString(name) && (titled(n) || name == "test" && body.Is("func"))
	case callee.Is("call", "template"): // test.each(table)("%s", fn) and its tagged form
		root := first(callee)
		if callee.Is("template") {
			root = first(firstChild(callee))
		}
		return root.Is("name") && caseName.MatchString(root.Name()) && titled(n)
	case object == "Deno" || object == "QUnit" || object == "Bun" || object == "nodeTest":
		return name == "test"
	case caseMember.MatchString(name):
		head, _, _ := strings.Cut(object, ".")
		return caseName.MatchString(head) && titled(n)
	case name == "test": // part of another test
		return titled(n)
	}
	return false
}

// titled tells a call whose first argument is a text, or names one.
func titled(n syntax.Node) bool {
	return n.Nth("arg", 0).Is("string", "template", "name", "member", "binary", "call") && n.Nth("arg", 1).Valid()
}

// testBody is what a declaration of a test runs: its last function, else a
// name of one.
func testBody(n syntax.Node) syntax.Node {
	var body syntax.Node
	for a := range n.Children("arg") {
		switch {
		case a.Is("func"):
			return a
		case a.Is("name", "member") && a != n.Nth("arg", 0):
			body = a
		case a.Is("call") && a != n.Nth("arg", 0): // it("x", fakeAsync(() => {...}))
			body = a
		}
	}
	return body
}

// inSkipped tells a test that is skipped itself or with the group around it.
func inSkipped(n syntax.Node) bool {
	if skipped.MatchString(spelled(n.Child("callee"))) {
		return true
	}
	for a := range n.Around() {
		if a.Is("call") && skipped.MatchString(spelled(a.Child("callee"))) {
			return true
		}
	}
	return false
}

func (e *examiner) assertsNamed(n syntax.Node) bool {
	for _, fn := range e.named[last(n)] {
		if fn.Path() == n.Path() && e.asserts(fn) {
			return true
		}
	}
	return false
}

// handsOver is the statement at a file's top by which it gives itself to a
// function of the project that declares tests, as those do that run over a
// folder of fixtures.
func (e *examiner) handsOver(f *syntax.File) syntax.Node {
	for n := range f.Root().Children() {
		call := n
		for call.Is("unary", "return") {
			call = call.Child("value")
		}
		if root := first(call.Child("callee")); call.Is("call") && root.Is("name") {
			if files := e.importedAs(f, root.Name()); e.declaring(files, 3) {
				return call
			}
		}
	}
	return syntax.Node{}
}

// importedAs are the project's files that a name of a file is imported from.
func (e *examiner) importedAs(f *syntax.File, name string) []*syntax.File {
	for _, i := range e.p.Imports(f) {
		for b := range i.Node.Children("bind") {
			if b.Name() == name {
				return i.Files
			}
		}
		if a := i.Node.Parent(); a.Is("assign") && a.Name() == name { // const run = require("../run")
			return i.Files
		}
	}
	return nil
}

// declaring tells whether one of some files, or one that it imports, declares
// tests that check something.
func (e *examiner) declaring(files []*syntax.File, depth int) bool {
	for _, f := range files {
		declares, checks := false, false
		for n := range f.Root().Walk() {
			if n.Is("call") {
				declares = declares || declaresTest(n)
				checks = checks || e.scriptCheck(n)
			}
			checks = checks || n.Is("throw")
		}
		if declares && checks {
			return true
		}
		if depth == 0 {
			continue
		}
		for _, i := range e.p.Imports(f) {
			if i.Own && e.declaring(i.Files, depth-1) {
				return true
			}
		}
	}
	return false
}

// notChecks are the methods of a test's own value that check nothing.
var notChecks = regexp.MustCompile(`^(?:plan|end|log|comment|diagnostic|test|it|describe|before|after|beforeEach|afterEach|teardown|skip|todo|timeout|mock|context|name|pass|done|signal|step|slow|retries|cleanup|autoend)$`)

// scriptCheck tells a call that fails a test: of an assertion library under its
// usual names, of the test's own value, or of a browser that waits for what it
// is asked for.
func (e *examiner) scriptCheck(n syntax.Node) bool {
	callee := n.Child("callee")
	name, root := last(callee), first(callee)
	switch {
	case callee.Is("name") && (name == "expect" || name == "expectTypeOf"):
		return n.Role() == "object" && !vain(n) // without a matcher it says nothing
	case callee.Is("name", "member") && checkName.MatchString(name) && !(callee.Is("member") && isExpect(callee.Child("object"))):
		return !vain(n) && len(e.candidates(n, n.Child("callee"))) == 0
	case root.Is("name") && strings.HasPrefix(strings.ToLower(root.Name()), "assert"):
		return !vain(n)
	case root.Is("name") && root.Name() == "cy", waits.MatchString(name):
		return true
	case callee.Is("member") && callee.Child("object").Is("name") && testParameter(callee.Child("object")):
		return !notChecks.MatchString(name) && !vain(n)
	case name == "run" && callee.Is("member") && strings.HasSuffix(strings.ToLower(root.Name()), "tester"):
		return true
	}
	return root.Is("name") && root.Name() == "t" && callee.Is("member") && strings.Contains(spelled(callee), ".assert.")
}

// waits are calls that fail when what they look for does not come.
var waits = regexp.MustCompile(`^(?:(?:get|find)(?:All)?By[A-Z]\w*|waitFor\w*|matchSnapshot|toMatchSnapshot|compareSnapshots?|throws|rejects|doesNotThrow|doesNotReject)$`)

// isExpect tells expect in expect.assertions(2), which counts others.
func isExpect(n syntax.Node) bool { return n.Is("name") && n.Name() == "expect" }

// testParameter tells the first parameter of a test's function: t of
// test("adds", t => {...}).
func testParameter(n syntax.Node) bool {
	for fn := range n.Around() {
		if fn.Is("func") && fn.Child("param").Name() == n.Name() {
			return fn.Role() == "arg" && fn.Parent().Is("call") && declaresTest(fn.Parent())
		}
	}
	return false
}
