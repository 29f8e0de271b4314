package repo

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A folder of a repository is read as if it were one: its files, and the commits that changed them.
func TestFolderOfARepository(t *testing.T) {
	long := strings.Repeat("a line of some length\n", 20)
	m := make1(t, map[string]string{"README.md": "top\n", "lib/x.py": long})
	m.commit("begin app", map[string]string{"apps/one/a.py": "x = 1\n", "apps/one/sub/b.py": long + "b\n", "apps/oneself/c.py": "z\n"})
	m.commit("elsewhere", map[string]string{"README.md": "more\n", "apps/oneself/c.py": "zz\n"})
	m.git("checkout", "-q", "-b", "side")
	m.commit("side", map[string]string{"apps/one/side.py": "s\n"})
	m.git("checkout", "-q", "main")
	m.commit("elsewhere again", map[string]string{"lib/y.py": "y\n"})
	m.git("merge", "-q", "--no-ff", "-m", "one line only", "side")
	m.git("mv", "lib/x.py", "apps/one/x.py")
	m.commit("in", nil)
	m.git("mv", "apps/one/sub/b.py", "lib/b.py")
	m.commit("out", nil)
	m.git("mv", "apps/one/a.py", "apps/one/z.py")
	m.commit("within", nil)

	r := mustOpen(t, m.dir, Options{Folder: "apps/one/"})
	if diff := cmp.Diff([]string{"100644 side.py", "100644 x.py", "100644 z.py"}, modesOf(r)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if b, err := r.Blob(context.Background(), "z.py"); err != nil || string(b) != "x = 1\n" {
		t.Errorf("z.py: %q, %v", b, err)
	}
	h := mustHistory(t, r)
	var got []string
	for _, c := range h.Commits {
		line := []string{c.Subject}
		for _, ch := range c.Changes {
			line = append(line, string(ch.Status)+":"+ch.From+">"+ch.Path)
		}
		got = append(got, strings.Join(line, " "))
	}
	want := []string{"begin app A:>a.py A:>sub/b.py", "side A:>side.py", "in A:>x.py", "out D:>sub/b.py", "within R:a.py>z.py"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	if !h.Complete() || len(h.Roots) != 1 || h.Roots[0] != h.Commits[0].ID || h.Ever("README.md") || !h.Ever("sub/b.py") {
		t.Errorf("roots %v, complete %t", h.Roots, h.Complete())
	}
	for i := range h.Commits[1:] {
		if parents := h.Commits[i+1].Parents; len(parents) != 1 || parents[0] != h.Commits[i].ID {
			t.Errorf("%s has parents %v", h.Commits[i+1].Subject, parents)
		}
	}
	for folder, code := range map[string]string{"none": "path_missing", "apps/on": "path_missing", "README.md": "path_missing", "../x": "path_outside", "/etc": "path_outside", "a/../../b": "path_outside"} {
		_, err := open(t, m.dir, Options{Folder: folder})
		wantCode(t, err, code)
	}
	if all := mustOpen(t, m.dir, Options{Folder: "./"}); len(all.Tree()) != 7 {
		t.Errorf("all: %v", modesOf(all))
	}
}

// Two lines of a folder's history that come from one first commit are not two histories.
func TestFolderWithTwoLines(t *testing.T) {
	m := make1(t, map[string]string{"README.md": "top\n"})
	m.git("checkout", "-q", "-b", "side")
	m.commit("left", map[string]string{"app/l.py": "1\n"})
	m.git("checkout", "-q", "main")
	m.commit("right", map[string]string{"app/r.py": "2\n"})
	m.git("merge", "-q", "--no-ff", "-m", "both", "side")
	h := mustHistory(t, mustOpen(t, m.dir, Options{Folder: "app"}))
	if len(h.Commits) != 3 || !h.Commits[2].Merge() || len(h.Roots) != 1 {
		t.Errorf("%d commits, roots %v", len(h.Commits), h.Roots)
	}
}
