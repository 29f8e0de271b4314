package agentgraph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestErrorRoutes(t *testing.T) {
	tests := map[string]struct{ graph, want string }{
		"aggregator to END": {`START -> repo
repo -> agg
agg ? judge | END
judge -> chief`, "agg [__end__] [aggregator] 0"},
		"detective to a handler": {`START -> repo
repo ? agg | handler
agg -> judge`, "repo [handler] [detective] 0"},
		"judge to a handler": {`START -> judge
judge ? chief | handler`, "judge [handler] [judge] 0"},
		"bypassed by an edge": {`START -> agg
agg -> defense
agg ? prosecutor | END`, "agg [__end__] [aggregator] 1"},
		"bypassed by a second route": {`START -> repo
repo -> agg
agg ? gate | handler
agg ? judge | wait
gate -> judge`, "agg [handler] [aggregator] 1; agg [wait] [aggregator] 1"},
		"a worker that may be skipped": {`START -> repo
START ? doc | handler
repo -> agg
doc -> agg
handler -> agg
agg -> judge
judge -> chief`, "__start__ [handler] [detective] 0"},
		"an escape that leads to the same court": {`START -> repo doc
START ? vision | handler
repo -> agg
doc -> agg
vision -> agg
handler -> agg
agg -> judge
judge -> chief`, "__start__ [handler] [detective] 0"},
		"an escape that leads to the chief only": {`START -> agg
agg -> judge
agg ? prosecutor | handler
judge -> chief
prosecutor -> chief
handler -> chief`, "agg [handler] [aggregator] 1"},
		"a repair before the chief": {`START -> judge
judge -> barrier
barrier ? chief | handler
handler -> chief`, "barrier [handler] [judge] 0"},
		"a way that leads nowhere": {`START -> agg
agg ? judge | stop
stop -> END`, "agg [stop] [aggregator] 0"},
		"the way back is not the normal course": {`START -> agg
agg -> judge
judge -> chief
chief ? agg | END`, ""},
		"a tool loop": {`START -> agent
agent ? tools | END
tools -> agent`, ""},
		"both ways escape": {`START -> chief
chief ? END | handler`, ""},
		"dead escape": {`START -> agg
agg ? judge
agg ! handler`, ""},
		"never reached": {`START -> repo
agg ? judge | END`, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			routes, complete := sketch(t, tt.graph).ErrorRoutes()
			var got []string
			for _, r := range routes {
				got = append(got, fmt.Sprint(r.Route.From, " ", r.Escape, " ", r.Covers, " ", len(r.Bypass)))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" || !complete {
				t.Errorf("complete %v (-want +got):\n%s", complete, diff)
			}
		})
	}
	if _, complete := (&Graph{Unresolved: []Unresolved{{Route: true}}}).ErrorRoutes(); complete {
		t.Error("complete although a route is unresolved")
	}
}

func TestFlaws(t *testing.T) {
	decorative := (*Graph).Decorative
	dead := (*Graph).DeadTargets
	double := (*Graph).DoubleTrigger
	starved := (*Graph).StarvedJoin
	unreachable := (*Graph).Unreachable
	tests := map[string]struct {
		ask   func(*Graph) Answer
		graph string
		want  string
	}{
		"decorative":                 {decorative, "START -> a\na ? b", "yes [a b]"},
		"decorative after mapping":   {decorative, "START -> a\na ? b\na ! c", "yes [a b]"},
		"not decorative":             {decorative, "START -> a\na ? b | c", "no"},
		"one Send target":            {decorative, "START -> a\na * b", "no"},
		"decorative, not read":       {decorative, "START -> a\na ?? b", "unknown"},
		"not decorative, not read":   {decorative, "START -> a\na ?? b c", "no"},
		"dead":                       {dead, "START -> a\na ? b\na ! c", "yes [a c]"},
		"not dead":                   {dead, "START -> a\na ? b", "no"},
		"double trigger":             {double, "START -> a b\na -> c\nc -> z\nb -> z", "yes [z c b]"},
		"double trigger over routes": {double, "START -> a b\na ? z | c\nc -> z\nb -> z", "yes [z c b]"},
		"same length":                {double, "START -> a b\na -> z\nb -> z", "no"},
		"barrier":                    {double, "START -> a b\na -> c\nc+b => z", "no"},
		"deferred":                   {double, "START -> a b\na -> c\nc -> z\nb -> z\ndefer z", "no"},
		"alternatives":               {double, "START -> s\ns ? a | z\na -> z", "no"},
		"ways meet before":           {double, "START -> a b\na -> c\nb -> c\nc ? d | z\nd -> z", "no"},
		"starved":                    {starved, "START -> s\ns -> b\ns ? a | END\na+b => z", "yes [z a b]"},
		"both or none":               {starved, "START -> s\ns ? a&b | END\na+b => z", "no"},
		"alternatives starve":        {starved, "START -> s\ns ? a | b\na+b => z", "yes [z a b]"},
		"all certain":                {starved, "START -> a b\na+b => z", "no"},
		"skipped in the middle":      {starved, "START -> s b\ns ? t | END\nt -> a\na+b => z", "yes [z a b]"},
		"source never reached":       {starved, "START -> a\na+b => z", "yes [z b a]"},
		"unreachable":                {unreachable, "START -> a\nb -> a", "yes [b]"},
		"unreachable, unresolved":    {unreachable, "START -> a\nb -> a\nunresolved a _", "unknown"},
		"reachable":                  {unreachable, "START -> a\na ? b | END", "no"},
		"behind a dead target":       {unreachable, "START -> a\na ? END\na ! b", "yes [b]"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g := sketch(t, tt.graph)
			if diff := cmp.Diff(tt.want, said(tt.ask(g))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnboundedLoops(t *testing.T) {
	const loop = "START -> a\na -> b\nb ? a | END"
	tests := map[string]struct {
		graph  string
		change func(*Graph)
		want   string
	}{
		"no loop":        {"START -> a\na -> END", nil, "no"},
		"plain":          {"START -> a\na -> b\nb -> a", nil, "yes [a b]"},
		"router unread":  {loop, nil, "unknown"},
		"compares":       {loop, func(g *Graph) { read(g, "n"); write(g, "a", "n") }, "no"},
		"never changed":  {loop, func(g *Graph) { read(g, "n"); write(g, "a", "m") }, "yes [a b]"},
		"changed beside": {loop + "\nSTART -> c", func(g *Graph) { read(g, "n"); write(g, "c", "n") }, "yes [a b]"},
		"whole state":    {loop, func(g *Graph) { read(g, "n"); write(g, "a", "") }, "yes [a b]"},
		"opaque node":    {loop, func(g *Graph) { read(g, "n"); g.Node("b").Opaque = true }, "unknown"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g := sketch(t, tt.graph)
			if tt.change != nil {
				tt.change(g)
			}
			if diff := cmp.Diff(tt.want, said(g.UnboundedLoops())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func read(g *Graph, keys ...string) {
	g.Routes[0].Source = "router"
	g.Routes[0].Compares = keys
}

func write(g *Graph, node, key string) {
	g.Writes = append(g.Writes, Write{Node: node, Key: key, Whole: key == ""})
}

func TestFit(t *testing.T) {
	g := sketch(t, full)
	g.State = &State{Kind: KindTypedDict, Name: "S", Fields: []Field{
		{Name: "evidences", Reducer: Reducer{Kind: ReducerAdd}}, {Name: "report", Reducer: Reducer{Kind: ReducerNone}},
	}}
	write(g, "chief", "extra")
	write(g, "doc", "report")
	write(g, "repo", "evidences")
	write(g, "repo", "report")
	write(g, "vision", "evidences")
	if got, want := said(g.Undeclared()), "yes [chief]"; got != want {
		t.Errorf("undeclared: got %s, want %s", got, want)
	}
	if got, want := said(g.LostUpdates()), "yes [doc repo]"; got != want {
		t.Errorf("lost updates: got %s, want %s", got, want)
	}
	if got, want := said(g.WholeState()), "no"; got != want {
		t.Errorf("whole state: got %s, want %s", got, want)
	}
	write(g, "agg", "")
	write(g, "chief", "")
	if got, want := said(g.WholeState()), "yes [agg repo] [chief repo]"; got != want {
		t.Errorf("whole state: got %s, want %s", got, want)
	}
	g.State.Open = true
	if got, want := said(g.Undeclared()), "unknown"; got != want {
		t.Errorf("undeclared of an open state: got %s, want %s", got, want)
	}
}

func TestSides(t *testing.T) {
	at := Place{Path: "g.py", Line: 9}
	g := sketch(t, "START -> agg\nagg -> prosecutor defense\nprosecutor -> defense\ndefense -> chief")
	for i := range g.Edges {
		switch g.Edges[i].To {
		case "defense":
			g.Edges[i].When = []Branch{{At: at, Negated: g.Edges[i].From == "prosecutor"}}
		}
	}
	if got := g.RunTogether(judge); got.Value != Unknown || !strings.Contains(got.Reason, "g.py:9") {
		t.Errorf("two wirings under one condition: got %v", got)
	}
}

func TestInsideAndHidden(t *testing.T) {
	g := sketch(t, "START -> agg\nagg -> judge\njudge -> chief")
	g.Node("judge").Inner = []Inner{{Role: judge, Names: []string{"a", "b"}, Concurrent: true}}
	if got := g.RunTogether(judge); got.Value != Yes {
		t.Errorf("one node starts the judges: got %v", got)
	}
	g = sketch(t, full)
	g.Waits = []Wait{{Node: "repo", Key: "lock"}, {Node: "agg"}, {Node: "doc", Key: "lock"}, {Node: "tech", Reason: "blocking"}}
	if got, want := said(g.HiddenSequence()), "yes [repo doc] [tech]"; got != want {
		t.Errorf("hidden sequence: got %s, want %s", got, want)
	}
}
