package repo

import (
	"context"
	"errors"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/google/go-cmp/cmp"
)

func TestOddNames(t *testing.T) {
	m := makeEmpty(t)
	blob := m.object("blob", "x\n")
	flags := map[string][]string{
		"new\nline.py": {"control_char"}, "\x1b[31mred.py": {"control_char"}, "rtl\u202eyp.exe": {"bidi"}, "-rf": {"leading_dash"},
		"tab\there": {"control_char"}, "inv\xff\xfe.py": {"invalid_utf8"}, strings.Repeat("a", 255): nil, `quote"'$(touch X).py`: nil,
		"=cmd|calc.csv": nil, "col:on": nil, "GIT~1": {"dotgit_or_dots"}, ".g\u200cit": {"dotgit_or_dots"}, ".GIT ": {"dotgit_or_dots"},
		"ordinary.py": nil, ".gitignore": nil, "100% :(glob)*": nil,
	}
	names := make([]string, 0, len(flags))
	for n := range flags {
		names = append(names, n)
	}
	sort.Strings(names)
	var entries [][3]string
	for _, n := range names {
		entries = append(entries, [3]string{"100644", n, blob})
	}
	m.commitObject(m.tree(entries...), ada, "odd\n")
	r := mustOpen(t, m.dir, Options{})
	for i, e := range r.Tree() {
		if e.Path != names[i] {
			t.Errorf("file %d is %q, want %q", i, e.Path, names[i])
		} else if diff := cmp.Diff(flags[e.Path], e.Flags); diff != "" {
			t.Errorf("%q (-want +got):\n%s", e.Path, diff)
		}
	}
	got, err := r.Blobs(context.Background(), names)
	if err != nil || len(got) != len(names) {
		t.Errorf("%d of %d read, %v", len(got), len(names), err)
	}
	h := mustHistory(t, r)
	if n := len(h.Commits[0].Changes); n != len(names) || !h.Ever("new\nline.py") || h.Ever("line.py") {
		t.Errorf("%d changes", n)
	}
}

func TestHostileTrees(t *testing.T) {
	m := makeEmpty(t)
	blob := m.object("blob", "x\n")
	sub := m.tree([3]string{"100755", "config", blob})
	m.commitObject(m.tree(
		[3]string{"40000", ".git", sub}, [3]string{"100644", "..", blob}, [3]string{"100644", "../../x", blob}, [3]string{"100644", "/abs", blob},
		[3]string{"100644", "dup", blob}, [3]string{"100644", "dup", blob}, [3]string{"120000", "link", blob}, [3]string{"100666", "mode", blob},
		[3]string{"160000", "sub", strings.Repeat("1", 40)},
	), ada, "hostile\n")
	r := mustOpen(t, m.dir, Options{})
	type brief struct {
		Path  string
		Kind  Kind
		Flags []string
	}
	var got []brief
	for _, e := range r.Tree() {
		got = append(got, brief{e.Path, e.Kind, e.Flags})
	}
	want := []brief{
		{"..", File, []string{"dotgit_or_dots"}}, {"../../x", File, []string{"dotgit_or_dots"}}, {".git/config", Executable, []string{"dotgit_or_dots"}},
		{"/abs", File, []string{"absolute", "dotgit_or_dots"}}, {"dup", File, nil}, {"dup", File, nil}, {"link", Symlink, nil},
		{"mode", File, nil}, {"sub", Submodule, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := r.Blob(context.Background(), "sub"); !errors.Is(err, ErrNotFile) {
		t.Errorf("submodule: %v", err)
	}
	if b, err := r.Blob(context.Background(), "../../x"); err != nil || string(b) != "x\n" {
		t.Errorf("../../x: %q, %v", b, err)
	}
}

func TestDeepAndWideTrees(t *testing.T) {
	m := makeEmpty(t)
	tree := m.tree([3]string{"100644", "f", m.object("blob", "x")})
	for range 100 {
		tree = m.tree([3]string{"40000", "d", tree})
	}
	m.commitObject(tree, ada, "deep\n")
	r := mustOpen(t, m.dir, Options{})
	if len(r.Tree()) != 1 || !slices.Contains(r.Tree()[0].Flags, "deep") {
		t.Errorf("tree %+v", r.Tree())
	}
	// ten levels of ten names: ten thousand million files out of eleven objects
	tree = m.object("blob", "x")
	mode := "100644"
	for range 10 {
		var entries [][3]string
		for i := range 10 {
			entries = append(entries, [3]string{mode, string(rune('a' + i)), tree})
		}
		tree, mode = m.tree(entries...), "40000"
	}
	m.commitObject(tree, ada, "bomb\n")
	r = mustOpen(t, m.dir, Options{MaxEntries: 5000})
	if len(r.Tree()) != 5000 || !hasNote(r, "limit_tree", "") {
		t.Errorf("%d files, notes %v", len(r.Tree()), r.Notes())
	}
	m.git("repack", "-adq") // so that it does not open a file for each of the ten thousand million
	// git collects all changes before it tells the first
	box, err := sandbox.Open(sandbox.Options{Limits: sandbox.Limits{Memory: 150 << 20}})
	m.check(err)
	defer box.Close()
	r, err = Open(t.Context(), box, Target{Local: m.dir}, Options{MaxEntries: 10})
	m.check(err)
	h := mustHistory(t, r)
	if len(h.Commits) != 1 || !h.Commits[0].Partial || !h.Complete() || !hasNote(r, "limit_memory", "") {
		t.Errorf("history %+v, notes %v", h, r.Notes())
	}
}

func TestBrokenBlobsCostThemselvesOnly(t *testing.T) {
	m := make1(t, map[string]string{"a": "1\n", "b": "2\n", "c": "3\n", "d": "4\n", "e": "5\n"})
	last := m.commit("two", map[string]string{"a": "1\n1\n"})
	id := func(name string) string { return m.git("rev-parse", "HEAD:"+name) }
	b, c, d := id("b"), id("c"), id("d")
	m.check(os.Remove(m.path(m.loose(b))))
	for _, id := range []string{c, d} {
		m.check(os.Chmod(m.path(m.loose(id)), 0o644))
	}
	m.write(m.loose(c), "no zlib stream at all")
	good, err := os.ReadFile(m.path(m.loose(m.object("blob", "other content\n"))))
	m.check(err)
	m.write(m.loose(d), string(good)) // well-formed, but not what its id says
	r := mustOpen(t, m.dir, Options{})
	ctx := context.Background()
	for path, want := range map[string]string{"a": "1\n1\n", "e": "5\n"} {
		if got, err := r.Blob(ctx, path); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	for _, path := range []string{"b", "c", "d"} {
		if got, err := r.Blob(ctx, path); !errors.Is(err, ErrMissing) {
			t.Errorf("%s: %q, %v", path, got, err)
		}
		if !hasNote(r, "missing_blob", path) {
			t.Errorf("%s is not noted: %v", path, r.Notes())
		}
	}
	for _, id := range []string{b, c, d, strings.Repeat("0", 40), "HEAD", last} {
		if got, err := r.Objects(ctx, []string{id}); err != nil || len(got) != 0 {
			t.Errorf("%s: %q, %v", id, got, err)
		}
	}
	h := mustHistory(t, r)
	if !h.Complete() || len(h.Commits) != 2 {
		t.Fatalf("history %+v", h)
	}
	first := h.Commits[0]
	counted := map[string]bool{}
	for _, c := range first.Changes {
		counted[c.Path] = c.Counted && c.Added == 1
	}
	want := map[string]bool{"a": true, "b": false, "c": false, "d": false, "e": true}
	if diff := cmp.Diff(want, counted); diff != "" || !first.Partial {
		t.Errorf("counted, partial %v (-want +got):\n%s", first.Partial, diff)
	}
	if c := h.Commits[1]; c.Partial || len(c.Changes) != 1 || c.Changes[0].Added != 1 || !c.Changes[0].Counted {
		t.Errorf("second commit %+v", c)
	}
}

// A blob that is longer than it says costs itself alone: git writes what is there.
func TestLongerThanItSays(t *testing.T) {
	m := make1(t, map[string]string{"a": "1\n", "b": "2\n", "c": "3\n"})
	longer := m.git("rev-parse", "HEAD:b")
	raw, err := os.ReadFile(m.path(m.loose(m.object("blob", strings.Repeat("2\n", 5<<20)))))
	m.check(err)
	m.check(os.Remove(m.path(m.loose(longer))))
	m.write(m.loose(longer), m.lying(raw, "blob 2\x00"))
	r := mustOpen(t, m.dir, Options{})
	got, err := r.Blobs(context.Background(), []string{"a", "b", "c"})
	if diff := cmp.Diff(map[string][]byte{"a": []byte("1\n"), "c": []byte("3\n")}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if !hasNote(r, "missing_blob", "b") {
		t.Errorf("notes: %v", r.Notes())
	}
	if h := mustHistory(t, r); len(h.Commits) != 1 {
		t.Errorf("history %+v", h)
	}
}

func TestMissingTreeIsTold(t *testing.T) {
	m := make1(t, map[string]string{"a": "1\n", "dir/b": "2\n", "z": "3\n"})
	m.check(os.Remove(m.path(m.loose(m.git("rev-parse", "HEAD:dir")))))
	r := mustOpen(t, m.dir, Options{})
	if !hasNote(r, "missing_tree", "") {
		t.Errorf("notes: %v", r.Notes())
	}
	h := mustHistory(t, r)
	if len(h.Commits) != 1 || !h.Commits[0].Partial {
		t.Errorf("history %+v", h.Commits)
	}
}

func TestBlobLimits(t *testing.T) {
	m := make1(t, map[string]string{"big": strings.Repeat("b", 5000), "m1": strings.Repeat("1", 900), "m2": strings.Repeat("2", 901), "s": "s"})
	r := mustOpen(t, m.dir, Options{MaxBlob: 1000, MaxBlobs: 1500})
	ctx := context.Background()
	got, err := r.Blobs(ctx, []string{"big", "m1", "m2", "s", "none"})
	if err != nil || len(got) != 2 || got["m1"] == nil || got["s"] == nil {
		t.Errorf("%d files, %v", len(got), err)
	}
	for _, path := range []string{"big", "m2"} {
		if _, err := r.Blob(ctx, path); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if !hasNote(r, "limit_blob", "big") || !hasNote(r, "limit_blobs", "") {
		t.Errorf("notes: %v", r.Notes())
	}
	if b, err := r.BlobUpTo(ctx, "big", 1<<20); err != nil || len(b) != 5000 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if _, err := r.BlobUpTo(ctx, "big", 2000); !errors.Is(err, ErrTooLarge) {
		t.Errorf("over its own limit: %v", err)
	}
	e, _ := r.Entry("big")
	if got, err := r.Objects(ctx, []string{e.OID}); err != nil || len(got) != 0 {
		t.Errorf("by id: %q, %v", got, err)
	}
}

// What does not fit is left out, the same by whichever way it is read.
func TestObjectsWithinLimits(t *testing.T) {
	texts := []string{strings.Repeat("a", 900), strings.Repeat("b", 2000), strings.Repeat("c", 500), strings.Repeat("d", 400)}
	m := make1(t, map[string]string{"f": texts[0]})
	ids := []string{m.git("rev-parse", "HEAD:f")}
	for _, text := range texts[1:] {
		m.commit("more", map[string]string{"f": text})
		ids = append(ids, m.git("rev-parse", "HEAD:f"))
	}
	for _, c := range []struct {
		most  int64
		want  int // of the first three, without the one that is too large
		noted bool
	}{{5000, 2, false}, {1000, 1, true}} {
		r := mustOpen(t, m.dir, Options{MaxBlob: 1000, MaxBlobs: c.most})
		got, err := r.Objects(context.Background(), ids[:3])
		if err != nil || len(got) != c.want || string(got[ids[0]]) != texts[0] || hasNote(r, "limit_blobs", "") != c.noted {
			t.Errorf("up to %d: %d objects, %v, %v", c.most, len(got), err, r.Notes())
		}
	}
}

func TestObjectsReadsOlderVersions(t *testing.T) {
	m := make1(t, map[string]string{"a": "old\n"})
	old := m.git("rev-parse", "HEAD:a")
	m.commit("two", map[string]string{"a": "new\n"})
	r := mustOpen(t, m.dir, Options{})
	e, _ := r.Entry("a")
	got, err := r.Objects(context.Background(), []string{old, e.OID, old, r.Commit(), strings.Repeat("2", 40)})
	want := map[string][]byte{old: []byte("old\n"), e.OID: []byte("new\n")}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
