package syntax

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/code"
)

var update = flag.Bool("update", false, "write the trees")

// TestTrees reads each archive's first file and compares its tree with the one
// that stands beside it.
func TestTrees(t *testing.T) {
	archives, err := filepath.Glob("testdata/trees/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			source := a.Files[0]
			f, err := Parse(code.File{Path: source.Name, Bytes: source.Data})
			if err != nil {
				t.Fatal(err)
			}
			got := f.Root().Dump()
			if *update {
				a.Files = []txtar.File{source, {Name: "tree", Data: []byte(got)}}
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(a.Files) != 2 {
				t.Fatal("the archive has no tree: run with -update and read what comes")
			}
			if diff := cmp.Diff(string(a.Files[1].Data), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
