// Package repo reads git repositories: the tree, the blobs and the history of one commit, from git objects only.
//
// There is never a work tree, and nothing of what was fetched is run or loaded as configuration: git itself runs in the
// sandbox, on a git directory of our own. A local repository is read in place; its config, hooks, attributes, grafts,
// replace refs and promisor settings are never given to git. What cannot be read costs only itself and is said (Notes).
package repo

import (
	"context"
	"errors"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Options configures Open. The zero value is usable.
type Options struct {
	// Revision is a branch, tag, full or abbreviated commit id or refs/… name; empty is HEAD.
	Revision string
	// Token gives the access token for a host, or ""; nil: no token.
	Token func(host string) string
	// CacheDir keeps fetched repositories between runs; empty: no cache.
	CacheDir string

	MaxEntries int   // files of the tree (50,000)
	MaxBlob    int64 // bytes of one blob (1 MiB)
	MaxBlobs   int64 // bytes of all blobs that are kept in memory (48 MiB)
	MaxCommits int   // newest commits of the history (20,000)
}

// Repo is one commit of one repository. It is safe for concurrent use and lives as long as its Box.
type Repo struct{}

// Open gets at the repository (reads it in place, or clones it bare with full history) and lists the tree of the commit.
//
// Errors: *sandbox.Refusal with a code of security.md 3.1, 3.4 or 4.4 (ref_syntax, git_empty, git_ref, git_symlink,
// git_special, git_alternates, git_deep, local_missing, local_gitfile, limit_…), or a plain error that names the cause.
func Open(ctx context.Context, box *sandbox.Box, t Target, o Options) (*Repo, error) {
	return nil, errors.New("opening repository: not ready")
}

// Commit is the full id of the commit that is read.
func (r *Repo) Commit() string { return "" }

// Slug is OWNER/NAME of the remote, or the folder's name when there is none.
func (r *Repo) Slug() string { return "" }

// URL is the https address of the repository, without .git and without credentials, or empty when there is none. Files
// of the commit are at URL/blob/COMMIT/PATH on the hosts that follow that habit.
func (r *Repo) URL() string { return "" }

// Tree lists the files of the commit, sorted by path. The slice is shared: do not change it.
func (r *Repo) Tree() []Entry { return nil }

// Entry finds a file of the tree.
func (r *Repo) Entry(path string) (Entry, bool) { return Entry{}, false }

// Notes says what was cut, missing or ignored so far, each once, in order of code and subject.
func (r *Repo) Notes() []Note { return nil }

// Note is something that a reader of the result must know: a limit reached, a file not available, a setting ignored.
type Note struct {
	Code    string // limit_tree, limit_blob, limit_blobs, limit_log, missing_blob, git_grafts, …
	Subject string // the path or object concerned, or empty
	Text    string
}
