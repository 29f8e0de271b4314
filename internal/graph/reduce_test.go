package graph_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/graph"
)

// notes has every reducer that a field can have.
type notes struct {
	Given  string                `json:"given,omitzero"`
	Table  map[string][]Evidence `json:"table,omitzero" reduce:"merge"`
	List   []Evidence            `json:"list,omitzero" reduce:"merge"`
	Voices []Opinion             `json:"voices,omitzero" reduce:"upsert"`
	Marks  map[string]int        `json:"marks,omitzero" reduce:"upsert"`
	Log    []string              `json:"log,omitzero" reduce:"append"`
	Final  int                   `json:"final,omitzero" reduce:"last"`
}

// fold gives patches to the reducers: those of one inner list in one step.
func fold(t *testing.T, in notes, steps ...[]notes) (notes, error) {
	t.Helper()
	b := graph.New[notes]("fold")
	prev := graph.Start
	none := func(context.Context, notes) (notes, error) { return notes{}, nil }
	for i, step := range steps {
		name := fmt.Sprintf("N%d", i)
		graph.Map(b, name, func(notes) []int { return make([]int, len(step)) },
			func(context.Context, notes, int) (notes, error) { return notes{}, nil }, graph.Policy{})
		b.Edge(prev, name)
		prev = name
	}
	b.Node("Last", none, graph.Policy{})
	b.Edge(prev, "Last")
	b.Edge("Last", graph.End)
	return compiled(t, b).Drive(in, func(s graph.Step[notes]) ([]graph.Outcome[notes], error) {
		out := make([]graph.Outcome[notes], len(s.Tasks))
		for i, task := range s.Tasks {
			if task.Node != "Last" {
				out[i].Patch = steps[s.N][i]
			}
		}
		return out, nil
	})
}

func must(t *testing.T) func(notes, error) notes {
	return func(n notes, err error) notes {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

func found(es ...Evidence) notes {
	return notes{Table: map[string][]Evidence{"c": es}, List: es}
}

// A dictionary update would leave the list of one detective alone.
func TestMergeKeepsBothDetectives(t *testing.T) {
	a, b := Evidence{ID: "a", Rationale: "x"}, Evidence{ID: "b", Rationale: "y"}
	got := must(t)(fold(t, notes{}, []notes{found(b), found(a)}))
	if diff := cmp.Diff(found(a, b), got); diff != "" {
		t.Error(diff)
	}
}

// Of several accounts with one key the first in the type's order stands,
// whenever it came.
func TestMergeTie(t *testing.T) {
	at := func(confidence int) Evidence { return Evidence{ID: "a", Confidence: confidence} }
	got := must(t)(fold(t, notes{}, []notes{found(at(30), at(90)), found(at(50))}, []notes{found(at(10))}))
	if diff := cmp.Diff(found(at(90)), got); diff != "" {
		t.Error(diff)
	}
	// JSON text breaks a tie of the order itself.
	x, y := Evidence{ID: "a", Rationale: "x"}, Evidence{ID: "a", Rationale: "y"}
	got = must(t)(fold(t, notes{}, []notes{found(y)}, []notes{found(x)}))
	if diff := cmp.Diff(found(x), got); diff != "" {
		t.Error(diff)
	}
}

// FuzzReducers checks the laws that parallel tasks rely on.
func FuzzReducers(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{3, 4}, []byte{1})
	f.Add([]byte{0, 64, 128, 192}, []byte{255, 7, 8}, []byte{})
	f.Add([]byte{}, []byte{}, []byte{9, 9, 73, 137})
	f.Fuzz(func(t *testing.T, x, y, z []byte) {
		if len(x)+len(y)+len(z) > 60 {
			t.Skip("more elements show no more")
		}
		a, b, c := notesOf(x), notesOf(y), notesOf(z)
		all := must(t)(fold(t, notes{}, []notes{a, b, c}))
		for name, got := range map[string]notes{
			"commutative":               must(t)(fold(t, notes{}, []notes{c, b, a})),
			"commutative between steps": must(t)(fold(t, notes{}, []notes{b}, []notes{a}, []notes{c})),
			"associative to the left":   must(t)(fold(t, notes{}, []notes{a, b}, []notes{c})),
			"associative to the right":  must(t)(fold(t, notes{}, []notes{a}, []notes{b, c})),
			"idempotent":                must(t)(fold(t, all, []notes{all, b}, []notes{all}, []notes{c})),
			"neutral":                   must(t)(fold(t, all, []notes{{}, {Table: map[string][]Evidence{}, Voices: []Opinion{}}})),
			"order of elements":         must(t)(fold(t, notes{}, []notes{backwards(a), backwards(b), backwards(c)})),
		} {
			if text(t, got) != text(t, all) {
				t.Errorf("%s:\n%s\n%s", name, text(t, got), text(t, all))
			}
		}
	})
}

// notesOf makes few keys and many accounts of each for merge. What it has for
// upsert agrees wherever keys do: there, one key has one writer.
func notesOf(b []byte) notes {
	n := notes{Table: map[string][]Evidence{}, Marks: map[string]int{}}
	for _, x := range b {
		e := Evidence{ID: string('a' + rune(x/2%4)), Confidence: int(x / 8 % 4), Rationale: string('p' + rune(x/64))}
		key := string('c' + rune(x%2))
		n.Table[key] = append(n.Table[key], e)
		n.List = append(n.List, e)
		n.Voices = append(n.Voices, Opinion{Judge: "J", Criterion: fmt.Sprint(x), Score: int(x) % 5})
		n.Marks[fmt.Sprint(x%16)] = int(x%16) + 1
	}
	return n
}

func backwards(n notes) notes {
	n.List, n.Voices = slices.Clone(n.List), slices.Clone(n.Voices)
	slices.Reverse(n.List)
	slices.Reverse(n.Voices)
	table := map[string][]Evidence{}
	for k, l := range n.Table {
		table[k] = slices.Clone(l)
		slices.Reverse(table[k])
	}
	n.Table = table
	return n
}

func voice(judge, criterion string, score int) notes {
	return notes{
		Voices: []Opinion{{Judge: judge, Criterion: criterion, Score: score}},
		Marks:  map[string]int{judge + criterion: score},
	}
}

// A later step replaces what has the same key, and nothing else.
func TestUpsertReplaces(t *testing.T) {
	first := must(t)(fold(t, notes{}, []notes{voice("P", "c2", 1), voice("D", "c2", 5), voice("T", "c1", 3)}))
	got := must(t)(fold(t, first, []notes{voice("D", "c2", 4)}))
	want := notes{
		Voices: []Opinion{{Judge: "T", Criterion: "c1", Score: 3}, {Judge: "D", Criterion: "c2", Score: 4}, {Judge: "P", Criterion: "c2", Score: 1}},
		Marks:  map[string]int{"Pc2": 1, "Dc2": 4, "Tc1": 3},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAppendKeepsOrder(t *testing.T) {
	log := func(s string) notes { return notes{Log: []string{s}} }
	got := must(t)(fold(t, notes{Log: []string{"in"}}, []notes{log("b"), log("a")}, []notes{log("c"), log("a")}))
	if strings.Join(got.Log, " ") != "in b a c a" {
		t.Error(got.Log)
	}
}

// An earlier state keeps what it had: steps share no memory that changes.
func TestFoldLeavesEarlierStates(t *testing.T) {
	b := graph.New[notes]("fold")
	for _, n := range []string{"A", "B"} {
		b.Node(n, func(context.Context, notes) (notes, error) { return notes{}, errors.New("not called") }, graph.Policy{})
	}
	b.Edge(graph.Start, "A")
	b.Edge("A", "B")
	b.Edge("B", graph.End)
	e := func(id string) []Evidence { return append(make([]Evidence, 0, 8), Evidence{ID: id}) }
	var before []string
	var states []notes
	_, err := compiled(t, b).Drive(notes{Log: []string{"in"}, List: e("m"), Table: map[string][]Evidence{"c": e("m")}},
		func(s graph.Step[notes]) ([]graph.Outcome[notes], error) {
			states, before = append(states, s.State), append(before, text(t, s.State))
			patch := notes{Log: append(make([]string, 0, 8), "x"), List: e("a"), Table: map[string][]Evidence{"c": e("z"), "d": e("z")},
				Voices: []Opinion{{Judge: fmt.Sprint(s.N)}}, Marks: map[string]int{"k": s.N + 1}}
			return []graph.Outcome[notes]{{Patch: patch}}[:len(s.Tasks)], nil
		})
	if err != nil {
		t.Fatal(err)
	}
	for i := range states {
		if text(t, states[i]) != before[i] {
			t.Errorf("state %d changed to %s", i, text(t, states[i]))
		}
	}
}
