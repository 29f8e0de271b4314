package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A page is shown by what BROWSER names or else by the desktop, without a shell
// and without our secrets; one that fails is followed by the next.
func TestShow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
		return p
	}
	page := filepath.Join(dir, "a page; touch owned $(touch owned).html")
	writes := script("writes", `printf '%s\n' "$#" "$@" >"$HOME/args"; env >"$HOME/env"`)
	fails := script("fails", "exit 3")
	gate := filepath.Join(dir, "gate")
	hangs := script("hangs", `read x <"$HOME/gate"`)
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	script("xdg-open", `printf 'desktop\n' >"$HOME/args"`)
	env := map[string]string{"HOME": dir, "PATH": dir + string(os.PathListSeparator) + os.Getenv("PATH"), "GITHUB_TOKEN": "a secret", "OPENAI_API_KEY": "a secret", "AUTOMATON_OUT": "x"}
	for name, tc := range map[string]struct {
		browser, args, fault string
	}{
		"one":          {writes, "1\n" + page + "\n", ""},
		"with a place": {writes + " --new %s -x", "3\n--new\n" + page + "\n-x\n", ""},
		"the second":   {fails + ":" + writes, "1\n" + page + "\n", ""},
		"none works":   {fails + ":" + filepath.Join(dir, "none"), "", "exit status 3"},
		"one is slow":  {hangs, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(filepath.Join(dir, "args"))
			env["BROWSER"] = tc.browser
			err := Show(page, func(k string) string { return env[k] })
			if (err != nil) != (tc.fault != "") || err != nil && !strings.Contains(err.Error(), tc.fault) {
				t.Errorf("%v, want %q", err, tc.fault)
			}
			got, _ := os.ReadFile(filepath.Join(dir, "args"))
			if string(got) != tc.args {
				t.Errorf("called with %q, want %q", got, tc.args)
			}
		})
	}
	open, err := os.OpenFile(gate, os.O_RDWR, 0) // "one is slow" was not waited for, or this is not reached
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if _, err := open.WriteString("end\n"); err != nil {
		t.Error(err)
	}
	if raw, err := os.ReadFile(filepath.Join(dir, "env")); err != nil || strings.Contains(string(raw), "secret") || strings.Contains(string(raw), "AUTOMATON") {
		t.Errorf("its environment is %s, %v", raw, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
		t.Error("a shell read the name")
	}
	delete(env, "BROWSER")
	if got := browsers(page, func(k string) string { return env[k] }); len(got) != 1 || !slices.Contains(got[0], page) {
		t.Errorf("without BROWSER: %q", got)
	}
	if err := Show("page.html", os.Getenv); err == nil {
		t.Error("a relative path might be an option")
	}
}
