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
)

// TestNames compares what every call's callee is taken to mean, and which
// first-party function it calls, with what stands in the archive.
func TestNames(t *testing.T) {
	archives(t, "testdata/names/*.txtar", func(p *Program) string {
		var b strings.Builder
		callers := map[Node]int{}
		var order []Node
		for _, f := range p.Files {
			for n := range f.Root().Walk() {
				if n.Is("func") && n.Name() != "" {
					order = append(order, n)
				}
				if !n.Is("call") {
					continue
				}
				fmt.Fprintf(&b, "%s:%d %s = %s", f.Path, n.Line(), short(n.Child("callee")), p.Resolve(n.Child("callee")))
				if to := p.Target(n); to.Valid() {
					fmt.Fprintf(&b, " -> %s:%d", to.Path(), to.Line())
					callers[to]++
				}
				b.WriteByte('\n')
			}
		}
		for _, fn := range order {
			if got := len(p.Callers(fn)); got != callers[fn] {
				t.Errorf("%s has %d callers, and %d calls lead to it", fn.Name(), got, callers[fn])
			}
		}
		return b.String()
	})
}

func short(n Node) string {
	s := strings.Join(strings.Fields(n.Text()), " ")
	if len(s) > 60 {
		s = s[:60] + "..."
	}
	return s
}

// archives loads the files of each archive and compares what show says of them
// with the archive's file "want".
func archives(t *testing.T, glob string, show func(*Program) string) {
	t.Helper()
	names, err := filepath.Glob(glob)
	if err != nil || len(names) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var files []code.File
			want, kept := "", a.Files[:0]
			for _, f := range a.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				files = append(files, code.File{Path: f.Name, Bytes: f.Data})
				kept = append(kept, f)
			}
			p, err := Load(t.Context(), inline{}, code.Survey(files), files)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range p.Files {
				if !f.Parsed {
					t.Errorf("%s: %s", f.Path, f.Reason)
				}
			}
			got := show(p)
			if *update {
				a.Files = append(kept, txtar.File{Name: "want", Data: []byte(got)})
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
