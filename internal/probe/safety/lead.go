package safety

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// maxUp bounds how many callers are looked at above a function.
const maxUp = 5

// lead is the ways from the callers to a clone.
type lead struct {
	calls map[*code.Definition][]code.Node // in each function: the expressions that run the clone, directly or through others
	level map[*code.Definition]int         // how many calls away the clone is
}

// leads lists the calls that lead to a site, in production code.
func (x *lowered) leads(s *site) lead {
	v := x.survey
	l := lead{map[*code.Definition][]code.Node{}, map[*code.Definition]int{}}
	if s.home == nil {
		return l
	}
	l.calls[s.home] = x.runners(s)
	v.up(l, s.home)
	if v.rank(s.home) == 0 { // the graph runs it
		for _, n := range v.invokes {
			if fn := v.function(n); fn != nil && v.production(n) {
				if l.calls[fn] = append(l.calls[fn], n); l.level[fn] == 0 && fn != s.home {
					l.level[fn] = maxUp + 1
				}
				v.up(l, fn)
			}
		}
	}
	return l
}

// up adds the callers of a function, and theirs.
func (v *survey) up(l lead, from *code.Definition) {
	level := []*code.Definition{from}
	for range maxUp {
		var next []*code.Definition
		for _, fn := range level {
			for _, n := range v.runs(fn) {
				caller := v.function(n)
				if slices.Contains(l.calls[caller], n) {
					continue
				}
				if _, seen := l.calls[caller]; !seen {
					next = append(next, caller)
					l.level[caller] = l.level[fn] + 1
				}
				l.calls[caller] = append(l.calls[caller], n)
			}
		}
		level = next
	}
}

// runners are the calls in a site's own function that run its command.
func (x *lowered) runners(s *site) []code.Node {
	var out []code.Node
	if len(s.steps) == 0 {
		return append(out, s.call.Node)
	}
	for _, st := range s.steps {
		for _, c := range append(analyse.Way{{Function: st.f, At: st.in}}, st.way...) {
			if n := x.nodeAt(c.Function, c.At.Span); x.survey.function(n) == s.home {
				out = append(out, n)
			}
		}
	}
	if len(out) == 0 {
		out = append(out, s.at)
	}
	return out
}

// runs are the production calls of a function, and the places that hand it to
// something else.
func (v *survey) runs(fn *code.Definition) []code.Node {
	if fn == nil || !fn.IsFunction() {
		return nil
	}
	var out []code.Node
	for _, c := range v.p.Callers(fn) {
		if v.production(c.Node) && v.function(c.Node) != fn {
			out = append(out, c.Node)
		}
	}
	for _, n := range v.p.Uses(fn) {
		if n.FieldName() == "function" && n.Parent().Is("call") {
			continue
		}
		if v.production(n) && v.function(n) != fn {
			out = append(out, n)
		}
	}
	return out
}

// in tells whether a part of the program contains a node that leads to the
// clone.
func (l lead) in(part code.Node, fn *code.Definition) bool {
	return slices.ContainsFunc(l.calls[fn], part.Contains)
}

// clause is a try statement around a node, and the part of it that the node
// stands in.
type clause struct {
	try     code.Node
	part    string    // body, except, else, finally
	handler code.Node // of except
}

// clauses are the try statements around a node within its function, the
// innermost first.
func clauses(n code.Node) []clause {
	var out []clause
	below := n
	for a := range n.Around() {
		if a.Is("function_definition", "lambda", "class_definition") {
			break
		}
		if a.Is("try_statement") {
			c := clause{try: a, part: "body"}
			switch below.Kind() {
			case "except_clause", "except_group_clause":
				c.part, c.handler = "except", below
			case "finally_clause":
				c.part = "finally"
			case "else_clause":
				c.part = "else"
			}
			out = append(out, c)
		}
		below = a
	}
	return out
}

// block is the statements of a clause.
func block(n code.Node) code.Node {
	if b := n.Field("body"); b.Valid() {
		return b
	}
	if b := n.Field("consequence"); b.Valid() {
		return b
	}
	for c := range n.Children() {
		if c.Is("block") {
			return c
		}
	}
	return code.Node{}
}

// caught is the text of what a handler catches, "" for everything.
func caught(handler code.Node) string {
	value := handler.Field("value")
	if !value.Valid() {
		for c := range handler.Children() {
			if !c.Is("block") {
				value = c
				break
			}
		}
	}
	if value.Is("as_pattern") {
		value = value.Child(0)
	}
	return value.Text()
}

// broad tells a handler that catches every error.
func broad(handler code.Node) bool {
	switch caught(handler) {
	case "", "Exception", "BaseException", "builtins.Exception":
		return true
	}
	return false
}

// leaves tells whether the last statement of a block leaves it for good.
func leaves(b code.Node) code.Node {
	var last code.Node
	for c := range b.Children() {
		last = c
	}
	switch last.Kind() {
	case "return_statement", "raise_statement", "continue_statement", "break_statement":
		return last
	case "expression_statement":
		if fn := last.Child(0).Field("function").Text(); isOneOf(fn, "sys.exit", "exit", "quit", "os._exit", "abort", "flask.abort") {
			return last
		}
	}
	return code.Node{}
}
