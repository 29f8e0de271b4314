package rubric

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/court"
)

// FuzzLoad holds the laws of the loader: no panic, every error has a place in
// the file, and what is accepted can be converted and means the same again.
func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("testdata/dialects/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(ar.Files[0].Data)
	}
	for _, s := range []string{"", "\ufeff", "\xff\xfe{\x00}\x00", "\xff\xfe\x00\xd8", "[[[[", `{"dimensions":{"a":""}}`, `[{"name":"é\u0000"}]`,
		`[{"name":"a","levels":"1 pts: a. 2 pts: b."}]`, `[{"name":"a","scoring_rule":"1: a 1: b"}]`, `[{"name":"a","weight":1e-400}]`, "{\"a\":\"`b_c` no `d/e.py` (or `f()`)\"}"} {
		f.Add([]byte(s))
	}
	known := catalogue(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := Load("f.json", bytes.NewReader(raw), known)
		if err != nil {
			places(t, raw, err)
			return
		}
		sound(t, r)
		Lint(r, known)
		native, err := Convert(r, raw, ConvertOptions{})
		if err != nil {
			t.Fatalf("converting: %v", err)
		}
		again, err := Load("f.json", bytes.NewReader(native), known)
		if err != nil {
			t.Fatalf("loading the native form: %v\n%s", err, native)
		}
		if again.Digest != r.Digest {
			t.Fatalf("the native form means something else:\n%s", native)
		}
	})
}

// places makes sure that every error points into the file.
func places(t *testing.T, raw []byte, err error) {
	t.Helper()
	all, ok := errors.AsType[Errors](err)
	if !ok || len(all) == 0 || len(all) > maxErrors {
		t.Fatalf("got %v, want up to %d errors", err, maxErrors)
	}
	lines := bytes.Count(raw, []byte("\n")) + 1
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		lines = len(raw)
	}
	for _, e := range all {
		if e.Line < 1 || e.Line > lines || e.Col < 1 || e.Col > len(raw)+1 || e.Code == "" || e.Msg == "" {
			t.Fatalf("error %+v does not point into %d lines, %d bytes", e, lines, len(raw))
		}
		if strings.ContainsAny(e.Msg+e.Hint, "\n\x1b\x00") {
			t.Fatalf("message %q holds control characters", e.Msg)
		}
	}
}

// sound tells what every loaded rubric is.
func sound(t *testing.T, r *court.Rubric) {
	t.Helper()
	ids := map[string]bool{}
	for _, c := range r.Criteria {
		if ids[c.ID] || !idForm.MatchString(c.ID) || c.Name == "" || c.Instruction == "" || len(c.Artifacts) == 0 || c.Weight < 0 || c.Scale.Max <= c.Scale.Min {
			t.Fatalf("criterion %+v", c)
		}
		ids[c.ID] = true
		above := map[string]bool{}
		for _, ch := range c.Checks {
			if above[ch.ID] || len(ch.Asks) == 0 || ch.Weight < 1 || ch.Weight > 5 {
				t.Fatalf("check %+v", ch)
			}
			for _, need := range ch.Requires {
				if !above[need] {
					t.Fatalf("check %s stands before %s, which it requires", ch.ID, need)
				}
			}
			above[ch.ID] = true
		}
		if low, high := c.Scale.Points(court.One), c.Scale.Points(5*court.One); low != c.Scale.Min || high != c.Scale.Max {
			t.Fatalf("scale %+v: 1 is %s, 5 is %s", c.Scale, low, high)
		}
	}
}
