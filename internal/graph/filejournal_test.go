package graph_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/graph"
)

func rec(task, outcome string) graph.Record {
	return graph.Record{Task: task, Outcome: []byte(outcome)}
}

func hasPrefix(err error, want string) bool {
	return err != nil && strings.HasPrefix(err.Error(), want)
}

func opened(t *testing.T, path string) *graph.FileJournal {
	t.Helper()
	j, err := graph.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func closed(t *testing.T, j *graph.FileJournal) {
	t.Helper()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The format, byte for byte: length in decimal, CRC-32C, one JSON object.
func TestFileFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j := opened(t, path)
	at := time.Date(2026, 11, 21, 5, 40, 2, 0, time.FixedZone("", 3600))
	for _, r := range []graph.Record{
		{Task: "head", Outcome: []byte(`{"commit": "9f2c41d"}`), At: at},
		{Task: "000/A", Outcome: []byte(`{"patch":{"q":"<é>"}}`)},
	} {
		if _, err := j.Append(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	closed(t, j)
	want := "automaton-journal 1\n" +
		`57 90d633a9 {"head":{"commit":"9f2c41d"},"at":"2026-11-21T04:40:02Z"}` + "\n" +
		`49 e723632b {"task":"000/A","outcome":{"patch":{"q":"<é>"}}}` + "\n"
	if diff := cmp.Diff(want, read(t, path)); diff != "" {
		t.Error(diff)
	}
	recs, err := opened(t, path).Load(t.Context())
	if err != nil || len(recs) != 2 || recs[0].Task != "head" || !recs[0].At.Equal(at) || string(recs[1].Outcome) != `{"patch":{"q":"<é>"}}` {
		t.Error(recs, err)
	}
}

func TestFileFirstWins(t *testing.T) {
	j := opened(t, filepath.Join(t.TempDir(), "journal"))
	for _, outcome := range []string{`{"x":1}`, `{"x":2}`} {
		if kept, err := j.Append(t.Context(), rec("000/A", outcome)); err != nil || string(kept.Outcome) != `{"x":1}` {
			t.Error(kept, err)
		}
	}
	// A record that could not be read back is not written.
	for _, bad := range []graph.Record{{}, rec("", `{}`), rec("000/B", ""), rec("000/B", `{"x":`)} {
		if _, err := j.Append(t.Context(), bad); err == nil {
			t.Errorf("kept %v", bad)
		}
	}
	if kept, err := j.Append(t.Context(), rec("000/B", `{}`)); err != nil || kept.Task != "000/B" {
		t.Error("a refused record broke the journal", err)
	}
}

func TestFileLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j := opened(t, path)
	if _, err := graph.OpenFile(path); !errors.Is(err, graph.ErrLocked) {
		t.Error(err)
	}
	closed(t, j)
	closed(t, opened(t, path))
}

// A journal torn at any byte has a prefix of its records, goes on, and ends
// whole.
func TestFileTornAnywhere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal")
	j := opened(t, path)
	all := []graph.Record{rec("head", `{"a":"b"}`), rec("000/A", `{"x":"é"}`), rec("000/B", `{"y":[1,2]}`)}
	ends := []int{len("automaton-journal 1\n")} // of the magic and of each record
	for _, r := range all {
		if _, err := j.Append(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(read(t, path)))
	}
	closed(t, j)
	whole := read(t, path)
	for cut := range len(whole) + 1 {
		for name, tail := range map[string]string{"": "", "zeros": strings.Repeat("\x00", 50), "more": "?\n" + whole} {
			if cut < ends[0] && tail != "" {
				continue // no magic: not a journal, see TestFileForeign
			}
			write(t, path, whole[:cut]+tail)
			j := opened(t, path)
			recs, err := j.Load(t.Context())
			good := slices.IndexFunc(ends, func(e int) bool { return e > cut })
			if good < 0 {
				good = len(ends)
			}
			want := all[:max(0, good-1)]
			if err != nil || !cmp.Equal(want, recs, equateEmpty) {
				t.Fatalf("torn at %d %s: %v, %v", cut, name, recs, err)
			}
			if lost := len(whole[:cut]+tail) - append([]int{0}, ends...)[good]; j.Cut() != int64(lost) {
				t.Fatalf("torn at %d %s: says it cut %d, not %d", cut, name, j.Cut(), lost)
			}
			for _, r := range all {
				if _, err := j.Append(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			closed(t, j)
			if read(t, path) != whole {
				t.Fatalf("torn at %d %s: mended to %q", cut, name, read(t, path))
			}
		}
	}
}

var equateEmpty = cmp.Comparer(func(a, b []graph.Record) bool {
	return slices.EqualFunc(a, b, func(x, y graph.Record) bool {
		return x.Task == y.Task && string(x.Outcome) == string(y.Outcome) && x.At.Equal(y.At)
	})
})

// A file that is none of ours is refused and left as it was.
func TestFileForeign(t *testing.T) {
	for name, content := range map[string]string{
		"other version": "automaton-journal 2\n",
		"flipped magic": "automaton-jOurnal 1\n",
		"short":         "x",
		"a text":        strings.Repeat("not a journal at all\n", 3),
		"zeros":         strings.Repeat("\x00", 64),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			write(t, path, content)
			if _, err := graph.OpenFile(path); !errors.Is(err, graph.ErrNotJournal) {
				t.Error(err)
			}
			if read(t, path) != content {
				t.Error("it was changed")
			}
		})
	}
	if _, err := graph.OpenFile(t.TempDir()); err == nil {
		t.Error("opened a folder")
	}
	if _, err := graph.OpenFile(filepath.Join(t.TempDir(), "none", "journal")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestFileSetAsideAndRemove(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal")
	j := opened(t, path)
	if _, err := j.Append(t.Context(), rec("head", `{"a":"b"}`)); err != nil {
		t.Fatal(err)
	}
	if err := j.SetAside(); err != nil {
		t.Fatal(err)
	}
	j = opened(t, path)
	if recs, err := j.Load(t.Context()); err != nil || len(recs) != 0 {
		t.Error(recs, err)
	}
	if old := read(t, path+".old"); !strings.Contains(old, `{"head":{"a":"b"}}`) {
		t.Error(old)
	}
	if err := j.Remove(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || !slices.Equal(left, []string{path + ".old"}) {
		t.Error(left, err)
	}
	closed(t, opened(t, path))
}
