package repo

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// maker builds a repository with the git command line, as its owner would, and by hand where git refuses.
type maker struct {
	t   *testing.T
	dir string // the work tree; dir/.git is the git directory
	at  int    // seconds after the first commit
}

func make1(t *testing.T, files map[string]string) *maker {
	t.Helper()
	m := makeEmpty(t)
	m.commit("one", files)
	return m
}

func makeEmpty(t *testing.T, initArgs ...string) *maker {
	t.Helper()
	m := &maker{t: t, dir: shared(t)}
	m.git(append([]string{"init", "-q", "-b", "main"}, initArgs...)...)
	return m
}

// shared is a temporary directory that a throw-away uid can reach.
func shared(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "repo-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (m *maker) git(args ...string) string { return m.gitIn(nil, args...) }

func (m *maker) gitIn(stdin []byte, args ...string) string {
	m.t.Helper()
	date := fmt.Sprintf("%d +0100", 1700000000+m.at)
	cmd := exec.Command("git", args...)
	cmd.Dir = m.dir
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + m.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org",
		"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date,
	}
	out, err := cmd.Output()
	if err != nil {
		var said []byte
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			said = exit.Stderr
		}
		m.t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, said)
	}
	return strings.TrimSpace(string(out))
}

// commit writes files ("" removes one) and commits them an hour after the last commit.
func (m *maker) commit(message string, files map[string]string) string {
	m.t.Helper()
	for name, content := range files {
		path := filepath.Join(m.dir, name)
		if content == "" {
			m.check(os.Remove(path))
			continue
		}
		m.check(os.MkdirAll(filepath.Dir(path), 0o755))
		m.check(os.WriteFile(path, []byte(content), 0o644))
	}
	m.at += 3600
	m.git("add", "-A")
	m.git("commit", "-q", "--allow-empty", "-m", message)
	return m.git("rev-parse", "HEAD")
}

func (m *maker) check(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *maker) path(name string) string { return filepath.Join(m.dir, ".git", name) }

func (m *maker) write(name, content string) {
	m.t.Helper()
	m.check(os.MkdirAll(filepath.Dir(m.path(name)), 0o755))
	m.check(os.WriteFile(m.path(name), []byte(content), 0o644))
}

// object writes a loose object without any check.
func (m *maker) object(kind, content string) string {
	m.t.Helper()
	raw := fmt.Sprintf("%s %d\x00%s", kind, len(content), content)
	sum := sha1.Sum([]byte(raw))
	id := hex.EncodeToString(sum[:])
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write([]byte(raw))
	m.check(errors.Join(err, z.Close()))
	m.write(m.loose(id), packed.String())
	return id
}

// lying is a loose object with another header.
func (m *maker) lying(packed []byte, head string) string {
	m.t.Helper()
	z, err := zlib.NewReader(bytes.NewReader(packed))
	m.check(err)
	raw, err := io.ReadAll(z)
	m.check(err)
	_, content, _ := bytes.Cut(raw, []byte{0})
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	_, err = w.Write(append([]byte(head), content...))
	m.check(errors.Join(err, w.Close()))
	return out.String()
}

func (m *maker) loose(id string) string { return filepath.Join("objects", id[:2], id[2:]) }

// tree writes a tree object of "MODE NAME" → id, in the order given.
func (m *maker) tree(entries ...[3]string) string {
	m.t.Helper()
	var b strings.Builder
	for _, e := range entries {
		id, err := hex.DecodeString(e[2])
		m.check(err)
		b.WriteString(e[0] + " " + e[1] + "\x00" + string(id))
	}
	return m.object("tree", b.String())
}

// commitObject writes a commit object and makes it main.
func (m *maker) commitObject(tree, who, message string, parents ...string) string {
	m.t.Helper()
	var b strings.Builder
	b.WriteString("tree " + tree + "\n")
	for _, p := range parents {
		b.WriteString("parent " + p + "\n")
	}
	b.WriteString("author " + who + "\ncommitter " + who + "\n\n" + message)
	id := m.object("commit", b.String())
	m.write("refs/heads/main", id+"\n")
	return id
}

const ada = "Ada <ada@example.org> 1700000000 +0100"

// open opens a folder, URL, bundle or archive.
func open(t *testing.T, target string, o Options) (*Repo, error) {
	t.Helper()
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	parsed, err := ParseTarget(target, TargetOptions{})
	if err != nil {
		return nil, err
	}
	return Open(context.Background(), box, parsed, o)
}

func mustOpen(t *testing.T, target string, o Options) *Repo {
	t.Helper()
	r, err := open(t, target, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustHistory(t *testing.T, r *Repo) *History {
	t.Helper()
	h, err := r.History(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if refusal, ok := errors.AsType[*sandbox.Refusal](err); !ok || refusal.Code != code {
		t.Errorf("error is %v, want %s", err, code)
	}
}

func hasNote(r *Repo, code, subject string) bool {
	for _, n := range r.Notes() {
		if n.Code == code && n.Subject == subject {
			return true
		}
	}
	return false
}
