package repo

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// lie is a git that answers one of its commands in its own way, as shell text; "$GIT" is the true one. It must come to
// say, which stands in the error or in a note; "": nothing is lost by it.
type lie struct{ name, command, answers, say string }

const (
	noTree   = "missing_tree"
	noAnswer = "unexpected answer"
)

func lies() []lie {
	return []lie{
		{"version junk", "version", `printf '\033[2J\n'`, noAnswer}, {"version none", "version", `:`, noAnswer},
		{"version old", "version", `echo git version 1.0`, "git_old"}, {"version endless", "version", `yes`, "limit_output"},
		{"version fails", "version", `printf 'no\n\033[31mway\n' >&2; exit 3`, `exit code 3: \u{1b}[31mway`}, {"version waits", "version", `sleep 600`, "limit_wall"},

		{"commit junk", "rev-parse", `printf '\033[31mhello'`, noAnswer}, {"commit none", "rev-parse", `:`, noAnswer},
		{"commit twice", "rev-parse", `"$GIT" "$@"; "$GIT" "$@"`, noAnswer}, {"commit endless", "rev-parse", `yes`, "limit_output"},
		{"commit cut", "rev-parse", `"$GIT" "$@" | head -c 39`, noAnswer}, {"commit not there", "rev-parse", `printf '%040d\n' 7`, noTree},

		{"tree cut", "ls-tree", `"$GIT" "$@" | head -c 70`, noTree}, {"tree none", "ls-tree", `:`, noTree}, {"tree fails", "ls-tree", `"$GIT" "$@"; exit 1`, noTree},
		{"tree junk", "ls-tree", `printf '\033[31mhello\0world\0'`, noAnswer}, {"tree lines", "ls-tree", `"$GIT" "$@" | tr '\0' '\n'`, noTree},
		{"tree endless", "ls-tree", `"$GIT" "$@" | tr '\0' '\n' > all; yes "$(cat all)" | tr '\n' '\0'`, "limit_tree"}, {"tree endless name", "ls-tree", `yes | tr -d '\n'`, "limit_line"},
		{"tree of trees", "ls-tree", `"$GIT" "$@" | sed 's/ blob / tree /g'`, noAnswer}, {"tree without ids", "ls-tree", `"$GIT" "$@" | sed 's/ [0-9a-f]*  */ HEAD /g'`, noAnswer},
		{"tree other order", "ls-tree", `"$GIT" "$@" | tr '\0' '\n' | sort -r | tr '\n' '\0'`, ""}, {"tree sizes", "ls-tree", `"$GIT" "$@" | sed 's/ 6\t/ 5000000000\t/g'`, "limit_blob"},
		{"tree size below nothing", "ls-tree", `"$GIT" "$@" | sed 's/ 6\t/ -6\t/g'`, "missing_blob"}, {"tree small sizes", "ls-tree", `"$GIT" "$@" | sed 's/ 6\t/ 1\t/g'`, ""},
		{"tree waits", "ls-tree", `"$GIT" "$@"; sleep 600`, "limit_wall"}, {"tree complains", "ls-tree", `while echo no >&2; do :; done`, "limit_"},

		{"objects cut", "cat-file", `"$GIT" "$@" | head -c 60`, "missing_"}, {"objects none", "cat-file", `:`, "missing_"}, {"objects junk", "cat-file", `printf '\033[31mjunk\n'`, noAnswer},
		{"objects other order", "cat-file", `tac | "$GIT" "$@"`, noAnswer}, {"objects twice", "cat-file", `sed p | "$GIT" "$@"`, noAnswer}, {"objects missing", "cat-file", `sed 's/$/ missing/'`, "missing_"},
		{"objects smaller", "cat-file", `"$GIT" "$@" | sed 's/ blob 6$/ blob 5/'`, noAnswer}, {"objects much smaller", "cat-file", `"$GIT" "$@" | sed 's/ blob 6$/ blob 2/'`, "missing_blob"}, {"objects larger", "cat-file", `"$GIT" "$@" | sed 's/ blob 6$/ blob 9/'`, "missing_blob"},
		{"objects huge", "cat-file", `"$GIT" "$@" | sed 's/ blob 6$/ blob 9223372036854775807/'`, "missing_blob"}, {"objects below nothing", "cat-file", `"$GIT" "$@" | sed 's/ blob 6$/ blob -6/'`, noAnswer},
		{"objects over all numbers", "cat-file", `"$GIT" "$@" | sed 's/ blob 6$/ blob 99999999999999999999/'`, noAnswer}, {"objects of other kinds", "cat-file", `"$GIT" "$@" | sed 's/ blob 6$/ commit 6/'`, "missing_blob"},
		{"objects with other content", "cat-file", `"$GIT" "$@" | sed 's/^[xyz] = /w = /'`, "missing_blob"}, {"objects endless", "cat-file", `cat /dev/zero`, "limit_line"},
		{"objects wait", "cat-file", `sleep 600`, "limit_wall"}, {"objects fail", "cat-file", `exit 137`, "missing_"},

		{"history cut", "rev-list", `"$GIT" "$@" | head -n 2`, "is not listed"}, {"history cut in a line", "rev-list", `"$GIT" "$@" | head -c 50`, "unexpected EOF"},
		{"history none", "rev-list", `:`, "unexpected EOF"}, {"history twice", "rev-list", `"$GIT" "$@"; "$GIT" "$@"`, "comes twice"}, {"history endless", "rev-list", `while "$GIT" "$@"; do :; done`, "comes twice"},
		{"history other order", "rev-list", `"$GIT" "$@" | tac`, "not an ancestor"}, {"history of others", "rev-list", `"$GIT" "$@"; printf '%040d\n' 7`, "not an ancestor"},
		{"history with other parents", "rev-list", `"$GIT" "$@" | sed 's/$/ 0123456789012345678901234567890123456789/'`, "is not listed"},
		{"history junk", "rev-list", `printf '\033[31mhello\n'`, "unexpected line"}, {"history waits", "rev-list", `"$GIT" "$@"; sleep 600`, "limit_wall"},

		{"changes cut", "diff-tree", `"$GIT" "$@" | head -c 100`, "missing_history"}, {"changes junk", "diff-tree", `printf '\033[31mhello\0'`, "unexpected record"},
		{"changes twice", "diff-tree", `"$GIT" "$@" > all; cat all all`, "unexpected record"}, {"changes other order", "diff-tree", `tac | "$GIT" "$@"`, "unexpected record"},
		{"changes of no kind", "diff-tree", `"$GIT" "$@" | sed 's/ [AM]\x00/ Z\x00/g'`, "unexpected record"}, {"changes endless", "diff-tree", `yes`, "limit_line"},
		{"changes without numbers", "diff-tree", `"$GIT" "$@" | sed 's/\x00[0-9]*\t[0-9]*\t/\x00-1\t0\t/g'`, "unexpected record"}, {"changes fail", "diff-tree", `exit 128`, "missing_history"},

		{"clone none", "clone", `:`, "git_empty"}, {"clone junk", "clone", `mkdir -p "$last/objects" "$last/refs"; echo junk > "$last/HEAD"`, "git_empty"}, {"clone endless", "clone", `yes`, "limit_output"},
		{"clone fails", "clone", `printf 'fatal: \033]0;x\007no\n' >&2; exit 128`, `\u{1b}]0;x`}, {"clone waits", "clone", `sleep 600`, "limit_wall"}, {"clone complains", "clone", `while echo no >&2; do :; done`, "limit_"},
		{"clone fills the disk", "clone", `mkdir "$last"; while n=1$n; do head -c 900000 /dev/zero > "$last/$n"; done`, "limit_disk"},
	}
}

// A git that cuts its answers short, never ends them, doubles, reorders or falsifies them or does not answer: what is read
// is true, what is lost is said, in one clean line, and all ends within the limits.
func TestGitThatLies(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of children")
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	m := make1(t, map[string]string{"a.py": "x = 1\n", "b.py": "y = 2\n", "d/c.py": "z = 3\n"})
	m.commit("two", map[string]string{"a.py": "x = 2\n"})
	m.commit("three", map[string]string{"b.py": "y = 3\n", "e.py": "x = 4\n"})
	local := Target{Local: m.dir}
	truth, err := Open(t.Context(), boxFor(t, sandbox.Limits{}), local, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lies() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			target := local
			if l.command == "clone" {
				target = Target{URL: "https://" + hostName + "/o/r", Host: hostName}
			}
			limits := sandbox.Limits{Wall: 3 * time.Minute, CPU: 5 * time.Second, Disk: 4 << 20}
			switch l.say {
			case "limit_wall":
				limits.Wall = time.Second
			case "limit_": // it works until it is ended
				limits.CPU = time.Second
			}
			box := stubBox(t, git, l, limits)
			r, err := Open(t.Context(), box, target, Options{})
			errs := []error{err}
			if err == nil {
				errs = onlyTrue(t, r, truth)
			}
			said := false
			for _, err := range errs {
				if err != nil {
					clean(t, err.Error())
					said = said || strings.Contains(err.Error(), l.say)
				}
			}
			if r != nil {
				for _, n := range r.Notes() {
					clean(t, n.Text)
					said = said || strings.HasPrefix(n.Code, l.say)
				}
			}
			switch {
			case l.say == "" && (errors.Join(errs...) != nil || len(r.Notes()) > 0):
				t.Errorf("said %v, %v", errs, r.Notes())
			case l.say != "" && !said && r != nil:
				t.Errorf("said %v, %v, want %s", errs, r.Notes(), l.say)
			case l.say != "" && !said:
				t.Errorf("said %v, want %s", errs, l.say)
			}
		})
	}
}

// stubBox has such a git.
func stubBox(t *testing.T, git string, l lie, limits sandbox.Limits) *sandbox.Box {
	t.Helper()
	dir := shared(t)
	program := filepath.Join(dir, "bin", "git")
	text := fmt.Sprintf("#!/bin/bash\nGIT=%s\nfor command do case $command in -*) ;; *) break ;; esac; done\nfor last do :; done\n[ \"$command\" = %s ] || exec \"$GIT\" \"$@\"\n%s\n",
		git, l.command, l.answers)
	syscall.ForkLock.RLock() // a child that begins meanwhile would hold the file open, and nobody could run it
	err := errors.Join(os.Mkdir(filepath.Dir(program), 0o755), os.WriteFile(program, []byte(text), 0o755), os.Chmod(program, 0o755))
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	box, err := sandbox.Open(sandbox.Options{TempDir: shared(t), Git: program, Limits: limits, AllowHosts: []string{hostName}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	return box
}

// onlyTrue fails when anything was read that is not so. It returns why something could not be read.
func onlyTrue(t *testing.T, r, truth *Repo) (lost []error) {
	t.Helper()
	for _, e := range r.Tree() {
		if real, ok := truth.Entry(e.Path); !ok || real.OID != e.OID || real.Kind != e.Kind {
			t.Errorf("there is no file %+v", e)
		}
	}
	for _, e := range truth.Tree() {
		b, err := r.Blob(t.Context(), e.Path)
		if err == nil {
			wantFile(t, truth, e.Path, string(b))
		} else if lost = append(lost, err); !errors.Is(err, ErrMissing) && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrNotFile) {
			break // as with all others
		}
	}
	h, err := r.History(t.Context())
	if err != nil {
		return append(lost, err)
	}
	known := map[string]Commit{}
	for _, c := range mustHistory(t, truth).Commits {
		known[c.ID] = c
	}
	if h.Complete() && len(h.Commits) != len(known) {
		t.Errorf("%d commits are called complete", len(h.Commits))
	}
	for _, c := range h.Commits {
		real, ok := known[c.ID]
		if c.Partial {
			real.Partial, real.Changes, c.Changes = true, nil, nil
		}
		if !ok || !reflect.DeepEqual(c, real) {
			t.Errorf("there is no commit %+v", c)
		}
		delete(known, c.ID) // each comes once
	}
	return lost
}
