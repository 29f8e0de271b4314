package cli

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/web"
)

// mostLabel bounds the short texts of a submission that comes over the network, in characters.
const mostLabel = 200

// lineOf names a submission in a message.
func lineOf(e batch.Entry) string {
	name := fmt.Sprintf("%q", court.Clean(e.ID, mostLabel))
	if e.Line > 0 {
		name = fmt.Sprintf("line %d, %s", e.Line, name)
	}
	return name
}

// entry is a submission that was sent as the roster has it, and all that is wrong with it: it may name addresses, and nothing
// of this machine but its uploads.
func (n *intake) entry(x web.Sent) (e batch.Entry, wrong []string) {
	e = x.Entry
	e.Line = 0
	for what, text := range map[string]string{"id": e.ID, "name": e.Name, "email": e.Email, "commit": e.Commit, "pdf": e.PDF} {
		if n := utf8.RuneCountInString(text); n > mostLabel && what != "pdf" || text != court.Clean(text, 0) {
			wrong = append(wrong, "its "+what+" is too long, or has characters that are not shown")
		}
	}
	switch {
	case e.ID == "" || e.ID == "." || e.ID == "..":
		wrong = append(wrong, "the id is empty, or none")
	case e.Due != "" && batch.DueOf(e.Due).IsZero():
		wrong = append(wrong, "due is not a time like 2026-03-01 or 2026-03-01 18:00")
	}
	if e.Answers != "" {
		wrong = append(wrong, "answers are a file of the server, and cannot be sent")
	}
	if x.Document.Path != "" && e.PDF != "" {
		wrong = append(wrong, "a document is sent or has an address, not both")
	}
	if wrong = append(wrong, n.aims(&e, x)...); len(wrong) > 0 {
		slices.Sort(wrong)
		return e, wrong
	}
	if x.Document.Path != "" {
		e.PDF = x.Document.Path
	}
	at, _, err := n.s.jury.aim(e)
	if err == nil && at.local != "" && x.Archive.Path == "" {
		err = errors.New("the address names a folder of this machine")
	}
	if err != nil {
		return e, []string{wordsOnly(err)}
	}
	if _, err := n.s.app.documents([]string{n.s.class.kept(e.PDF)}); err != nil {
		return e, []string{wordsOnly(err)}
	}
	return e, nil
}

// aims says what is wrong with where a submission and its document are, and sets where the submission is.
func (n *intake) aims(e *batch.Entry, x web.Sent) (wrong []string) {
	switch {
	case x.Archive.Path != "" && e.Target != "":
		wrong = append(wrong, "files are sent or the repository has an address, not both")
	case x.Archive.Path != "":
		e.Target = x.Archive.Path
	case e.Target == "":
		wrong = append(wrong, "there is neither an address of a repository nor an archive")
	case !address(e.Target):
		wrong = append(wrong, "the repository is not an address like https://HOST/OWNER/NAME, without a password")
	}
	if e.PDF != "" && e.PDF != "auto" && e.PDF != "none" && !strings.HasPrefix(e.PDF, "tree:") && !address(e.PDF) {
		wrong = append(wrong, "the document is neither an https address without a password, tree:PATH, auto nor none")
	}
	return wrong
}

// address tells an https address from the names of files and from what carries a password.
func address(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && strings.HasPrefix(text, "https://")
}
