package attack

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // git's object ids
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// maker writes one repository; after the first error it does nothing any more.
type maker struct {
	dir    string // the work tree; dir/.git is the git directory
	canary string
	err    error
}

const (
	ada      = "Ada <ada@example.org> 1700000000 +0100"
	plainSrc = "x = 1\n"
)

func (m *maker) keep(err error) { m.err = cmp.Or(m.err, err) }

// skeleton is what git init makes.
func (m *maker) skeleton() {
	for _, d := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "hooks", "info"} {
		m.keep(os.MkdirAll(m.git(d), 0o755))
	}
	m.write("HEAD", "ref: refs/heads/main\n")
	m.write("config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
}

// git is a path in the git directory.
func (m *maker) git(name string) string { return filepath.Join(m.dir, ".git", name) }

// write makes a file in the git directory.
func (m *maker) write(name, content string) { m.file(m.git(name), content, 0o644) }

// program makes an executable in the git directory that leaves the canary behind.
func (m *maker) program(name string) {
	m.file(m.git(name), "#!/bin/sh\n"+m.touch(filepath.Base(name))+"\n", 0o755)
}

// touch is a command that leaves the canary behind.
func (m *maker) touch(name string) string { return "touch " + m.canary + "-" + name }

func (m *maker) file(path, content string, mode os.FileMode) {
	if m.err != nil {
		return
	}
	m.keep(os.MkdirAll(filepath.Dir(path), 0o755))
	m.keep(os.WriteFile(path, []byte(content), mode))
	m.keep(os.Chmod(path, mode)) // whatever the umask is
}

// remove takes a file or folder away, with all that is in it.
func (m *maker) remove(path string) { m.keep(os.RemoveAll(path)) }

func (m *maker) link(target, path string) {
	m.remove(path)
	m.keep(os.MkdirAll(filepath.Dir(path), 0o755))
	m.keep(os.Symlink(target, path))
}

func (m *maker) fifo(path string) {
	m.remove(path)
	m.keep(os.MkdirAll(filepath.Dir(path), 0o755))
	m.keep(syscall.Mkfifo(path, 0o644))
}

// objectID is git's name of an object.
func objectID(kind string, content []byte) string {
	h := sha1.New() //nolint:gosec // git's object ids
	fmt.Fprintf(h, "%s %d\x00", kind, len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

func loose(id string) string { return filepath.Join("objects", id[:2], id[2:]) }

// object writes a loose object without any check.
func (m *maker) object(kind, content string) string {
	id := objectID(kind, []byte(content))
	m.raw(id, fmt.Sprintf("%s %d\x00%s", kind, len(content), content))
	return id
}

// raw writes a loose object file that claims to be id.
func (m *maker) raw(id, content string) {
	var packed bytes.Buffer
	z, err := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	if err == nil {
		_, err = z.Write([]byte(content))
	}
	if err == nil {
		err = z.Close()
	}
	m.keep(err)
	m.write(loose(id), packed.String())
}

func (m *maker) blob(content string) string { return m.object("blob", content) }

// entry is one line of a tree.
type entry struct{ mode, name, id string }

const (
	asFile = "100644"
	asExec = "100755"
	asLink = "120000"
	asTree = "40000"
	asSub  = "160000"
)

// tree writes a tree object with the entries in the order given.
func (m *maker) tree(entries ...entry) string { return m.object("tree", m.treeText(entries)) }

func (m *maker) treeText(entries []entry) string {
	var b strings.Builder
	for _, e := range entries {
		id, err := hex.DecodeString(e.id)
		m.keep(err)
		b.WriteString(e.mode + " " + e.name + "\x00")
		b.Write(id)
	}
	return b.String()
}

// sorted is the order that git wants.
func sorted(entries []entry) []entry {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key(), b.key()) })
	return entries
}

func (e entry) key() string {
	if e.mode == asTree {
		return e.name + "/"
	}
	return e.name
}

// commitText is a commit object.
func commitText(tree, who, message string, parents ...string) string {
	var b strings.Builder
	b.WriteString("tree " + tree + "\n")
	for _, p := range parents {
		b.WriteString("parent " + p + "\n")
	}
	b.WriteString("author " + who + "\ncommitter " + who + "\n\n" + message)
	return b.String()
}

// commit writes a commit of a tree and makes it main.
func (m *maker) commit(tree, message string) string {
	return m.head(m.object("commit", commitText(tree, ada, message)))
}

func (m *maker) head(id string) string {
	m.write("refs/heads/main", id+"\n")
	return id
}

// simple commits ordinary files, and returns the commit and the blobs' ids by name.
func (m *maker) simple(files map[string]string) (commit string, blobs map[string]string) {
	blobs = map[string]string{}
	var entries []entry
	for name, content := range files {
		blobs[name] = m.blob(content)
		entries = append(entries, entry{asFile, name, blobs[name]})
		m.file(filepath.Join(m.dir, name), content, 0o644)
	}
	return m.commit(m.tree(sorted(entries)...), "one\n"), blobs
}

// neighbour makes somebody else's repository beside this one, with a secret in it.
func (m *maker) neighbour() (n *maker, commit string) {
	n = &maker{dir: Neighbour(m.dir), canary: m.canary}
	n.skeleton()
	commit, _ = n.simple(map[string]string{"secret.py": Secret + "\n"})
	m.keep(n.err)
	return n, commit
}

var errUnknown = errors.New("no such object")

// corrupt changes a file of the git directory.
func (m *maker) corrupt(name string, change func([]byte) []byte) {
	raw, err := os.ReadFile(m.git(name))
	m.keep(err)
	if len(raw) == 0 {
		m.keep(errUnknown)
		return
	}
	m.write(name, string(change(raw)))
}
