package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/automaton-auditor/automaton/internal/court"
)

// recordName is the file of a case folder from which all others can be made.
const recordName = "record.json"

// ReadBytes reads the record at a path, and the bytes of its file: a case folder,
// a record.json or a report.html. The error names the file; it wraps
// fs.ErrNotExist when there is none and ErrNotRecord when it is something else.
func ReadBytes(path string) (*court.Record, []byte, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, recordName)
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return nil, nil, fmt.Errorf("reading record %q: %w", path, errNotFile)
		}
	}
	// A pipe that nobody writes to is empty, rather than waited for.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("reading record %q: %w", path, cause(err))
	}
	rec, raw, err := readFile(f)
	if err = both(err, f.Close()); err != nil {
		return nil, nil, fmt.Errorf("reading record %q: %w", path, cause(err))
	}
	return rec, raw, nil
}

// readFile reads a record from a file; what is too large is not read first.
func readFile(f *os.File) (*court.Record, []byte, error) {
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > MaxRecord {
		return nil, nil, errTooLarge
	}
	return ReadFrom(f)
}

// ReadFrom reads a record from a stream, and gives its bytes, too.
func ReadFrom(r io.Reader) (*court.Record, []byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxRecord+1))
	if err != nil {
		return nil, nil, err
	}
	rec, err := Decode(raw)
	return rec, raw, err
}

// cause is what is wrong behind an error of the file system, without its path
// and the name of the call.
func cause(err error) error {
	for e := err; e != nil; e = errors.Unwrap(e) {
		switch t := e.(type) { //nolint:errorlint // the loop unwraps, and a joined error stays whole
		case *fs.PathError:
			return t.Err
		case *os.LinkError:
			return t.Err
		}
	}
	return err
}

// both is what went wrong and what went wrong in cleaning up after it; either
// may be nil.
func both(err, after error) error {
	switch {
	case after == nil:
		return err
	case err == nil:
		return after
	default:
		return fmt.Errorf("%w; then %w", err, after)
	}
}
