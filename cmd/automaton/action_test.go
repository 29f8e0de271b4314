package main

import (
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

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/store"
)

// law is a rubric of two criteria, by its name; the second one fails.
func law(name string) string {
	return fmt.Sprintf(`{"name": %q, "dimensions": [{"id": "typed", "name": "Typed state", "target_artifact": "github_repo", "forensic_instruction": "The state is typed.",
  "checks": [{"id": "core", "probe": "state.schema", "facet": "core", "weight": 3}]},
 {"id": "ci", "name": "Pipeline", "target_artifact": "github_repo", "forensic_instruction": "A pipeline tests every push.",
  "checks": [{"id": "ci", "probe": "repo.ci", "facet": "core", "weight": 3}]}]}`, name)
}

// actionDesk is a desk whose repository has a rubric.
func actionDesk(t *testing.T) *desk {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	d := newDesk(t)
	j := &job{desk: d, t: t}
	commitIn(j, filepath.Join(d.dir, "work"), map[string]string{".github/rubric.json": law("Law of the base")})
	return d
}

func (j *job) record() *court.Record {
	j.t.Helper()
	rec, _, err := store.ReadBytes(j.outputs["record-path"])
	if err != nil {
		j.t.Fatalf("%v; the log is\n%s", err, j.log)
	}
	return rec
}

// The action, step by step, in every kind of run.
func TestAction(t *testing.T) {
	if testing.Short() {
		t.Skip("hears four cases and refuses many")
	}
	t.Parallel()
	d := actionDesk(t)
	push := newJob(t, d, "push", map[string]string{"rubric": ".github/rubric.json", "fail-under": "1 ci=5,", "comment": "true"})
	push.run()
	pushFails(t, push)
	raw, err := os.ReadFile(push.outputs["record-path"])
	if err := errors.Join(err, os.WriteFile(filepath.Join(d.dir, "baseline.json"), raw, 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]func(*testing.T, *desk){
		"a change": changeRegresses, "a fork": forkPasses, "undecided": undecided, "refuses": refuses, "shallow": shallow, "whose law": whoseLaw, "no baseline": noBaseline, "hostile inputs": hostileIn,
		"hostile output": hostileOut, "a release": takesRelease,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, d)
		})
	}
}

// A push whose gate fails says what was missed at the end, and leaves all files.
func pushFails(t *testing.T, j *job) {
	rec := j.record()
	if j.failed != "Gate" || j.code != 1 || j.outputs["outcome"] != "fail" {
		t.Fatalf("%q ended with %d, outcome %q:\n%s", j.failed, j.code, j.outputs["outcome"], j.log)
	}
	if last := j.ordered[len(j.ordered)-1]; last.name != "error" || !strings.HasPrefix(last.data, "FAIL  ci: ") || !strings.HasSuffix(last.data, "(--fail-under)") {
		t.Errorf("at the end %+v", last)
	}
	if j.outputs["score"] != rec.Verdict.Overall.Exact.String() || j.outputs["digest"] != rec.Digest || j.outputs["capped-by"] != "" {
		t.Errorf("outputs %v of %s, %s", j.outputs, rec.Verdict.Overall.Exact, rec.Digest)
	}
	if rec.Rubric.Name != "Law of the base" || len(rec.Gate.Bars) != 2 {
		t.Errorf("rubric %q, gate %v", rec.Rubric.Name, rec.Gate)
	}
	for _, out := range []string{"report-path", "sarif-path", "junit-path"} {
		if info, err := os.Stat(j.outputs[out]); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", out, err)
		}
	}
	if !strings.HasPrefix(j.read("summary.md"), "# Automaton Auditor Report\n") {
		t.Errorf("the summary begins with %.80q", j.read("summary.md"))
	}
	for _, used := range []string{"actions/upload-artifact", "github/codeql-action/upload-sarif"} {
		if j.used[used] == nil {
			t.Errorf("%s is not used", used)
		}
	}
	if got := j.used["actions/upload-artifact"]; got["name"] != "automaton-audit" || got["path"] != filepath.Dir(j.outputs["report-path"]) {
		t.Errorf("kept: %v", got)
	}
	if j.read("calls") != "" || !strings.Contains(j.log, "no comment: this is no pull request") {
		t.Errorf("a push has no comment, and says so: %q", j.read("calls"))
	}
}

// What the head of a change brings is judged by the rubric of its base and held
// against the baseline of its base.
func changeRegresses(t *testing.T, d *desk) {
	j := newJob(t, d, "change", map[string]string{"rubric": "./.github/rubric.json", "baseline": "automaton-audit", "fail-on": "regression", "comment": "true", "artifact": "mine"})
	j.git(j.env["GITHUB_WORKSPACE"], "remote", "set-url", "origin", "https://github.com/northwind/mini")
	j.pullRequest("northwind/mini", map[string]string{".github/rubric.json": law("Kinder law"), "src/state.py": "state = {}\n"})
	j.file("list", "false\ttopic\t1\t1\t10\nfalse\tmain\t1\t2\t11\ntrue\tmain\t1\t1\t12\nfalse\tmain\t1\t1\t4711\nfalse\tmain\t1\t1\t13\nfalse\tmain\t1\t1\t14\n")
	j.run()
	rec := j.record()
	if rec.Rubric.Name != "Law of the base" {
		t.Errorf("the law is %q", rec.Rubric.Name)
	}
	if j.failed != "Gate" || j.code != 1 || rec.Gate.Outcome != "fail" || !strings.Contains(j.ordered[len(j.ordered)-1].data, "--fail-on") {
		t.Fatalf("%q ended with %d, %+v:\n%s", j.failed, j.code, rec.Gate, j.log)
	}
	calls := j.read("calls")
	if !strings.Contains(calls, "gh [run] [download] [13] ") || !strings.Contains(calls, "[--method] [POST] [repos/northwind/mini/issues/7/comments]") || strings.Contains(calls, "[PATCH]") {
		t.Errorf("calls:\n%s", calls)
	}
	body := j.read("body")
	mark, _, _ := strings.Cut(body, "\n")
	if !strings.HasPrefix(mark, "<!-- automaton:") || !strings.Contains(body, "\n## Remediation Plan\n") || !strings.Contains(body, "](https://github.com/northwind/mini/blob/"+rec.Case.Commit+"/src/") ||
		!strings.HasSuffix(body, "](https://github.com/northwind/mini/actions/runs/4711#artifacts)\n") {
		t.Errorf("the comment is %q", body)
	}
	if j.used["actions/upload-artifact"]["name"] != "mine" || !slices.Equal(j.tokens, []string{"Find the baseline", "Comment"}) {
		t.Errorf("kept: %v, with the token %q", j.used, j.tokens)
	}
	// Again: the comment that this action wrote is written anew, and no other.
	j.file("list", "5\tmallory\t"+mark+"\n6\tgithub-actions[bot]\tsomething else\n7\tgithub-actions[bot]\t"+mark+"\n8\tgithub-actions[bot]\t"+mark+"\n")
	j.file("calls", "")
	m := readManifest(t)
	i := slices.IndexFunc(m.Runs.Steps, func(s step) bool { return s.Name == "Comment" })
	j.step(i, m.Runs.Steps[i])
	if calls := j.read("calls"); !strings.Contains(calls, "[--method] [PATCH] [repos/northwind/mini/issues/comments/7]") || strings.Contains(calls, "[POST]") {
		t.Errorf("calls:\n%s", calls)
	}
}

// What cannot be decided is neither a pass nor a fail.
func undecided(t *testing.T, d *desk) {
	j := newJob(t, d, "undecided", map[string]string{"only": " theoretical_depth ", "fail-under": "theoretical_depth=3"})
	j.run()
	last := j.obeyed("error")
	if j.failed != "Gate" || j.code != 3 || j.outputs["outcome"] != "insufficient" || len(last) < 2 || !strings.HasPrefix(last[0].data, "incomplete: ") || !strings.HasPrefix(last[1].data, "UNDECIDED  ") {
		t.Errorf("%q ended with %d, %v, %v", j.failed, j.code, j.outputs, last)
	}
}

// A change from a fork has no comment and no token; the summary stands in.
func forkPasses(t *testing.T, d *desk) {
	j := newJob(t, d, "fork", map[string]string{"rubric": ".github/rubric.json", "fail-under": "1", "comment": "true"})
	j.pullRequest("stranger/mini", map[string]string{".github/rubric.json": law("Kinder law")})
	j.run()
	if j.failed != "" || j.outputs["outcome"] != "pass" || j.record().Rubric.Name != "Law of the base" {
		t.Fatalf("%q ended with %d, %v:\n%s", j.failed, j.code, j.outputs, j.log)
	}
	if j.used["github/codeql-action/upload-sarif"] != nil || j.read("calls") != "" || j.tokens != nil || len(j.obeyed("notice")) != 1 || !strings.Contains(j.read("summary.md"), "Law of the base") {
		t.Errorf("used %v, calls %q, with the token %q, said %v", j.used, j.read("calls"), j.tokens, j.obeyed("notice"))
	}
}

// stubbed puts a program of a few lines in automaton's place.
func (j *job) stubbed(script string) {
	j.t.Helper()
	j.file("bin/stub", "#!/bin/bash\n[ \"$1\" = version ] && exit\n"+script)
	j.context["inputs.automaton-path"] = filepath.Join(filepath.Dir(j.env["GITHUB_WORKSPACE"]), "bin/stub")
}

// What the action refuses, and what it says.
func refuses(t *testing.T, d *desk) {
	tests := map[string]struct {
		inputs map[string]string
		change func(*job)
		want   string
	}{
		"pull_request_target":    {nil, func(j *job) { j.env["GITHUB_EVENT_NAME"] = "pull_request_target" }, "run on pull_request instead"},
		"a workflow of a fork":   {nil, func(j *job) { j.env["GITHUB_EVENT_NAME"] = "workflow_run" }, "started by a fork"},
		"another bench":          {map[string]string{"bench": "auto"}, nil, "bench 'auto'"},
		"neither yes nor no":     {map[string]string{"sarif": "yes"}, nil, "are true or false, not 'yes'"},
		"Windows":                {nil, func(j *job) { j.env["RUNNER_OS"] = "Windows" }, "runs on Linux and macOS"},
		"no checkout":            {nil, func(j *job) { os.RemoveAll(j.env["GITHUB_WORKSPACE"] + "/.git") }, "actions/checkout comes first"},
		"a rubric of the change": {map[string]string{"rubric": "new.json"}, func(j *job) { j.pullRequest("northwind/mini", map[string]string{"new.json": law("x")}) }, "holds from the next one on"},
		"a rubric of a branch": {map[string]string{"rubric": "new.json"}, func(j *job) {
			j.commit(map[string]string{"new.json": law("x")})
			j.env["GITHUB_REF"], j.env["GITHUB_SHA"] = "refs/heads/topic", j.git(j.env["GITHUB_WORKSPACE"], "rev-parse", "HEAD")
		}, "rubric 'new.json' is no file at"},
		"a rubric that climbs":       {map[string]string{"rubric": "../mini/.github/rubric.json"}, nil, "is no file at"},
		"a folder":                   {map[string]string{"rubric": ".github/"}, nil, "is no file at"},
		"a baseline of the change":   {map[string]string{"baseline": "b.json"}, func(j *job) { j.pullRequest("northwind/mini", map[string]string{"b.json": "{}"}) }, "baseline 'b.json' is no file"},
		"a release that is not":      {map[string]string{"version": "9.9.9", "automaton-path": ""}, nil, "there is no release 9.9.9 for linux_"},
		"a program that is not":      {map[string]string{"automaton-path": "/nowhere"}, nil, "'/nowhere' does not run here"},
		"a program of the checkout":  {map[string]string{"automaton-path": "bin/automaton"}, nil, "is not absolute"},
		"a rubric in absolute terms": {nil, func(j *job) { j.context["inputs.rubric"] = j.env["GITHUB_WORKSPACE"] + "/.github/rubric.json" }, "lies inside the audited tree"},
		"no such rubric":             {map[string]string{"rubric": "senate"}, nil, `no built-in rubric "senate"`},
		"a bar that is none":         {map[string]string{"fail-under": "9"}, nil, `"9" is not a score`},
		"a baseline for nothing":     {map[string]string{"fail-on": "regression"}, nil, "needs a record to compare with"},
	}
	n := 0
	for name, tt := range tests {
		n++
		folder := fmt.Sprint("refused", n)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, d, folder, tt.inputs)
			if tt.change != nil {
				tt.change(j)
			}
			j.run()
			said := fmt.Sprint(j.obeyed("error"))
			if j.code != 2 || j.failed == "Gate" || !strings.Contains(said, tt.want) || j.read("summary.md") != "" {
				t.Errorf("%q ended with %d and said %q; the log is\n%s", j.failed, j.code, said, j.log)
			}
		})
	}
}

// A shallow checkout is told, and the base is fetched when it is not there.
func shallow(t *testing.T, d *desk) {
	j := newJob(t, d, "shallow", map[string]string{"rubric": ".github/rubric.json"})
	base, origin := j.env["GITHUB_SHA"], filepath.Join(d.dir, "shallow", "origin")
	if err := os.Rename(j.env["GITHUB_WORKSPACE"], origin); err != nil {
		t.Fatal(err)
	}
	commitIn(j, origin, map[string]string{".github/rubric.json": law("Kinder law")})
	j.git("", "clone", "-q", "--depth=1", "file://"+origin, j.env["GITHUB_WORKSPACE"])
	j.git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
	j.pullRequest("northwind/mini", map[string]string{"a.txt": "a"})
	j.context["github.event.pull_request.base.sha"] = base
	j.stubbed(`for a; do case $a in --rubric=*) cat "${a#--rubric=}" ;; esac; done; exit 2`)
	j.run()
	warned := j.obeyed("warning")
	if len(warned) != 1 || !strings.Contains(warned[0].data, "fetch-depth: 0") || !strings.Contains(j.log, "fetch-depth") {
		t.Errorf("warned %v:\n%s", warned, j.log)
	}
	rubrics, _ := filepath.Glob(j.env["RUNNER_TEMP"] + "/automaton.*/rubric/rubric.json") // the pattern is sound
	if len(rubrics) != 1 {
		t.Fatalf("rubrics: %v; the log is\n%s", rubrics, j.log)
	}
	if raw, err := os.ReadFile(rubrics[0]); err != nil || !strings.Contains(string(raw), "Law of the base") {
		t.Errorf("%v, %s", err, raw)
	}
}

// shows is a stand-in that keeps its arguments and the rubric that it is given.
const shows = `printf '[%s]' "$@" >"$GH_BODY"; for a; do case $a in --rubric=*) cat "${a#--rubric=}" >>"$GH_BODY" ;; esac; done; exit 2`

// Whatever started a run, its law is that of what it goes into.
func whoseLaw(t *testing.T, d *desk) {
	tests := map[string]struct {
		env, context map[string]string
		want         string
	}{
		"the default branch": {map[string]string{"GITHUB_REF": "refs/heads/main"}, nil, "Law of the head"},
		"another branch":     {map[string]string{"GITHUB_REF": "refs/heads/topic"}, nil, "Law of the base"},
		"a tag":              {map[string]string{"GITHUB_REF": "refs/tags/v1"}, nil, "Law of the base"},
		"a schedule":         {map[string]string{"GITHUB_EVENT_NAME": "schedule"}, map[string]string{"github.event.repository.default_branch": ""}, "Law of the head"},
		"a merge queue":      {map[string]string{"GITHUB_EVENT_NAME": "merge_group"}, map[string]string{"github.event.merge_group.base_sha": "origin"}, "Law of the base"},
	}
	n := 0
	for name, tt := range tests {
		n++
		j := newJob(t, d, fmt.Sprint("law", n), map[string]string{"rubric": ".github/rubric.json", "baseline": "./.github/rubric.json"})
		if tt.context["github.event.merge_group.base_sha"] != "" {
			tt.context["github.event.merge_group.base_sha"] = j.env["GITHUB_SHA"]
		}
		j.commit(map[string]string{".github/rubric.json": law("Law of the head")})
		j.env["GITHUB_SHA"] = j.git(j.env["GITHUB_WORKSPACE"], "rev-parse", "HEAD")
		maps.Copy(j.env, tt.env)
		maps.Copy(j.context, tt.context)
		j.stubbed(shows)
		j.run()
		if body := j.read("body"); !strings.Contains(body, tt.want) || !strings.Contains(body, "/baseline/rubric.json]") {
			t.Errorf("%s: %q:\n%s", name, body, j.log)
		}
	}
}

// The first run has no baseline: it says so, and nothing is a regression.
func noBaseline(t *testing.T, d *desk) {
	j := newJob(t, d, "no-baseline", map[string]string{"baseline": "before", "fail-on": "regression contested"})
	j.stubbed(shows)
	j.run()
	if body := j.read("body"); !strings.Contains(body, "[--fail-on=contested]") || strings.Contains(body, "regression") || strings.Contains(body, "--baseline") {
		t.Errorf("the arguments are %s", body)
	}
	if said := j.obeyed("warning"); len(said) != 1 || !strings.Contains(said[0].data, "no run on main left an artifact 'before'") {
		t.Errorf("said %v", said)
	}
}

// hostileInputs are values that try to be more than one argument, a command of a
// shell, a command of the runner or another output.
var hostileInputs = []string{"\"; echo pwned >pwned; \"$(touch pwned)`touch pwned`", "a\n::add-mask::b\n##[add-mask]c\r\x1b[2J", "x\nscore<<y\n5\ny", "--trust-tree", "-", "* %0A::error::x"}

// Whatever stands in an input stays one argument.
func hostileIn(t *testing.T, d *desk) {
	for i, value := range hostileInputs {
		j := newJob(t, d, fmt.Sprint("hostile", i), map[string]string{"rubric": value, "pdf": value, "only": value, "fail-under": value, "fail-on": value, "artifact": value})
		j.stubbed("printf '[%s]' \"$@\" >\"$GH_BODY\"; printf '%s\\n' \"$@\" >&2; exit 2")
		j.run()
		if j.failed == "Gate" || j.code != 2 {
			t.Errorf("%q: %q ended with %d", value, j.failed, j.code)
		}
		for _, c := range j.ordered {
			if c.name != "error" {
				t.Errorf("%q: the runner obeys %+v", value, c)
			}
		}
		args := j.read("body")
		if j.failed == "Audit" && !(strings.Contains(args, "[--rubric="+value+"]") && strings.Contains(args, "[--pdf=tree:"+value+"]")) {
			t.Errorf("%q: the arguments are %q", value, args)
		}
		for _, m := range regexp.MustCompile(`\[[^\]]*\]`).FindAllString(args, -1) {
			if m == "[--trust-tree]" {
				t.Errorf("%q: a flag of its own: %q", value, args)
			}
		}
		if found, _ := filepath.Glob(filepath.Join(d.dir, "hostile*", "*", "pwned")); len(found) > 0 {
			t.Errorf("%q was run: %v", value, found)
		}
		for name, v := range j.outputs {
			if v != "" {
				t.Errorf("%q: output %s is %q", value, name, v)
			}
		}
	}
}

// Whatever the program prints, the runner takes nothing of it for a command but
// annotations, and no output but those of the record.
func hostileOut(t *testing.T, d *desk) {
	j := newJob(t, d, "output", nil)
	j.stubbed(`while [ $# -gt 0 ]; do
  case $1 in --out) out=$2 ;; -o) f=${2#*=}; printf '# x\n::add-mask::%s\n##[set-env name=A]b\n::error file=a.py,line=1::fine ##[add-mask]x\n' "${2%%=*}" >"$f" ;; esac
  shift
done
mkdir -p "$out/case" && echo case >"$out/latest"
printf '{\n  "digest": "sha256:12",\n  "case": {\n    "pdf_path": "x\\n  \"digest\": \"sha256:66\"",\n    "digest": "sha256:77"\n  },\n  "status": "partial",\n  "verdict": {\n    "overall": {\n      "exact": 2.5,\n      "capped": true\n    },\n    "rulings": [\n      {\n        "exact": 5\n      }\n    ]\n  }\n}\n' >"$out/case/record.json"
echo >"$out/case/report.md"; echo >"$out/case/report.html"
for l in '  ::add-mask::a' '##[add-mask]b' 'x ##[set-output name=score]5' '::set-output name=score::5' '::stop-commands::x' '::x::' 'FAIL  a ##[add-mask]c'; do echo "$l"; echo "$l" >&2; done
exit 3`)
	j.run()
	for _, c := range j.ordered {
		if c.name != "error" || c.properties == "" {
			t.Errorf("the runner obeys %+v", c)
		}
	}
	want := map[string]string{"score": "2.5", "outcome": "partial", "capped-by": "security_override", "digest": "sha256:12"}
	for name, v := range want {
		if j.outputs[name] != v {
			t.Errorf("%s is %q, want %q", name, j.outputs[name], v)
		}
	}
	if j.failed != "Gate" || j.code != 3 {
		t.Errorf("%q ended with %d:\n%s", j.failed, j.code, j.log)
	}
}

// A release is taken when its digest is listed and right, and only then.
func takesRelease(t *testing.T, d *desk) {
	for name, digest := range map[string]string{"right": "", "wrong": strings.Repeat("0", 64)} {
		j := newJob(t, d, name, map[string]string{"automaton-path": "", "version": "1.2.3"})
		top := filepath.Dir(j.env["GITHUB_WORKSPACE"])
		j.file("automaton", "#!/bin/sh\n[ \"$1\" = version ] || { echo 'automaton: a release ran' >&2; exit 2; }\n")
		const archive = "automaton_1.2.3_linux_amd64.tar.gz"
		c := exec.Command("sh", "-c", "tar -czf "+archive+" ./automaton && mkdir -p action/action && cp \"$A/action/run.sh\" action/action && cp \"$A/install.sh\" action && sha256sum "+archive+" >action/action/releases.sha256")
		c.Dir, c.Env = top, append(os.Environ(), "A="+j.env["GITHUB_ACTION_PATH"])
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if digest != "" {
			j.file("action/action/releases.sha256", digest+"  "+archive+"\n")
		}
		j.env["GITHUB_ACTION_PATH"] = filepath.Join(top, "action")
		j.file("bin/curl", "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" != -o ] || out=$2; shift; done\necho \"$1\" >"+top+"/calls\ncp "+top+"/"+archive+" \"$out\"\n")
		j.run()
		said := j.obeyed("error")
		if got := j.read("calls"); got != "https://github.com/automaton-auditor/automaton/releases/download/v1.2.3/"+archive+"\n" {
			t.Errorf("%s: fetched %q:\n%s", name, got, j.log)
		}
		if want := map[string]string{"right": "a release ran", "wrong": "is listed here"}[name]; j.code != 2 || len(said) != 1 || !strings.Contains(said[0].data, want) {
			t.Errorf("%s: %q ended with %d and said %v", name, j.failed, j.code, said)
		}
	}
}

// No expression stands in a script, every script is in our file, and what it
// reads of the environment is given.
func TestActionManifest(t *testing.T) {
	m := readManifest(t)
	raw, err := os.ReadFile("../../action/run.sh")
	if err != nil {
		t.Fatal(err)
	}
	if m.Runs.Using != "composite" || strings.Contains(string(raw), "${{") {
		t.Errorf("using %q, or an expression in run.sh", m.Runs.Using)
	}
	pinned := regexp.MustCompile(`^[a-z-]+(/[a-z-]+){1,2}@[0-9a-f]{40}$`)
	for _, s := range m.Runs.Steps {
		switch {
		case s.Uses != "" && !pinned.MatchString(s.Uses):
			t.Errorf("%q is not pinned", s.Uses)
		case s.Uses == "" && !regexp.MustCompile(`^bash "\$GITHUB_ACTION_PATH/action/run\.sh" [a-z]+$`).MatchString(s.Run):
			t.Errorf("step %q runs %q", s.Name, s.Run)
		case s.Env["GH_TOKEN"] != "" && s.Name != "Comment" && s.Name != "Find the baseline":
			t.Errorf("step %q has the token", s.Name)
		}
	}
	for name, in := range m.Inputs {
		if in.Description == "" || !strings.Contains(fmt.Sprint(m.Runs.Steps), "inputs."+name) {
			t.Errorf("input %s has no description, or nobody reads it", name)
		}
	}
	for name, o := range m.Outputs {
		if o.Value != "${{ steps.audit.outputs."+name+" }}" || !strings.Contains(string(raw), "output "+name+" ") {
			t.Errorf("output %s is %q", name, o.Value)
		}
	}
}
