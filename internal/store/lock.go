package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// waitEvery is how often a run that waits for a case folder looks again.
const waitEvery = 200 * time.Millisecond

// lock takes the lock of a case folder: on an open file beside it, which stays
// when the lock is gone, so that two runs never lock two files of one name. The
// file holds the process id, for people. With wait it waits until ctx ends.
func (s *Shelf) lock(ctx context.Context, name string, wait bool) (*flock.Flock, error) {
	lockName := ".automaton-" + name + ".lock"
	if info, err := s.root.Lstat(lockName); err == nil && !info.Mode().IsRegular() {
		return nil, errNotFile
	}
	l := flock.New(filepath.Join(s.dir, lockName), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	got, err := l.TryLock()
	if err == nil && !got && wait {
		got, err = l.TryLockContext(ctx, waitEvery)
	}
	switch {
	case err != nil:
		return nil, both(err, l.Close())
	case !got:
		return nil, both(s.busy(lockName), l.Close())
	}
	if err := s.root.WriteFile(lockName, fmt.Appendf(nil, "%d\n", os.Getpid()), 0o600); err != nil {
		return nil, both(err, l.Close())
	}
	return l, nil
}

// busy says who has the lock, when the file says so.
func (s *Shelf) busy(lockName string) error {
	pid, err := s.readSmall(lockName)
	pid = strings.TrimSpace(pid)
	if err != nil || pid == "" || strings.Trim(pid, "0123456789") != "" {
		return ErrBusy
	}
	return busyError(pid)
}

// busyError is ErrBusy with the process that is in the way.
type busyError string

func (e busyError) Error() string {
	return fmt.Sprintf("another run (pid %s) is writing here", string(e))
}

func (e busyError) Is(target error) bool { return target == ErrBusy }

// notThere tells whether an error only says that something is missing.
func notThere(err error) bool { return errors.Is(err, fs.ErrNotExist) }
