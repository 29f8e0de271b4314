package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/automaton-auditor/automaton/internal/court"
)

// MaxBytes is how large a rubric file may be.
const MaxBytes = 4 << 20

// File is a rubric file as it was read.
type File struct {
	From  string // builtin, file or stdin
	Name  string // as given; in what is recorded of a file only its base name stands
	Bytes []byte
}

// Read finds what a user named: the exact name of a built-in, "-" for standard
// input, or a file. A file must be regular and at most MaxBytes long; a
// symbolic link must stay in its folder. A file called like a built-in is
// written with its folder, "./courtroom".
func Read(name string, stdin io.Reader) (File, error) {
	if raw, ok := builtinBytes(name); ok {
		return File{From: "builtin", Name: name, Bytes: raw}, nil
	}
	if name == "-" {
		raw, err := readAll("-", stdin)
		return File{From: "stdin", Name: "-", Bytes: raw}, err
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return File{}, fmt.Errorf("reading rubric %q: %w", name, pathless(err))
	}
	defer func() { _ = root.Close() }() // nothing was written
	base := filepath.Base(name)
	// A pipe would block on opening, so the kind of file is tested before.
	info, err := root.Stat(base)
	if err != nil {
		return File{}, fmt.Errorf("reading rubric %q: %w", name, pathless(err))
	}
	if !info.Mode().IsRegular() {
		return File{}, fmt.Errorf("reading rubric %q: not a regular file", name)
	}
	f, err := root.Open(base)
	if err != nil {
		return File{}, fmt.Errorf("reading rubric %q: %w", name, pathless(err))
	}
	defer func() { _ = f.Close() }() // nothing was written
	raw, err := readAll(name, f)
	return File{From: "file", Name: name, Bytes: raw}, err
}

// Load makes a rubric of the file. See the function Load.
func (f File) Load(known Catalogue) (*court.Rubric, error) {
	return load(f, &known)
}

// readAll reads at most MaxBytes.
func readAll(name string, r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading rubric %q: %w", name, pathless(err))
	}
	if len(raw) > MaxBytes {
		return nil, Errors{{File: name, Line: 1, Col: 1, Code: "too-large",
			Msg: fmt.Sprintf("the file is larger than %d MiB", MaxBytes>>20)}}
	}
	return raw, nil
}

// pathless drops the path that the message names already.
func pathless(err error) error {
	if e, ok := err.(*fs.PathError); ok { //nolint:errorlint // only the outermost one repeats the path
		return e.Err
	}
	return err
}

// source is what is recorded of the file.
func (f File) source() court.RubricSource {
	sum := sha256.Sum256(f.Bytes)
	return court.RubricSource{From: f.From, Name: filepath.Base(f.Name), Digest: hex.EncodeToString(sum[:])}
}
