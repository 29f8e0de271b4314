package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// waits are calls that stop waiting for what they are given after a time.
var waits = []string{"asyncio.wait_for", "asyncio.timeout", "asyncio.timeout_at", "async_timeout.timeout", "anyio.fail_after",
	"anyio.move_on_after", "trio.fail_after", "trio.move_on_after", "func_timeout.func_timeout", "timeout_decorator.timeout",
	"stopit.ThreadingTimeout", "wrapt_timeout_decorator.timeout", "signal.alarm", "signal.setitimer"}

// limited tells whether a time limit applies to a process, given the call that
// leads to it.
func (v *survey) limited(st step) tri {
	x := st.process
	answer := no
	if t := st.outer.Arg("timeout", -1); t.Valid() {
		answer = v.limit(t)
	}
	if answer == yes || v.prefixed(st.outer, x) || v.waited(x.call) || v.waitedAround(st.outer.Node) || v.waitedAround(x.call.Node) {
		return yes
	}
	return answer
}

// limit tells whether an expression is a time limit rather than None.
func (v *survey) limit(n code.Node) tri {
	choices := v.p.Eval(n).Choices()
	for _, c := range choices {
		if c.Kind == code.ValueNone {
			if len(choices) == 1 {
				return no
			}
			return unsure
		}
	}
	none := func(o intree.Origin) bool {
		k, ok := o.Function.Const(o.Operand)
		return ok && k.Type == il.NoneConst && !o.Part
	}
	if slices.ContainsFunc(v.origins.Of(n), none) {
		return unsure
	}
	return yes
}

// prefixed tells a command that runs under timeout(1).
func (v *survey) prefixed(c *code.Call, x *process) bool {
	for _, n := range []code.Node{x.command, c.Arg("args", 0)} {
		for _, words := range v.commands(n) {
			if len(words) > 1 && words[0].known && (words[0].text == "timeout" || words[0].text == "gtimeout") {
				return true
			}
		}
	}
	return false
}

// waited tells whether the function of a started process limits it: waits with
// a timeout, or something that watches kills it.
func (v *survey) waited(c *code.Call) bool {
	fn := v.function(c.Node)
	if fn == nil {
		return false
	}
	names := boundTo(c.Node)
	if len(names) == 0 {
		return false
	}
	for n := range fn.Body().Walk() {
		call := v.p.Call(n)
		if call == nil {
			if n.Is("attribute") && isOneOf(n.Field("attribute").Text(), "kill", "terminate") && names[n.Field("object").Text()] &&
				(v.p.Enclosing(n) != v.p.Enclosing(c.Node) || v.timer(n)) {
				return true
			}
			continue
		}
		if isOneOf(call.Name, "communicate", "wait") && names[call.Receiver.Text()] {
			if t := call.Arg("timeout", -1); t.Valid() && v.limit(t) != no {
				return true
			}
			if call.Name == "wait" && call.Arg("timeout", 0).Valid() {
				return true
			}
			if v.waitedAround(call.Node) {
				return true
			}
		}
		if isOneOf(call.Name, "killpg", "kill") && call.Callee.Matches("os.*") && v.p.Enclosing(n) != v.p.Enclosing(c.Node) &&
			mentions(n, names) {
			return true
		}
	}
	return false
}

// timer tells a node that is handed to a timer.
func (v *survey) timer(n code.Node) bool {
	for a := range n.Around() {
		if c := v.p.Call(a); c != nil && c.Node != n && c.Callee.Matches("threading.Timer", "*.call_later") {
			return true
		}
		if a.Is("block", "module") {
			return false
		}
	}
	return false
}

// boundTo is the names that a statement gives to the result of a call.
func boundTo(n code.Node) map[string]bool {
	names := map[string]bool{}
	for a := range n.Around() {
		switch a.Kind() {
		case "await", "parenthesized_expression":
			continue
		case "assignment":
			left := a.Field("left")
			names[left.Text()] = true
			for x := range left.Walk() {
				if x.Is("identifier") && !left.Is("attribute") {
					names[x.Text()] = true
				}
			}
		case "named_expression":
			names[a.Field("name").Text()] = true
		case "as_pattern":
			for x := range a.Children() {
				if x.Is("as_pattern_target") {
					names[x.Text()] = true
				}
			}
		}
		break
	}
	return names
}

// mentions tells whether one of the names occurs in a node.
func mentions(n code.Node, names map[string]bool) bool {
	for x := range n.Walk() {
		if x.Is("identifier", "attribute") && names[x.Text()] && x.FieldName() != "attribute" && x.FieldName() != "name" {
			return true
		}
	}
	return false
}

// waitedAround tells a call that is made under a time limit: as an argument of
// wait_for, in a with statement of a timeout, or by a decorated function.
func (v *survey) waitedAround(n code.Node) bool {
	seen := map[*code.Definition]bool{}
	level := []code.Node{n}
	for range maxUp {
		var next []code.Node
		for _, x := range level {
			if v.underWait(x) {
				return true
			}
			fn := v.function(x)
			if fn == nil || !fn.IsFunction() || seen[fn] {
				continue
			}
			seen[fn] = true
			for _, d := range fn.Decorators() {
				if d.Is("call") {
					d = d.Field("function")
				}
				if v.p.Resolve(d).Matches(waits...) {
					return true
				}
			}
			next = append(next, v.runs(fn)...)
		}
		level = next
	}
	return false
}

func (v *survey) underWait(n code.Node) bool {
	for a := range n.Around() {
		switch a.Kind() {
		case "function_definition", "lambda", "module":
			return v.alarmed(n)
		case "call":
			if c := v.p.Call(a); c != nil && c.Node != n && c.Callee.Matches(waits...) {
				return true
			}
		case "with_statement":
			for x := range a.Walk() {
				if x.Is("block") {
					break
				}
				if c := v.p.Call(x); c != nil && c.Callee.Matches(waits...) {
					return true
				}
			}
		}
	}
	return false
}

// alarmed tells a call that a signal's alarm was set for, or whose future is
// waited for with a timeout, in the same function.
func (v *survey) alarmed(n code.Node) bool {
	fn := v.function(n)
	if fn == nil {
		return false
	}
	names := boundTo(n)
	if s := n.Statement(); len(names) == 0 && s.Is("expression_statement") {
		names = boundTo(s.Child(0).Child(0))
	}
	for _, c := range v.p.CallsIn(fn) {
		if c.Callee.Matches("signal.alarm", "signal.setitimer") && c.Node.Start() < n.Start() {
			return true
		}
		if c.Name == "result" && names[c.Receiver.Text()] && (c.Arg("timeout", 0).Valid()) {
			return true
		}
		if c.Name == "wait_for" && mentions(c.Node, names) {
			return true
		}
	}
	return false
}

func isOneOf(s string, list ...string) bool { return slices.Contains(list, s) }

// limitedSite tells whether a time limit applies to a clone.
func (v *survey) limitedSite(s *site) tri {
	if s.how == bySubprocess {
		answer := yes
		for _, st := range s.steps {
			answer = min(answer, v.limited(st))
		}
		return answer
	}
	for _, name := range []string{"kill_after_timeout", "timeout"} {
		if t := s.call.Arg(name, -1); t.Valid() && (s.how == byGitPython && strings.HasPrefix(name, "kill") || s.how == byAPI && name == "timeout") {
			return v.limit(t)
		}
	}
	if v.waitedAround(s.call.Node) {
		return yes
	}
	return no
}
