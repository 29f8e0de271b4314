package graph_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/graph"
)

// TestDrive runs the machine by hand: it asks for the same steps whenever it is
// given the same outcomes, and keeps nothing between runs.
func TestDrive(t *testing.T) {
	g := audit(t, fake())
	steps := func() (ids []string) {
		_, err := g.Drive(docket(2), func(s graph.Step[State]) ([]graph.Outcome[State], error) {
			out := make([]graph.Outcome[State], len(s.Tasks))
			for i, task := range s.Tasks {
				ids = append(ids, task.ID())
				p, err := g.Do(t.Context(), task, s.State)
				if err != nil {
					return nil, err
				}
				out[i].Patch = p
			}
			return out, nil
		})
		if err != nil {
			t.Error(err)
		}
		return ids
	}
	// The hashes are of the JSON texts "c00" and "c01x".
	want := []string{
		"000/RepoInvestigator", "000/DocAnalyst", "000/VisionInspector", "001/EvidenceAggregator",
		"002/Prosecutor/000-f33bb894", "002/Prosecutor/001-f930e6b6", "002/Defense/000-f33bb894", "002/Defense/001-f930e6b6",
		"002/TechLead/000-f33bb894", "002/TechLead/001-f930e6b6", "003/ChiefJustice",
		"004/RepoInvestigator", "004/DocAnalyst", "004/VisionInspector", "005/EvidenceAggregator",
		"006/Prosecutor/000-f33bb894", "006/Defense/000-f33bb894", "006/TechLead/000-f33bb894", "007/ChiefJustice",
	}
	for range 2 {
		if diff := cmp.Diff(want, steps()); diff != "" {
			t.Error(diff)
		}
	}
}

// Drive, given outcomes in its caller's own way, ends where Local does.
func TestDriveAgreesWithLocal(t *testing.T) {
	g := audit(t, fake())
	got, err := g.Drive(docket(5), func(s graph.Step[State]) ([]graph.Outcome[State], error) {
		out := make([]graph.Outcome[State], len(s.Tasks))
		for i, task := range slices.Backward(s.Tasks) {
			p, err := g.Do(t.Context(), task, s.State)
			if err != nil {
				return nil, err
			}
			out[i].Patch = p
		}
		return out, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(finish(t, &graph.Local[State]{Graph: g}, docket(5)), got); diff != "" {
		t.Error(diff)
	}
}

func TestDriveRefuses(t *testing.T) {
	g := audit(t, fake())
	var states int
	_, err := g.Drive(docket(1), func(graph.Step[State]) ([]graph.Outcome[State], error) {
		states++
		return make([]graph.Outcome[State], 2), nil
	})
	if err == nil || err.Error() != "uniting step 0: 2 outcomes for 3 tasks" || states != 1 {
		t.Error(err, states)
	}
	half := one(t, flaky(2), graph.Policy{})
	if patch, err := half.Do(t.Context(), graph.Task{Node: "A"}, lines{}); err == nil || patch.Lines != nil {
		t.Error("a failed attempt left a patch", patch, err)
	}
	if _, err := g.Do(t.Context(), graph.Task{Node: "Nobody"}, State{}); err == nil || err.Error() != `unknown node "Nobody"` {
		t.Error(err)
	}
	if _, err := g.Do(t.Context(), graph.Task{Node: "Defense", Item: []byte(`{}`)}, State{}); err == nil || !hasPrefix(err, "decoding the item: ") {
		t.Error(err)
	}
}

func TestRoutes(t *testing.T) {
	type path = []graph.Choice
	hear, again := graph.Choice{From: "EvidenceAggregator", Label: "hear"}, graph.Choice{From: "ChiefJustice", Label: "re-evaluate"}
	settled, lost := graph.Choice{From: "ChiefJustice", Label: "settled"}, graph.Choice{From: "EvidenceAggregator", Label: "mistrial"}
	tests := map[string]struct {
		spoil  func(*chambers)
		in     State
		want   path
		faults int
	}{
		"nothing to hear":    {func(*chambers) {}, docket(0), path{lost}, 1},
		"one round":          {func(*chambers) {}, State{Criteria: []string{"even"}}, path{hear, settled}, 0},
		"two rounds":         {func(*chambers) {}, docket(2), path{hear, again, hear, settled}, 0},
		"one detective left": {func(c *chambers) { c.repo, c.doc = broken, panics }, docket(1), path{hear, again, hear, settled}, 2 * 2},
		"no detective left":  {func(c *chambers) { c.repo, c.doc, c.vision = broken, broken, broken }, docket(2), path{lost}, 3 + 2 + 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake()
				tt.spoil(&c)
				var got path
				out := finish(t, &graph.Local[State]{Graph: audit(t, c), Strict: true, Observe: func(e graph.Event) {
					if e.Kind == graph.Routed {
						got = append(got, e.Choice)
					}
				}}, tt.in)
				if diff := cmp.Diff(tt.want, got); diff != "" || len(out.Faults) != tt.faults {
					t.Error(diff, out.Faults)
				}
			})
		})
	}
}

// Functions of the description that panic or break their word end the run with
// an error, not the process.
func TestBadFunctions(t *testing.T) {
	choice := func(label string) func(lines) string { return func(lines) string { return label } }
	items := func(lines) []int { return []int{1} }
	for want, tt := range map[string]struct {
		choose func(lines) string
		items  func(lines) []int
		ran    int
	}{
		`leaving step 0: routing from A: panic: runtime error: index out`: {func(l lines) string { return l.Lines[99] }, items, 1},
		`leaving step 0: A chose "x", which is none of its branches`:      {choice("x"), items, 1},
		`leaving step 2: A chose "again" more than 2 times`:               {choice("again"), items, 3},
		`preparing step 1: splitting M: panic: no list`:                   {choice("on"), func(lines) []int { panic("no list") }, 1},
	} {
		b := graph.New[lines]("bad")
		b.Node("A", say("A"), graph.Policy{})
		graph.Map(b, "M", tt.items, func(context.Context, lines, int) (lines, error) { return lines{}, nil }, graph.Policy{})
		b.Edge(graph.Start, "A")
		b.Route("A", tt.choose, graph.Branch{Label: "again", To: []string{"A"}, Max: 2}, branch("on", "M"))
		b.Edge("M", graph.End)
		out, err := (&graph.Local[lines]{Graph: compiled(t, b)}).Run(t.Context(), lines{})
		if err == nil || !hasPrefix(err, "running graph bad: "+want) || len(out.Lines) != tt.ran {
			t.Errorf("want %s, got %v, %v", want, err, out)
		}
	}
	b := graph.New[lines]("bad")
	b.Node("A", func(context.Context, lines) (lines, error) { return lines{}, errClone }, graph.Policy{})
	b.Edge(graph.Start, "A")
	b.Edge("A", graph.End)
	b.OnFailure(func(graph.Task, string) lines { panic("no words") })
	_, err := (&graph.Local[lines]{Graph: compiled(t, b)}).Run(t.Context(), lines{})
	if !hasPrefix(err, "running graph bad: uniting step 0: handling the failure of 000/A: panic: no words") {
		t.Error(err)
	}
}

// A map without items counts as run: its join does not wait for it. Two equal
// items are two tasks. An item that is not JSON is an error.
func TestMapItems(t *testing.T) {
	for name, tt := range map[string]struct {
		items []any
		want  string // of the lines, or of the error
	}{
		"none":     {nil, "end"},
		"equal":    {[]any{"x", "x", "y"}, "x x y end"},
		"not JSON": {[]any{"x", make(chan int)}, "preparing step 0: splitting A: encoding item 1: json: unsupported type: chan int"},
	} {
		b := graph.New[lines]("items")
		graph.Map(b, "A", func(lines) []any { return tt.items },
			func(_ context.Context, _ lines, s any) (lines, error) { return lines{Lines: []string{s.(string)}}, nil }, graph.Policy{})
		b.Node("B", say("end"), graph.Policy{})
		b.Edge(graph.Start, "A")
		b.Join("B", "A")
		b.Edge("B", graph.End)
		out, err := (&graph.Local[lines]{Graph: compiled(t, b), Journal: &memory{}}).Run(t.Context(), lines{})
		got := strings.Join(out.Lines, " ")
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "running graph items: ")
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// Without a join, a node that two nodes of one step lead to runs once after
// them, and again when a later step leads to it. Tasks are in the order in
// which nodes were declared, not edges.
func TestEdgesWithoutJoin(t *testing.T) {
	g, err := build(func(b builder) {
		b.Edge(graph.Start, "B", "A")
		b.Edge("A", "D", "C")
		b.Edge("B", "D")
		b.Edge("C", "D")
		b.Edge("D", graph.End)
	})
	if err != nil {
		t.Fatal(err)
	}
	if out := finish(t, &graph.Local[lines]{Graph: g}, lines{}); strings.Join(out.Lines, "") != "ABCDD" {
		t.Error(out.Lines)
	}
}
