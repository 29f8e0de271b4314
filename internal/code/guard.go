package code

import (
	"slices"
)

// Guard is one condition that decides whether a statement runs.
type Guard struct {
	Kind      string // if, while, ternary, and, or, match, except
	Condition Node   // the test; the pattern of a case; the exception of a handler (zero when bare)
	Negated   bool   // the statement stands on the else side
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
		out = append(out, guards(a, below)...)
		below = a
	}
	slices.Reverse(out)
	return out
}

// guards returns the conditions that a puts on its child, the innermost first.
func guards(a, child Node) []Guard {
	field := child.FieldName()
	switch a.Kind() {
	case "if_statement":
		if field == "consequence" {
			return []Guard{{Kind: "if", Condition: a.Field("condition")}}
		}
		if field == "alternative" {
			return earlier(a, child)
		}
	case "elif_clause":
		if field == "consequence" {
			return []Guard{{Kind: "if", Condition: a.Field("condition")}}
		}
	case "while_statement":
		if field == "body" {
			return []Guard{{Kind: "while", Condition: a.Field("condition")}}
		}
	case "conditional_expression":
		if child == a.Child(0) || child == a.Child(2) {
			return []Guard{{Kind: "ternary", Condition: a.Child(1), Negated: child == a.Child(2)}}
		}
	case "boolean_operator":
		if field == "right" {
			op := a.Field("operator").Text()
			return []Guard{{Kind: op, Condition: a.Field("left"), Negated: op == "or"}}
		}
	case "case_clause":
		if field != "consequence" {
			return nil
		}
		out := []Guard{{Kind: "match", Condition: a.child("case_pattern")}}
		if test := a.Field("guard").Child(0); test.Valid() {
			out = append([]Guard{{Kind: "if", Condition: test}}, out...)
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
func earlier(statement, branch Node) []Guard {
	out := []Guard{{Kind: "if", Condition: statement.Field("condition"), Negated: true}}
	for c := range statement.Children() {
		if c == branch {
			break
		}
		if c.Is("elif_clause") {
			out = append(out, Guard{Kind: "if", Condition: c.Field("condition"), Negated: true})
		}
	}
	slices.Reverse(out)
	return out[:min(len(out), maxEarlier)]
}
