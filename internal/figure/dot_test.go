package figure

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseDOT(t *testing.T) {
	tests := map[string]struct {
		source string
		want   []string
	}{
		"chain":         {"digraph { a -> b -> c }", []string{"a --> b", "b --> c"}},
		"named, strict": {"strict digraph \"G x\" { a -> b; }", []string{"a --> b"}},
		"undirected":    {"graph { a -- b }", []string{"a --> b"}},
		"labels":        {"digraph G { rankdir=LR; node [shape=box]; a [label=\"The a\"]; a -> b [label=\"if so\", color=red]; }", []string{"a -if so-> b"}},
		"sets of nodes": {"digraph { s -> {a b} -> j }", []string{"s --> a", "s --> b", "a --> j", "b --> j"}},
		"ports":         {"digraph { a:n -> b:f0:s }", []string{"a --> b"}},
		"comments":      {"digraph { // a -> z\n /* b -> z */\n# c -> z\n a -> b }", []string{"a --> b"}},
		"quoted ids":    {"digraph { \"a b\" -> \"c\" + \"d\"; \"node\" -> x }", []string{"a b --> cd", "node --> x"}},
		"cluster":       {"digraph { subgraph cluster_0 { label=\"Layer\"; a -> b } b -> c }", []string{"a --> b", "b --> c"}},
		"no semicolons": {"digraph {\n a -> b\n b -> c\n d\n}", []string{"a --> b", "b --> c", "d"}},
		"HTML label":    {"digraph { a [label=<<b>x</b>>]; a -> b }", []string{"a --> b"}},
		"only settings": {"digraph { size=\"4,4\" }", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g, err := ParseDOT(test.source)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, shown(g)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseDOTNodes(t *testing.T) {
	g, err := ParseDOT(`digraph { subgraph cluster_x { color=red; a [label="First\none"]; label = "Layer 1"; } b [label=<<i>B</i>>] }`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Node{{"a", "First one", "Layer 1"}, {"b", "B", ""}}, g.Nodes); diff != "" {
		t.Error(diff)
	}
}

func TestParseDOTErrors(t *testing.T) {
	tests := map[string]string{
		"no graph":     "a -> b",
		"not closed":   "digraph { a -> b",
		"no operand":   "digraph { a -> }",
		"nothing":      "",
		"deep":         "digraph " + strings.Repeat("{ a -> ", 100),
		"deep, closed": "digraph " + strings.Repeat("{", 100) + strings.Repeat("}", 100),
		"product":      "digraph { {" + strings.Repeat("a b c d ", 200) + "} -> {" + strings.Repeat("e f g h ", 200) + "} }",
	}
	tests["nameless"] = "digraph { {" + strings.Repeat(`"" `, 30000) + "} -> {" + strings.Repeat(`"" `, 30000) + "} }"
	for name, source := range tests {
		t.Run(name, func(t *testing.T) {
			if g, err := ParseDOT(source); err == nil {
				t.Errorf("graph %+v", g)
			}
		})
	}
}

func FuzzParseDOT(f *testing.F) {
	f.Add("digraph G { a [label=\"x\" + \"y\"]; subgraph cluster_1 { label=z b } a -> {b c}:n -- d }")
	f.Add("strict graph { <a <b>> -- \"\\\" }")
	f.Fuzz(func(t *testing.T, source string) {
		g, err := ParseDOT(source)
		if g == nil && err == nil {
			t.Fatal("neither a graph nor an error")
		}
		sound(t, g)
	})
}
