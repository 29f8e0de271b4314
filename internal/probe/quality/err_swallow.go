package quality

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func errSwallow() probe.Probe {
	return probe.Probe{
		ID: "err.swallow", Version: "2", Target: court.GithubRepo,
		Title: "Errors are not dropped",
		Doc: "Counts the handlers of Python code that catch everything (bare, Exception, BaseException) and only pass, go on or return an empty constant, and bare ones that neither raise again nor call anything. " +
			"A handler that names a narrower error decides about it, as contextlib.suppress with a named error does, and is none; nor is one that goes on in a loop behind which the failure is raised. " +
			"In JavaScript and TypeScript empty catch clauses and empty handlers of promises are counted, in Java empty handlers of an error that only names a family, in Go empty branches of a tested error and errors that are known to be such and assigned to _, " +
			"in Rust results made an option and dropped, and those known to be such and assigned to _; unwrap is counted apart. Of these, what has a comment that says why drops nothing, nor does cleaning up. What a handler does with an error that it does not drop is not asked.",
		Remedy: "Catch the errors that are expected by name, and log, return or raise the others.",
		Effort: 30, Recall: 9000,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, every...)
			if err != nil {
				return nil, err
			}
			total, bad := 0, []court.Place(nil)
			for _, m := range d.modules {
				for n := range m.Root().Walk() {
					if !n.Is("except_clause", "except_group_clause") || d.p.Dead(n) {
						continue
					}
					total++
					if d.drops(n) {
						bad = append(bad, place(n, 6))
					}
				}
			}
			t, unwraps := d.swallows()
			bad, total = append(bad, t.bad...), total+t.total
			return []probe.Finding{d.judged(bad, total, d.handled(len(bad), total, unwraps))}, nil
		},
	}
}

func (d *codebase) handled(bad, total, unwraps int) string {
	more := ""
	if unwraps > 0 {
		more = fmt.Sprintf(" Rust's unwrap stands %s outside of tests.", times(unwraps))
	}
	if total == 0 {
		return fmt.Sprintf("There is no handler of errors%s that could drop one.", d.in()) + more
	}
	return fmt.Sprintf("%d of %s%s drop whatever went wrong.", bad, court.Count(total, "handler"), d.in()) + more
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// drops tells whether a handler makes errors vanish.
func (d *codebase) drops(handler code.Node) bool {
	caught, body := parts(handler)
	if caught.Valid() && !d.catchesAll(caught) || !body.Valid() {
		return false
	}
	if f := d.p.Enclosing(handler); f != nil && f.Name == "__del__" {
		return false // an error there could reach nobody
	}
	if !caught.Valid() && !raisesAgain(body) && !idle(body) {
		return !speaks(body)
	}
	return idle(body) && !raisedLater(handler)
}

// parts are what a handler catches and what it does.
func parts(handler code.Node) (caught, body code.Node) {
	caught = handler.Field("value")
	if caught.Is("as_pattern") {
		caught = caught.Child(0)
	}
	for c := range handler.Children() {
		if c.Is("block") {
			body = c
		}
	}
	return caught, body
}

func (d *codebase) catchesAll(caught code.Node) bool {
	caught = caught.Unparen()
	if caught.Is("tuple") {
		for c := range caught.Children() {
			if d.catchesAll(c) {
				return true
			}
		}
		return false
	}
	return d.p.Resolve(caught).Matches("builtins.Exception", "builtins.BaseException")
}

// idle tells a body that only passes, goes on or returns nothing.
func idle(body code.Node) bool {
	did := false
	for st := range body.Children() {
		switch {
		case st.Is("pass_statement", "continue_statement", "break_statement"):
		case st.Is("expression_statement") && st.Child(0).Is("string", "concatenated_string", "ellipsis"):
		case st.Is("return_statement") && (!st.Child(0).Valid() || empty(st.Child(0))):
		default:
			return false
		}
		did = true
	}
	return did
}

// empty tells a constant that says nothing of what went wrong.
func empty(n code.Node) bool {
	n = n.Unparen()
	switch n.Kind() {
	case "none", "true", "false":
		return true
	case "list", "dictionary", "tuple", "expression_list":
		for c := range n.Children() {
			if !empty(c) {
				return false
			}
		}
		return true
	case "string":
		return strings.Trim(n.Text(), `"'rbuf`) == ""
	case "integer", "float":
		return strings.Trim(n.Text(), "0._") == ""
	}
	return false
}

func raisesAgain(body code.Node) bool {
	for n := range body.Walk() {
		if n.Is("raise_statement") {
			return true
		}
	}
	return false
}

// speaks tells whether a body hands the error on: it prints, logs or ends the
// program, or reads the error from where the interpreter keeps it.
func speaks(body code.Node) bool {
	for n := range body.Walk() {
		if n.Is("call") {
			return true
		}
	}
	return false
}

// raisedLater tells whether the handler goes on in a loop behind which, or in
// whose else, something is raised: it tries again.
func raisedLater(handler code.Node) bool {
	for a := range handler.Around() {
		switch {
		case a.Is("function_definition", "class_definition"):
			return false
		case a.Is("for_statement", "while_statement"):
			if raisesAgain(a.Field("alternative")) {
				return true
			}
			behind := false
			for st := range a.Parent().Children() {
				if behind && raisesAgain(st) {
					return true
				}
				behind = behind || st == a
			}
			return false
		}
	}
	return false
}
