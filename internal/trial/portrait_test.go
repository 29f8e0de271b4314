package trial

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/flow"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	"github.com/automaton-auditor/automaton/internal/store"
)

// repainted holds the portrait of a record against its submission: it is the
// graph that the graph command draws, it is found again, and no other is.
func repainted(t *testing.T, f *probetest.Fixture, rec *court.Record) {
	t.Helper()
	whole, err := flow.Portrait(t.Context(), f.Scene(t), true)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Portrait == nil || rec.Portrait.Graph == nil || rec.Portrait.History == nil {
		t.Fatalf("the record shows %+v", rec.Portrait)
	}
	if diff := cmp.Diff(whole, rec.Portrait.Graph); diff != "" || len(whole.Nodes) < 5 {
		t.Errorf("the graph of the record is not the one that is drawn on demand: %s", diff)
	}
	for what, change := range map[string]func(p *court.Portrait){
		"":        func(*court.Portrait) {},
		"node":    func(p *court.Portrait) { p.Graph.Nodes[0].Role += "x" },
		"edge":    func(p *court.Portrait) { p.Graph.Edges = p.Graph.Edges[1:] },
		"commit":  func(p *court.Portrait) { p.History.Commits[0].Subject += "x" },
		"history": func(p *court.Portrait) { p.History = nil },
	} {
		changed := *rec
		raw, err := json.Marshal(rec.Portrait)
		if err == nil {
			changed.Portrait = new(court.Portrait)
			err = json.Unmarshal(raw, changed.Portrait)
		}
		if err != nil {
			t.Fatal(err)
		}
		change(changed.Portrait)
		want := store.OK
		if what != "" {
			want = store.No
		}
		if l := Repainted(t.Context(), opened(f.Scene(t)), &changed); l.Result != want {
			t.Errorf("%q changed: %+v", what, l)
		}
	}
	none := *rec
	none.Portrait = nil // as records of before are
	if l := Repainted(t.Context(), opened(f.Scene(t)), &none); l.Result != store.Skipped {
		t.Errorf("without a portrait: %+v", l)
	}
}

// A graph that is not there is told where a criterion asks for one, and nowhere
// else; a repository that is not there has no portrait.
func TestPortraitOfNoGraph(t *testing.T) {
	f := &probetest.Fixture{Settings: map[string]string{}, Files: map[string]string{"main.py": "print(\"hello\")\n"}}
	asks := []court.Criterion{{ID: "a", Checks: []court.Check{{Asks: []court.Ask{{Probe: "git.count"}, {Probe: "graph.used"}}}}}}
	nobody := func(string) bool { return false }
	for name, tc := range map[string]struct {
		criteria []court.Criterion
		want     string
	}{"asked": {asks, "No StateGraph"}, "not asked": {nil, ""}} {
		p, faults := portray(t.Context(), f.Scene(t), tc.criteria, nobody)
		if len(faults) > 0 || p == nil || p.History == nil {
			t.Fatalf("%s: %+v, %v", name, p, faults)
		}
		if got := p.Graph != nil; got != (tc.want != "") || got && !strings.Contains(p.Graph.Lacking, tc.want) {
			t.Errorf("%s: %+v", name, p.Graph)
		}
	}
	if p, faults := portray(t.Context(), probe.NewScene(probe.Options{NoRepo: "gone"}), asks, nobody); p != nil || faults != nil {
		t.Errorf("without a repository: %+v, %v", p, faults)
	}
}

// A graph in which everything leads everywhere takes neither long nor much room.
func TestPortraitOfATangle(t *testing.T) {
	var b strings.Builder
	b.WriteString("from langgraph.graph import StateGraph, START, END\ndef f(s):\n    return {}\ng = StateGraph(dict)\n")
	const nodes = 24
	for i := range nodes {
		fmt.Fprintf(&b, "g.add_node(\"n%d\", f)\n", i)
	}
	b.WriteString("g.add_edge(START, \"n0\")\n")
	for i := range nodes {
		for k := range nodes {
			if i != k {
				fmt.Fprintf(&b, "g.add_edge(\"n%d\", \"n%d\")\n", i, k)
			}
		}
	}
	b.WriteString("g.compile().invoke({})\n")
	f := &probetest.Fixture{Settings: map[string]string{}, Files: map[string]string{"graph.py": b.String()}}
	p, faults := portray(t.Context(), f.Scene(t), nil, func(string) bool { return false })
	if len(faults) > 0 || p.Graph == nil || len(p.Graph.Nodes) != nodes {
		t.Fatalf("%+v, %v", p, faults)
	}
	raw, err := json.Marshal(p)
	if err != nil || len(raw) > 120_000 {
		t.Errorf("%d bytes: %v", len(raw), err)
	}
	if p.Graph.MoreEdges == 0 || len(p.Graph.Edges) != 200 {
		t.Errorf("%d edges are shown and %d more", len(p.Graph.Edges), p.Graph.MoreEdges)
	}
}
