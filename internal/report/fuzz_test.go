package report

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fuzzSink puts a text into one field of the record and holds one rendering
// against that of a harmless text of the same shape.
func fuzzSink(f *testing.F, names ...string) {
	for i, kind := range slices.Sorted(maps.Keys(attacks)) {
		f.Add(attacks[kind], uint(37*i))
	}
	f.Fuzz(func(t *testing.T, text string, field uint) {
		if len(text) > 4000 || strings.Trim(text, "\r\n") == "" { // of nothing but ends of lines, what is harmless is nothing: another value
			return
		}
		target, i := "embedded", field
		_, list := targetRecord(target)
		if n := uint(len(list)); i >= n {
			target, i = "models", i-n
		}
		bad, badHooks := targetRecord(target)
		good, goodHooks := targetRecord(target)
		i %= uint(len(badHooks))
		if strings.HasSuffix(badHooks[i].path, ".Argument") { // a label that is cited becomes a link there
			return
		}
		badHooks[i].set(text)
		goodHooks[i].set(harmless(text))
		got, want := renderings(t, bad, names...), renderings(t, good, names...)
		for _, name := range names {
			if err := quiet(got[name]); err != nil {
				t.Errorf("%s in %s: %v comes out", badHooks[i].path, name, err)
			}
			if diff := cmp.Diff(skeleton(t, name, want[name]), skeleton(t, name, got[name])); diff != "" {
				t.Errorf("%s in %s (-harmless +attack):\n%s", badHooks[i].path, name, diff)
			}
		}
	})
}

func FuzzMarkdown(f *testing.F) { fuzzSink(f, "md") }

func FuzzHTML(f *testing.F) { fuzzSink(f, "html") }

func FuzzTerminal(f *testing.F) {
	fuzzSink(f, "text", "summary", "explain", "explain all", "run", "evidence 0")
}
