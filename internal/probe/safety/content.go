package safety

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// subject is a text that comes from outside, under the names that it has in one
// function, and what was decided about it.
type subject struct {
	v        *survey
	fn       *code.Definition
	names    map[string]bool // the text itself, or made from it
	parsed   map[string]bool // its parts: split, matched or parsed
	verdicts map[string]bool // outcomes of tests of its content
	depth    int             // calls entered
}

// maxTests bounds how deep tests are followed into helpers.
const maxTests = 3

// about gathers the names of a text in a function, starting from expressions
// that hold it.
func (v *survey) about(fn *code.Definition, texts map[string]bool, depth int) *subject {
	s := &subject{v: v, fn: fn, names: maps.Clone(texts), parsed: map[string]bool{}, verdicts: map[string]bool{}, depth: depth}
	for range 2 {
		for n := range fn.Body().WalkScope() {
			switch n.Kind() {
			case "assignment":
				s.assign(n.Field("left"), n.Field("right"))
			case "named_expression":
				s.assign(n.Field("name"), n.Field("value"))
			}
		}
	}
	return s
}

// assign notes what a name holds after an assignment.
func (s *subject) assign(left, right code.Node) {
	if !right.Valid() || !s.holds(right) || right.Is("dictionary", "list", "set", "tuple") || !s.gentle(right) {
		return
	}
	into := s.names
	switch {
	case s.tests(right):
		into = s.verdicts
	case s.splits(right):
		into = s.parsed
	}
	for n := range left.Walk() {
		if n.Is("identifier") && n.FieldName() != "attribute" && n.Parent().Kind() != "attribute" && n.Parent().Kind() != "subscript" {
			into[n.Text()] = true
		}
	}
}

// holds tells whether an expression mentions the text.
func (s *subject) holds(n code.Node) bool {
	for x := range n.Walk() {
		if s.is(x) {
			return true
		}
	}
	return false
}

// is tells whether a node is the text, a part of it or a verdict on it, by name.
func (s *subject) is(n code.Node) bool {
	if !n.Is("identifier", "attribute", "subscript", "call") {
		return false
	}
	if n.Is("identifier") && (n.FieldName() == "name" && n.Parent().Is("keyword_argument") || n.FieldName() == "attribute") {
		return false
	}
	t := n.Text()
	return s.names[t] || s.parsed[t] || s.verdicts[t]
}

// gentle tells an expression that only looks at the text or reshapes it: what
// an action gives back says nothing about the text.
func (s *subject) gentle(n code.Node) bool {
	for x := range n.Walk() {
		c := s.v.p.Call(x)
		if c == nil || !s.holds(x) {
			continue
		}
		switch {
		case c.Callee.Def != nil && c.Callee.Def.IsFunction():
			if !s.givesBack(c) {
				return false
			}
		case c.Callee.Matches("pathlib.Path().exists", "pathlib.Path().is_*"):
			return false
		case c.Callee.In(tables.Of(tables.Flow), "look"):
		case c.Receiver.Valid() && c.Callee.Def == nil && !c.Callee.Matches("subprocess.*", "os.*", "requests.*", "httpx.*", "git.*") &&
			isOneOf(c.Name, "strip", "lstrip", "rstrip", "lower", "casefold", "replace", "split", "rsplit", "partition", "rpartition", "startswith",
				"endswith", "removeprefix", "removesuffix", "match", "fullmatch", "search", "findall", "group", "groups", "get", "decode", "encode",
				"find", "count", "splitlines", "isalnum", "join", "format", "sub"):
		default:
			return false
		}
	}
	return true
}

// givesBack tells a call of a first-party function whose result is the text, is
// made from it, or is a verdict on it.
func (s *subject) givesBack(c *code.Call) bool {
	if s.depth >= maxTests || c.Callee.Def == s.fn {
		return false
	}
	for param, value := range s.v.p.Parameters(c) {
		if !s.holds(value) {
			continue
		}
		if s.v.returnsText(c.Callee.Def, param, s.depth+1) || s.v.predicate(c.Callee.Def, param, s.depth+1) {
			return true
		}
	}
	return false
}

// returnsText tells a function that returns a parameter or what is made from
// it.
func (v *survey) returnsText(fn *code.Definition, param string, depth int) bool {
	return remember(v, question{"text", fn, param, depth}, func() bool {
		s := v.about(fn, map[string]bool{param: true}, depth)
		return slices.ContainsFunc(fn.ReturnValues(), func(n code.Node) bool { return s.holds(n) && s.gentle(n) })
	})
}

// question is something asked of a parameter of a function.
type question struct {
	what  string
	fn    *code.Definition
	param string
	depth int
}

// remember asks each question once: helpers are shared, and a hostile program
// could make the ways through them many.
func remember[T any](v *survey, q question, ask func() T) T {
	if known, ok := v.memory.Load(q); ok {
		return known.(T)
	}
	answer := ask()
	v.memory.Store(q, answer)
	return answer
}

// splits tells an expression that takes the text apart.
func (s *subject) splits(n code.Node) bool {
	for x := range n.Walk() {
		if c := s.v.p.Call(x); c != nil && isOneOf(c.Name, "split", "rsplit", "partition", "rpartition", "urlparse", "urlsplit", "parse",
			"findall", "groups", "group", "splitlines") {
			return true
		}
	}
	return false
}

// tests tells whether an expression looks at the content of the text: its
// scheme, host, pattern, forbidden or allowed parts. Being empty, a string or an
// existing path is not content.
func (s *subject) tests(n code.Node) bool {
	for x := range n.Walk() {
		if s.isTest(x) {
			return true
		}
	}
	return false
}

func (s *subject) isTest(n code.Node) bool {
	switch n.Kind() {
	case "identifier":
		return s.verdicts[n.Text()] && n.FieldName() != "attribute"
	case "attribute":
		return isOneOf(n.Field("attribute").Text(), "scheme", "netloc", "hostname", "host", "valid", "github") && s.parsedText(n.Field("object"))
	case "call":
		return s.testingCall(n)
	case "comparison_operator":
		return s.comparison(n)
	}
	return false
}

// parsedText tells an expression that is the text taken apart.
func (s *subject) parsedText(n code.Node) bool {
	return s.parsed[n.Text()] || s.names[n.Text()] || n.Is("call") && s.splits(n) && s.holds(n)
}

// localPrefix are prefixes of paths: such a test asks whether it is a URL at
// all.
var localPrefix = map[string]bool{"/": true, ".": true, "./": true, "../": true, "~": true, "~/": true}

// testingCall tells a call that looks at the content.
func (s *subject) testingCall(n code.Node) bool {
	c := s.v.p.Call(n)
	if c == nil {
		return false
	}
	inArgs := false
	for _, a := range c.Args {
		inArgs = inArgs || a.Value.Module() == n.Module() && n.Contains(a.Value) && s.holds(a.Value)
	}
	switch {
	case isOneOf(c.Name, "startswith", "endswith") && c.Receiver.Valid() && s.holds(c.Receiver):
		text, ok := s.v.p.Eval(c.Arg("", 0)).Str()
		return !ok || !localPrefix[text]
	case isOneOf(c.Name, "isdigit", "isdecimal", "isnumeric", "isalnum", "isalpha", "isidentifier") && c.Receiver.Valid() && s.holds(c.Receiver):
		return true
	case isOneOf(c.Name, "match", "fullmatch", "search") && inArgs && c.Callee.Def == nil:
		return true
	case c.Callee.Matches("validators.url", "validators.domain", "giturlparse.validate", "rfc3986.*", "fnmatch.*") && inArgs:
		return true
	}
	if !inArgs || s.depth >= maxTests {
		return false
	}
	fn := c.Callee.Def
	if fn == nil || !fn.IsFunction() || fn == s.fn {
		return false
	}
	for param, value := range s.v.p.Parameters(c) {
		if s.holds(value) && s.v.predicate(fn, param, s.depth+1) {
			return true
		}
	}
	return false
}

// comparison tells a comparison that looks at the content: a forbidden or
// demanded part, an allow-list, a part of the parsed text, the number of parts.
func (s *subject) comparison(n code.Node) bool {
	left, right := n.Child(0), n.Child(1)
	var ops []string
	for _, o := range n.Fields("operators") {
		ops = append(ops, o.Text())
	}
	op := strings.Join(ops, " ")
	switch {
	case strings.Contains(op, "in"):
		if s.holds(right) && !s.holds(left) {
			return !s.verdicts[right.Text()]
		}
		list, complete := s.v.p.Eval(right).Strings()
		return s.holds(left) && (complete && len(list) > 0 || right.Is("identifier", "attribute") && right.Text() == strings.ToUpper(right.Text()))
	case op == "==" || op == "!=":
		for _, side := range []code.Node{left, right} {
			if side.Is("attribute", "subscript") && s.parsedText(side.Child(0)) {
				return true
			}
		}
	}
	for _, side := range []code.Node{left, right} {
		if c := s.v.p.Call(side); c != nil && c.Callee.Matches("builtins.len") {
			arg := c.Arg("", 0)
			if s.parsed[arg.Text()] || s.splits(arg) && s.holds(arg) {
				return true
			}
		}
	}
	return false
}

// predicate tells a function that answers whether the content of a parameter is
// good.
func (v *survey) predicate(fn *code.Definition, param string, depth int) bool {
	return remember(v, question{"predicate", fn, param, depth}, func() bool { return v.decides(fn, param, depth) })
}

func (v *survey) decides(fn *code.Definition, param string, depth int) bool {
	s := v.about(fn, map[string]bool{param: true}, depth)
	if slices.ContainsFunc(fn.ReturnValues(), s.tests) {
		return true
	}
	for n := range fn.Body().WalkScope() {
		if n.Is("if_statement", "elif_clause") && s.tests(n.Field("condition")) && leaves(block(n)).Valid() {
			return true
		}
	}
	return false
}
