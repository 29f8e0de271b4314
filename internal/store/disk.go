package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// disk is what keeping files needs of a file system. The tests have one that
// fails at its n-th call; there is no other than osDisk besides.
type disk interface {
	create(root *os.Root, name string) (file, error) // new, mode 0600; an existing name is an error
	rename(root *os.Root, from, to string) error     // replaces a file
	exchange(root *os.Root, a, b string) error       // errors.ErrUnsupported where it cannot be done
	syncFolder(root *os.Root, name string) error     // makes its names last
}

// file is a file that is being written.
type file interface {
	io.WriteCloser
	Sync() error
}

type osDisk struct{}

func (osDisk) create(root *os.Root, name string) (file, error) {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err // not f: a nil pointer in an interface is not nil
	}
	return f, nil
}

func (osDisk) rename(root *os.Root, from, to string) error { return root.Rename(from, to) }

func (osDisk) exchange(root *os.Root, a, b string) error { return exchange(root, a, b) }

func (osDisk) syncFolder(root *os.Root, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	return both(f.Sync(), f.Close())
}

// writeNew writes a file that must not exist yet, and has it on the disk when
// it returns. What a failure leaves behind is removed.
func writeNew(d disk, root *os.Root, name string, content []byte) error {
	return writeFrom(d, root, name, bytes.NewReader(content))
}

// writeFrom is writeNew with the content of a stream, which is never held as a
// whole.
func writeFrom(d disk, root *os.Root, name string, content io.Reader) error {
	f, err := d.create(root, name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	if err == nil {
		err = f.Sync()
	}
	if err = both(err, f.Close()); err == nil {
		return nil
	}
	if gone := root.Remove(name); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = both(err, fmt.Errorf("removing what was written: %w", cause(gone)))
	}
	return err
}

// replace puts content in a file's place: readers see the old or the new one.
// temp is a name beside it that nobody else uses.
func replace(d disk, root *os.Root, folder, name, temp string, content []byte) error {
	if err := root.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := writeNew(d, root, temp, content); err != nil {
		return err
	}
	if err := d.rename(root, temp, name); err != nil {
		return both(err, root.Remove(temp))
	}
	return d.syncFolder(root, folder)
}
