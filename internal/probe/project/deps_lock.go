package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func depsLock() probe.Probe {
	return probe.Probe{
		ID: "deps.lock", Version: "1", Target: court.GithubRepo,
		Title:  "A lock file fixes the dependencies",
		Doc:    "Looks for the lock file of a package manager that is not empty. Pinned requirements are not a lock: they do not fix what the requirements require. Whether the lock file agrees with the manifest is not asked.",
		Remedy: "Commit the lock file of the package manager.",
		Effort: 5, Recall: court.One,
		Args: []probe.Arg{{Name: "when", Type: "string", Allowed: []string{"always", "deployed"}, Default: "always", Doc: "deployed: a library, whose users choose the versions, needs none, nor does a project without dependencies; where the package manager has none, versions that are fixed in the manifest do"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			found := inv.locks()
			if len(found) == 0 && a.String("when") == "deployed" {
				n, err := projectKindOf(ctx, s)
				if err != nil {
					return nil, err
				}
				return []probe.Finding{inv.unlocked(n)}, nil
			}
			if len(found) == 0 {
				return []probe.Finding{probe.Missing(court.One, court.Config, "There is no lock file of a package manager.")}, nil
			}
			var at []court.Place
			slices.SortStableFunc(found, func(a, b file) int { return strings.Count(a.path, "/") - strings.Count(b.path, "/") })
			for _, f := range found {
				at = append(at, court.Place{Path: f.path})
			}
			return []probe.Finding{probe.Present(court.Config, at, "%s fixes the dependencies.", shown(found[0].path))}, nil
		},
	}
}

// unlocked is what a missing lock file means for the project: nothing where
// there is nothing to lock, where others choose the versions, or where the
// manifests of Maven and Gradle name each version: both resolve the same way
// each time when no version is a range, and Maven has no lock file.
func (inv *inventory) unlocked(n projectKind) probe.Finding {
	all := slices.DeleteFunc(inv.requirements(), func(r requirement) bool {
		return r.extra || inv.asideCode(r.file.path) || strings.HasPrefix(r.file.path, "docker/") || strings.HasPrefix(r.file.path, "docs/")
	})
	fixed := len(all) > 0
	for _, r := range all {
		fixed = fixed && java(r.file) && !strings.ContainsAny(r.spec, "[(,") && !moving.MatchString(r.spec)
	}
	script := inv.first(func(f file) bool { return strings.HasPrefix(f.base, "build.gradle") && !f.foreign() })
	switch {
	case len(all) == 0 && script != nil:
		return probe.Cannot(court.NoDetector, []court.Place{{Path: script.path}}, "There is no lock file, and %s computes the dependencies.", shown(script.path))
	case len(all) == 0:
		return probe.Nothing(court.One, court.Config, "No manifest declares a dependency at run time that could be locked.")
	case n.library != nil:
		return probe.Nothing(court.One, court.Config, "By %s, the project is a library: its users choose the versions, and a lock file does not reach them.", shown(n.library.path))
	case fixed:
		return probe.Present(court.Config, []court.Place{all[0].file.place(all[0].line)}, "The manifests of the build name one version for each of %s, and no range, so they resolve the same way each time.", deps(len(all)))
	}
	return probe.Missing(court.One, court.Config, "There is no lock file of a package manager for %s.", deps(len(all)))
}

func java(f file) bool { return f.base == "pom.xml" || strings.HasPrefix(f.base, "build.gradle") }

// locks lists the lock files, those of vendored code, tests and examples apart.
func (inv *inventory) locks() []file {
	return inv.pick(func(f file) bool {
		return !f.blank() && f.scope != code.ScopeVendor && !aside(f) && tables.Lock(f.base) != ""
	})
}

// aside tells whether a file lies in a folder for tests or examples. A lock file
// has the scope of what is generated wherever it lies, so the name decides.
func aside(f file) bool { return tables.Aside(f.path) }
