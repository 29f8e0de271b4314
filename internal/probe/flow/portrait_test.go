package flow

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// The portrait shows the nodes, edges, routes and defects of the graph that the
// probes judge, no more and no less, of every fixture of this room.
func TestPortraitIsTheGraph(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d fixtures: %v", len(files), err)
	}
	drawn, marked := 0, 0
	for _, file := range files {
		s := probetest.Load(t, file).Scene(t)
		r, err := s.Graphs(t.Context())
		if err != nil {
			t.Fatal(file, err)
		}
		w, err := Portrait(t.Context(), s, true)
		if err != nil {
			t.Fatal(file, err)
		}
		if r.Main == nil {
			if w.Lacking == "" || len(w.Nodes)+len(w.Edges) > 0 {
				t.Errorf("%s: without a graph it shows %+v", file, w)
			}
			continue
		}
		drawn++
		marked += len(w.Defects)
		if diff := cmp.Diff(outlined(r.Main), shownOutline(w)); diff != "" {
			t.Errorf("%s (-graph +portrait):\n%s", file, diff)
		}
		for _, m := range append(w.Defects, w.Unread...) {
			for _, e := range m.Edges {
				if e < 0 || e >= len(w.Edges) {
					t.Errorf("%s: a mark is about edge %d of %d", file, e, len(w.Edges))
				}
			}
			for _, n := range m.Nodes {
				if n != court.WireStart && n != court.WireEnd && !slices.ContainsFunc(w.Nodes, func(x court.WiredNode) bool { return x.Name == n }) {
					t.Errorf("%s: a mark is about %q, which is no node", file, n)
				}
			}
		}
	}
	if drawn < 20 || marked < 5 {
		t.Errorf("%d graphs with %d marks: too few to show anything", drawn, marked)
	}
}

func outlined(g *agentgraph.Graph) (out []string) {
	for _, n := range g.Nodes {
		out = append(out, fmt.Sprintf("node %s, %s, %v", n.Name, n.Role, n.Many))
	}
	for _, e := range g.Edges {
		out = append(out, fmt.Sprintf("edge %s %s always", e.From, e.To))
	}
	for _, r := range g.Routes {
		for _, t := range r.Targets {
			kind := "route"
			if t.Send {
				kind = "send"
			}
			if t.Dead {
				kind = "never"
			}
			out = append(out, fmt.Sprintf("edge %s %s %s", r.From, t.Name, kind))
		}
	}
	for _, a := range []agentgraph.Answer{g.Unreachable(), g.Decorative(), g.DeadTargets(), g.DoubleTrigger(), g.StarvedJoin(), g.UnboundedLoops(), g.HiddenSequence()} {
		for _, it := range a.Items {
			if a.Value == agentgraph.Yes {
				out = append(out, "defect "+it.Reason)
			}
		}
	}
	for _, u := range g.Unresolved {
		out = append(out, fmt.Sprintf("unread at %s:%d", u.At.Path, u.At.Line))
	}
	return out
}

func shownOutline(w *court.Wiring) (out []string) {
	for _, n := range w.Nodes {
		out = append(out, fmt.Sprintf("node %s, %s, %v", n.Name, n.Role, n.Many))
	}
	for _, e := range w.Edges {
		out = append(out, fmt.Sprintf("edge %s %s %s", e.From, e.To, e.Kind))
	}
	for _, d := range w.Defects {
		out = append(out, "defect "+d.Text)
	}
	for _, u := range w.Unread {
		out = append(out, fmt.Sprintf("unread at %s:%d", u.At[0].Path, u.At[0].Line))
	}
	return out
}

// fixture is a repository of one file.
func portraitOf(t *testing.T, source string, whole bool) *court.Wiring {
	t.Helper()
	f := &probetest.Fixture{Settings: map[string]string{}, Files: map[string]string{"graph.py": source}}
	w, err := Portrait(t.Context(), f.Scene(t), whole)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A graph of many nodes is cut to what a run comes to first; what is left out
// is counted, and what is said of edges is said of the same edges.
func TestPortraitIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("from langgraph.graph import StateGraph, START, END\ndef f(state):\n    return {}\n\ndef go(state):\n    return \"n001\"\n\ng = StateGraph(dict)\n")
	const nodes = 90
	for i := range nodes {
		fmt.Fprintf(&b, "g.add_node(\"n%03d\", f)\n", i)
	}
	b.WriteString("g.add_edge(START, \"n089\")\n")
	for i := nodes - 1; i > 0; i-- {
		fmt.Fprintf(&b, "g.add_edge(\"n%03d\", \"n%03d\")\n", i, i-1)
		for k := range min(i, 4) {
			fmt.Fprintf(&b, "g.add_edge(\"n%03d\", \"n%03d\")\n", i-1, i-1-k)
		}
	}
	b.WriteString("g.add_conditional_edges(\"n080\", go, {\"n001\": \"n001\", \"n079\": \"n079\"})\napp = g.compile()\napp.invoke({})\n")
	whole, part := portraitOf(t, b.String(), true), portraitOf(t, b.String(), false)
	if len(whole.Nodes) != nodes || len(whole.Edges) <= mostEdges {
		t.Fatalf("%d nodes and %d edges in all", len(whole.Nodes), len(whole.Edges))
	}
	if len(part.Nodes) != mostNodes || len(part.Edges) > mostEdges || len(part.Defects) > mostMarks {
		t.Errorf("%d nodes, %d edges, %d defects", len(part.Nodes), len(part.Edges), len(part.Defects))
	}
	if part.MoreNodes != nodes-mostNodes || part.MoreEdges != len(whole.Edges)-len(part.Edges) || part.MoreMarks != len(whole.Defects)-len(part.Defects)+len(whole.Unread)-len(part.Unread) {
		t.Errorf("more: %d nodes, %d edges, %d marks", part.MoreNodes, part.MoreEdges, part.MoreMarks)
	}
	for _, n := range []string{"n089", "n050"} {
		if !slices.ContainsFunc(part.Nodes, func(x court.WiredNode) bool { return x.Name == n }) {
			t.Errorf("%s, which a run comes to early, is left out", n)
		}
	}
	for i, d := range part.Defects {
		for k, e := range d.Edges {
			if got := part.Edges[e]; !slices.ContainsFunc(whole.Defects[i].Edges, func(o int) bool {
				return whole.Edges[o].From == got.From && whole.Edges[o].To == got.To && whole.Edges[o].Kind == got.Kind
			}) {
				t.Errorf("defect %d: edge %d is another one than before", i, k)
			}
		}
	}
}

// Names are what the program calls its nodes, but for keys and what could act
// on a reader; two that then look alike are told apart.
func TestPortraitNamesAreSafe(t *testing.T) {
	w := portraitOf(t, "from langgraph.graph import StateGraph, START, END\ndef f(s):\n    return {}\n"+
		"g = StateGraph(dict)\ng.add_node(\"a\\u202eb\", f)\ng.add_node(\"a\\\\u{202e}b\", f)\ng.add_node(\""+strings.Repeat("x", 300)+"\", f)\n"+
		"g.add_edge(START, \"a\\u202eb\")\ng.add_edge(\"a\\u202eb\", \"a\\\\u{202e}b\")\ng.compile()\n", false)
	names := map[string]bool{}
	for _, n := range w.Nodes {
		if names[n.Name] || strings.ContainsRune(n.Name, '\u202e') || len([]rune(n.Name)) > maxNodeName {
			t.Errorf("a node is called %q", n.Name)
		}
		names[n.Name] = true
	}
	for _, e := range w.Edges {
		if e.From != court.WireStart && !names[e.From] || !names[e.To] {
			t.Errorf("the edge from %q to %q has no such nodes", e.From, e.To)
		}
	}
	if len(names) != 3 || len(w.Edges) != 2 {
		t.Errorf("%v, %v", names, w.Edges)
	}
}
