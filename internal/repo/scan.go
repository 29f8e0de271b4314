package repo

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

const (
	maxScanDepth   = 32
	maxScanEntries = 2_000_000
)

// scan is what a look over their git directory found.
type scan struct {
	entries int
	links   []string // symbolic links outside of what git reads
	closed  bool     // a throw-away uid could not read the objects
	replace bool     // there are replace refs
}

// scanGitDir refuses what could hang git or lead it outside: links, FIFOs, devices, sockets, borrowed objects. git itself
// never sees more of it than the objects.
func scanGitDir(root *os.Root) (scan, error) {
	var s scan
	last := "" // directory whose first file was looked at
	err := fs.WalkDir(root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if s.entries++; s.entries > maxScanEntries {
			return sandbox.Refuse("limit_files", "more than %d files in the git directory", maxScanEntries)
		}
		if e.IsDir() && strings.Count(p, "/") >= maxScanDepth {
			return sandbox.Refuse("git_deep", "the git directory has more than %d levels", maxScanDepth)
		}
		if err := s.judge(p, e.Type()); err != nil {
			return err
		}
		dir := path.Dir(p)
		if inObjects(p) && (e.IsDir() || dir != last || dir == "objects/pack") && !s.closed {
			if !e.IsDir() {
				last = dir
			}
			return s.checkMode(e)
		}
		return nil
	})
	return s, err
}

func inObjects(p string) bool { return p == "objects" || strings.HasPrefix(p, "objects/") }

func (s *scan) judge(p string, t fs.FileMode) error {
	switch {
	case t&fs.ModeSymlink != 0:
		if inObjects(p) || strings.HasPrefix(p, "refs") || p == "HEAD" || p == "packed-refs" || p == "shallow" {
			return sandbox.Refuse("git_symlink", "%q is a symbolic link", p)
		}
		s.links = append(s.links, p)
	case t&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice|fs.ModeCharDevice|fs.ModeIrregular) != 0:
		return sandbox.Refuse("git_special", "%q is not a regular file", p)
	case p == "objects/info/alternates", p == "objects/info/http-alternates":
		return sandbox.Refuse("git_alternates", "objects are borrowed from another repository (%s)", p)
	case strings.HasPrefix(p, "refs/replace/"):
		s.replace = true
	}
	return nil
}

// checkMode finds out whether others may read: a directory, and of each directory the first file.
func (s *scan) checkMode(e fs.DirEntry) error {
	fi, err := e.Info()
	if err != nil {
		return err
	}
	if ext := filepath.Ext(e.Name()); ext == ".promisor" || ext == ".keep" {
		return nil // git asks whether they are there, no more
	}
	need := fs.FileMode(0o004)
	if e.IsDir() {
		need = 0o005
	}
	s.closed = fi.Mode().Perm()&need != need
	return nil
}

// reachable tells whether others may enter all directories above a path.
func reachable(file string) bool {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		fi, err := os.Stat(dir)
		if err != nil || fi.Mode().Perm()&0o001 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}
