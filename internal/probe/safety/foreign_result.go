package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// checks tells whether the outcome of a process is looked at.
func (x *foreignCode) checks(s *started) tri {
	switch s.call.File().Language {
	case "go":
		return x.checksGo(s)
	case "java":
		return x.checksJava(s)
	case "rust":
		return x.checksRust(s)
	default:
		return x.checksScript(s)
	}
}

// uses are the places where the value of an expression is used: what it is
// taken from, and where it is kept in a variable, every use of that. open tells
// that it goes to places that are not followed.
func (x *foreignCode) uses(n syntax.Node) (out []syntax.Node, open bool) {
	for n.Parent().Is("unary", "cast") {
		n = n.Parent()
	}
	p := n.Parent()
	switch {
	case p.Is("return", "entry", "list", "record") || n.Role() == "arg" || n.Role() == "body" && p.Is("func"):
		return nil, true
	case p.Is("assign") && n.Role() == "value":
		t := p.Child("target")
		if !t.Is("name") {
			return nil, true
		}
		d := x.p.Declared(t)
		for u := range function(p).Walk() {
			if u.Is("name") && u != t && u.Name() == t.Name() && x.p.Declared(u) == d {
				if u.Parent().Is("return") || u.Role() == "arg" {
					open = true
				}
				out = append(out, u)
			}
		}
		return out, open
	}
	return []syntax.Node{n}, false
}

// methods are the calls of methods of a value.
func (x *foreignCode) methods(n syntax.Node) (out []syntax.Node, open bool) {
	uses, open := x.uses(n)
	for _, u := range uses {
		for u.Parent().Is("unary") {
			u = u.Parent()
		}
		if m := u.Parent(); m.Is("member") && m.Parent().Is("call") && m.Role() == "callee" {
			out = append(out, m.Parent())
		}
	}
	return out, open
}

// kept tells whether what a call gives is used; the last target where it gives
// several.
func kept(n syntax.Node) tri {
	for n.Parent().Is("unary") && n.Parent().Detail() != "?" || n.Parent().Is("cast") {
		n = n.Parent()
	}
	p := n.Parent()
	switch {
	case p.Is("block", "file", "defer", "spawn") && n.Role() != "cond", p.Is("case") && n.Role() == "body":
		return no
	case p.Is("assign"):
		var last syntax.Node
		for t := range p.Children("target") {
			last = t
		}
		if !last.Is("name") {
			return yes
		}
		if last.Name() == "_" || strings.HasPrefix(last.Name(), "_") && p.File().Language == "rust" {
			return no
		}
		for u := range function(p).Walk() {
			if u.Is("name") && u.Start() > p.End() && u.Name() == last.Name() && u.Role() != "target" {
				return yes
			}
		}
		return no
	}
	return yes
}

func (x *foreignCode) checksGo(s *started) tri {
	if named(x.callee(s.call), "syscall.*", "golang.org/*", "os.StartProcess") {
		return kept(s.call)
	}
	methods, open := x.methods(s.call)
	answer := unsure
	for _, m := range methods {
		switch m.Child("callee").Name() {
		case "Run", "Output", "CombinedOutput", "Wait":
			if kept(m) == no {
				return no
			}
			answer = yes
		case "Start":
			if kept(m) == no {
				return no
			}
		}
	}
	if answer == unsure && len(methods) == 0 && !open {
		return no
	}
	return answer
}

func (x *foreignCode) checksJava(s *started) tri {
	process := s.call
	if s.api == "ProcessBuilder" {
		methods, _ := x.methods(s.call)
		i := slices.IndexFunc(methods, func(m syntax.Node) bool { return m.Child("callee").Name() == "start" })
		if i < 0 {
			return unsure
		}
		process = methods[i]
	}
	methods, open := x.methods(process)
	for _, m := range methods {
		if isOneOf(m.Child("callee").Name(), "waitFor", "exitValue", "onExit") && kept(m) == yes {
			return yes
		}
	}
	if open {
		return unsure
	}
	return no
}

// chain are the calls around a call that are made on what it gives.
func chain(n syntax.Node) (out []syntax.Node) {
	for {
		p := n.Parent()
		switch {
		case p.Is("unary"):
			n = p
		case p.Is("member") && p.Parent().Is("call") && p.Role() == "callee":
			n = p.Parent()
			out = append(out, n)
		default:
			return out
		}
	}
}

func (x *foreignCode) checksRust(s *started) tri {
	calls := chain(s.call)
	top := s.call
	if len(calls) > 0 {
		top = calls[len(calls)-1]
	}
	more, open := x.methods(top)
	for _, m := range more {
		calls = append(calls, m)
		calls = append(calls, chain(m)...)
	}
	runs := slices.IndexFunc(calls, func(c syntax.Node) bool {
		return isOneOf(c.Child("callee").Name(), "status", "output", "spawn", "exec", "wait", "wait_with_output")
	})
	if runs < 0 {
		return unsure
	}
	run := calls[runs]
	if run.Child("callee").Name() == "exec" {
		return yes // nothing comes back but an error
	}
	for n := range function(s.call).Walk() {
		if n.Start() > s.call.Start() && n.Is("member") && isOneOf(n.Name(), "success", "code", "exit_ok", "exit_code") {
			return yes
		}
	}
	if slices.ContainsFunc(chain(run), func(c syntax.Node) bool {
		return isOneOf(c.Child("callee").Name(), "is_ok", "is_err", "is_ok_and", "map_or", "map_or_else", "and_then")
	}) || run.Role() == "subject" || run.Role() == "cond" {
		return yes
	}
	if k := run.Parent(); k.Is("return") || run.Role() == "" && run.Parent().Is("block") && run.Parent().Role() == "body" {
		return unsure
	}
	if open {
		return unsure
	}
	switch run.Child("callee").Name() {
	case "status", "output":
		if _, further := x.uses(run); further {
			return unsure
		}
	case "spawn":
		return unsure
	}
	return no
}

func (x *foreignCode) checksScript(s *started) tri {
	name := last(s.api)
	if n := s.call.Parent(); s.call.Role() == "value" && n.Is("return") || n.Is("func") {
		return unsure
	}
	switch {
	case isOneOf(name, "execSync", "execFileSync"):
		return yes // raises
	case isOneOf(name, "spawnSync", "sync", "Command"):
		return x.asksStatus(s.call)
	case isOneOf(name, "exec", "execFile") && s.call.Child("callee").Name() != "sync":
		return x.callback(s.call)
	case strings.HasPrefix(s.api, "execa"), strings.HasPrefix(s.api, "tinyexec"):
		return awaited(s.call)
	}
	methods, open := x.methods(s.call)
	for _, m := range methods {
		event, _ := x.p.Text(arg(m, 0))
		if isOneOf(m.Child("callee").Name(), "on", "once", "addListener") && isOneOf(event, "error", "exit", "close") {
			return yes
		}
	}
	if open {
		return unsure
	}
	return no
}

// asksStatus tells whether the status of a finished process is read.
func (x *foreignCode) asksStatus(c syntax.Node) tri {
	uses, open := x.uses(c)
	for _, u := range uses {
		if m := u.Parent(); m.Is("member") && isOneOf(m.Name(), "status", "error", "signal", "exitCode", "success", "code") {
			return yes
		}
	}
	if open {
		return unsure
	}
	if a := c.Parent(); a.Is("assign") && a.Child("target").Is("record") {
		for e := range a.Child("target").Children("") {
			if isOneOf(e.Name(), "status", "error", "signal", "exitCode", "success", "code") {
				return yes
			}
		}
	}
	return no
}

// callback tells whether a callback looks at the error that it is given, or a
// promise is waited for.
func (x *foreignCode) callback(c syntax.Node) tri {
	var fn syntax.Node
	for a := range c.Children("arg") {
		if a.Is("func") {
			fn = a
		}
	}
	if !fn.Valid() {
		if x.callee(c) == "child_process.exec" || x.callee(c) == "child_process.execFile" {
			methods, open := x.methods(c)
			if open || len(methods) > 0 {
				return unsure
			}
			for a := range c.Children("arg") {
				if a.Is("name") && arg(c, 0) != a {
					return unsure
				}
			}
			return no
		}
		return awaited(c)
	}
	name := fn.Child("param").Name()
	for n := range fn.Child("body").Walk() {
		if n.Is("name") && n.Name() == name && name != "" {
			return yes
		}
	}
	return no
}

// awaited tells a promise whose failure goes on.
func awaited(c syntax.Node) tri {
	p := c.Parent()
	switch {
	case p.Is("unary") && p.Detail() == "await", p.Is("return"), p.Is("func"):
		return yes
	case p.Is("member") && isOneOf(p.Name(), "then", "catch"):
		return yes
	case p.Is("block", "file"):
		return no
	}
	return unsure
}
