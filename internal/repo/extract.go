package repo

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// extract writes what is of use of a git folder into a folder of ours, which is then read like any other repository of
// this machine. Only names that git itself gives are written, through a root that leads nowhere else.
func (h *looseFiles) extract(ctx context.Context, git, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // every file of it is closed by itself
	w := &gitWriter{root: root}
	for _, d := range []string{"objects", "refs"} {
		if err := w.folder(d); err != nil {
			return err
		}
	}
	return h.looseSource.each(ctx, func(m member) error {
		p, ok := inside(m.name)
		name, in := strings.CutPrefix(p, git)
		if !ok || !in || m.kind == folder {
			return nil
		}
		return w.write(name, m)
	})
}

type gitWriter struct {
	root  *os.Root
	files int
	bytes int64
}

func (w *gitWriter) write(name string, m member) error {
	switch {
	case name == "objects/info/alternates", name == "objects/info/http-alternates":
		return sandbox.Refuse("git_alternates", "objects are borrowed from another repository (%s)", name)
	case !gitFile.MatchString(name) && !(isRefName(name) && !strings.Contains(name, "/.")):
		return nil
	case m.kind != regular && m.kind != executable:
		return sandbox.Refuse("git_special", "%q is not a regular file", name)
	}
	w.files++
	w.bytes += m.size
	if m.size < 0 || w.files > maxGitFiles || w.bytes > maxGitBytes {
		return sandbox.Refuse("limit_files", "a git folder of more than %d files or %d bytes", maxGitFiles, int64(maxGitBytes))
	}
	if err := w.folder(path.Dir(name)); err != nil {
		return err
	}
	in, err := m.open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	out, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return sandbox.Refuse("archive_twice", "two entries are called %q", name)
	}
	if err != nil {
		return err
	}
	_, err = io.CopyN(out, in, m.size)
	return errors.Join(err, out.Chmod(0o644), out.Close()) // the throw-away uid reads it
}

// folder makes a folder and those above it, readable whatever the umask is.
func (w *gitWriter) folder(dir string) error {
	var above []string
	for d := dir; d != "."; d = path.Dir(d) {
		above = append(above, d)
	}
	for _, d := range slices.Backward(above) {
		if err := w.root.Mkdir(d, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
		if err := w.root.Chmod(d, 0o755); err != nil {
			return err
		}
	}
	return nil
}
