package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// watchedDisk looks at the case before and after each of its calls, as a reader
// would who comes just then.
type watchedDisk struct {
	osDisk
	look func(when string)
}

func (d watchedDisk) create(root *os.Root, name string) (file, error) {
	d.look("before creating " + name)
	return d.osDisk.create(root, name)
}

func (d watchedDisk) rename(root *os.Root, from, to string) error {
	d.look("before renaming " + from)
	err := d.osDisk.rename(root, from, to)
	d.look("after renaming " + from)
	return err
}

func (d watchedDisk) exchange(root *os.Root, a, b string) error {
	d.look("before swapping " + a)
	err := d.osDisk.exchange(root, a, b)
	d.look("after swapping " + a)
	return err
}

func (d watchedDisk) syncFolder(root *os.Root, name string) error {
	d.look("before syncing " + name)
	return d.osDisk.syncFolder(root, name)
}

// At no moment of publishing a case again is the case away, half there, or
// without its name as the latest.
func TestD31NeverAway(t *testing.T) {
	dir := t.TempDir()
	s := shelf(t, dir, osDisk{})
	keep(t, s, "good", "old")
	if err := exchange(s.root, goodName, goodName); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("names cannot be swapped here in one step")
	}
	looks := 0
	watched := shelf(t, dir, watchedDisk{look: func(when string) {
		looks++
		rec, err := Read(filepath.Join(dir, goodName))
		if err != nil || !rec.Intact() {
			t.Errorf("%s: %v", when, err)
		}
		latest, err := s.Latest()
		if err == nil {
			_, err = os.Stat(filepath.Join(latest, "report.md"))
		}
		if err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}})
	for range 2 {
		keep(t, watched, "good", "new")
	}
	if looks < 10 {
		t.Errorf("only %d looks", looks)
	}
}

// Read is ReadBytes without the bytes.
func Read(path string) (*court.Record, error) {
	rec, _, err := ReadBytes(path)
	return rec, err
}
