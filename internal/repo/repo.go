// Package repo reads git repositories: the tree, the blobs and the history of one commit, from git objects only; and the
// files of archives and folders that came without git, as a tree without history.
//
// There is never a work tree, and nothing of what was fetched is run or loaded as configuration: git itself runs in the
// sandbox, on a git directory of our own. A local repository is read in place; its config, hooks, attributes, grafts,
// replace refs and promisor settings are never given to git. What cannot be read costs only itself and is said (Notes).
package repo

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Options configures Open. The zero value is usable.
type Options struct {
	// Revision is a branch, tag, full or abbreviated commit id or refs/… name; empty is HEAD.
	Revision string
	// Due has the last commit read that was made no later; zero: the newest one. Files without history have no such commit.
	Due time.Time
	// Token gives the access token for a host, or ""; nil: no token.
	Token func(host string) string

	// Folder narrows what is read to a folder of the repository, slash-separated: paths are seen from there, and the
	// history is that of the commits that changed something in it. Empty is all.
	Folder string
	// Ours is a folder of this machine that is not part of a plain folder under examination, where it lies in it.
	Ours string

	MaxEntries int   // files of the tree (50,000)
	MaxBlob    int64 // bytes of one blob (1 MiB)
	MaxBlobs   int64 // bytes of all blobs of the tree, and of one call of Objects (48 MiB)
	MaxCommits int   // newest commits of the history (20,000)
}

// or fills in the defaults: a design choice, far above what an ordinary submission has.
func (o Options) or() Options {
	o.MaxEntries = cmp.Or(o.MaxEntries, 50_000)
	o.MaxBlob = cmp.Or(o.MaxBlob, 1<<20)
	o.MaxBlobs = cmp.Or(o.MaxBlobs, 48<<20)
	o.MaxCommits = cmp.Or(o.MaxCommits, 20_000)
	return o
}

// Repo is one commit of one repository. It is safe for concurrent use and lives as long as its Box.
type Repo struct {
	box        *sandbox.Box
	options    Options
	source     source
	commit     string
	entries    []Entry
	byPath     map[string]int
	fits       map[string]bool // ids of blobs within the limits
	folder     string          // with a slash at its end; "": all
	looseFiles *looseFiles     // files without git that are read instead of a repository; nil: it is one
	workTree   string          // the folder that a repository on this machine lies in; "": none
	none       string          // why there is no history, of a looseFiles
	beside     *looseFiles     // files beside the git folder of an archive, until they are compared

	mu      sync.Mutex
	notes   map[Note]bool
	blobs   map[string][]byte // by id; nil: missing or damaged
	history *History

	loading sync.Mutex // one reader of blobs at a time, so that none is read twice
	walking sync.Mutex // one reader of the history
}

// source is a git directory that our git may be given.
type source struct {
	gitDir  string   // ours, or a bare clone made by ours
	read    []string // what the child must read beside it
	private bool     // only our own uid can read it
	origin  origin
	shallow bool // the copy was cut
	grafted bool // the copy has grafts
}

// Open gets at the repository (reads it in place, or clones it bare with full history) and lists the tree of the commit.
//
// Errors: *sandbox.Refusal with a code (ref_syntax, ref_missing, git_empty, git_ref,
// git_symlink, git_special, git_alternates, git_deep, local_missing, local_gitfile, limit_…), local_inside, local_closed,
// path_outside, path_missing, bundle_part, archive_kind, archive_method, archive_encrypted, archive_damaged, archive_empty, or a plain error that names the cause.
func Open(ctx context.Context, box *sandbox.Box, t Target, o Options) (*Repo, error) {
	if err := checkRevision(o.Revision); err != nil {
		return nil, err
	}
	folder, err := checkFolder(o.Folder)
	if err != nil {
		return nil, err
	}
	r := &Repo{
		folder: folder,
		box:    box, options: o.or(), notes: map[Note]bool{}, blobs: map[string][]byte{},
		byPath: map[string]int{}, fits: map[string]bool{},
	}
	checked := make(chan error, 1)
	go func() { checked <- box.Check(ctx) }()
	err = r.open(ctx, t)
	if checkErr := <-checked; checkErr != nil {
		return nil, checkErr
	}
	if err != nil {
		return nil, err
	}
	if r.looseFiles != nil && !o.Due.IsZero() {
		return nil, sandbox.Refuse("ref_missing", "the files have no history, so nobody can tell what was there at a time")
	}
	if r.looseFiles == nil {
		if err := r.list(ctx); err != nil {
			return nil, fmt.Errorf("listing tree: %w", err)
		}
		r.compare()
	}
	r.index()
	return r, nil
}

func (r *Repo) open(ctx context.Context, t Target) error {
	switch {
	case t.Local != "":
		if err := r.openLocal(ctx, t.Local); err != nil {
			return fmt.Errorf("reading %q: %w", t.Local, err)
		}
	case t.Bundle != "":
		if err := r.openBundle(ctx, t.Bundle); err != nil {
			return fmt.Errorf("reading %q: %w", t.Bundle, err)
		}
	case t.Archive != "":
		if err := r.openArchive(ctx, t.Archive); err != nil {
			return fmt.Errorf("reading %q: %w", t.Archive, err)
		}
	case t.URL != "":
		if err := r.openRemote(ctx, t); err != nil {
			return fmt.Errorf("cloning %s: %w", t.URL, err)
		}
	default:
		return sandbox.Refuse("url_empty", "no repository given")
	}
	return nil
}

// Commit is the full id of the commit that is read; of a Snapshot, of its tree.
func (r *Repo) Commit() string { return r.commit }

// Slug is OWNER/NAME of the remote, or the folder's name when there is none.
func (r *Repo) Slug() string { return r.source.origin.slug }

// URL is the https address of the repository, without .git and without credentials, or empty when there is none. Files
// of the commit are at URL/blob/COMMIT/PATH on the hosts that follow that habit.
func (r *Repo) URL() string { return r.source.origin.url }

// Tree lists the files of the commit, sorted by path. The slice is shared: do not change it.
func (r *Repo) Tree() []Entry { return r.entries }

// Entry finds a file of the tree.
func (r *Repo) Entry(path string) (Entry, bool) {
	i, ok := r.byPath[path]
	if !ok {
		return Entry{}, false
	}
	return r.entries[i], true
}

// maxMemory bounds the address space of a git that reads, in bytes. A reader of packs is set to use less than a quarter of
// it; what takes more is one object that is larger than any commit or folder is, or a change of more files than half a
// million.
const maxMemory = 768 << 20

// git runs one git command on the source.
func (r *Repo) git(ctx context.Context, limits sandbox.Limits, stdin []byte, sink func(io.Reader) error, args ...string) (sandbox.Result, error) {
	limits.Memory = cmp.Or(limits.Memory, maxMemory)
	return r.box.Run(ctx, sandbox.Command{
		Args:    slices.Concat([]string{"--git-dir=" + r.source.gitDir, "--no-replace-objects", "--literal-pathspecs"}, args),
		Read:    r.source.read,
		Private: r.source.private,
		Stdin:   stdin,
		Sink:    sink,
		Limits:  limits,
	})
}
