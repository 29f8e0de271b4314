package repo

import (
	"bufio"
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
		if err := p.take(in, string(record)); err != nil {
			return err
		}
	}
}

func (p *changeReader) take(in *bufio.Reader, text string) error {
	switch {
	case strings.HasPrefix(text, ":") && p.at >= 0:
		c, err := parseRaw(in, text)
		p.changes = append(p.changes, c)
		return err
	case strings.Contains(text, "\t") && p.at >= 0:
		n, err := parseCount(in, text)
		if err != nil {
			return err
		}
		return p.count(n)
	}
	next := slices.Index(p.ids[p.at+1:], text)
	if next < 0 {
		return unexpected(text)
	}
	p.flush(p.at + 1 + next)
	return nil
}

// flush hands over the commits before next.
func (p *changeReader) flush(next int) {
	for i := max(p.at, 0); i < next; i++ {
		if i == p.at {
			p.keep(p.ids[i], p.changes)
		} else {
			p.keep(p.ids[i], nil)
		}
	}
	p.at, p.changes, p.counted = next, nil, 0
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

// parseRaw reads ":OLDMODE MODE OLDOID OID STATUS" and the one or two paths behind it.
func parseRaw(in *bufio.Reader, head string) (Change, error) {
	f := strings.Fields(strings.TrimPrefix(head, ":"))
	if len(f) != 5 || !fullID.MatchString(f[2]) || !fullID.MatchString(f[3]) || !strings.Contains("AMDRCT", f[4][:1]) {
		return Change{}, unexpected(head)
	}
	c := Change{Status: Status(f[4][:1]), OldMode: f[0], Mode: f[1], OldOID: orNone(f[2]), OID: orNone(f[3])}
	if len(f[4]) > 1 {
		score, err := strconv.Atoi(f[4][1:])
		if err != nil {
			return Change{}, unexpected(head)
		}
		c.Score = score
	}
	path, err := readRecord(in, 0)
	if err != nil {
		return Change{}, mustGoOn(err)
	}
	c.Path = string(path)
	if c.Status == Renamed || c.Status == Copied {
		c.From = c.Path
		if path, err = readRecord(in, 0); err != nil {
			return Change{}, mustGoOn(err)
		}
		c.Path = string(path)
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

// parseCount reads "ADDED\tDELETED\tPATH", or with an empty path the old and the new one behind it.
func parseCount(in *bufio.Reader, text string) (lineCount, error) {
	f := strings.SplitN(text, "\t", 3)
	if len(f) != 3 {
		return lineCount{}, unexpected(text)
	}
	n := lineCount{path: f[2]}
	if n.path == "" {
		from, err := readRecord(in, 0)
		if err != nil {
			return n, mustGoOn(err)
		}
		to, err := readRecord(in, 0)
		if err != nil {
			return n, mustGoOn(err)
		}
		n.from, n.path = string(from), string(to)
	}
	if f[0] == "-" && f[1] == "-" {
		n.binary = true
		return n, nil
	}
	var errA, errD error
	n.added, errA = strconv.Atoi(f[0])
	n.deleted, errD = strconv.Atoi(f[1])
	if errA != nil || errD != nil || n.added < 0 || n.deleted < 0 {
		return n, unexpected(text)
	}
	return n, nil
}
