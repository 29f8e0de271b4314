package probetest

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/repo"
)

// history reads the file "history". Each commit is a block, oldest first:
//
//	commit 2026-01-05T10:00:00+02:00 ada: setup: manifest and readme
//	committed 2026-01-05T10:05:00+02:00      (default: the author's time)
//	zone +518:00                             (as text, instead of the time's)
//	body Co-authored-by: eve <eve@example.org>
//	parents 0 2                              (indexes of commits; default: the one before)
//	A pyproject.toml +12
//	M src/a.py +30 -2 was/a1.py              (content after it: the archive's file was/a1.py)
//	R old.py new.py +1 -0
//	unread                                   (what the commit changed cannot be read)
//
// and the single words "shallow", "grafted" or "truncated" on lines of their
// own set the history's flags. Without the file there is one commit that adds
// every file of the tree.
func (f *Fixture) history(t testing.TB, s *source) *repo.History {
	t.Helper()
	h := &repo.History{}
	text, ok := f.Files["history"]
	if !ok {
		c := repo.Commit{Subject: "everything", Author: repo.Signature{Name: "ada", Email: "ada@example.org", Time: 1767600000, Zone: "+0000"}}
		c.Committer = c.Author
		for _, e := range s.entries {
			c.Changes = append(c.Changes, repo.Change{Status: repo.Added, Path: e.Path, OID: e.OID, Mode: e.Mode, Counted: true,
				Added: strings.Count(string(s.blobs[e.Path]), "\n")})
		}
		h.Commits = []repo.Commit{c}
	}
	for line := range strings.Lines(text) {
		if err := f.historyLine(h, s, strings.TrimSpace(line)); err != nil {
			t.Fatalf("%s: history: %q: %v", f.file, line, err)
		}
	}
	for i := range h.Commits {
		h.Commits[i].ID = commitID(i)
		if h.Commits[i].Parents == nil && i > 0 {
			h.Commits[i].Parents = []string{commitID(i - 1)}
		}
		if len(h.Commits[i].Parents) == 0 {
			h.Roots = append(h.Roots, h.Commits[i].ID)
		}
	}
	return h
}

func commitID(i int) string {
	sum := sha1.Sum(fmt.Appendf(nil, "commit %d", i))
	return hex.EncodeToString(sum[:])
}

func (f *Fixture) historyLine(h *repo.History, s *source, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	var c *repo.Commit
	if n := len(h.Commits); n > 0 {
		c = &h.Commits[n-1]
	}
	switch word {
	case "":
	case "shallow":
		h.Shallow = true
	case "grafted":
		h.Grafted = true
	case "truncated":
		h.Truncated = true
	case "commit":
		when, who, _ := strings.Cut(rest, " ")
		at, err := time.Parse(time.RFC3339, when)
		if err != nil {
			return err
		}
		name, subject, _ := strings.Cut(who, ": ")
		sig := repo.Signature{Name: name, Email: name + "@example.org", Time: at.Unix(), Zone: at.Format("-0700")}
		h.Commits = append(h.Commits, repo.Commit{Author: sig, Committer: sig, Subject: subject})
	case "committed":
		at, err := time.Parse(time.RFC3339, rest)
		if err != nil {
			return err
		}
		c.Committer.Time, c.Committer.Zone = at.Unix(), at.Format("-0700")
	case "unread":
		c.Partial = true
	case "zone":
		c.Author.Zone, c.Committer.Zone = rest, rest
	case "body":
		c.Body += rest + "\n"
	case "parents":
		c.Parents = []string{}
		for n := range strings.FieldsSeq(rest) {
			i, err := strconv.Atoi(n)
			if err != nil {
				return err
			}
			c.Parents = append(c.Parents, commitID(i))
		}
	default:
		ch, err := f.change(s, strings.Fields(line))
		if err != nil {
			return err
		}
		c.Changes = append(c.Changes, ch)
	}
	return nil
}

// change reads STATUS [FROM] PATH +ADDED [-DELETED] [was/FILE].
func (f *Fixture) change(s *source, words []string) (repo.Change, error) {
	ch := repo.Change{Status: repo.Status(words[0]), Counted: true, Mode: "100644"}
	words = words[1:]
	if ch.Status == repo.Renamed || ch.Status == repo.Copied {
		ch.From, words = words[0], words[1:]
	}
	ch.Path, words = words[0], words[1:]
	if b, ok := s.blobs[ch.Path]; ok && ch.Status != repo.Deleted {
		ch.OID = blobID(b)
	}
	for _, w := range words {
		switch {
		case strings.HasPrefix(w, "was/"):
			text, ok := f.Files[w]
			if !ok {
				return ch, fmt.Errorf("no file %s", w)
			}
			b := unescape(text)
			ch.OID = blobID(b)
			s.objects[ch.OID] = b
		case w[0] == '+' || w[0] == '-':
			n, err := strconv.Atoi(w[1:])
			if err != nil {
				return ch, err
			}
			if w[0] == '+' {
				ch.Added = n
			} else {
				ch.Deleted = n
			}
		default:
			return ch, fmt.Errorf("what is %q", w)
		}
	}
	return ch, nil
}
