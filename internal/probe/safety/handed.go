package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// callsWhatItGets are functions that surely call the first function they are
// given, with the elements or arguments that follow.
var callsWhatItGets = []string{"builtins.map", "builtins.filter", "functools.reduce", "itertools.starmap", "itertools.accumulate", "atexit.register",
	"threading.Timer", "concurrent.futures.*.map", "concurrent.futures.*.submit", "multiprocessing.*map*", "multiprocessing.*apply*",
	"asyncio.*.call_soon", "asyncio.*.call_later"}

// asksOnly are functions that look at a function and do not call it.
var asksOnly = []string{"functools.partial", "builtins.callable", "builtins.isinstance", "builtins.hasattr", "builtins.getattr", "builtins.setattr", "builtins.delattr",
	"builtins.id", "builtins.type", "builtins.print", "builtins.repr", "builtins.str", "builtins.vars", "builtins.dir", "inspect.*", "unittest.mock.*", "logging.*"}

// handOn finds functions that use a shell where they are handed on as values,
// in code that can run: what surely calls them is a process, what may is open.
func (v *survey) handOn() (used []*process, open []code.Node) {
	var names []string
	for _, api := range tables.Of(tables.Process).Names(python, "shell", "option") {
		names = append(names, lastPart(api))
	}
	known := map[code.Node]bool{}
	for _, x := range v.processes {
		known[x.call.Node] = true
	}
	for _, m := range v.p.Modules {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(m.Text(), name) }) {
			continue
		}
		for n := range m.Root().Walk() {
			if !asValue(n) || !v.startsShell(n) {
				continue
			}
			around := n.Parent()
			if around.Is("keyword_argument") {
				around = around.Parent()
			}
			c := v.p.Call(around.Parent())
			switch {
			case !around.Is("argument_list"):
				open = append(open, n)
			case c == nil || known[c.Node] || c.Matches(asksOnly...):
			case c.Matches(callsWhatItGets...):
				used = append(used, &process{call: c, api: v.shellValue(n), shell: yes, scripts: []code.Node{handedWith(c, n)}})
			default:
				open = append(open, n)
			}
		}
	}
	return used, open
}

// asValue tells an expression that is handed to a call, kept in a table or
// returned. A set of functions is there to be looked up in.
func asValue(n code.Node) bool {
	if !n.Is("identifier", "attribute", "call", "subscript") {
		return false
	}
	around := n.Parent()
	switch {
	case around.Is("argument_list", "list", "tuple", "return_statement"):
		return true
	case around.Is("keyword_argument", "pair"):
		return n.FieldName() == "value"
	}
	return false
}

// startsShell tells an expression in code that can run that stands for a function
// which hands its command to a shell.
func (v *survey) startsShell(n code.Node) bool { return v.shellValue(n) != "" && !v.p.Dead(n) }

// shellValue is the qualified name of the function that an expression stands
// for when that uses a shell, else "".
func (v *survey) shellValue(n code.Node) string {
	for _, s := range v.p.ResolveAll(n) {
		switch {
		case s.Instance:
		case uses(s, "shell"):
			return s.Qualified
		case uses(s, "option"):
			for _, a := range s.Bound {
				if a.Name == "shell" && v.truth(a.Value) == yes {
					return s.Qualified
				}
			}
		}
	}
	return ""
}

// handedWith is what follows the function among the arguments of a call.
func handedWith(c *code.Call, fn code.Node) code.Node {
	for i, a := range c.Args {
		if a.Value == fn && i+1 < len(c.Args) {
			return c.Args[i+1].Value
		}
	}
	return code.Node{}
}
