package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// served is a running automaton serve.
type served struct {
	t    *testing.T
	cmd  *exec.Cmd
	home string
	said chan string // what it says after it began, when it has ended
}

// serve runs automaton serve on a class that submissions come to.
func (d *desk) serve(t *testing.T, class string, more ...string) *served {
	t.Helper()
	s := &served{t: t, cmd: exec.Command("automaton", append([]string{"serve", class, "--allow-new", "--addr", "127.0.0.1:0"}, more...)...), said: make(chan string, 1)}
	s.cmd.Dir, s.cmd.Env = d.dir, d.env
	pipe, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	lines := bufio.NewReader(pipe)
	said := ""
	for s.home == "" {
		line, err := lines.ReadString('\n')
		said += line
		if err != nil {
			t.Fatal("it does not serve: ", said)
		}
		if _, rest, ok := strings.Cut(line, " at http://"); ok {
			s.home, _, _ = strings.Cut("http://"+rest, "/ ")
		}
	}
	go func() {
		rest, _ := io.ReadAll(lines) // it ends with the process
		s.said <- string(rest)
	}()
	return s
}

// end stops it as a signal does, and gives what it said.
func (s *served) end(signal os.Signal) string {
	s.t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		s.t.Fatal(err)
	}
	said := <-s.said
	_ = s.cmd.Wait() // how it ended is what was asked for
	return said
}

// send sends a submission with its files, by their names, and gives the status and the answer.
func (s *served) send(fields map[string]string, files map[string][]byte) (int, string) {
	s.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, value := range fields {
		if err := w.WriteField(name, value); err != nil {
			s.t.Fatal(err)
		}
	}
	for name, raw := range files {
		part, err := w.CreateFormFile("archive", name)
		if err == nil {
			_, err = part.Write(raw)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		s.t.Fatal(err)
	}
	r, err := http.Post(s.home+"/api/v1/cases", w.FormDataContentType(), &body)
	if err != nil {
		s.t.Fatal(err)
	}
	return r.StatusCode, s.read(r)
}

func (s *served) read(r *http.Response) string {
	s.t.Helper()
	defer func() { _ = r.Body.Close() }()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(raw)
}

func (s *served) get(path string) string {
	s.t.Helper()
	r, err := http.Get(s.home + path)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.read(r)
}

// watch reads what is told of the class until nothing is open, or until see says that it saw enough.
func (s *served) watch(see func(piece string) bool) {
	s.t.Helper()
	r, err := http.Get(s.home + "/live/events")
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	piece := ""
	for lines := bufio.NewScanner(r.Body); lines.Scan(); {
		switch line := lines.Text(); {
		case line == "event: over":
			return
		case line == "":
			if piece != "" && see(piece) {
				return
			}
			piece = ""
		case strings.HasPrefix(line, "data:"):
			piece += line + "\n"
		}
	}
	s.t.Error("the stream ended before the class did")
}

// whole is the desk's repository in one file.
func (d *desk) whole(t *testing.T) []byte {
	t.Helper()
	at := filepath.Join(d.dir, "work.bundle")
	c := exec.Command("git", "-C", "work", "bundle", "create", at, "HEAD", "--all")
	c.Dir, c.Env = d.dir, d.env
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	raw, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// A class that comes in by a server has one record each, never more at work than --jobs, and the hook is told. A server that is
// killed in the middle is gone on with by another one, and by batch, and nobody can tell.
func TestServeKill(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a class several times")
	}
	t.Parallel()
	d := newDesk(t)
	work := d.whole(t)
	ids := []string{"s0", "s1", "s2"}
	fill := func(s *served) {
		for _, id := range ids {
			if status, body := s.send(map[string]string{"id": id, "name": "Student " + id}, map[string][]byte{"work.bundle": work}); status != http.StatusAccepted {
				t.Fatal(status, body)
			}
		}
	}
	told := newTold(t, d)
	s := d.serve(t, "whole", "--pdf", "none", "--jobs", "1", "--hook", told.URL, "--hook-secret", "secret")
	fill(s)
	pieces := 0
	s.watch(func(piece string) bool {
		pieces++
		if n := strings.Count(piece, "/live\">"); n > 1 {
			t.Errorf("%d are at work at once: %s", n, piece)
		}
		return false
	})
	<-told.over
	if said := s.end(os.Interrupt); strings.Contains(said, "warning") {
		t.Error(said)
	}
	if got := told.all(); got["case.end"] != len(ids) || got["nonsense"] > 0 {
		t.Errorf("the hook was told %v", got)
	}
	want := d.records(t, "whole", ids)
	for i, goOn := range []string{"serve", "batch"} {
		t.Run(goOn, func(t *testing.T) {
			class := fmt.Sprint("killed", i)
			s := d.serve(t, class, "--pdf", "none", "--jobs", "1")
			s.t = t
			fill(s)
			n := 0
			s.watch(func(string) bool { n++; return n > 1+i*pieces/2 })
			s.end(os.Kill)
			if goOn == "serve" {
				s = d.serve(t, class)
				s.watch(func(string) bool { return false })
				s.end(os.Interrupt)
			} else if p := d.run(t, "batch", class); p.end() != 0 {
				t.Fatal(p)
			}
			if diff := cmp.Diff(want, d.records(t, class, ids)); diff != "" {
				t.Errorf("other records than without the kill:\n%s", diff)
			}
		})
	}
}

// told counts what a hook is told.
type told struct {
	*httptest.Server
	mu   sync.Mutex
	many map[string]int
	over chan struct{} // is told of each end of the class
}

func newTold(t *testing.T, d *desk) *told {
	t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, "secret"), []byte("0123456789abcdef0123"), 0o600); err != nil {
		t.Fatal(err)
	}
	k := &told{many: map[string]int{}, over: make(chan struct{}, 16)}
	k.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct{ Kind string }
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil || r.Header.Get("Automaton-Signature") == "" {
			m.Kind = "nonsense"
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.many[m.Kind]++; m.Kind == "cohort.end" {
			k.over <- struct{}{}
		}
	}))
	t.Cleanup(k.Close)
	return k
}

func (k *told) all() map[string]int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.many
}

// hostileArchives are archives that are none of a student.
func hostileArchives(t *testing.T) map[string][]byte {
	t.Helper()
	zipOf := func(files map[string][]byte) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, raw := range files {
			f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
			if err == nil {
				_, err = f.Write(raw)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	bomb := zipOf(map[string][]byte{"zeros.py": make([]byte, 200<<20)})
	nested := bomb
	for range 6 { // each holds sixteen of the one before
		files := map[string][]byte{"main.py": []byte("print(1)\n")}
		for i := range 16 {
			files[fmt.Sprintf("%d.zip", i)] = nested
		}
		nested = zipOf(files)
		if len(nested) > 4<<20 {
			break
		}
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []tar.Header{{Name: "p/main.py", Size: 9, Mode: 0o644}, {Name: "p/passwd", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, {Name: "p/up", Typeflag: tar.TypeSymlink, Linkname: "../../.."},
		{Name: "p/up/planted", Size: 9, Mode: 0o644}, {Name: "../../planted", Size: 9, Mode: 0o644}, {Name: "/tmp/../planted", Size: 9, Mode: 0o644}, {Name: "p/pipe", Typeflag: tar.TypeFifo}, {Name: "p/hard", Typeflag: tar.TypeLink, Linkname: "/etc/shadow"}} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte("print(1)\n")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	git := zipOf(map[string][]byte{"p/.git/HEAD": []byte("ref: refs/heads/../../../../etc/passwd\n"), "p/.git/config": []byte("[core]\n\tfsmonitor = touch planted\n\tsshCommand = touch planted\n"), "p/.git/hooks/post-checkout": []byte("#!/bin/sh\ntouch planted\n"),
		"p/.git/objects/info/alternates": []byte("/etc\n"), "p/main.py": []byte("print(1)\n")})
	return map[string][]byte{"bomb": bomb, "nested": nested, "links": b.Bytes(), "git": git, "cut": nested[:len(nested)/2], "up": zipOf(map[string][]byte{"../../planted": []byte("x"), "a.py": []byte("x = 1\n")})}
}

// Archives that are attacks are taken to an end, each for itself: nothing of them lands anywhere, nothing runs, and the good one
// beside them has its record.
func TestServeHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a class")
	}
	t.Parallel()
	d := newDesk(t)
	s := d.serve(t, "class", "--pdf", "none", "--max-upload", "20M")
	attacks := hostileArchives(t)
	for id, raw := range attacks {
		if status, body := s.send(map[string]string{"id": id}, map[string][]byte{"x.zip": raw}); status != http.StatusAccepted && status != http.StatusUnprocessableEntity {
			t.Error(id, status, body)
		}
	}
	if status, body := s.send(map[string]string{"id": "good"}, map[string][]byte{"work.bundle": d.whole(t)}); status != http.StatusAccepted {
		t.Fatal(status, body)
	}
	s.watch(func(string) bool { return false })
	var list struct {
		Cases []struct{ ID, State, Reason string } `json:"cases"`
	}
	if err := json.Unmarshal([]byte(s.get("/api/v1/cases")), &list); err != nil || len(list.Cases) < len(attacks) {
		t.Error(err, list)
	}
	for _, c := range list.Cases {
		t.Log(c)
		if c.State == "open" || c.State == "failed" && c.Reason == "" || strings.Contains(c.Reason, "defect") || strings.Contains(c.Reason, d.dir) || c.ID == "good" && c.State != "audited" || c.ID == "bomb" && c.State != "failed" {
			t.Errorf("%+v", c)
		}
	}
	if page := s.get("/"); !strings.Contains(page, "good") {
		t.Error("it does not answer any more")
	}
	s.end(os.Interrupt)
	err := filepath.WalkDir(d.dir, func(p string, e os.DirEntry, err error) error {
		if err == nil && (e.Name() == "planted" || e.Type()&os.ModeSymlink != 0 && strings.Contains(p, "uploads")) {
			t.Error("landed: ", p)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for _, p := range []string{"/planted", "/tmp/planted", "/etc/planted"} {
		if _, err := os.Lstat(p); err == nil {
			t.Error("landed: ", p)
		}
	}
}
