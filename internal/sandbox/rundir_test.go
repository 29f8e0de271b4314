package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestCloseLeavesNothing(t *testing.T) {
	base := t.TempDir()
	b, err := Open(Options{TempDir: base})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := b.MakeDir(true)
	if err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(closed, "f"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(closed), 0); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(b.Close(), b.Close()); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(base)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := b.Worker("probe", WorkerOptions{}).Do(t.Context(), nil); err == nil {
		t.Error("a closed box starts workers")
	}
}

func TestSweepTakesDeadRunsOnly(t *testing.T) {
	base := t.TempDir()
	live, err := Open(Options{TempDir: base})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	for name, lock := range map[string]bool{"dead": true, "young": false, "old": false} {
		dir := filepath.Join(base, runPrefix+name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if lock {
			if err := os.WriteFile(filepath.Join(dir, ".lock"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	past := time.Unix(1700000000, 0)
	if err := os.Chtimes(filepath.Join(base, runPrefix+"old"), past, past); err != nil {
		t.Fatal(err)
	}
	// none of these is ours to remove
	if err := os.WriteFile(filepath.Join(base, runPrefix+"file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(live.dir.path, filepath.Join(base, runPrefix+"link")); err != nil {
		t.Fatal(err)
	}
	next, err := Open(Options{TempDir: base})
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	for name, want := range map[string]bool{"dead": false, "old": false, "young": true, "file": true, "link": true, filepath.Base(live.dir.path)[len(runPrefix):]: true} {
		_, err := os.Lstat(filepath.Join(base, runPrefix+name))
		if there := !errors.Is(err, fs.ErrNotExist); there != want {
			t.Errorf("%s: there is %v, want %v", name, there, want)
		}
	}
}

func TestRunDirectoryIsClosed(t *testing.T) {
	b := open(t, Options{})
	old := unix.Umask(0)
	defer unix.Umask(old)
	dir, err := b.MakeDir(false)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{b.dir.path, dir} {
		fi, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		if mode := fi.Mode().Perm(); mode&0o022 != 0 || b.dir.uid == 0 && mode&0o077 != 0 {
			t.Errorf("%s has mode %o", p, mode)
		}
	}
}

// A directory for temporary files may be named from where we stand.
func TestRelativeTempDirectory(t *testing.T) {
	t.Chdir(outside(t))
	if err := os.Mkdir("tmp", 0o755); err != nil {
		t.Fatal(err)
	}
	b := open(t, Options{TempDir: "tmp"})
	dir, err := b.MakeDir(true)
	if err != nil || !filepath.IsAbs(dir) {
		t.Fatalf("%q, %v", dir, err)
	}
	if _, err := b.Run(t.Context(), script("touch "+dir+"/f")); err != nil {
		t.Error(err)
	}
}

// A program of the working directory is never taken for git; the next place on
// PATH is.
func TestGitIsNotOfTheWorkingDirectory(t *testing.T) {
	t.Chdir(outside(t))
	if err := os.MkdirAll("bin", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bin/git", []byte("#!/bin/sh\necho git version 9.9\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	real := lookUp("git")
	t.Setenv("PATH", "bin:.::"+filepath.Dir(real))
	if got := lookUp("git"); got != real {
		t.Errorf("git is %q, want %q", got, real)
	}
}
