package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// treeTop is the top level of the repository that a local path belongs to,
// links resolved: everything under it is under audit.
func treeTop(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	for dir := real; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return real
		}
	}
}

// inTree tells whether a file lies in the audited tree, links resolved.
func (a *app) inTree(path string) bool {
	if a.tree == "" {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil { // not there: where it would be
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return false
		}
		real = filepath.Join(dir, filepath.Base(path))
	}
	rel, err := filepath.Rel(a.tree, real)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// outsideTree refuses a file that the one under audit could have written.
func (a *app) outsideTree(path, doing string) error {
	if !a.inTree(path) {
		return nil
	}
	return coded(exitUsage, fmt.Errorf("%s: it lies inside the audited tree, so its author could be the one under audit", doing),
		"take it from a revision you trust: git show origin/main:FILE, as a file elsewhere or on standard input (-)",
		"--trust-tree if every change to this tree is yours")
}
