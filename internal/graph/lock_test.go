package graph

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
)

// A lock on a file that was removed, or replaced, keeps nobody out.
func TestIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	l := flock.New(path)
	if ok, err := l.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	named := func(want bool) {
		t.Helper()
		if got, err := isNamed(l, path); got != want || err != nil {
			t.Error(got, err)
		}
	}
	named(true)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	named(false)
	other, err := lockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	named(false)
	if _, err := lockFile(path); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	if err := errors.Join(other.Unlock(), l.Unlock()); err != nil {
		t.Error(err)
	}
}
