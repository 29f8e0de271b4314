package project

import (
	"context"
	"encoding/json"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func repoBuild() probe.Probe {
	return probe.Probe{
		ID: "repo.build", Version: "1", Target: court.GithubRepo,
		Title: "One command builds or installs it",
		Doc: "Looks at the root for what a build tool needs: go.mod, Cargo.toml, pom.xml, a Gradle, sbt, Bazel, CMake, Meson, Mix or dotnet build, a Makefile, a package.json that names what it starts, builds or hands out, a pyproject.toml or setup.py that makes a package, a script called build. " +
			"A list of requirements alone counts half: it installs what the program needs, not the program. The build is not run.",
		Remedy: "Add the manifest of a build tool, so that one command builds or installs the program.",
		Effort: 20, Recall: 9500,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			var half *file
			for i := range inv.files {
				f := &inv.files[i]
				if f.dir() != "" && f.dir() != inv.layout.Root() || f.blank() {
					continue
				}
				switch builds(f) {
				case whole:
					return []probe.Finding{probe.Present(court.Config, []court.Place{{Path: f.path}}, "%s is what a build tool needs.", shown(f.path))}, nil
				case part:
					half = f
				}
			}
			if half != nil {
				return []probe.Finding{probe.Partly(court.One/2, court.Config, []court.Place{{Path: half.path}}, "%s says what the program needs, but nothing at the root builds or installs the program itself.", shown(half.path)).
					Do("Add a manifest that builds the program, beside %s.", shown(half.path))}, nil
			}
			return []probe.Finding{probe.Missing(court.One, court.Config, "Nothing at the root builds or installs the program.")}, nil
		},
	}
}

// How much of a build a file is.
const (
	none = iota
	part
	whole
)

var pythonPackage = regexp.MustCompile(`(?m)^\[(?:build-system|project|tool\.poetry|tool\.flit[\w.]*|tool\.pdm)\]`)

func builds(f *file) int {
	switch f.base {
	case "go.mod", "cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "build.sbt", "build.xml", "build.bazel", "module.bazel", "workspace",
		"cmakelists.txt", "meson.build", "configure", "configure.ac", "makefile", "gnumakefile", "justfile", "mix.exs", "setup.py", "package.swift", "pubspec.yaml", "composer.json", "rakefile", "stack.yaml",
		"dune-project", "deno.json", "deno.jsonc", "build.zig", "project.clj", "flake.nix", "dockerfile", "sconstruct", "build.sh", "build.ps1", "build.cmd", "build.bat", "build.cake", "build.cs", "build.fsx":
		return whole
	case "pyproject.toml":
		if pythonPackage.MatchString(f.text) {
			return whole
		}
		return part
	case "package.json":
		var m struct {
			Bin, Main, Module, Exports, Workspaces, Files json.RawMessage
			Scripts                                       map[string]json.RawMessage
		}
		if json.Unmarshal([]byte(f.text), &m) != nil {
			return none
		}
		if m.Bin != nil || m.Main != nil || m.Module != nil || m.Exports != nil || m.Workspaces != nil || m.Files != nil || m.Scripts["build"] != nil || m.Scripts["start"] != nil || m.Scripts["prepare"] != nil {
			return whole
		}
		return part
	case "requirements.txt", "pipfile", "environment.yml", "environment.yaml", "gemfile", "setup.cfg":
		return part
	}
	switch path.Ext(f.base) {
	case ".sln", ".slnx", ".csproj", ".fsproj", ".gemspec", ".cabal", ".xcodeproj", ".rockspec", ".nimble":
		return whole
	}
	if strings.HasPrefix(f.base, "dockerfile") {
		return whole
	}
	return none
}
