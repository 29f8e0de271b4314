package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files of a case folder that grow while a case is heard.
const (
	JournalName = "journal"
	EventsName  = "events.jsonl"
)

// ours tells whether a name in a case folder is one that the house writes. All
// others are people's: they are carried over from run to run.
func ours(name string) bool {
	return slices.Contains([]string{recordName, EventsName, JournalName, "figures"}, name) ||
		strings.HasPrefix(name, JournalName+".") || strings.HasPrefix(name, "report.")
}

// Name is the folder's name: the case id, or with .2, .3, … behind it.
func (f *Folder) Name() string { return f.name }

// Path is where the folder stands once it is published.
func (f *Folder) Path() string { return filepath.Join(f.shelf.dir, f.name) }

// Build is the path of the folder that is being built; the journal and the
// events of the run belong there.
func (f *Folder) Build() string { return filepath.Join(f.shelf.dir, f.build) }

// Resumed tells whether the journal of a run that did not end is there.
func (f *Folder) Resumed() bool { return f.resumed }

// Replaces tells whether the folder has the record of an earlier run of the same
// inputs.
func (f *Folder) Replaces() bool { return f.held }

// Add puts a file into the build folder.
func (f *Folder) Add(name string, content []byte) error {
	if SafeName(name) != name {
		return fmt.Errorf("writing %q: not a name for a file of a case", name)
	}
	err := removeIfThere(f.shelf.root.Remove(f.build + "/" + name))
	if err == nil {
		err = writeNew(f.shelf.disk, f.shelf.root, f.build+"/"+name, content)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Join(f.Path(), name), cause(err))
	}
	f.added[name] = true
	return nil
}

// Publish puts the build folder in the place of the case folder, in one step
// where the file system can, and names it as the latest. Until then, and when
// anything fails, the old folder stands as it was. An interrupted run keeps its
// journal, so that the next one goes on from there. What people put into the
// old folder is carried over.
func (f *Folder) Publish(interrupted bool) error {
	if err := f.publish(interrupted); err != nil {
		return fmt.Errorf("writing %s: %w", f.Path(), cause(err))
	}
	return nil
}

func (f *Folder) publish(interrupted bool) error {
	if !interrupted {
		if err := f.dropJournal(); err != nil {
			return err
		}
	}
	if err := f.linkForeign(); err != nil {
		return err
	}
	s := f.shelf
	if err := s.disk.syncFolder(s.root, f.build); err != nil {
		return err
	}
	if err := f.swap(); err != nil {
		return err
	}
	if err := s.disk.syncFolder(s.root, "."); err != nil {
		return err
	}
	if interrupted {
		return nil
	}
	if _, err := s.Latest(); err == nil && f.minor {
		return nil
	}
	return replace(s.disk, s.root, ".", latestName, f.latestTemp(), []byte(f.name+"\n"))
}

// KeepLatest lets the case that is named as the latest stay so, if there is one:
// this one holds nothing that could be asked about.
func (f *Folder) KeepLatest() { f.minor = true }

// swap puts the build folder in its place and removes the old one.
func (f *Folder) swap() error {
	s := f.shelf
	_, err := s.root.Lstat(f.name)
	switch {
	case notThere(err):
		return s.disk.rename(s.root, f.build, f.name)
	case err != nil:
		return err
	}
	err = s.disk.exchange(s.root, f.build, f.name)
	if errors.Is(err, errors.ErrUnsupported) {
		return f.swapInTwo()
	}
	if err != nil {
		return err
	}
	return f.discard(f.build)
}

// swapInTwo sets the old folder aside first; a run that is killed in between is
// put right by the next one.
func (f *Folder) swapInTwo() error {
	s := f.shelf
	if err := s.disk.rename(s.root, f.name, f.aside()); err != nil {
		return err
	}
	if err := s.disk.rename(s.root, f.build, f.name); err != nil {
		return both(err, s.disk.rename(s.root, f.aside(), f.name))
	}
	return f.discard(f.aside())
}

// discard removes an old folder after what is people's was taken out of it.
func (f *Folder) discard(old string) error {
	if err := f.rescue(old); err != nil {
		return err
	}
	return f.shelf.root.RemoveAll(old)
}

// linkForeign makes the files that people put into the case folder part of the
// new one before the swap; what cannot be linked is moved by rescue after it.
func (f *Folder) linkForeign() error {
	entries, err := f.list(f.name)
	if err != nil {
		return err
	}
	root := f.shelf.root
	for _, e := range entries {
		if !e.Type().IsRegular() || ours(e.Name()) || f.added[e.Name()] {
			continue
		}
		err := root.Link(f.name+"/"+e.Name(), f.build+"/"+e.Name())
		if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return nil
}

// rescue moves what people put into an old folder to the case folder, where it
// is not there already.
func (f *Folder) rescue(old string) error {
	root := f.shelf.root
	if _, err := root.Lstat(f.name); err != nil {
		return removeIfThere(err)
	}
	entries, err := f.list(old)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if ours(e.Name()) {
			continue
		}
		to := f.name + "/" + e.Name()
		if _, err := root.Lstat(to); !notThere(err) {
			continue
		}
		if err := root.Rename(old+"/"+e.Name(), to); err != nil {
			return err
		}
	}
	return nil
}

// list reads a folder of the shelf, sorted by name; a missing one is empty.
func (f *Folder) list(name string) ([]fs.DirEntry, error) {
	dir, err := f.shelf.root.Open(name)
	if notThere(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, both(err, dir.Close())
}

// dropJournal removes the journal of a run that ended, with its lock and what
// was set aside of it.
func (f *Folder) dropJournal() error {
	entries, err := f.list(f.build)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == JournalName || strings.HasPrefix(e.Name(), JournalName+".") {
			if err := f.shelf.root.Remove(f.build + "/" + e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeUp copies the journal and the events of an interrupted run from the case
// folder, where that run published them.
func (f *Folder) takeUp() error {
	root := f.shelf.root
	info, err := root.Lstat(f.name + "/" + JournalName)
	if err != nil || !info.Mode().IsRegular() {
		return removeIfThere(err)
	}
	for _, name := range []string{JournalName, EventsName} {
		if err := f.copyOver(name); err != nil {
			return err
		}
	}
	f.resumed = true
	return nil
}

// maxCopy bounds what is taken up of a journal, in bytes; a case has some MiB.
// What stands before a cut is a journal, too.
const maxCopy = 256 << 20

func (f *Folder) copyOver(name string) error {
	root := f.shelf.root
	info, err := root.Lstat(f.name + "/" + name)
	if err != nil || !info.Mode().IsRegular() {
		return removeIfThere(err)
	}
	from, err := root.Open(f.name + "/" + name)
	if err != nil {
		return err
	}
	err = writeFrom(f.shelf.disk, root, f.build+"/"+name, io.LimitReader(from, maxCopy))
	return both(err, from.Close())
}

// SetAside renames a journal that cannot be gone on from: the run starts anew.
// The journal must not be open.
func (f *Folder) SetAside() error {
	f.resumed = false
	name := f.build + "/" + JournalName
	if err := removeIfThere(f.shelf.disk.rename(f.shelf.root, name, name+".old")); err != nil {
		return fmt.Errorf("setting aside the journal of %s: %w", f.name, cause(err))
	}
	return nil
}

// Forget removes a journal that holds nothing.
func (f *Folder) Forget() error {
	if err := f.dropJournal(); err != nil {
		return fmt.Errorf("removing the journal of %s: %w", f.name, cause(err))
	}
	return nil
}

// Log opens a file of the build folder to be written on at its end.
func (f *Folder) Log(name string) (*os.File, error) {
	file, err := f.shelf.root.OpenFile(f.build+"/"+name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening %s of %s: %w", name, f.name, cause(err))
	}
	return file, nil
}

// Stands says why the place of the build folder is not the build folder: the
// output folder was removed, or something else was put in its place. What opens
// files by their path asks first.
func (f *Folder) Stands() error {
	mine, err := f.shelf.root.Lstat(f.build)
	if err == nil {
		var there fs.FileInfo
		if there, err = os.Lstat(f.Build()); err == nil && !os.SameFile(mine, there) {
			err = errors.New("the output folder was moved while it was in use")
		}
	}
	if err != nil {
		return fmt.Errorf("opening %s: %w", f.Build(), cause(err))
	}
	return nil
}

// Close gives the folder free. What was not published stays in the build
// folder when it has a journal to go on from, and is removed otherwise.
func (f *Folder) Close() error {
	err := f.sweep()
	if err = both(err, f.lock.Close()); err != nil {
		return fmt.Errorf("closing case folder %s: %w", f.Path(), cause(err))
	}
	return nil
}

func (f *Folder) sweep() error {
	_, err := f.shelf.root.Lstat(f.build + "/" + JournalName)
	if notThere(err) {
		return f.discard(f.build)
	}
	return err
}
