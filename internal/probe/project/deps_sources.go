package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func depsSources() probe.Probe {
	return probe.Probe{
		ID: "deps.sources", Version: "1", Target: court.GithubRepo,
		Title:  "Dependencies come from a package index",
		Doc:    "Looks in the manifests for dependencies that are taken from a branch of a repository, from an archive at some address, or from a folder outside of the repository: what they are can change or vanish without notice. A commit or tag that is named is as fixed as a version and does not count, nor do folders within the repository.",
		Remedy: "Take the dependency from the package index, or name the commit.",
		Effort: 20, Recall: 8500,
		Run: probe.Of(files, (*inventory).elsewhere),
	}
}

var (
	fromRepository = regexp.MustCompile(`\bgit\+(?:https?|ssh)://\S+|\bgit\s*=\s*["'][^"']+["']|"(?:git(?:\+\w+)?://|github:|gitlab:|bitbucket:)[^"]+"|:\s*"[\w.-]+/[\w.-]+(?:#[^"]*)?"\s*,?\s*$`)
	fromArchive    = regexp.MustCompile(`(?:@\s*|["'=:]\s*["']?)https?://[^\s"']+\.(?:tar\.gz|tgz|zip|whl|tar\.bz2|jar)\b`)
	fromOutside    = regexp.MustCompile(`(?:\bpath\s*=\s*["']|"(?:file|link|portal):|=>\s*|-e\s+|@ file:/*)(?:\.\./){1,8}|=>\s*/`)
	namedCommit    = regexp.MustCompile(`\b(?:rev|tag)\s*=\s*["']|(?:@|#(?:commit=|semver:)?)v?[0-9a-f]{7,40}\b|(?:@|#)v?\d+\.\d+|[?&]tag=|#semver:`)
)

func (inv *inventory) elsewhere() probe.Finding {
	var at []court.Place
	first, looked := "", 0
	for _, f := range inv.files {
		if f.foreign() || aside(f) || !(isRequirements(f) || fixesVersions(f.base)) {
			continue
		}
		looked++
		inTable := f.base != "package.json"
		each(f, func(line string, n int) {
			text := strings.TrimSpace(line)
			if strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//") {
				return
			}
			if f.base == "package.json" {
				switch {
				case dependencyTable.MatchString(text):
					inTable = !strings.Contains(text, "}")
				case strings.HasPrefix(text, "}"):
					inTable = false
				}
			}
			out := fromOutside.MatchString(text) && strings.Count(text, "../") > strings.Count(f.dir()+"/", "/")-boolean(f.dir() == "")
			if inTable && !namedCommit.MatchString(text) && (fromRepository.MatchString(text) || fromArchive.MatchString(text) || out) {
				at = append(at, f.place(n))
				if first == "" {
					first = text
				}
			}
		})
	}
	if len(at) == 0 {
		return probe.Clean(court.One, court.Config, "No dependency in %s comes from a branch, an archive or a folder elsewhere.", court.Count(looked, "manifest"))
	}
	total := max(len(inv.requirements()), len(at))
	return probe.Partly(probe.Ratio(total-len(at), total), court.Config, at, "%s come from a branch, an archive or a folder elsewhere. The first is in %s.", deps(len(at)), shown(first)).
		DoAt(at, "Take the dependencies at %s from the package index, or name a commit.")
}

var dependencyTable = regexp.MustCompile(`"(?:dependencies|devDependencies|optionalDependencies)"\s*:\s*\{`)

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fixesVersions tells the manifests that are read for sources.
func fixesVersions(base string) bool {
	switch base {
	case "pyproject.toml", "pipfile", "package.json", "go.mod", "cargo.toml", "gemfile", "pubspec.yaml":
		return true
	}
	return false
}
