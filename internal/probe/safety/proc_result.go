package safety

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var procResult = probe.Probe{
	ID: "proc.result", Version: "1", Target: court.GithubRepo,
	Title:  "The result of every process is checked",
	Doc:    "Looks at every call that starts a process: check=True that nobody swallows, check_output, a test of the exit status here or in a caller that gets it. check=False with the error only printed is not checked. In Go the error of Run, Output or Wait is used; in JavaScript a callback's error, an awaited promise or the status; in Java the value of waitFor or exitValue; in Rust the status itself.",
	Remedy: "Pass check=True or test returncode, and turn a failure into an error", Effort: 15,
	Run: asksAll(func(v *survey, a probe.Args) []probe.Finding {
		return []probe.Finding{v.shareOf(a.Scope, "a check of the result", func(_ *process, c *code.Call) tri {
			return v.noticed(c, func(code.Node) bool { return true })
		}, func(s *started) (tri, bool) { return v.foreignCode.checks(s), true })}
	}),
}

// shareOf weighs the processes of a scope in every language: the share that has
// something good. What wide leaves out counts for nothing.
func (v *survey) shareOf(scope, what string, ask func(*process, *code.Call) tri, wide func(*started) (tri, bool)) probe.Finding {
	t := tally{source: court.AST}
	for _, x := range v.processes {
		if !inScope(x.call.Node, scope) || v.p.Dead(x.call.Node) {
			continue
		}
		answer := yes
		for _, t := range v.variants(x) {
			c := *t
			c.Node = x.call.Node
			answer = worse(answer, ask(x, &c))
		}
		switch answer {
		case yes:
			t.with = append(t.with, place(x.call.Node))
		case no:
			t.without = append(t.without, place(x.call.Node))
		default:
			t.open++
		}
	}
	for _, s := range v.foreignCode.processes() {
		if answer, ok := wide(s); ok && counts(s.call, scope) {
			t.add(s, answer)
		}
	}
	return t.finding(v, what)
}

// worse joins two answers: no before unsure before yes.
func worse(a, b tri) tri {
	switch {
	case a == no || b == no:
		return no
	case a == unsure || b == unsure:
		return unsure
	}
	return yes
}
