package lower_test

import (
	"os"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/lower"
)

// BenchmarkLower parses, lowers, encodes and reads back the largest of our own
// sources; SetBytes gives the rate.
func BenchmarkLower(b *testing.B) {
	path, text := "lower.go", []byte(nil)
	for _, p := range []string{"../decode.go", "stmt.go", "define.go", "../ssa.go", "../finish.go"} {
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
		if _, err := il.Decode(lower.Module(f).Encode(), len(f.Text())); err != nil {
			b.Fatal(err)
		}
	}
}
