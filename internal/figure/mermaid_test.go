package figure

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown writes a graph as its arrows: "A -label-> B", with the nodes that have none.
func shown(g *Graph) []string {
	var lines []string
	tied := map[string]bool{}
	for _, e := range g.Edges {
		tied[e.From], tied[e.To] = true, true
		lines = append(lines, e.From+" -"+e.Label+"-> "+e.To)
	}
	for _, n := range g.Nodes {
		if !tied[n.ID] {
			lines = append(lines, n.ID)
		}
	}
	return lines
}

func TestParseMermaidFlow(t *testing.T) {
	tests := map[string]struct {
		source string
		want   []string
	}{
		"chain":               {"graph TD\n A --> B --> C", []string{"A --> B", "B --> C"}},
		"one line":            {"graph LR; A-->B; B-->C;", []string{"A --> B", "B --> C"}},
		"fan-out and fan-in":  {"flowchart TB\n S --> A & B\n A & B --> J", []string{"S --> A", "S --> B", "A --> J", "B --> J"}},
		"label in pipes":      {"graph TD\n A -->|yes, it is| B", []string{"A -yes, it is-> B"}},
		"label inside":        {"graph TD\n A -- on error --> B\n B == sure ==> C\n C -. maybe .-> D", []string{"A -on error-> B", "B -sure-> C", "C -maybe-> D"}},
		"strokes":             {"graph TD\n A ---> B\n B ==> C\n C -.-> D\n D --- E\n E --o F\n F --x G", []string{"A --> B", "B --> C", "C --> D", "D --> E", "E --> F", "F --> G"}},
		"both ends":           {"graph TD\n A <--> B", []string{"A --> B", "B --> A"}},
		"invisible link":      {"graph TD\n A ~~~ B", []string{"A", "B"}},
		"shapes":              {"graph TD\n a[One] --> b(Two) --> c((Three)) --> d{Four?} --> e[[Five]] --> f[(Six)] --> g([Seven]) --> h{{Eight}} --> i>Nine] --> j[/Ten/]", []string{"a --> b", "b --> c", "c --> d", "d --> e", "e --> f", "f --> g", "g --> h", "h --> i", "i --> j"}},
		"classes and styles":  {"graph TD\n A:::big --> B\n classDef big fill:#fff,stroke:#000\n class A big\n style B fill:#f00\n linkStyle 0 stroke:red\n click A href \"https://example.org\"", []string{"A --> B"}},
		"comments":            {"%%{init: {'theme': 'base'}}%%\n%% A --> Z\ngraph TD\n %% B --> Z\n A --> B", []string{"A --> B"}},
		"front matter":        {"---\ntitle: x\n---\ngraph TD\n A --> B", []string{"A --> B"}},
		"ids with hyphens":    {"graph TD\n repo-detective --> join-node", []string{"repo-detective --> join-node"}},
		"nodes in a group":    {"graph TD\n subgraph one [Layer One]\n A --> B\n end\n B --> C", []string{"A --> B", "B --> C"}},
		"brackets in quotes":  {"graph TD\n A[\"run (x) [y]\"] --> B[\"z --> q\"]", []string{"A --> B"}},
		"newer shapes":        {"flowchart TD\n A@{ shape: rect, label: \"A box\" } --> B", []string{"A --> B"}},
		"nodes without links": {"graph TD\n A[One]\n B", []string{"A", "B"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g, err := ParseMermaid(test.source)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, shown(g)); diff != "" || g.Kind != Flow {
				t.Error(g.Kind, diff)
			}
		})
	}
}

func TestParseMermaidLabels(t *testing.T) {
	g, err := ParseMermaid("graph TD\n subgraph \"Layer 1: Facts\"\n A([START]) --> B[\"Repo<br/>Detective\"]\n end\n B --> C{It is &quot;so&quot;?}\n C --> A\n C:::x --> D[\"`one\\ntwo`\"]")
	if err != nil {
		t.Fatal(err)
	}
	want := []Node{{"A", "START", "Layer 1: Facts"}, {"B", "Repo Detective", "Layer 1: Facts"}, {"C", `It is "so"?`, ""}, {"D", "one two", ""}}
	if diff := cmp.Diff(want, g.Nodes); diff != "" {
		t.Error(diff)
	}
}

func TestParseMermaidStates(t *testing.T) {
	source := `stateDiagram-v2
    direction LR
    [*] --> Fetch
    state "Weigh the evidence" as weigh
    Fetch --> weigh : all found
    weigh --> [*]
    state fork_state <<fork>>
    state Bench {
        Prosecutor --> Defense
    }
    note right of weigh
      Fetch --> nowhere
    end note
    weigh : described later`
	g, err := ParseMermaid(source)
	if err != nil {
		t.Fatal(err)
	}
	want := &Graph{
		Kind: States,
		Nodes: []Node{{"[*]", "START", ""}, {"Fetch", "Fetch", ""}, {"weigh", "described later", ""}, {"[*]end", "END", ""},
			{"fork_state", "fork_state", ""}, {"Prosecutor", "Prosecutor", "Bench"}, {"Defense", "Defense", "Bench"}},
		Edges: []Edge{{"[*]", "Fetch", ""}, {"Fetch", "weigh", "all found"}, {"weigh", "[*]end", ""}, {"Prosecutor", "Defense", ""}},
	}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Error(diff)
	}
}

func TestParseMermaidUnread(t *testing.T) {
	tests := map[string]struct {
		source string
		kind   GraphKind
		want   error
	}{
		"sequence":      {"sequenceDiagram\n A->>B: hi", Sequence, errNotRead},
		"class":         {"classDiagram\n A <|-- B", Class, errNotRead},
		"pie":           {"pie title x\n \"a\" : 1", Other, errNotRead},
		"no diagram":    {"import os", "", errSource},
		"nothing":       {"%% only a comment", "", errSource},
		"odd statement": {"graph TD\n A --> B\n A ->> C", Flow, errPartly},
		"too long":      {"graph TD\n" + strings.Repeat("A --> B\n", 40000), "", errTooLarge},
		"too many":      {"graph TD\n" + strings.Repeat("A --> B\n", 10001), Flow, errTooLarge},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g, err := ParseMermaid(test.source)
			if !errors.Is(err, test.want) {
				t.Errorf("error is %v", err)
			}
			if (g == nil) != (test.kind == "") || g != nil && g.Kind != test.kind {
				t.Errorf("graph is %+v", g)
			}
		})
	}
}

func FuzzParseMermaid(f *testing.F) {
	f.Add("graph TD\n A[\"x\"] -->|y| B & C -.-> D:::z\n subgraph s [t]\n end")
	f.Add("stateDiagram-v2\n [*] --> A : b\n state \"c\" as D {\n }")
	f.Add("flowchart LR\n A@{ label: \"x -- y ~~~ <--> (((")
	f.Fuzz(func(t *testing.T, source string) {
		g, err := ParseMermaid(source)
		if g == nil && err == nil {
			t.Fatal("neither a graph nor an error")
		}
		sound(t, g)
	})
}

// sound: ids are unique and every edge ends at a node.
func sound(t *testing.T, g *Graph) {
	t.Helper()
	if g == nil {
		return
	}
	ids := map[string]bool{}
	for _, n := range g.Nodes {
		if ids[n.ID] || n.ID == "" {
			t.Errorf("node %q twice or without id", n.ID)
		}
		ids[n.ID] = true
	}
	for _, e := range g.Edges {
		if !ids[e.From] || !ids[e.To] {
			t.Errorf("edge from %q to %q without a node", e.From, e.To)
		}
	}
}
