package langgraph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
)

// TestFunctional reads programs of the functional API.
func TestFunctional(t *testing.T) {
	fixtures(t, "functional", func(r *agentgraph.Reading) string { return drawing(r) + answers(r) })
}

// TestFunctionalEnds nests loops so deep that following each twice would not end.
func TestFunctionalEnds(t *testing.T) {
	var b strings.Builder
	b.WriteString("from langgraph.func import entrypoint, task\n@task\ndef step(x):\n    return x\n@entrypoint()\ndef flow(x):\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%sfor a%d in x:\n%sif a%d: step(%d).result()\n", strings.Repeat(" ", i+1), i, strings.Repeat(" ", i+2), i, i)
	}
	b.WriteString("@entrypoint()\ndef list(x):\n y = step(x).result()\n z = " + strings.Repeat("[", 40) + "step(y).result()" + strings.Repeat(" for z in x]", 40) + "\n")
	r := read(t, program(t, map[string]string{"flow.py": b.String()}))
	for _, g := range r.Graphs {
		if len(g.Unresolved) == 0 || g.Linear().Value != agentgraph.Unknown {
			t.Errorf("%s: a walk that was given up is not told", g.Name)
		}
	}
	if len(r.Graphs) != 2 {
		t.Errorf("%d graphs, want 2", len(r.Graphs))
	}
}
