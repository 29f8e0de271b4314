package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// treeTop is the top level of the repository that a local path belongs to,
// links resolved: everything under it is under audit.
func treeTop(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return filepath.Clean(path)
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

// inTree tells whether an absolute path lies in an audited tree.
func (a *app) inTree(path string) bool {
	return slices.ContainsFunc(a.trees, func(tree string) bool { return within(path, tree) })
}

// within tells whether an absolute path is a folder or lies in it, links
// resolved. Where that cannot be found out it says yes: what may lie there is
// not trusted.
func within(path, folder string) bool {
	tree, err := os.Stat(folder)
	if err != nil || !filepath.IsAbs(path) {
		return true
	}
	real, err := filepath.EvalSymlinks(path)
	for errors.Is(err, fs.ErrNotExist) && path != filepath.Dir(path) { // not there: where it would be
		if _, err := os.Lstat(path); err == nil {
			return true // a link that leads nowhere, today
		}
		path = filepath.Dir(path)
		real, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return true
	}
	in, err := holds(tree, real)
	return in || err != nil
}

// holds tells whether a folder is a path, links resolved, or one of those above it. The
// folders are compared as such and not by name: a file system may spell one folder in
// several ways.
func holds(folder os.FileInfo, real string) (bool, error) {
	for dir := real; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || os.SameFile(info, folder) {
			return err == nil, err
		}
		if dir == filepath.Dir(dir) {
			return false, nil
		}
	}
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
