package trial

import (
	"cmp"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/store"
)

// placeless is an error without the folder of this machine that it is about:
// what is recorded must be the same everywhere.
func placeless(err error, t repo.Target) string {
	text := err.Error()
	for _, local := range []string{t.Local, t.Bundle, t.Archive} {
		if local != "" {
			text = strings.ReplaceAll(text, local, describe(t))
			text = strings.ReplaceAll(text, path.Dir(local), "file:")
		}
	}
	return shown(text, 300)
}

// shown is a text of the submission, or one that may name its files, as faults
// and events have it.
func shown(s string, limit int) string { return court.Clean(probe.Mask(s), limit) }

// describe names a target without any folder of this machine.
func describe(t repo.Target) string {
	switch {
	case t.Local != "":
		return "file:" + path.Base(t.Local)
	case t.Bundle != "":
		return "file:" + path.Base(t.Bundle)
	case t.Archive != "":
		return "file:" + path.Base(t.Archive)
	default:
		return t.URL
	}
}

func address(r *repo.Repo, t repo.Target) string {
	if u := r.URL(); u != "" {
		return u
	}
	return describe(t)
}

// slug is OWNER/NAME of a remote target, or the name of a local one.
func slug(t repo.Target) string {
	_, rest, ok := strings.Cut(t.URL, "://")
	if parts := strings.Split(strings.TrimSuffix(rest, ".git"), "/"); ok && len(parts) >= 3 {
		return strings.Join(parts[len(parts)-2:], "/")
	}
	return strings.TrimPrefix(describe(t), "file:")
}

// caseID is OWNER__NAME-COMMIT7, or the name that was given with the commit, in
// letters that are safe in file names, at most a hundred bytes of them; a long
// name gives way to the commit.
func caseID(c court.Case) string {
	suffix := ""
	if len(c.Commit) >= 7 {
		suffix = "-" + c.Commit[:7]
	}
	name := cmp.Or(c.Name, path.Join(c.Slug, c.Path))
	return store.Cut(store.SafeName(strings.ReplaceAll(name, "/", "__")), 100-len(suffix)) + suffix
}

// named is a name that a submission goes by. It leads to it, so it is masked
// only where there surely is a key in it.
func named(s string) string {
	if len(probe.Leaks(s)) == 0 {
		return s
	}
	return probe.Mask(s)
}
