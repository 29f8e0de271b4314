package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile writes a file whole or not at all: beside its place first, then
// into it. Missing parents are made. A link at the place is replaced, not
// followed; a folder, a device or a pipe is refused, and a link that leads to
// one. The error names the path and the cause.
func WriteFile(path string, content []byte) error { return writeFile(osDisk{}, path, content) }

func writeFile(d disk, path string, content []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", path, cause(err))
		}
	}()
	dir, base := filepath.Dir(path), filepath.Base(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = both(err, root.Close()) }()
	if err := replaceable(root, base); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // such as /dev/stdout, which others need
		return errNotFile
	}
	temp := fmt.Sprintf(".automaton-%s.%d.tmp", base, os.Getpid())
	return replace(d, root, ".", base, temp, content)
}

var errNotFile = errors.New("it is there and not a regular file")

// replaceable tells whether a new file may take a name.
func replaceable(root *os.Root, name string) error {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().IsRegular(), info.Mode()&fs.ModeSymlink != 0:
		return nil
	default:
		return errNotFile
	}
}
