package history

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func gitRewrite() probe.Probe {
	return probe.Probe{
		ID: "git.rewrite", Version: "1", Target: court.GithubRepo,
		Title:  "The history has one beginning",
		Doc:    "Looks for commits without parents that bring the same files as an earlier beginning. Projects united with their histories share no file; files that a hosting service writes by itself (README, LICENSE, .gitignore) do not count. A history that was replaced as a whole leaves no trace in what the audited commit descends from; other branches are not looked at.",
		Recall: court.One,
		Run:    probe.Of(read, beginnings),
	}
}

func beginnings(p *past) probe.Finding {
	var roots []int
	seen := map[string]bool{}
	var again []string
	for _, i := range p.Own {
		if len(p.Commits[i].Parents) > 0 {
			continue
		}
		roots = append(roots, i)
		for _, ch := range p.Commits[i].Changes {
			if written(ch.Path) {
				continue
			}
			if seen[ch.Path] {
				again = append(again, ch.Path)
			}
			seen[ch.Path] = true
		}
	}
	data := map[string]any{"roots": len(roots), "shared": len(again)}
	switch {
	case len(roots) <= 1:
		return probe.Clean(court.One, court.Git, "All commits descend from one first commit.")
	case len(again) == 0:
		f := probe.Present(court.Git, p.places(roots), "The history has %s, which have no file in common: somebody united several histories.", court.Count(len(roots), "beginning"))
		f.Data = data
		return f
	}
	slices.Sort(again)
	f := probe.Against(court.Git, p.places(roots), "The history has %s that bring the same files, %s among them, such as %q. This happens when somebody makes a folder a repository a second time and merges both. "+seldom,
		court.Count(len(roots), "beginning"), court.Count(len(slices.Compact(again)), "path"), court.Clean(again[0], 120))
	f.Certainty = lowKey
	f.Data = data
	return f
}

// written tells the files that a hosting service writes into a new repository.
func written(file string) bool {
	base := strings.ToLower(path.Base(file))
	return base == ".gitignore" || base == ".gitattributes" || base == ".gitkeep" || strings.HasPrefix(base, "readme") || strings.HasPrefix(base, "license")
}
