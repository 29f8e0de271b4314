package safety

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
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
	v, commands := x.survey, x.commands()
	for i, s := range slices.Concat(v.processes, v.handed) {
		f := v.lies(s.call.Node)
		p := facts.ProcessStart{API: court.Clean(s.api, 60), Shell: max(s.shell, s.script).answer(), Script: s.shell != yes, Handed: i >= len(v.processes)}
		if p.Shell == facts.Yes {
			p.Command = commands.of(s)
		}
		if !p.Handed && !f.Borrowed && f.Live != facts.No {
			result, limit := yes, yes
			for _, t := range v.variants(s) {
				c := *t
				c.Node = s.call.Node
				result = min(result, v.noticed(&c, func(code.Node) bool { return true }))
				limit = min(limit, v.limited(step{s, &c}))
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

// commands are the calls of the code by their places: what the models of trees found
// is asked about where it stands.
type commands struct {
	*lowered
	calls map[stretch]call
}

type stretch struct {
	path     string
	from, to int
}

func (x *lowered) commands() commands {
	c := commands{x, map[stretch]call{}}
	for f := range x.functions() {
		for _, in := range f.Instructions() {
			if in.Op == il.Call {
				c.calls[stretch{f.Module.Path, int(in.Span.From), int(in.Span.To)}] = call{f: f, in: in}
			}
		}
	}
	return c
}

// of is what a process of Python is given to run: its commands that reach a shell,
// which may stand in the calls of a wrapper.
func (c commands) of(s *process) facts.Command {
	scripts := s.scripts
	if len(scripts) == 0 {
		scripts = []code.Node{s.command}
	}
	out := facts.Command{Constant: true}
	for _, n := range scripts {
		out = worse(out, c.script(n))
	}
	return out
}

// script is what stands at an argument of a call, or, of a call, all of its arguments.
func (c commands) script(n code.Node) facts.Command {
	around := n.Parent()
	for around.Valid() && !around.Is("call") {
		around = around.Parent()
	}
	at, ok := c.calls[stretch{n.Path(), around.Start(), around.End()}]
	if !n.Valid() || !ok {
		return facts.Command{From: facts.Open}
	}
	i := 1
	for a := range around.Field("arguments").Children() {
		if a.Contains(n) && i < len(at.in.Args) {
			return c.given(at.f, given{at.in.Args[i], at.in})
		}
		i++
	}
	return c.at(n)
}

// at is what the call at a node is given to run: all of its arguments, and those of
// the calls that are chained to it.
func (c commands) at(n interface {
	Path() string
	Start() int
	End() int
}) facts.Command {
	at, ok := c.calls[stretch{n.Path(), n.Start(), n.End()}]
	if !ok {
		return facts.Command{From: facts.Open}
	}
	out := facts.Command{Constant: true}
	for _, g := range at.chained() {
		out = worse(out, c.given(at.f, g))
	}
	return out
}

func (c commands) given(f *il.Function, g given) facts.Command {
	if c.constant(f, g.o, g.in) {
		return facts.Command{Constant: true}
	}
	return facts.Command{From: c.flow(f, g.o, g.in)}
}

// worse is a command made of two.
func worse(a, b facts.Command) facts.Command {
	return facts.Command{Constant: a.Constant && b.Constant, From: max(a.From, b.From)}
}

// given is an operand that an instruction reads.
type given struct {
	o  il.Operand
	in *il.Instr
}

// options are arguments of calls that start a process and no part of its command.
var options = map[string]bool{"cwd": true, "env": true, "timeout": true, "stdout": true, "stderr": true, "stdin": true, "check": true, "shell": true, "text": true,
	"capture_output": true, "universal_newlines": true, "encoding": true, "errors": true, "input": true, "bufsize": true, "preexec_fn": true, "close_fds": true,
	"startupinfo": true, "creationflags": true, "executable": true, "start_new_session": true, "limit": true, "loop": true}

// chained are the arguments that say what to run, also of the calls arg and args
// that are made on what a call gives.
func (c call) chained() (out []given) {
	lang := c.f.Module.Language
	for i, o := range c.in.Args[1:] {
		switch {
		case lang == python && options[c.in.Names[i]], lang == "go" && i == 0 && c.method() == "CommandContext":
		case i > 0 && record(c.f, o), callback(c.f, o):
		default:
			out = append(out, given{o, c.in})
		}
	}
	if lang != "rust" {
		return out
	}
	seen := map[*il.Instr]bool{}
	var follow func(id int32)
	follow = func(id int32) {
		for _, use := range c.f.Versions[id].Uses {
			if seen[use] || use.Dst == il.NoDst {
				continue
			}
			seen[use] = true
			switch {
			case use.Op == il.Call && (last(use.Kind) == "arg" || last(use.Kind) == "args"):
				for _, o := range use.Args[1:] {
					out = append(out, given{o, use})
				}
				follow(use.Dst)
			case use.Op != il.Call || use.Args[0].Is(id):
				follow(use.Dst)
			}
		}
	}
	follow(c.in.Dst)
	return out
}

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
	foreign, commands := x.survey.foreignCode, x.commands()
	for _, s := range foreign.processes() {
		limit, counts := foreign.limits(s)
		p := facts.ProcessStart{API: court.Clean(s.api, 60), Shell: facts.No, Words: s.words && !s.shell,
			Result: foreign.checks(s).answer(), Limit: limit.answer(), Attended: !counts}
		if s.shell || s.words {
			p.Command = commands.at(s.call)
		}
		switch {
		case s.shell:
			p.Shell = facts.Yes
		case !s.words && s.open:
			p.Shell = facts.Unknown
		}
		f := facts.With(lies(s.call), p)
		f.Why = facts.Reason{Code: court.Dynamic, Text: fmt.Sprintf("whether %s uses a shell could not be told", p.API)}
		out = append(out, f)
	}
	return out
}

// lies is where a node of another language lies, as a fact of no value.
func lies(n syntax.Node) facts.Fact[struct{}] {
	return facts.Fact[struct{}]{Answer: facts.Yes, At: places(n), Source: source(n), Scope: scopeAt(n), Live: facts.Yes}
}
