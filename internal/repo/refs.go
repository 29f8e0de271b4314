package repo

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

var (
	fullID   = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	shortID  = regexp.MustCompile(`^[0-9a-f]{4,64}$`)
	revision = regexp.MustCompile(`^[A-Za-z0-9._/-]{1,200}$`)
)

const (
	maxRefFile    = 4 << 10
	maxRefLine    = 64 << 10
	maxPackedRefs = 256 << 20
	maxRefSteps   = 5
)

// checkRevision allows the syntax of a branch, tag, hash or ref.
func checkRevision(rev string) error {
	if rev == "" {
		return nil
	}
	bad := !revision.MatchString(rev) || strings.HasPrefix(rev, "-") || strings.HasPrefix(rev, "/") ||
		strings.HasSuffix(rev, "/") || strings.HasSuffix(rev, ".lock") || strings.HasSuffix(rev, ".")
	for _, part := range []string{"..", "//", "@{", "/.", ".lock/"} {
		bad = bad || strings.Contains(rev, part)
	}
	if bad || strings.HasPrefix(rev, ".") {
		return sandbox.Refuse("ref_syntax", "%q is not a branch, tag or commit", rev)
	}
	return nil
}

// readRegular reads a small file of their git directory. A FIFO or device that took its place cannot hang us.
func readRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := openRegular(root, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return io.ReadAll(io.LimitReader(f, limit))
}

func openRegular(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = sandbox.Refuse("git_special", "%q is not a regular file", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Head is the commit that HEAD of a git folder on this machine names. It is empty where the target is another one, or where that
// cannot be told without opening it.
func Head(t Target) string {
	dir := t.Local
	if dir == "" {
		return ""
	}
	if fi, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && fi.IsDir() {
		dir = filepath.Join(dir, ".git")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return ""
	}
	defer func() { _ = root.Close() }() // only read
	id, err := findRevision(root, "")
	if err != nil {
		return ""
	}
	return id
}

// findRevision resolves what the user asked for to an object id, or to the hash as it was written. Names are looked up
// as git does: tags, then branches, then remote branches; a full hash is always a hash.
func findRevision(root *os.Root, rev string) (string, error) {
	if rev == "" {
		return resolve(root, "HEAD")
	}
	if fullID.MatchString(rev) {
		return rev, nil
	}
	names := []string{"refs/tags/" + rev, "refs/heads/" + rev, "refs/remotes/" + rev, "refs/remotes/origin/" + rev}
	if rev == "HEAD" || strings.HasPrefix(rev, "refs/") {
		names = []string{rev}
	}
	for _, name := range names {
		id, err := resolve(root, name)
		if err == nil {
			return id, nil
		}
		if refusal, ok := errors.AsType[*sandbox.Refusal](err); !ok || refusal.Code != "git_empty" {
			return "", err
		}
	}
	if shortID.MatchString(rev) {
		return rev, nil
	}
	return "", sandbox.Refuse("ref_missing", "no branch, tag or commit %q here", rev)
}

// resolve follows a ref to an object id by ourselves: git would read their config first.
func resolve(root *os.Root, name string) (string, error) {
	if isDir(root, "HEAD") {
		return "", sandbox.Refuse("git_special", "%q is not a regular file", "HEAD")
	}
	for range maxRefSteps {
		content, err := readRegular(root, name, maxRefFile)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR) || isDir(root, name) {
			return packedRef(root, name)
		}
		if errors.Is(err, syscall.ENAMETOOLONG) {
			return "", sandbox.Refuse("git_ref", "a ref has a name of %d bytes", len(name))
		}
		if err != nil {
			return "", err
		}
		text := strings.TrimRight(string(content), "\r\n \t")
		if fullID.MatchString(text) {
			return text, nil
		}
		target, ok := strings.CutPrefix(text, "ref:")
		if !ok {
			return "", sandbox.Refuse("git_ref", "%q holds neither a commit nor the name of a ref", name)
		}
		target = strings.TrimLeft(target, " \t")
		if !isRefName(target) {
			return "", sandbox.Refuse("git_ref", "%q points to %q", name, safetext.Text(target, 100))
		}
		name = target
	}
	return "", sandbox.Refuse("git_ref", "HEAD points round in a circle")
}

func isDir(root *os.Root, name string) bool {
	fi, err := root.Lstat(name)
	return err == nil && fi.IsDir()
}

// isRefName: a ref that we would follow lies under refs/ and nowhere else.
func isRefName(name string) bool {
	return strings.HasPrefix(name, "refs/") && filepath.IsLocal(name) && !strings.Contains(name, "..") &&
		!strings.ContainsAny(name, "\x00\\ ~^:?*[\n")
}

// packedRef looks a ref up in packed-refs, which may be large and is not kept.
func packedRef(root *os.Root, name string) (string, error) {
	none := sandbox.Refuse("git_empty", "no commit: %s does not exist", safetext.Text(name, 100))
	f, err := openRegular(root, "packed-refs")
	if errors.Is(err, fs.ErrNotExist) {
		return "", none
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // only read
	lines := bufio.NewScanner(io.LimitReader(f, maxPackedRefs))
	lines.Buffer(make([]byte, maxRefLine), maxRefLine)
	for lines.Scan() {
		id, ref, ok := bytes.Cut(lines.Bytes(), []byte(" "))
		if ok && string(ref) == name && fullID.Match(id) {
			return string(id), nil
		}
	}
	if err := ended(lines, "packed-refs"); err != nil {
		return "", err
	}
	return "", none
}

// ended says why the lines of a file of their git directory could not be read to the end.
func ended(lines *bufio.Scanner, name string) error {
	if err := lines.Err(); !errors.Is(err, bufio.ErrTooLong) {
		return err
	}
	return sandbox.Refuse("git_ref", "%s has a line of more than %d bytes", name, maxRefLine)
}
