package langgraph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
)

// TestMany checks that limits make wiring unresolved instead of missing.
func TestMany(t *testing.T) {
	var b strings.Builder
	b.WriteString("from langgraph.graph import StateGraph\n\ndef add(g, name):\n    g.add_node(name, lambda s: {})\n\ng = StateGraph(dict)\n")
	for i := range maxFrames + 20 {
		fmt.Fprintf(&b, "add(g, 'n%d')\n", i)
	}
	r := read(t, program(t, map[string]string{"g.py": b.String()}))
	if r.Main == nil || len(r.Main.Nodes) < maxFrames {
		t.Fatal("helper calls were not followed")
	}
	if len(r.Main.Unresolved) == 0 {
		t.Error("calls beyond the limit are missing, not unresolved")
	}
	if got := r.Main.Parallel("n1", "n2"); got.Value != agentgraph.Unknown {
		t.Errorf("more nodes than are analysed: got %v", got)
	}
}
