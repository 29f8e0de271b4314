package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/graph"
)

type lines struct {
	Lines []string `json:"lines,omitzero" reduce:"append"`
}

type builder = *graph.Builder[lines]

func say(s string) func(context.Context, lines) (lines, error) {
	return func(context.Context, lines) (lines, error) { return lines{Lines: []string{s}}, nil }
}

func nothing(lines) string { return "" }

// build declares nodes A to D and what more is told.
func build(more func(builder)) (*graph.Graph[lines], error) {
	b := graph.New[lines]("g")
	for _, n := range []string{"A", "B", "C", "D"} {
		b.Node(n, say(n), graph.Policy{})
	}
	more(b)
	return b.Compile()
}

func branch(label string, to ...string) graph.Branch { return graph.Branch{Label: label, To: to} }

func TestCompileRejects(t *testing.T) {
	for want, more := range map[string]func(builder){
		`node "D" leads nowhere`:                                       func(b builder) {},
		`no edge from Start`:                                           func(b builder) { b.Edge("A", "B") },
		`Start leads to End`:                                           func(b builder) { b.Edge(graph.Start, graph.End) },
		`node "A" declared twice`:                                      func(b builder) { b.Node("A", say(""), graph.Policy{}) },
		`node "é": a name has letters`:                                 func(b builder) { b.Node("é", say(""), graph.Policy{}) },
		`node "__end__": a name has`:                                   func(b builder) { b.Node(graph.End, say(""), graph.Policy{}) },
		`node "E" has a negative policy`:                               func(b builder) { b.Node("E", say(""), graph.Policy{Attempts: -1}) },
		`node "E" lacks a function`:                                    func(b builder) { b.Node("E", nil, graph.Policy{}) },
		`node "M" lacks a function`:                                    func(b builder) { graph.Map[lines, int](b, "M", nil, nil, graph.Policy{}) },
		`edge from "A" leads to unknown node "X"`:                      func(b builder) { b.Edge("A", "X") },
		`edge from "A" leads to unknown node "__start__"`:              func(b builder) { b.Edge("A", graph.Start) },
		`edge from unknown node "X"`:                                   func(b builder) { b.Edge("X", "A") },
		`edge from "A" lacks a target`:                                 func(b builder) { b.Edge("A") },
		`edge from "A" leads to "B" twice`:                             func(b builder) { b.Edge("A", "B"); b.Edge("A", "B") },
		`edge from "A" leads to End and elsewhere`:                     func(b builder) { b.Edge("A", "B", graph.End) },
		`join "C" declared twice`:                                      func(b builder) { b.Join("C", "A"); b.Join("C", "B") },
		`join "X" needs a known node and members`:                      func(b builder) { b.Join("X", "A") },
		`join "C" needs a known node and members`:                      func(b builder) { b.Join("C") },
		`join "C" cannot wait for Start`:                               func(b builder) { b.Join("C", graph.Start) },
		`edge from "D" leads to join "C", of which it is no member`:    func(b builder) { b.Join("C", "A", "B"); b.Edge("D", "C") },
		`branch "x" of "D" leads to join "C"; only edges from its mem`: func(b builder) { b.Join("C", "A", "B"); b.Route("D", nothing, branch("x", "C")) },
		`node "A" has both edges and a route`:                          func(b builder) { b.Edge("A", "B"); b.Route("A", nothing, branch("x", "C")) },
		`route from "A" declared twice`:                                func(b builder) { b.Route("A", nothing, branch("x", "C")); b.Route("A", nothing, branch("x", "C")) },
		`branch "x" of "A" needs a label of its own`:                   func(b builder) { b.Route("A", nothing, branch("x", "B"), branch("x", "C")) },
		`branch "" of "A" needs a label of its own`:                    func(b builder) { b.Route("A", nothing, branch("", "B")) },
		`branch "x" of "A" has a negative bound`:                       func(b builder) { b.Route("A", nothing, graph.Branch{Label: "x", To: []string{"B"}, Max: -1}) },
		`branch "x" of "A" lacks a target`:                             func(b builder) { b.Route("A", nothing, branch("x")) },
		`branch "x" of "A" leads to unknown node "X"`:                  func(b builder) { b.Route("A", nothing, branch("x", "X")) },
		`route from "A" needs a known node, a choice and branches`:     func(b builder) { b.Route("A", nothing) },
		`route from "B" needs a known node, a choice and branches`:     func(b builder) { b.Route("B", nil, branch("x", "C")) },
		`route from "X" needs a known node, a choice and branches`:     func(b builder) { b.Route("X", nothing, branch("x", "C")) },
	} {
		if _, err := build(more); err == nil || !strings.HasPrefix(err.Error(), "compiling graph g: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s\ngot  %v", want, err)
		}
	}
}

// What only a walk finds. Each graph is sound but for one thing.
func TestCompileWalks(t *testing.T) {
	tests := map[string]struct {
		more func(builder)
		want string // empty: it compiles
	}{
		"sound": {func(b builder) {
			b.Edge(graph.Start, "A", "B")
			b.Join("C", "A", "B")
			b.Route("C", nothing, graph.Branch{Label: "again", To: []string{"A", "B"}, Max: 1}, branch("on", "D"))
			b.Edge("D", graph.End)
		}, ""},
		"unreachable node": {func(b builder) {
			b.Edge(graph.Start, "A", "B", "C")
			for _, n := range []string{"A", "B", "C", "D"} {
				b.Edge(n, graph.End)
			}
		}, `node "D" can never run`},
		// The route may go round B; then D would wait for it and the run would
		// end early without a word.
		"join routed around": {func(b builder) {
			b.Edge(graph.Start, "A", "C")
			b.Route("A", nothing, branch("all", "B"), branch("skip", graph.End))
			b.Join("D", "B", "C")
			b.Edge("D", graph.End)
		}, `join "D" can wait for ever: C arrived, of B, C`},
		"loop that brings back one member only": {func(b builder) {
			b.Edge(graph.Start, "A", "B")
			b.Join("C", "A", "B")
			b.Route("C", nothing, graph.Branch{Label: "again", To: []string{"A"}, Max: 1}, branch("on", "D"))
			b.Edge("D", graph.End)
		}, `join "C" can wait for ever: A arrived, of A, B`},
		"join that waits for what follows it": {func(b builder) {
			b.Edge(graph.Start, "A", "C")
			b.Join("B", "A", "D")
			b.Edge("B", "D")
			b.Edge("C", graph.End)
		}, `join "B" can wait for ever: A arrived, of A, D`},
		"loop without bound": {func(b builder) {
			b.Edge(graph.Start, "A", "D")
			b.Edge("A", "B")
			b.Edge("B", "C")
			b.Route("C", nothing, branch("again", "B"), branch("on", graph.End))
			b.Edge("D", graph.End)
		}, `loop B -> C -> B has no bound`},
		"loop of plain edges": {func(b builder) {
			b.Edge(graph.Start, "A", "B")
			b.Edge("A", "C")
			b.Edge("C", "D")
			b.Edge("D", "A")
			b.Edge("B", graph.End)
		}, `loop A -> C -> D -> A has no bound`},
		"one bound is enough": {func(b builder) {
			b.Edge(graph.Start, "A", "D")
			b.Edge("A", "B")
			b.Edge("B", "C")
			b.Route("C", nothing, graph.Branch{Label: "again", To: []string{"B"}, Max: 3}, branch("on", graph.End))
			b.Edge("D", graph.End)
		}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := build(tt.more)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("want %q\ngot  %v", tt.want, err)
			}
		})
	}
}

func TestCompileReportsAll(t *testing.T) {
	_, err := build(func(b builder) { b.Edge("A", "X"); b.Edge("Y", "B") })
	for _, want := range []string{`"X"`, `"Y"`, "no edge from Start", `"C" leads nowhere`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s is missing in: %v", want, err)
		}
	}
}

// A graph with more ways than can be walked is refused, not walked.
func TestCompileGivesUp(t *testing.T) {
	b := graph.New[lines]("wide")
	for i := range 13 {
		n := fmt.Sprintf("N%d", i)
		b.Node(n, say(n), graph.Policy{})
		b.Edge(graph.Start, n)
		b.Route(n, nothing, branch("x", graph.End), branch("y", "Z"))
	}
	b.Node("Z", say("Z"), graph.Policy{})
	b.Edge("Z", graph.End)
	if _, err := b.Compile(); err == nil || !strings.Contains(err.Error(), "more than 4096 ways to leave N0, N1") {
		t.Error(err)
	}
}

// A compiled graph changes neither with its builder nor with what it was given.
func TestCompileSeals(t *testing.T) {
	b := graph.New[lines]("g")
	members, target := []string{"A", "B"}, []string{graph.End}
	for _, n := range []string{"A", "B", "C"} {
		b.Node(n, say(n), graph.Policy{})
	}
	b.Edge(graph.Start, "A", "B")
	b.Join("C", members...)
	b.Route("C", func(lines) string { return "x" }, graph.Branch{Label: "x", To: target})
	g := compiled(t, b)
	was := g.Topology()
	members[0], target[0] = "C", "A"
	b.Node("D", say("D"), graph.Policy{})
	b.Edge(graph.Start, "D")
	b.Edge("D", graph.End)
	if g.Topology() != was {
		t.Error("the graph changed")
	}
	if out := finish(t, &graph.Local[lines]{Graph: g}, lines{}); strings.Join(out.Lines, "") != "ABC" {
		t.Error(out)
	}
}

func TestTopology(t *testing.T) {
	digest := func(more func(builder)) string {
		b := graph.New[lines]("g")
		b.Node("A", say("A"), graph.Policy{})
		b.Node("B", say("B"), graph.Policy{})
		b.Edge(graph.Start, "A")
		more(b)
		return compiled(t, b).Topology()
	}
	plain := digest(func(b builder) { b.Edge("A", "B"); b.Edge("B", graph.End) })
	for name, other := range map[string]string{
		"route": digest(func(b builder) { b.Route("A", nothing, branch("x", "B")); b.Edge("B", graph.End) }),
		"label": digest(func(b builder) { b.Route("A", nothing, branch("y", "B")); b.Edge("B", graph.End) }),
		"join":  digest(func(b builder) { b.Join("B", "A"); b.Edge("B", graph.End) }),
	} {
		if other == plain {
			t.Errorf("%s: same topology", name)
		}
	}
	if again := digest(func(b builder) { b.Edge("A", "B"); b.Edge("B", graph.End) }); again != plain {
		t.Error("the same graph has another topology")
	}
	type wider struct {
		Lines []string `json:"lines,omitzero" reduce:"append"`
		More  int      `json:"more,omitzero" reduce:"last"`
	}
	b := graph.New[wider]("g")
	none := func(context.Context, wider) (wider, error) { return wider{}, nil }
	b.Node("A", none, graph.Policy{})
	b.Node("B", none, graph.Policy{})
	b.Edge(graph.Start, "A")
	b.Edge("A", "B")
	b.Edge("B", graph.End)
	if compiled(t, b).Topology() == plain {
		t.Error("another state has the same topology")
	}
}
