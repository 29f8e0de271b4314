package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
)

// Every golden record reads back to the digest that it was sealed with.
func TestDecodeGolden(t *testing.T) {
	for _, name := range []string{"capped", "good", "blind", "mistrial", "attack", "models", "attack-models"} {
		t.Run(name, func(t *testing.T) {
			if rec := golden(t, name); !rec.Intact() {
				t.Errorf("the digest does not hold")
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := string(goldenFile(t, "good.json"))
	with := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("the golden record has no %q", from)
		}
		return strings.Replace(good, from, to, 1)
	}
	tests := map[string]struct{ in, want string }{
		"nothing":           {"", "not a record: it is empty"},
		"blanks":            {" \n", "not a record: it is empty"},
		"prose":             {"a record", "not a record: neither JSON nor a report"},
		"another document":  {`{"schema":"automaton/facts/1"}`, `not a record: its schema is "automaton/facts/1" (have automaton/record/1)`},
		"no schema":         {`{}`, `not a record: its schema is "" (have automaton/record/1)`},
		"next version":      {with(`automaton/record/1"`, `automaton/record/2"`), `not a record: its schema is "automaton/record/2"`},
		"odd minor":         {with(`automaton/record/1"`, `automaton/record/1.x"`), `not a record: its schema is "automaton/record/1.x"`},
		"unknown name":      {with(`"status": "complete",`, `"status": "complete", "extra": 1,`), "/extra: unknown name"},
		"unknown deep name": {with(`"slug":`, `"slugs": "", "slug":`), "/case/slugs: unknown name"},
		"other case":        {with(`"slug":`, `"Slug":`), "/case/Slug: unknown name"},
		"name twice":        {with(`"slug":`, `"slug": "", "slug":`), "/case/slug: the name is there twice"},
		"wrong type":        {with(`"pages": 9`, `"pages": "9"`), "/case/pdf/pages: "},
		"wrong score":       {with(`"exact": 4.78`, `"exact": "4.78`), "/"},
		"huge number":       {with(`"bytes": 412233`, `"bytes": 1e99`), "/case/pdf/bytes: "},
		"goes on":           {good + "{}", "/, byte "},
		"cut off":           {good[:len(good)/2], "/"},
		"not UTF-8":         {with(`"Typed State"`, "\"Typed \xff State\""), "/"},
		"too deep":          {`{"schema":"automaton/record/1","x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "it nests deeper than 64"},
		"too large":         {strings.Repeat(" ", MaxRecord+1), "it has more than 64 MiB"},
		"page without one":  {"<!doctype html><p>hello", "not a record: the page holds 0 records"},
		"page with two":     {"<!doctype html>" + pageOpen + "{}</script>" + pageOpen + "{}</script>", "not a record: the page holds 2 records"},
		"page that ends":    {"<!doctype html>" + pageOpen + good, "not a record: the page ends inside it"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Decode([]byte(tt.in))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s…", err, tt.want)
			}
		})
	}
}

// A later minor version may have more names, and its digest is then not ours to
// check.
func TestDecodeNewerMinor(t *testing.T) {
	in := strings.Replace(string(goldenFile(t, "good.json")), `automaton/record/1",`, `automaton/record/1.2", "mood": {"a": [1]},`, 1)
	rec, err := Decode([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	lines := Verify(rec, Tools{})
	if lines[0].Result != OK || lines[1].Result != Skipped {
		t.Errorf("got %v", lines[:2])
	}
}

// A page gives the record that is in it.
func TestDecodePage(t *testing.T) {
	rec := golden(t, "attack")
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // escapes <, > and &
	if err := enc.Encode(rec); err != nil {
		t.Fatal(err)
	}
	got, err := Decode([]byte("<!doctype html>\n" + pageOpen + b.String() + pageClose))
	if err != nil {
		t.Fatal(err)
	}
	if got.Digest != rec.Digest || !got.Intact() {
		t.Errorf("the record did not read back")
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "record.json")
	if _, err := Read(path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "record.json") {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(path, goldenFile(t, "good.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, dir} {
		if rec, err := Read(p); err != nil || rec.Case.Slug != "harbor/tide-clerk" {
			t.Errorf("reading %s: %v", p, err)
		}
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), `record.json": /`) {
		t.Errorf("a broken file: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(goldenFile(f, "mistrial.json")) // the others are too large to be varied fast
	f.Add([]byte(`{"schema":"automaton/record/1","evidences":{"a":[{"id":"ev-1","content":"x","at":[{"path":"p","line":1}],"confidence":0.5}]},"opinions":[{"judge":"Defense","cited_evidence":["ev-1"],"citations":[{"id":"ev-1","quote":"x"}]}]}`))
	f.Add([]byte(`{"schema":"automaton/record/1.7","verdict":{"overall":{"exact":4.5},"rulings":[{"criterion_id":"a","final_score":null}]},"new":{}}`))
	f.Add([]byte("<" + pageOpen + `{"schema":"automaton/record/1"}` + pageClose))
	f.Fuzz(func(t *testing.T, raw []byte) {
		rec, err := Decode(raw)
		if err != nil {
			return
		}
		if _, err := known(rec.Schema); err != nil {
			t.Errorf("read a record of schema %q", rec.Schema)
		}
		for _, l := range Verify(rec, Tools{Rule: func(r *court.Record) (*court.Verdict, error) { return r.Verdict, nil }}) {
			if strings.ContainsAny(l.Text, "\x1b\n") {
				t.Errorf("%s: unsafe text %q", l.Check, l.Text)
			}
		}
	})
}

// The pages of the golden records hold them.
func TestDecodePages(t *testing.T) {
	i := slices.IndexFunc(report.Formats, func(f report.Format) bool { return f.Name == "html" })
	for _, name := range []string{"capped", "good", "blind", "mistrial", "attack", "models", "attack-models"} {
		want := golden(t, name)
		var page bytes.Buffer
		if err := report.Formats[i].Write(&page, want); err != nil {
			t.Fatal(err)
		}
		rec, err := Decode(page.Bytes())
		if err != nil || !rec.Intact() || rec.Digest != want.Digest {
			t.Errorf("%s: %v", name, err)
		}
	}
}
