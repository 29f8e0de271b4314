package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
)

// What is drawn on demand is what a record holds.
func TestFoundIsTheWiring(t *testing.T) {
	w := &court.Wiring{At: court.Place{Path: "g.py", Line: 7, EndLine: 9},
		Nodes: []court.WiredNode{{Name: "a", Role: "judge", Many: true}, {Name: "b", Waits: []string{"a"}}},
		Edges: []court.WiredEdge{{From: court.WireStart, To: "a", Kind: court.WireAlways}, {From: "a", To: "b", Kind: court.WireSend, By: "route"},
			{From: "a", To: court.WireEnd, Kind: court.WireRoute}, {From: "b", To: "a", Kind: court.WireNever}},
		Defects: []court.Mark{{What: "never runs", Text: "nothing leads to b", At: []court.Place{{Path: "g.py", Line: 3}}}},
		Unread:  []court.Mark{{What: "could not be resolved", Text: "later()"}}}
	want := graph.Drawing{Name: "g.py:7", Nodes: []graph.DrawnNode{{Name: "a", Map: true}, {Name: "b", Waits: []string{"a"}}},
		Edges: []graph.DrawnEdge{{From: graph.Start, To: "a"}, {From: "a", To: "b", Branch: "send"}, {From: "a", To: graph.End, Branch: "route"}, {From: "b", To: "a", Branch: "never taken"}}}
	if diff := cmp.Diff(want, found(w)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"never runs: nothing leads to b (g.py:3)", "could not be resolved: later()"}, markLines(w)); diff != "" {
		t.Error(diff)
	}
}
