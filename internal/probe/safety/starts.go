package safety

import (
	"fmt"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
)

// processStarts are the calls of every language that start a process.
var processStarts = valuesOf("safety.processes", func(x *lowered) []facts.Fact[facts.ProcessStart] {
	out := x.startsOfPython()
	if x.own == nil {
		out = append(out, x.startsOfOthers()...)
	}
	return out
})

// startsOfPython are the facts of Python's processes, and of functions that use a
// shell where they are handed on.
func (x *lowered) startsOfPython() (out []facts.Fact[facts.ProcessStart]) {
	v := x.survey
	known := map[stretch]bool{}
	for _, s := range v.processes {
		n := s.call.Node
		known[stretch{n.Path(), n.Start(), n.End()}] = true
		f := v.lies(n)
		p := facts.ProcessStart{API: court.Clean(s.api, 60), Shell: max(s.shell, s.script).answer(), Script: s.shell != yes}
		if p.Shell == facts.Yes {
			p.Command = x.commandOf(s)
		}
		if !f.Borrowed && f.Live != facts.No {
			result, limit := yes, yes
			for _, t := range v.variants(s) {
				c := *t
				c.Node = n
				result = min(result, v.noticed(&c, func(code.Node) bool { return true }))
				limit = min(limit, v.limited(step{s, &c}))
			}
			p.Result, p.Limit = result.answer(), limit.answer()
		}
		f.Why = facts.Reason{Code: court.Dynamic, Text: fmt.Sprintf("whether %s uses a shell could not be told, or only on some platforms", p.API)}
		out = append(out, facts.With(f, p))
	}
	return append(out, x.startsHanded(known)...)
}

// stretch is where in a file something is written.
type stretch struct {
	path     string
	from, to int
}

// callAt is the call that a node writes: what the models of trees found is asked
// about where it stands.
func (x *lowered) callAt(n code.Node) (call, bool) {
	for _, s := range x.Written(n.Path(), n.Start(), n.End()) {
		if s.Call {
			return call{f: s.Function, in: s.At}, true
		}
	}
	return call{}, false
}

// commandOf is what a process of Python is given to run: its commands that reach a shell,
// which may stand in the calls of a wrapper.
func (x *lowered) commandOf(s *process) facts.Command {
	scripts := s.scripts
	if len(scripts) == 0 {
		scripts = []code.Node{s.command}
	}
	out := facts.Command{Constant: true}
	for _, n := range scripts {
		out = worse(out, x.script(n))
	}
	return out
}

// script is what stands at an argument of a call, or, of a call, all of its arguments.
func (x *lowered) script(n code.Node) facts.Command {
	around := n.Parent()
	for around.Valid() && !around.Is("call") {
		around = around.Parent()
	}
	if !n.Valid() || !around.Valid() {
		return facts.Command{From: facts.Open}
	}
	at, ok := x.callAt(around)
	if !ok {
		return facts.Command{From: facts.Open}
	}
	i := 1
	for a := range around.Field("arguments").Children() {
		if a.Contains(n) && i < len(at.in.Args) {
			return x.command(at.f, at.in.Args[i], at.in)
		}
		i++
	}
	return x.commandAt(n)
}

// commandAt is what the call at a node is given to run: all of its arguments.
func (x *lowered) commandAt(n code.Node) facts.Command {
	at, ok := x.callAt(n)
	if !ok {
		return facts.Command{From: facts.Open}
	}
	out := facts.Command{Constant: true}
	for i, o := range at.in.Args[1:] {
		if !options[at.in.Names[i]] {
			out = worse(out, x.command(at.f, o, at.in))
		}
	}
	return out
}

// command is what is run of a value.
func (x *lowered) command(f *il.Function, o il.Operand, use *il.Instr) facts.Command {
	if x.constant(f, o, use) {
		return facts.Command{Constant: true}
	}
	return facts.Command{From: x.flow(f, o, use)}
}

// worse is a command made of two.
func worse(a, b facts.Command) facts.Command {
	return facts.Command{Constant: a.Constant && b.Constant, From: max(a.From, b.From)}
}

// options are arguments of calls that start a process and no part of its command.
var options = map[string]bool{"cwd": true, "env": true, "timeout": true, "stdout": true, "stderr": true, "stdin": true, "check": true, "shell": true, "text": true,
	"capture_output": true, "universal_newlines": true, "encoding": true, "errors": true, "input": true, "bufsize": true, "preexec_fn": true, "close_fds": true,
	"startupinfo": true, "creationflags": true, "executable": true, "start_new_session": true, "limit": true, "loop": true}

// record tells a map that is written out, as options are.
func record(f *il.Function, o il.Operand) bool {
	def := f.Def(f.Root(o))
	return def != nil && def.Op == il.Make && def.Kind == "map"
}

// callback tells a function that is written out, as callbacks are.
func callback(f *il.Function, o il.Operand) bool {
	def := f.Def(f.Root(o))
	return def != nil && def.Op == il.Define
}

// startsOfOthers are the facts of the processes in the other languages.
func (x *lowered) startsOfOthers() (out []facts.Fact[facts.ProcessStart]) {
	for _, s := range x.starts() {
		limit, counts := x.limits(s)
		p := facts.ProcessStart{API: court.Clean(s.api, 60), Shell: facts.No, Words: s.cut && !s.shell,
			Result: x.checks(s).answer(), Limit: limit.answer(), Attended: !counts}
		if s.shell || s.cut {
			p.Command.Constant = true
			for _, w := range s.script {
				if !w.known {
					p.Command = worse(p.Command, x.command(w.f, w.o, w.use))
				}
			}
		}
		switch {
		case s.shell:
			p.Shell = facts.Yes
		case !s.cut && s.open:
			p.Shell = facts.Unknown
		}
		f := facts.With(x.lies(s.f, s.in.Span), p)
		f.Why = facts.Reason{Code: court.Dynamic, Text: fmt.Sprintf("whether %s uses a shell could not be told", p.API)}
		out = append(out, f)
	}
	return out
}
