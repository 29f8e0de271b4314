package graph_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/graph"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(read(t, path), got); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

func TestDrawAudit(t *testing.T) {
	d := audit(t, fake()).Draw()
	golden(t, "audit.mmd", d.Mermaid())
	golden(t, "audit.dot", d.DOT())
	js, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "audit.json", string(js)+"\n")
	var back graph.Drawing
	if err := json.Unmarshal(js, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, back); diff != "" {
		t.Error(diff)
	}
}

// Drawings may be made of what others wrote: nothing in a name gets out of its
// quotes.
func TestDrawForeignNames(t *testing.T) {
	d := graph.Drawing{
		Name: `a"b`,
		Nodes: []graph.DrawnNode{
			{Name: "end"}, {Name: `x"]; click y "javascript:` + "\n"}, {Name: "<b>#amp;\\", Map: true}, {Name: "Äpfel", Waits: []string{"end"}},
		},
		Edges: []graph.DrawnEdge{
			{From: graph.Start, To: "end"}, {From: "end", To: "undeclared", Branch: `"|%%{init: {}}%%` + "\u2028", Max: 2}, {From: "undeclared", To: graph.End},
		},
	}
	golden(t, "foreign.mmd", d.Mermaid())
	golden(t, "foreign.dot", d.DOT())
}

func FuzzDraw(f *testing.F) {
	f.Add("end", `x"]`, "label")
	f.Add("A\nB", "\\\"", "#quot;")
	f.Fuzz(func(t *testing.T, a, b, label string) {
		d := graph.Drawing{Nodes: []graph.DrawnNode{{Name: a}, {Name: b, Map: true}}, Edges: []graph.DrawnEdge{{From: a, To: b, Branch: label}}}
		// Whatever the names, there are as many lines and quotes as with plain ones.
		names := 2
		if a == b || a == graph.Start || a == graph.End || b == graph.Start || b == graph.End {
			t.Skip("not two nodes")
		}
		if m := d.Mermaid(); strings.Count(m, "\n") != 3+names+1 || label != "" && strings.Count(m, `"`) != 2*names+2 {
			t.Errorf("%q", m)
		}
		dot := strings.NewReplacer(`\\`, "", `\"`, "").Replace(d.DOT())
		if strings.Count(dot, "\n") != 5+names+1 || strings.Count(dot, `"`)%2 != 0 {
			t.Errorf("%q", dot)
		}
	})
}
