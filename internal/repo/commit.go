package repo

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a commit's texts, in runes, and of what is read of a commit object, in bytes.
const (
	maxName      = 256
	maxSubject   = 512
	maxBody      = 8192
	maxZone      = 16
	maxCommitObj = 64 << 10
)

// Commit is one commit. Its texts are foreign, valid UTF-8 (other bytes as \xNN) and bounded; what was cut ends in "…".
type Commit struct {
	ID        string
	Tree      string // id of its files; empty where the object does not name one
	Parents   []string
	Author    Signature
	Committer Signature
	Subject   string // first paragraph on one line, at most 512 runes
	Body      string // the rest, at most 8,192 runes
	// Changes against the parent, by path; a root's are all its files. A merge has none.
	Changes []Change
	// Partial says that changes or line counts are missing here, because objects are.
	Partial bool
}

// Merge tells whether the commit has several parents.
func (c *Commit) Merge() bool { return len(c.Parents) > 1 }

// Signature is who and when. A time that cannot be read is 0, with Zone empty.
type Signature struct {
	Name  string // at most 256 runes
	Email string // at most 256 runes
	Time  int64  // seconds since 1970, UTC
	Zone  string // the offset as written, e.g. "+0200", "+518:00"
}

// parseCommit reads a commit object, of which the end may be cut off. What is malformed stays empty.
func parseCommit(id string, raw []byte) Commit {
	c := Commit{ID: id}
	head, message, _ := bytes.Cut(raw, []byte("\n\n"))
	encoding := ""
	seenAuthor := false
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		key, value, _ := bytes.Cut(line, []byte(" "))
		switch string(key) {
		case "tree":
			if t := string(value); c.Tree == "" && fullID.MatchString(t) && !seenAuthor {
				c.Tree = t
			}
		case "parent":
			if p := string(value); fullID.MatchString(p) && !seenAuthor {
				c.Parents = append(c.Parents, p)
			}
		case "encoding":
			encoding = strings.ToLower(string(value))
		case "author":
			seenAuthor = true
		}
	}
	c.Author = parseSignature(headerLine(head, "author "), encoding)
	c.Committer = parseSignature(headerLine(head, "committer "), encoding)
	c.Subject, c.Body = parseMessage(message, encoding)
	return c
}

// headerLine is the value of the first header line of that key.
func headerLine(head []byte, key string) []byte {
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		if value, ok := bytes.CutPrefix(line, []byte(key)); ok {
			return value
		}
	}
	return nil
}

// parseSignature reads "NAME <EMAIL> SECONDS ZONE". The zone is kept as text: "+518:00" occurs in real history.
func parseSignature(line []byte, encoding string) Signature {
	var s Signature
	open := bytes.IndexByte(line, '<')
	last := bytes.LastIndexByte(line, '>')
	if open < 0 || last < open {
		s.Name = toText(bytes.TrimSpace(line), encoding, maxName)
		return s
	}
	s.Name = toText(bytes.TrimSpace(line[:open]), encoding, maxName)
	email := line[open+1 : last]
	if i := bytes.IndexByte(email, '>'); i >= 0 {
		email = email[:i]
	}
	s.Email = toText(bytes.TrimSpace(email), encoding, maxName)
	when, zone, _ := strings.Cut(strings.TrimSpace(string(line[last+1:])), " ")
	seconds, err := strconv.ParseInt(when, 10, 64)
	if err != nil || seconds < 0 {
		return s
	}
	s.Time = seconds
	s.Zone = toText([]byte(strings.TrimSpace(zone)), "", maxZone)
	return s
}

// parseMessage splits the first paragraph from the rest, as git's %s and %b do.
func parseMessage(message []byte, encoding string) (subject, body string) {
	message = skipBlank(message)
	first := message
	var rest []byte
	if i := blankLine(message); i >= 0 {
		first, rest = message[:i], skipBlank(message[i:])
	}
	lines := slices.Collect(bytes.Lines(first))
	for i, line := range lines {
		lines[i] = bytes.TrimRight(line, " \t\r\n")
	}
	subject = toText(bytes.Join(lines, []byte(" ")), encoding, maxSubject)
	return subject, toText(bytes.TrimRight(rest, "\n\r"), encoding, maxBody)
}

// skipBlank drops leading lines without text.
func skipBlank(message []byte) []byte {
	for len(message) > 0 && blankLine(message) == 0 {
		_, message, _ = bytes.Cut(message, []byte("\n"))
	}
	return message
}

// blankLine is where the first line without text begins, or -1.
func blankLine(message []byte) int {
	at := 0
	for line := range bytes.Lines(message) {
		if len(bytes.TrimSpace(line)) == 0 {
			return at
		}
		at += len(line)
	}
	return -1
}

// toText makes valid UTF-8 of at most limit runes, with "…" in place of the rest. Latin-1, the only other encoding that
// is converted, is taken at its word; other bytes that are no UTF-8 become \xNN.
func toText(raw []byte, encoding string, limit int) string {
	latin1 := encoding == "iso-8859-1" || encoding == "latin1" || encoding == "latin-1"
	var b strings.Builder
	n := 0
	for i := 0; i < len(raw); {
		r, w := utf8.DecodeRune(raw[i:])
		if latin1 {
			r, w = rune(raw[i]), 1
		}
		if n++; n > limit {
			b.WriteString("…")
			break
		}
		if r == utf8.RuneError && w == 1 {
			fmt.Fprintf(&b, `\x%02x`, raw[i])
		} else {
			b.WriteRune(r)
		}
		i += w
	}
	return b.String()
}
