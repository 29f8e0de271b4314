package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// audited makes a working directory that is the audited tree.
func audited(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	if err := os.MkdirAll(filepath.Join(w.Dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.file(t, "automaton.yaml", "fail_under: [1]\n")
	w.file(t, "my.env", "AUTOMATON_RUBRIC=report\n")
	w.file(t, "rubric.json", `{"dimensions": [{"id": "a", "forensic_instruction": "x"}]}`)
	return w
}

// A file of the audited tree is refused however it is named.
func TestNamedFileOfTheTree(t *testing.T) {
	tests := map[string]struct{ flag, file string }{
		"config":        {"--config", "automaton.yaml"},
		"config dotted": {"--config", "./sub/../automaton.yaml"},
		"config linked": {"--config", "../link.yaml"},
		"env":           {"--env-file", "my.env"},
		"env dotted":    {"--env-file", "././my.env"},
		"rubric":        {"-r", "rubric.json"},
		"not there":     {"--config", "none.yaml"},
		"nor its place": {"--config", "none/none.yaml"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			outer := newWorld(t)
			w := audited(t)
			tree := filepath.Join(outer.Dir, "tree")
			if err := os.Rename(w.Dir, tree); err != nil {
				t.Fatal(err)
			}
			w.Dir = tree
			w.file(t, "sub/x", "")
			if err := os.Symlink("tree/automaton.yaml", filepath.Join(outer.Dir, "link.yaml")); err != nil {
				t.Fatal(err)
			}
			code := w.run("audit", ".", "-n", tc.flag, tc.file)
			if code != exitUsage || !strings.Contains(w.err.String(), tc.file+": it lies inside the audited tree") {
				t.Errorf("exit %d, said %q", code, w.err.String())
			}
			for _, hint := range []string{"hint: take it from a revision you trust", "hint: --trust-tree if every change"} {
				if !strings.Contains(w.err.String(), hint) {
					t.Errorf("no %q in %q", hint, w.err.String())
				}
			}
		})
	}
}

// What lies there by itself is left alone and named; --trust-tree reads it.
func TestUnnamedFileOfTheTree(t *testing.T) {
	w := audited(t)
	w.file(t, ".env", "AUTOMATON_RUBRIC=none.json\n")
	w.file(t, "home/automaton/config.yaml", "rubric: none.json\n")
	w.vars["XDG_CONFIG_HOME"] = filepath.Join(w.Dir, "home")
	if code := w.run("audit", ".", "-n", "-d"); code != exitDone {
		t.Errorf("exit %d, said %q", code, w.err.String())
	}
	for _, name := range []string{".env", "automaton.yaml", "the user's config.yaml"} {
		if !strings.Contains(w.err.String(), "automaton: warning: "+name+" lies inside the audited tree and is not read") {
			t.Errorf("%s is not named in %q", name, w.err.String())
		}
	}
	if strings.Contains(w.err.String(), "setting rubric") || strings.Contains(w.err.String(), "setting fail_under") {
		t.Errorf("a setting was taken: %q", w.err.String())
	}
	if code := w.run("audit", ".", "-n", "--trust-tree"); code != exitUsage || !strings.Contains(w.err.String(), "none.json") {
		t.Errorf("with --trust-tree: exit %d, said %q", code, w.err.String())
	}
}

// Where it cannot be found out where a file lies, it is not trusted.
func TestInTreeFailsClosed(t *testing.T) {
	w := audited(t)
	a := w.app()
	a.trees = []string{w.Dir}
	outside := t.TempDir()
	if err := os.Symlink(filepath.Join(outside, "nothing"), filepath.Join(outside, "dangling")); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		path string
		want bool
	}{
		"in it":              {filepath.Join(w.Dir, "automaton.yaml"), true},
		"the tree":           {w.Dir, true},
		"relative":           {"automaton.yaml", true},
		"outside":            {outside, false},
		"outside, not there": {filepath.Join(outside, "a", "b"), false},
		"leads nowhere":      {filepath.Join(outside, "dangling"), true},
		"below a file":       {filepath.Join(w.Dir, "my.env", "x"), true},
		"a like name":        {w.Dir + "2", false},
	}
	for name, tc := range tests {
		if got := a.inTree(tc.path); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	a.trees = []string{filepath.Join(outside, "gone")}
	if !a.inTree(outside) {
		t.Error("a tree that is gone holds nothing")
	}
}

// A path in a settings file is seen from that file.
func TestRubricBesideItsConfig(t *testing.T) {
	w := newWorld(t)
	w.file(t, "tree/.git/HEAD", "")
	w.file(t, "etc/automaton.yaml", "rubric: ours.json\n")
	w.file(t, "etc/ours.json", `{"name": "Ours", "dimensions": [{"id": "a", "forensic_instruction": "x"}]}`)
	if code := w.run("audit", "tree", "-n", "--config", "etc/automaton.yaml"); code != exitDone || !strings.HasPrefix(w.out.String(), "Ours") {
		t.Errorf("exit %d, printed %q, said %q", code, w.out.String(), w.err.String())
	}
	w.file(t, "tree/inside.json", `{"dimensions": [{"id": "a", "forensic_instruction": "x"}]}`)
	w.file(t, "etc/automaton.yaml", "rubric: ../tree/inside.json\n")
	if code := w.run("audit", "tree", "-n", "--config", "etc/automaton.yaml"); code != exitUsage || !strings.Contains(w.err.String(), "lies inside the audited tree") {
		t.Errorf("exit %d, said %q", code, w.err.String())
	}
}

// Keys that are not ours are named to the one who asks, without their values.
func TestIgnoredKeysAreNamed(t *testing.T) {
	w := newWorld(t)
	w.file(t, ".env", "PATH=/evil\nOTHER=secret\nAUTOMATON_JOBS=2\n")
	w.file(t, "work/.git/HEAD", "")
	if code := w.run("audit", "work", "-n", "-d"); code != exitDone || !strings.Contains(w.err.String(), ".env: keys that are not taken: PATH, OTHER\n") {
		t.Errorf("exit %d, said %q", code, w.err.String())
	}
	if strings.Contains(w.err.String(), "secret") || strings.Contains(w.err.String(), "/evil") {
		t.Errorf("a value is shown: %q", w.err.String())
	}
}

// A token is given to its own host and to no other.
func TestTokenPerHost(t *testing.T) {
	w := newWorld(t)
	w.vars["GITHUB_TOKEN"], w.vars["GITLAB_TOKEN"] = "hub", "lab"
	a := w.app()
	for host, want := range map[string]string{"github.com": "hub", "gitlab.com": "lab", "gitlab.example.org": "", "gitlab.com.example.org": "", "api.github.com": "", "": ""} {
		if got := a.token(host); got != want {
			t.Errorf("%s gets %q", host, got)
		}
	}
}
