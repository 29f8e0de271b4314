package safety

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var procShell = probe.Probe{
	ID: "proc.shell", Version: "1", Target: court.GithubRepo,
	Title:  "No process is started through a shell",
	Doc:    "Looks at every call that starts a process, through aliases, partial, getattr, tables of names, derived classes and wrappers, and where such a function is handed on as a value: os.system and its kin, shell=True however it is passed, create_subprocess_shell, shells that are given a script; in Go os/exec, in JavaScript and TypeScript child_process and its kin, in Java ProcessBuilder and Runtime.exec, in Rust Command. Text that only mentions such calls is not looked at. A command with parts that are not constant is grave; it is an injection only when input is known to flow into it untested.",
	Remedy: "Pass the command as a list of arguments without shell=True", Effort: 15,
	Run: asksAll(func(v *survey, a probe.Args) []probe.Finding {
		var out []probe.Finding
		var elsewhere []string
		for _, x := range v.processes {
			if x.shell == no && x.script == no || v.p.Dead(x.call.Node) {
				continue
			}
			if !v.ships(x.call.Node, a.Scope) {
				if x.shell == yes || x.script == yes {
					elsewhere = append(elsewhere, spot(x.call.Node).String())
				}
				continue
			}
			if x.shell != yes && x.script != yes {
				out = append(out, probe.Cannot(court.Dynamic, places(x.call.Node), "whether %s uses a shell could not be told, or only on some platforms", court.Clean(x.api, 60)))
				continue
			}
			out = append(out, v.shellFinding(x))
		}
		out = append(out, v.handedFindings(a.Scope)...)
		if a.Scope != "tests" {
			out = append(out, v.borrowedShells()...)
		}
		found, more := v.foreignCode.shells(a.Scope)
		out, elsewhere = append(out, found...), append(elsewhere, more...)
		if len(out) == 0 {
			f := probe.Nothing(v.wideCoverage(), v.source(), "no process is started")
			if n := v.inScopeCount(a.Scope); n > 0 {
				f = probe.Clean(v.wideCoverage(), v.source(), "none of %d calls that start a process uses a shell", n)
			}
			f.Rationale += outside(elsewhere) + v.notLookedAt()
			out = append(out, f)
		}
		return bounded(out)
	}),
}

// shellFinding is the finding of one call that uses a shell.
func (v *survey) shellFinding(x *process) probe.Finding {
	flaw := &court.Flaw{Severity: court.Medium, Tainted: "no", Scope: v.scopeOf(x.call.Node)}
	text := "a constant command"
	scripts := x.scripts
	if len(scripts) == 0 {
		scripts = []code.Node{x.command}
	}
	if slices.ContainsFunc(scripts, func(n code.Node) bool { return !v.constant(n) }) {
		t := v.taint(scripts...)
		if slices.ContainsFunc(scripts, func(n code.Node) bool { return !n.Valid() }) && t == no {
			t = unsure
		}
		flaw.Severity, flaw.Tainted = court.High, taintWords[t]
		text = map[tri]string{no: "a command whose parts are the program's own or quoted", yes: "a command with input from outside", unsure: "a command with parts that are not constant"}[t]
		if t == no {
			flaw.Severity = court.Medium
		}
	}
	f := probe.Against(court.AST, places(x.call.Node), "%s hands %s to a shell", court.Clean(x.api, 60), text)
	f.Security = flaw
	return f
}

var taintWords = map[tri]string{no: "no", yes: "yes", unsure: "unknown"}

// inScope tells whether a check wants to see a place.
func inScope(n code.Node, scope string) bool {
	switch scope {
	case "all":
		return true
	case "tests":
		return n.Module().Scope == code.ScopeTest
	default:
		return n.Module().Scope == code.ScopeProduction
	}
}

func (v *survey) inScopeCount(scope string) int {
	n := 0
	for _, x := range v.processes {
		if inScope(x.call.Node, scope) {
			n++
		}
	}
	for _, s := range v.foreignCode.processes() {
		if counts(s.call, scope) {
			n++
		}
	}
	return n
}

// outside names what was found outside the scope, which counts for nothing.
func outside(found []string) string {
	switch len(found) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("; one such call outside the scope does not count: %s", court.Clean(found[0], 160))
	}
	return fmt.Sprintf("; %d such calls outside the scope do not count, the first at %s", len(found), court.Clean(found[0], 160))
}
