package script

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/lower"
	"github.com/automaton-auditor/automaton/internal/rubric"
)

var update = flag.Bool("update", false, "write what was read into the fixtures")

// TestRead reads each archive of testdata and compares what was read with its
// file "want".
func TestRead(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var files []code.File
			manifests := map[string]string{}
			want, rest := "", txtar.Archive{Comment: a.Comment}
			for _, f := range a.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				rest.Files = append(rest.Files, f)
				files = append(files, code.File{Path: f.Name, Bytes: f.Data})
				if filepath.Base(f.Name) == "langgraph.json" {
					manifests[f.Name] = string(f.Data)
				}
			}
			p, err := syntax.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, code.Survey(files), files)
			if err != nil {
				t.Fatal(err)
			}
			words, err := rubric.Profile()
			if err != nil {
				t.Fatal(err)
			}
			python, err := code.Load(t.Context(), codetest.Inline{Service: code.Service()}, nil)
			if err != nil {
				t.Fatal(err)
			}
			program, err := lower.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, python, p)
			if err != nil {
				t.Fatal(err)
			}
			got := draw(Read(p, analyse.Of(program), manifests, words))
			if *update {
				rest.Files = append(rest.Files, txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(&rest), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s(-want +got):\n%s", bytes.TrimSpace(a.Comment), diff)
			}
		})
	}
}

// draw writes a reading in lines.
func draw(r *agentgraph.Reading) string {
	var b strings.Builder
	for _, g := range r.Graphs {
		fmt.Fprintf(&b, "graph %s:%d main %v live %v compiled %v invoked %v\n", g.Builder.Path, g.Builder.Line, g == r.Main, g.Live, g.Compiled, g.Invoked)
		fmt.Fprintf(&b, "  state %q %s open %v\n", g.State.Kind, g.State.Name, g.State.Open)
		for _, f := range g.State.Fields {
			fmt.Fprintf(&b, "    %s %q %s merges %s\n", f.Name, f.Reducer.Kind, f.Reducer.Name, f.Reducer.Merges)
		}
		for _, n := range g.Nodes {
			fmt.Fprintf(&b, "  node %s = %s:%d nested %v guarded %v opaque %v\n", n.Name, n.Body.Path, n.Body.Line, n.Nested != nil, n.Guarded, n.Opaque)
		}
		for _, e := range g.Edges {
			fmt.Fprintf(&b, "  edge %s -> %s kind %d\n", agentgraph.Label(e.From), agentgraph.Label(e.To), e.Kind)
		}
		for _, x := range g.Routes {
			fmt.Fprintf(&b, "  route %s by %q kind %d %v complete %v", agentgraph.Label(x.From), x.Router, x.Kind, x.Outcomes, x.Complete)
			for _, t := range x.Targets {
				fmt.Fprintf(&b, " %s(send %v many %v dead %v)", agentgraph.Label(t.Name), t.Send, t.Many, t.Dead)
			}
			b.WriteString("\n")
		}
		for _, w := range g.Writes {
			fmt.Fprintf(&b, "  %s writes %s whole %v\n", w.Node, w.Key, w.Whole)
		}
		for _, u := range g.Unresolved {
			fmt.Fprintf(&b, "  unresolved %s from %v to %v node %v\n", u.Expr, u.From, u.To, u.Node)
		}
		fmt.Fprintf(&b, "  width %d unreachable %s lost %s\n", g.Width(), g.Unreachable().Value, g.LostUpdates().Value)
	}
	return b.String()
}
