package graph

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// DOT renders the drawing for Graphviz, with the same shapes as Mermaid.
func (d Drawing) DOT() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph \"%s\" {\n  node [shape=box];\n", dotText(d.Name))
	fmt.Fprintf(&b, "  \"%s\" [label=\"START\", shape=oval];\n  \"%s\" [label=\"END\", shape=oval];\n", Start, End)
	for _, n := range d.Nodes {
		more, text := "", n.Name
		if n.Waits != nil {
			more = ", shape=hexagon"
		}
		if n.Map {
			more, text = more+", peripheries=2", n.Name+" × n"
		}
		fmt.Fprintf(&b, "  \"%s\" [label=\"%s\"%s];\n", dotText(n.Name), dotText(text), more)
	}
	for _, e := range d.Edges {
		more := ""
		if label := e.label(); label != "" {
			more = fmt.Sprintf(" [label=\"%s\", style=dotted]", dotText(label))
		}
		fmt.Fprintf(&b, "  \"%s\" -> \"%s\"%s;\n", dotText(e.From), dotText(e.To), more)
	}
	b.WriteString("}\n")
	return b.String()
}

// dotText makes text harmless between double quotes.
func dotText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(safetext.Text(s, 0))
}
