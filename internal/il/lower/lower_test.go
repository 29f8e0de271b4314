package lower_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/lower"
)

var update = flag.Bool("update", false, "write the listings")

// lowered is a file lowered.
func lowered(t testing.TB, path string, text []byte) *il.Module {
	t.Helper()
	f, err := syntax.Parse(code.File{Path: path, Bytes: text})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lower.Module(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return m
}

// TestListings lowers the first file of each archive and compares the listing
// with the one that stands beside it.
func TestListings(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
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
			m := lowered(t, source.Name, source.Data)
			var w strings.Builder
			for _, f := range append([]*il.Function{m.Top}, m.Functions...) {
				w.WriteString(f.String())
			}
			if *update {
				a.Files = []txtar.File{source, {Name: "listing", Data: []byte(w.String())}}
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(a.Files) != 2 {
				t.Fatal("the archive has no listing: run with -update and read what comes")
			}
			if diff := cmp.Diff(string(a.Files[1].Data), w.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// checkForm is the form that every analysis relies on: each use sees a binding
// that every way to it has passed, each version is bound once, a block ends once.
func checkForm(t *testing.T, f *il.Function) {
	t.Helper()
	bound := map[int32]bool{}
	place := map[*il.Instr]int{}
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			place[in] = i
			if in.Op.Ends() != (i == len(b.Instrs)-1) {
				t.Errorf("%s %s b%d: %s stands at %d", f.Module.Path, f.Name, b.ID, in.Op, i)
			}
		}
	}
	for b, in := range f.Instructions() {
		if in.Dst != il.NoDst {
			if v := f.Versions[in.Dst]; bound[in.Dst] || v.Def != in || v.Block != b {
				t.Errorf("%s %s: %s is bound twice or elsewhere", f.Module.Path, f.Name, f.Listing(in))
			}
			bound[in.Dst] = true
		}
		for k, a := range in.Args {
			if a.Kind != il.Local {
				continue
			}
			v, from := f.Versions[a.ID], b
			if in.Op == il.Phi {
				from = b.Preds[k]
			}
			seen := v.Block.Dominates(from) && (v.Block != b || in.Op == il.Phi || v.Def == nil || place[v.Def] < place[in])
			if !seen {
				t.Errorf("%s %s: %s reads what not every way has bound", f.Module.Path, f.Name, f.Listing(in))
			}
		}
	}
}

// TestForm checks the form over the sources of this repository and every archive
// of a language.
func TestForm(t *testing.T) {
	functions := 0
	check := func(path string, text []byte) {
		m := lowered(t, path, text)
		for _, f := range append([]*il.Function{m.Top}, m.Functions...) {
			if f.Lost != "" {
				t.Errorf("%s %s: %s", path, f.Name, f.Lost)
			}
			checkForm(t, f)
			functions++
		}
	}
	err := filepath.WalkDir("../..", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(p) {
		case ".go":
			text, err := os.ReadFile(p)
			if err == nil {
				check(filepath.ToSlash(p), text)
			}
			return err
		case ".txtar":
			a, err := txtar.ParseFile(p)
			if err != nil {
				return err
			}
			for _, f := range a.Files {
				switch filepath.Ext(f.Name) {
				case ".py", ".js", ".jsx", ".ts", ".tsx", ".java", ".rs", ".cs", ".go":
					check(p+"/"+f.Name, f.Data)
				}
			}
		}
		return nil
	})
	if err != nil || functions < 1000 {
		t.Error(functions, err)
	}
}

// FuzzLower: whatever the text is, lowering ends, and what it makes is of the form.
func FuzzLower(f *testing.F) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range archives {
		if a, err := txtar.ParseFile(name); err == nil {
			f.Add(strings.TrimPrefix(filepath.Ext(a.Files[0].Name), "."), string(a.Files[0].Data))
		}
	}
	f.Fuzz(func(t *testing.T, ext, text string) {
		file, err := syntax.Parse(code.File{Path: "a." + ext, Bytes: []byte(text)})
		if err != nil {
			return
		}
		m, err := lower.Module(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, fn := range append(m.Functions, m.Top) {
			if fn.Lost == "" {
				_ = fn.String()
			}
		}
	})
}
