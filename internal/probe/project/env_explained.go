package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// explained holds the variables that code reads against every text in which a
// user may find them: examples, tracked settings, documents, container and
// compose files, help texts.
func explained(inv *inventory, vars []variable) probe.Finding {
	var read, open []variable
	var first court.Place
	seen := map[string]bool{}
	texts := inv.guides()
	for _, v := range vars {
		if ambient(v.name) || machine.MatchString(v.name) || seen[v.name] || inv.asideCode(v.at.Path) {
			continue
		}
		seen[v.name] = true
		read = append(read, v)
		if at, ok := toldIn(texts, v.name); !ok {
			open = append(open, v)
		} else if first.Path == "" {
			first = at
		}
	}
	if len(read) == 0 {
		return probe.Nothing(court.One, court.Structure, "The code reads no settings from the environment that a user would have to know.")
	}
	if len(open) == 0 {
		return probe.Present(court.Config, []court.Place{first}, "Examples and documents name all %s that the code reads.", court.Count(len(read), "variable"))
	}
	var at []court.Place
	var names []string
	for _, v := range open {
		at = append(at, v.at)
		names = append(names, v.name)
	}
	what := "Of %s that the code reads, examples and documents name %d. They do not name %s."
	f := probe.Partly(probe.Ratio(len(read)-len(open), len(read)), court.Config, at, what, court.Count(len(read), "variable"), len(read)-len(open), shown(strings.Join(names[:min(len(names), 6)], ", ")))
	if len(open) == len(read) { // they may have good defaults: that nobody wrote of them is no proof of harm
		f = probe.Missing(court.One, court.Config, what, court.Count(len(read), "variable"), 0, shown(strings.Join(names[:min(len(names), 6)], ", ")))
	}
	return f.Do("Explain in the README or in .env.example the settings that the code reads: %s.", few(names, 6))
}

// machine are variables that pipelines, build tools, test runners and the
// desktop set by themselves.
var machine = regexp.MustCompile(`^(?:CI|CI_\w*|CONTINUOUS_INTEGRATION|BUILD_\w*|GITHUB_\w*|GITLAB_\w*|CIRCLE\w*|TRAVIS\w*|APPVEYOR\w*|JENKINS_\w*|BUILDKITE\w*|NETLIFY\w*|VERCEL\w*|TEST_\w*|JEST_\w*|VITEST\w*|BABEL_ENV|FORCE_COLOR|CARGO_\w*|OUT_DIR|TARGET|PROFILE|RUSTFLAGS|RUST_LOG|GO[A-Z]*|JAVA_HOME|npm_\w*|INIT_CWD|XDG_\w*|LC_\w*|LANGUAGE|COLUMNS|LINES|DISPLAY|EDITOR|VISUAL|PAGER|SHLVL|OS|COMSPEC|SystemRoot|WINDIR|PROGRAMFILES\w*|PROGRAMDATA|HOME\w*|LOGNAME|TZ|SSL_CERT_\w*|(?i:https?_proxy|no_proxy|all_proxy|ftp_proxy)|KUBERNETES_\w*|PORT|MSYSTEM|WSL\w*|TERM_\w*|COLORTERM|CLICOLOR\w*|LS_COLORS)$`)

// asideCode tells code that only developers run: build scripts and
// configuration of tools.
func (inv *inventory) asideCode(path string) bool {
	low := strings.ToLower(path)
	for part := range strings.SplitSeq(low, "/") {
		switch part {
		case "scripts", "script", "tools", "ci", ".github", "benchmark", "benchmarks", "hack", "dev":
			return true
		}
	}
	base := low[strings.LastIndexByte(low, '/')+1:]
	return strings.Contains(base, ".config.") || strings.Contains(base, "gulpfile") || strings.Contains(base, "webpack") || base == "build.rs" || base == "makefile.js" || base == "conftest.py"
}

// guides are the files in which users look for settings.
func (inv *inventory) guides() []file {
	return inv.pick(func(f file) bool {
		if f.scope == code.ScopeVendor || f.scope == code.ScopeTest || f.text == "" {
			return false
		}
		switch {
		case strings.HasPrefix(f.base, ".env"), strings.Contains(f.base, "env.example"), f.base == "example.env", strings.Contains(f.base, "compose"), f.lang == "docker":
			return true
		case f.lang == "markdown", f.lang == "restructuredtext", f.lang == "text" && f.scope == code.ScopeDocs, f.base == "app.json":
			return true
		}
		return strings.HasSuffix(f.base, ".adoc") || strings.HasSuffix(f.base, ".1") || strings.HasSuffix(f.base, ".d.ts")
	})
}

func toldIn(texts []file, name string) (court.Place, bool) {
	for _, f := range texts {
		if i := wordIn(f.text, name); i >= 0 {
			return f.place(lineOf(f.text, i)), true
		}
	}
	return court.Place{}, false
}
