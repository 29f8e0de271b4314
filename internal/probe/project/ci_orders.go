package project

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// The commands by which the usual ecosystems run tests, and those that look for
// mistakes without running the program, as their manuals write them.
var (
	testCommand = regexp.MustCompile(`\b(?:pytest|py\.test|tox|nox|ctest|rspec|phpunit|jest|vitest|mocha|karma start|ava|tap|gotestsum|richgo test|ginkgo|bats|trial)\b|python[\d.]* -m (?:unittest|pytest|nose2?|tox|nox)|\bpython[\d.]* (?:setup\.py|manage\.py) test\b|\bcoverage run\b|\bgo test\b|` +
		`\b(?:npm|pnpm|yarn|bun)(?: run)? (?:test|t|tst)(?:$|[^\w:-])|\bnpm (?:cit|it)\b|\bdeno test\b|\bnode --test\b|\bplaywright test\b|\bcypress run\b|\bcargo (?:\+\S+ )?(?:test|t|nextest|llvm-cov|tarpaulin)\b|\b(?:cross|cargo hack) test\b|` +
		`\b(?:mvn|mvnw|mvnd)\b.*\b(?:test|verify|install|package|deploy)\b|\bgradlew?\b.*\b(?:test|\w+Test|check|build)\b|\b(?:sbt|ant|lein|mill|rake|bazel|bazelisk|mix|swift|dart|flutter|stack|cabal|meson|zig build|[dD]otnet|pdm run|poe|invoke|task|mage|hatch(?: run)?(?: \+\S+)*|composer|elm-test|xcodebuild|dune|earthly \+)\s?\S*test\b|\b(?:hatch|uv run|poetry run|rye) test\b|\bR CMD check\b|` +
		`\bmake (?:-\S+ )*(?:test|tests|check|ci)\b|\bjust (?:test|check|ci)\b|\b(?:grunt|gulp) (?:[\w-]+:)*test\b|\bvendor/bin/(?:phpunit|pest)\b|\bxvfb-run .*test|\bcake\b.*-target[= ]\S*[tT]est`)
	// handsOver tells a command that runs a program of the build, written in the project's own language, or a workflow of
	// another repository.
	handsOver    = regexp.MustCompile(`\b[dD]otnet (?:run|tool run|cake|make|nuke|fake|dotnet-cake|\$)|\bdnx \S|\b(?:nuke|cake|fake)(?:\.exe)? \S|\$\{?DOTNET_EXE|\buses:\s*["']?[\w.-]+/[\w.-]+/\.github/workflows/`)
	testsLeftOut = regexp.MustCompile(`-DskipTests\b|-Dmaven\.test\.skip(?:=true)?\b|\bgradlew?\b.*-x\s+test\b|--if-present|no test specified`)
	checkCommand = regexp.MustCompile(`(?i)\b(?:eslint|biome (?:check|ci|lint)|oxlint|tslint|xo|standard|tsc|vue-tsc|flow check|stylelint|flake8|ruff|pylint|mypy|pyright|pyre|bandit|black --check|isort --check\S*|golangci(?:-lint)?|staticcheck|gosec|govulncheck|go vet|revive|gofmt -[dl]|cargo (?:\+\S+ )?(?:clippy|fmt|deny|audit)|rustfmt|checkstyle\w*|spotbugs\w*|findbugs\w*|pmd\w*|spotless\w*|ktlint\w*|detekt|rubocop|reek|brakeman|phpstan|psalm|phpcs|shellcheck|shfmt|clang-tidy|clang-format|cppcheck|codeql-action|semgrep|sonar\w*|pre-commit|prettier (?:--check|-c|--list-different|-l)|hadolint|actionlint|yamllint|dialyzer|credo|swiftlint|dart analyze|flutter analyze|hlint|ktfmt|scalafmt|scalafix|dotnet format|super-linter)\b|\b(?:make|just|npm run|yarn|pnpm|grunt|gulp) (?:lint|check-format|typecheck|vet)\b|\b(?:tox|nox) [^|;&]*\b(?:lint\w*|style|typing|types)\b`)
)

// testsRun tells a command that runs tests from one that names them to leave
// them out.
func testsRun(text string) bool {
	return testCommand.MatchString(text) && !testsLeftOut.MatchString(text)
}

// ordered is a command of a pipeline, continued lines joined, at its first line.
type ordered struct {
	text string
	line int
}

var labelled = regexp.MustCompile(`^\s*(?:- )?["']?(?:name|description|title|label)["']?\s*:`)

// commandsOf lists the lines of a pipeline that may have something run.
func commandsOf(lines []string) []ordered {
	var out []ordered
	joined, first := "", 0
	for i, line := range lines {
		text := strings.TrimRight(uncommented([]string{line}), "\r\n ")
		if strings.TrimSpace(text) == "" || labelled.MatchString(text) {
			continue
		}
		if joined == "" {
			first = i + 1
		}
		if cut, ok := strings.CutSuffix(text, "\\"); ok && len(joined) < 4096 {
			joined += cut + " "
			continue
		}
		out = append(out, ordered{joined + text, first})
		joined = ""
	}
	if joined != "" {
		out = append(out, ordered{joined, first})
	}
	return out
}

// orders follows what a command of a pipeline has run.
type orders struct {
	inv  *inventory
	seen map[string]bool
}

var (
	runsScript = regexp.MustCompile(`\b(?:npm|pnpm|yarn|bun|turbo|nx|lerna)\s+(?:-\S+\s+)*(?:run(?:-script)?\s+|exec\s+|workspace\s+\S+\s+)?([\w.:-]+)`)
	runsTarget = regexp.MustCompile(`\b(make|just|task|grunt|gulp)((?:\s+[\w.:=/-]+)*)`)
	runsMaven  = regexp.MustCompile(`\b(?:mvn|mvnw|mvnd)(?:\s+-\S+)*\s*$`)
	mavenGoal  = regexp.MustCompile(`<defaultGoal>([^<]+)</defaultGoal>`)
	runsFile   = regexp.MustCompile(`(?:^|[\s"'=])\.?/?((?:[\w.-]+/)*[\w.-]+\.(?:sh|bash|ps1|cmd|bat)|(?:\.?[\w-]+/)+[\w-]+)(?:$|[\s"'])`)
	usesLocal  = regexp.MustCompile(`\buses:\s*["']?\./([^\s"'@]+)`)
)

// follow is a command, and what the scripts, targets and actions of the
// repository say that it has run, so many steps deep.
func (o orders) follow(text string, depth int) []string {
	out := []string{text}
	if depth == 0 || len(o.seen) > 100 {
		return out
	}
	next := func(name, body string) {
		if body == "" || o.seen[name] {
			return
		}
		o.seen[name] = true
		for _, c := range commandsOf(strings.Split(body[:min(len(body), 64<<10)], "\n")) {
			out = append(out, o.follow(c.text, depth-1)...)
		}
	}
	for _, m := range runsScript.FindAllStringSubmatch(text, 4) {
		next("script "+m[1], o.inv.packageScript(m[1]))
	}
	for _, m := range runsTarget.FindAllStringSubmatch(text, 4) {
		for _, name := range targetsOf(m[1], m[2]) {
			next("target "+name, o.inv.target(m[1], name))
		}
	}
	if runsMaven.MatchString(text) {
		if f := o.inv.at(path.Join(o.inv.layout.Root(), "pom.xml")); f != nil {
			if m := mavenGoal.FindStringSubmatch(f.text); m != nil {
				next("goal", "mvn "+m[1])
			}
		}
	}
	for _, m := range usesLocal.FindAllStringSubmatch(text, 2) {
		for _, name := range []string{m[1], path.Join(m[1], "action.yml"), path.Join(m[1], "action.yaml")} {
			if f := o.inv.at(name); f != nil && !strings.HasPrefix(name, ".github/workflows/") {
				next(name, f.text)
			}
		}
	}
	for _, m := range runsFile.FindAllStringSubmatch(text, 4) {
		if f := o.inv.at(m[1]); f != nil && (f.lang == "shell" || f.lang == "powershell" || strings.HasPrefix(f.text, "#!") && strings.Contains(f.text[:min(len(f.text), 40)], "sh")) {
			next(m[1], f.text)
		}
	}
	return out
}

// packageScript is a script of the package.json at a root.
func (inv *inventory) packageScript(name string) string {
	for _, dir := range []string{inv.layout.Root(), ""} {
		f := inv.at(path.Join(dir, "package.json"))
		if f == nil {
			continue
		}
		var m struct {
			Scripts map[string]string `json:"scripts"`
		}
		if json.Unmarshal([]byte(f.text), &m) == nil && m.Scripts[name] != "" {
			return m.Scripts[name]
		}
	}
	return ""
}

// targetsOf are the targets among the arguments of a tool, of which those of
// scripts have one that nobody names.
func targetsOf(tool, args string) []string {
	names := slices.DeleteFunc(strings.Fields(args), func(s string) bool { return strings.HasPrefix(s, "-") || strings.Contains(s, "=") })
	if len(names) == 0 && (tool == "grunt" || tool == "gulp") {
		return []string{"default"}
	}
	return names
}

// scriptTask is what a task of grunt or gulp is made of.
func (inv *inventory) scriptTask(tool, name string) string {
	for _, dir := range []string{inv.layout.Root(), ""} {
		f := inv.first(func(f file) bool { return f.dir() == dir && strings.HasPrefix(f.base, tool+"file.") })
		if f == nil {
			continue
		}
		if m := regexp.MustCompile(`(?:registerTask|\btask)\(\s*["']` + regexp.QuoteMeta(name) + `["']\s*,[^\[\n]*\[([^\]]*)\]`).FindStringSubmatch(f.text); m != nil {
			return strings.Join(strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune("\"', \t\r\n", r) }), "\n"+tool+" ")
		}
	}
	return ""
}

// target is the recipe of a target at a root, after what it asks for first.
func (inv *inventory) target(tool, name string) string {
	if tool == "grunt" || tool == "gulp" {
		if body := inv.scriptTask(tool, name); body != "" {
			return tool + " " + body
		}
		return ""
	}
	files := map[string][]string{"make": {"Makefile", "makefile", "GNUmakefile"}, "just": {"justfile", "Justfile", ".justfile"}, "task": {"Taskfile.yml", "Taskfile.yaml"}}[tool]
	for _, dir := range []string{inv.layout.Root(), ""} {
		for _, base := range files {
			f := inv.at(path.Join(dir, base))
			if f == nil {
				continue
			}
			lines := strings.Split(f.text, "\n")
			for i, line := range lines {
				head, first, ok := strings.Cut(strings.TrimSpace(line), ":")
				if !ok || !strings.Contains(" "+head+" ", " "+name+" ") || strings.HasPrefix(line, "#") {
					continue
				}
				var b strings.Builder
				if !strings.HasPrefix(first, "=") && tool != "task" {
					b.WriteString(tool + " " + first + "\n")
				}
				for _, l := range lines[i+1:] {
					if l != "" && !strings.HasPrefix(l, "\t") && !strings.HasPrefix(l, " ") {
						break
					}
					b.WriteString(strings.TrimLeft(l, "\t @-") + "\n")
				}
				return b.String()
			}
		}
	}
	return ""
}

// called starts the workflows that a started workflow calls.
func called(all []pipeline) {
	for range 3 { // GitHub follows four levels
		for i := range all {
			if !all[i].onUse {
				continue
			}
			for _, m := range usesLocal.FindAllStringSubmatch(all[i].file.text, 50) {
				for k := range all {
					all[k].onUse = all[k].onUse || all[k].file.path == m[1]
				}
			}
		}
	}
}

var (
	matrixKey  = regexp.MustCompile(`^\s*["']?(?:matrix|parallelism|parameters-matrix)["']?\s*:`)
	travisList = regexp.MustCompile(`^(?:python|jdk|node_js|go|rust|rvm|php|scala|os|julia|dart|elixir)\s*:\s*(\[.*,.*\])?\s*$`)
)

// several is the line that has a pipeline run for several versions or systems,
// 0 when none does.
func several(base string, lines []string) int {
	for i, line := range lines {
		text := strings.TrimRight(uncommented([]string{line}), "\r\n ")
		if matrixKey.MatchString(text) {
			return i + 1
		}
		m := travisList.FindStringSubmatch(text)
		if m == nil || !strings.Contains(base, "travis") {
			continue
		}
		if m[1] != "" || i+2 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i+1]), "-") && strings.HasPrefix(strings.TrimSpace(lines[i+2]), "-") {
			return i + 1
		}
	}
	return 0
}

// pipelinedWith looks for what else a pipeline does for a push or a pull
// request.
func pipelinedWith(all []pipeline, with string) probe.Finding {
	if len(all) == 0 {
		return probe.Missing(court.One, court.Config, "The repository has no pipeline with a job.").Do("%s", map[string]string{
			"matrix": "Add a pipeline that runs for several versions or systems.",
			"checks": "Add a pipeline that runs a static checker on every push.",
		}[with])
	}
	for _, p := range all {
		switch {
		case !p.onUse:
		case with == "checks" && p.check > 0:
			return probe.Present(court.Config, []court.Place{p.file.place(p.check)}, "%s looks for mistakes on a push or pull request.", shown(p.file.path))
		case with == "matrix" && p.matrix > 0:
			return probe.Present(court.Config, []court.Place{p.file.place(p.matrix)}, "%s runs for several versions or systems.", shown(p.file.path))
		}
	}
	if f, ok := handedOver(all, map[string]string{"matrix": "runs for several versions", "checks": "runs a static checker"}[with]); ok {
		return f
	}
	if with == "matrix" {
		return probe.Missing(court.One, court.Config, "None of %s runs for more than one version or system.", court.Count(len(all), "pipeline")).
			Do("Give the job in %s a matrix of versions or systems.", shown(all[0].file.path))
	}
	return probe.Missing(court.One, court.Config, "None of %s runs a static checker on a push or pull request.", court.Count(len(all), "pipeline")).
		Do("Run a static checker in %s on every push.", shown(all[0].file.path))
}
