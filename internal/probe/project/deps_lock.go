package project

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func depsLock() probe.Probe {
	return probe.Probe{
		ID: "deps.lock", Version: "1", Target: court.GithubRepo,
		Title:  "A lock file fixes the dependencies",
		Doc:    "Looks for the lock file of a package manager that is not empty. Pinned requirements are no lock: they do not fix what the requirements require. Whether the lock file agrees with the manifest is not asked.",
		Remedy: "Commit the lock file of the package manager.",
		Effort: 5, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			found := inv.locks()
			if len(found) == 0 {
				return []probe.Finding{probe.Missing(court.One, court.Config, "There is no lock file of a package manager.")}, nil
			}
			var at []court.Place
			for _, f := range found {
				at = append(at, court.Place{Path: f.path})
			}
			return []probe.Finding{probe.Present(court.Config, at, "%s fixes the dependencies.", shown(found[0].path))}, nil
		},
	}
}

// locks lists the lock files, those of vendored code, tests and examples apart.
func (inv *inventory) locks() []file {
	return inv.pick(func(f file) bool {
		if f.blank() || f.scope == code.ScopeVendor || aside(f) {
			return false
		}
		switch f.base {
		case "uv.lock", "poetry.lock", "pdm.lock", "pipfile.lock", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock",
			"pnpm-lock.yaml", "bun.lock", "bun.lockb", "go.sum", "cargo.lock", "gradle.lockfile", "composer.lock", "gemfile.lock":
			return true
		}
		return false
	})
}

// aside tells whether a file lies in a folder for tests or examples. A lock file
// has the scope of what is generated wherever it lies, so the name decides.
func aside(f file) bool {
	for part := range strings.SplitSeq(strings.ToLower(f.dir()), "/") {
		switch part {
		case "test", "tests", "testdata", "fixtures", "example", "examples", "sample", "samples", "demo", "demos":
			return true
		}
	}
	return false
}
