package code

import (
	"slices"
)

// Guard is one condition that decides whether a statement runs.
type Guard struct {
	Kind      string // if, while, ternary, and, or, match, except
	Condition Node   // the test; the pattern of a case; the exception of a handler (zero when bare)
	Negated   bool   // the statement stands on the else side
	Dead      bool   // it can never run: "if False", "if TYPE_CHECKING", "while 0"
}

// Guards returns the conditions around a node inside its definition, from the
// outermost to the innermost. Conditions of the enclosing definitions are not
// among them.
func (p *Program) Guards(n Node) []Guard {
	var out []Guard
	below := n
	for a := range n.Around() {
		if a.defines() && below.FieldName() == "body" {
			break
		}
		out = append(out, p.guards(a, below)...)
		below = a
	}
	slices.Reverse(out)
	return out
}

// guards returns the conditions that a puts on its child, the innermost first.
func (p *Program) guards(a, child Node) []Guard {
	field := child.FieldName()
	switch a.Kind() {
	case "if_statement":
		if field == "consequence" {
			return []Guard{p.test("if", a.Field("condition"), false)}
		}
		if field == "alternative" {
			return p.earlier(a, child)
		}
	case "elif_clause":
		if field == "consequence" {
			return []Guard{p.test("if", a.Field("condition"), false)}
		}
	case "while_statement":
		if field == "body" {
			return []Guard{p.test("while", a.Field("condition"), false)}
		}
	case "conditional_expression":
		if child == a.Child(0) || child == a.Child(2) {
			return []Guard{p.test("ternary", a.Child(1), child == a.Child(2))}
		}
	case "boolean_operator":
		if field == "right" {
			op := a.Field("operator").Text()
			return []Guard{p.test(op, a.Field("left"), op == "or")}
		}
	case "case_clause":
		if field != "consequence" {
			return nil
		}
		out := []Guard{{Kind: "match", Condition: a.child("case_pattern")}}
		if test := a.Field("guard").Child(0); test.Valid() {
			out = append([]Guard{p.test("if", test, false)}, out...)
		}
		return out
	case "except_clause", "except_group_clause":
		caught := a.Field("value")
		if caught.Is("as_pattern") {
			caught = caught.Child(0)
		}
		return []Guard{{Kind: "except", Condition: caught}}
	}
	return nil
}

// captured is the name that a node of a pattern of match binds: a name that stands
// alone, or behind a star. A class's own name and the keys of its fields bind nothing.
func (n Node) captured() Node {
	p := n.Parent()
	switch {
	case n.Is("splat_pattern") && n.Child(0).Is("identifier"):
		return n.Child(0)
	case n.Is("dotted_name") && p.Is("case_pattern", "keyword_pattern", "union_pattern") && !n.Child(1).Valid():
		return n.Child(0)
	}
	return Node{}
}

// Captures lists the names that the patterns of a case bind, in source order.
func Captures(clause Node) []Node {
	var out []Node
	for c := range clause.Children() {
		if !c.Is("case_pattern") {
			continue
		}
		for n := range c.Walk() {
			if name := n.captured(); name.Valid() {
				out = append(out, name)
			}
			if n.Is("as_pattern") && n.Child(1).Is("identifier") {
				out = append(out, n.Child(1))
			}
		}
	}
	return out
}

// Subject is what the case of a pattern is matched with: of several values that are
// matched with as many patterns, the one at its place; else all, as their statement has
// them.
func Subject(pattern Node) []Node {
	clause := pattern
	for !clause.Is("case_clause") {
		if clause = clause.Parent(); !clause.Valid() {
			return nil
		}
	}
	subjects := clause.Parent().Parent().Fields("subject")
	if len(subjects) == 1 && subjects[0].Unparen().Is("tuple") {
		subjects = slices.Collect(subjects[0].Unparen().Children())
	}
	var patterns []Node
	for c := range clause.Children() {
		if c.Is("case_pattern") {
			patterns = append(patterns, c)
		}
	}
	for i, c := range patterns {
		if len(patterns) == len(subjects) && c.Contains(pattern) {
			return subjects[i : i+1]
		}
	}
	return subjects
}

// maxEarlier bounds the failed conditions of an if statement that Guards lists.
const maxEarlier = 64

// earlier returns the conditions that must fail before an elif or else branch
// of an if statement is tried, the last first.
func (p *Program) earlier(statement, branch Node) []Guard {
	out := []Guard{p.test("if", statement.Field("condition"), true)}
	for c := range statement.Children() {
		if c == branch {
			break
		}
		if c.Is("elif_clause") {
			out = append(out, p.test("if", c.Field("condition"), true))
		}
	}
	slices.Reverse(out)
	return out[:min(len(out), maxEarlier)]
}

// test describes one condition.
func (p *Program) test(kind string, condition Node, negated bool) Guard {
	g := Guard{Kind: kind, Condition: condition, Negated: negated}
	switch constantTest(condition) {
	case "false":
		g.Dead = !negated
	case "true":
		g.Dead = negated
	}
	return g
}

// Dead reports whether a node can never run: a dead guard around it in any
// enclosing definition, code after an unconditional return, raise, continue or
// break of its block, or a shadowed module.
func (p *Program) Dead(n Node) bool {
	if !n.Valid() {
		return false
	}
	if n.m.Shadowed {
		return true
	}
	below := n
	for a := range n.Around() {
		for _, g := range p.deadGuards(a, below) {
			if g {
				return true
			}
		}
		if a.Is("block", "module") && afterExit(a, below) {
			return true
		}
		below = a
	}
	return false
}

// deadGuards is guards reduced to what kills, without resolving anything.
func (p *Program) deadGuards(a, child Node) []bool {
	switch {
	case a.Is("if_statement", "elif_clause", "while_statement") && isOneOf(child.FieldName(), "consequence", "body"):
		return []bool{constantTest(a.Field("condition")) == "false"}
	case a.Is("for_statement") && child.FieldName() == "body":
		return []bool{empty(a.Field("right"))}
	case a.Is("if_statement") && child.FieldName() == "alternative":
		out := []bool{constantTest(a.Field("condition")) == "true"}
		for c := range a.Children() {
			if c == child {
				break
			}
			if c.Is("elif_clause") {
				out = append(out, constantTest(c.Field("condition")) == "true")
			}
		}
		return out
	case a.Is("conditional_expression"):
		truth := constantTest(a.Child(1))
		return []bool{truth == "false" && child == a.Child(0), truth == "true" && child == a.Child(2)}
	}
	return nil
}

// afterExit reports whether a statement of a block before the given one leaves
// the block for good.
func afterExit(block, statement Node) bool {
	exit, ok := block.m.indexed().exits[block.i]
	return ok && exit < statement.i
}
