package rubric

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/automaton-auditor/automaton/internal/court"
)

// catalogue holds the probes that the built-in rubrics and plans name.
func catalogue(t testing.TB) Catalogue {
	t.Helper()
	raw, err := os.ReadFile("testdata/catalogue.json")
	if err != nil {
		t.Fatal(err)
	}
	var c Catalogue
	if err := json.Unmarshal(raw, &c.Probes); err != nil {
		t.Fatal(err)
	}
	return c
}

func mustLoad(t testing.TB, text string) *court.Rubric {
	t.Helper()
	r, err := Load("rubric.json", strings.NewReader(text), catalogue(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func noteCodes(r *court.Rubric) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range r.Notes {
		if !seen[n.Code] {
			seen[n.Code] = true
			out = append(out, n.Code)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// digestHolds loads the same rubric in other clothes: indented, with other line
// ends, behind a byte order mark, as UTF-16, with its keys in another order.
func digestHolds(t *testing.T, raw []byte) {
	t.Helper()
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	want := mustLoad(t, string(raw)).Digest
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		t.Fatal(err)
	}
	var utf16le = []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(string(raw))) {
		utf16le = append(utf16le, byte(u), byte(u>>8))
	}
	for name, other := range map[string]string{
		"compact": compact.String(),
		"crlf":    strings.ReplaceAll(string(raw), "\n", "\r\n"),
		"bom":     "\ufeff" + string(raw),
		"utf16":   string(utf16le),
		"keys":    reversed(t, raw),
	} {
		if got := mustLoad(t, other).Digest; got != want {
			t.Errorf("%s: digest %s, want %s", name, got, want)
		}
	}
}

// reversed writes the members of every object backwards, but for those whose
// keys are the criteria.
func reversed(t testing.TB, raw []byte) string {
	t.Helper()
	doc, err := decode("r.json", raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := parse(doc); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(v *value)
	walk = func(v *value) {
		switch v.kind {
		case anObject:
			fields := slices.Clone(v.fields)
			holdsCriteria := v.parent == nil && !v.has("dimensions") && !v.has("criteria") || v.parent == doc.root && v.name == "dimensions"
			if !holdsCriteria {
				slices.Reverse(fields)
			}
			b.WriteString("{")
			for i, f := range fields {
				if i > 0 {
					b.WriteString(",")
				}
				key, _ := json.Marshal(f.key)
				b.Write(key)
				b.WriteString(":")
				walk(f.value)
			}
			b.WriteString("}")
		case aList:
			b.WriteString("[")
			for i, item := range v.items {
				if i > 0 {
					b.WriteString(",")
				}
				walk(item)
			}
			b.WriteString("]")
		default:
			b.Write(doc.raw(v))
		}
	}
	walk(doc.root)
	return b.String()
}

// Load reads one rubric of any dialect from r; name is what errors and the
// record call it. The error is Errors when the file is refused, each with its
// line and column: the first step that finds something wrong reports all that
// it found. What the loader filled in or could not use is in Notes.
func Load(name string, r io.Reader, known Catalogue) (*court.Rubric, error) {
	raw, err := readAll(name, r)
	if err != nil {
		return nil, err
	}
	f := File{From: "file", Name: name, Bytes: raw}
	if name == "-" {
		f.From = "stdin"
	}
	return f.Load(known)
}
