package repo

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git's object ids
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// openArchive reads an archive: the repository that it holds, else its files.
func (r *Repo) openArchive(ctx context.Context, path string) error {
	a, err := openArchive(path)
	if err != nil {
		return err
	}
	h, err := readLoose(ctx, a, &allowance{packed: a.size})
	if err != nil {
		return err
	}
	r.source.origin = origin{slug: stem(path)}
	git := h.top()
	r.noteGits(h, git)
	if git == "" {
		return r.lay(h, "an archive without a git repository: there is no history")
	}
	dir, err := r.box.MakeDir(false)
	if err != nil {
		return err
	}
	if err = h.extract(ctx, git, dir); err == nil {
		err = r.openLocal(ctx, dir)
	}
	refusal, refused := errors.AsType[*sandbox.Refusal](err)
	switch {
	case ctx.Err() != nil:
		return err
	case err == nil:
		if r.source.origin.url == "" {
			r.source.origin = origin{slug: stem(path)}
		}
		r.beside = h
		return nil
	case refused && refusal.Code == "ref_missing":
		return err
	}
	why := "it is damaged"
	if refused {
		why = refusal.Msg
	}
	r.source = source{origin: origin{slug: stem(path)}}
	return r.lay(h, fmt.Sprintf("an archive with a git folder that cannot be used (%s): its files are read, and there is no history", why))
}

// noteGits tells of the git folders that are not read.
func (r *Repo) noteGits(h *looseFiles, git string) {
	for _, p := range h.git {
		if before, _ := cutGit(p); before+".git/" != git {
			r.note("nested_git", before+".git", "%s", leftOut["nested_git"])
		}
	}
}

// lay makes files without git what is read: a tree with the id that git would give it, so that it can be named, but no
// commit. why says in a note what that is.
func (r *Repo) lay(h *looseFiles, why string) error {
	r.looseFiles = h
	r.none = why
	entries := h.entries()
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	if len(entries) == 0 {
		return sandbox.Refuse("archive_empty", "there is no file in it")
	}
	id, _ := treeID(entries, "")
	r.commit = id
	if rev := r.options.Revision; rev != "" && (!shortID.MatchString(rev) || !strings.HasPrefix(id, rev)) {
		return sandbox.Refuse("ref_missing", "there is no history, and so no %q: the files as they lie are %s", rev, id)
	}
	r.note("no_history", "", "%s", why)
	for code, names := range h.odd {
		slices.Sort(names)
		for _, n := range names[:min(len(names), maxNotes)] {
			r.note(code, n, "%s", leftOut[code])
		}
		if more := len(names) - maxNotes; more > 0 {
			r.note(code, "", "so with %d more", more)
		}
	}
	entries, err := r.below(entries)
	if err != nil {
		return err
	}
	if over := len(entries) - r.options.MaxEntries; over > 0 {
		r.note("limit_tree", "", "more than %d files: the list of files is cut", r.options.MaxEntries)
		entries = entries[:r.options.MaxEntries]
	}
	r.entries = entries
	return nil
}

// treeID is the id of the tree that files make, as git reckons it, and how many of them lie below prefix. The files are
// sorted by path.
func treeID(files []Entry, prefix string) (id string, n int) {
	var body bytes.Buffer
	for n < len(files) && strings.HasPrefix(files[n].Path, prefix) {
		e := files[n]
		name, _, deeper := strings.Cut(e.Path[len(prefix):], "/")
		mode, oid, took := strings.TrimPrefix(e.Mode, "0"), e.OID, 1
		if deeper {
			mode = "40000"
			oid, took = treeID(files[n:], prefix+name+"/")
		}
		raw, err := hex.DecodeString(oid)
		if err != nil {
			raw = make([]byte, sha1.Size) // ids are our own: it cannot be
		}
		fmt.Fprintf(&body, "%s %s\x00%s", mode, name, raw) // a buffer never fails
		n += took
	}
	sum := sha1.New() //nolint:gosec // git's object ids
	fmt.Fprintf(sum, "tree %d\x00", body.Len())
	sum.Write(body.Bytes())
	return hex.EncodeToString(sum.Sum(nil)), n
}

// Snapshot says why there is no history: what is read are files that came without git, and Commit is the id of their
// tree. It is empty when there is a commit.
func (r *Repo) Snapshot() string { return r.none }

// compare notes how the files beside a git folder differ from the commit that is read. What git was told to ignore is not
// known here, so files that are not part of the commit are not counted.
func (r *Repo) compare() {
	if r.beside == nil {
		return
	}
	lies := map[string]Entry{}
	for _, e := range r.beside.entries() {
		lies[e.Path] = e
	}
	other, gone := 0, 0
	for _, e := range r.entries {
		switch b, there := lies[r.folder+e.Path]; {
		case e.Kind == Submodule:
		case !there:
			gone++
		case b.OID != e.OID:
			other++
		}
	}
	if len(lies) > 0 && other+gone > 0 {
		r.note("not_committed", "", "of the files of the commit %d lie there with other content or line ends, and %d not at all: what was committed is read", other, gone)
	}
	r.beside = nil
}

// gitFile are the names in a git folder that are of use to us. Hooks, settings of programs and links are not.
var gitFile = regexp.MustCompile(`^(?:HEAD|packed-refs|shallow|config|info/grafts|objects/[0-9a-f]{2}/[0-9a-f]{38,62}|objects/pack/pack-[0-9a-f]{40,64}\.(?:pack|idx))$`)

// Bounds of a git folder in an archive: a part of what a child of ours may find on disk.
const (
	maxGitFiles = 15_000
	maxGitBytes = 512 << 20
)
