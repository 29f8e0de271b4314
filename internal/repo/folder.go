package repo

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// directory is a looseSource in a folder of this machine that is not a repository. Links are not followed, and .git is never read:
// a folder in it that is a repository of its own is another matter.
type directory struct {
	path string
	skip string // a folder below it that is ours, or ""
}

// each goes through the folder by name.
func (d *directory) each(ctx context.Context, take func(member) error) error {
	root, err := os.OpenRoot(d.path)
	if err != nil {
		return closed(".", err)
	}
	defer func() { _ = root.Close() }() // only read
	return (&stroll{root, d.skip, take}).below(ctx, ".", 0)
}

// stroll is one way through a folder.
type stroll struct {
	root *os.Root
	skip string
	take func(member) error
}

func (d *stroll) below(ctx context.Context, dir string, depth int) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if depth > maxFolders {
		return nil // too long a name for a member: counted by whoever takes them
	}
	names, err := d.list(dir)
	if err != nil {
		return err
	}
	for _, e := range names {
		p := path.Join(dir, e.Name())
		if e.Name() == ".git" || d.skip != "" && p == d.skip {
			continue
		}
		m, err := d.member(p, e)
		if err != nil {
			return err
		}
		if err := d.take(m); err != nil {
			return err
		}
		if m.kind == folder {
			if err := d.below(ctx, p, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// list reads the entries of one folder, by name.
func (d *stroll) list(dir string) ([]fs.DirEntry, error) {
	f, err := d.root.Open(dir)
	if err != nil {
		return nil, closed(dir, err)
	}
	defer func() { _ = f.Close() }() // only read
	var all []fs.DirEntry
	for {
		some, err := f.ReadDir(1000)
		all = append(all, some...)
		switch {
		case errors.Is(err, io.EOF):
			slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			return all, nil
		case err != nil:
			return nil, closed(dir, err)
		case len(all) > maxMembers:
			return nil, sandbox.Refuse("limit_files", "more than %d entries", maxMembers)
		}
	}
}

func (d *stroll) member(p string, e fs.DirEntry) (member, error) {
	m := member{name: p, open: func() (io.ReadCloser, error) {
		f, err := openRegular(d.root, p)
		return f, closed(p, err)
	}}
	info, err := e.Info()
	if err != nil {
		return m, closed(p, err)
	}
	m.size = info.Size()
	switch mode := info.Mode(); {
	case mode.IsDir():
		m.kind = folder
	case mode&fs.ModeSymlink != 0:
		text, err := d.root.Readlink(p)
		if err != nil {
			return m, closed(p, err)
		}
		m.kind, m.size = symbolic, int64(len(text))
		m.open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	case !mode.IsRegular():
		m.kind = special
	case mode&0o111 != 0:
		m.kind = executable
	}
	return m, nil
}

// closed says that a file of a folder cannot be read.
func closed(p string, err error) error {
	if err == nil || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return sandbox.Refuse("local_closed", "%q may not be read", p)
}

// within finds the repository that a folder without .git lies in, or "".
func within(dir string) string {
	for dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		if fi, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && (fi.IsDir() || fi.Mode().IsRegular()) {
			return dir
		}
	}
	return ""
}

// openFolder reads a folder without git as it lies.
func (r *Repo) openFolder(ctx context.Context, dir string) error {
	if within(dir) != "" {
		return sandbox.Refuse("local_inside", "this folder is a part of a git repository")
	}
	d := &directory{path: dir}
	if ours, err := filepath.EvalSymlinks(r.options.Ours); r.options.Ours != "" && err == nil {
		if rel, err := filepath.Rel(dir, ours); err == nil && filepath.IsLocal(rel) && rel != "." {
			d.skip = filepath.ToSlash(rel)
			r.note("own_output", d.skip, "our own reports: they are not part of the submission")
		}
	}
	h, err := readLoose(ctx, d, &allowance{})
	if err != nil {
		return err
	}
	r.source.origin = origin{slug: filepath.Base(dir)}
	return r.lay(h, "not a git repository: there is no history, and the files are read as they lie")
}
