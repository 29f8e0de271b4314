package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// manifest is action.yml.
type manifest struct {
	Name        string
	Description string
	Inputs      map[string]struct{ Description, Default string }
	Outputs     map[string]struct{ Description, Value string }
	Runs        struct {
		Using string
		Steps []step
	}
}

// step is one step of a composite action.
type step struct {
	Name, ID, If, Shell, Uses, Run string
	ContinueOnError                bool `yaml:"continue-on-error"`
	Env, With                      map[string]string
}

func readManifest(t *testing.T) manifest {
	t.Helper()
	raw, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := yaml.UnmarshalWithOptions(raw, &m, yaml.Strict(), yaml.AllowFieldPrefixes("branding", "author")); err != nil {
		t.Fatal(err)
	}
	return m
}

// job is a job of a workflow that uses the action, on a machine of ours in
// place of GitHub's: the workspace, what the runner knows, and what came of it.
type job struct {
	*desk
	t       *testing.T
	context map[string]string // github.…, inputs.…
	env     map[string]string

	failed  string            // name of the step that failed
	code    int               // of that step
	outputs map[string]string // of the action
	used    map[string]map[string]string
	tokens  []string // steps that had the token
	log     string
	ordered []workflowLine // commands that the runner obeys
}

// workflowLine is one command as the runner understands it.
type workflowLine struct{ name, properties, data string }

// newJob is a job in a clone of work/, under a push to main.
func newJob(t *testing.T, d *desk, name string, inputs map[string]string) *job {
	t.Helper()
	j := &job{desk: d, t: t, env: map[string]string{}, outputs: map[string]string{}, used: map[string]map[string]string{}}
	top := filepath.Join(d.dir, name)
	j.env["GITHUB_WORKSPACE"] = filepath.Join(top, "mini")
	j.env["RUNNER_TEMP"] = filepath.Join(top, "temp")
	for _, dir := range []string{top, j.env["RUNNER_TEMP"], filepath.Join(top, "bin")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	action, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	self, err := exec.LookPath("automaton")
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(j.env, map[string]string{"GITHUB_ACTION_PATH": action, "GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/main", "GITHUB_BASE_REF": "",
		"GITHUB_REPOSITORY": "northwind/mini", "GITHUB_SERVER_URL": "https://github.com", "GITHUB_RUN_ID": "4711", "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
		"GITHUB_STEP_SUMMARY": filepath.Join(top, "summary.md"), "GH_CALLS": filepath.Join(top, "calls"), "GH_LIST": filepath.Join(top, "list"), "GH_BODY": filepath.Join(top, "body"),
		"GH_RECORD": filepath.Join(d.dir, "baseline.json"), "PATH": filepath.Join(top, "bin") + ":" + os.Getenv("PATH")})
	j.file("bin/gh", standIn)
	j.file("list", "")
	j.context = map[string]string{"github.event.repository.default_branch": "main", "github.token": "the-token", "github.action_path": action}
	for k, in := range readManifest(t).Inputs {
		j.context["inputs."+k] = in.Default
	}
	j.context["inputs.automaton-path"], j.context["inputs.pdf"] = self, "none"
	for k, v := range inputs {
		if _, known := j.context["inputs."+k]; !known {
			t.Fatalf("no input %s", k)
		}
		j.context["inputs."+k] = v
	}
	j.git("", "clone", "-q", filepath.Join(d.dir, "work"), j.env["GITHUB_WORKSPACE"])
	j.env["GITHUB_SHA"] = j.git(j.env["GITHUB_WORKSPACE"], "rev-parse", "HEAD")
	return j
}

// standIn is a program in gh's place. It writes down what it is called with and
// answers from files.
const standIn = `#!/bin/sh
{ printf 'gh'; printf ' [%s]' "$@"; printf '\n'; } >>"$GH_CALLS"
[ -n "$GH_TOKEN" ] || exit 4
case "$1 $2 $*" in
  "run download "*) for a; do case $a in --dir=*) mkdir -p "${a#--dir=}"; cp "$GH_RECORD" "${a#--dir=}/record.json" ;; esac; done ;;
  *"--method POST"* | *"--method PATCH"*) for a; do case $a in body=@*) cp "${a#body=@}" "$GH_BODY" ;; esac; done ;;
  *) cat "$GH_LIST" ;;
esac
`

// file writes a file of the job.
func (j *job) file(name, content string) {
	j.t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(j.env["GITHUB_WORKSPACE"]), name), []byte(content), 0o700); err != nil {
		j.t.Fatal(err)
	}
}

// read reads a file of the job; "" when there is none.
func (j *job) read(name string) string {
	raw, _ := os.ReadFile(filepath.Join(filepath.Dir(j.env["GITHUB_WORKSPACE"]), name))
	return string(raw)
}

func (j *job) git(dir string, args ...string) string {
	j.t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = dir, append(slices.Clone(j.desk.env), "GIT_AUTHOR_DATE="+at(7), "GIT_COMMITTER_DATE="+at(7))
	out, err := c.CombinedOutput()
	if err != nil {
		j.t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes files into the workspace and commits them; "" takes one away.
func (j *job) commit(files map[string]string) {
	j.t.Helper()
	commitIn(j, j.env["GITHUB_WORKSPACE"], files)
}

func commitIn(j *job, dir string, files map[string]string) {
	j.t.Helper()
	for name, content := range files {
		p := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(p), 0o700)
		if content == "" {
			err = errors.Join(err, os.Remove(p))
		} else {
			err = errors.Join(err, os.WriteFile(p, []byte(content), 0o600))
		}
		if err != nil {
			j.t.Fatal(err)
		}
	}
	j.git(dir, "add", "-A")
	j.git(dir, "commit", "-q", "-m", "Change it")
}

// pullRequest makes the job one of a pull request: its head holds the files.
func (j *job) pullRequest(from string, files map[string]string) {
	j.t.Helper()
	base := j.git(j.env["GITHUB_WORKSPACE"], "rev-parse", "HEAD")
	j.git(j.env["GITHUB_WORKSPACE"], "checkout", "-q", "-b", "topic")
	j.commit(files)
	maps.Copy(j.env, map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/pull/7/merge", "GITHUB_BASE_REF": "main",
		"GITHUB_SHA": j.git(j.env["GITHUB_WORKSPACE"], "rev-parse", "HEAD")})
	maps.Copy(j.context, map[string]string{"github.event.pull_request.number": "7", "github.event.pull_request.base.sha": base, "github.event.pull_request.head.repo.full_name": from})
}

// run runs the steps in order, as the runner does.
func (j *job) run() {
	j.t.Helper()
	m := readManifest(j.t)
	for i, s := range m.Runs.Steps {
		if j.failed != "" || s.If != "" && !truth(evaluate(j.t, s.If, j.context)) {
			continue
		}
		if s.Uses != "" {
			name, _, _ := strings.Cut(s.Uses, "@")
			j.used[name] = j.filled(s.With)
			continue
		}
		j.step(i, s)
	}
	for name, o := range m.Outputs {
		j.outputs[name] = j.fill(o.Value)
	}
}

func (j *job) step(i int, s step) {
	j.t.Helper()
	if s.Shell != "bash" {
		j.t.Fatalf("step %q has shell %q", s.Name, s.Shell)
	}
	out := filepath.Join(j.env["RUNNER_TEMP"], fmt.Sprintf("output-%d", i))
	if err := os.WriteFile(out, nil, 0o600); err != nil {
		j.t.Fatal(err)
	}
	c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
	c.Dir = j.env["GITHUB_WORKSPACE"]
	env := map[string]string{"GITHUB_OUTPUT": out}
	maps.Copy(env, j.env)
	maps.Copy(env, j.filled(s.Env))
	if env["GH_TOKEN"] != "" {
		j.tokens = append(j.tokens, s.Name)
	}
	c.Env = slices.Clone(j.desk.env)
	for k, v := range env {
		c.Env = append(c.Env, k+"="+v)
	}
	var log bytes.Buffer
	c.Stdout, c.Stderr = &log, &log
	if err := c.Run(); err != nil {
		if _, exited := errors.AsType[*exec.ExitError](err); !exited {
			j.t.Fatal(err)
		}
		j.failed, j.code = s.Name, c.ProcessState.ExitCode()
	}
	j.log += log.String()
	j.obey(log.String())
	raw, err := os.ReadFile(out)
	if err != nil {
		j.t.Fatal(err)
	}
	for k, v := range readOutputs(j.t, string(raw)) {
		j.context["steps."+s.ID+".outputs."+k] = v
	}
}

// readOutputs reads GITHUB_OUTPUT: NAME=VALUE, or NAME<<END, lines, END.
func readOutputs(t *testing.T, raw string) map[string]string {
	t.Helper()
	out := map[string]string{}
	lines := strings.Split(raw, "\n")
	for i := 0; i < len(lines); i++ {
		name, end, multi := strings.Cut(lines[i], "<<")
		switch {
		case lines[i] == "":
		case multi && !strings.Contains(name, "="):
			var value []string
			for i++; i < len(lines) && lines[i] != end; i++ {
				value = append(value, lines[i])
			}
			if _, twice := out[name]; twice {
				t.Errorf("output %s is written twice", name)
			}
			out[name] = strings.Join(value, "\n")
		default:
			t.Errorf("an output that a value could end: %q", lines[i])
		}
	}
	return out
}

var oldCommand = regexp.MustCompile(`##\[([a-z-]+)( [^\]]*)?\](.*)`)

// obey finds the commands in a log that the runner would obey: a line that
// begins with ::, blanks aside, or holds ##[, unless it was told to stop.
func (j *job) obey(log string) {
	known := []string{"add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice", "save-state", "set-env", "set-output", "stop-commands", "warning"}
	token := ""
	for l := range strings.SplitSeq(log, "\n") {
		var c workflowLine
		if rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t\r"), "::"); ok {
			head, data, whole := strings.Cut(rest, "::")
			name, properties, _ := strings.Cut(head, " ")
			if whole && (slices.Contains(known, name) || name == token) {
				c = workflowLine{name, properties, data}
			}
		}
		if m := oldCommand.FindStringSubmatch(l); c.name == "" && m != nil && slices.Contains(known, m[1]) {
			c = workflowLine{m[1], m[2], m[3]}
		}
		switch {
		case c.name == "" || token != "" && c.name != token:
		case c.name == token:
			token = ""
		case c.name == "stop-commands":
			token = c.data
		default:
			j.ordered = append(j.ordered, c)
		}
	}
	if token != "" {
		j.t.Error("commands stay stopped")
	}
}

// obeyed lists the commands of one kind.
func (j *job) obeyed(name string) (list []workflowLine) {
	for _, c := range j.ordered {
		if c.name == name {
			list = append(list, c)
		}
	}
	return list
}

var expression = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

func (j *job) fill(s string) string {
	return expression.ReplaceAllStringFunc(s, func(e string) string {
		if v, ok := evaluate(j.t, expression.FindStringSubmatch(e)[1], j.context).(string); ok {
			return v
		}
		return "false"
	})
}

func (j *job) filled(m map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = j.fill(v)
	}
	return out
}

func truth(v any) bool { return v != false && v != "" }

var tokens = regexp.MustCompile(`'[^']*'|&&|\|\||==|!=|[A-Za-z_][\w.-]*`)

// evaluate works out an expression of names, strings, ==, !=, && and ||.
func evaluate(t *testing.T, e string, context map[string]string) any {
	t.Helper()
	list := tokens.FindAllString(e, -1)
	if strings.Join(strings.Fields(e), "") != strings.Join(list, "") {
		t.Fatalf("an expression that is more than this runner knows: %q", e)
	}
	value := func(token string) any {
		if strings.HasPrefix(token, "'") {
			return strings.Trim(token, "'")
		}
		return context[token]
	}
	var all any = ""
	for _, or := range split(list, "||") {
		var part any
		for i, and := range split(or, "&&") {
			if i > 0 && !truth(part) {
				break
			}
			switch {
			case len(and) == 1:
				part = value(and[0])
			case len(and) == 3 && and[1] == "==":
				part = value(and[0]) == value(and[2])
			case len(and) == 3 && and[1] == "!=":
				part = value(and[0]) != value(and[2])
			default:
				t.Fatalf("an expression that is none: %q", e)
			}
		}
		if all = part; truth(all) {
			break
		}
	}
	return all
}

func split(list []string, at string) (out [][]string) {
	for {
		i := slices.Index(list, at)
		if i < 0 {
			return append(out, list)
		}
		out, list = append(out, list[:i]), list[i+1:]
	}
}
