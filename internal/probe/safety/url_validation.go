package safety

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var urlValidation = probe.Probe{
	ID: "url.validation", Version: "2", Target: court.GithubRepo,
	Title:  "The code tests the URL before it clones it",
	Doc:    "Follows the URL back from the clone through callers, state keys and records, and looks for a test of its content (scheme, host, pattern, forbidden parts, a field's constraint) that keeps a bad one from being cloned, also a node of the graph that leaves a mark in the state by which a router turns the run away. Tests for being empty, for a type, between local and remote, after the clone, or that only record are none.",
	Remedy: "Refuse URLs that do not match https and the hosts that you expect, before the clone.", Effort: 15,
	Run: asksClone(func(x *lowered, s *site) probe.Finding {
		test, tested, ok := x.urlTest(s)
		switch {
		case tested:
			return probe.Present(court.AST, []court.Place{test.at}, "The code tests the URL before the clone in %s.", where(s))
		case !ok && s.how == byAPI:
			return probe.Cannot(court.Dynamic, places(s.at), "The download of %s could not be followed.", where(s))
		case !ok:
			return probe.Cannot(court.Dynamic, places(s.at), "The URL that %s clones could not be followed.", where(s))
		}
		f := probe.Missing(x.survey.coverage(false), court.AST, "No test of its content refuses a bad URL before the clone in %s. A choice between a clone and a local path is not such a test.", where(s)).
			Do("Refuse a bad URL before the clone in %[1]s: if not re.fullmatch(r\"https://github\\.com/[\\w.-]+/[\\w.-]+\", %[2]s): raise ValueError(%[2]s).", where(s), x.urlName(s))
		f.Places = places(s.at)
		return f
	}),
}

// urlName is what the function of a clone calls its URL.
func (x *lowered) urlName(s *site) string {
	for _, o := range []il.Operand{s.url.o, s.url.f.Root(s.url.o)} {
		if s.url.f == x.functionOf(s.home) && o.Kind == il.Local && s.url.f.Versions[o.ID].Var[0] != '%' {
			return court.Clean(s.url.f.Versions[o.ID].Var, 60)
		}
	}
	return "url"
}
