package safety

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
)

// processStarts are the calls of every language that start a process.
var processStarts = setOf("safety.processes", (*survey).starts, (*foreignCode).starts)

// starts are the facts of Python's processes, and of functions that use a shell
// where they are handed on.
func (v *survey) starts() (out []facts.Fact[facts.ProcessStart]) {
	for i, x := range slices.Concat(v.processes, v.handed) {
		f := v.lies(x.call.Node)
		p := facts.ProcessStart{API: court.Clean(x.api, 60), Shell: max(x.shell, x.script).answer(), Script: x.shell != yes, Handed: i >= len(v.processes)}
		if p.Shell == facts.Yes {
			p.Command = v.command(x)
		}
		if !p.Handed && !f.Borrowed && f.Live != facts.No {
			result, limit := yes, yes
			for _, t := range v.variants(x) {
				c := *t
				c.Node = x.call.Node
				result = min(result, v.noticed(&c, func(code.Node) bool { return true }))
				limit = min(limit, v.limited(step{x, &c}))
			}
			p.Result, p.Limit = result.answer(), limit.answer()
		}
		f.Why = facts.Reason{Code: court.Dynamic, Text: fmt.Sprintf("whether %s uses a shell could not be told, or only on some platforms", p.API)}
		out = append(out, facts.With(f, p))
	}
	for _, n := range v.handedOn {
		p := facts.ProcessStart{API: court.Clean(v.shellValue(n), 60), Shell: facts.Yes, Handed: true}
		f := facts.With(v.lies(n), p)
		f.Answer, f.Why = facts.Unknown, facts.Reason{Code: court.Dynamic,
			Text: fmt.Sprintf("%s uses a shell and is kept or handed on as a value; what it is called with could not be told", p.API)}
		out = append(out, f)
	}
	return out
}

// command is what a shell is given to run.
func (v *survey) command(x *process) facts.Command {
	scripts := x.scripts
	if len(scripts) == 0 {
		scripts = []code.Node{x.command}
	}
	if !slices.ContainsFunc(scripts, func(n code.Node) bool { return !v.constant(n) }) {
		return facts.Command{Constant: true}
	}
	t := v.taint(scripts...)
	if slices.ContainsFunc(scripts, func(n code.Node) bool { return !n.Valid() }) {
		t = max(t, unsure)
	}
	return facts.Command{From: t.origin()}
}

// origin is where a value comes from of which Python's model tells whether input
// from outside flows into it.
func (t tri) origin() facts.Origin { return [...]facts.Origin{facts.Own, facts.Open, facts.Sender}[t] }

// starts are the facts of the processes in the other languages.
func (x *foreignCode) starts() (out []facts.Fact[facts.ProcessStart]) {
	for _, s := range x.processes() {
		limit, counts := x.limits(s)
		p := facts.ProcessStart{API: court.Clean(s.api, 60), Shell: facts.No, Words: s.words && !s.shell,
			Result: x.checks(s).answer(), Limit: limit.answer(), Attended: !counts}
		switch constant := !slices.ContainsFunc(s.script, func(n syntax.Node) bool { _, ok := x.p.Text(n); return !ok }); {
		case s.shell:
			p.Shell = facts.Yes
			p.Command.Constant = constant
		case s.words:
			p.Command.Constant = constant
		case s.open:
			p.Shell = facts.Unknown
		}
		if !p.Command.Constant {
			p.Command.From = x.flow(s.script...)
		}
		f := facts.With(lies(s.call), p)
		f.Why = facts.Reason{Code: court.Dynamic, Text: fmt.Sprintf("whether %s uses a shell could not be told", p.API)}
		out = append(out, f)
	}
	return out
}
