package graph

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/gofrs/flock"
)

// FileJournal is a Journal in one file, synced after each record. A lock beside
// it, PATH.lock, makes sure that one process has it at a time.
type FileJournal struct {
	path string
	cut  int64
	lock *flock.Flock

	mu     sync.Mutex
	file   file
	recs   []Record
	kept   map[string]int // task to index in recs
	broken error          // a write or sync failed: what the file has is unknown
}

// file is what a FileJournal needs of an *os.File.
type file interface {
	io.WriteCloser
	Sync() error
}

// ErrLocked says that another process has the journal open.
var ErrLocked = errors.New("another process has the journal open")

// mostJournal bounds what is read into memory, in bytes.
const mostJournal = 1 << 30

// OpenFile opens or creates the journal at path. What a crash tore is cut off,
// from the first bad line on. The error wraps ErrLocked or ErrNotJournal where
// they apply.
func OpenFile(path string) (*FileJournal, error) {
	j := &FileJournal{path: path, kept: map[string]int{}}
	err := j.open()
	if err != nil {
		return nil, fmt.Errorf("opening journal %q: %w", path, errors.Join(err, j.close()))
	}
	return j, nil
}

func (j *FileJournal) open() error {
	var err error
	if j.lock, err = lockFile(j.path + ".lock"); err != nil {
		return err
	}
	f, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	j.file = f
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return ErrNotJournal
	}
	if info.Size() > mostJournal {
		return fmt.Errorf("%w: %d bytes, over %d", ErrNotJournal, info.Size(), mostJournal)
	}
	recs, good, err := readFrames(f)
	if err != nil {
		return err
	}
	for _, r := range recs {
		j.remember(r)
	}
	j.cut = info.Size() - good
	return mend(f, good)
}

// mend cuts f after its good bytes, or begins it when it has none.
func mend(f *os.File, good int64) error {
	if err := f.Truncate(good); err != nil {
		return err
	}
	if _, err := f.Seek(good, io.SeekStart); err != nil {
		return err
	}
	if good == 0 {
		if _, err := io.WriteString(f, magic); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return syncDir(filepath.Dir(f.Name()))
}

func (j *FileJournal) remember(r Record) {
	if _, dup := j.kept[r.Task]; !dup {
		j.kept[r.Task] = len(j.recs)
		j.recs = append(j.recs, r)
	}
}

// Cut is the number of bytes that OpenFile cut off: what a crash had torn.
func (j *FileJournal) Cut() int64 { return j.cut }

// Load returns the records in the order in which they were kept.
func (j *FileJournal) Load(context.Context) ([]Record, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.recs), nil
}

// Append writes and syncs r, unless its task has a record, and returns the one
// that is kept. After a failed write nothing more is written: only a new
// OpenFile finds out what the file has. The context is not heeded; a record is
// written whole or not at all.
func (j *FileJournal) Append(_ context.Context, r Record) (Record, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if i, ok := j.kept[r.Task]; ok {
		return j.recs[i], nil
	}
	if j.broken != nil {
		return Record{}, j.broken
	}
	line, err := frame(r)
	if err != nil {
		return Record{}, fmt.Errorf("encoding a record of journal %q: %w", j.path, err)
	}
	if _, err = j.file.Write(line); err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		j.broken = fmt.Errorf("writing journal %q: %w", j.path, err)
		return Record{}, j.broken
	}
	j.remember(r)
	return r, nil
}

// Close releases the journal.
func (j *FileJournal) Close() error {
	if err := j.close(); err != nil {
		return fmt.Errorf("closing journal %q: %w", j.path, err)
	}
	return nil
}

func (j *FileJournal) close() error {
	var errs []error
	if j.file != nil {
		errs = append(errs, j.file.Close())
	}
	if j.lock != nil {
		errs = append(errs, j.lock.Unlock())
	}
	return errors.Join(errs...)
}

// SetAside renames the journal to PATH.old, over an older one, and closes it:
// what to do with the journal of another run.
func (j *FileJournal) SetAside() error {
	err := os.Rename(j.path, j.path+".old")
	if err == nil {
		err = syncDir(filepath.Dir(j.path))
	}
	if err := errors.Join(err, j.close()); err != nil {
		return fmt.Errorf("setting aside journal %q: %w", j.path, err)
	}
	return nil
}

// Remove deletes the journal and its lock and closes it: what to do when the
// run's record is safe elsewhere.
func (j *FileJournal) Remove() error {
	if err := errors.Join(os.Remove(j.path), os.Remove(j.path+".lock"), j.close()); err != nil {
		return fmt.Errorf("removing journal %q: %w", j.path, err)
	}
	return nil
}

// syncDir makes the names in a folder survive a power cut. Windows cannot sync
// folders and journals names itself.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
