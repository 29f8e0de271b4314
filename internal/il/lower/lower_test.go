package lower_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/lower"
)

func TestTry(t *testing.T) {
	for _, p := range filesOf(os.Getenv("ILFILE")) {
		b, _ := os.ReadFile(p)
		f, err := syntax.Parse(code.File{Path: p, Bytes: b})
		if err != nil {
			t.Error(p, err)
			continue
		}
		m := lower.Module(f)
		enc := m.Encode()
		d, err := il.Decode(enc, len(f.Text()))
		if err != nil {
			t.Error(p, err)
			continue
		}
		if os.Getenv("ILSHOW") != "" {
			
			t.Log(d.Top.String())
			for _, f := range d.Functions {
				t.Log(f.String())
			}
		}
		t.Log(p, len(b), len(enc), len(d.Functions))
	}
}

func filesOf(root string) (out []string) {
	_ = filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			switch filepath.Ext(p) {
			case ".py", ".go", ".ts", ".js", ".java", ".rs", ".tsx":
				out = append(out, p)
			}
		}
		return nil
	})
	return out
}

func TestMuch(t *testing.T) {
	root := os.Getenv("ILFILE")
	var bytes, enc, instrs, lost, failed int
	for _, p := range filesOf(root) {
		b, _ := os.ReadFile(p)
		f, err := syntax.Parse(code.File{Path: p, Bytes: b})
		if err != nil {
			failed++
			continue
		}
		m := lower.Module(f)
		e := m.Encode()
		d, err := il.Decode(e, len(f.Text()))
		if err != nil {
			t.Error(p, err)
			continue
		}
		bytes, enc = bytes+len(b), enc+len(e)
		for _, f := range append(d.Functions, d.Top) {
			if f.Lost != "" {
				t.Log(p, f.Name, f.Lost)
				lost++
			}
			for range f.Instructions() {
				instrs++
			}
		}
	}
	t.Log(bytes, enc, instrs, lost, failed)
}
