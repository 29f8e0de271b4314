package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/automaton-auditor/automaton/internal/llm/llmtest"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// The test binary is automaton, too: the scripts run it through the real main,
// and the sandbox starts it again as its children.
func TestMain(m *testing.M) {
	if os.Getenv("AUTOMATON_MODELS") != "" { // for make fleet
		serveModels(os.Stdout)
	}
	sandbox.Main(trial.Workers())
	testscript.Main(m, map[string]func(){"automaton": main})
}

// TestScripts runs testdata/script. "courtroom DIR" makes a repository with a
// complete miniature program, "linear DIR" one whose graph is a chain.
func TestScripts(t *testing.T) {
	cache := t.TempDir()
	source, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	warm(t, cache)
	models := llmtest.New(t, llmtest.Script{Answer: judge})
	dir, files := "testdata/script", []string(nil)
	if testing.Short() { // the others run once more without the race detector
		dir, files = "", []string{"testdata/script/audit.txtar", "testdata/script/gate.txtar"}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               files,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("SOURCE", source)
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("AUTOMATON_CACHE", cache)
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			e.Setenv("GIT_AUTHOR_NAME", "Ada")
			e.Setenv("GIT_AUTHOR_EMAIL", "ada@example.org")
			e.Setenv("GIT_COMMITTER_NAME", "Ada")
			e.Setenv("GIT_COMMITTER_EMAIL", "ada@example.org")
			e.Setenv("SOURCE_DATE_EPOCH", "1767225600")
			e.Setenv("NO_COLOR", "1")
			e.Setenv("MODELS", models.URL)
			return os.MkdirAll(filepath.Join(e.WorkDir, "home"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"courtroom": func(ts *testscript.TestScript, _ bool, args []string) { program(ts, args, true) },
			"linear":    func(ts *testscript.TestScript, _ bool, args []string) { program(ts, args, false) },
			"same":      same,
			"pdf":       writePDF,
			"word":      writeWord,
			"encrypted": writeEncrypted,
			"guide":     guide,
			"promises":  promises,
			"shown":     shown,
			"envsubst":  envsubst,
		},
	})
}

// same compares two files byte for byte, but for what may differ between two
// runs: the "run" of a record is taken out first.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: same FILE FILE")
	}
	a, b := withoutRun(ts.ReadFile(args[0])), withoutRun(ts.ReadFile(args[1]))
	if (a == b) == neg {
		ts.Fatalf("%s and %s: equal is %t", args[0], args[1], a == b)
	}
}

// envsubst replaces ${NAME} in a file by the variable of the script.
func envsubst(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: envsubst FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(os.Expand(ts.ReadFile(args[0]), ts.Getenv)), 0o600))
}

func withoutRun(s string) string {
	before, _, _ := strings.Cut(s, "\n  \"run\": {")
	return before
}
