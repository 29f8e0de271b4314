package sandbox

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const runPrefix = "automaton-run-"

// runDir is one run's directory. It holds: .lock (held while the run lives), gitconfig, home and work (a child's, of the
// throw-away uid), own (ours; children only read it).
type runDir struct {
	path string
	uid  int // the throw-away uid, 0: none
	// owner is the uid that the children's directories belong to, 0: ours. It is another than uid when the fall-back order
	// came to a step without.
	owner int
	// noUID says why root has none: in a rootless container only root itself is mapped.
	noUID string
	lock  *os.File

	mu   sync.Mutex
	next int
}

// openRunDir makes the directory and locks it, so that a later start can tell a dead run's directory from a live one's.
func openRunDir(base string) (*runDir, error) {
	path, err := os.MkdirTemp(base, runPrefix)
	if err != nil {
		return nil, fmt.Errorf("making run directory: %w", err)
	}
	d := &runDir{path: path}
	if err := d.fill(); err != nil {
		return nil, errors.Join(fmt.Errorf("making run directory: %w", err), d.remove())
	}
	return d, nil
}

// Folder makes a directory in base for what a process needs while it lives, and removes those of the same prefix whose
// process died. remove ends it.
func Folder(base, prefix string) (path string, remove func() error, err error) {
	if path, err = os.MkdirTemp(base, prefix); err != nil {
		return "", nil, err
	}
	lock, err := lockDir(path)
	remove = func() error { return removeHeld(path, lock) }
	if err == nil {
		err = sweepBeside(base, prefix, path)
	}
	if err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return path, remove, nil
}

// sweepBeside sweeps at the time at which a directory was made.
func sweepBeside(base, prefix, path string) error {
	fi, err := os.Stat(path)
	if err != nil {
		return err
	}
	return sweep(base, prefix, fi.ModTime())
}

// lockDir locks a directory. The lock is given even with an error, to be closed.
func lockDir(path string) (*os.File, error) {
	// The lock gets its name once it is held: a janitor that starts meanwhile must not find it free.
	unheld, held := filepath.Join(path, ".lock.new"), filepath.Join(path, ".lock")
	lock, err := os.OpenFile(unheld, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return lock, err
	}
	return lock, os.Rename(unheld, held)
}

func (d *runDir) fill() (err error) {
	if d.lock, err = lockDir(d.path); err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		if err := d.chooseUID(); err != nil {
			return err
		}
	}
	for _, name := range []string{"home", "work"} {
		if err := d.mkdir(filepath.Join(d.path, name), true); err != nil {
			return err
		}
	}
	return d.mkdir(filepath.Join(d.path, "own"), false)
}

// chooseUID picks a uid of systemd's range for dynamic users: never a real account, and one for each run, so that NPROC
// counts this run alone.
func (d *runDir) chooseUID() error {
	var r [2]byte
	if _, err := rand.Read(r[:]); err != nil {
		return err
	}
	uid := 61184 + int(binary.BigEndian.Uint16(r[:])%4096)
	if !traversable(filepath.Dir(d.path)) {
		d.noUID = "the directory for temporary files is closed to other users"
		return nil
	}
	probe := filepath.Join(d.path, "probe")
	if err := os.Mkdir(probe, 0o700); err != nil {
		return err
	}
	if err := os.Lchown(probe, uid, uid); err != nil {
		d.noUID = "chown: " + err.Error()
	} else {
		d.uid, d.owner = uid, uid
		if err := os.Chmod(d.path, 0o711); err != nil {
			return err
		}
	}
	return os.Remove(probe)
}

// traversable tells whether every user may go through a directory and all above it.
func traversable(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	for err == nil {
		var fi fs.FileInfo
		if fi, err = os.Stat(dir); err == nil && fi.Mode().Perm()&0o001 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return err == nil
}

// mkdir makes a directory for the children: theirs, or ours to be read by them.
func (d *runDir) mkdir(path string, writable bool) error {
	mode := fs.FileMode(0o700)
	if d.uid != 0 && !writable {
		mode = 0o755
	}
	if err := os.Mkdir(path, mode); err != nil {
		return err
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask is
		return err
	}
	if d.owner != 0 && writable {
		return os.Lchown(path, d.owner, d.owner)
	}
	return nil
}

// fresh makes the next numbered directory.
func (d *runDir) fresh(writable bool) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.next++
	n := d.next
	parent := "own"
	if writable {
		parent = "work"
	}
	path := filepath.Join(d.path, parent, strconv.Itoa(n))
	return path, d.mkdir(path, writable)
}

// give hands the children's directories to a uid, 0 for ours, when the fall-back order takes another one.
func (d *runDir) give(uid int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.owner == uid {
		return nil
	}
	owner, group := uid, uid
	if uid == 0 {
		owner, group = os.Geteuid(), os.Getegid()
	}
	for _, top := range []string{d.home(), d.work()} {
		if err := chownTree(top, owner, group); err != nil {
			return fmt.Errorf("handing over run directory: %w", err)
		}
	}
	d.owner = uid
	return nil
}

// chownTree changes the owner of a directory and of all in it. It does not leave the directory, also when a child
// that still runs puts a link in the place of a directory meanwhile.
func chownTree(top string, owner, group int) error {
	if err := os.Lchown(top, owner, group); err != nil {
		return err
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	err = fs.WalkDir(root.FS(), ".", func(p string, _ fs.DirEntry, err error) error {
		if err != nil || p == "." {
			return err
		}
		return root.Lchown(p, owner, group)
	})
	return errors.Join(err, root.Close())
}

// held tells whether the children's directories belong to the throw-away uid, and so are closed to a child of ours.
func (d *runDir) held() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.owner != 0
}

func (d *runDir) home() string      { return filepath.Join(d.path, "home") }
func (d *runDir) work() string      { return filepath.Join(d.path, "work") }
func (d *runDir) own() string       { return filepath.Join(d.path, "own") }
func (d *runDir) gitconfig() string { return filepath.Join(d.path, "gitconfig") }

func (d *runDir) remove() error {
	err := removeHeld(d.path, d.lock)
	d.lock = nil
	return err
}

// removeHeld removes a directory and gives its lock back, if it has one.
func removeHeld(path string, lock *os.File) error {
	// The lock goes last: what a kill leaves half removed is the janitor's at once.
	var err error
	entries, _ := os.ReadDir(path) // what cannot be listed, removeTree tells of
	for _, e := range entries {
		if e.Name() != ".lock" {
			err = errors.Join(err, removeTree(filepath.Join(path, e.Name())))
		}
	}
	err = errors.Join(err, removeTree(path))
	if lock != nil {
		err = errors.Join(err, lock.Close())
	}
	return err
}

// removeTree removes a tree in which a child may have made directories that even their owner cannot enter.
func removeTree(path string) error {
	if os.RemoveAll(path) == nil {
		return nil
	}
	openErr := openTree(path)
	if err := os.RemoveAll(path); err != nil {
		return errors.Join(err, openErr)
	}
	return nil
}

// openTree lets the owner into all directories of a tree. Like chownTree, it does not leave it.
func openTree(top string) error {
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	err = fs.WalkDir(root.FS(), ".", func(p string, e fs.DirEntry, _ error) error {
		if e != nil && e.IsDir() && p != "." {
			return root.Chmod(p, 0o700)
		}
		return nil
	})
	return errors.Join(err, root.Close())
}

// sweep removes the directories of a prefix and of our uid in base whose owner died: their lock can be taken. One without a lock
// file is removed when it is a minute older than now, the time of a directory that was made just before.
func sweep(base, prefix string, now time.Time) error {
	dirs, err := filepath.Glob(filepath.Join(base, prefix+"*"))
	if err != nil {
		return err
	}
	var errs []error
	for _, dir := range dirs {
		fi, err := os.Lstat(dir)
		if err != nil || !fi.IsDir() || !owned(fi) {
			continue // gone meanwhile, or not ours
		}
		if dead(dir, now.Sub(fi.ModTime()) > time.Minute) {
			errs = append(errs, removeTree(dir))
		}
	}
	return errors.Join(errs...)
}

func owned(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

func dead(dir string, old bool) bool {
	f, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return old && errors.Is(err, fs.ErrNotExist)
	}
	defer func() { _ = f.Close() }() // gives the lock back, too
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}
