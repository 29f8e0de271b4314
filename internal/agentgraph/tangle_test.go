package agentgraph

import (
	"fmt"
	"testing"
)

// A graph in which everything leads everywhere is given up in time: nobody can
// compare all ways through it.
func TestTangleEnds(t *testing.T) {
	g := &Graph{}
	const nodes = 40
	for i := range nodes {
		g.Nodes = append(g.Nodes, Node{Name: fmt.Sprintf("n%02d", i), Role: RoleOther})
		for k := range nodes {
			if i != k {
				g.Edges = append(g.Edges, Edge{From: fmt.Sprintf("n%02d", i), To: fmt.Sprintf("n%02d", k), At: Place{"g.py", 1 + i*nodes + k, 0}})
			}
		}
	}
	g.Edges = append(g.Edges, Edge{From: START, To: "n00"})
	if a := g.DoubleTrigger(); a.Value != Unknown || a.Reason == "" {
		t.Errorf("whether a node runs twice: %+v", a)
	}
	for name, ask := range map[string]func() Answer{"unreachable": g.Unreachable, "starved": g.StarvedJoin, "hidden": g.HiddenSequence} {
		if a := ask(); a.Value != No {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if a := g.UnboundedLoops(); a.Value != Yes || len(a.Items) != maxLoops {
		t.Errorf("loops: %v, %d", a.Value, len(a.Items))
	}
}
