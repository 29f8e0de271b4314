package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// typeParts splits X[a, b] into X and its arguments.
func typeParts(n code.Node) (head code.Node, args []code.Node) {
	if n.Is("subscript") {
		args = n.Fields("subscript")
		if len(args) == 1 && args[0].Is("tuple") {
			args = slices.Collect(args[0].Children())
		}
		return n.Field("value"), args
	}
	for c := range n.Children() {
		if !head.Valid() {
			head = c
			continue
		}
		if c.Is("type_parameter") {
			for a := range c.Children() {
				for a.Is("type") {
					a = a.Child(0)
				}
				args = append(args, a)
			}
		}
	}
	return head, args
}
