package safety

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var procTimeout = probe.Probe{
	ID: "proc.timeout", Version: "1", Target: court.GithubRepo,
	Title:  "Every process has a time limit",
	Doc:    "Looks at every call that starts a process: a timeout that reaches it, also from a wrapper's default, communicate and wait with a timeout, wait_for around it, or something that watches and kills it. A parameter called timeout that nothing uses is no limit. In Go CommandContext with a context that can end, in JavaScript timeout or signal, in Java waitFor with a time, in Rust a timeout around it. There, a process that works at the user's terminal needs none.",
	Remedy: "Pass timeout= to every process and handle its expiry", Effort: 10,
	Run: asksAll(func(v *survey, a probe.Args) []probe.Finding {
		return []probe.Finding{v.shareOf(a.Scope, "a time limit", func(x *process, c *code.Call) tri {
			return v.limited(step{x, c})
		}, v.foreignCode.limits)}
	}),
}
