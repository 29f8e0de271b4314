package lower_test

import (
	"os"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il/lower"
)

// BenchmarkLower parses and lowers the largest of our own
// sources; SetBytes gives the rate.
func BenchmarkLower(b *testing.B) {
	path, text := "lower.go", []byte(nil)
	for _, p := range []string{"stmt.go", "define.go", "../ssa.go", "../finish.go"} {
		t, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		if len(t) > len(text) {
			text = t
		}
	}
	if p := os.Getenv("AUTOMATON_BENCH_FILE"); p != "" {
		t, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		path, text = p, t
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f, err := syntax.Parse(code.File{Path: path, Bytes: text})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := lower.Module(f); err != nil {
			b.Fatal(err)
		}
	}
}
