package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Folder is a case folder that this process alone may write. What it writes
// goes into a build folder beside the place; Publish swaps the two. Close it.
type Folder struct {
	shelf   *Shelf
	lock    *flock.Flock
	name    string
	build   string // name of the build folder
	added   map[string]bool
	resumed bool
	held    bool // a record of these inputs stands there
	minor   bool
}

// maxVersions bounds how many runs of other inputs one case id may have.
const maxVersions = 1000

// errOther says that a folder holds a case of other inputs.
var errOther = errors.New("it holds another case")

// Claim takes the folder of a case: the one that holds a run of the same inputs
// or none; a folder with a run of other inputs is left alone, and the next name
// of NAME, NAME.2, NAME.3, … is tried. Leftovers of a run that was killed are
// swept, its journal is kept. When another process is writing there the error
// wraps ErrBusy, unless wait is set: then Claim waits until ctx ends.
func (s *Shelf) Claim(ctx context.Context, id string, in Inputs, wait bool) (*Folder, error) {
	base := SafeName(id)
	for n := 1; n <= maxVersions; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s.%d", base, n)
		}
		f, err := s.claim(ctx, name, wait, func(f *Folder) error { return f.fits(in) })
		if errors.Is(err, errOther) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("opening case folder %q: %w", filepath.Join(s.dir, name), cause(err))
		}
		return f, nil
	}
	return nil, fmt.Errorf("opening case folder %q: there are %d runs with other inputs already", filepath.Join(s.dir, base), maxVersions)
}

// Take takes the folder of exactly that name, whatever case it holds: the caller knows that it may be replaced.
func (s *Shelf) Take(ctx context.Context, name string) (*Folder, error) {
	f, err := s.claim(ctx, SafeName(name), false, func(*Folder) error { return nil })
	if err != nil {
		return nil, fmt.Errorf("opening case folder %q: %w", filepath.Join(s.dir, name), cause(err))
	}
	return f, nil
}

func (s *Shelf) claim(ctx context.Context, name string, wait bool, fits func(*Folder) error) (*Folder, error) {
	l, err := s.lock(ctx, name, wait)
	if err != nil {
		return nil, err
	}
	f := &Folder{shelf: s, lock: l, name: name, build: ".automaton-" + name + ".build", added: map[string]bool{}}
	err = f.recover()
	if err == nil {
		err = fits(f)
	}
	if err == nil {
		err = f.prepare()
	}
	if err != nil {
		return nil, both(err, l.Close())
	}
	return f, nil
}

// fits refuses a folder whose record is of other inputs, or cannot be read.
func (f *Folder) fits(in Inputs) error {
	old, err := f.Previous()
	switch {
	case err != nil:
		return errOther
	case old != nil && !InputsOf(old).Equal(in):
		return errOther
	default:
		f.held = old != nil
		return nil
	}
}

// Previous is the record that stands in the folder now; nil when there is none.
func (f *Folder) Previous() (*court.Record, error) {
	info, err := f.shelf.root.Lstat(f.name)
	switch {
	case notThere(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, errors.New("it is not a folder")
	}
	name := f.name + "/" + recordName
	info, err = f.shelf.root.Lstat(name)
	switch {
	case notThere(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotFile
	}
	r, err := f.shelf.root.Open(name)
	if err != nil {
		return nil, err
	}
	rec, _, err := ReadFrom(r)
	return rec, both(err, r.Close())
}

// recover finishes or undoes what a killed run left half done: the old folder
// set aside, its own files of a swap, temporary files.
func (f *Folder) recover() error {
	root := f.shelf.root
	for _, left := range []string{f.aside(), f.build} { // what is not a folder there was not left by us
		if info, err := root.Lstat(left); err == nil && !info.IsDir() {
			if err := root.Remove(left); err != nil {
				return err
			}
		}
	}
	if _, err := root.Lstat(f.name); notThere(err) {
		if _, err := root.Lstat(f.aside()); err == nil {
			if err := f.shelf.disk.rename(root, f.aside(), f.name); err != nil {
				return err
			}
		}
	}
	for _, left := range []string{f.aside(), f.build} {
		if err := f.rescue(left); err != nil {
			return err
		}
	}
	if err := root.RemoveAll(f.aside()); err != nil {
		return err
	}
	return removeIfThere(root.Remove(f.latestTemp()))
}

// aside is where the old folder lies for a moment on file systems that cannot
// swap two names.
func (f *Folder) aside() string { return ".automaton-" + f.name + ".old" }

func (f *Folder) latestTemp() string { return ".automaton-" + latestName + "-" + f.name + ".tmp" }

func removeIfThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// prepare makes the build folder. Of what lies there only the journal of a run
// that did not end stays, with its events; a run that was interrupted and
// published left them in the case folder.
func (f *Folder) prepare() error {
	root := f.shelf.root
	if err := root.Mkdir(f.build, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, err := f.list(f.build)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && (e.Name() == JournalName || e.Name() == EventsName) {
			f.resumed = f.resumed || e.Name() == JournalName
			continue
		}
		if err := root.RemoveAll(f.build + "/" + e.Name()); err != nil {
			return err
		}
	}
	if f.resumed {
		return nil
	}
	if err := removeIfThere(root.Remove(f.build + "/" + EventsName)); err != nil { // events without a journal
		return err
	}
	return f.takeUp()
}
