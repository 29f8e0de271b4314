package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
)

// TestModules reads the repository of each archive and compares what its
// imports mean with the file "want".
func TestModules(t *testing.T) {
	archives, err := filepath.Glob("testdata/modules/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var files []code.File
			want, at := "", len(a.Files)
			for i, f := range a.Files {
				if f.Name == "want" {
					want, at = string(f.Data), i
					continue
				}
				files = append(files, code.File{Path: f.Name, Bytes: f.Data})
			}
			p, err := Load(t.Context(), codetest.Inline{Service: Service()}, code.Survey(files), files)
			if err != nil {
				t.Fatal(err)
			}
			got := meanings(p)
			if *update {
				a.Files = append(a.Files[:at], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func meanings(p *Program) string {
	var b strings.Builder
	for _, f := range p.Files {
		if f.Reason != "" {
			fmt.Fprintf(&b, "%s: %s\n", f.Path, f.Reason)
		}
		for _, i := range p.Imports(f) {
			fmt.Fprintf(&b, "%s:%d %s ->", f.Path, i.Node.Line(), i.Node.Name())
			switch {
			case !i.Own:
				fmt.Fprintf(&b, " package %s", i.Package)
			case i.Path == "":
				b.WriteString(" not there")
			}
			if i.Path != "" {
				b.WriteString(" " + i.Path)
			}
			for _, x := range i.Files {
				b.WriteString(" " + x.Path)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Probes that know nothing of C# are not shown it: what they do not find there
// is not absent.
func TestAsked(t *testing.T) {
	files := []code.File{{Path: "A.cs", Bytes: []byte("class A {}")}, {Path: "a.go", Bytes: []byte("package a")}}
	p, err := Load(t.Context(), codetest.Inline{Service: Service()}, code.Survey(files), files)
	if err != nil {
		t.Fatal(err)
	}
	asked := p.Asked()
	if len(p.Files) != 2 || len(asked.Files) != 1 || asked.File("A.cs") != nil || asked.File("a.go") == nil {
		t.Errorf("%d files are read and %d asked about", len(p.Files), len(asked.Files))
	}
}
