package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/attack"
)

// ending is what an audit of a hostile repository comes to.
type ending struct {
	code int
	says string // in what is told; of a refusal: its code
}

// whole is a full result.
var whole = ending{}

// attacked audits hostile repositories through the program itself and looks at
// all that it leaves.
func attacked(t *testing.T, ends map[string]ending) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	met := 0
	for _, a := range attack.Repositories() {
		end, ok := ends[a.Name]
		if !ok {
			continue
		}
		met++
		t.Run(a.Name, func(t *testing.T) { l.attack(t, a, end) })
	}
	if met != len(ends) {
		t.Errorf("%d of %d repositories are built", met, len(ends))
	}
}

func (l *lab) attack(t *testing.T, a attack.Repository, end ending) {
	t.Helper()
	dir, out := filepath.Join(l.dir, "target-"+a.Name), "out-"+a.Name
	open := filepath.Join(l.dir, "canary-"+a.Name) // for whatever uid leaves one
	for path, mode := range map[string]os.FileMode{dir: 0o755, open: 0o777} {
		if err := os.Mkdir(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Build(dir, filepath.Join(open, "canary")); err != nil {
		t.Fatal(err)
	}
	r := l.run(t, "audit", dir, "--pdf", "none", "--out", out, "--progress", "none", "-f", "md")
	r.clean(t)
	if r.code() != end.code || !strings.Contains(r.said(), end.says) {
		t.Errorf("%s, want %+v", r, end)
	}
	l.harmless(t, out, r.said(), r.stdout.String())
	if ran, err := os.ReadDir(open); err != nil || len(ran) > 0 {
		t.Errorf("executed: %v, %v", ran, err)
	}
	if end.code == 2 {
		if strings.Count("\n"+r.said(), "\nautomaton: ") != 1 || r.stdout.Len() > 0 || l.whole(t, out) != 0 {
			t.Errorf("%s, printed %.200q", r, r.stdout.String())
		}
		return
	}
	if l.whole(t, out) != 1 {
		t.Errorf("no record: %s", r)
	}
	l.tidy(t, out)
	v := l.run(t, "verify", filepath.Dir(l.glob(t, out+"/*/record.json")))
	v.clean(t)
	if v.code() != 0 {
		t.Error(v)
	}
	l.harmless(t, out, v.said(), v.stdout.String())
}

// harmless looks for what may be in no output: in texts, and in every file and
// name of an output folder.
func (l *lab) harmless(t *testing.T, out string, texts ...string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(l.dir, out), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			texts = append(texts, path)
			return err
		}
		raw, err := os.ReadFile(path)
		texts = append(texts, path, string(raw))
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, text := range texts {
		if i := strings.IndexFunc(text, acts); i >= 0 {
			t.Errorf("a byte that acts, in %.80q: %.80q", text, text[max(0, i-20):])
		}
		if !utf8.ValidString(text) {
			t.Errorf("bytes that are no text in %.80q", text)
		}
		for _, never := range []string{attack.Secret, "goroutine ", "root:x:0:0"} {
			if strings.Contains(text, never) {
				t.Errorf("%q in %.80q", never, text)
			}
		}
	}
}

func TestD01Programs(t *testing.T) {
	attacked(t, map[string]ending{"hooks": whole, "hooks-bare-layout": whole})
}

func TestD02Settings(t *testing.T) {
	attacked(t, map[string]ending{"evil-config": whole, "evil-worktree-config": whole})
}

func TestD12Submodules(t *testing.T) { attacked(t, map[string]ending{"submodule": whole}) }

func TestD13Links(t *testing.T) { attacked(t, map[string]ending{"symlinks": whole}) }

func TestD14Collisions(t *testing.T) { attacked(t, map[string]ending{"case-collision": whole}) }

func TestD15Names(t *testing.T) { attacked(t, map[string]ending{"names": whole}) }

func TestD16DotGit(t *testing.T) {
	attacked(t, map[string]ending{"dotgit-tree": whole, "dotgit-spellings": whole})
}

func TestD22LongPath(t *testing.T) { attacked(t, map[string]ending{"long-path": whole}) }

func TestD23OddCommits(t *testing.T) { attacked(t, map[string]ending{"odd-commits": whole}) }

func TestD25Broken(t *testing.T) {
	attacked(t, map[string]ending{
		"missing-blob": whole, "flipped-byte": whole, "other-content": whole, "lying-size": whole, "stray-caches": whole,
		"truncated-pack": {2, "git_empty: "}, "damaged-index": {2, "git_empty: "}, "all-missing": {2, "git_empty: "},
	})
}

func TestD26Refs(t *testing.T) {
	attacked(t, map[string]ending{
		"odd-refs": whole, "head-detached": whole, "empty": {2, "git_empty: "}, "head-dangling": {2, "git_"}, "head-traversing": {2, "git_ref: "},
		"head-escapes": {2, "git_ref: "}, "packed-refs-long": {2, "git_ref: "},
	})
}

// Hostile repositories that are refused, and what the user reads then.
func TestD27RefusedRepositories(t *testing.T) {
	attacked(t, map[string]ending{
		"alternates": {2, "git_alternates: "}, "objects-link": {2, "git_symlink: "}, "refs-link": {2, "git_symlink: "}, "gitfile": {2, "local_gitfile: "},
	})
}

func TestD28Pipes(t *testing.T) {
	attacked(t, map[string]ending{"fifo-config": {2, "git_special: "}, "fifo-object": {2, "git_special: "}, "fifo-work-tree": whole, "fifo-work-tree-env": whole})
}

func TestD29LazyFetch(t *testing.T) { attacked(t, map[string]ending{"lazy-fetch": whole}) }
