package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cloneAuth = probe.Probe{
	ID: "clone.auth", Version: "1", Target: court.GithubRepo,
	Title:  "A clone that needs credentials fails at once or is told apart",
	Doc:    "Looks for settings that keep git from asking (GIT_TERMINAL_PROMPT, GIT_ASKPASS, BatchMode) in code that runs, and for a test of git's message for failed authentication, also in a router of the graph.",
	Remedy: "Set GIT_TERMINAL_PROMPT=0 in the environment of the clone", Effort: 5,
	Run: asksClone(func(x *lowered, s *site) probe.Finding {
		v := x.survey
		if at := v.quietPrompt(s); at.Valid() {
			return probe.Present(court.AST, places(at), "git is kept from asking for credentials")
		}
		if at := v.tellsAuth(s); at.Valid() {
			return probe.Present(court.AST, places(at), "a clone that fails for lack of credentials is told apart by git's message")
		}
		return probe.Missing(v.coverage(false), court.AST, "nothing keeps the clone in %s from asking for credentials, and such a failure is not told apart", where(s))
	}),
}

// quietPrompt finds an environment entry or option that keeps git from asking,
// in code that runs when the clone does.
func (v *survey) quietPrompt(s *site) code.Node {
	for _, name := range []string{"GIT_TERMINAL_PROMPT", "GIT_ASKPASS", "SSH_ASKPASS"} {
		for _, n := range v.keys()[name] {
			if v.runsFor(n, s) {
				return n
			}
		}
	}
	for _, n := range v.keys()["GIT_SSH_COMMAND"] {
		if v.runsFor(n, s) && strings.Contains(v.p.Eval(n).Pattern(), "BatchMode") {
			return n
		}
	}
	for _, c := range v.p.Calls("os.putenv", "os.environ.setdefault", "*.setdefault") {
		if text, ok := plain(c.Arg("", 0)); ok && (text == "GIT_TERMINAL_PROMPT" || text == "GIT_ASKPASS") && v.runsFor(c.Node, s) {
			return c.Node
		}
	}
	return code.Node{}
}

// runsFor tells code that runs as surely as a clone does, or in a run at all.
// What stands outside functions runs when its module is imported.
func (v *survey) runsFor(n code.Node, s *site) bool {
	fn := v.function(n)
	for fn != nil && !fn.IsFunction() && fn.Parent != nil {
		fn = fn.Parent
	}
	return v.production(n) && v.rank(fn) <= max(1, v.rank(s.home))
}

var authMessage = regexp.MustCompile(`(?i)authenticat|permission denied|could not read (username|password)|terminal prompts disabled|access denied|not authorized|unauthorized|invalid username|publickey`)

// tellsAuth finds a test for git's message in the functions on the way to the
// clone, in the routers of the graph that runs it, and in those that they call.
func (v *survey) tellsAuth(s *site) code.Node {
	seen := map[*code.Definition]bool{}
	var fns []*code.Definition
	for fn := range v.leads(s).calls {
		fns = append(fns, fn)
	}
	for _, st := range s.steps {
		fns = append(fns, v.function(st.process.call.Node))
	}
	if v.graph != nil && v.rank(s.home) == 0 {
		for i := range v.graph.Routes {
			fns = append(fns, langgraph.Def(v.graph.Routes[i].Source))
		}
	}
	for _, fn := range fns {
		if fn == nil || !fn.IsFunction() {
			continue
		}
		seen[fn] = true
		called, _ := v.p.Callees(fn)
		for _, d := range called {
			seen[d] = seen[d] || d.IsFunction()
		}
	}
	var found code.Node
	for fn, ok := range seen {
		if !ok {
			continue
		}
		if at := v.comparesAuth(fn); at.Valid() && v.production(at) && (!found.Valid() || compareNodes(at, found) < 0) {
			found = at
		}
	}
	return found
}

// comparesAuth finds a comparison with git's message in a function.
func (v *survey) comparesAuth(fn *code.Definition) code.Node {
	for n := range fn.Body().WalkScope() {
		switch {
		case n.Is("comparison_operator"):
		case n.Is("call") && isOneOf(n.Field("function").Field("attribute").Text(), "search", "match", "find"):
		default:
			continue
		}
		turns, _ := v.p.Turns(n)
		for x := range n.Walk() {
			if x.Is("string", "identifier", "attribute") && slices.ContainsFunc(turns, func(t code.Binding) bool { return v.saysAuth(x, t) }) {
				return n
			}
		}
	}
	return code.Node{}
}

// saysAuth tells an operand that is, or holds, git's message in a turn of the
// loops around it.
func (v *survey) saysAuth(n code.Node, turn code.Binding) bool {
	for _, c := range v.p.Eval(n, turn).Choices() {
		for _, item := range append(slices.Clone(c.Items), c) {
			if text, ok := item.Str(); ok && authMessage.MatchString(text) {
				return true
			}
		}
	}
	return false
}
