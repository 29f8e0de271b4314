package cli

import (
	"os"
	"path/filepath"
	"testing"
)

func TestInGitDir(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"w/.git/objects", "w/.git/refs/heads", "w/src", "objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "w/.git/HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "w/.git/refs"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"w/.git/HEAD": true, "w/.git/x.json": true, "w/.git/refs/heads/new/x.md": true, "link/heads/main": true,
		"w/report.html": false, "w/src/x.md": false, "x.json": false, "objects/x.json": false, "w/new/folder/x.md": false,
	} {
		if got := inGitDir(filepath.Join(dir, path)); got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
}
