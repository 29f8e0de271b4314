package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A tree changes hands with all in it, and what a link in it points to does not.
func TestChownTree(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	const uid = 61500
	outside := filepath.Join(t.TempDir(), "ours")
	top := t.TempDir()
	for _, err := range []error{
		os.WriteFile(outside, nil, 0o600),
		os.MkdirAll(filepath.Join(top, "a", "b"), 0o700),
		os.WriteFile(filepath.Join(top, "a", "b", "file"), nil, 0o600),
		os.Symlink(outside, filepath.Join(top, "a", "link")),
		os.Symlink(filepath.Dir(outside), filepath.Join(top, "folder")),
		chownTree(top, uid, uid),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	count := 0
	err := filepath.WalkDir(top, func(p string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		count++
		if got := ownerOf(t, p); got != uid {
			t.Errorf("%s belongs to %d", p, got)
		}
		return nil
	})
	if err != nil || count != 6 {
		t.Errorf("%d entries, want 6 (%v)", count, err)
	}
	for _, p := range []string{outside, filepath.Dir(outside)} {
		if got := ownerOf(t, p); got != 0 {
			t.Errorf("%s, outside, belongs to %d", p, got)
		}
	}
}

func ownerOf(t *testing.T, path string) uint32 {
	t.Helper()
	fi, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatalf("%s: no owner known", path)
	}
	return st.Uid
}
