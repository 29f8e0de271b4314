package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

var comprehensions = []string{"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}

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
