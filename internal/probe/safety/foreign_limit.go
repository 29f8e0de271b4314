package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// limits tells whether a process has a time limit. What works at the user's
// terminal ends when the user ends it: ok is false.
func (x *foreignCode) limits(s *started) (answer tri, ok bool) {
	if x.atTerminal(s) || x.leftAlone(s) {
		return yes, false
	}
	methods := func() bool { _, open := x.methods(s.call); return open }
	open := false
	switch s.call.File().Language {
	case "go":
		if x.callee(s.call) == "os/exec.CommandContext" {
			endless := named(x.p.Resolve(arg(s.call, 0)), "context.Background()", "context.TODO()", "context.WithValue()")
			return boolTri(!endless), true
		}
		open = methods()
	case "java":
		answer, open = x.limitsJava(s), methods()
	case "rust":
		answer = x.limitsRust(s)
	default:
		answer = x.limitsScript(s)
	}
	if open || killed(s) {
		answer = max(answer, unsure)
	}
	return answer, true
}

var terminal = regexp.MustCompile(`\.Stdin\s*=\s*os\.Stdin|stdio["']?\s*:\s*\[?\s*["']inherit|\.inheritIO\(\)|stdin\(Stdio::inherit\(\)\)|\.exec\(\)`)

// atTerminal tells a process that talks with the user, or takes the place of
// this one.
func (x *foreignCode) atTerminal(s *started) bool {
	if named(x.callee(s.call), "syscall.Exec", "golang.org/x/sys/unix.Exec") {
		return true
	}
	text := function(s.call).Text()
	if s.call.File().Language != "go" && s.call.File().Language != "rust" {
		text = s.call.Text()
		for _, c := range chain(s.call) {
			text = c.Text()
		}
	}
	if f := function(s.call); f.Is("file") {
		text = s.call.Text()
	}
	return terminal.MatchString(text)
}

// leftAlone tells a process that goes on by itself: nobody waits for it.
func (x *foreignCode) leftAlone(s *started) bool {
	if o := option(s.call, "detached"); o.Is("bool") && o.Name() == "true" {
		return true
	}
	if s.call.File().Language != "go" {
		return false
	}
	left := false
	methods, open := x.methods(s.call)
	for _, m := range methods {
		switch m.Child("callee").Name() {
		case "Start":
			left = true
		case "Run", "Output", "CombinedOutput", "Wait":
			return false
		}
	}
	return left && !open
}

// killed tells a function that ends a process by itself.
func killed(s *started) bool {
	for n := range function(s.call).Walk() {
		if n.Is("member") && isOneOf(n.Name(), "kill", "Kill", "destroy", "destroyForcibly", "start_kill", "cancel") && n.Parent().Is("call") {
			return true
		}
	}
	return false
}

func (x *foreignCode) limitsScript(s *started) tri {
	if option(s.call, "timeout").Valid() || option(s.call, "signal").Valid() {
		return yes
	}
	for a := range s.call.Children("arg") { // options that are made elsewhere
		v := x.written(a)
		if a.Is("name") && (entry(v, "timeout").Valid() || entry(v, "signal").Valid()) {
			return yes
		}
		if a.Is("record") && slices.ContainsFunc(slices.Collect(a.Children("")), func(e syntax.Node) bool { return e.Is("unary") }) || a.Is("name") && a != arg(s.call, 0) && !v.Is("record", "list", "string", "template", "func") {
			return unsure
		}
	}
	return no
}

func (x *foreignCode) limitsJava(s *started) tri {
	for n := range function(s.call).Walk() {
		if !n.Is("call") {
			continue
		}
		switch name := n.Child("callee").Name(); {
		case name == "waitFor" && arg(n, 1).Valid(), isOneOf(name, "orTimeout", "completeOnTimeout"):
			return yes
		}
	}
	return no
}

func (x *foreignCode) limitsRust(s *started) tri {
	for p := range s.call.Around() {
		if p.Is("call") && strings.HasSuffix(x.callee(p), "time.timeout") {
			return yes
		}
	}
	for n := range function(s.call).Walk() {
		if n.Is("member") && strings.HasPrefix(n.Name(), "wait_timeout") || n.Is("call") && strings.HasSuffix(x.callee(n), "time.timeout") {
			return yes
		}
	}
	return no
}
