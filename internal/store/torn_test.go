package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// brokenDisk fails at its n-th call.
type brokenDisk struct {
	osDisk
	left  *int
	cause error
	swaps bool // whether names can be swapped
}

func (d brokenDisk) tick() error {
	if *d.left--; *d.left == 0 {
		return d.cause
	}
	return nil
}

func (d brokenDisk) create(root *os.Root, name string) (file, error) {
	if err := d.tick(); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f, err := d.osDisk.create(root, name)
	if err != nil {
		return nil, err
	}
	return brokenFile{f, d}, nil
}

func (d brokenDisk) rename(root *os.Root, from, to string) error {
	if err := d.tick(); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return d.osDisk.rename(root, from, to)
}

func (d brokenDisk) exchange(root *os.Root, a, b string) error {
	if !d.swaps {
		return errors.ErrUnsupported
	}
	if err := d.tick(); err != nil {
		return err
	}
	return d.osDisk.exchange(root, a, b)
}

func (d brokenDisk) syncFolder(root *os.Root, name string) error {
	if err := d.tick(); err != nil {
		return &fs.PathError{Op: "sync", Path: name, Err: err}
	}
	return d.osDisk.syncFolder(root, name)
}

type brokenFile struct {
	file
	d brokenDisk
}

func (f brokenFile) Write(p []byte) (int, error) {
	if err := f.d.tick(); err != nil {
		n, _ := f.file.Write(p[:len(p)/2]) // a torn write
		return n, err
	}
	return f.file.Write(p)
}

func (f brokenFile) Sync() error { return errors.Join(f.file.Sync(), f.d.tick()) }

func (f brokenFile) Close() error { return errors.Join(f.file.Close(), f.d.tick()) }

// Whatever write, sync, close or rename fails: the case folder holds the old
// files or the new ones, never a mixture, and the error names path and cause.
func TestTornWrites(t *testing.T) {
	for _, swaps := range []bool{true, false} {
		for _, cause := range []error{syscall.ENOSPC, syscall.EIO} {
			failures := 0
			for n := 1; ; n++ {
				dir := t.TempDir()
				keep(t, shelf(t, dir, osDisk{}), "good", "old")
				left := n
				err := rewrite(dir, brokenDisk{left: &left, cause: cause, swaps: swaps}, goldenFile(t, "good.json"))
				if left > 0 {
					if err != nil {
						t.Fatal(err)
					}
					break
				}
				failures++
				if err == nil || !errors.Is(err, cause) || !strings.Contains(err.Error(), dir) {
					t.Errorf("call %d: error %v", n, err)
				}
				wholeCase(t, dir, n)
				keep(t, shelf(t, dir, osDisk{}), "good", "next")
				got := files(t, dir)
				for name := range got {
					if strings.HasSuffix(name, ".tmp") || strings.Contains(name, ".build") || strings.Contains(name, ".old") {
						t.Errorf("call %d: %s was left", n, name)
					}
				}
				if got[goodName+"/report.md"] != "next" {
					t.Errorf("call %d: the next run left %q", n, got[goodName+"/report.md"])
				}
			}
			if failures < 12 {
				t.Errorf("only %d calls of the disk were made to fail", failures)
			}
		}
	}
}

// rewrite is a second run of the same case on a disk that may break.
func rewrite(dir string, d disk, record []byte) error {
	s, err := open(dir, d)
	if err != nil {
		return err
	}
	rec, err := Decode(record)
	if err != nil {
		return err
	}
	f, err := s.Claim(context.Background(), rec.Case.ID, InputsOf(rec), false)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	err = fillAndPublish(f, record, "new")
	return errors.Join(err, f.Close(), s.Close())
}

// wholeCase checks that a reader finds one whole case, old or new.
func wholeCase(t *testing.T, dir string, n int) {
	t.Helper()
	report, err := os.ReadFile(filepath.Join(dir, goodName, "report.md"))
	if err != nil || string(report) != "old" && string(report) != "new" {
		t.Errorf("call %d: the report is %q, %v", n, report, err)
	}
	if rec, err := Read(filepath.Join(dir, goodName)); err != nil || !rec.Intact() {
		t.Errorf("call %d: the record is torn: %v", n, err)
	}
	if latest, err := os.ReadFile(filepath.Join(dir, "latest")); err != nil || string(latest) != goodName+"\n" {
		t.Errorf("call %d: latest is %q, %v", n, latest, err)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b", "report.html")
	for _, text := range []string{"one", "two"} {
		if err := WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(map[string]string{"report.html": "two"}, files(t, filepath.Dir(path))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for n := 1; ; n++ {
		left := n
		err := writeFile(brokenDisk{left: &left, cause: syscall.ENOSPC}, path, []byte("three"))
		if left > 0 {
			break
		}
		if err == nil || err.Error() != "writing "+path+": no space left on device" {
			t.Errorf("call %d: %v", n, err)
		}
		got := files(t, filepath.Dir(path))
		if text := got["report.html"]; len(got) != 1 || text != "two" && text != "three" {
			t.Errorf("call %d: %v", n, got)
		}
	}
	if err := WriteFile(filepath.Dir(path), nil); err == nil || !strings.HasSuffix(err.Error(), "it is there and not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}
