package analyse_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

var update = flag.Bool("update", false, "write what calls are taken to call")

// TestCalled compares what every call of an archive is taken to call, and which function of
// the program that is, with its file "want".
func TestCalled(t *testing.T) {
	names, err := filepath.Glob("testdata/names/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			last := len(a.Files) - 1
			want := string(a.Files[last].Data)
			a.Files = a.Files[:last]
			p := program(t, string(txtar.Format(a)))
			got := calls(p, analyse.Of(p).Names)
			if *update {
				a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(got)})
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

func calls(p *il.Program, n *analyse.Names) string {
	var b strings.Builder
	for f := range p.All() {
		for _, in := range f.Instructions() {
			if in.Op != il.Call || in.Mode == il.Decorate {
				continue
			}
			full, own := n.Called(f, in)
			fmt.Fprintf(&b, "%s:%d %s = %s", f.Module.Path, f.Place(in.Span).Line, in.Kind, full)
			if own != nil {
				fmt.Fprintf(&b, " -> %s:%d", own.Module.Path, own.Place(own.Span).Line)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
