package repo

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/attack"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

func TestD01Hooks(t *testing.T) {
	check := func(t *testing.T, r *Repo) {
		ordinary(t, r)
		// of what we ask git for, nothing would run a hook: so it is told to
		for _, name := range []string{"post-checkout", "reference-transaction", "pre-receive", "update"} {
			if _, err := r.git(t.Context(), sandbox.Limits{}, nil, nil, "hook", "run", name); err == nil || !strings.Contains(err.Error(), "cannot find a hook") {
				t.Errorf("running hook %s: %v", name, err)
			}
		}
	}
	endure(t, "D01", map[string]fate{"hooks": {check: check}, "hooks-bare-layout": {check: check}})
}

func TestD02EvilConfig(t *testing.T) {
	endure(t, "D02", map[string]fate{"evil-config": {check: func(t *testing.T, r *Repo) {
		ordinary(t, r)
		if b, err := r.Blob(t.Context(), ".gitattributes"); err != nil || !strings.Contains(string(b), "filter=pwn") {
			t.Errorf(".gitattributes: %q, %v", b, err)
		}
	}}, "evil-worktree-config": {}})
}

func TestD12Submodules(t *testing.T) {
	endure(t, "D12", map[string]fate{"submodule": {check: func(t *testing.T, r *Repo) {
		ordinary(t, r)
		for _, path := range []string{"x", "y\r", "z", "deep/w"} {
			wantFlag(t, r, path, "submodule")
			if _, err := r.Blob(t.Context(), path); !errors.Is(err, ErrNotFile) {
				t.Errorf("%q: %v", path, err)
			}
		}
		wantFlag(t, r, "y\r", "control_char")
	}}})
}

func TestD13Symlinks(t *testing.T) {
	endure(t, "D13", map[string]fate{"symlinks": {check: func(t *testing.T, r *Repo) {
		ordinary(t, r)
		for path, target := range attack.Links() {
			wantFlag(t, r, path, "symlink")
			wantFile(t, r, path, target)
		}
	}}})
}

func TestD14CaseCollision(t *testing.T) {
	endure(t, "D14", map[string]fate{"case-collision": {check: func(t *testing.T, r *Repo) {
		for path, want := range map[string]string{
			"README.md": "one\n", "readme.md": "two\n", "ReadMe.md": "three\n", "A": ".git/hooks", "e\u0301.py": "four\n", "\u00e9.py": "five\n",
		} {
			wantFile(t, r, path, want)
		}
		if e, ok := r.Entry("a/post-checkout"); !ok || e.Kind != Executable {
			t.Errorf("a/post-checkout: %+v", e)
		}
	}}})
}

func TestD15Names(t *testing.T) {
	endure(t, "D15", map[string]fate{"names": {check: func(t *testing.T, r *Repo) {
		if len(r.Tree()) != len(attack.Names()) {
			t.Errorf("%d files", len(r.Tree()))
		}
		for name, flags := range attack.Names() {
			wantFile(t, r, name, "x = 1\n")
			for _, flag := range flags {
				wantFlag(t, r, name, flag)
			}
			if e, _ := r.Entry(name); len(flags) == 0 && len(e.Flags) > 0 {
				t.Errorf("%q: %v", name, e.Flags)
			}
		}
	}}})
}

func TestD16DotgitTree(t *testing.T) {
	endure(t, "D16", map[string]fate{
		"dotgit-tree": {fetched: byGit, check: func(t *testing.T, r *Repo) {
			for _, path := range []string{".git/config", ".GIT/config", "git~1/config", ".g\u200cit/config", "..", ".", "/abs", ".../../.."} {
				wantFlag(t, r, path, "dotgit_or_dots")
			}
			wantFlag(t, r, "/abs", "absolute")
			wantFile(t, r, "..", "x = 1\n")
			if n := len(r.Tree()); n != 14 {
				t.Errorf("%d files", n)
			}
		}},
		"dotgit-spellings": {fetched: byGit, check: func(t *testing.T, r *Repo) {
			ordinary(t, r)
			for _, name := range []string{".git ", ".git.", ".git::$INDEX_ALLOCATION", "GIT~1", "git~2", ".Git", ".gi\u200dt", "\ufeff.git"} {
				wantFlag(t, r, name+"/config", "dotgit_or_dots")
			}
		}},
	})
}

func TestD17Files100k(t *testing.T) {
	endure(t, "D17", map[string]fate{"files-100k": {check: cutTree}})
}

func TestD18TreeBomb(t *testing.T) { endure(t, "D18", map[string]fate{"tree-bomb": {check: cutTree}}) }

func cutTree(t *testing.T, r *Repo) {
	if len(r.Tree()) != 50_000 || !hasNote(r, "limit_tree", "") {
		t.Errorf("%d files, notes %v", len(r.Tree()), r.Notes())
	}
	if b, err := r.Blob(t.Context(), r.Tree()[0].Path); err != nil || len(b) == 0 {
		t.Errorf("first file: %q, %v", b, err)
	}
}

// Two gigabytes are listed, copied and checked in two hundred megabytes.
func TestD19ZeroBlob(t *testing.T) {
	endure(t, "D19", map[string]fate{"zero-2g": {limits: sandbox.Limits{Memory: 200 << 20}, check: func(t *testing.T, r *Repo) {
		wantFile(t, r, "a.py", "x = 1\n")
		wantLost(t, r, "zeros256.py", ErrTooLarge)
		wantLost(t, r, "zeros2048.py", ErrTooLarge)
		if e, _ := r.Entry("zeros2048.py"); e.Size != 2<<30 {
			t.Errorf("size %d", e.Size)
		}
	}}})
}

func TestD20ManyZeroBlobs(t *testing.T) {
	endure(t, "D20", map[string]fate{"many-zero": {fetched: "limit_cpu", limits: sandbox.Limits{CPU: 2e9}, check: func(t *testing.T, r *Repo) {
		wantFile(t, r, "a.py", "x = 1\n")
		for _, path := range []string{"z000.py", "z199.py"} {
			wantLost(t, r, path, ErrTooLarge)
		}
	}}})
}

func TestD21DeltaBomb(t *testing.T) {
	limits := sandbox.Limits{Memory: 500 << 20}
	endure(t, "D21", map[string]fate{
		"delta-bomb": {fetched: "limit_memory", limits: limits, check: func(t *testing.T, r *Repo) {
			wantFile(t, r, "a.py", "x = 1\n")
			for _, path := range []string{"z0016.py", "z0256.py", "z2048.py"} {
				wantLost(t, r, path, ErrTooLarge)
			}
		}},
		"delta-bomb-offered-small": {limits: limits, check: func(t *testing.T, r *Repo) {
			wantFile(t, r, "a.py", "x = 1\n")
			wantLost(t, r, "small.py", ErrMissing)
			if e, _ := r.Entry("small.py"); !hasNote(r, "limit_memory", e.OID) {
				t.Errorf("notes %v", r.Notes())
			}
		}},
	})
}

func TestD22DeepTree(t *testing.T) {
	check := func(t *testing.T, r *Repo) {
		if len(r.Tree()) != 1 {
			t.Fatalf("%d files", len(r.Tree()))
		}
		wantFlag(t, r, r.Tree()[0].Path, "deep")
		wantFile(t, r, r.Tree()[0].Path, "x = 1\n")
	}
	endure(t, "D22", map[string]fate{"deep-tree": {check: check}, "long-path": {check: check}})
}

func TestD29LazyFetch(t *testing.T) {
	endure(t, "D29", map[string]fate{"lazy-fetch": {fetched: "remote_cut", check: func(t *testing.T, r *Repo) {
		wantFile(t, r, "a.py", "x = 1\n")
		wantLost(t, r, "b.py", ErrMissing)
	}}})
}

// Nothing of the odd names in packed-refs is looked at.
func TestD26OddRefs(t *testing.T) {
	fates := map[string]fate{"odd-refs": {}, "head-detached": {}, "empty": {local: "git_empty", fetched: "git_empty"}}
	for code, names := range map[string][]string{
		"git_empty": {"head-dangling", "head-option"},
		"git_ref": {
			"head-traversing", "head-traversing-below", "head-absolute", "head-loop", "head-of-nothing", "head-escapes", "head-long", "head-revision",
			"packed-refs-long", "shallow-long", "head-huge",
		},
		"git_special": {"head-folder"},
	} {
		for _, name := range names {
			fates[name] = fate{local: code}
		}
	}
	endure(t, "D26", fates)
}

func TestD27BorrowedObjects(t *testing.T) {
	fates := map[string]fate{"gitfile": {local: "local_gitfile"}, "git-link": {local: "local_gitfile"}, "commondir": {local: "git_empty"}}
	for _, name := range []string{"alternates", "alternates-relative", "alternates-empty", "alternates-folder", "http-alternates"} {
		fates[name] = fate{local: "git_alternates"}
	}
	for _, name := range []string{
		"objects-link", "objects-pack-link", "objects-fanout-link", "object-link", "refs-link", "ref-link", "head-link", "packed-refs-link", "shallow-link",
	} {
		fates[name] = fate{local: "git_symlink"}
	}
	endure(t, "D27", fates)
}

func TestD28FIFO(t *testing.T) {
	fates := map[string]fate{}
	for _, a := range attack.Repositories() {
		if a.ID == "D28" {
			fates[a.Name] = fate{local: "git_special"}
		}
	}
	for _, name := range []string{"fifo-work-tree", "fifo-work-tree-settings", "fifo-work-tree-env"} {
		fates[name] = fate{check: func(t *testing.T, r *Repo) {
			ordinary(t, r)
			wantFile(t, r, "README.md", "# Read\n")
		}}
	}
	endure(t, "D28", fates)
}

func TestD23HugeMessage(t *testing.T) {
	cut := func(s string, limit int) bool { return len([]rune(s)) == limit+1 && strings.HasSuffix(s, "…") }
	last := func(t *testing.T, r *Repo) Commit {
		h := mustHistory(t, r)
		if !h.Complete() {
			t.Fatalf("missing %v", h.Missing)
		}
		wantFile(t, r, "a.py", "x = 1\n")
		return h.Commits[len(h.Commits)-1]
	}
	endure(t, "D23", map[string]fate{
		"huge-subject": {check: func(t *testing.T, r *Repo) {
			if c := last(t, r); !cut(c.Subject, maxSubject) {
				t.Errorf("subject of %d bytes", len(c.Subject))
			}
		}},
		"many-lines": {check: func(t *testing.T, r *Repo) {
			if c := last(t, r); !cut(c.Body, maxBody) || !strings.Contains(c.Author.Name, `\xff`) {
				t.Errorf("body of %d bytes, author %q", len(c.Body), c.Author.Name)
			}
		}},
		"huge-author": {check: func(t *testing.T, r *Repo) {
			if c := last(t, r); !cut(c.Author.Name, maxName) {
				t.Errorf("author of %d bytes", len(c.Author.Name))
			}
		}},
		"odd-commits": {check: func(t *testing.T, r *Repo) {
			if c := last(t, r); len(mustHistory(t, r).Commits) != 11 || !strings.HasPrefix(c.Author.Name, `\xff\xc0`) {
				t.Errorf("last commit %+v", c)
			}
		}},
	})
}

func TestD24ManyCommits(t *testing.T) {
	endure(t, "D24", map[string]fate{
		"commits-50k": {check: func(t *testing.T, r *Repo) {
			if h := mustHistory(t, r); !h.Truncated || len(h.Commits) != 20_000 || h.Commits[19_999].Subject != "c49999" || !hasNote(r, "limit_log", "") {
				t.Errorf("truncated %v, %d commits, notes %v", h.Truncated, len(h.Commits), r.Notes())
			}
		}},
		"octopus": {check: func(t *testing.T, r *Repo) {
			if h := mustHistory(t, r); !h.Complete() || len(h.Commits) != 2001 || len(h.Roots) != 2000 {
				t.Errorf("%d commits, %d roots", len(h.Commits), len(h.Roots))
			}
		}},
	})
}

func TestD25BrokenObjects(t *testing.T) {
	lostAs := func(forged bool, lost ...string) func(t *testing.T, r *Repo) {
		return func(t *testing.T, r *Repo) {
			for path, content := range map[string]string{"a.py": "x = 1\n", "b.py": "y = 2\n", "c.py": "z = 3\n"} {
				if slices.Contains(lost, path) {
					wantLost(t, r, path, ErrMissing)
				} else {
					wantFile(t, r, path, content)
				}
			}
			if h := mustHistory(t, r); len(h.Commits) != 1 || len(lost) > 0 && !h.Commits[0].Partial && !forged {
				t.Errorf("history %+v", h.Commits)
			}
		}
	}
	lost := func(paths ...string) func(t *testing.T, r *Repo) { return lostAs(false, paths...) }
	endure(t, "D25", map[string]fate{
		"missing-blob": {fetched: "remote_cut", check: lost("b.py")}, "flipped-byte": {fetched: "remote_cut", check: lost("b.py")},
		"other-content": {fetched: byGit, check: lostAs(true, "b.py")}, "bomb-in-blob": {check: lost("b.py")},
		"lying-size": {fetched: byGit, check: func(t *testing.T, r *Repo) {
			wantFile(t, r, "a.py", "x = 1\n")
			wantLost(t, r, "b.py", ErrTooLarge)
			wantLost(t, r, "c.py", ErrMissing)
		}},
		"truncated-pack": {local: "git_empty", fetched: byGit}, "damaged-index": {local: "git_empty", fetched: byGit},
		"all-missing":    {local: "git_empty", fetched: byGit},
		"bomb-in-commit": {local: "limit_memory", limits: sandbox.Limits{Memory: 500 << 20}},
		"bomb-in-tree":   {local: "limit_memory", limits: sandbox.Limits{Memory: 500 << 20}},
		"stray-caches":   {check: lost()},
	})
}
