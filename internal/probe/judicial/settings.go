package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// setting is one place where a local name gets a value, or more is put into
// what it holds.
type setting struct {
	name  string
	value code.Node
	node  code.Node
	comp  code.Node // the comprehension whose variable it is, zero outside

	part, parts int  // the value's element that goes to the name, when there are parts
	field       mark // of the field of the value that goes to the name, as a pattern reads it
}

// assignments lists what gives a value to a name within a definition:
// assignments, loops, with, comprehensions, and additions to a container.
func (k *marks) assignments(d *code.Definition) []setting {
	if out, ok := k.sets[d]; ok {
		return out
	}
	var out []setting
	add := func(target, value, node code.Node) {
		for _, s := range bound(target) {
			s.value, s.node = value, node
			if node.Is("for_in_clause") {
				s.comp = node.Parent()
			}
			if !unpacks(node) {
				s.part, s.parts = 0, 0
			}
			out = append(out, s)
		}
	}
	for n := range d.Body().WalkScope() {
		switch n.Kind() {
		case "assignment", "augmented_assignment":
			for _, pair := range pairs(n.Field("left"), n.Field("right")) {
				add(pair[0], pair[1], n)
			}
		case "named_expression":
			add(n.Field("name"), n.Field("value"), n)
		case "for_statement", "for_in_clause":
			add(n.Field("left"), n.Field("right"), n)
		case "as_pattern":
			add(n.Field("alias"), n.Child(0), n)
		case "case_clause":
			for _, name := range code.Captures(n) {
				for _, subject := range code.Subject(name) {
					out = append(out, setting{name: name.Text(), value: subject, node: n, field: ofKey(name)})
				}
			}
		case "call":
			f := n.Field("function")
			if f.Is("attribute") && slices.Contains([]string{"append", "extend", "add", "update", "insert"}, f.Field("attribute").Text()) {
				add(f.Field("object"), n.Field("arguments"), n)
			}
		}
	}
	k.sets[d] = out
	return out
}

// ofKey is what the fields and keys say under which a pattern binds a name.
func ofKey(name code.Node) mark {
	for a := range name.Around() {
		switch a.Kind() {
		case "keyword_pattern":
			return ofAttribute(a.Child(0).Text())
		case "case_clause":
			return 0
		}
	}
	return 0
}

// unpacks reports whether a statement gives each name of its left side one
// element of its value; a loop does so with each of its items.
func unpacks(n code.Node) bool { return n.Is("assignment") }

// bound lists the names that a target binds or changes, each with its place
// among the elements of a pattern.
func bound(n code.Node) []setting {
	var out []setting
	parts := slices.Collect(n.Children())
	if !n.Is("pattern_list", "tuple_pattern") || slices.ContainsFunc(parts, func(c code.Node) bool { return !c.Is("identifier") }) {
		for _, name := range targets(n) {
			out = append(out, setting{name: name})
		}
		return out
	}
	for i, c := range parts {
		out = append(out, setting{name: c.Text(), part: i, parts: len(parts)})
	}
	return out
}

// settings lists what sets the name that an identifier stands for, within the
// function where it stands.
func (k *marks) settings(n code.Node) []setting {
	d := k.b.p.Enclosing(n)
	if d == nil || !d.IsFunction() {
		return nil
	}
	named := func(comp code.Node) []setting {
		return slices.DeleteFunc(slices.Clone(k.assignments(d)), func(s setting) bool { return s.name != n.Text() || s.comp != comp })
	}
	for a := range n.Around() {
		if a == d.Node {
			break
		}
		if a.Is(comprehensions...) && !firstIterable(a).Contains(n) {
			if own := named(a); len(own) > 0 {
				return own
			}
		}
	}
	return named(code.Node{})
}

var comprehensions = []string{"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}

// firstIterable is what the first loop of a comprehension runs over: it is
// computed outside of the comprehension's scope.
func firstIterable(comp code.Node) code.Node {
	for c := range comp.Children() {
		if c.Is("for_in_clause") {
			return c.Field("right")
		}
	}
	return code.Node{}
}

// pairs matches the names of a, b = x, y with their values; any other
// assignment is one pair.
func pairs(left, right code.Node) [][2]code.Node {
	var ls, rs []code.Node
	if left.Is("pattern_list", "tuple_pattern") && right.Unparen().Is("expression_list", "tuple") {
		ls, rs = slices.Collect(left.Children()), slices.Collect(right.Unparen().Children())
	}
	if len(ls) == 0 || len(ls) != len(rs) || slices.ContainsFunc(append(ls, rs...), func(n code.Node) bool { return n.Is("list_splat_pattern", "list_splat") }) {
		return [][2]code.Node{{left, right}}
	}
	out := make([][2]code.Node, len(ls))
	for i := range ls {
		out[i] = [2]code.Node{ls[i], rs[i]}
	}
	return out
}

// targets lists the names that an assignment's left side binds or changes.
func targets(n code.Node) []string {
	switch n.Kind() {
	case "identifier":
		return []string{n.Text()}
	case "subscript":
		return targets(n.Field("value"))
	case "attribute":
		return nil
	}
	var out []string
	for c := range n.Children() {
		out = append(out, targets(c)...)
	}
	return out
}
