package cli

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/web"
)

// opened is an intake of a new class. Nothing that it takes in is judged: its time is over.
func (w *world) opened(t *testing.T, change ...func(*serveFlags)) *intake {
	t.Helper()
	w.vars["HOME"] = w.Dir
	a := newApp(w.Env)
	c := a.serveCommand()
	if err := a.settle(c, "", false); err != nil {
		t.Fatal(err)
	}
	o := serveFlags{allowNew: true, maxUpload: 1 << 20}
	for _, f := range change {
		f(&o)
	}
	ctx, stop := context.WithCancel(t.Context())
	n, err := a.intake(ctx, "class", o)
	if err != nil {
		t.Fatal(err)
	}
	stop()
	<-n.over
	t.Cleanup(func() {
		if err := errors.Join(n.end(), n.s.docket.Close()); err != nil {
			t.Error(err)
		}
	})
	return n
}

// zipped is an archive with one file in it.
func zipped(t *testing.T, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create(name)
	if err == nil {
		_, err = io.WriteString(f, text)
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// files are all that lies in the folder of uploads.
func (n *intake) uploaded(t *testing.T) (list []string) {
	t.Helper()
	base := filepath.Join(n.s.class.path, batch.UploadsName)
	err := filepath.WalkDir(base, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, d.Name())
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return list
}

// What comes over the network names addresses of hosts that may be reached, and nothing of this machine.
func TestEntriesFromElsewhere(t *testing.T) {
	w := newWorld(t)
	w.file(t, "work/.git/HEAD", "ref: refs/heads/main\n")
	w.file(t, "report.pdf", "%PDF-1.4\n")
	w.file(t, "class/uploads/0123/other.zip", zipped(t, "a.py", "x = 1\n"))
	_ = os.RemoveAll(filepath.Join(w.Dir, "class"))
	n := w.opened(t)
	const good = "https://github.com/o/n"
	for name, test := range map[string]struct {
		e    batch.Entry
		says string // empty: it is taken
	}{
		"an address":                {batch.Entry{ID: "a", Target: good}, ""},
		"all that there is":         {batch.Entry{ID: "a", Name: "Änne", Email: "a@example.org", Target: good, Commit: "main", Due: "2026-03-01", PDF: "tree:docs/report.pdf"}, ""},
		"a document's address":      {batch.Entry{ID: "a", Target: good, PDF: "https://github.com/o/n/raw/report.pdf"}, ""},
		"a folder":                  {batch.Entry{ID: "a", Target: "work"}, "not an address"},
		"a folder by its path":      {batch.Entry{ID: "a", Target: filepath.Join(w.Dir, "work")}, "not an address"},
		"a folder above":            {batch.Entry{ID: "a", Target: "../work"}, "not an address"},
		"file:":                     {batch.Entry{ID: "a", Target: "file://" + filepath.Join(w.Dir, "work")}, "not an address"},
		"an upload of others":       {batch.Entry{ID: "a", Target: "uploads/0123/other.zip"}, "not an address"},
		"OWNER/NAME":                {batch.Entry{ID: "a", Target: "o/n"}, "not an address"},
		"http":                      {batch.Entry{ID: "a", Target: "http://github.com/o/n"}, "not an address"},
		"ssh":                       {batch.Entry{ID: "a", Target: "git@github.com:o/n"}, "not an address"},
		"a command":                 {batch.Entry{ID: "a", Target: "ext::sh -c id"}, "not an address"},
		"a flag":                    {batch.Entry{ID: "a", Target: "--upload-pack=id"}, "not an address"},
		"a password":                {batch.Entry{ID: "a", Target: "https://me:s3cret@github.com/o/n"}, "without a password"},
		"loopback":                  {batch.Entry{ID: "a", Target: "https://127.0.0.1/o/n"}, "url_ip"},
		"loopback by its name":      {batch.Entry{ID: "a", Target: "https://localhost/o/n"}, "url_host"},
		"loopback of six":           {batch.Entry{ID: "a", Target: "https://[::1]/o/n"}, "url_transport"},
		"a private host":            {batch.Entry{ID: "a", Target: "https://10.0.0.7/o/n"}, "url_ip"},
		"the machine's own data":    {batch.Entry{ID: "a", Target: "https://169.254.169.254/latest/meta-data"}, "url_ip"},
		"a number":                  {batch.Entry{ID: "a", Target: "https://2130706433/o/n"}, "url_ip"},
		"a host that is not listed": {batch.Entry{ID: "a", Target: "https://evil.example/o/n"}, "url_host"},
		"a port":                    {batch.Entry{ID: "a", Target: "https://github.com:22/o/n"}, "url_port"},
		"a document of ours":        {batch.Entry{ID: "a", Target: good, PDF: "report.pdf"}, "the document is neither"},
		"a document by its path":    {batch.Entry{ID: "a", Target: good, PDF: "/etc/passwd"}, "the document is neither"},
		"a document above":          {batch.Entry{ID: "a", Target: good, PDF: "../../etc/passwd"}, "the document is neither"},
		"a document by file:":       {batch.Entry{ID: "a", Target: good, PDF: "file:///etc/passwd"}, "the document is neither"},
		"an uploaded document":      {batch.Entry{ID: "a", Target: good, PDF: "uploads/0123/r.pdf"}, "the document is neither"},
		"a document's password":     {batch.Entry{ID: "a", Target: good, PDF: "https://me:s3cret@github.com/r.pdf"}, "the document is neither"},
		"answers of ours":           {batch.Entry{ID: "a", Target: good, Answers: "answers.json"}, "answers are a file of the server"},
		"no id":                     {batch.Entry{Target: good}, "the id is empty"},
		"an id that is a folder":    {batch.Entry{ID: "..", Target: good}, "the id is empty, or none"},
		"an id that hides":          {batch.Entry{ID: "a\u202eb", Target: good}, "characters that are not shown"},
		"a name with a command":     {batch.Entry{ID: "a", Name: "\x1b[31mx", Target: good}, "characters that are not shown"},
		"a long id":                 {batch.Entry{ID: strings.Repeat("x", 201), Target: good}, "too long"},
		"a revision with a command": {batch.Entry{ID: "a", Target: good, Commit: "a b; id\n"}, "characters that are not shown"},
		"no time":                   {batch.Entry{ID: "a", Target: good, Due: "soon"}, "due is not a time"},
		"nothing":                   {batch.Entry{ID: "a"}, "neither an address"},
	} {
		_, wrong := n.entry(web.Sent{Entry: test.e})
		text := strings.Join(wrong, "; ")
		if (test.says == "") != (len(wrong) == 0) || !strings.Contains(text, test.says) {
			t.Errorf("%s: %q", name, text)
		}
		if strings.Contains(text, "s3cret") || strings.Contains(text, w.Dir) {
			t.Errorf("%s: it tells what it should not: %q", name, text)
		}
	}
}

// A roster that is sent is taken whole or not at all, and names all that is wrong with it.
func TestRosterFromElsewhere(t *testing.T) {
	w := newWorld(t)
	n := w.opened(t)
	add := func(text string, replace bool) error {
		list, err := batch.Roster([]byte(text), n.reading)
		if err != nil {
			t.Fatal(err)
		}
		var sent []web.Sent
		for _, e := range list {
			sent = append(sent, web.Sent{Entry: e})
		}
		return n.Add(t.Context(), sent, replace)
	}
	err := add("id,repo_url,pdf,answers\nada,https://github.com/o/ada,,\nbob,/etc,,\ncid,https://github.com/o/cid,../secret.pdf,\ndan,https://github.com/o/dan,,/etc/passwd\n", false)
	bad, ok := errors.AsType[batch.Problems](err)
	if !ok || len(bad) != 3 || !strings.Contains(bad[0], `line 3, "bob"`) || len(n.s.class.cohort.Entries()) != 0 {
		t.Fatalf("%v %v", err, n.s.class.cohort.Entries())
	}
	if err := add("id,repo_url,name\nada,https://github.com/o/ada,Ada\nbob,https://github.com/o/bob,Bob\n", false); err != nil {
		t.Fatal(err)
	}
	if err := add("id,repo_url\nbob,https://github.com/o/other\ncid,https://github.com/o/cid\n", false); err == nil || len(n.s.class.cohort.Entries()) != 2 {
		t.Fatal(err, n.s.class.cohort.Entries())
	}
	if err := add("id,repo_url\nbob,https://github.com/o/other\ncid,https://github.com/o/cid\n", true); err != nil {
		t.Fatal(err)
	}
	kept, err := batch.ReadCohort(n.s.class.path)
	if err != nil || len(kept.Roster) != 3 || kept.Entry("bob").Target != "https://github.com/o/other" || kept.Entry("ada").Name != "Ada" {
		t.Errorf("%v %+v", err, kept)
	}
	rows, err := n.s.docket.Rows(t.Context(), kept.ID)
	if err != nil || len(rows) != 3 {
		t.Fatal(err, rows)
	}
	for _, r := range rows {
		if r.State != docket.Pending || !r.Listed {
			t.Errorf("%+v", r)
		}
	}
}

// An upload is what it is by its content, is kept by its digest, and goes when nothing needs it.
func TestUploads(t *testing.T) {
	w := newWorld(t)
	n := w.opened(t)
	good := zipped(t, "main.py", "print(1)\n")
	for name, test := range map[string]struct {
		file, text string
		document   bool
	}{
		"a program":               {"week2.zip", "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 1000), false},
		"a page":                  {"week2.zip", "<!doctype html><script>alert(1)</script>", false},
		"nothing":                 {"week2.zip", "", false},
		"another archive":         {"week2.zip", "Rar!\x1a\x07\x01\x00" + strings.Repeat("x", 100), false},
		"a document of no kind":   {"report.pdf", "<!doctype html><script>alert(1)</script>", true},
		"a program as a document": {"report.pdf", "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 1000), true},
		"an archive as document":  {"report.pdf", good, true},
	} {
		_, err := n.Keep(test.file, test.document, strings.NewReader(test.text))
		if _, wrong := errors.AsType[batch.Problems](err); !wrong || strings.Contains(err.Error(), w.Dir) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := n.Keep("large.zip", false, io.MultiReader(strings.NewReader(good), zeros{}))
	if _, large := errors.AsType[*http.MaxBytesError](err); !large {
		t.Error("without an end: ", err)
	}
	broken := errors.New("the connection broke")
	if _, err := n.Keep("a.zip", false, io.MultiReader(strings.NewReader(good[:50]), failing{broken})); !errors.Is(err, broken) {
		t.Error("broken off: ", err)
	}
	if left := n.uploaded(t); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	for _, name := range []string{"../../../etc/cron.d/x.zip", `..\..\x.zip`, "/etc/passwd", "\x00", "", ".", "..", "-rf.zip", strings.Repeat("x", 5000) + ".zip", "a\nb.zip", "<script>.zip"} {
		u, err := n.Keep(name, false, strings.NewReader(good))
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if rest, err := filepath.Rel(n.s.class.path, n.s.class.kept(u.Path)); err != nil || !filepath.IsLocal(rest) || strings.Count(u.Path, "/") != 2 || strings.ContainsAny(u.Path, "<\n\x00\\") {
			t.Errorf("%q is kept as %q", name, u.Path)
		}
		u.Release()
	}
	if left := n.uploaded(t); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	one, err := n.Keep("week2.zip", false, strings.NewReader(good))
	two, again := n.Keep("week2.zip", false, strings.NewReader(good))
	if err != nil || again != nil || one.Path != two.Path {
		t.Fatal(err, again, one.Path, two.Path)
	}
	one.Release()
	if len(n.uploaded(t)) != 1 {
		t.Error("it is gone while another needs it")
	}
	if err := n.Add(t.Context(), []web.Sent{{Entry: batch.Entry{ID: "ada"}, Archive: two}}, false); err != nil {
		t.Fatal(err)
	}
	two.Release()
	n.files.abandoned()
	if len(n.uploaded(t)) != 1 || n.s.class.cohort.Entry("ada").Place() != "week2.zip" {
		t.Error("it is gone while the roster names it")
	}
	if err := n.Add(t.Context(), []web.Sent{{Entry: batch.Entry{ID: "ada", Target: "https://github.com/o/ada"}}}, true); err != nil {
		t.Fatal(err)
	}
	w.file(t, "class/uploads/.part-killed/half.zip", "PK")
	n.files.abandoned()
	if left := n.uploaded(t); len(left) > 0 {
		t.Errorf("left after it was replaced: %q", left)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// While another process works on the class nothing is begun, and it is said; what that one did to the roster counts afterwards,
// and other terms do not.
func TestIntakeBeside(t *testing.T) {
	w := newWorld(t)
	n := w.opened(t)
	sent := func(id string) []web.Sent {
		return []web.Sent{{Entry: batch.Entry{ID: id, Target: "https://github.com/o/" + id}}}
	}
	n.rest(t.Context(), nil)
	if now, trouble := n.Working(); now || trouble != "" {
		t.Fatal(now, trouble)
	}
	other, err := docket.Open(t.Context(), n.s.class.path, docket.Setup{Now: w.Now})
	if err != nil {
		t.Fatal("a class at rest is held: ", err)
	}
	if err := n.Add(t.Context(), sent("ada"), false); !errors.Is(err, docket.ErrBusy) {
		t.Error(err)
	}
	if err := n.Again(t.Context(), "ada", true); !errors.Is(err, docket.ErrBusy) {
		t.Error(err)
	}
	c, err := batch.ReadCohort(n.s.class.path)
	if err != nil {
		t.Fatal(err)
	}
	c.Enlist([]batch.Entry{{ID: "bob", Target: "https://github.com/o/bob"}})
	if err := errors.Join(c.Write(n.s.class.path), other.Close()); err != nil {
		t.Fatal(err)
	}
	if err := n.Add(t.Context(), sent("ada"), false); err != nil {
		t.Fatal(err)
	}
	if list := n.s.class.cohort.Entries(); len(list) != 2 || list[0].ID != "bob" {
		t.Errorf("the other's roster is lost: %+v", list)
	}
	if _, err := docket.Open(t.Context(), n.s.class.path, docket.Setup{Now: w.Now}); !errors.Is(err, docket.ErrBusy) {
		t.Error("a class with something to judge is not held: ", err)
	}
	if err := n.s.docket.Cancel(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	n.rest(t.Context(), nil)
	c.Shared.Only = "git_forensic_analysis"
	if err := c.Write(n.s.class.path); err != nil {
		t.Fatal(err)
	}
	if err := n.Add(t.Context(), sent("cid"), false); err == nil || !strings.Contains(err.Error(), "other terms") {
		t.Error(err)
	}
}

// What made the judging stop is told, and the class is left to others.
func TestIntakeTrouble(t *testing.T) {
	w := newWorld(t)
	n := w.opened(t)
	n.rest(t.Context(), errors.New("the disk is full"))
	if now, trouble := n.Working(); now || !strings.Contains(trouble, "the disk is full") || !strings.Contains(w.err.String(), "the disk is full") {
		t.Error(now, trouble, w.err.String())
	}
}

// Wrong uses of --allow-new end before anything is written.
func TestAllowNewFlags(t *testing.T) {
	w := newWorld(t)
	w.file(t, "full/notes.txt", "x")
	w.refuses(t, map[string]string{
		"serve class --rubric courtroom":                   "--rubric is for what is begun from a page",
		"serve class --fail-under 3":                       "--fail-under is for what is begun from a page",
		"serve class --max-upload 3M":                      "--max-upload is for what is begun from a page",
		"serve class --hook https://h.example/x":           "--hook is for what is begun from a page",
		"serve class --allow-new --read-only":              "--allow-new and --read-only contradict each other",
		"serve class --allow-new --max-upload much":        "--max-upload \"much\" is not a size",
		"serve full --allow-new":                           "the folder is not empty and holds no cohort",
		"serve class --allow-new --hook https://h.example": "--hook and --hook-secret belong together",
		"serve class --allow-new -r nothing-of-this-name":  "nothing-of-this-name",
	})
	if _, err := os.Lstat(filepath.Join(w.Dir, "class", batch.FileName)); err == nil {
		t.Error("a class was begun")
	}
}
