package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// checks tells whether the outcome of a process is looked at.
func (x *lowered) checks(s *started) tri {
	switch s.f.Module.Language {
	case python:
		return x.checksPython(s, nil)
	case "go":
		return x.checksGo(s)
	case "java":
		return x.checksJava(s)
	case "rust":
		return x.checksRust(s)
	case "c#":
		if s.object.open {
			return unsure
		}
		return boolTri(s.object.asks("ExitCode"))
	default:
		return x.checksScript(s)
	}
}

// kept tells whether the error that a call of Go gives is used: the last of its
// results.
func (x *lowered) kept(f *il.Function, in *il.Instr, several bool) tri {
	if in.Mode == il.Spawned || in.Mode == il.Deferred {
		return no
	}
	if !several {
		return boolTri(x.handled(f, in).used)
	}
	for _, use := range f.Versions[in.Dst].Uses {
		if use.Op != il.Get || use.Kind != "item" {
			return yes // all of them go on
		}
		if at, ok := f.Const(use.Args[1]); ok && at.Num == 1 {
			return boolTri(x.handled(f, use).used)
		}
	}
	return no
}

func (x *lowered) checksGo(s *started) tri {
	if named(s.name, "syscall.*", "golang.org/*", "os.StartProcess") {
		return x.kept(s.f, s.in, !strings.HasSuffix(s.name, ".Exec"))
	}
	answer := unsure
	for _, m := range s.object.calls("Run", "Output", "CombinedOutput", "Wait", "Start") {
		name := last(m.Kind)
		if x.kept(s.f, m, strings.HasSuffix(name, "Output")) == no {
			return no
		}
		if name != "Start" {
			answer = yes
		}
	}
	if answer == unsure && len(s.object.methods) == 0 && !s.object.open {
		return no
	}
	return answer
}

func (x *lowered) checksJava(s *started) tri {
	object := s.object
	if s.api == "ProcessBuilder" {
		starts := s.object.calls("start")
		if len(starts) == 0 {
			return unsure
		}
		object = x.handled(s.f, starts[0])
	}
	for _, m := range object.calls("waitFor", "exitValue", "onExit") {
		if x.handled(s.f, m).used {
			return yes
		}
	}
	if object.open {
		return unsure
	}
	return no
}

func (x *lowered) checksRust(s *started) tri {
	runs := s.object.calls("status", "output", "spawn", "exec", "wait", "wait_with_output")
	if len(runs) == 0 {
		return unsure
	}
	if last(runs[0].Kind) == "exec" {
		return yes // nothing comes back but an error
	}
	result := x.handled(s.f, runs[0])
	switch {
	case result.asks("success", "code", "exit_ok", "exit_code", "is_ok", "is_err", "is_ok_and", "map_or", "map_or_else", "and_then"), len(result.reads) == 0 && result.decides:
		return yes
	case result.open, result.gone, last(runs[0].Kind) == "spawn":
		return unsure
	}
	return no
}

func (x *lowered) checksScript(s *started) tri {
	status := []string{"status", "error", "signal", "exitCode", "success", "code"}
	returned := slices.ContainsFunc(s.f.Versions[s.in.Dst].Uses, func(u *il.Instr) bool { return u.Op == il.Return })
	switch name := last(s.api); {
	case returned && s.in.Mode != il.Awaited:
		return unsure
	case name == "execSync" || name == "execFileSync":
		return yes // raises
	case name == "spawnSync" || name == "sync" || name == "Command":
		if s.object.asks(status...) {
			return yes
		}
		return min(boolTri(s.object.open), unsure)
	case (name == "exec" || name == "execFile") && s.method() != "sync":
		return x.answered(s)
	case strings.HasPrefix(s.api, "execa"), strings.HasPrefix(s.api, "tinyexec"):
		return awaited(s)
	}
	for _, m := range s.object.calls("on", "once", "addListener") {
		event, _ := m.Argument("", 0)
		if text, _ := s.f.Str(event); text == "error" || text == "exit" || text == "close" {
			return yes
		}
	}
	return min(boolTri(s.object.open), unsure)
}

// answered tells whether a callback looks at the error that it is given, or a promise
// is waited for.
func (x *lowered) answered(s *started) tri {
	for _, o := range s.in.Args[1:] {
		if fn := x.Names.Operand(s.f, o); fn != nil && fn.Function != nil && fn.Function.Kind == il.Lambda {
			f := fn.Function
			return boolTri(len(f.Params) > 0 && len(f.Versions[f.Params[0].Var].Uses) > 0)
		}
	}
	if x.promised(s.call) || s.in.Mode == il.Awaited {
		return awaited(s)
	}
	if s.object.used || slices.ContainsFunc(s.in.Args[2:], func(o il.Operand) bool { return o.Kind != il.Constant && !record(s.f, o) }) {
		return unsure
	}
	return no
}

// awaited tells a promise whose failure goes on.
func awaited(s *started) tri {
	switch {
	case s.in.Mode == il.Awaited, len(s.object.calls("then", "catch")) > 0:
		return yes
	case !s.object.used:
		return no
	}
	return unsure
}

// promised tells a call of what promisify made.
func (x *lowered) promised(c call) bool {
	s := x.Names.Operand(c.f, c.in.Args[0])
	return s == nil || s.Outside != c.name
}

// limits tells whether a process has a time limit. What works at the user's terminal
// ends when the user ends it, and what is left alone by itself: ok is false.
func (x *lowered) limits(s *started) (answer tri, ok bool) {
	if s.f.Module.Language == python {
		return x.limitsPython(s), true
	}
	if x.atTerminal(s) || x.leftAlone(s) {
		return yes, false
	}
	switch s.f.Module.Language {
	case "go":
		if s.name == "os/exec.CommandContext" {
			return boolTri(!slices.ContainsFunc(x.origins.Of(s.f, s.in.Args[1], s.in), endless)), true
		}
	case "java":
		answer = boolTri(calls(s.f, func(in *il.Instr) bool {
			return last(in.Kind) == "waitFor" && len(in.Args) > 2 || last(in.Kind) == "orTimeout" || last(in.Kind) == "completeOnTimeout"
		}))
	case "c#":
		answer = boolTri(slices.ContainsFunc(s.object.methods, func(in *il.Instr) bool { return waitsFor(in) && len(in.Args) > 1 }))
	case "rust":
		answer = boolTri(calls(s.f, func(in *il.Instr) bool {
			name, _ := x.callee(s.f, in)
			return strings.HasPrefix(last(in.Kind), "wait_timeout") || strings.HasSuffix(name, "time.timeout")
		}))
	default:
		_, timeout, maybe := s.option(s.args, "timeout")
		_, signal, _ := s.option(s.args, "signal")
		if answer = boolTri(timeout || signal); maybe {
			answer = max(answer, unsure)
		}
		return answer, true
	}
	if s.object.open || calls(s.f, kills) {
		answer = max(answer, unsure)
	}
	return answer, true
}

// waitsFor tells a call of C# that waits for a process.
func waitsFor(in *il.Instr) bool { return strings.HasPrefix(last(in.Kind), "WaitForExit") }

// endless tells a context that nothing ends.
func endless(o analyse.Origin) bool {
	return named(o.Symbol.Outside, "context.Background", "context.TODO", "context.WithValue")
}

// calls tells a function with a call of which something holds.
func calls(f *il.Function, is func(*il.Instr) bool) bool {
	for _, in := range f.Instructions() {
		if in.Op == il.Call && is(in) {
			return true
		}
	}
	return false
}

// kills tells a call that ends a process.
func kills(in *il.Instr) bool {
	return slices.Contains([]string{"kill", "Kill", "destroy", "destroyForcibly", "start_kill", "cancel"}, last(in.Kind)) && strings.Contains(in.Kind, ".")
}

// atTerminal tells a process that talks with the user, or takes the place of this
// one.
func (x *lowered) atTerminal(s *started) bool {
	if named(s.name, "syscall.Exec", "golang.org/x/sys/unix.Exec") || len(s.object.calls("inheritIO", "exec")) > 0 && s.f.Module.Language != "go" {
		return true
	}
	for _, m := range s.object.calls("stdin") {
		if strings.Contains(spelled(s.f, m.Args[len(m.Args)-1], 3), "inherit") {
			return true
		}
	}
	for _, in := range s.f.Instructions() {
		if key, _ := s.f.Str(keyed(in)); in.Op == il.Set && key == "Stdin" && spelled(s.f, in.Args[2], 3) == "os.Stdin" {
			return true
		}
	}
	stdio, found, _ := s.option(s.args, "stdio")
	if !found {
		return false
	}
	if stdio.known {
		return strings.HasPrefix(stdio.text, "inherit")
	}
	words := s.elements(stdio.f, stdio.o, stdio.use)
	return len(words) > 0 && strings.HasPrefix(words[0].text, "inherit")
}

// keyed is the key of an instruction that sets one.
func keyed(in *il.Instr) il.Operand {
	if in.Op != il.Set {
		return il.Operand{}
	}
	return in.Args[1]
}

// leftAlone tells a process that goes on by itself: nobody waits for it.
func (x *lowered) leftAlone(s *started) bool {
	if v, found, _ := s.option(s.args, "detached"); found && x.values.Of(v.f, v.o).True {
		return true
	}
	if s.f.Module.Language == "c#" {
		return !s.object.open && !slices.ContainsFunc(s.object.methods, waitsFor) && !s.object.asks("StandardOutput", "StandardError", "ExitCode")
	}
	return s.f.Module.Language == "go" && !s.object.open && len(s.object.calls("Start")) > 0 && len(s.object.calls("Run", "Output", "CombinedOutput", "Wait")) == 0
}
