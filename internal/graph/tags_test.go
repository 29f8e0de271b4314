package graph_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/graph"
)

func TestReducersRefuse(t *testing.T) {
	for want, patches := range map[string][]notes{
		`state field Voices: two writers of "c/0/D" in one step`: {{Voices: voice("D", "c", 4).Voices}, {Voices: voice("D", "c", 5).Voices}},
		`state field Marks: two writers of "k" in one step`:      {{Marks: map[string]int{"k": 1}}, {Marks: map[string]int{"k": 2}}},
		"state field Final: two writers in one step":             {{Final: 1}, {Final: 1}},
		"state field Given: is input only":                       {{Given: "x"}},
	} {
		for range 2 {
			got, err := fold(t, notes{Given: "y"}, []notes{{Log: []string{"whole"}}}, patches)
			if err == nil || !strings.Contains(err.Error(), "uniting step 1: reducing: "+want) {
				t.Errorf("want %s, got %v", want, err)
			}
			if got.Given != "y" || len(got.Log) != 1 {
				t.Error("not the state after the last whole step", got)
			}
			slices.Reverse(patches)
		}
	}
}

type touchy struct{ ID string }

func (p touchy) Key() string {
	if p.ID == "" {
		panic("no identity")
	}
	return p.ID
}

// A Key that panics is an error of the run, not the end of the process.
func TestReducerPanics(t *testing.T) {
	type state struct {
		List []touchy `reduce:"merge"`
	}
	b := graph.New[state]("touchy")
	b.Node("A", func(context.Context, state) (state, error) { return state{List: []touchy{{}}}, nil }, graph.Policy{})
	b.Edge(graph.Start, "A")
	b.Edge("A", graph.End)
	_, err := (&graph.Local[state]{Graph: compiled(t, b)}).Run(t.Context(), state{})
	if err == nil || !strings.Contains(err.Error(), "uniting step 0: reducing: panic: no identity") {
		t.Error(err)
	}
}

func TestStateTypes(t *testing.T) {
	for want, err := range map[string]error{
		`field M: reducer "merge" does not fit map[string][]string`: stateOf[struct {
			M map[string][]string `reduce:"merge"`
		}](),
		`field M: reducer "merge" does not fit map[string]int`: stateOf[struct {
			M map[string]int `reduce:"merge"`
		}](),
		`field U: reducer "upsert" does not fit []string`: stateOf[struct {
			U []string `reduce:"upsert"`
		}](),
		`field U: reducer "upsert" does not fit map[int]string`: stateOf[struct {
			U map[int]string `reduce:"upsert"`
		}](),
		`field A: reducer "append" does not fit string`: stateOf[struct {
			A string `reduce:"append"`
		}](),
		`field A: reducer "add" does not fit []string`: stateOf[struct {
			A []string `reduce:"add"`
		}](),
		`field A: reducer "" does not fit []string`: stateOf[struct {
			A []string `reduce:""`
		}](),
		"field s: not exported": stateOf[struct{ s string }](),
		"field S: not in JSON": stateOf[struct {
			S string `json:"-"`
		}](),
		`field B: shares the JSON name "a"`: stateOf[struct {
			A string
			B string `json:"a"`
		}](),
		"field Evidence: embedded": stateOf[struct{ Evidence }](),
		"unsupported type: func":   stateOf[struct{ F func() }](),
		"is not a struct":          stateOf[map[string]string](),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s, got %v", want, err)
		}
	}
}

func stateOf[S any]() error {
	b := graph.New[S]("g")
	b.Node("A", func(context.Context, S) (s S, err error) { return s, nil }, graph.Policy{})
	b.Edge(graph.Start, "A")
	b.Edge("A", graph.End)
	_, err := b.Compile()
	return err
}
