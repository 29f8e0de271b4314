package cli

import (
	"os"
	"path/filepath"
)

// inGitDir tells whether a path lies in the git folder of some repository, links
// resolved as far as the path is there: a report written into one could take the
// place of a ref.
func inGitDir(path string) bool {
	dir := filepath.Dir(path)
	for {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			dir = real
			break
		}
		if dir == filepath.Dir(dir) {
			return false
		}
		dir = filepath.Dir(dir)
	}
	for {
		if isFile(filepath.Join(dir, "HEAD")) && isFolder(filepath.Join(dir, "objects")) && isFolder(filepath.Join(dir, "refs")) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
		dir = filepath.Dir(dir)
	}
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
