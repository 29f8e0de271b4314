package history

import (
	"fmt"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// grown says whether a project without LangGraph grew in steps. Tests or a
// pipeline that come after the first source are a step, whenever the manifest
// came: some languages need none, others write it with the first line. A
// project that arrives whole was begun elsewhere; what it shows is how much was
// added since, by the shares of a bulk upload.
func grown(p *past) ([]probe.Finding, error) {
	steps := p.generalPhases()
	manifest, source, tested := steps[0].At, steps[1].At, steps[2].At
	came, at := told(p, steps)
	var f probe.Finding
	switch {
	case source < 0:
		f = probe.Cannot(court.NoArtifact, at, "%s There is no source code whose growth could be seen.", came)
	case tested > source:
		f = probe.Present(court.Git, at, "%s", came)
	case manifest == source && source == tested:
		b, err := p.bulk()
		if err != nil {
			return nil, err
		}
		f = b.since(p, source, at[:1], atOnce(p, steps))
	case tested < 0 && (manifest < 0 || manifest == source):
		f = probe.Missing(court.One, court.Git, "%s Nothing that tests the source was added.", came).Do("Add tests of the source, in a commit of their own.")
	default:
		f = probe.Partly(halfway, court.Git, at, "%s Only two of the three came in steps.", came)
	}
	f.Data = map[string]any{"phases": steps}
	return p.holds(f, court.Present)
}

// halfway is two of three phases in order; a design choice.
const halfway court.Fixed = 5000

// since weighs a beginning that brings all phases at once by what it leaves to
// later commits.
func (b bulk) since(p *past, first int, at []court.Place, came string) probe.Finding {
	share := probe.Ratio(p.linesOf(first), max(b.total, 1))
	words := "%s, with %s of all production code that was ever added."
	switch {
	case b.total == 0 || share >= bulkShare:
		return probe.Against(court.Git, at, words, came, percent(share))
	case share <= calmShare:
		return probe.Present(court.Git, at, words+" The project began elsewhere, and all else came in later commits.", came, percent(share))
	}
	return probe.Partly(halfway, court.Git, at, words+" The project began elsewhere.", came, percent(share))
}

// atOnce says that phases came in one commit, and which never came.
func atOnce(p *past, steps []phase) string {
	var came, never []string
	at := 0
	for _, a := range steps {
		if a.At < 0 {
			never = append(never, a.Name)
			continue
		}
		came, at = append(came, a.Name), a.At
	}
	words := fmt.Sprintf("The first real content of %s came in one commit, %s", safetext.List(came), p.short(at))
	if len(never) > 0 {
		words += ", and none of " + safetext.List(never) + " ever came"
	}
	return words
}

// told are the phases in words, and the commits that begin them.
func told(p *past, steps []phase) (string, []court.Place) {
	var at []court.Place
	var came []string
	seen := map[int]bool{}
	for _, a := range steps {
		if a.At < 0 {
			came = append(came, a.Name+" never")
			continue
		}
		came = append(came, a.Name+" in "+p.name(a.At))
		if !seen[a.At] {
			at = append(at, p.place(a.At))
		}
		seen[a.At] = true
	}
	return "The first real content came as follows: " + strings.Join(came, ", ") + ".", at
}

// linesOf counts the lines of production code that a commit brings.
func (p *past) linesOf(i int) int {
	lines := 0
	for _, ch := range p.Commits[i].Changes {
		if regular(ch) && p.source(ch.Path) {
			lines += ch.Added
		}
	}
	return lines
}

// generalPhases are manifest, source, and tests or CI.
func (p *past) generalPhases() []phase {
	steps := []phase{{"manifest", -1, ""}, {"source", -1, ""}, {"tests or CI", -1, ""}}
	for _, i := range p.Own {
		for _, ch := range p.Commits[i].Changes {
			if !regular(ch) || ch.Counted && ch.Added == 0 {
				continue
			}
			lang := code.File{Path: ch.Path}.Language()
			is := []bool{manifest(ch.Path), p.source(ch.Path), p.layout.Scope(ch.Path) == code.ScopeTest && lang.Code() || pipeline(ch.Path)}
			for k := range steps {
				if is[k] && steps[k].At < 0 {
					steps[k].At, steps[k].Path = i, ch.Path
				}
			}
		}
	}
	return steps
}

func manifest(file string) bool {
	switch strings.ToLower(path.Base(file)) {
	case "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "pipfile", "package.json", "go.mod", "cargo.toml", "pom.xml",
		"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "build.xml", "build.sbt", "composer.json", "gemfile", "cmakelists.txt", "makefile",
		"meson.build", "build.bazel", "module.bazel", "mix.exs", "pubspec.yaml", "package.swift", "dune-project", "deno.json":
		return true
	}
	switch strings.ToLower(path.Ext(file)) {
	case ".csproj", ".fsproj", ".sln", ".cabal", ".gemspec":
		return true
	}
	return false
}

func pipeline(file string) bool {
	low := strings.ToLower(file)
	ext := path.Ext(low)
	switch low {
	case ".gitlab-ci.yml", "azure-pipelines.yml", "azure-pipelines.yaml", ".circleci/config.yml", "jenkinsfile", ".travis.yml", "bitbucket-pipelines.yml",
		".drone.yml", ".cirrus.yml", "appveyor.yml", ".appveyor.yml", "wercker.yml", "earthfile", ".semaphore/semaphore.yml", ".build.yml":
		return true
	}
	return strings.HasPrefix(low, ".github/workflows/") && (ext == ".yml" || ext == ".yaml") || strings.HasPrefix(low, ".woodpecker") || strings.HasPrefix(low, ".buildkite/") || strings.HasPrefix(low, ".teamcity/")
}
