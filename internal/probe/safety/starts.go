package safety

import (
	"fmt"
	"path"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
)

// processStarts are the calls of every language that start a process.
var processStarts = valuesOf("safety.processes", func(x *lowered) (out []facts.Fact[facts.ProcessStart]) {
	known := map[stretch]bool{}
	for _, ways := range x.processes() {
		s := ways[0]
		known[stretch{s.f.Module.Path, int(s.in.Span.From), int(s.in.Span.To)}] = true
		out = append(out, x.start(ways))
	}
	return slices.Concat(out, x.startsHanded(known), x.startsByDoors(), x.startsQuoted())
})

// start is the fact of a call that starts a process: as the way has it that is worst.
func (x *lowered) start(ways []*started) facts.Fact[facts.ProcessStart] {
	s := ways[0]
	lies := x.lies(s.f, s.in.Span)
	if at := lies.At[0]; x.Never(at.Path, at.Line) {
		lies.Live = facts.No
	}
	runs := !lies.Borrowed && lies.Live != facts.No
	p := facts.ProcessStart{API: court.Clean(s.api, 60), Program: s.program(), Shell: facts.No, Script: true}
	shell, result, limit, attended := no, yes, yes, true
	for _, s := range ways {
		hands, command, by := s.asText()
		if hands > shell || hands == shell && !command.Constant {
			p.Command, p.By = command, by
		}
		shell, p.Words, p.Script = max(shell, hands), p.Words || s.cut && !s.shell, p.Script && !s.flag
		if runs {
			limited, counts := x.limits(s)
			result, limit, attended = min(result, x.checks(s)), min(limit, limited), attended && !counts
		}
	}
	if p.Shell = shell.answer(); runs {
		p.Result, p.Limit, p.Attended = result.answer(), limit.answer(), attended
	}
	f := facts.With(lies, p)
	f.Why = facts.Reason{Code: court.Dynamic, Text: fmt.Sprintf("whether %s uses a shell could not be determined, or only on some platforms", p.API)}
	return f
}

// program is the name of what a process runs, where the code says it.
func (s *started) program() string {
	if len(s.argvs) == 0 || len(s.argvs[0]) == 0 || !s.argvs[0][0].known {
		return ""
	}
	return path.Base(s.argvs[0][0].text)
}

// asText is whether a process runs text by a shell, or by something else of what may be
// anybody's, and what that is.
func (s *started) asText() (hands tri, out facts.Command, by string) {
	if s.shell || s.cut || s.runs != "" {
		out.Constant = true
		for _, w := range s.script {
			if w = s.by.given(w); !w.known {
				out = worse(out, s.lowered.command(w.f, w.o, w.use))
			}
		}
	}
	if s.shell {
		return yes, out, ""
	}
	p := facts.ProcessStart{By: s.runs, Command: out}
	if answer := asText(&p); answer != facts.No {
		hands = max(unsure, boolTri(answer == facts.Yes))
	}
	return max(hands, min(unsure, boolTri(s.open && !s.cut))), out, p.By
}

// stretch is where in a file something is written.
type stretch struct {
	path     string
	from, to int
}

// asText is whether what a program runs as text is a danger. A constant text is none, nor
// is one of the program's own; where it is not known whose it is, nor is the answer.
func asText(p *facts.ProcessStart) facts.Answer {
	switch {
	case p.By == "" || p.Command.Constant || p.Command.From == facts.Own:
		p.By = ""
		return facts.No
	case p.Command.From >= facts.User:
		return facts.Yes
	}
	return facts.Unknown
}

// command is what is run of a value.
func (x *lowered) command(f *il.Function, o il.Operand, use *il.Instr) facts.Command {
	if x.constant(f, o, use) {
		return facts.Command{Constant: true}
	}
	return facts.Command{From: x.scriptFlow(f, o, use)}
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
