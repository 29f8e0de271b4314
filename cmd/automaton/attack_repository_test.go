package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/attack"
)

// Hostile repositories that are refused, and what the user reads then.
func TestD27RefusedRepositories(t *testing.T) {
	codes := map[string]string{
		"alternates": "git_alternates", "objects-link": "git_symlink", "gitfile": "local_gitfile", "fifo-config": "git_special", "fifo-object": "git_special",
		"empty": "git_empty", "head-traversing": "git_ref", "packed-refs-long": "git_ref",
	}
	for _, a := range attack.Repositories() {
		code, ok := codes[a.Name]
		if !ok {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			base := t.TempDir()
			dir, run := filepath.Join(base, "target"), filepath.Join(base, "run")
			for _, d := range []string{dir, run} {
				if err := os.Mkdir(d, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := a.Build(dir, filepath.Join(base, "canary")); err != nil {
				t.Fatal(err)
			}
			c := exec.CommandContext(t.Context(), "automaton", "audit", dir, "--pdf", "none", "--progress", "none", "--out", filepath.Join(base, "out"))
			c.Env = append(os.Environ(), "TMPDIR="+run, "HOME="+base, "NO_COLOR=1")
			var stdout, stderr bytes.Buffer
			c.Stdout, c.Stderr = &stdout, &stderr
			if err := c.Run(); err == nil || c.ProcessState.ExitCode() != 2 {
				t.Errorf("ended with %v", err)
			}
			said := stderr.String()
			if strings.Count(said, "automaton: ") != 1 || !strings.Contains(said, code+": ") || stdout.Len() > 0 || strings.Contains(said, attack.Secret) ||
				strings.ContainsFunc(said, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
				t.Errorf("said %q, printed %q", said, stdout.String())
			}
			if left, err := os.ReadDir(run); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
			if ran, err := filepath.Glob(filepath.Join(base, "canary*")); err != nil || len(ran) > 0 {
				t.Errorf("executed: %v, %v", ran, err)
			}
		})
	}
}
