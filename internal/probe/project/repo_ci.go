package project

import (
	"context"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func repoCI() probe.Probe {
	return probe.Probe{
		ID: "repo.ci", Version: "1", Target: court.GithubRepo,
		Title:  "A pipeline tests every push",
		Doc:    "Reads the pipeline definitions in the places where the services look for them, for jobs, for what starts them and for a command that runs tests. Scripts of package.json, targets of make and just, and scripts, actions and workflows of the repository that a job calls are followed. Whether a run ever passed is not seen, nor pipelines that a server keeps for itself. With the argument with it asks for more: tests, that one of the commands tests; checks, that one looks for mistakes without running the program; matrix, that it runs for several versions or systems.",
		Remedy: "Add a workflow that runs the tests on every push.",
		Effort: 30, Recall: 9800,
		Args: []probe.Arg{{Name: "with", Type: "string", Allowed: []string{"tests", "checks", "matrix"}, Doc: "only a pipeline that runs tests, or static checkers, or runs for several versions or systems counts"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			switch with := a.String("with"); with {
			case "checks", "matrix":
				return []probe.Finding{pipelinedWith(inv.pipelines(), with)}, nil
			default:
				return []probe.Finding{pipelined(inv.pipelines(), with == "tests")}, nil
			}
		},
	}
}

// pipeline is one definition with at least one job.
type pipeline struct {
	file   file
	job    int  // line of the first job
	test   int  // line of a command that runs tests; 0: none
	check  int  // line of a command that looks for mistakes; 0: none
	hands  int  // line of what runs a program or a workflow that is not followed; 0: none
	matrix int  // line of several versions or systems; 0: none
	onUse  bool // started by a push or a pull request
}

func pipelined(all []pipeline, tests bool) probe.Finding {
	if len(all) == 0 {
		return probe.Missing(court.One, court.Config, "The repository has no pipeline with a job.")
	}
	for _, p := range all {
		if p.test > 0 && p.onUse {
			return probe.Present(court.Config, []court.Place{p.file.place(p.test)}, "%s runs tests on a push or pull request.", shown(p.file.path))
		}
	}
	if f, ok := handedOver(all, "runs tests"); ok {
		return f
	}
	if tests {
		return probe.Missing(court.One, court.Config, "None of %s runs tests on a push or pull request.", court.Count(len(all), "pipeline")).Do("Run the tests in %s on every push.", shown(all[0].file.path))
	}
	var at []court.Place
	for _, p := range all {
		at = append(at, p.file.place(p.job))
	}
	return probe.Partly(5000, court.Config, at, "%s has jobs, but no command that runs tests on a push or pull request.", shown(all[0].file.path)).Do("Run the tests in %s on every push.", shown(all[0].file.path))
}

// handedOver says that a pipeline runs what is not followed, so that it cannot
// be told what that does.
func handedOver(all []pipeline, what string) (probe.Finding, bool) {
	for _, p := range all {
		if p.hands > 0 && p.onUse {
			return probe.Cannot(court.NoDetector, []court.Place{p.file.place(p.hands)}, "On a push or pull request, %s hands over to a build program or to a workflow of others. Whether that %s was not followed.", shown(p.file.path), what), true
		}
	}
	return probe.Finding{}, false
}

// pipelines lists the definitions that have a job. Services look at the
// repository root only.
func (inv *inventory) pipelines() []pipeline {
	var out []pipeline
	o := orders{inv: inv, seen: map[string]bool{}}
	for _, f := range inv.files {
		job, ok := jobsOf(f.path)
		if !ok || f.blank() {
			continue
		}
		p := pipeline{file: f}
		lines := strings.Split(f.text, "\n")
		p.job = job(lines)
		if p.job == 0 {
			continue
		}
		p.onUse = !strings.HasPrefix(f.path, ".github/") || started.MatchString(uncommented(lines))
		p.matrix = several(f.base, lines)
		for _, c := range ordersOf(&f, lines) {
			clear(o.seen)
			for _, text := range o.follow(c.text, 3) {
				if p.test == 0 && testsRun(text) {
					p.test = c.line
				}
				if p.hands == 0 && handsOver.MatchString(text) {
					p.hands = c.line
				}
				if p.check == 0 && checkCommand.MatchString(text) {
					p.check = c.line
				}
			}
		}
		out = append(out, p)
	}
	called(out)
	return out
}

// jobsOf tells whether a path is a pipeline definition, and how its first job
// is found: the line, or 0.
func jobsOf(file string) (func([]string) int, bool) {
	low := strings.ToLower(file)
	yaml := strings.HasSuffix(low, ".yml") || strings.HasSuffix(low, ".yaml")
	switch {
	case path.Dir(low) == ".github/workflows" && yaml, low == ".circleci/config.yml":
		return under("jobs"), true
	case low == ".gitlab-ci.yml":
		return matching(`^\s+(?:script|trigger)\s*:`), true
	case low == "azure-pipelines.yml" || low == "azure-pipelines.yaml":
		return matching(`^\s*(?:jobs|steps|stages|extends)\s*:`), true
	case low == "jenkinsfile":
		return matching(`\b(?:stage|node|pipeline)\b`), true
	case low == ".travis.yml":
		return matching(`^(?:script|language|jobs|matrix)\s*:`), true
	case low == "bitbucket-pipelines.yml":
		return matching(`^\s+(?:- )?step\s*:`), true
	case strings.HasPrefix(low, ".woodpecker") && yaml:
		return matching(`^(?:steps|pipeline)\s*:`), true
	case low == ".drone.yml", path.Dir(low) == ".buildkite" && yaml, low == "wercker.yml":
		return matching(`^\s*(?:- )?(?:steps|pipeline|command|build)\s*:`), true
	case low == ".cirrus.yml":
		return matching(`^\s*\w*(?:task|script)\s*:`), true
	case low == "appveyor.yml", low == ".appveyor.yml":
		return matching(`^\s*(?:build_script|test_script|build|environment|install)\s*:`), true
	case low == ".build.yml", path.Dir(low) == ".builds" && yaml:
		return matching(`^tasks\s*:`), true
	case low == ".semaphore/semaphore.yml":
		return matching(`^blocks\s*:`), true
	case path.Dir(low) == ".gitea/workflows" && yaml, path.Dir(low) == ".forgejo/workflows" && yaml:
		return under("jobs"), true
	}
	return nil, false
}

// under finds the first key below a top-level key of a YAML file.
func under(key string) func([]string) int {
	inside := regexp.MustCompile(`^["']?` + key + `["']?\s*:\s*(?:#.*)?$`)
	child := regexp.MustCompile(`^[ ]+["']?[\w.-]+["']?\s*:`)
	return func(lines []string) int {
		in := false
		for i, line := range lines {
			switch {
			case inside.MatchString(strings.TrimRight(line, "\r ")):
				in = true
			case in && child.MatchString(line):
				return i + 1
			case in && line != "" && !strings.ContainsAny(line[:1], " #\t\r"):
				in = false
			}
		}
		return 0
	}
}

// matching finds the first line that fits and is not a comment.
func matching(expr string) func([]string) int {
	re := regexp.MustCompile(expr)
	return func(lines []string) int {
		for i, line := range lines {
			if re.MatchString(uncommented([]string{line})) {
				return i + 1
			}
		}
		return 0
	}
}

var (
	started = regexp.MustCompile(`(?m)^["']?on["']?\s*:.*\b(?:push|pull_request|merge_group)|^(?:\s+(?:- )?|- )["']?(?:push|pull_request(?:_target)?|merge_group)["']?\s*(?::|$)`)
)

// uncommented joins lines without "#" and "//" comments.
func uncommented(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") {
			line = ""
		}
		if i := strings.Index(line, " #"); i >= 0 {
			line = line[:i]
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
