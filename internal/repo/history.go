package repo

import (
	"context"
	"errors"
)

// History is every commit that the opened one descends from.
type History struct {
	// Commits in the order of git rev-list --reverse --date-order: oldest first, no commit before its parents.
	Commits   []Commit
	Roots     []string // ids of the commits without parents, in that order
	Shallow   bool     // the copy was cut: the true first commits are not here
	Grafted   bool     // the copy has grafts; they are ignored
	Truncated bool     // more commits than the limit; the newest are here
	Missing   []string // commits that are named as parents but are not there or damaged
}

// Complete tells whether history can answer "how many" and "which came first". If not, such answers are unknown.
func (h *History) Complete() bool {
	return !h.Shallow && !h.Grafted && !h.Truncated && len(h.Missing) == 0
}

// Ever tells whether a file of that path existed in any commit, the opened one included.
func (h *History) Ever(path string) bool { return false }

// Commit is one commit. Its texts are foreign, valid UTF-8 (other bytes as \xNN) and bounded.
type Commit struct {
	ID        string
	Parents   []string
	Author    Signature
	Committer Signature
	Subject   string // first paragraph on one line, at most 512 runes
	Body      string // the rest, at most 8,192 runes
	// Changes against the parent, by path; a root's are all its files. A merge has none.
	Changes []Change
	// Partial says that changes or line counts are missing here because objects are.
	Partial bool
}

// Merge tells whether the commit has several parents.
func (c *Commit) Merge() bool { return len(c.Parents) > 1 }

// Signature is who and when. A time that git cannot read is 0 with Zone empty.
type Signature struct {
	Name  string // at most 256 runes
	Email string // at most 256 runes
	Time  int64  // seconds since 1970, UTC
	Zone  string // the offset as written, e.g. "+0200", "+518:00"
}

// Status is what happened to a file in a commit.
type Status string

// The statuses, as git's letters.
const (
	Added    Status = "A"
	Modified Status = "M"
	Deleted  Status = "D"
	Renamed  Status = "R"
	Copied   Status = "C"
	Retyped  Status = "T"
)

// Change is one file in one commit. Renames and copies are found at 50 % similarity.
type Change struct {
	Status  Status
	Path    string // after the commit; of a deleted file, before
	From    string // of a renamed or copied file: the path before
	Score   int    // similarity of a rename or copy, percent
	Mode    string // after; "000000" of a deleted file
	OldMode string // before; "000000" of an added file
	OID     string // blob after; empty of a deleted file
	OldOID  string // blob before; empty of an added file
	// Counted says that Added and Deleted are known; they are not for binary files and missing objects.
	Counted bool
	Added   int // lines
	Deleted int // lines
}

// History reads all commits, once; later calls return the same value.
func (r *Repo) History(ctx context.Context) (*History, error) { return nil, errors.New("not ready") }
