package project

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func testsCommand() probe.Probe {
	return probe.Probe{
		ID: "tests.command", Version: "1", Target: court.GithubRepo,
		Title: "One command runs the tests",
		Doc: "Looks for what tells a newcomer and a machine how the tests are run: the test script of package.json, a test target of make or just, the settings of tox, nox or pytest, a build tool that has the command built in (cargo, go, mvn, gradle, sbt, dotnet, mix), or a line of README, contributing notes or documents that says it. " +
			"The command is not run. The placeholder that npm writes by itself is none.",
		Remedy: "Say in the README or the manifest which command runs the tests.",
		Effort: 10, Recall: 9500,
		Run: probe.Of(files, (*inventory).testedBy),
	}
}

var pytestTable = regexp.MustCompile(`(?m)^\[(?:tool\.pytest|tool:pytest|pytest|tool\.tox|tool\.hatch\.envs\.(?:test|hatch-test)|tool\.nox|testenv)`)

func (inv *inventory) testedBy() probe.Finding {
	for _, name := range []string{"test", "tests", "check"} {
		for _, dir := range []string{inv.layout.Root(), ""} {
			for _, tool := range [][2]string{{"make", "Makefile"}, {"just", "justfile"}, {"task", "Taskfile.yml"}} {
				if f := inv.at(path.Join(dir, tool[1])); f != nil && inv.target(tool[0], name) != "" {
					return probe.Present(court.Config, []court.Place{f.place(max(1, lineWith(f.text, name+":")))}, "%q runs the tests.", tool[0]+" "+name)
				}
			}
		}
	}
	for _, f := range inv.files {
		if f.foreign() || aside(f) {
			continue
		}
		if how, line := testedIn(f, f.dir() == "" || f.dir() == inv.layout.Root()); how != "" {
			return probe.Present(court.Config, []court.Place{f.place(line)}, "%s", how)
		}
	}
	for _, f := range inv.files {
		if f.scope == code.ScopeVendor || f.lang != "markdown" && f.lang != "restructuredtext" && !strings.HasPrefix(f.base, "readme") || f.text == "" {
			continue
		}
		for i, line := range strings.Split(f.text, "\n") {
			if len(line) < 400 && testsRun(line) {
				return probe.Present(court.Config, []court.Place{f.place(i + 1)}, "%s says how to run the tests.", shown(f.path))
			}
		}
	}
	return probe.Missing(court.One, court.Config, "No manifest, target or document says how to run the tests.")
}

// testedIn tells how a manifest says that tests are run.
func testedIn(f file, atRoot bool) (string, int) {
	if !atRoot || f.blank() {
		return "", 0
	}
	switch f.base {
	case "package.json":
		var m struct {
			Scripts map[string]string `json:"scripts"`
		}
		if json.Unmarshal([]byte(f.text), &m) == nil && m.Scripts["test"] != "" && !testsLeftOut.MatchString(m.Scripts["test"]) {
			return `The manifest has a test script for "npm test".`, max(1, lineWith(f.text, `"test"`))
		}
	case "go.mod", "cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "build.sbt", "mix.exs", "package.swift", "pubspec.yaml", "stack.yaml", "dune-project":
		return fmt.Sprintf("The tool of %s has a test command.", shown(f.path)), 0
	case "tox.ini", "noxfile.py", "pytest.ini":
		return fmt.Sprintf("%s says how to run the tests.", shown(f.path)), 0
	case "pyproject.toml", "setup.cfg":
		if m := pytestTable.FindStringIndex(f.text); m != nil {
			return fmt.Sprintf("%s says how to run the tests.", shown(f.path)), lineOf(f.text, m[0])
		}
	}
	if strings.HasSuffix(f.base, ".sln") || strings.HasSuffix(f.base, ".csproj") {
		return fmt.Sprintf("The tool of %s has a test command.", shown(f.path)), 0
	}
	return "", 0
}

// lineWith is the line of the first occurrence of a text, 0 when there is none.
func lineWith(text, part string) int {
	if i := strings.Index(text, part); i >= 0 {
		return lineOf(text, i)
	}
	return 0
}

// percentOf is a share in words.
func percentOf(n, of int) string {
	return fmt.Sprintf("%d %%", n*100/max(of, 1))
}
