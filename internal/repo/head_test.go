package repo

import (
	"os"
	"testing"
)

// HEAD is followed to its commit, in a folder with a work tree and in a bare one; what is no git folder has none.
func TestHead(t *testing.T) {
	m := make1(t, map[string]string{"a.py": "x = 1\n"})
	for range 2 {
		want := m.commit("one more", map[string]string{"a.py": "x = 2\n"})
		if got := Head(Target{Local: m.dir}); got != want {
			t.Errorf("HEAD is %q, want %q", got, want)
		}
		if got := Head(Target{Local: m.path("")}); got != want {
			t.Errorf("HEAD of the git folder is %q, want %q", got, want)
		}
		m.git("pack-refs", "--all")
		if got := Head(Target{Local: m.dir}); got != want {
			t.Errorf("HEAD in packed refs is %q, want %q", got, want)
		}
	}
	plain := t.TempDir()
	if got := Head(Target{Local: plain}) + Head(Target{Local: plain + "/none"}) + Head(Target{URL: "https://github.com/o/n"}); got != "" {
		t.Errorf("%q of what has no commit", got)
	}
	if err := os.WriteFile(m.path("HEAD"), []byte("ref: ../../etc/passwd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Head(Target{Local: m.dir}); got != "" {
		t.Errorf("%q of a HEAD that points elsewhere", got)
	}
}
