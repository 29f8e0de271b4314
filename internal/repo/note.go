package repo

import (
	"cmp"
	"fmt"
	"slices"
)

// Note is something that a reader of the result must know: a limit reached, a file not available, a setting ignored.
type Note struct {
	// Code: limit_tree, limit_blob, limit_blobs, limit_log, limit_line, missing_blob, missing_tree, missing_commit,
	// missing_history, damaged_objects, git_shallow, git_grafts, git_replace, git_symlink, no_history, not_committed, after_due,
	// own_output, nested_git, archive_…, and for odd entries their flags, symlink and submodule.
	Code    string
	Subject string // the path or object concerned, raw, or empty
	Text    string // clean
}

// Notes says what was cut, missing or ignored so far, each once, in order of code and subject.
func (r *Repo) Notes() []Note {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Note, 0, len(r.notes))
	for n := range r.notes {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Text, b.Text))
	})
	return out
}

func (r *Repo) note(code, subject, format string, a ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes[Note{Code: code, Subject: subject, Text: fmt.Sprintf(format, a...)}] = true
}
