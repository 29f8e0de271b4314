package graph

import (
	"errors"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// lockFile takes the lock at path, or returns ErrLocked. The lock is on an open
// file, so it ends with its process. Whoever had it before may have removed the
// file between our opening and our locking it: then ours has no name, keeps
// nobody out, and the next try makes a new one.
func lockFile(path string) (*flock.Flock, error) {
	for range 100 { // far more than there can be removers in a row
		l := flock.New(path)
		got, err := l.TryLock()
		if err != nil {
			return nil, err
		}
		if !got {
			return nil, ErrLocked
		}
		named, err := isNamed(l, path)
		if err != nil {
			return nil, errors.Join(err, l.Unlock())
		}
		if named {
			return l, nil
		}
		if err := l.Unlock(); err != nil {
			return nil, err
		}
	}
	return nil, ErrLocked
}

// isNamed says whether path is the file that l has locked.
func isNamed(l *flock.Flock, path string) (bool, error) {
	mine, err := l.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return os.SameFile(mine, there), nil
}
