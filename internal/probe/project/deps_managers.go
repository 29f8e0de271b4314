package project

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func depsManagers() probe.Probe {
	return probe.Probe{
		ID: "deps.managers", Version: "1", Target: court.GithubRepo,
		Title:  "One package manager locks each part",
		Doc:    "Looks for a folder with the lock files of two package managers that do the same: npm, yarn, pnpm and bun; poetry, uv, pdm and pipenv. Which of them is used nobody can tell then, and one of them is out of date sooner or later. A folder without a lock file has none too many.",
		Remedy: "Keep the lock file of the manager that is used, and delete the other.",
		Effort: 5, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			first := map[string]file{}
			var at []court.Place
			var names []string
			locked := 0
			for _, f := range inv.files {
				kind := tables.Lock(f.base)
				if kind != "python" && kind != "javascript" || f.blank() || f.scope == code.ScopeVendor || aside(f) {
					continue
				}
				locked++
				key := kind + " " + f.dir()
				other, ok := first[key]
				if !ok {
					first[key] = f
					continue
				}
				if strings.TrimSuffix(other.base, "b") != strings.TrimSuffix(f.base, "b") { // bun.lock and bun.lockb are one manager's
					at = append(at, court.Place{Path: other.path}, court.Place{Path: f.path})
					names = append(names, other.path+" and "+f.path)
				}
			}
			if len(at) > 0 {
				return []probe.Finding{probe.Against(court.Config, at, "Two managers lock the same part: %s.", shown(strings.Join(names[:min(len(names), 4)], "; "))).Do("Keep the lock file of the manager that is used, and delete the other one: %s.", shown(strings.Join(names[:min(len(names), 4)], "; ")))}, nil
			}
			if locked == 0 {
				return []probe.Finding{probe.Nothing(court.One, court.Config, "There is no lock file of a language that has several managers.")}, nil
			}
			return []probe.Finding{probe.Clean(court.One, court.Config, "No folder has the lock files of two managers. The repository has %s.", court.Count(locked, "lock file"))}, nil
		},
	}
}
