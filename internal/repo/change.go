package repo

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

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
	// Counted says that Added and Deleted are known: not for binary files, and not where objects are missing.
	Counted bool
	Binary  bool // git takes the file for binary: its lines are not counted
	Added   int  // lines
	Deleted int  // lines
}

// changeReader reads the output of diff-tree --stdin -z --raw [--numstat] for commits, in their order. Commits without
// changes are not in the output.
type changeReader struct {
	ids     []string
	at      int // the commit whose records come; -1 before the first
	changes []Change
	counted int // up to here the changes have their line counts
	keep    func(id string, changes []Change)
	paths   map[string]string // that were read: most come in many commits
}

// read goes through the output; after a clean end of git, done hands over the rest.
func (p *changeReader) read(in *bufio.Reader) error {
	p.at = -1
	for {
		record, err := readRecord(in, 0)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := p.take(in, record); err != nil {
			return err
		}
	}
}

func (p *changeReader) take(in *bufio.Reader, record []byte) error {
	switch {
	case bytes.HasPrefix(record, []byte(":")) && p.at >= 0:
		c, err := p.raw(in, string(record))
		p.changes = append(p.changes, c)
		return err
	case bytes.IndexByte(record, '\t') >= 0 && p.at >= 0:
		n, err := p.lines(in, record)
		if err != nil {
			return err
		}
		return p.count(n)
	}
	next := slices.IndexFunc(p.ids[p.at+1:], func(id string) bool { return id == string(record) })
	if next < 0 {
		return unexpected(string(record))
	}
	p.flush(p.at + 1 + next)
	return nil
}

// path is a path of a record; the same text each time that it comes.
func (p *changeReader) path(record []byte) string {
	path, known := p.paths[string(record)]
	if !known {
		if p.paths == nil {
			p.paths = map[string]string{}
		}
		path = string(record)
		p.paths[path] = path
	}
	return path
}

// flush hands over the commits before next.
func (p *changeReader) flush(next int) {
	for i := max(p.at, 0); i < next; i++ {
		if i == p.at {
			p.keep(p.ids[i], slices.Clone(p.changes))
		} else {
			p.keep(p.ids[i], nil)
		}
	}
	p.at, p.changes, p.counted = next, p.changes[:0], 0
}

func (p *changeReader) done() { p.flush(len(p.ids)) }

// count gives line counts to the next change of that path.
func (p *changeReader) count(n lineCount) error {
	for i := p.counted; i < len(p.changes); i++ {
		c := &p.changes[i]
		if c.Path == n.path && c.From == n.from {
			c.Binary, c.Counted, c.Added, c.Deleted = n.binary, !n.binary, n.added, n.deleted
			p.counted = i + 1
			return nil
		}
	}
	return unexpected(n.path)
}

func unexpected(text string) error {
	return fmt.Errorf("reading diff-tree: unexpected record %q", safetext.Text(text, 100))
}

// raw reads ":OLDMODE MODE OLDOID OID STATUS" and the one or two paths behind it.
func (p *changeReader) raw(in *bufio.Reader, head string) (Change, error) {
	oldMode, rest, _ := strings.Cut(strings.TrimPrefix(head, ":"), " ")
	mode, rest, _ := strings.Cut(rest, " ")
	oldOID, rest, _ := strings.Cut(rest, " ")
	oid, status, _ := strings.Cut(rest, " ")
	if !fullID.MatchString(oldOID) || !fullID.MatchString(oid) || status == "" || strings.Contains(status, " ") || !strings.Contains("AMDRCT", status[:1]) {
		return Change{}, unexpected(head)
	}
	c := Change{Status: Status(status[:1]), OldMode: oldMode, Mode: mode, OldOID: orNone(oldOID), OID: orNone(oid)}
	if len(status) > 1 {
		score, err := strconv.Atoi(status[1:])
		if err != nil {
			return Change{}, unexpected(head)
		}
		c.Score = score
	}
	path, err := readRecord(in, 0)
	if err != nil {
		return Change{}, mustGoOn(err)
	}
	c.Path = p.path(path)
	if c.Status == Renamed || c.Status == Copied {
		c.From = c.Path
		if path, err = readRecord(in, 0); err != nil {
			return Change{}, mustGoOn(err)
		}
		c.Path = p.path(path)
	}
	return c, nil
}

// mustGoOn: in the middle of a record there is no clean end.
func mustGoOn(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func orNone(id string) string {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// lineCount is one record of --numstat.
type lineCount struct {
	from, path     string
	binary         bool
	added, deleted int
}

// lines reads "ADDED\tDELETED\tPATH", or with an empty path the old and the new one behind it.
func (p *changeReader) lines(in *bufio.Reader, record []byte) (n lineCount, err error) {
	added, rest, _ := bytes.Cut(record, []byte("\t"))
	deleted, path, ok := bytes.Cut(rest, []byte("\t"))
	if n.binary = string(added) == "-" && string(deleted) == "-"; !n.binary {
		var errA, errD error
		n.added, errA = strconv.Atoi(string(added))
		n.deleted, errD = strconv.Atoi(string(deleted))
		ok = ok && errA == nil && errD == nil && n.added >= 0 && n.deleted >= 0
	}
	if !ok {
		return n, unexpected(string(record))
	}
	if len(path) > 0 {
		n.path = p.path(path)
		return n, nil
	}
	from, err := readRecord(in, 0)
	if err != nil {
		return n, mustGoOn(err)
	}
	n.from = p.path(from)
	to, err := readRecord(in, 0)
	if err != nil {
		return n, mustGoOn(err)
	}
	n.path = p.path(to)
	return n, nil
}
