package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

func shelf(t *testing.T, dir string, d disk) *Shelf {
	t.Helper()
	s, err := open(dir, d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func claim(t *testing.T, s *Shelf, rec *court.Record) *Folder {
	t.Helper()
	f, err := s.Claim(context.Background(), rec.Case.ID, InputsOf(rec), false)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// keep writes a case as a run does.
func keep(t *testing.T, s *Shelf, name, mark string) *Folder {
	t.Helper()
	f := claim(t, s, golden(t, name))
	if err := fillAndPublish(f, goldenFile(t, name+".json"), mark); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f
}

func fillAndPublish(f *Folder, record []byte, mark string) error {
	if err := f.Add("record.json", record); err != nil {
		return err
	}
	if err := f.Add("report.md", []byte(mark)); err != nil {
		return err
	}
	return f.Publish(false)
}

// files lists what lies under a folder, with the content of small files.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, p)
		if len(raw) > 100 {
			raw = []byte("…")
		}
		if strings.HasSuffix(name, ".lock") {
			raw = []byte("pid")
		}
		got[name] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

const goodName = "harbor__tide-clerk-4d0b7ae"

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	s := shelf(t, dir, osDisk{})
	keep(t, s, "good", "one")
	if err := os.WriteFile(filepath.Join(dir, goodName, "decisions.jsonl"), []byte("a human decision"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, goodName, "photos", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, goodName, "photos", "deep", "a"), []byte("b"), 0o600); err != nil {
		t.Fatal(err)
	}
	keep(t, s, "good", "two")
	want := map[string]string{
		".gitignore": "*\n", "latest": goodName + "\n", ".automaton-" + goodName + ".lock": "pid",
		goodName + "/record.json": "…", goodName + "/report.md": "two",
		goodName + "/decisions.jsonl": "a human decision", goodName + "/photos/deep/a": "b",
	}
	if diff := cmp.Diff(want, files(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for name, mode := range map[string]fs.FileMode{"": 0o700, goodName: 0o700, goodName + "/record.json": 0o600, "latest": 0o600, ".gitignore": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%q: mode %v, want %v (%v)", name, info.Mode().Perm(), mode, err)
		}
	}
	latest, err := s.Latest()
	if err != nil || latest != filepath.Join(dir, goodName) {
		t.Errorf("latest is %q, %v", latest, err)
	}
	if rec, err := Read(latest); err != nil || !rec.Intact() {
		t.Errorf("reading the latest case: %v", err)
	}
}

// Other inputs get their own folder, the same inputs the same one.
func TestFolderOfOtherInputs(t *testing.T) {
	s := shelf(t, t.TempDir(), osDisk{})
	keep(t, s, "good", "one")
	in := InputsOf(golden(t, "good"))
	in.Rubric = "another"
	for _, want := range []string{goodName + ".2", goodName + ".2"} {
		f, err := s.Claim(context.Background(), golden(t, "good").Case.ID, in, false)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name() != want {
			t.Errorf("got %s, want %s", f.Name(), want)
		}
		rec := golden(t, "good")
		rec.Rubric.Digest = "another"
		raw, err := court.Canonical(rec)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(fillAndPublish(f, raw, "x"), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if f := claim(t, s, golden(t, "good")); f.Name() != goodName {
		t.Errorf("the first inputs got %s", f.Name())
	}
}

func TestFolderWithAnUnreadableRecordIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	s := shelf(t, dir, osDisk{})
	if err := errors.Join(os.Mkdir(filepath.Join(dir, goodName), 0o700), os.WriteFile(filepath.Join(dir, goodName, "record.json"), []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if f := claim(t, s, golden(t, "good")); f.Name() != goodName+".2" {
		t.Errorf("got %s", f.Name())
	}
}

func TestLock(t *testing.T) {
	s := shelf(t, t.TempDir(), osDisk{})
	rec := golden(t, "good")
	f := claim(t, s, rec)
	_, err := s.Claim(context.Background(), rec.Case.ID, InputsOf(rec), false)
	if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "another run (pid ") || !strings.HasSuffix(err.Error(), ") is writing here") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Claim(ctx, rec.Case.ID, InputsOf(rec), true); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting past the end: %v", err)
	}
	done := make(chan error)
	go func() {
		g, err := s.Claim(context.Background(), rec.Case.ID, InputsOf(rec), true)
		if err == nil {
			err = g.Close()
		}
		done <- err
	}()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("waiting: %v", err)
	}
}

// The journal of a run that was killed, or interrupted and published, is there
// for the next run, and gone when a run ends.
func TestFolderGoesOn(t *testing.T) {
	dir := t.TempDir()
	s := shelf(t, dir, osDisk{})
	write := func(f *Folder, name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(f.Build(), name), []byte("so far"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := claim(t, s, golden(t, "good"))
	if f.Resumed() {
		t.Error("a new case goes on from nothing")
	}
	write(f, JournalName)
	write(f, EventsName)
	write(f, "half.tmp")
	if err := f.Close(); err != nil { // as when it was killed
		t.Fatal(err)
	}
	f = claim(t, s, golden(t, "good"))
	if diff := cmp.Diff(map[string]string{JournalName: "so far", EventsName: "so far"}, files(t, f.Build())); diff != "" || !f.Resumed() {
		t.Errorf("resumed %v, -want +got:\n%s", f.Resumed(), diff)
	}
	if err := errors.Join(f.Add("record.json", goldenFile(t, "good.json")), f.Publish(true), f.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Latest(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an interrupted case is the latest: %v", err)
	}
	f = claim(t, s, golden(t, "good"))
	if diff := cmp.Diff(map[string]string{JournalName: "so far", EventsName: "so far"}, files(t, f.Build())); diff != "" || !f.Resumed() {
		t.Errorf("resumed %v, -want +got:\n%s", f.Resumed(), diff)
	}
	if err := errors.Join(fillAndPublish(f, goldenFile(t, "good.json"), "done"), f.Close()); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"record.json": "…", "report.md": "done", EventsName: "so far"}
	if diff := cmp.Diff(want, files(t, filepath.Join(dir, goodName))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if f := claim(t, s, golden(t, "good")); f.Resumed() {
		t.Error("a finished case goes on")
	}
}

// Links that lie in the output folder lead nowhere.
func TestLinksAreNotFollowed(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	if err := errors.Join(os.Mkdir(outside, 0o700), os.WriteFile(filepath.Join(outside, "record.json"), []byte("precious"), 0o600)); err != nil {
		t.Fatal(err)
	}
	tests := map[string]func(dir string) error{
		"the case folder": func(dir string) error { return os.Symlink(outside, filepath.Join(dir, goodName)) },
		"the lock": func(dir string) error {
			return os.Symlink(filepath.Join(outside, "record.json"), filepath.Join(dir, ".automaton-"+goodName+".lock"))
		},
		"the build folder": func(dir string) error {
			return os.Symlink(outside, filepath.Join(dir, ".automaton-"+goodName+".build"))
		},
		"latest": func(dir string) error {
			return os.Symlink(filepath.Join(outside, "record.json"), filepath.Join(dir, "latest"))
		},
		"the record": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, goodName), 0o700), os.Symlink(filepath.Join(outside, "record.json"), filepath.Join(dir, goodName, "record.json")))
		},
	}
	for name, plant := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := plant(dir); err != nil {
				t.Fatal(err)
			}
			s := shelf(t, dir, osDisk{})
			f, err := s.Claim(context.Background(), golden(t, "good").Case.ID, InputsOf(golden(t, "good")), false)
			if err == nil {
				if err := errors.Join(fillAndPublish(f, goldenFile(t, "good.json"), "x"), f.Close()); err != nil {
					t.Log(err)
				}
			}
			if diff := cmp.Diff(map[string]string{"record.json": "precious"}, files(t, outside)); diff != "" {
				t.Errorf("written through a link: -want +got:\n%s", diff)
			}
		})
	}
	t.Run("the output folder", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "out")
		if err := os.Symlink(outside, link); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(link); err == nil || !strings.Contains(err.Error(), "it is a link") {
			t.Errorf("got %v", err)
		}
	})
}

func TestRoom(t *testing.T) {
	s := shelf(t, t.TempDir(), osDisk{})
	if err := s.Room(1 << 60); !errors.Is(err, ErrSpace) {
		t.Errorf("got %v", err)
	}
}

func TestSafeName(t *testing.T) {
	for in, want := range map[string]string{
		"northwind__auditor-9f2c41d": "northwind__auditor-9f2c41d", "../../etc/passwd": "_.._etc_passwd", "": "case_", "latest": "case_latest",
		".gitignore": "gitignore", "a b\x00ü": "a_b_ü", strings.Repeat("x", 200): strings.Repeat("x", 100),
		"Мария": "Мария", "李雷-9f2c41d": "李雷-9f2c41d", "e\u0301tude": "étude", "मारिया": "मारिया", "محمد": "محمد", "١٢٣": "١٢٣", // letters of any script, normalised
		strings.Repeat("李", 50): strings.Repeat("李", 33), // never half a letter
		"a\u202egnp.exe":        "a_gnp.exe", "a\u200bb": "a_b", "a∕b": "a_b", "a\u3164": "a_", "\u0301a": "_a", "a" + strings.Repeat("\u0332", 9): "a" + strings.Repeat("\u0332", 4) + "_____", "a\xffb": "a_b",
	} {
		if got := SafeName(in); got != want || SafeName(got) != got {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// A case that holds nothing takes no name away from one that does.
func TestKeepLatest(t *testing.T) {
	s := shelf(t, t.TempDir(), osDisk{})
	minor := func() string {
		f := claim(t, s, golden(t, "blind"))
		f.KeepLatest()
		if err := errors.Join(fillAndPublish(f, goldenFile(t, "blind.json"), "x"), f.Close()); err != nil {
			t.Fatal(err)
		}
		path, err := s.Latest()
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Base(path)
	}
	first := minor()
	if keep(t, s, "good", "x"); first == goodName {
		t.Fatal("one case")
	}
	if got := minor(); got != goodName {
		t.Errorf("%s is the latest, want %s", got, goodName)
	}
}
