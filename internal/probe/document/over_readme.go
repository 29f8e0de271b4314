package document

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// overArg lets a probe of the document look at the README instead.
var overArg = probe.Arg{Name: "over", Type: "string", Allowed: []string{"document", "readme"}, Default: "document", Doc: "readme: what the README of the repository says"}

// readReadme is the README as people read it. It is the project's own text, of
// which lines can be quoted, not a stand-in for another.
func readReadme(ctx context.Context, s *probe.Scene) (*reading, error) {
	return probe.Shared(s, "document.readme", func() (*reading, error) {
		layout, err := s.Layout(ctx)
		if err != nil {
			return nil, err
		}
		entries, err := s.Entries()
		if err != nil {
			return nil, err
		}
		best := ""
		for _, e := range entries {
			dir := strings.TrimPrefix(path.Dir(e.Path), ".")
			stem := strings.ToLower(strings.TrimSuffix(path.Base(e.Path), path.Ext(e.Path)))
			if e.Size <= 0 || stem != "readme" || dir != "" && dir != layout.Root() {
				continue
			}
			if best == "" || dir == layout.Root() && path.Dir(best) == "." {
				best = e.Path
			}
		}
		if best == "" {
			return nil, &probe.Unable{Reason: court.NoArtifact, Why: "there is no README with text at the root"}
		}
		f, err := s.Text(ctx, best)
		if err != nil {
			return nil, err
		}
		text, _ := f.Text()
		passages := titled(passage.FromMarkdown(text))
		return &reading{passages: passages, index: passage.NewIndex(passages), twin: best, markdown: text, own: true}, nil
	})
}

// readmePaths is what the README says of files, held against the repository.
func readmePaths(ctx context.Context, s *probe.Scene) (*ledger, error) {
	return probe.Shared(s, "document.readme.ledger", func() (*ledger, error) {
		r, err := readReadme(ctx, s)
		if err != nil {
			return nil, err
		}
		a, err := repository(ctx, s)
		if err != nil {
			return nil, err
		}
		l := &ledger{reading: r, repo: a}
		l.paths = l.files()
		l.claims = slices.DeleteFunc(l.claims, func(c claim) bool { return c.Kind == ofPath && c.Fate != holds && !a.meant(c.Subject) })
		return l, nil
	})
}

// meant tells whether a path in a README, of which no file is there, speaks of
// this repository: it begins with one of its folders. Bare names, and paths of
// other trees, are examples more often than not.
func (a *against) meant(name string) bool {
	top, rest, ok := strings.Cut(strings.TrimPrefix(name, "./"), "/")
	return ok && rest != "" && slices.ContainsFunc(a.entries, func(e repo.Entry) bool { return strings.HasPrefix(e.Path, top+"/") })
}
