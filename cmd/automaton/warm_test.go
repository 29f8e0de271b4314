package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// compiledReader is what compiling the PDF reader leaves, made once for all
// tests: it takes seconds, many under the race detector, and longer than a worker
// may on a busy machine. Where make test names a folder it lies there, and was
// made before.
var compiledReader = sync.OnceValues(func() (map[string][]byte, error) {
	dir := os.Getenv(sandbox.CacheEnv)
	if dir == "" {
		made, err := os.MkdirTemp("", "automaton-reader-*")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(made) // it is read below
		dir = made
	}
	if err := pdf.Service(dir).Warm(); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	return files, filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || filepath.Ext(p) == ".tmp" { // another process writes it
			return err
		}
		name, err := filepath.Rel(dir, p)
		if err == nil {
			files[name], err = os.ReadFile(p)
		}
		return err
	})
})

// warm fills a cache folder with the compiled PDF reader.
func warm(t testing.TB, cache string) {
	t.Helper()
	files, err := compiledReader()
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range files {
		p := filepath.Join(cache, "workers", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o700), os.WriteFile(p, raw, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}
