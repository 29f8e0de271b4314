package project

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// examiner finds tests in trees and asks each whether it checks something that
// can fail: itself, or in a function of the project that it calls.
type examiner struct {
	p       *syntax.Program
	named   map[string][]syntax.Node // functions of test code, by name
	read    map[syntax.Node]*read
	own     map[string]bool // whether a file's tests are of this project, by path
	ownCode ownCode
}

func newExaminer(p *syntax.Program) *examiner {
	e := &examiner{p: p, named: map[string][]syntax.Node{}, read: map[syntax.Node]*read{}, own: map[string]bool{}, ownCode: findOwnCode(p)}
	for _, f := range p.Files {
		if !f.Parsed || f.Scope == code.ScopeExample {
			continue
		}
		for n := range f.Root().Walk() {
			if n.Is("assign") && n.Child("value").Is("call") && last(n.Child("value").Child("callee")) == "bind" && f.Scope == code.ScopeTest {
				e.alias(n)
			}
			if !n.Is("func") {
				continue
			}
			name := functionName(n)
			if name != "" && (f.Scope == code.ScopeTest || f.Language == "rust" && inTestModule(n) || f.Language == "go" && takesTests(n)) {
				e.named[name] = append(e.named[name], n)
			}
		}
	}
	return e
}

// alias notes a name for a function with some arguments given already:
// const checkScript = check.bind(null, "script").
func (e *examiner) alias(n syntax.Node) {
	if of := n.Child("value").Child("callee").Child("object"); of.Is("name") && n.Name() != "" {
		e.named[n.Name()] = append(e.named[n.Name()], e.beside(of)...)
	}
}

// functionName is the name by which a function is called: its own, or that of
// what it is assigned to.
func functionName(n syntax.Node) string {
	if n.Name() != "" || !n.Has(syntax.Lambda) {
		return n.Name()
	}
	if p := n.Parent(); p.Is("assign", "entry") {
		return p.Name()
	}
	return ""
}

// trials lists the tests of a file.
func (e *examiner) trials(f *syntax.File) []trial {
	switch f.Language {
	case "go":
		return e.goTrials(f)
	case "javascript", "typescript":
		return e.scriptTrials(f)
	case "java":
		return e.javaTrials(f)
	case "rust":
		return e.rustTrials(f)
	}
	return nil
}

// trial is the test that lies in a function.
func (e *examiner) trial(name string, n, body syntax.Node) trial {
	return trial{name: name, at: at(n), asserts: e.asserts(body), tree: true, apart: !e.ofProject(n.File())}
}

// deepest is how many calls a check may lie away from the test.
const deepest = 5

// asserts tells whether a function checks something, itself or in what it
// calls.
func (e *examiner) asserts(fn syntax.Node) bool {
	seen := map[syntax.Node]bool{fn: true}
	next := []syntax.Node{fn}
	for range deepest {
		var further []syntax.Node
		for _, f := range next {
			x := e.reading(f)
			if x.checks {
				return true
			}
			for _, c := range x.calls {
				if !seen[c] {
					seen[c] = true
					further = append(further, c)
				}
			}
		}
		next = further
	}
	return false
}

// read is what one function was found to do.
type read struct {
	checks bool          // itself
	calls  []syntax.Node // functions of test code
}

func (e *examiner) reading(fn syntax.Node) *read {
	if x, ok := e.read[fn]; ok {
		return x
	}
	x := &read{}
	e.read[fn] = x
	for n := range fn.Walk() {
		if e.checks(n) {
			x.checks = true
			return x
		}
		x.calls = append(x.calls, e.called(n)...)
	}
	return x
}

// mostSuch is how many functions of one name in other folders are taken for
// what a call may mean.
const mostSuch = 4

// called are the functions of test code that a call may mean: those of its
// file, else of its folder, else the few of that name.
func (e *examiner) called(n syntax.Node) []syntax.Node {
	if !n.Is("call") {
		return nil
	}
	out := e.candidates(n, n.Child("callee"))
	for a := range n.Children("arg") { // run(checkIt), check.bind(this), this::check
		if a.Is("name", "member") {
			out = append(out, e.beside(a)...)
		}
	}
	return out
}

// beside are the functions of its own file that a value may be.
func (e *examiner) beside(n syntax.Node) []syntax.Node {
	return slices.DeleteFunc(slices.Clone(e.named[last(n)]), func(f syntax.Node) bool { return f.Path() != n.Path() })
}

func (e *examiner) candidates(n, callee syntax.Node) []syntax.Node {
	name := last(callee)
	all := e.named[name]
	if len(all) == 0 {
		return nil
	}
	var here, beside []syntax.Node
	of := callee.Child("object")
	for _, f := range all {
		switch {
		case of.Is("name") && of.Name() != "this" && f.Enclosing("class").Name() == of.Name(): // a static method of that class
			return []syntax.Node{f}
		case f.Path() == n.Path():
			here = append(here, f)
		case path.Dir(f.Path()) == path.Dir(n.Path()):
			beside = append(beside, f)
		}
	}
	switch {
	case n.File().Language == "go" && handsTest(n):
		return slices.DeleteFunc(slices.Clone(all), func(f syntax.Node) bool { return !takesTests(f) })
	case len(here) > 0:
		return here
	case len(beside) > 0:
		return beside
	case len(all) > mostSuch:
		return nil
	}
	return all
}

// checkName is what functions that check are called, up to where the next word
// of the name begins.
var checkName = regexp.MustCompile(`^_?(?:[aA]ssert|[fF]ail|[eE]xpect|[cC]heck|[vV]erify|[sS]hould)(?:[A-Z_0-9]\w*|s|ing|ed)?$`)

// checks tells whether a node is a check that can fail.
func (e *examiner) checks(n syntax.Node) bool {
	switch n.Kind() {
	case "throw":
		return n.File().Language != "go"
	case "call":
		switch n.File().Language {
		case "go":
			return goCheck(n)
		case "javascript", "typescript":
			return e.scriptCheck(n)
		case "java":
			return e.javaCheck(n)
		case "rust":
			return rustCheck(n)
		}
	case "unary":
		return n.Detail() == "?" && n.File().Language == "rust"
	case "member": // x.should.be.true has no call
		return n.Name() == "should" && n.File().Language != "java" && n.File().Language != "go"
	case "other":
		return strings.HasPrefix(n.Detail(), "assert") && !constant(firstChild(n))
	}
	return false
}

func firstChild(n syntax.Node) syntax.Node {
	for c := range n.Children() {
		return c
	}
	return syntax.Node{}
}

// plainAssert are the assertions of libraries that are given what they compare.
// What others are given may be anything.
var plainAssert = regexp.MustCompile(`^(?:assert|expect|expectTypeOf|assertThat|assert(?:True|False|Null|NotNull|Equals|NotEquals|Same|NotSame|ArrayEquals)|(?:debug_|prop_)?assert(?:_eq|_ne|_matches)?!?|Expect|So)$`)

// vain tells a check that cannot fail: of constants only, or of a thing against
// itself. The arguments of the whole chain count, as in expect(1).toBe(1).
func vain(n syntax.Node) bool {
	if callee := n.Child("callee"); callee.Is("name") && !plainAssert.MatchString(callee.Name()) {
		return false
	}
	var args []syntax.Node
	for x := n; x.Is("call", "member"); x = x.Parent() {
		for a := range x.Children("arg") {
			args = append(args, a)
		}
		if x.Role() != "callee" && x.Role() != "object" {
			break
		}
	}
	texts := map[string]bool{}
	fixed, same := true, len(args) == 2
	for _, a := range args {
		fixed = fixed && constant(a)
		same = same && a.Is("name")
		texts[a.Text()] = true
	}
	return len(args) > 0 && (fixed || same && len(texts) == 1)
}

// filled tells a function with a body in which something stands.
func filled(fn syntax.Node) bool {
	body := fn.Child("body")
	return body.Valid() && (!body.Is("block") || firstChild(body).Valid())
}
