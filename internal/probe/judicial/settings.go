package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// setting gives a name a value.
type setting struct {
	name  string
	value code.Node
	node  code.Node
}

// assignments lists what gives a value to a name within a definition:
// assignments, loops, with, comprehensions, and additions to a container.
func (k *marks) assignments(d *code.Definition) []setting {
	if out, ok := k.sets[d]; ok {
		return out
	}
	var out []setting
	add := func(target, value, node code.Node) {
		for _, name := range targets(target) {
			out = append(out, setting{name, value, node})
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
