package llm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// replace writes a file whole or not at all: beside it, synced, then renamed
// over it.
func replace(path string, raw []byte) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, ".automaton-*.tmp")
	if err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Base(path), err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("writing %s: %w", filepath.Base(path), err), os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(raw)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
