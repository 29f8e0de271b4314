package repo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/google/go-cmp/cmp"
)

func TestReadsAFolder(t *testing.T) {
	m := make1(t, map[string]string{"a.py": "x = 1\n", "docs/b.md": "# B\n"})
	m.check(os.Symlink("/etc/passwd", filepath.Join(m.dir, "link")))
	m.check(os.WriteFile(filepath.Join(m.dir, "run.sh"), []byte("#!/bin/sh\n"), 0o755))
	id := m.commit("two", nil)
	m.git("remote", "add", "origin", "https://me:s3cr3t@github.com/own/er.git?x=1")
	m.check(os.WriteFile(filepath.Join(m.dir, "uncommitted"), []byte("x"), 0o644))
	r := mustOpen(t, m.dir, Options{})
	if r.Commit() != id || r.Slug() != "own/er" || r.URL() != "https://github.com/own/er" {
		t.Errorf("commit %s, slug %s, url %s", r.Commit(), r.Slug(), r.URL())
	}
	type brief struct {
		Path string
		Kind Kind
		Size int64
	}
	var got []brief
	for _, e := range r.Tree() {
		got = append(got, brief{e.Path, e.Kind, e.Size})
	}
	want := []brief{{"a.py", File, 6}, {"docs/b.md", File, 4}, {"link", Symlink, 11}, {"run.sh", Executable, 10}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
	ctx := context.Background()
	for path, want := range map[string]string{"docs/b.md": "# B\n", "link": "/etc/passwd"} {
		if b, err := r.Blob(ctx, path); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", path, b, err)
		}
	}
	if _, err := r.Blob(ctx, "uncommitted"); !errors.Is(err, ErrNotFile) {
		t.Errorf("uncommitted: %v", err)
	}
	if notes := r.Notes(); len(notes) != 1 || notes[0].Code != "symlink" || notes[0].Subject != "link" {
		t.Errorf("notes: %v", notes)
	}
}

func TestBareFolderWithoutConfig(t *testing.T) {
	m := make1(t, map[string]string{"a.py": "x = 1\n"})
	m.git("pack-refs", "--all")
	bare := filepath.Join(shared(t), "name.git")
	m.check(os.Rename(m.path(""), bare))
	m.check(os.Remove(filepath.Join(bare, "config")))
	r := mustOpen(t, bare, Options{})
	if len(r.Tree()) != 1 || r.Slug() != "name" || r.URL() != "" {
		t.Errorf("%d files, slug %q, url %q", len(r.Tree()), r.Slug(), r.URL())
	}
}

func TestRevisions(t *testing.T) {
	m := make1(t, map[string]string{"a": "1\n"})
	first := m.git("rev-parse", "HEAD")
	m.git("tag", "-a", "-m", "annotated", "v1.0")
	m.git("branch", "feature/x")
	second := m.commit("two", map[string]string{"a": "2\n"})
	m.git("update-ref", "refs/pull/7/head", first)
	m.git("update-ref", "refs/remotes/origin/theirs", first)
	cases := map[string]string{
		"": second, "HEAD": second, "main": second, "v1.0": first, "feature/x": first, "refs/heads/feature/x": first,
		"refs/pull/7/head": first, "theirs": first, first: first, first[:8]: first,
	}
	check := func(target string) {
		for rev, want := range cases {
			r, err := open(t, target, Options{Revision: rev})
			if err != nil {
				t.Errorf("%s: %v", rev, err)
			} else if r.Commit() != want {
				t.Errorf("%s: commit %s, want %s", rev, r.Commit(), want)
			}
		}
	}
	check(m.dir)
	m.git("pack-refs", "--all")
	m.git("gc", "-q")
	check(m.dir)
	bundle := filepath.Join(shared(t), "x.bundle")
	m.git("bundle", "create", "-q", bundle, "--all")
	delete(cases, "theirs")
	check(bundle)
	for rev, code := range map[string]string{
		"nope": "ref_missing", strings.Repeat("f", 40): "ref_missing", "ffff": "ref_missing", "-x": "ref_syntax", "a..b": "ref_syntax", "/a": "ref_syntax",
		"a//b": "ref_syntax", "a@{1}": "ref_syntax", "a.lock": "ref_syntax", "a b": "ref_syntax", "HEAD~1": "ref_syntax", "../x": "ref_syntax", "refs/../../x": "ref_syntax",
		strings.Repeat("a", 201): "ref_syntax",
	} {
		for _, target := range []string{m.dir, bundle} {
			_, err := open(t, target, Options{Revision: rev})
			wantCode(t, err, code)
		}
	}
}

func TestSHA256Repository(t *testing.T) {
	m := makeEmpty(t, "--object-format=sha256")
	id := m.commit("one", map[string]string{"a.py": "x = 1\n"})
	r := mustOpen(t, m.dir, Options{})
	if len(id) != 64 || r.Commit() != id {
		t.Errorf("commit %s, want %s", r.Commit(), id)
	}
	if b, err := r.Blob(context.Background(), "a.py"); err != nil || string(b) != "x = 1\n" {
		t.Errorf("%q, %v", b, err)
	}
	if h := mustHistory(t, r); len(h.Commits) != 1 || len(h.Commits[0].Changes) != 1 {
		t.Errorf("history %+v", h)
	}
}

// Whatever their git directory says is to be run must not run, and what it says is to be shown otherwise is not.
func TestNothingOfTheirsRuns(t *testing.T) {
	m := make1(t, map[string]string{"a.py": "x = 1\n", ".gitattributes": "* filter=pwn diff=pwn merge=pwn -diff\n*.py export-ignore\n", ".mailmap": "Eve <eve@example.org> <ada@example.org>\n"})
	id := m.commit("two", map[string]string{"a.py": "x = 2\n", "b.py": "y = 1\n"})
	canary := filepath.Join(shared(t), "canary")
	m.check(os.Chmod(filepath.Dir(canary), 0o777))
	touch := "touch " + canary + "-"
	config := "[extensions]\n\tpartialClone = origin\n[core]\n\trepositoryformatversion = 1\n\tfsmonitor = " + touch + "fsmonitor\n\tsshCommand = " + touch + "ssh\n\tpager = " + touch + "pager\n\teditor = " + touch +
		"editor\n\thooksPath = hooks\n\tgitProxy = " + touch + "proxy\n\talternateRefsCommand = " + touch + "refs\n\taskPass = " + touch + "askpass\n\tworktree = /etc\n" +
		"[uploadpack]\n\tpackObjectsHook = " + touch + "pack;\n[filter \"pwn\"]\n\tsmudge = " + touch + "smudge\n\tclean = " + touch + "clean\n\tprocess = " + touch + "process\n\trequired = true\n" +
		"[diff]\n\texternal = " + touch + "extdiff\n[diff \"pwn\"]\n\ttextconv = " + touch + "textconv\n\tcommand = " + touch + "diffcmd\n[credential]\n\thelper = \"!" + touch + "cred\"\n" +
		"[alias]\n\tls-tree = \"!" + touch + "alias\"\n\tcat-file = \"!" + touch + "alias\"\n\trev-list = \"!" + touch + "alias\"\n[gpg]\n\tprogram = " + touch + "gpg\n[log]\n\tshowSignature = true\n" +
		"[remote \"origin\"]\n\turl = ext::sh -c " + touch + "lazy\n\tpromisor = true\n\tuploadpack = " + touch + "up\n[protocol \"ext\"]\n\tallow = always\n[include]\n\tpath = /etc/passwd\n"
	replaced := m.git("commit-tree", "-m", "REPLACED", "HEAD^{tree}")
	m.git("replace", id, replaced)
	m.write("info/grafts", id+"\n")
	m.write("info/attributes", "* diff=pwn\n")
	blob := m.git("rev-parse", "HEAD:b.py")
	m.check(os.Remove(m.path(m.loose(blob)))) // a promisor remote would be asked for it
	for _, hook := range []string{"post-checkout", "reference-transaction", "pre-auto-gc", "post-index-change", "fsmonitor-watchman", "upload-pack", "post-update"} {
		m.write("hooks/"+hook, "#!/bin/sh\n"+touch+"hook-"+hook+"\n")
		m.check(os.Chmod(m.path("hooks/"+hook), 0o755))
	}
	m.write("config", config)
	r := mustOpen(t, m.dir, Options{})
	ctx := context.Background()
	if b, err := r.Blob(ctx, "a.py"); err != nil || string(b) != "x = 2\n" {
		t.Errorf("a.py: %q, %v", b, err)
	}
	if _, err := r.Blob(ctx, "b.py"); !errors.Is(err, ErrMissing) {
		t.Errorf("b.py: %v", err)
	}
	h := mustHistory(t, r)
	if len(h.Commits) != 2 || h.Commits[1].Subject != "two" || h.Commits[1].Author.Name != "Ada" {
		t.Errorf("history %+v", h.Commits)
	}
	if c := h.Commits[0].Changes; len(c) != 3 || !c[2].Counted || c[2].Added != 1 {
		t.Errorf("first commit: %+v", c)
	}
	if !h.Grafted || h.Complete() || !hasNote(r, "git_grafts", "") || !hasNote(r, "git_replace", "") {
		t.Errorf("grafts and replace refs are not told: %v", r.Notes())
	}
	if r.Slug() != filepath.Base(m.dir) || r.URL() != "" {
		t.Errorf("slug %q, url %q", r.Slug(), r.URL())
	}
	if ran, err := filepath.Glob(canary + "*"); err != nil || len(ran) > 0 {
		t.Errorf("executed: %v, %v", ran, err)
	}
}

func TestHostileGitDirectories(t *testing.T) {
	secret := make1(t, map[string]string{"s": "SECRET\n"})
	secretID := secret.git("rev-parse", "HEAD")
	cases := map[string]struct {
		harm func(m *maker)
		code string
	}{
		"alternates": {func(m *maker) {
			m.write("objects/info/alternates", secret.path("objects")+"\n")
			m.write("refs/heads/main", secretID+"\n")
		}, "git_alternates"},
		"http alternates": {func(m *maker) { m.write("objects/info/http-alternates", "https://evil.example/\n") }, "git_alternates"},
		"objects link": {func(m *maker) {
			m.check(os.RemoveAll(m.path("objects")))
			m.check(os.Symlink(secret.path("objects"), m.path("objects")))
		}, "git_symlink"},
		"object link": {func(m *maker) { m.check(os.Symlink("/etc/passwd", m.path("objects/link"))) }, "git_symlink"},
		"ref link":    {func(m *maker) { m.check(os.Symlink(secret.path("refs/heads/main"), m.path("refs/heads/link"))) }, "git_symlink"},
		"head link": {func(m *maker) {
			m.check(os.Remove(m.path("HEAD")))
			m.check(os.Symlink("/etc/hostname", m.path("HEAD")))
		}, "git_symlink"},
		"packed-refs link": {func(m *maker) { m.check(os.Symlink("/etc/passwd", m.path("packed-refs"))) }, "git_symlink"},
		"fifo as config": {func(m *maker) {
			m.check(os.Remove(m.path("config")))
			m.check(syscall.Mkfifo(m.path("config"), 0o644))
		}, "git_special"},
		"fifo as object": {func(m *maker) { m.check(syscall.Mkfifo(m.path("objects/fifo"), 0o644)) }, "git_special"},
		"fifo as head": {func(m *maker) {
			m.check(os.Remove(m.path("HEAD")))
			m.check(syscall.Mkfifo(m.path("HEAD"), 0o644))
		}, "git_special"},
		"head traversal":   {func(m *maker) { m.write("HEAD", "ref: ../../../../etc/passwd\n") }, "git_ref"},
		"head traversal 2": {func(m *maker) { m.write("HEAD", "ref: refs/../../../etc/passwd\n") }, "git_ref"},
		"head absolute":    {func(m *maker) { m.write("HEAD", "ref: /etc/passwd\n") }, "git_ref"},
		"head escapes":     {func(m *maker) { m.write("HEAD", "ref: refs/heads/\x1b[31m\x00x\n") }, "git_ref"},
		"head garbage":     {func(m *maker) { m.write("HEAD", strings.Repeat("x", 9000)) }, "git_ref"},
		"ref loop": {func(m *maker) {
			m.write("refs/heads/main", "ref: refs/heads/other\n")
			m.write("refs/heads/other", "ref: refs/heads/main\n")
		}, "git_ref"},
		"head dangling":  {func(m *maker) { m.write("HEAD", "ref: refs/heads/nope\n") }, "git_empty"},
		"head missing":   {func(m *maker) { m.write("refs/heads/main", strings.Repeat("1", 40)+"\n") }, "git_empty"},
		"head is a tree": {func(m *maker) { m.write("refs/heads/main", m.git("rev-parse", "HEAD^{tree}")+"\n") }, "git_empty"},
		"deep": {func(m *maker) {
			m.check(os.MkdirAll(m.path("refs/"+strings.Repeat("d/", 40)), 0o755))
		}, "git_deep"},
		"head is a folder": {func(m *maker) {
			m.check(os.Remove(m.path("HEAD")))
			m.check(os.Mkdir(m.path("HEAD"), 0o755))
		}, "git_special"},
		"endless packed-refs line": {func(m *maker) {
			m.check(os.Remove(m.path("refs/heads/main")))
			m.write("packed-refs", strings.Repeat("x", 1<<20))
		}, "git_ref"},
		"no objects": {func(m *maker) { m.check(os.RemoveAll(m.path("objects"))) }, "local_missing"},
		"gitfile": {func(m *maker) {
			m.check(os.RemoveAll(m.path("")))
			m.check(os.WriteFile(filepath.Join(m.dir, ".git"), []byte("gitdir: "+secret.path("")+"\n"), 0o644))
		}, "local_gitfile"},
		"git link": {func(m *maker) {
			m.check(os.RemoveAll(m.path("")))
			m.check(os.Symlink(secret.path(""), filepath.Join(m.dir, ".git")))
		}, "local_gitfile"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := make1(t, map[string]string{"a": "1\n"})
			m.t = t
			c.harm(m)
			_, err := open(t, m.dir, Options{})
			wantCode(t, err, c.code)
		})
	}
}

func TestEmptyRepository(t *testing.T) {
	_, err := open(t, makeEmpty(t).dir, Options{})
	wantCode(t, err, "git_empty")
}

func TestHarmlessLinksAreNoted(t *testing.T) {
	m := make1(t, map[string]string{"a": "1\n"})
	m.check(os.Symlink("/etc/passwd", m.path("description-link")))
	if r := mustOpen(t, m.dir, Options{}); !hasNote(r, "git_symlink", "description-link") {
		t.Errorf("notes: %v", r.Notes())
	}
}

// A folder that only its owner can enter is read all the same, at the price of a layer, which is said.
func TestClosedFolder(t *testing.T) {
	m := make1(t, map[string]string{"a": "1\n"})
	m.check(os.Chmod(m.dir, 0o700))
	r := mustOpen(t, m.dir, Options{})
	if b, err := r.Blob(context.Background(), "a"); err != nil || string(b) != "1\n" {
		t.Errorf("%q, %v", b, err)
	}
	if os.Geteuid() != 0 {
		return
	}
	gaps := r.box.Report().Missing
	if !slices.ContainsFunc(gaps, func(m sandbox.Missing) bool { return m.Layer == "uid" }) {
		t.Errorf("missing layers: %v", gaps)
	}
}

// Git must not write to what it was given to read.
func TestSourceIsNotChanged(t *testing.T) {
	m := make1(t, map[string]string{"a": "1\n"})
	list := func() (out []string) {
		m.check(filepath.WalkDir(m.dir, func(p string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			fi, err := e.Info()
			out = append(out, p+" "+fi.ModTime().String())
			return err
		}))
		return out
	}
	before := list()
	mustHistory(t, mustOpen(t, m.dir, Options{}))
	if diff := cmp.Diff(before, list()); diff != "" {
		t.Errorf("changed (-before +after):\n%s", diff)
	}
}

// The last commit that was made in time is read, and what came after it is told.
func TestDue(t *testing.T) {
	m := make1(t, map[string]string{"a.py": "x = 1\n"})
	in := m.commit("two", map[string]string{"a.py": "x = 2\n"})
	at, err := strconv.ParseInt(m.git("log", "-1", "--format=%ct"), 10, 64)
	m.check(err)
	m.commit("late", map[string]string{"a.py": "x = 3\n"})
	tip := m.commit("later", map[string]string{"a.py": "x = 4\n"})
	for _, tt := range []struct {
		due  time.Time
		want string
		late bool
	}{
		{time.Time{}, tip, false},
		{time.Unix(at, 0), in, true},
		{time.Unix(at+1, 0), in, true},
		{time.Unix(at+1e6, 0), tip, false},
	} {
		r := mustOpen(t, m.dir, Options{Due: tt.due})
		told := slices.ContainsFunc(r.Notes(), func(n Note) bool { return n.Code == "after_due" && strings.HasSuffix(n.Text, "not seen: 2") })
		if r.Commit() != tt.want || told != tt.late {
			t.Errorf("%v: %s, want %s; %v", tt.due, r.Commit(), tt.want, r.Notes())
		}
	}
	if _, err := open(t, m.dir, Options{Due: time.Unix(at-1e6, 0)}); err == nil || !strings.Contains(err.Error(), "no commit was made by") {
		t.Error(err)
	}
}
