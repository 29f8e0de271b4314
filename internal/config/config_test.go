package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, text string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), "automaton.yaml")
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLaterLayersWin(t *testing.T) {
	c := New()
	file := write(t, "jobs: 3\ntimeout: 2m\nfail_under: [3.5, git_forensic_analysis=3]\nrubric: mine.json\n")
	dir := filepath.Dir(file)
	if err := c.File(file, "automaton.yaml", true); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"AUTOMATON_JOBS": "5", "AUTOMATON_FAIL_ON": "contested,insufficient"}
	if err := c.Environment(func(k string) string { return env[k] }); err != nil {
		t.Fatal(err)
	}
	if err := c.Set("rubric", "--rubric", "courtroom"); err != nil {
		t.Fatal(err)
	}
	got := map[string]Setting{}
	for _, k := range []string{"jobs", "timeout", "fail_under", "fail_on", "rubric", "out"} {
		got[k] = c.Get(k)
	}
	want := map[string]Setting{
		"jobs":       {Values: []string{"5"}, Origin: "AUTOMATON_JOBS"},
		"timeout":    {Values: []string{"2m"}, Origin: "automaton.yaml", Dir: dir},
		"fail_under": {Values: []string{"3.5", "git_forensic_analysis=3"}, Origin: "automaton.yaml", Dir: dir},
		"fail_on":    {Values: []string{"contested", "insufficient"}, Origin: "AUTOMATON_FAIL_ON"},
		"rubric":     {Values: []string{"courtroom"}, Origin: "--rubric"},
		"out":        {Values: []string{"automaton-out"}, Origin: "built-in"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if c.Number("jobs") != 5 || c.Duration("timeout") != 2*time.Minute || c.Switch("require_sandbox") {
		t.Error("typed values differ")
	}
}

func TestFileMistakes(t *testing.T) {
	tests := map[string]struct{ text, want, hint string }{
		"unknown key":  {"rubric: x\nfail_undr: 3\n", `reading automaton.yaml: 2:1: unknown key "fail_undr"`, "did you mean fail_under"},
		"twice":        {"jobs: 1\njobs: 2\n", "automaton.yaml: 2:1:", ""},
		"wrong type":   {"jobs: many\n", `1:7: jobs: "many" is not a valid number, for example 4`, ""},
		"unknown word": {"color: pink\n", `1:8: color: unknown value "pink" (have auto, always, never)`, ""},
		"nested":       {"out: {a: b}\n", "1:6: out: a plain value or a list of them is wanted", ""},
		"no value":     {"jobs: 1\nout:\n", "2:6: out: a value is missing", ""},
		"null":         {"out: ~\n", "1:6: out: a value is missing", ""},
		"list of null": {"fail_on: [~]\n", "a value is missing", ""},
		"list of text": {"rubric: [a, b]\n", "1:9: rubric: one value is wanted, not a list", ""},
		"list of time": {"timeout: [1m, 2m]\n", "timeout: one value is wanted, not a list", ""},
		"empty list":   {"jobs: []\n", "jobs: one value is wanted, not a list", ""},
		"list in list": {"fail_on: [[contested]]\n", "a plain value or a list of them is wanted", ""},
		"too large":    {"# " + strings.Repeat("x", maxFile) + "\n", "reading automaton.yaml: over 64 KiB", ""},
		"not a map":    {"- a\n", "the file must hold keys and values", ""},
		"syntax":       {"a: [1\n", "automaton.yaml: ", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			err := New().File(write(t, tc.text), "automaton.yaml", true)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("error %v, want %q", err, tc.want)
			}
			if pe, ok := errors.AsType[*PosError](err); tc.hint != "" && (!ok || pe.Hint != tc.hint) {
				t.Errorf("hint of %#v, want %q", err, tc.hint)
			}
		})
	}
	if err := New().File(filepath.Join(t.TempDir(), "none"), "automaton.yaml", false); err != nil {
		t.Errorf("a file that need not be there: %v", err)
	}
	if err := New().File(filepath.Join(t.TempDir(), "none"), "automaton.yaml", true); err == nil {
		t.Error("a file that must be there is missed without a word")
	}
}

func TestDotEnv(t *testing.T) {
	p := write(t, "# keys\nexport GITHUB_TOKEN='abc # no comment' # comment\nAUTOMATON_JOBS=2 # two\nPATH=/evil\nGH_TOKEN=\"x\"\nGITLAB_TOKEN=   # of the school\nNO_COLOR=#1\nFORCE_COLOR = '#' # a sign\n")
	got, err := DotEnv(p, ".env", true)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(EnvFile{Read: true, Values: map[string]string{"GITHUB_TOKEN": "abc # no comment", "AUTOMATON_JOBS": "2", "GH_TOKEN": "x", "GITLAB_TOKEN": "", "NO_COLOR": "#1", "FORCE_COLOR": "#"}, Ignored: []string{"PATH"}}, got); d != "" {
		t.Error(d)
	}
	_, err = DotEnv(write(t, "A=1\nsecret value\n"), ".env", true)
	if err == nil || !strings.Contains(err.Error(), "line 2") || strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v must name line 2 and not its content", err)
	}
}

// A list in a file replaces the list below it, also when it is empty.
func TestEmptyListReplaces(t *testing.T) {
	c := New()
	if err := c.Set("fail_on", "the user's config.yaml", "contested"); err != nil {
		t.Fatal(err)
	}
	if err := c.File(write(t, "fail_on: []\n"), "automaton.yaml", true); err != nil {
		t.Fatal(err)
	}
	if got := c.List("fail_on"); len(got) != 0 {
		t.Errorf("%q is left", got)
	}
}

func FuzzFile(f *testing.F) {
	for _, s := range []string{"jobs: 3\n", "a: [", "fail_on: [contested]", "&a *a", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_ = New().File(write(t, s), "automaton.yaml", true) // no panic
	})
}
