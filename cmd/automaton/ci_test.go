package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

// hook is an entry of .pre-commit-hooks.yaml.
type hook struct {
	ID, Name, Description, Language, Entry string
	Args, Stages                           []string
	PassFilenames                          bool   `yaml:"pass_filenames"`
	AlwaysRun                              bool   `yaml:"always_run"`
	RequireSerial                          bool   `yaml:"require_serial"`
	Minimum                                string `yaml:"minimum_pre_commit_version"`
}

// ciGuide is what the guide for CI shows.
type ciGuide struct {
	text     string
	workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]any
			}
		}
	}
	gitlab map[string]struct {
		Script    []string
		Artifacts struct{ Reports map[string]string }
	}
	config struct {
		Repos []struct {
			Repo  string
			Hooks []struct {
				ID   string
				Args []string
			}
		}
	}
}

func readGuide(t *testing.T) *ciGuide {
	t.Helper()
	raw, err := os.ReadFile("../../docs/guide/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	g := &ciGuide{text: string(raw)}
	blocks := regexp.MustCompile("(?s)\n```yaml\n(.*?)\n```\n").FindAllStringSubmatch(g.text, -1)
	if len(blocks) != 3 {
		t.Fatalf("%d blocks of yaml", len(blocks))
	}
	for i, to := range []any{&g.workflow, &g.config, &g.gitlab} {
		if err := yaml.Unmarshal([]byte(blocks[i][1]), to); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// The guide names every input and output of the action with its default, and its
// workflow uses none that is not there.
func TestGuideNamesWhatTheActionTakes(t *testing.T) {
	m, g := readManifest(t), readGuide(t)
	uses := 0
	for _, s := range g.workflow.Jobs["audit"].Steps {
		if !strings.HasPrefix(s.Uses, "automaton-auditor/automaton@") {
			continue
		}
		uses++
		for name := range s.With {
			if _, ok := m.Inputs[name]; !ok {
				t.Errorf("the workflow gives %s, which the action does not take", name)
			}
		}
	}
	if uses != 1 {
		t.Errorf("the workflow uses the action %d times", uses)
	}
	inputs, outputs := map[string]string{}, map[string]string{}
	want, wantOut := map[string]string{}, map[string]string{}
	for name, in := range m.Inputs {
		want[name] = in.Default
	}
	for name := range m.Outputs {
		wantOut[name] = ""
	}
	row := regexp.MustCompile("(?m)^\\| ((?:`[a-z-]+`(?:, )?)+) \\| (.*?) \\|( .* \\|)?$") // of inputs it has three cells
	_, tables, _ := strings.Cut(g.text, "\n| input |")
	for _, cells := range row.FindAllStringSubmatch(tables, -1) {
		for name := range strings.SplitSeq(strings.ReplaceAll(cells[1], "`", ""), ", ") {
			if cells[3] == "" {
				outputs[name] = ""
			} else {
				inputs[name] = strings.TrimPrefix(strings.Trim(cells[2], "`"), "none")
			}
		}
	}
	if diff := cmp.Diff(want, inputs); diff != "" {
		t.Errorf("inputs (-action +guide):\n%s", diff)
	}
	if diff := cmp.Diff(wantOut, outputs); diff != "" {
		t.Errorf("outputs (-action +guide):\n%s", diff)
	}
}

// What the job for GitLab runs is a command of ours that writes the report which it names.
func TestGitLabJob(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case")
	}
	t.Parallel()
	ours := readGuide(t).gitlab["audit"]
	d := newDesk(t)
	work := filepath.Join(d.dir, "work")
	commitIn(&job{desk: d, t: t}, work, map[string]string{".ci/rubric.json": law("Law of the base")})
	c := exec.Command("sh", "-ec", "git update-ref refs/remotes/origin/main main\n"+strings.Join(ours.Script, "\n"))
	c.Dir, c.Env = work, append(d.env, "CI_DEFAULT_BRANCH=main")
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\nPASS  ") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(work, ours.Artifacts.Reports["junit"])); err != nil {
		t.Error(err)
	}
}

// The hook for pre-commit is a command of ours that runs, as it stands and as
// the guide changes it; it stands where there is a commit to look at.
func TestPreCommitHook(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case")
	}
	t.Parallel()
	raw, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []hook
	if err := yaml.UnmarshalWithOptions(raw, &hooks, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	if len(hooks) != 1 || hooks[0].Language != "script" || hooks[0].PassFilenames || !hooks[0].AlwaysRun || slices.Contains(hooks[0].Stages, "pre-commit") || !slices.Contains(hooks[0].Stages, "pre-push") {
		t.Fatalf("the hooks are %+v", hooks)
	}
	theirs := readGuide(t).config.Repos[0].Hooks[0]
	if theirs.ID != hooks[0].ID {
		t.Errorf("the guide names the hook %q, and it is %q", theirs.ID, hooks[0].ID)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	self, err := exec.LookPath("automaton")
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	for _, args := range [][]string{hooks[0].Args, theirs.Args} {
		words := append(strings.Fields(hooks[0].Entry), args...)
		c := exec.Command(filepath.Join(root, words[0]), words[1:]...)
		c.Dir, c.Env = filepath.Join(d.dir, "work"), append(d.env, "AUTOMATON_PATH="+self)
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "\nPASS  ") {
			t.Errorf("%q: %v: %s", words, err, out)
		}
	}
	c := exec.Command("git", "-C", filepath.Join(d.dir, "work"), "status", "--porcelain")
	if out, err := c.Output(); err != nil || len(out) > 0 { // pre-commit fails a hook that leaves changes
		t.Errorf("%v: the work tree has %s", err, out)
	}
}
