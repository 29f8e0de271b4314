package safety

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cloneAuth = probe.Probe{
	ID: "clone.auth", Version: "2", Target: court.GithubRepo,
	Title:  "A clone that needs credentials fails at once or is recognised",
	Doc:    "Looks for settings that keep git from asking (GIT_TERMINAL_PROMPT, GIT_ASKPASS, BatchMode) in code that runs, and for a test of git's message for failed authentication, also in a router of the graph.",
	Remedy: "Set GIT_TERMINAL_PROMPT=0 in the environment of the clone: env={**os.environ, \"GIT_TERMINAL_PROMPT\": \"0\"}.", Effort: 5,
	Run: asksClone(func(x *lowered, s *site) probe.Finding {
		if at, ok := x.quietPrompt(s); ok {
			return probe.Present(court.AST, []court.Place{at}, "The code keeps git from asking for credentials.")
		}
		if at, ok := x.tellsAuth(s); ok {
			return probe.Present(court.AST, []court.Place{at}, "The code recognises a clone without credentials by git's message.")
		}
		return probe.Missing(x.survey.coverage(false), court.AST, "Nothing keeps the clone in %s from asking for credentials, and the code does not recognise such a failure.", where(s))
	}),
}

// quietPrompt finds an environment entry or option that keeps git from asking,
// in code that runs when the clone does.
func (x *lowered) quietPrompt(s *site) (court.Place, bool) {
	for _, name := range []string{"GIT_TERMINAL_PROMPT", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_SSH_COMMAND"} {
		for _, v := range x.stored(name) {
			if x.runsFor(v.f, s) && (name != "GIT_SSH_COMMAND" || strings.Contains(x.said(v), "BatchMode")) {
				return shownAt(v.f, v.use.Span), true
			}
		}
	}
	for c := range x.calls() {
		if m := c.method(); m != "putenv" && m != "setdefault" || c.f.Module.Language != python {
			continue
		}
		first, _ := c.in.Argument("", 0)
		if text, _ := c.f.Str(c.f.Root(first)); (text == "GIT_TERMINAL_PROMPT" || text == "GIT_ASKPASS") && x.runsFor(c.f, s) {
			return shownAt(c.f, c.in.Span), true
		}
	}
	return court.Place{}, false
}

// said are the known parts of a text.
func (x *lowered) said(v operand) string {
	var b strings.Builder
	for _, s := range x.values.Shapes(v.f, v.o, v.use) {
		for _, p := range s.Parts {
			b.WriteString(p.Text + " ")
		}
	}
	return b.String()
}

// runsFor tells code that runs as surely as a clone does, or in a run at all.
// What stands outside functions runs when its module is imported.
func (x *lowered) runsFor(f *il.Function, s *site) bool {
	for f.Kind == il.ClassBody || f.Kind == il.Lambda {
		f = f.Outer
	}
	return x.production(f) && x.rank(f) <= max(1, x.survey.rank(s.home))
}

var authMessage = regexp.MustCompile(`(?i)authenticat|permission denied|could not read (username|password)|terminal prompts disabled|access denied|not authorized|unauthorized|invalid username|publickey`)

// tellsAuth finds a test for git's message in the functions that lead to the clone, in
// the routers of the graph that runs it, and in those that they call.
func (x *lowered) tellsAuth(s *site) (found court.Place, ok bool) {
	v := x.survey
	fns := slices.Collect(maps.Keys(x.leads(s).calls))
	for _, st := range s.steps {
		fns = append(fns, v.function(x.nodeAt(st.f, st.in.Span)))
	}
	if v.graph != nil && v.rank(s.home) == 0 {
		for i := range v.graph.Routes {
			fns = append(fns, langgraph.Def(v.graph.Routes[i].Source))
		}
	}
	seen := map[*il.Function]bool{}
	for _, d := range fns {
		f := x.functionOf(d)
		if f == nil {
			continue
		}
		seen[f] = true
		for _, in := range f.Instructions() {
			if in.Op != il.Call {
				continue
			}
			if s := x.Names.Operand(f, in.Args[0]); s != nil && s.Function != nil && s.Function.Kind != il.ClassBody {
				seen[s.Function] = true
			}
		}
	}
	for f := range x.functions() {
		if at, told := x.comparesAuth(f); told && seen[f] && x.production(f) {
			return at, true
		}
	}
	return court.Place{}, false
}

// comparesAuth finds a comparison with git's message in a function.
func (x *lowered) comparesAuth(f *il.Function) (court.Place, bool) {
	for _, in := range f.Instructions() {
		var asked []il.Operand
		switch {
		case in.Op == il.Branch && in.Kind != "true", in.Op == il.Bind && len(in.Args) == 2 && in.Kind != "+" && in.Kind != "%":
			asked = in.Args
		case in.Op == il.Call && slices.Contains([]string{"search", "match", "find"}, last(in.Kind)):
			asked = in.Args
		}
		auth, held := false, false
		for _, o := range asked {
			for _, from := range x.origins.Of(f, o, in) {
				text, ok := literal(from)
				auth = auth || ok && from.Kind == analyse.FromConst && authMessage.MatchString(text)
				held = held || !(ok && from.Kind == analyse.FromConst) && !x.wordless(from)
			}
		}
		if auth && held {
			return shownAt(f, in.Span), true
		}
	}
	return court.Place{}, false
}

// wordless tells an exception of subprocess as it is: its text holds the command and the exit
// status, and nothing of what git said.
func (x *lowered) wordless(from analyse.Origin) bool {
	return from.Kind == analyse.FromException && len(from.Keys) == 0 && len(from.At.Args) > 0 && !slices.ContainsFunc(from.At.Args, func(o il.Operand) bool {
		s := x.Names.Operand(from.Function, o)
		return s == nil || !named(s.Outside, "subprocess.CalledProcessError", "subprocess.TimeoutExpired")
	})
}
