package project

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// idleCheck tells a check that says nothing of the program: what fails is caught and
// passed over, or a mock is asked for the answer that it was given.
func idleCheck(p *intree.Program, n code.Node) bool { return swallowed(n) || ownAnswer(p, n) }

// swallowed tells a check whose failure a handler around it catches that only passes, says
// so or goes on.
func swallowed(n code.Node) bool {
	for a := range n.Around() {
		switch {
		case a.Is("function_definition", "class_definition"):
			return false
		case a.Is("try_statement") && a.Field("body").Contains(n):
			for h := range a.Children() {
				if h.Is("except_clause") && catchesAll(h) && passesOver(h) {
					return true
				}
			}
		}
	}
	return false
}

// catchesAll tells a handler that catches a failed assertion.
func catchesAll(handler code.Node) bool {
	v := handler.Field("value")
	if v.Is("as_pattern") {
		v = v.Child(0)
	}
	if !v.Valid() {
		return true
	}
	for x := range v.Walk() {
		if x.Is("identifier") && slices.Contains([]string{"Exception", "BaseException", "AssertionError"}, x.Text()) {
			return true
		}
	}
	return false
}

// passesOver tells a handler that does nothing of which anybody could learn.
func passesOver(handler code.Node) bool {
	for x := range handler.Walk() {
		switch {
		case x.Is("raise_statement", "assert_statement", "assignment", "augmented_assignment", "with_statement"):
			return false
		case x.Is("call"):
			if f := x.Field("function"); f.Text() != "print" && !f.Is("attribute") || f.Is("attribute") && !slices.Contains([]string{"debug", "info", "warning", "error", "exception"}, f.Field("attribute").Text()) {
				return false
			}
		}
	}
	return true
}

// ownAnswer tells an assertion about what a mock gives that was told to: of its own call.
// What it was called with is the program's doing.
func ownAnswer(p *intree.Program, n code.Node) bool {
	c := n.Child(0).Unparen()
	if !n.Is("assert_statement") || !c.Is("comparison_operator") {
		return false
	}
	call := p.Call(c.Child(0))
	return call != nil && !call.Receiver.Valid() && len(call.Symbols()) > 0 && !slices.ContainsFunc(call.Symbols(), func(s intree.Symbol) bool {
		return !s.Matches("unittest.mock.MagicMock", "unittest.mock.Mock", "unittest.mock.AsyncMock", "unittest.mock.*Mock()")
	})
}
