package langgraph

import "github.com/automaton-auditor/automaton/internal/code"

// assigned returns what a scope assigns to a name. When at stands in the scope
// itself, only what may still hold there counts: the last assignment before it
// that no condition guards, and everything after that one.
func assigned(d *code.Definition, name string, at code.Node) []code.Node {
	type value struct {
		n, from code.Node
	}
	var all []value
	for _, n := range d.Setters(name) {
		if v := bound(n, name); v.Valid() {
			all = append(all, value{v, n})
		}
	}
	here := at.Valid() && at.Module() == d.Module && directly(at, d)
	var out []code.Node
	for _, v := range all {
		if here && v.from.Contains(at) && !v.from.Is("with_item") || here && v.from.Start() > at.Start() {
			continue
		}
		if here && !conditional(v.from, at, d) {
			out = nil
		}
		out = append(out, v.n)
	}
	if len(out) == 0 && here { // a loop may bring a later one
		for _, v := range all {
			if !v.from.Contains(at) {
				out = append(out, v.n)
			}
		}
	}
	return out
}

// bound returns the value that a statement or expression gives to a name.
func bound(n code.Node, name string) code.Node {
	switch n.Kind() {
	case "assignment":
		return paired(n.Field("left"), n.Field("right"), name)
	case "named_expression":
		if n.Field("name").Text() == name {
			return n.Field("value")
		}
	case "with_item":
		as := n.Field("value")
		if as.Is("as_pattern") && as.Field("alias").Text() == name {
			return as.Child(0)
		}
	}
	return code.Node{}
}

// paired matches the targets of an assignment with its values.
func paired(left, right code.Node, name string) code.Node {
	if left.Is("identifier") {
		if left.Text() == name {
			if right.Is("assignment") { // a = b = value
				for right.Is("assignment") {
					right = right.Field("right")
				}
			}
			return right
		}
		if right.Is("assignment") {
			return paired(right.Field("left"), right.Field("right"), name)
		}
		return code.Node{}
	}
	if left.Is("pattern_list", "tuple_pattern", "list_pattern") && right.Is("expression_list", "tuple", "list") {
		i := 0
		for l := range left.Children() {
			if v := paired(l, right.Child(i), name); v.Valid() {
				return v
			}
			i++
		}
	}
	return code.Node{}
}

// directly reports whether a node stands in the scope itself, not in a
// function nested in it.
func directly(n code.Node, d *code.Definition) bool {
	for a := range n.Around() {
		if a == d.Node {
			return true
		}
		if a.Is("function_definition", "lambda", "class_definition") {
			return false
		}
	}
	return false
}

// conditional reports whether a statement may be left out on the way to at: it
// stands under a condition that does not hold at as well.
func conditional(n, at code.Node, d *code.Definition) bool {
	for a := range n.Around() {
		if a == d.Node {
			return false
		}
		if a.Is("if_statement", "elif_clause", "else_clause", "for_statement", "while_statement", "except_clause", "case_clause", "try_statement") && !a.Contains(at) {
			return true
		}
		if a.Is("if_statement", "try_statement") && a.Contains(at) && branchOf(a, n) != branchOf(a, at) {
			return true
		}
	}
	return false
}

// branchOf returns the child of a compound statement in which a node stands.
func branchOf(compound, n code.Node) code.Node {
	for c := range compound.Children() {
		if c.Contains(n) {
			return c
		}
	}
	return code.Node{}
}
