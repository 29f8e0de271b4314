package langgraph

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/il/lower"
	"github.com/automaton-auditor/automaton/internal/rubric"
)

var update = flag.Bool("update", false, "write what was read into the fixtures")

// program loads files given by path.
func program(t testing.TB, files map[string]string) *code.Program {
	t.Helper()
	var list []code.File
	for path, text := range files {
		list = append(list, code.File{Path: path, Bytes: []byte(text)})
	}
	slices.SortFunc(list, func(a, b code.File) int { return strings.Compare(a.Path, b.Path) })
	p, err := code.Load(context.Background(), codetest.Inline{Service: code.Service()}, list)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// read reads a program.
func read(t testing.TB, p *code.Program) *agentgraph.Reading {
	t.Helper()
	ir, err := lower.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := analyse.Of(ir)
	return Read(intree.Join(p, all), all, words(t))
}

// words are the profile of the courtroom.
func words(t testing.TB) *agentgraph.Profile {
	t.Helper()
	p, err := rubric.Profile()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fixtures runs a test for each archive of a folder: its files are read, and
// what the test draws of the reading must equal the archive's file "want".
func fixtures(t *testing.T, folder string, draw func(*agentgraph.Reading) string) {
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			want, at := "", -1
			for i, f := range a.Files {
				if f.Name == "want" {
					want, at = string(f.Data), i
					continue
				}
				files[f.Name] = string(f.Data)
			}
			got := draw(read(t, program(t, files)))
			if *update {
				if at < 0 {
					a.Files = append(a.Files, txtar.File{Name: "want"})
					at = len(a.Files) - 1
				}
				a.Files[at].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
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

// TestRows reads one fixture for each row of the table of syntax that must
// work.
func TestRows(t *testing.T) { fixtures(t, "rows", drawing) }

// drawing writes a reading in lines.
func drawing(r *agentgraph.Reading) string {
	var b strings.Builder
	if r.Main == nil {
		fmt.Fprintf(&b, "absent %s\n", r.Absent())
	}
	for _, p := range r.Sentinels {
		fmt.Fprintf(&b, "sentinel %s:%d\n", p.Path, p.Line)
	}
	for _, o := range r.Other {
		fmt.Fprintf(&b, "other %s %s:%d\n", o.Name, o.At.Path, o.At.Line)
	}
	for _, g := range r.Graphs {
		drawGraph(&b, g, g == r.Main)
	}
	return b.String()
}

func drawGraph(b *strings.Builder, g *agentgraph.Graph, main bool) {
	fmt.Fprintf(b, "graph %s:%d %s%s schema %s\n", g.Builder.Path, g.Builder.Line, g.Provenance,
		flags("main", main, "live", g.Live, "compiled", g.Compiled, "invoked", g.Invoked, "noted", g.Note != ""), schemaName(g))
	for _, n := range g.Nodes {
		bound := "?"
		switch {
		case n.Source != nil:
			bound = Def(n.Source).Qualified
		case n.Nested != nil:
			bound = fmt.Sprintf("graph %s:%d", n.Nested.Builder.Path, n.Nested.Builder.Line)
		}
		fmt.Fprintf(b, "  node %s = %s%s\n", n.Name, bound, flags("guarded", n.Guarded, "pattern", n.Pattern, "many", n.Many))
	}
	for _, e := range g.Edges {
		kind := [...]string{"edge", "barrier", "entry", "finish"}[e.Kind]
		fmt.Fprintf(b, "  %s %s -> %s%s\n", kind, agentgraph.Label(e.From), agentgraph.Label(e.To), flags("guarded", e.Guarded))
	}
	for _, r := range g.Routes {
		drawRoute(b, r)
	}
	for _, u := range g.Unresolved {
		fmt.Fprintf(b, "  unresolved %s from %v to %v%s\n", u.Expr, u.From, u.To, flags("node", u.Node, "route", u.Route))
	}
}

func schemaName(g *agentgraph.Graph) string {
	if g.State == nil || g.State.Name == "" {
		return g.Schema
	}
	return g.State.Name
}

func drawRoute(b *strings.Builder, r agentgraph.Route) {
	var outs []string
	for _, o := range r.Outcomes {
		var names []string
		for _, n := range o {
			names = append(names, agentgraph.Label(n))
		}
		outs = append(outs, "{"+strings.Join(names, " ")+"}")
	}
	var special []string
	for _, t := range r.Targets {
		if f := flags("send", t.Send, "many", t.Many, "selects", t.Selects == agentgraph.Yes, "dead", t.Dead); f != "" {
			special = append(special, " ("+agentgraph.Label(t.Name)+f+")")
		}
	}
	var targets []string
	for _, t := range r.Targets {
		targets = append(targets, agentgraph.Label(t.Name))
	}
	kind := "route"
	if r.Kind == agentgraph.Command {
		kind = "command"
	}
	fmt.Fprintf(b, "  %s %s -> %s = %s%s%s\n", kind, agentgraph.Label(r.From), strings.Join(targets, " "), strings.Join(outs, " "), strings.Join(special, ""),
		flags("mapped", r.Mapped, "partly", !r.Complete, "guarded", r.Guarded))
}

// flags writes the names whose values are true.
func flags(pairs ...any) string {
	var out strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1].(bool) {
			out.WriteString(" " + pairs[i].(string))
		}
	}
	return out.String()
}
