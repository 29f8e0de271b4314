package repo

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// packed is one entry of an archive that a test makes.
type packed struct {
	name, body string
	mode       fs.FileMode
	kind       byte // of tar; 0: a regular file
}

func zipOf(t *testing.T, entries ...packed) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		in, err := w.CreateHeader(h)
		if err == nil {
			_, err = in.Write([]byte(e.body))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t *testing.T, entries ...packed) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: int64(e.mode.Perm()), Size: int64(len(e.body)), Typeflag: e.kind}
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		if e.kind == tar.TypeSymlink || e.kind == tar.TypeLink {
			h.Linkname, h.Size, e.body = e.body, 0, ""
		}
		err := w.WriteHeader(h)
		if err == nil {
			_, err = w.Write([]byte(e.body))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipOf(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func put(t *testing.T, name string, raw []byte) string {
	t.Helper()
	p := filepath.Join(shared(t), name)
	if err := os.WriteFile(p, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func modesOf(r *Repo) []string {
	var out []string
	for _, e := range r.Tree() {
		out = append(out, e.Mode+" "+e.Path)
	}
	return out
}

// However files are packed, and wherever they lie, they are one tree, with the id that git gives it.
func TestFilesWithoutGitAreOneTree(t *testing.T) {
	m := make1(t, map[string]string{"a.py": "x = 1\n", "a/b.md": "# B\n", "a.d/c": "c\n", "docs/deep/er.txt": "t\n", "big.bin": strings.Repeat("\x01\x02", 1<<20)})
	m.check(os.Symlink("/etc/passwd", filepath.Join(m.dir, "link")))
	m.check(os.WriteFile(filepath.Join(m.dir, "run.sh"), []byte("#!/bin/sh\n"), 0o755))
	m.commit("two", nil)
	want := m.git("rev-parse", "HEAD^{tree}")
	dir := shared(t)
	pack := func(format, prefix string) string {
		p := filepath.Join(dir, "p."+format)
		m.git("archive", "--format="+format, "--prefix="+prefix, "-o", p, "HEAD")
		return p
	}
	plain := filepath.Join(dir, "plain")
	m.check(os.Rename(m.dir, plain))
	m.check(os.MkdirAll(m.dir, 0o755))
	m.check(os.Rename(filepath.Join(plain, ".git"), filepath.Join(m.dir, ".git")))
	zipped := pack("zip", "")
	raw, err := os.ReadFile(pack("tar", "p-main/"))
	m.check(err)
	for name, target := range map[string]string{
		"zip": zipped, "zip in a folder": pack("zip", "own-0123abc/"), "tar": pack("tar", ""), "tar.gz": pack("tar.gz", "x/"), "folder": plain,
		"without an ending": put(t, "upload", raw), "a tar in gzip by another name": put(t, "work.zip", gzipOf(t, raw)),
	} {
		t.Run(name, func(t *testing.T) {
			r := mustOpen(t, target, Options{})
			if r.Commit() != want || r.Snapshot() == "" || r.URL() != "" {
				t.Errorf("tree %s, want %s; snapshot %q", r.Commit(), want, r.Snapshot())
			}
			ctx := context.Background()
			for path, want := range map[string]string{"a/b.md": "# B\n", "link": "/etc/passwd", "run.sh": "#!/bin/sh\n"} {
				if b, err := r.Blob(ctx, path); err != nil || string(b) != want {
					t.Errorf("%s: %q, %v", path, b, err)
				}
			}
			if _, err := r.Blob(ctx, "big.bin"); err == nil {
				t.Error("a file over the limit was read")
			}
			if b, err := r.BlobUpTo(ctx, "big.bin", 4<<20); err != nil || len(b) != 2<<20 {
				t.Errorf("big.bin: %d bytes, %v", len(b), err)
			}
			h := mustHistory(t, r)
			if h.Complete() || h.None == "" || len(h.Commits) != 0 || !h.Ever("a.py") || h.Ever("b.py") {
				t.Errorf("history %+v", h)
			}
			if !hasNote(r, "no_history", "") {
				t.Errorf("notes: %v", r.Notes())
			}
			if r := mustOpen(t, target, Options{Revision: want[:12]}); r.Commit() != want {
				t.Errorf("by its id: %s", r.Commit())
			}
			_, err := open(t, target, Options{Revision: "main"})
			wantCode(t, err, "ref_missing")
		})
	}
}

// Times and order of an archive do not matter; what it holds does.
func TestTreeOfAnArchiveIsItsContent(t *testing.T) {
	a, b := packed{name: "p/a.py", body: "x = 1\n"}, packed{name: "p/src/b.py", body: "y = 2\n"}
	one := mustOpen(t, put(t, "one.zip", zipOf(t, a, b)), Options{})
	two := mustOpen(t, put(t, "two.tar", tarOf(t, packed{name: "./p/src/", kind: tar.TypeDir}, packed{name: "./p/src/b.py", body: b.body}, packed{name: "p//a.py", body: a.body})), Options{})
	b.body = "y = 3\n"
	other := mustOpen(t, put(t, "other.zip", zipOf(t, a, b)), Options{})
	if one.Commit() != two.Commit() || one.Commit() == other.Commit() || one.Slug() != "one" {
		t.Errorf("%s, %s, %s; slug %q", one.Commit(), two.Commit(), other.Commit(), one.Slug())
	}
}

// Students pack the whole folder: what was committed is read, as of a folder with git.
func TestArchiveWithHistory(t *testing.T) {
	m := make1(t, map[string]string{"a.py": "x = 1\n"})
	m.commit("two", map[string]string{"b.py": "y = 2\n"})
	m.git("remote", "add", "origin", "https://github.com/own/er.git")
	m.git("gc", "-q")
	id := m.commit("three", map[string]string{"c.py": "z = 3\n"})
	m.check(os.WriteFile(filepath.Join(m.dir, "a.py"), []byte("x = 9\n"), 0o644))
	want := mustHistory(t, mustOpen(t, m.dir, Options{}))
	for name, entries := range map[string][]packed{"whole.zip": folderEntries(t, m.dir, ""), "deep.zip": folderEntries(t, m.dir, "Jane_1_file/thesis/")} {
		r := mustOpen(t, put(t, name, zipOf(t, entries...)), Options{})
		if r.Commit() != id || r.Snapshot() != "" || r.Slug() != "own/er" {
			t.Errorf("%s: commit %s, want %s; snapshot %q, slug %q", name, r.Commit(), id, r.Snapshot(), r.Slug())
		}
		if diff := cmp.Diff(ids(want), ids(mustHistory(t, r))); diff != "" || !mustHistory(t, r).Complete() {
			t.Errorf("%s: history (-want +got):\n%s", name, diff)
		}
		if b, err := r.Blob(context.Background(), "a.py"); err != nil || string(b) != "x = 1\n" {
			t.Errorf("%s: %q, %v", name, b, err)
		}
		if !hasNote(r, "not_committed", "") {
			t.Errorf("%s: notes %v", name, r.Notes())
		}
		if r := mustOpen(t, put(t, name, zipOf(t, entries...)), Options{Revision: want.Roots[0]}); len(r.Tree()) != 1 {
			t.Errorf("%s at its first commit: %v", name, modesOf(r))
		}
	}
}

// folderEntries packs a folder as a student does.
func folderEntries(t *testing.T, dir, prefix string) []packed {
	t.Helper()
	var out []packed
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(dir, p))
		out = append(out, packed{name: prefix + p, body: string(raw)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A git folder that cannot be used costs the history and not the files; nothing of it acts.
func TestArchiveWithUselessGit(t *testing.T) {
	canary := canaryAt(t)
	cases := map[string]func(m *maker, e []packed) []packed{
		"alternates": func(_ *maker, e []packed) []packed {
			return append(e, packed{name: ".git/objects/info/alternates", body: "/etc"})
		},
		"gitfile": func(_ *maker, e []packed) []packed {
			e = slices.DeleteFunc(e, func(x packed) bool { return strings.HasPrefix(x.name, ".git/") })
			return append(e, packed{name: ".git", body: "gitdir: /etc"})
		},
		"link for HEAD": func(_ *maker, e []packed) []packed {
			e = slices.DeleteFunc(e, func(x packed) bool { return x.name == ".git/HEAD" })
			return append(e, packed{name: ".git/HEAD", body: "/etc/passwd", mode: fs.ModeSymlink | 0o777})
		},
		"two HEADs": func(_ *maker, e []packed) []packed {
			return append(e, packed{name: ".git/HEAD", body: "ref: refs/heads/x"})
		},
		"no objects": func(_ *maker, e []packed) []packed {
			return slices.DeleteFunc(e, func(x packed) bool { return strings.HasPrefix(x.name, ".git/objects/") })
		},
		"ref is a folder": func(_ *maker, e []packed) []packed {
			return append(e, packed{name: ".git/refs/heads/main/x", body: "y"})
		},
		"no commit": func(m *maker, e []packed) []packed {
			m.write("HEAD", "ref: refs/heads/none\n")
			return folderEntries(t, m.dir, "")
		},
	}
	for name, harm := range cases {
		t.Run(name, func(t *testing.T) {
			m := make1(t, map[string]string{"a.py": "x = 1\n"})
			m.write("hooks/post-checkout", "#!/bin/sh\ntouch "+canary+"\n")
			m.write("config", "[core]\n\tfsmonitor = \"touch "+canary+"\"\n\tpager = touch "+canary+"\n[remote \"origin\"]\n\turl = ext::sh -c touch% "+canary+"\n")
			r := mustOpen(t, put(t, "w.zip", zipOf(t, harm(m, folderEntries(t, m.dir, ""))...)), Options{})
			if r.Snapshot() == "" || !slices.Equal(modesOf(r), []string{"100644 a.py"}) || mustHistory(t, r).Complete() {
				t.Errorf("snapshot %q, files %v", r.Snapshot(), modesOf(r))
			}
			if _, err := os.Lstat(canary); err == nil {
				t.Fatal("something of the archive was run")
			}
		})
	}
}

// What entries are called leads nowhere, and what is not a file is left out and said.
func TestNamesInArchives(t *testing.T) {
	entries := []packed{
		{name: "p/a.py", body: "x = 1\n"}, {name: "p/../../etc/cron.d/x", body: "evil"}, {name: "/etc/evil", body: "evil"}, {name: `C:\evil`, body: "evil"}, {name: "c:/evil", body: "evil"},
		{name: "p/" + strings.Repeat("d/", maxFolders) + "x", body: "deep"}, {name: "p/" + strings.Repeat("n", maxPath), body: "long"},
		{name: "p/sub/.git/config", body: "[core]"}, {name: "p/in.zip", body: "PK"}, {name: "p/a.py", body: "x = 2\n"}, {name: `p/back\slash`, body: "b"}, {name: "p/-rf", body: "d"},
		{name: "p/\xff", body: "u"}, {name: "p/.GIT/config", body: "g"},
	}
	wantTree := []string{"100644 -rf", "100644 .GIT/config", "100644 a.py", `100644 back\slash`, "100644 in.zip", "100644 \xff"}
	links := []packed{
		{name: "p/link", body: "/etc/passwd", kind: tar.TypeSymlink}, {name: "p/hard", body: "p/a.py", kind: tar.TypeLink}, {name: "p/bad", body: "/etc/passwd", kind: tar.TypeLink},
		{name: "p/pipe", kind: tar.TypeFifo}, {name: "p/dev", kind: tar.TypeBlock}, {name: "p/self", body: "p/self", kind: tar.TypeLink},
		{name: "p/oflink", body: "p/link", kind: tar.TypeLink}, {name: "p/link/passwd", body: "through"},
	}
	wantMore := []string{"100644 hard", "120000 link", "100644 link/passwd"}
	read := func(name string, raw []byte, want []string) *Repo {
		r := mustOpen(t, put(t, name, raw), Options{})
		want = slices.Clone(want)
		slices.SortFunc(want, func(a, b string) int { return strings.Compare(a[7:], b[7:]) })
		if diff := cmp.Diff(want, modesOf(r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if b, err := r.Blob(context.Background(), "a.py"); err != nil || string(b) != "x = 2\n" {
			t.Errorf("%s: the later entry of two is %q, %v", name, b, err)
		}
		for code, subject := range map[string]string{"archive_outside": "/etc/evil", "archive_twice": "p/a.py", "nested_git": "p/sub/.git", "archive_nested": "in.zip", "leading_dash": "-rf", "dotgit_or_dots": ".GIT/config"} {
			if !hasNote(r, code, subject) {
				t.Errorf("%s: no note %s of %s in %v", name, code, subject, r.Notes())
			}
		}
		return r
	}
	// what is left out lies nowhere, so that the one folder is still the packer's
	read("n.zip", zipOf(t, entries...), wantTree)
	r := read("n.tar", tarOf(t, append(entries, links...)...), append(wantTree, wantMore...))
	for code, subject := range map[string]string{"archive_special": "p/pipe", "archive_link": "p/bad", "symlink": "link"} {
		if !hasNote(r, code, subject) {
			t.Errorf("no note %s of %s in %v", code, subject, r.Notes())
		}
	}
	r = mustOpen(t, put(t, "windows.zip", zipOf(t, packed{name: `p\src\a.py`, body: "x"}, packed{name: `p\b.py`, body: "y"})), Options{})
	if !slices.Equal(modesOf(r), []string{"100644 b.py", "100644 src/a.py"}) {
		t.Errorf("folders by backslashes: %v", modesOf(r))
	}
	r = mustOpen(t, put(t, "mac.zip", zipOf(t, packed{name: "p/a.py", body: "x"}, packed{name: "__MACOSX/p/._a.py", body: "y"})), Options{})
	if !slices.Equal(modesOf(r), []string{"100644 a.py"}) {
		t.Errorf("packed on a Mac: %v", modesOf(r))
	}
}

// zeros is a tar entry of n zero bytes that costs nothing to make: in gzip it is a bomb.
func zeros(t *testing.T, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "zeros", Size: n, Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(w, zero{}, n); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestHostileArchives(t *testing.T) {
	many := make([]packed, 1000)
	for i := range many {
		many[i] = packed{name: fmt.Sprintf("f%d", i), body: "x"}
	}
	whole := zipOf(t, many...)
	noise := strings.Repeat("abcdefghijklmnopqrstuvwxyz0123456789", 1000)
	locked := zipOf(t, packed{name: "a", body: noise})
	for _, at := range []int{6, bytes.Index(locked, []byte("PK\x01\x02")) + 8} {
		locked[at] |= 1
	}
	odd := zipOf(t, packed{name: "a", body: noise})
	for _, at := range []int{8, bytes.Index(odd, []byte("PK\x01\x02")) + 10} {
		odd[at] = 9 // Deflate64
	}
	flipped := zipOf(t, packed{name: "a", body: noise})
	flipped[60] ^= 0x40
	liar := zipOf(t, packed{name: "a", body: noise})
	copy(liar[bytes.Index(liar, []byte("PK\x01\x02"))+24:], "\x05\x00\x00\x00") // it says five bytes
	huge := tarOf(t, packed{name: "a", body: "x"})
	copy(huge[124:136], "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff")
	huge = resum(huge)
	cases := map[string]struct {
		raw  []byte
		code string
	}{
		"bomb": {zeros(t, 80<<20), "limit_ratio"}, "truncated zip": {whole[:len(whole)/2], "archive_damaged"}, "truncated tar": {tarOf(t, packed{name: "a", body: noise})[:5000], "archive_damaged"},
		"truncated gzip": {gzipOf(t, tarOf(t, packed{name: "a", body: noise}))[:200], "archive_damaged"}, "locked": {locked, "archive_encrypted"}, "method": {odd, "archive_method"},
		"flipped": {flipped, "archive_damaged"}, "liar": {liar, "archive_damaged"}, "huge": {huge, "limit_unpacked"}, "empty zip": {zipOf(t), "archive_empty"},
		"only left out": {zipOf(t, packed{name: "../x", body: "y"}), "archive_empty"}, "rar": {[]byte("Rar!\x1a\x07\x01\x00"), "archive_kind"}, "7z": {[]byte("7z\xbc\xaf\x27\x1c\x00\x04"), "archive_kind"},
		"text": {[]byte("hello, this is no archive\n"), "local_missing"}, "gzip of no tar": {gzipOf(t, []byte(noise)), "archive_damaged"}, "nothing": {nil, "local_missing"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := open(t, put(t, "x.zip", c.raw), Options{})
			wantCode(t, err, c.code)
			if err != nil && strings.Contains(err.Error(), "zip: ") {
				t.Errorf("not in our words: %v", err)
			}
		})
	}
}

// resum writes the sum of a tar's first header anew.
func resum(raw []byte) []byte {
	copy(raw[148:156], "        ")
	sum := 0
	for _, b := range raw[:blockSize] {
		sum += int(b)
	}
	copy(raw[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return raw
}

// More files than are read are cut by name, whatever their order; far more are refused.
func TestManyFilesInAnArchive(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range 100_000 {
		if _, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("f%06d", 99_999-i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := mustOpen(t, put(t, "many.zip", b.Bytes()), Options{})
	if n := len(r.Tree()); n != 50_000 || r.Tree()[n-1].Path != "f049999" || !hasNote(r, "limit_tree", "") {
		t.Errorf("%d files, the last %s", n, r.Tree()[n-1].Path)
	}
	a := allowance{members: maxMembers}
	wantCode(t, a.entry("one more"), "limit_files")
	a = allowance{names: maxNames}
	wantCode(t, a.entry("x"), "limit_files")
	wantCode(t, (&allowance{}).room(maxUnpacked+1), "limit_unpacked")
	wantCode(t, (&allowance{}).room(-1), "limit_unpacked")
}

// A folder without git is read as it lies, without following what leads out of it.
func TestFolderWithoutGit(t *testing.T) {
	dir := filepath.Join(shared(t), "work")
	for name, body := range map[string]string{"a.py": "x = 1\n", "src/b.py": "y = 2\n", "automaton-out/x-1/report.md": "ours", "sub/.git/HEAD": "ref: refs/heads/main", ".gitignore": "a.py\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc", filepath.Join(dir, "etc")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := mustOpen(t, dir, Options{Ours: filepath.Join(dir, "automaton-out")})
	if diff := cmp.Diff([]string{"100644 .gitignore", "100644 a.py", "120000 etc", "100644 src/b.py"}, modesOf(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for code, subject := range map[string]string{"own_output": "automaton-out", "archive_special": "pipe", "symlink": "etc"} {
		if !hasNote(r, code, subject) {
			t.Errorf("no note %s of %s in %v", code, subject, r.Notes())
		}
	}
	// a file that is another one by now is not taken for what it was
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte("x = 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if b, err := r.Blob(context.Background(), "a.py"); err == nil {
		t.Errorf("a file that changed: %q", b)
	}
	m := make1(t, map[string]string{"sub/a.py": "x = 1\n"})
	_, err := open(t, filepath.Join(m.dir, "sub"), Options{})
	wantCode(t, err, "local_inside")
}

// FuzzArchive: whatever an archive holds, it is a tree of names below it or a refusal in our words.
func FuzzArchive(f *testing.F) {
	t := &testing.T{}
	seed := []packed{{name: "p/a.py", body: "x = 1\n"}, {name: "p/../b", body: "y"}, {name: "/c", body: "z"}, {name: "p/.git/HEAD", body: "ref: x"}}
	f.Add(zipOf(t, seed...))
	f.Add(tarOf(t, append(seed, packed{name: "l", body: "/etc", kind: tar.TypeSymlink}, packed{name: "h", body: "l", kind: tar.TypeLink})...))
	f.Add(gzipOf(t, tarOf(t, seed...)))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	path := filepath.Join(f.TempDir(), "x")
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := openArchive(path)
		if err != nil {
			return
		}
		h, err := readLoose(t.Context(), a, &allowance{packed: a.size})
		if err != nil {
			if said := err.Error(); strings.Contains(said, "zip: ") || strings.Contains(said, "tar: ") || strings.Contains(said, "gzip: ") {
				t.Errorf("not in our words: %v", err)
			}
			return
		}
		h.top()
		r := &Repo{options: Options{}.or(), notes: map[Note]bool{}, byPath: map[string]int{}, fits: map[string]bool{}, blobs: map[string][]byte{}}
		if r.lay(h, "why") != nil {
			return
		}
		r.index()
		for _, e := range r.Tree() {
			if strings.HasPrefix(e.Path, "/") || slices.Contains(strings.Split(e.Path, "/"), "..") || len(e.OID) != 40 {
				t.Errorf("entry %+v", e)
			}
			if _, err := r.Blob(t.Context(), e.Path); err != nil && e.Size <= r.options.MaxBlob && r.fits[e.OID] {
				t.Errorf("%q: %v", e.Path, err)
			}
		}
	})
}
