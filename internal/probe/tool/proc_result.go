package tool

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var procResult = probe.Probe{
	ID: "proc.result", Version: "1", Target: court.GithubRepo,
	Title:  "The result of every process is checked",
	Doc:    "Looks at every call that starts a process: check=True that nobody swallows, check_output, a test of the exit status here or in a caller that gets it. check=False with the error only printed is not checked.",
	Remedy: "Pass check=True or test returncode, and turn a failure into an error", Effort: 15,
	Run: asks(func(v *survey, a probe.Args) []probe.Finding {
		return []probe.Finding{v.shareOf(a.Scope, "a check of the result", func(_ *process, c *code.Call) tri {
			return v.noticed(c, func(code.Node) bool { return true })
		})}
	}),
}

// shareOf weighs the processes of a scope: the share that has something good.
func (v *survey) shareOf(scope, what string, ask func(*process, *code.Call) tri) probe.Finding {
	var with, without []code.Node
	open := 0
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
			with = append(with, x.call.Node)
		case no:
			without = append(without, x.call.Node)
		default:
			open++
		}
	}
	total := len(with) + len(without)
	switch {
	case total == 0 && open == 0:
		return probe.Clean(v.coverage(), court.AST, "no process is started")
	case total == 0:
		return probe.Cannot(court.Dynamic, nil, "none of %d processes could be followed", open)
	case len(without) == 0:
		return probe.Present(court.AST, places(with...), "each of the processes (%d) has %s", total, what)
	}
	return probe.Partly(probe.Ratio(len(with), total), court.AST, places(without...), "%d of %d processes have %s", len(with), total, what)
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
