package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// A disk that has no room for the n-th file, folder or page, for every n: the
// old case or the new one, the error names the cause, and with room again the
// next run leaves nothing behind.
func TestD32NoRoom(t *testing.T) {
	for what, limit := range map[string]func(files, pages int) string{
		"names": func(files, _ int) string { return fmt.Sprintf("nr_inodes=%d", files) },
		"pages": func(_, pages int) string { return fmt.Sprintf("nr_blocks=%d", pages) },
	} {
		t.Run(what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "disk")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64m"); err != nil {
				t.Skipf("mounting a small file system: %v", err)
			}
			defer func() {
				if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
					t.Error(err)
				}
			}()
			out := filepath.Join(dir, "out")
			s := shelf(t, out, osDisk{})
			keep(t, s, "good", "old")
			failures := 0
			for room := 0; ; room++ {
				var st syscall.Statfs_t
				if err := syscall.Statfs(dir, &st); err != nil {
					t.Fatal(err)
				}
				small := limit(int(st.Files-st.Ffree)+room, int(st.Blocks-st.Bfree)+room)
				if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, small); err != nil {
					t.Skipf("making it smaller: %v", err)
				}
				err := rewrite(out, osDisk{}, goldenFile(t, "good.json"))
				if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, "nr_inodes=100000,size=64m"); err != nil {
					t.Fatal(err)
				}
				if err == nil {
					break
				}
				failures++
				if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), dir) {
					t.Errorf("room for %d: %v", room, err)
				}
				wholeCase(t, out, room)
				keep(t, s, "good", "old")
				for name := range files(t, out) {
					if strings.HasSuffix(name, ".tmp") || strings.Contains(name, ".build") || strings.Contains(name, ".old") {
						t.Errorf("room for %d: %s was left", room, name)
					}
				}
			}
			if failures < 2 {
				t.Errorf("only %d runs had no room", failures)
			}
		})
	}
}

// Readers that come while cases are published over and over find one whole
// case each time, and the latest one always has a name.
func TestD31Readers(t *testing.T) {
	dir := t.TempDir()
	s := shelf(t, dir, osDisk{})
	keep(t, s, "good", "0")
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				r, err := OpenToRead(dir)
				if err != nil {
					t.Error(err)
					return
				}
				latest, err := r.Latest()
				if err == nil {
					var raw []byte
					raw, err = os.ReadFile(filepath.Join(latest, "report.md"))
					if err == nil && len(raw) == 0 {
						err = errors.New("an empty report")
					}
				}
				if rec, readErr := Read(filepath.Join(dir, goodName)); readErr != nil || !rec.Intact() {
					err = errors.Join(err, fmt.Errorf("torn: %w", readErr))
				}
				if err = errors.Join(err, r.Close()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for n := range 12 {
		keep(t, s, "good", fmt.Sprint(n))
	}
	close(done)
	readers.Wait()
}

// What opens files by their path asks first whether the folder still stands
// where it did; what goes through the folder itself is led nowhere else.
func TestD32FolderMoved(t *testing.T) {
	for name, put := range map[string]func(out, elsewhere string) error{
		"gone": func(string, string) error { return nil },
		"a link": func(out, elsewhere string) error {
			return errors.Join(os.MkdirAll(filepath.Join(elsewhere, ".automaton-"+goodName+".build"), 0o700), os.Symlink(elsewhere, out))
		},
		"a file": func(out, _ string) error { return os.WriteFile(out, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			out, moved, elsewhere := filepath.Join(top, "out"), filepath.Join(top, "moved"), filepath.Join(top, "elsewhere")
			s := shelf(t, out, osDisk{})
			f := claim(t, s, golden(t, "good"))
			if err := f.Stands(); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.Rename(out, moved), put(out, elsewhere)); err != nil {
				t.Fatal(err)
			}
			if err := f.Stands(); err == nil || !strings.HasPrefix(err.Error(), "opening "+f.Build()+": ") {
				t.Errorf("stands: %v", err)
			}
			log, err := f.Log(EventsName)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := log.WriteString("{}\n"); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(log.Close(), fillAndPublish(f, goldenFile(t, "good.json"), "x"), f.Close()); err != nil {
				t.Error(err)
			}
			wholeIn := filepath.Join(moved, goodName, EventsName)
			if raw, err := os.ReadFile(wholeIn); err != nil || string(raw) != "{}\n" {
				t.Errorf("%q, %v", raw, err)
			}
			if name == "a link" {
				if got := files(t, elsewhere); len(got) > 0 {
					t.Errorf("written elsewhere: %v", got)
				}
			}
		})
	}
}

// Links among what a killed run may have left are not followed either, nor is
// anything of theirs removed.
func TestD32LinksOfLeftovers(t *testing.T) {
	for _, link := range []string{
		".gitignore", ".automaton-" + goodName + ".build/" + JournalName, ".automaton-" + goodName + ".build/" + EventsName, ".automaton-" + goodName + ".build/record.json",
		".automaton-" + goodName + ".old", goodName + "/" + JournalName, goodName + "/" + EventsName, goodName + "/report.md", ".automaton-latest-" + goodName + ".tmp",
	} {
		t.Run(link, func(t *testing.T) {
			dir, outside := t.TempDir(), t.TempDir()
			target := filepath.Join(outside, "file")
			if strings.HasSuffix(link, ".old") {
				target = outside
			}
			if err := errors.Join(os.WriteFile(filepath.Join(outside, "file"), []byte("precious"), 0o600), os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o700),
				os.Symlink(target, filepath.Join(dir, link))); err != nil {
				t.Fatal(err)
			}
			s, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			f, err := s.Claim(context.Background(), golden(t, "good").Case.ID, InputsOf(golden(t, "good")), false)
			if err != nil {
				t.Fatal(err)
			}
			if f.Resumed() {
				t.Error("it goes on from a link")
			}
			log, err := f.Log(EventsName)
			if err == nil {
				_, err = log.WriteString("x")
				err = errors.Join(err, log.Close())
			}
			if err = errors.Join(err, fillAndPublish(f, goldenFile(t, "good.json"), "new"), f.Close(), s.Close()); err != nil {
				t.Error(err)
			}
			if got := files(t, outside); len(got) != 1 || got["file"] != "precious" {
				t.Errorf("through the link: %v", got)
			}
			wholeCase(t, dir, 0)
		})
	}
}

// A journal that is set aside starts the run anew, and goes with it.
func TestD30SetAside(t *testing.T) {
	dir := t.TempDir()
	s := shelf(t, dir, osDisk{})
	f := claim(t, s, golden(t, "good"))
	journal := filepath.Join(f.Build(), JournalName)
	if err := errors.Join(os.WriteFile(journal, []byte("junk"), 0o600), f.Close()); err != nil {
		t.Fatal(err)
	}
	f = claim(t, s, golden(t, "good"))
	if !f.Resumed() {
		t.Fatal("nothing to go on from")
	}
	if err := f.SetAside(); err != nil || f.Resumed() {
		t.Errorf("%v, resumed %t", err, f.Resumed())
	}
	if raw, err := os.ReadFile(journal + ".old"); err != nil || string(raw) != "junk" {
		t.Errorf("%q, %v", raw, err)
	}
	if err := errors.Join(fillAndPublish(f, goldenFile(t, "good.json"), "new"), f.Close()); err != nil {
		t.Fatal(err)
	}
	for name := range files(t, dir) {
		if strings.Contains(name, JournalName) {
			t.Errorf("%s is left", name)
		}
	}
}
