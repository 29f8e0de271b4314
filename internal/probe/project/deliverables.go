package project

import (
	"context"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func deliverables() probe.Probe {
	return probe.Probe{
		ID: "deliverables", Version: "1", Target: court.GithubRepo,
		Title: "All deliverables exist",
		Doc: "Looks for a file for each item of a list. An item is a glob, or several with | between them for its variants; one without a slash fits in any folder. " +
			"Empty files do not count, nor what lies in vendored folders. What the files hold is not read.",
		Remedy: "Add the files that are missing.",
		Effort: 30, Recall: court.One,
		Args: []probe.Arg{{Name: "items", Type: "strings", Doc: "globs, relative to the repository root; A|B for variants of one item"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			items := a.Strings("items")
			if len(items) == 0 || len(items) > 100 {
				return nil, &probe.Unable{Reason: court.NoDetector, Why: "between 1 and 100 items can be looked for"}
			}
			entries, err := s.Entries()
			if err != nil {
				return nil, err
			}
			layout, err := s.Layout(ctx)
			if err != nil {
				return nil, err
			}
			var at []court.Place
			var missing []string
			for _, item := range items {
				found, err := deliveredAs(item, entries, layout)
				if err != nil {
					return nil, &probe.Unable{Reason: court.NoDetector, Why: err.Error()}
				}
				if found == "" {
					missing = append(missing, item)
				} else {
					at = append(at, court.Place{Path: found})
				}
			}
			switch {
			case len(missing) == 0:
				return []probe.Finding{probe.Present(court.Config, at, "%s %s.", safetext.Capital(court.Of(len(items), len(items), "item")), court.Agree(len(items), len(items), "exists", "exist"))}, nil
			case len(at) == 0:
				return []probe.Finding{probe.Missing(court.One, court.Config, "%s exists: %s.", safetext.Capital(court.Of(0, len(items), "item")), shown(strings.Join(missing, ", "))).Do("Add the files that are missing: %s.", few(missing, 8))}, nil
			}
			return []probe.Finding{probe.Partly(probe.Ratio(len(at), len(items)), court.Config, at, "%s %s. These are missing: %s.", safetext.Capital(court.Of(len(at), len(items), "item")), court.Agree(len(at), len(items), "exists", "exist"), court.Clean(strings.Join(missing, ", "), 400)).Do("Add the files that are missing: %s.", few(missing, 8))}, nil
		},
	}
}

// deliveredAs is the first file that fits one of the variants of an item; ""
// when there is none.
func deliveredAs(item string, entries []repo.Entry, layout *code.Layout) (string, error) {
	for pattern := range strings.SplitSeq(item, "|") {
		pattern = strings.TrimSpace(pattern)
		if !strings.Contains(strings.Trim(pattern, "/"), "/") {
			pattern = "**/" + strings.TrimPrefix(pattern, "/")
		}
		if strings.HasSuffix(pattern, "/") {
			pattern += "**"
		}
		glob, err := probe.Glob(pattern)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			if e.Kind == repo.Submodule || e.Size == 0 || layout.Scope(e.Path) == code.ScopeVendor || path.Base(e.Path) == ".gitkeep" {
				continue
			}
			if glob.MatchString(e.Path) || layout.Root() != "" && glob.MatchString(strings.TrimPrefix(e.Path, layout.Root()+"/")) {
				return e.Path, nil
			}
		}
	}
	return "", nil
}
