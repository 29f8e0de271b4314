package store

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// What a run left that died before its repository was open is swept by the next
// run of the case that opens it; what belongs to others, or is in use, stays.
func TestD30UnopenedIsSwept(t *testing.T) {
	dir := t.TempDir()
	s := shelf(t, dir, osDisk{})
	rec := golden(t, "good")
	const base = "tide-clerk.bundle" // another name than the case has once it is open
	at := func(name string) string { return filepath.Join(dir, ".automaton-"+name+".build") }
	for name, stays := range map[string]bool{
		base: false, base + ".2": false, base + ".17": false, base + ".x": true, base + "2": true, base + "-0123456": true, "other": true,
	} {
		if err := os.Mkdir(at(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at(name), JournalName), []byte("automaton-journal 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := os.Lstat(at(name)); (err == nil) != stays {
				t.Errorf("%s: it stays: %t, %v", name, !stays, err)
			}
		}()
	}
	precious := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(precious, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(precious), at(base+".3")); err != nil {
		t.Fatal(err)
	}
	unopened := golden(t, "good")
	unopened.Case.ID, unopened.Case.Commit = base+".4", ""
	held := claim(t, s, unopened) // another run that is still opening
	f := claim(t, s, rec)
	if err := s.ClearUnopened(context.Background(), base); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(held.Build()); err != nil {
		t.Errorf("of a run that goes on: %v", err)
	}
	if _, err := os.Lstat(precious); err != nil {
		t.Errorf("through a link: %v", err)
	}
	if _, err := os.Lstat(at(base + ".3")); err == nil {
		t.Error("a link is left")
	}
	for _, f := range []*Folder{f, held} {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
