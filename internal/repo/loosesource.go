package repo

import (
	"context"
	"io"
	"path"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Bounds of files that come without git, in an archive or a folder: docs/decisions/0019-targets.md says where they come
// from.
const (
	maxArchive   = 512 << 20 // bytes of an archive, as of a download
	maxUnpacked  = 2 << 30   // bytes of all its files
	maxMembers   = 200_000   // entries, folders and what is left out among them
	maxNames     = 32 << 20  // bytes of all names
	maxPath      = 1024      // bytes of one name
	maxFolders   = 128       // levels
	maxLink      = 64 << 10  // bytes of a link's text
	maxDirectory = 64 << 20  // bytes that are read to list a zip
	freeUnpacked = 64 << 20  // up to here nobody asks how well an archive was packed
	maxRatio     = 100       // behind that: bytes out of one
)

// looseSource is a looseFiles of files without git.
type looseSource interface {
	// each hands over every member, in the order in which they lie there. The content of one can be read until the next
	// one comes.
	each(ctx context.Context, take func(member) error) error
}

// member is one entry of a looseSource.
type member struct {
	name string // slash-separated as far as can be told, raw
	kind memberKind
	link string // of a hard link: the member that it is another name of
	size int64  // bytes, as it says itself
	open func() (io.ReadCloser, error)
}

// memberKind is what a member is.
type memberKind int

const (
	regular memberKind = iota
	executable
	symbolic // its content is the link's text
	hard
	folder
	special
)

// allowance is what may still be unpacked.
type allowance struct {
	packed          int64 // bytes of the archive; 0: nothing is packed
	members         int
	names, unpacked int64
}

// entry counts one entry.
func (a *allowance) entry(name string) error {
	a.members++
	a.names += int64(len(name))
	if a.members > maxMembers {
		return sandbox.Refuse("limit_files", "more than %d entries", maxMembers)
	}
	if a.names > maxNames {
		return sandbox.Refuse("limit_files", "more than %d bytes of names", maxNames)
	}
	return nil
}

// room refuses what would pass the bounds when n more bytes are unpacked.
func (a *allowance) room(n int64) error {
	switch total := a.unpacked + n; {
	case n < 0 || total < 0 || total > maxUnpacked:
		return sandbox.Refuse("limit_unpacked", "more than %d bytes of files", int64(maxUnpacked))
	case a.packed > 0 && total > freeUnpacked && total/maxRatio > a.packed:
		return sandbox.Refuse("limit_ratio", "%d bytes that unpack to more than %d times as many", a.packed, maxRatio)
	}
	return nil
}

// counted is a reader whose bytes count.
type counted struct {
	from io.Reader
	a    *allowance
}

// Read reads on, as far as there is room.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.a.unpacked += int64(n)
	if over := c.a.room(0); over != nil {
		return n, over
	}
	return n, err
}

var drive = regexp.MustCompile(`^[A-Za-z]:`)

// inside is a member's name as a path below the looseSource. ok is false when it would lie elsewhere, or is none.
func inside(name string) (p string, ok bool) {
	if name == "" || strings.HasPrefix(name, "/") || drive.MatchString(name) || strings.ContainsRune(name, 0) {
		return "", false
	}
	for s := range strings.SplitSeq(name, "/") {
		if s == ".." {
			return "", false
		}
	}
	p = path.Clean(name)
	return p, len(p) <= maxPath && strings.Count(p, "/") < maxFolders
}
