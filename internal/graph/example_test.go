package graph_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/graph"
)

// Two writers work in parallel on what the input asks, an editor waits for
// both.
func Example() {
	type paper struct {
		Topic string            `json:"topic"`
		Parts map[string]string `json:"parts,omitzero" reduce:"upsert"`
		Text  string            `json:"text,omitzero" reduce:"last"`
	}
	write := func(part string) func(context.Context, paper) (paper, error) {
		return func(_ context.Context, p paper) (paper, error) {
			return paper{Parts: map[string]string{part: part + " of " + p.Topic}}, nil
		}
	}
	b := graph.New[paper]("paper")
	b.Node("Intro", write("intro"), graph.Policy{})
	b.Node("Body", write("body"), graph.Policy{})
	b.Node("Editor", func(_ context.Context, p paper) (paper, error) {
		return paper{Text: strings.Join([]string{p.Parts["intro"], p.Parts["body"]}, ", ")}, nil
	}, graph.Policy{})
	b.Edge(graph.Start, "Intro", "Body")
	b.Join("Editor", "Intro", "Body")
	b.Edge("Editor", graph.End)
	g, err := b.Compile()
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := (&graph.Local[paper]{Graph: g}).Run(context.Background(), paper{Topic: "graphs"})
	fmt.Println(out.Text, err)
	// Output: intro of graphs, body of graphs <nil>
}
