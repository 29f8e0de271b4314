package graph_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/graph"
)

// A node that changes the state it was given is found, and named.
func TestStrict(t *testing.T) {
	b := graph.New[State]("strict")
	b.Node("Honest", aggregate, graph.Policy{})
	b.Node("Vandal", func(_ context.Context, s State) (State, error) {
		s.Evidences["c"][0].Confidence = 0
		return State{}, nil
	}, graph.Policy{})
	b.Edge(graph.Start, "Honest", "Vandal")
	b.Edge("Honest", graph.End)
	b.Edge("Vandal", graph.End)
	in := State{Evidences: map[string][]Evidence{"c": {{ID: "a", Confidence: 1}}}}
	_, err := (&graph.Local[State]{Graph: compiled(t, b), Strict: true}).Run(t.Context(), in)
	if err == nil || err.Error() != "running graph strict: 000/Vandal changed the state it was given" {
		t.Error(err)
	}
	if in.Evidences["c"][0].Confidence != 1 {
		t.Error("the caller's input changed")
	}
}

// A patch that is not JSON is its node's failure.
func TestPatchNotJSON(t *testing.T) {
	type number struct {
		N     float64  `json:"n,omitzero" reduce:"last"`
		Lines []string `json:"lines,omitzero" reduce:"append"`
	}
	b := graph.New[number]("nan")
	b.Node("A", func(context.Context, number) (number, error) { return number{N: math.NaN()}, nil }, graph.Policy{})
	b.Edge(graph.Start, "A")
	b.Edge("A", graph.End)
	b.OnFailure(func(_ graph.Task, why string) number { return number{Lines: []string{why}} })
	g, j, seen := compiled(t, b), &memory{}, count{}
	for range 2 {
		out := finish(t, &graph.Local[number]{Graph: g, Journal: j, Observe: seen.event}, number{})
		if len(out.Lines) != 1 || !strings.HasPrefix(out.Lines[0], "encoding the patch: ") {
			t.Error(out)
		}
	}
	if seen[graph.Failed] != 1 || seen[graph.Replayed] != 1 {
		t.Error(seen)
	}
	if _, err := (&graph.Local[number]{Graph: g}).Run(t.Context(), number{N: math.Inf(1)}); err == nil || !strings.Contains(err.Error(), "encoding the input") {
		t.Error(err)
	}
}

type shy struct {
	Said   string `json:"said"`
	secret string
}

// Nothing enters the state but what went through JSON: neither of the input,
// nor of patches, nor of failures.
func TestStateIsJSON(t *testing.T) {
	type state struct {
		Given shy   `json:"given"`
		Told  []shy `json:"told,omitzero" reduce:"append"`
	}
	b := graph.New[state]("shy")
	tell := func(s string) []shy { return []shy{{Said: s, secret: s}} }
	b.Node("A", func(context.Context, state) (state, error) { return state{Told: tell("a")}, nil }, graph.Policy{})
	b.Node("B", func(context.Context, state) (state, error) { return state{}, errClone }, graph.Policy{})
	b.OnFailure(func(graph.Task, string) state { return state{Told: tell("b")} })
	b.Edge(graph.Start, "A", "B")
	b.Edge("A", graph.End)
	b.Edge("B", graph.End)
	out := finish(t, &graph.Local[state]{Graph: compiled(t, b)}, state{Given: tell("in")[0]})
	for _, s := range append(out.Told, out.Given) {
		if s.Said == "" || s.secret != "" {
			t.Errorf("%+v", s)
		}
	}
	if len(out.Told) != 2 {
		t.Error(out)
	}
}

// Nodes of one step that append to a list of the state, each for itself, do
// not write into one array: no list of a state has room behind its end.
func TestStateHasNoSpareRoom(t *testing.T) {
	type box struct {
		Any    any                 `json:"any,omitzero" reduce:"last"`
		Given  []string            `json:"given"`
		Nested *Agenda             `json:"nested,omitzero" reduce:"last"`
		Lists  [1][][]int          `json:"lists,omitzero" reduce:"last"`
		Table  map[string]Agenda   `json:"table,omitzero" reduce:"upsert"`
		Log    []string            `json:"log,omitzero" reduce:"append"`
		Seen   []Evidence          `json:"seen,omitzero" reduce:"merge"`
		More   map[string][]string `json:"more,omitzero" reduce:"upsert"`
	}
	five := []string{"1", "2", "3", "4", "5"}
	b := graph.New[box]("box")
	b.Node("A", func(context.Context, box) (box, error) {
		list := []any{1, 2, 3, 4, 5}
		return box{
			Any: map[string]any{"k": list}, Nested: &Agenda{Criteria: five}, Lists: [1][][]int{{{1, 2, 3, 4, 5}}}, Log: five,
			Table: map[string]Agenda{"k": {Criteria: five}}, Seen: []Evidence{{ID: "a"}, {ID: "b"}, {ID: "a"}}, More: map[string][]string{"k": five},
		}, nil
	}, graph.Policy{})
	room := func(_ context.Context, s box) (box, error) {
		listed := s.Any.(map[string]any)["k"].([]any)
		caps := []int{cap(s.Given), cap(listed), cap(s.Nested.Criteria), cap(s.Lists[0]), cap(s.Lists[0][0]),
			cap(s.Table["k"].Criteria), cap(s.More["k"]), cap(s.Log) - len(s.Log) + 5, cap(s.Seen) + 3}
		if want := []int{5, 5, 5, 1, 5, 5, 5, 5, 5}; !slices.Equal(caps, want) {
			t.Errorf("capacities %v, want %v", caps, want)
		}
		return box{Log: five[:1]}, nil
	}
	b.Node("B", room, graph.Policy{})
	b.Node("C", room, graph.Policy{})
	b.Edge(graph.Start, "A")
	b.Edge("A", "B")
	b.Edge("B", "C")
	b.Edge("C", graph.End)
	g, j := compiled(t, b), &memory{}
	for _, strict := range []bool{false, true} {
		finish(t, &graph.Local[box]{Graph: g, Strict: strict}, box{Given: five})
	}
	finish(t, &graph.Local[box]{Graph: g, Journal: j}, box{Given: five})
	j.recs = j.recs[:2]
	finish(t, &graph.Local[box]{Graph: g, Journal: j}, box{Given: five}) // A is replayed
}
