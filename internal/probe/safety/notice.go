package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// checked tells a call that raises when the program fails.
func (v *survey) checked(c *code.Call) bool {
	if c.Callee.Matches("subprocess.check_call", "subprocess.check_output", "sh.*", "git.*execute", "plumbum.*", "invoke.run") {
		return true
	}
	if c.Callee.Matches("anyio.run_process", "trio.run_process") {
		check := c.Arg("check", -1)
		return !check.Valid() || v.truth(check) == yes
	}
	check := c.Arg("check", -1)
	return check.Valid() && c.Callee.Matches("subprocess.run") && v.truth(check) != no
}

// noticed tells whether the failure of a process is noticed: by an exception
// that nobody swallows, or by a test of its result, here or in one of the
// callers that follow picks.
func (v *survey) noticed(c *code.Call, follow func(code.Node) bool) tri {
	if v.checked(c) {
		if v.swallowed(c.Node) {
			return no
		}
		return yes
	}
	if c.Callee.Matches("os.popen", "subprocess.getoutput", "commands.getoutput") {
		return no
	}
	if c.Callee.Matches("os.exec*") {
		return yes // there is no way back
	}
	return v.resultTested(c.Node, 0, follow)
}

// siteNoticed is noticed for a clone, by every call that runs it.
func (v *survey) siteNoticed(s *site) tri {
	if s.how == byAPI {
		if s.call.Callee.Matches("urllib.*", "github.*") {
			return boolTri(!v.swallowed(s.call.Node))
		}
		return v.resultTested(s.call.Node, 0, func(code.Node) bool { return true })
	}
	if s.how != bySubprocess {
		return boolTri(!v.swallowed(s.call.Node))
	}
	l := v.leads(s)
	answer := yes
	for _, st := range s.steps {
		follow := func(n code.Node) bool {
			fn := v.function(n)
			return slices.Contains(l.calls[fn], n) || n == st.outer.Node || slices.Contains(st.outer.Via, fn)
		}
		outer := *st.outer
		outer.Node = st.process.call.Node
		if answer = min(answer, v.noticed(&outer, follow)); v.swallowed(st.outer.Node) && v.checked(&outer) {
			return no
		}
	}
	return answer
}

func boolTri(b bool) tri {
	if b {
		return yes
	}
	return no
}

// swallowed tells a call whose exception is caught and dropped: the innermost
// handler for it does nothing.
func (v *survey) swallowed(n code.Node) bool {
	for a := range n.Around() {
		if a.Is("function_definition", "lambda") {
			break
		}
		if a.Is("with_statement") {
			for x := range a.Walk() {
				if x.Is("block") {
					break
				}
				if c := v.p.Call(x); c != nil && c.Callee.Matches("contextlib.suppress") && c.Node != n {
					return true
				}
			}
		}
	}
	for _, c := range clauses(n) {
		if c.part != "body" {
			continue
		}
		for _, h := range handlers(c.try) {
			if broad(h) || catches(h) {
				return silent(block(h))
			}
		}
	}
	return false
}

// catches tells a handler for the errors of a process or a git library.
func catches(h code.Node) bool {
	text := caught(h)
	for _, name := range []string{"CalledProcessError", "SubprocessError", "GitCommandError", "GitError", "GitCommandNotFound"} {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// silent tells a block that does nothing.
func silent(b code.Node) bool {
	for s := range b.Children() {
		switch {
		case s.Is("pass_statement", "continue_statement"):
		case s.Is("expression_statement") && s.Child(0).Is("ellipsis", "string"):
		default:
			return false
		}
	}
	return true
}

// resultTested follows the result of a call: to a condition that looks at it,
// through what the function returns to its callers. At the first level only the
// exit status counts.
func (v *survey) resultTested(n code.Node, depth int, follow func(code.Node) bool) tri {
	if depth > 4 {
		return unsure
	}
	fn := v.function(n)
	status := status(v.p.Call(n), depth)
	if inTest(n, status) {
		return yes
	}
	names := boundTo(n)
	up := returned(n)
	if len(names) > 0 && fn != nil {
		got, handed := v.nameTested(fn, names, n, status)
		if got {
			return yes
		}
		up = up || handed
	}
	if !up || fn == nil || !fn.IsFunction() {
		return no
	}
	answer := no
	for _, c := range v.runs(fn) {
		site := c
		if !site.Is("call") {
			site = c.Parent()
		}
		if !follow(c) {
			continue
		}
		if answer = max(answer, v.resultTested(site, depth+1, follow)); answer == yes {
			return yes
		}
	}
	return answer
}

// statusNames are the attributes that hold an exit or HTTP status.
var statusNames = []string{"returncode", "status_code", "ok", "is_success", "is_error", "status", "exitstatus", "return_code", "exit_code"}

// status says what of a result counts as looking at its success: of a process
// object the exit status; of a number, and of what a wrapper returns, anything.
func status(c *code.Call, depth int) func(code.Node) bool {
	whole := depth > 0 || c != nil && c.Callee.Matches("os.system", "subprocess.call", "os.spawn*", "subprocess.getstatusoutput")
	return func(use code.Node) bool {
		up := use.Parent()
		if up.Is("attribute") && up.Field("object") == use {
			name := up.Field("attribute").Text()
			if whole && !slices.Contains([]string{"stdout", "stderr", "output", "text"}, name) {
				return true
			}
			return slices.Contains(statusNames, name) || name == "poll" || name == "wait"
		}
		if up.Is("subscript") && up.Field("value") == use {
			k, _ := plain(up.Field("subscript"))
			return whole && k != "stdout" && k != "stderr" && k != "output"
		}
		return whole
	}
}

// inTest tells whether an expression, so far as it counts, stands in a
// condition or a comparison.
func inTest(n code.Node, counts func(code.Node) bool) bool {
	if !counts(n) {
		return false
	}
	below := n
	for a := range n.Around() {
		switch a.Kind() {
		case "comparison_operator", "not_operator", "assert_statement":
			return true
		case "if_statement", "elif_clause", "while_statement":
			return below.FieldName() == "condition"
		case "conditional_expression":
			if a.Child(1) == below {
				return true
			}
		case "boolean_operator", "attribute", "subscript", "parenthesized_expression", "await", "call", "argument_list", "keyword_argument":
		case "match_statement":
			return below.FieldName() == "subject"
		default:
			if a.Is("pair", "dictionary", "list", "tuple", "return_statement", "named_expression") {
				break
			}
			return false
		}
		below = a
	}
	return false
}

// returned tells an expression that a function returns, alone or in part.
func returned(n code.Node) bool {
	for a := range n.Around() {
		if a.Is("return_statement", "yield") {
			return true
		}
		if a.Is("block", "module", "if_statement") {
			return false
		}
		if a.Is("lambda") {
			return true
		}
	}
	return false
}

// nameTested looks at the uses of a result: whether a condition tests it, and
// whether it is returned.
func (v *survey) nameTested(fn *code.Definition, names map[string]bool, after code.Node, counts func(code.Node) bool) (tested, handed bool) {
	for use := range fn.Body().Walk() {
		if !use.Is("identifier", "attribute") || !names[use.Text()] || use.Start() <= after.Start() || use.FieldName() == "left" {
			continue
		}
		if use.FieldName() == "attribute" || use.FieldName() == "name" {
			continue
		}
		if counts(use) && inTest(use, counts) {
			return true, handed
		}
		up := use.Parent()
		if up.Is("attribute") && isOneOf(up.Field("attribute").Text(), "check_returncode", "raise_for_status") {
			return true, handed
		}
		if counts(use) {
			if more := boundTo(up); len(more) > 0 && up.Is("attribute", "subscript") { // code = result.returncode
				if v.anyTested(fn, more, up) {
					return true, handed
				}
			}
			if up.Is("attribute") && up.Parent().Is("call") { // code = process.wait()
				if more := boundTo(up.Parent()); len(more) > 0 && v.anyTested(fn, more, up) {
					return true, handed
				}
			}
		}
		plainText := up.Is("attribute") && isOneOf(up.Field("attribute").Text(), "stdout", "stderr", "output", "text", "pid")
		handed = handed || returned(use) && !plainText
	}
	return false, handed
}

// anyTested tells whether one of these names stands in a condition.
func (v *survey) anyTested(fn *code.Definition, names map[string]bool, after code.Node) bool {
	always := func(code.Node) bool { return true }
	for use := range fn.Body().Walk() {
		if use.Is("identifier") && names[use.Text()] && use.Start() > after.End() && use.FieldName() != "left" && (inTest(use, always) || returned(use)) {
			return true
		}
	}
	return false
}
