package langgraph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
)

// TestMany checks that each call of a helper is followed, and that of more nodes than are
// analysed nothing is said.
func TestMany(t *testing.T) {
	const many = 300
	var b strings.Builder
	b.WriteString("from langgraph.graph import StateGraph\n\ndef add(g, name):\n    g.add_node(name, lambda s: {})\n\ng = StateGraph(dict)\n")
	for i := range many {
		fmt.Fprintf(&b, "add(g, 'n%d')\n", i)
	}
	r := read(t, program(t, map[string]string{"g.py": b.String()}))
	if r.Main == nil || len(r.Main.Nodes) != many {
		t.Fatal("helper calls were not followed")
	}
	if got := r.Main.Parallel("n1", "n2"); got.Value != agentgraph.Unknown {
		t.Errorf("more nodes than are analysed: got %v", got)
	}
}
