package repo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

const maxShallow = 4 << 20

// gitFatal is git's exit code when it cannot do what it was asked for; others say that it did not come to that.
const gitFatal = 128

// openLocal reads a repository in place: through a git directory of our own whose only objects are
// theirs. Nothing is copied, nothing of theirs but objects reaches git.
func (r *Repo) openLocal(ctx context.Context, dir string) error {
	gitDir := dir
	if fi, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		if !fi.IsDir() {
			return sandbox.Refuse("local_gitfile", ".git is not a plain folder")
		}
		gitDir, r.workTree = filepath.Join(dir, ".git"), dir
	}
	if gitDir == dir && !isBare(dir) {
		return r.openFolder(ctx, dir)
	}
	root, err := os.OpenRoot(gitDir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // only read
	for _, name := range []string{"HEAD", "objects"} {
		if _, err := root.Lstat(name); err != nil {
			return sandbox.Refuse("local_missing", "this folder holds no git repository")
		}
	}
	found, err := scanGitDir(root)
	if err != nil {
		return err
	}
	id, err := findRevision(root, r.options.Revision)
	if err != nil {
		return err
	}
	if err := r.adopt(root, gitDir, found, id); err != nil {
		return err
	}
	r.source.origin = localOrigin(root, dir)
	return r.settle(ctx, id)
}

// isBare tells a git folder by what every one has.
func isBare(dir string) bool {
	for _, name := range []string{"HEAD", "objects"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// adopt makes our git directory for their objects.
func (r *Repo) adopt(root *os.Root, theirs string, found scan, id string) error {
	objects := filepath.Join(theirs, "objects")
	r.source.read = []string{objects}
	r.source.private = os.Geteuid() == 0 && (found.closed || !reachable(objects))
	cut, err := readShallow(root)
	if err != nil {
		return err
	}
	r.source.shallow = len(cut) > 0
	r.source.grafted = hasGrafts(root)
	r.noteScan(found)
	ours, err := r.box.MakeDir(false)
	if err != nil {
		return err
	}
	r.source.gitDir = ours
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if sha256Objects(root, id) {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
	}
	files := map[string]string{
		"HEAD":                    "ref: refs/heads/audit\n",
		"config":                  config,
		"objects/info/alternates": quotePath(objects) + "\n",
	}
	if len(cut) > 0 {
		files["shallow"] = strings.Join(cut, "\n") + "\n"
	}
	return writeGitDir(ours, files)
}

func (r *Repo) noteScan(found scan) {
	for _, link := range found.links[:min(len(found.links), 20)] {
		r.note("git_symlink", link, "a symbolic link in the git directory, not followed")
	}
	if found.replace {
		r.note("git_replace", "", "replace refs are ignored")
	}
	if r.source.grafted {
		r.note("git_grafts", "", "grafts are ignored")
	}
	if r.source.shallow {
		r.note("git_shallow", "", "the copy is shallow: its history was cut; git fetch --unshallow completes it")
	}
}

// writeGitDir makes a bare git directory that the throw-away uid can read.
func writeGitDir(dir string, files map[string]string) error {
	for _, d := range []string{"objects", "objects/info", "objects/pack", "refs", "refs/heads"} {
		path := filepath.Join(dir, d)
		if err := os.Mkdir(path, 0o755); err != nil {
			return fmt.Errorf("making git directory: %w", err)
		}
		if err := os.Chmod(path, 0o755); err != nil { // whatever the umask is
			return fmt.Errorf("making git directory: %w", err)
		}
	}
	for name, content := range files {
		if err := writeReadable(filepath.Join(dir, name), content); err != nil {
			return fmt.Errorf("making git directory: %w", err)
		}
	}
	return nil
}

func writeReadable(path, content string) error {
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil { //nolint:gosec // inside the closed run directory
		return err
	}
	return os.Chmod(path, 0o644) // whatever the umask is
}

// quotePath writes a path as git reads it in alternates: in quotes, if it could be taken for something else.
func quotePath(path string) string {
	if strings.HasPrefix(path, `"`) || strings.HasPrefix(path, "#") || strings.ContainsAny(path, "\n\"") {
		return strconv.Quote(path)
	}
	return path
}

// sha256Objects tells the object format: by a full id, else by any ref or the width of a packed ref, else SHA-1.
func sha256Objects(root *os.Root, id string) bool {
	if !fullID.MatchString(id) {
		head, err := resolve(root, "HEAD")
		if err != nil {
			return false
		}
		id = head
	}
	return len(id) == 64
}

// readShallow reads the ids of the commits at which the copy was cut.
func readShallow(root *os.Root) ([]string, error) {
	content, err := readRegular(root, "shallow", maxShallow)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		if fullID.MatchString(lines.Text()) {
			out = append(out, lines.Text())
		}
	}
	return out, ended(lines, "shallow")
}

func hasGrafts(root *os.Root) bool {
	fi, err := root.Lstat("info/grafts")
	return err == nil && fi.Size() > 0
}

// settle turns the id or hash into the commit: peels tags, completes abbreviations.
func (r *Repo) settle(ctx context.Context, id string) error {
	missing := sandbox.Refuse("git_empty", "no commit: the repository is empty, or the commit of HEAD is missing or damaged")
	if r.options.Revision != "" {
		missing = sandbox.Refuse("ref_missing", "%q is not a commit of this repository, or is ambiguous", r.options.Revision)
	}
	res, err := r.git(ctx, sandbox.Limits{}, nil, nil, "rev-parse", "--verify", "--end-of-options", id+"^{commit}")
	if _, limited := errors.AsType[*sandbox.Refusal](err); err != nil && res.Code == gitFatal && !limited {
		return missing
	}
	if err != nil {
		return err
	}
	r.commit = strings.TrimSpace(string(res.Stdout))
	if !fullID.MatchString(r.commit) {
		return fmt.Errorf("reading rev-parse: unexpected answer %q", safetext.Text(r.commit, 100))
	}
	return r.turnBack(ctx)
}

// turnBack goes back to the last commit that was made in time. The time is the committer's own word.
func (r *Repo) turnBack(ctx context.Context) error {
	due := r.options.Due
	if due.IsZero() {
		return nil
	}
	when := due.UTC().Format("2006-01-02 15:04 UTC")
	res, err := r.git(ctx, sandbox.Limits{}, nil, nil, "rev-list", "-1", fmt.Sprintf("--before=%d", due.Unix()), r.commit)
	if err != nil {
		return err
	}
	id := strings.TrimSpace(string(res.Stdout))
	switch {
	case id == r.commit:
		return nil
	case id == "":
		return sandbox.Refuse("ref_missing", "no commit was made by %s", when)
	case !fullID.MatchString(id):
		return fmt.Errorf("reading rev-list: unexpected answer %q", safetext.Text(id, 100))
	}
	res, err = r.git(ctx, sandbox.Limits{}, nil, nil, "rev-list", "--count", id+".."+r.commit)
	if err != nil {
		return err
	}
	r.note("after_due", "", "commits made after %s are not seen: %s", when, safetext.Text(strings.TrimSpace(string(res.Stdout)), 20))
	r.commit = id
	return nil
}
