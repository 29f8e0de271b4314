package safety

import (
	"fmt"
	"path"
	"slices"
	"strings"

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
		p := facts.ProcessStart{API: court.Clean(s.api, 60), Program: v.program(s), Shell: max(s.shell, s.script).answer(), Script: s.shell != yes}
		if p.Shell == facts.Yes {
			p.Command = x.commandOf(s)
		} else if s.script == no {
			p.Script = x.elsewhere(s, &p)
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
		f.Why = facts.Reason{Code: court.Dynamic, Text: fmt.Sprintf("whether %s uses a shell could not be determined, or only on some platforms", p.API)}
		out = append(out, facts.With(f, p))
	}
	return append(append(out, x.startsHanded(known)...), append(x.startsByDoors(), x.startsQuoted()...)...)
}

// program is the name of what a process runs, where the code says it.
func (v *survey) program(s *process) string {
	n := s.command.Unparen()
	if n.Is("list", "tuple") {
		n = n.Child(0).Unparen()
	}
	text, _ := v.p.Eval(n).Str()
	name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return path.Base(name)
}

// stretch is where in a file something is written.
type stretch struct {
	path     string
	from, to int
}

// callAt is the call that a node writes: what the models of trees found is asked
// about where it stands.
func (x *lowered) callAt(n code.Node) (call, bool) {
	s, ok := x.CallAt(n.Path(), n.Start(), n.End())
	return call{f: s.Function, in: s.At}, ok
}

// commandOf is what a process of Python is given to run: its commands that reach a shell,
// which may stand in the calls of a wrapper.
func (x *lowered) commandOf(s *process) facts.Command {
	scripts, out := s.scripts, facts.Command{Constant: true}
	if len(scripts) == 0 {
		for _, r := range s.runs {
			if r.here && r.word >= 0 {
				out = worse(out, x.ran(s, r))
			}
		}
		return out
	}
	for _, n := range scripts {
		out = worse(out, x.script(n))
	}
	return out
}

// elsewhere fills in what other programs run as text than a shell that is given a
// script. A constant text is not a danger there, nor is one of the program's own; where it is
// not known whose it is, nor is the answer.
func (x *lowered) elsewhere(s *process, p *facts.ProcessStart) bool {
	for _, r := range s.runs {
		if c := x.ran(s, r); !c.Constant && (p.By == "" || c.From > p.Command.From) {
			p.By, p.Command = r.by, c
		}
	}
	p.Shell = max(p.Shell, asText(p))
	return p.By != ""
}

// asText is whether what a program runs as text is a danger.
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

// ran is what some program runs as text: words of the command, or what it reads.
func (x *lowered) ran(s *process, r ran) facts.Command {
	if r.word < 0 {
		return x.fed(s)
	}
	words, out := r.words[r.word:], facts.Command{Constant: true}
	if r.words[r.word].cut && slices.ContainsFunc(words, func(w word) bool { return !w.known }) {
		return x.script(s.command)
	}
	if !r.rest {
		words = words[:1]
	}
	for _, w := range words {
		if !w.known {
			out = worse(out, x.element(w.node))
		}
	}
	return out
}

// fed is what a process is given to read.
func (x *lowered) fed(s *process) facts.Command {
	at, ok := x.callAt(s.call.Node)
	if !ok {
		return facts.Command{Constant: true}
	}
	out := facts.Command{Constant: true}
	if o, ok := at.argument("input", -1); ok {
		out = worse(out, x.command(at.f, o, at.in))
	}
	for _, m := range x.handled(at.f, at.in).calls("communicate", "write", "writelines") {
		if o, ok := (call{f: at.f, in: m}).argument("input", 0); ok {
			out = worse(out, x.command(at.f, o, m))
		}
	}
	return out
}

// element is what stands at an element of a list that is written out, else what stands
// around it at the argument of a call.
func (x *lowered) element(n code.Node) facts.Command {
	list := n.Parent()
	i := -1
	if list.Is("list", "tuple") {
		i = slices.IndexFunc(elements(list), func(e code.Node) bool { return e.Start() == n.Start() })
	}
	if i < 0 {
		return x.script(n)
	}
	for f := range x.functions() {
		if f.Module.Path != n.Path() {
			continue
		}
		for _, in := range f.Instructions() {
			if in.Op == il.Make && int(in.Span.From) == list.Start() && int(in.Span.To) == list.End() && i < len(in.Args) {
				return x.command(f, in.Args[i], in)
			}
		}
	}
	return x.script(n)
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

// startsOfOthers are the facts of the processes in the other languages.
func (x *lowered) startsOfOthers() (out []facts.Fact[facts.ProcessStart]) {
	for _, s := range x.starts() {
		limit, counts := x.limits(s)
		p := facts.ProcessStart{API: court.Clean(s.api, 60), Shell: facts.No, Words: s.cut && !s.shell, By: s.by,
			Result: x.checks(s).answer(), Limit: limit.answer(), Attended: !counts}
		if s.shell || s.cut || s.by != "" {
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
		case s.by != "":
			p.Shell = asText(&p)
		case !s.cut && s.open:
			p.Shell = facts.Unknown
		}
		f := facts.With(x.lies(s.f, s.in.Span), p)
		f.Why = facts.Reason{Code: court.Dynamic, Text: fmt.Sprintf("whether %s uses a shell could not be determined", p.API)}
		out = append(out, f)
	}
	return out
}
