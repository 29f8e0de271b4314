package repo

import (
	"context"
	"crypto/sha1" //nolint:gosec // git's object ids
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// looseFiles is what was found in a looseSource: files by their path, each with the id that git would give its content.
type looseFiles struct {
	looseSource looseSource
	files       map[string]Entry
	git         []string // names of members that belong to git folders
	odd         map[string][]string
	// root is the folder that is taken for the looseSource's top, with a slash at its end, or "".
	root string
}

// What is left out of a looseFiles, and how its reader learns of it.
var leftOut = map[string]string{
	"archive_outside":  "an entry that would lie outside of the folder, or whose name is none: left out",
	"archive_special":  "an entry that is neither file, folder nor link: left out",
	"archive_link":     "a second name of a file that does not come before it: left out",
	"archive_twice":    "two entries of this name: the later one is read",
	"archive_metadata": "what the packer's machine keeps beside files: left out",
	"archive_nested":   "an archive within: it is not opened",
	"nested_git":       "a git folder within: it is not read",
}

// readLoose reads all of a looseSource once. Members of git folders are only listed.
func readLoose(ctx context.Context, p looseSource, a *allowance) (*looseFiles, error) {
	h := &looseFiles{looseSource: p, files: map[string]Entry{}, odd: map[string][]string{}}
	err := p.each(ctx, func(m member) error {
		if err := a.entry(m.name); err != nil {
			return err
		}
		return h.take(m, a)
	})
	if err != nil {
		return nil, err
	}
	if a.members == 0 || len(h.files) == 0 && len(h.git) == 0 {
		return nil, sandbox.Refuse("archive_empty", "there is no file in it")
	}
	return h, nil
}

func (h *looseFiles) note(code, name string) { h.odd[code] = append(h.odd[code], name) }

// take judges one member and hashes its content.
func (h *looseFiles) take(m member, a *allowance) error {
	if m.kind == folder {
		return nil
	}
	p, ok := inside(m.name)
	switch {
	case !ok:
		h.note("archive_outside", m.name)
		return nil
	case strings.HasPrefix(p, "__MACOSX/"):
		h.note("archive_metadata", p)
		return nil
	case inGit(p):
		h.git = append(h.git, p)
		return nil
	case m.kind == special:
		h.note("archive_special", p)
		return nil
	}
	e := Entry{Path: p, Mode: "100644", Kind: File, Size: m.size}
	switch m.kind {
	case executable:
		e.Mode, e.Kind = "100755", Executable
	case symbolic:
		e.Mode, e.Kind = "120000", Symlink
	case hard:
		return h.again(p, m.link)
	default: // a regular file; the others are gone by here
	}
	if err := a.room(m.size); err != nil {
		return err
	}
	id, err := m.blob(a)
	if err != nil {
		return err
	}
	e.OID = id
	h.put(e)
	return nil
}

// again is a second name of a file that came before.
func (h *looseFiles) again(p, of string) error {
	of, ok := inside(of)
	e, there := h.files[of]
	if !ok || !there || e.Kind == Symlink {
		h.note("archive_link", p)
		return nil
	}
	e.Path = p
	h.put(e)
	return nil
}

func (h *looseFiles) put(e Entry) {
	if old, twice := h.files[e.Path]; twice && (old.OID != e.OID || old.Mode != e.Mode) {
		h.note("archive_twice", e.Path)
	}
	h.files[e.Path] = e
}

// inGit tells whether a path is in some git folder, or is a file that leads to one.
func inGit(p string) bool { return anySegment(p, func(s string) bool { return s == ".git" }) }

// blob hashes the content as git does, which names the size first: a member that has another one than it says is damaged.
func (m member) blob(a *allowance) (string, error) {
	if m.kind == symbolic && m.size > maxLink {
		return "", sandbox.Refuse("archive_damaged", "a link of more than %d bytes", maxLink)
	}
	in, err := m.open()
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }() // only read
	sum := blobSum(m.size)
	n, err := io.Copy(sum, &counted{in, a})
	if err == nil && n != m.size {
		err = errSize
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}

var errSize = fmt.Errorf("a file has another size than it says: %w", io.ErrUnexpectedEOF)

// blobID is git's id of a blob.
func blobID(b []byte) string {
	sum := blobSum(int64(len(b)))
	sum.Write(b)
	return hex.EncodeToString(sum.Sum(nil))
}

func blobSum(size int64) hash.Hash {
	sum := sha1.New() //nolint:gosec // git's object ids
	sum.Write([]byte("blob " + strconv.FormatInt(size, 10) + "\x00"))
	return sum
}

// top finds the folder that all lies in, and what of it is a git folder: the one that everything else lies beside or in. A
// single folder at the top is taken for the packer's, and one more for each that leads to the git folder.
func (h *looseFiles) top() (git string) {
	common := h.common()
	git = h.gitAt(common)
	switch {
	case git != "":
		h.root = strings.TrimSuffix(git, ".git/") // of a bare one, itself
	case common != "":
		first, _, _ := strings.Cut(common, "/")
		h.root = first + "/"
	}
	return git
}

// common is the longest folder that every member lies in, with a slash at its end; of git folders, what they lie in.
func (h *looseFiles) common() string {
	common, first := "", true
	narrow := func(p string) { // order does not matter
		if p = dirOf(p); first {
			common, first = p, false
		}
		for !strings.HasPrefix(p, common) {
			common = dirOf(strings.TrimSuffix(common, "/"))
		}
	}
	for p := range h.files {
		narrow(p)
	}
	for _, p := range h.git {
		before, _ := cutGit(p)
		narrow(before + "x")
	}
	return common
}

// dirOf is a path's folder with a slash at its end, or "".
func dirOf(p string) string { return p[:strings.LastIndexByte(p, '/')+1] }

// cutGit parts a path behind its first ".git".
func cutGit(p string) (before, inside string) {
	if rest, first := strings.CutPrefix(p, ".git"); first && (rest == "" || rest[0] == '/') {
		return "", strings.TrimPrefix(rest, "/")
	}
	i := strings.Index(p, "/.git/")
	if i < 0 {
		if before, ok := strings.CutSuffix(p, "/.git"); ok {
			return before + "/", ""
		}
		return "", ""
	}
	return p[:i+1], p[i+len("/.git/"):]
}

// gitAt finds the git folder that common or a folder above it has, with a slash at its end; of a bare repository at the
// top without a folder of its own there is none, as "" says that there is none.
func (h *looseFiles) gitAt(common string) string {
	best := ""
	for _, p := range h.git {
		before, in := cutGit(p)
		if in == "HEAD" && strings.HasPrefix(common, before) && len(before+".git/") > len(best) {
			best = before + ".git/"
		}
	}
	if best != "" {
		return best
	}
	if _, bare := h.files[common+"HEAD"]; !bare {
		return ""
	}
	for p := range h.files {
		if strings.HasPrefix(p, common+"objects/") {
			return common // a bare repository, the folder itself
		}
	}
	return ""
}

// entries are the files below the root; archives among them are marked as odd.
func (h *looseFiles) entries() []Entry {
	out := make([]Entry, 0, len(h.files))
	for p, e := range h.files {
		e.Path = strings.TrimPrefix(p, h.root)
		e.Flags = pathFlags(e.Path)
		out = append(out, e)
		switch strings.ToLower(path.Ext(p)) {
		case ".zip", ".tar", ".tgz", ".gz", ".rar", ".7z", ".bz2", ".xz", ".zst":
			h.note("archive_nested", e.Path)
		}
	}
	return out
}

// read reads contents by their ids, up to max bytes each. Content is not believed but hashed: the looseSource may be another one
// by now.
func (h *looseFiles) read(ctx context.Context, ids []string, max int64) (map[string][]byte, error) {
	want := make(map[string]bool, len(ids))
	for _, id := range ids {
		want[id] = true
	}
	out := make(map[string][]byte, len(ids))
	err := h.looseSource.each(ctx, func(m member) error {
		p, ok := inside(m.name)
		e, known := h.files[p]
		if !ok || !known || m.kind == folder || m.kind == special || m.kind == hard || !want[e.OID] || out[e.OID] != nil || e.Size > max {
			return nil
		}
		b, err := m.content(e)
		if b != nil {
			out[e.OID] = b
		}
		return err
	})
	return out, err
}

// headers are those of the files that the looseFiles has, by id.
func (h *looseFiles) headers(ids []string) map[string]header {
	out := make(map[string]header, len(ids))
	sizes := make(map[string]int64, len(h.files))
	for _, e := range h.files {
		sizes[e.OID] = e.Size
	}
	for _, id := range ids {
		if size, there := sizes[id]; there {
			out[id] = header{"blob", size}
		}
	}
	return out
}

// content is what a member holds, or nil when it is not what it was.
func (m member) content(e Entry) ([]byte, error) {
	in, err := m.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // only read
	b := make([]byte, 0, e.Size+1)
	b, err = appendTo(b, in, e.Size+1)
	if err != nil {
		return nil, err
	}
	if blobID(b) != e.OID {
		return nil, nil
	}
	return b, nil
}

// appendTo reads up to limit bytes behind b.
func appendTo(b []byte, in io.Reader, limit int64) ([]byte, error) {
	for int64(len(b)) < limit {
		n, err := in.Read(b[len(b):min(int64(cap(b)), limit)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}
