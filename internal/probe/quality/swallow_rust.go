package quality

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// rustNeedless are methods whose error says that nobody listens any more, that
// it was done before, or that cleaning up failed.
var rustNeedless = []string{"send", "try_send", "set", "dotenv", "flush", "shutdown", "close", "kill", "wait", "join", "remove_file", "remove_dir", "remove_dir_all", "write_all", "write_str",
	"write_fmt", "init", "try_init", "install", "set_logger", "cancel", "abort", "disable_raw_mode", "execute", "queue", "reset"}

// swallowsRust counts the errors that a node of Rust hands on, looks at or
// throws away.
func (d *codebase) swallowsRust(n syntax.Node, t *tally) {
	switch {
	case n.Is("unary") && n.Detail() == "?":
		t.count(false, court.Place{})
	case n.Is("case") && strings.HasPrefix(n.Child("match").Text(), "Err"):
		t.count(false, court.Place{})
	case n.Is("call") && n.Parent().Is("block") && n.Role() == "" && n.Child("callee").Is("member") && n.Child("callee").Name() == "ok" && !n.Child("arg").Valid():
		if !statement(n) {
			return
		}
		made := n.Child("callee").Child("object")
		needless := made.Has(syntax.Macro) || made.Is("call") && slices.Contains(rustNeedless, made.Child("callee").Name())
		t.count(!needless && !remarked(n), place(n, 3))
	case n.Is("assign") && n.Has(syntax.Declare) && n.Child("target").Text() == "_" && n.Child("value").Is("call"):
		if d.failsRust(n.Child("value")) && !remarked(n) {
			t.count(true, place(n, 3))
		}
	}
}

// statement tells an expression that is followed by a semicolon: its value is
// thrown away.
func statement(n syntax.Node) bool {
	return strings.HasPrefix(strings.TrimLeft(n.File().Text()[n.End():], " \t\r\n"), ";")
}

// failsRust tells a call that is known to return a Result.
func (d *codebase) failsRust(call syntax.Node) bool {
	callee := call.Child("callee")
	if call.Has(syntax.Macro) || slices.Contains(rustNeedless, callee.Name()) {
		return false
	}
	if callee.Is("member") && tables.Of(tables.Fail).Has("rust", callee.Child("object").Name()+"::"+callee.Name(), "error") {
		return true
	}
	fn := d.others.Target(call)
	return fn.Is("func") && strings.HasPrefix(lastPart(fn.Child("result").Name()), "Result")
}

// lastPart is a path of Rust from its last name on: "io::Result<T>" is
// "Result<T>".
func lastPart(name string) string {
	head, rest, _ := strings.Cut(name, "<")
	if i := strings.LastIndex(head, "::"); i >= 0 {
		head = head[i+2:]
	}
	if rest == "" {
		return head
	}
	return head + "<" + rest
}
