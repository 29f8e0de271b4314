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
	switch s.call.File().Language {
	case "go":
		return x.limitsGo(s), true
	case "java":
		return x.limitsJava(s), true
	case "rust":
		return x.limitsRust(s), true
	default:
		return x.limitsScript(s), true
	}
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

func (x *foreignCode) limitsGo(s *started) tri {
	if x.callee(s.call) == "os/exec.CommandContext" {
		full := x.p.Resolve(arg(s.call, 0))
		if named(full, "context.Background()", "context.TODO()", "context.WithValue()") {
			return no
		}
		return yes
	}
	if _, open := x.methods(s.call); open || killed(s) {
		return unsure
	}
	return no
}

func (x *foreignCode) limitsScript(s *started) tri {
	if v := option(s.call, "timeout"); v.Valid() {
		return yes
	}
	if v := option(s.call, "signal"); v.Valid() {
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
	if killed(s) {
		return unsure
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
	if _, open := x.methods(s.call); open || killed(s) {
		return unsure
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
	if killed(s) {
		return unsure
	}
	return no
}
