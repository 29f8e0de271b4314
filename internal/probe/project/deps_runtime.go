package project

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/manifest"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func depsRuntime() probe.Probe {
	return probe.Probe{
		ID: "deps.runtime", Version: "1", Target: court.GithubRepo,
		Title: "The version of the language is declared",
		Doc: "Looks for what says which version of the language or its tools the project needs: requires-python, the go line of go.mod, rust-version or a toolchain file, engines or volta of package.json, the release of the Java compiler, and the files of version managers. " +
			"An edition of Rust counts half, as it says what language, but not from which version on. Whether the code keeps to it is not tried.",
		Remedy: "Declare in the manifest which version of the language the project needs.",
		Effort: 5, Recall: 9500,
		Run: probe.Of(files, (*inventory).runtime),
	}
}

// programs are manifests that no parser of their format reads here.
var programs = map[string]*regexp.Regexp{
	"composer.json":  regexp.MustCompile(`"php"\s*:`),
	"pubspec.yaml":   regexp.MustCompile(`(?m)^\s+sdk\s*:`),
	"mix.exs":        regexp.MustCompile(`\belixir:\s*"`),
	"package.swift":  regexp.MustCompile(`swift-tools-version`),
	"gemfile":        regexp.MustCompile(`(?m)^\s*ruby\s+["']`),
	"cmakelists.txt": regexp.MustCompile(`(?i)\bC(?:XX)?_STANDARD\b|\bc(?:xx)?_std_\d+`),
	"build.sbt":      regexp.MustCompile(`\bscalaVersion\b`),
}

var gradleRuntime = regexp.MustCompile(`\b(?:sourceCompatibility|targetCompatibility|languageVersion|jvmTarget|jvmToolchain|options\.release)\b`)

func (inv *inventory) runtime() probe.Finding {
	var half *court.Place
	manifests := 0
	all := inv.pick(func(f file) bool { return !f.foreign() && !aside(f) && !f.blank() })
	slices.SortStableFunc(all, func(a, b file) int { return strings.Count(a.path, "/") - strings.Count(b.path, "/") })
	for _, f := range all {
		switch f.base {
		case ".python-version", ".nvmrc", ".node-version", ".ruby-version", ".java-version", ".go-version", ".tool-versions", ".sdkmanrc", "rust-toolchain", "rust-toolchain.toml", "runtime.txt", "mise.toml", ".mise.toml", ".jabbarc", "global.json":
			return probe.Present(court.Config, []court.Place{f.place(1)}, "%s says which version the project needs.", shown(f.path))
		}
		re := programs[f.base]
		switch {
		case slices.Contains([]string{"pyproject.toml", "setup.py", "setup.cfg", "pipfile", "go.mod", "cargo.toml", "package.json", "pom.xml"}, f.base):
			manifests++
			m := manifest.Read(f.path, f.text)
			if m.Needs > 0 {
				return probe.Present(court.Config, []court.Place{f.place(m.Needs)}, "%s says which version the project needs.", shown(f.path))
			}
			if m.Edition > 0 && half == nil {
				at := f.place(m.Edition)
				half = &at
			}
		case strings.HasSuffix(f.base, ".gradle") || strings.HasSuffix(f.base, ".gradle.kts"):
			re = gradleRuntime
		case path.Ext(f.base) == ".csproj":
			re = regexp.MustCompile(`<TargetFrameworks?>`)
		case path.Ext(f.base) == ".gemspec":
			re = regexp.MustCompile(`required_ruby_version`)
		}
		if re == nil {
			continue
		}
		manifests++
		if m := re.FindStringIndex(f.text); m != nil {
			return probe.Present(court.Config, []court.Place{f.place(lineOf(f.text, m[0]+len(f.text[m[0]:m[1]])-len(strings.TrimLeft(f.text[m[0]:m[1]], " \t\r\n"))))}, "%s says which version the project needs.", shown(f.path))
		}
	}
	switch {
	case half != nil:
		return probe.Partly(court.One/2, court.Config, []court.Place{*half}, "%s names an edition of Rust, but not the oldest version that builds the project.", shown(half.Path)).Do("Add rust-version to %s.", shown(half.Path))
	case manifests == 0 && !inv.holds(func(l code.Language) bool {
		return l == "python" || l == "javascript" || l == "typescript" || l == "go" || l == "rust" || l == "java"
	}):
		return probe.Cannot(court.NoDetector, nil, "The audit does not know where projects in these languages declare a version.")
	}
	if f := inv.first(func(f file) bool { return f.base == "pom.xml" && !f.foreign() }); f != nil && strings.Contains(f.text, "<parent>") {
		return probe.Cannot(court.NoDetector, []court.Place{f.place(lineWith(f.text, "<parent>"))}, "%s takes its settings from a parent that is not in the repository.", shown(f.path))
	}
	return probe.Missing(court.One, court.Config, "No manifest and no file of a version manager says which version of the language is needed.")
}

// holds tells whether there is production code in such a language.
func (inv *inventory) holds(is func(code.Language) bool) bool {
	for _, f := range inv.files {
		if f.scope == code.ScopeProduction && is(f.lang) {
			return true
		}
	}
	return false
}
