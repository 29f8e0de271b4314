package safety

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cloneErrors = probe.Probe{
	ID: "clone.errors", Version: "1", Target: court.GithubRepo,
	Title:  "The code notices a failing clone",
	Doc:    "Looks for a test of the exit status, here or in the callers that get it, for check=True, and for the library's exception. An exception that a handler drops without a word, and a result that nobody looks at, are not noticed.",
	Remedy: "Test the result of the clone, and turn a failure into an error.", Effort: 15,
	Run: asksClone(func(x *lowered, _ *site) probe.Finding {
		for _, s := range x.counted() {
			switch x.siteNoticed(s) {
			case no:
				return probe.Against(court.AST, places(s.at), "The clone in %s can fail unnoticed: the code drops its result.", where(s)).
					Do("Test the result of the clone in %s, and turn a failure into an error: check=True, or if result.returncode != 0.", where(s))
			case unsure:
				return probe.Cannot(court.Dynamic, places(s.at), "The result of the clone in %s could not be followed.", where(s))
			case yes:
			}
		}
		return probe.Present(court.AST, sitePlaces(x.counted()), "The code notices a failing clone in %s.", where(x.clones().sites[0]))
	}),
}
