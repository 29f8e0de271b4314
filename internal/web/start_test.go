package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/store"
)

// taker stands for what begins audits: it writes submissions down and judges nothing.
type taker struct {
	x      *site
	most   int64
	err    error        // that everything ends with
	read   atomic.Int64 // bytes of uploads
	kept   atomic.Int64
	added  []Sent
	again  []string
	held   chan struct{} // an upload waits until it is closed; nil: none does
	inside chan struct{} // is told of an upload that waits
}

func (k *taker) Keep(name string, _ bool, from io.Reader) (Upload, error) {
	if k.held != nil {
		k.inside <- struct{}{}
		<-k.held
	}
	n, err := io.Copy(io.Discard, io.LimitReader(from, k.most+1))
	k.read.Add(n)
	switch {
	case err != nil:
		return Upload{}, err
	case n > k.most:
		return Upload{}, &http.MaxBytesError{Limit: k.most}
	}
	k.kept.Add(1)
	return Upload{Path: "uploads/0123/" + name, Release: func() { k.kept.Add(-1) }}, k.err
}

func (k *taker) Add(ctx context.Context, list []Sent, replace bool) error {
	if k.err != nil {
		return k.err
	}
	k.added = append(k.added, list...)
	c := k.x.Cohort
	for _, s := range list {
		if s.Entry.Target == "" {
			s.Target = s.Archive.Path
		}
		c.Enlist(append(slices.Clone(c.Entries()), s.Entry))
		row := docket.Submission{ID: s.ID, Seq: int64(len(c.Entries())), Folder: "f-" + s.ID, Request: "r", Spec: "s", Listed: true}
		if err := k.x.Docket.Admit(ctx, c.ID, row); err != nil {
			return err
		}
	}
	return nil
}

func (k *taker) Again(ctx context.Context, id string, newest bool) error {
	k.again = append(k.again, fmt.Sprint(id, newest))
	if k.err != nil {
		return k.err
	}
	return k.x.Docket.Again(ctx, k.x.Cohort.ID, newest, id)
}

func (k *taker) Working() (bool, string) { return k.err == nil, "" }

// starting is a class that submissions come to.
func starting(t testing.TB, access Access) (*site, *taker) {
	x := three(t, access)
	k := &taker{x: x, most: 1 << 20}
	x.Start, x.MaxUpload = k, k.most
	x.Handler = x.Server.Handler()
	return x, k
}

// field is one of a form with files.
type field struct{ name, file, text string }

func formWith(fields ...field) (kind string, body *bytes.Buffer) {
	body = new(bytes.Buffer)
	w := multipart.NewWriter(body)
	for _, f := range fields {
		var part io.Writer
		if f.file == "" {
			part, _ = w.CreateFormField(f.name)
		} else {
			part, _ = w.CreateFormFile(f.name, f.file)
		}
		_, _ = io.WriteString(part, f.text)
	}
	_ = w.Close()
	return w.FormDataContentType(), body
}

// post sends a form with files.
func (x *site) post(path string, fields []field, change ...func(*http.Request)) *http.Response {
	kind, body := formWith(fields...)
	r := httptest.NewRequest(http.MethodPost, "http://"+host+path, body)
	r.Header.Set("Content-Type", kind)
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	x.ServeHTTP(w, r)
	return w.Result()
}

var newSubmission = []field{{"id", "", "zoe"}, {"name", "", "Zoë"}, {"repo_url", "", "https://github.com/o/zoe"}}

// Only who may start does, from our own pages or a program, and where the server lets people.
func TestStartAccess(t *testing.T) {
	all := append(slices.Clone(secrets), Token{Name: "starts", Role: "start", Secret: strings.Repeat("s", 32)})
	startsBearer := with("Authorization", "Bearer "+all[2].Secret)
	for name, test := range map[string]struct {
		access Access
		change []func(*http.Request)
		want   int // of the page
	}{
		"who starts":         {Access{Tokens: all}, []func(*http.Request){startsBearer}, 303},
		"who decides":        {Access{Tokens: all}, []func(*http.Request){bearer(1)}, 403},
		"who reads":          {Access{Tokens: all}, []func(*http.Request){bearer(0)}, 403},
		"who has no token":   {Access{Tokens: all}, nil, 401},
		"everybody":          {Access{As: "me"}, nil, 303},
		"nobody writes":      {Access{As: "me", ReadOnly: true}, nil, 404},
		"another site":       {Access{As: "me"}, []func(*http.Request){with("Sec-Fetch-Site", "cross-site")}, 403},
		"another origin":     {Access{As: "me"}, []func(*http.Request){with("Origin", "http://evil.example")}, 403},
		"a name bound to us": {Access{As: "me"}, []func(*http.Request){func(r *http.Request) { r.Host = "evil.example" }}, 421},
	} {
		t.Run(name, func(t *testing.T) {
			x, k := starting(t, test.access)
			for path, fields := range map[string][]field{"/new": newSubmission, "/new/roster": {{"roster", "class.csv", "id,repo_url\nyan,https://github.com/o/yan\n"}}, "/api/v1/cases": {{"id", "", "xia"}, {"repo_url", "", "https://github.com/o/x"}},
				"/cases/eve/again": nil, "/api/v1/cases/bob/again": nil} {
				want := test.want
				if want == 303 && strings.HasPrefix(path, "/api/") {
					want = 202
				}
				r := x.post(path, fields, test.change...)
				if r.StatusCode != want {
					t.Errorf("%s: %d, want %d: %s", path, r.StatusCode, want, bodyOf(t, r))
				}
			}
			if some := len(k.added)+len(k.again) > 0; some != (test.want == 303) {
				t.Errorf("%+v %q", k.added, k.again)
			}
			if test.want == 403 && test.access.Tokens != nil {
				if r := x.ask("/new", nil, test.change...); r.StatusCode != 403 {
					t.Error("the page: ", r.Status)
				}
			}
		})
	}
	plain := three(t, Access{As: "me"})
	for _, path := range []string{"/new", "/api/v1/cases/bob/again"} {
		if r := plain.post(path, newSubmission); r.StatusCode != 404 && r.StatusCode != 405 {
			t.Error("without --allow-new: ", path, r.Status)
		}
	}
	if page := bodyOf(t, plain.ask("/", nil)); strings.Contains(page, `href="/new"`) {
		t.Error("the way there is shown")
	}
}

// The link of a student lets nobody start.
func TestStudentCannotStart(t *testing.T) {
	x, k := starting(t, Access{Tokens: secrets})
	_, rest, _ := strings.Cut(bodyOf(t, x.ask("/cases/bob/link", url.Values{}, bearer(1))), "http://"+host+"/s/")
	token, _, ok := strings.Cut(rest, "<")
	x.ask("/cases/bob/decide", url.Values{"kind": {"publish"}, "seen": {"0"}}, bearer(1))
	if !ok || x.ask("/s/"+token, nil).StatusCode != 200 {
		t.Fatal("there is no link")
	}
	for _, path := range []string{"/s/" + token + "/again", "/s/" + token + "/new", "/s/" + token, "/cases/bob/again", "/new"} {
		if r := x.post(path, newSubmission, func(r *http.Request) { r.Header.Set("Referer", "http://"+host+"/s/"+token) }); r.StatusCode/100 != 4 {
			t.Error(path, r.Status)
		}
	}
	if len(k.added)+len(k.again) > 0 {
		t.Errorf("%+v %q", k.added, k.again)
	}
	if page := bodyOf(t, x.ask("/s/"+token, nil)); strings.Contains(page, "again") && strings.Contains(page, "/cases/bob/again") {
		t.Error("the way is shown")
	}
}

// What was added is watched at once, and listed as what it is.
func TestStartIsWatched(t *testing.T) {
	x, k := starting(t, Access{As: "me"})
	r := x.post("/new", append(slices.Clone(newSubmission), field{"archive", "", ""}))
	if r.StatusCode != 303 || r.Header.Get("Location") != "/cases/zoe/live" {
		t.Fatal(r.Status, r.Header, bodyOf(t, r))
	}
	page := bodyOf(t, x.ask("/cases/zoe/live", nil))
	if !strings.Contains(page, `data-live="/cases/zoe/events`) || !strings.Contains(page, "queued") {
		t.Error(page)
	}
	if page := bodyOf(t, x.ask("/?find=zoe", nil)); !strings.Contains(page, "<td>queued</td>") || !strings.Contains(page, "Zoë") {
		t.Error(page)
	}
	s, ok, err := x.Docket.Claim(t.Context(), x.Cohort.ID, "me", 0)
	if err != nil || !ok || s.ID != "zoe" {
		t.Fatal(s, ok, err)
	}
	x.last = nil // the clock of the test stands still
	if page := bodyOf(t, x.ask("/?find=zoe", nil)); !strings.Contains(page, "<td>being fetched</td>") {
		t.Error(page)
	}
	if r := x.post("/cases/zoe/again", nil); r.StatusCode != http.StatusConflict {
		t.Error("it is at work: ", r.Status)
	}
	for path, want := range map[string]string{"/cases/bob/again": "bobtrue", "/api/v1/cases/ada/again?commit=same": "adafalse"} {
		if r := x.post(path, nil); r.StatusCode/100 > 3 || k.again[len(k.again)-1] != want {
			t.Error(path, r.Status, k.again)
		}
	}
	if page := bodyOf(t, x.ask("/cases/bob", nil)); !strings.Contains(page, "queued") || strings.Contains(page, `action="/cases/bob/again"`) {
		t.Error("it does not say that it is judged again")
	}
}

// Whatever is in the fields of a form or a roster comes back as text.
func TestStartShowsText(t *testing.T) {
	const hostile = `"><script>alert(1)</script><a href="javascript:x">`
	x, k := starting(t, Access{As: "me"})
	k.err = batch.Problems{"line 2, " + hostile}
	for _, name := range []string{"id", "name", "repo_url", "commit"} {
		r := x.post("/new", []field{{name, "", hostile}})
		page := bodyOf(t, r)
		if r.StatusCode != http.StatusUnprocessableEntity || strings.Contains(page, "<script>alert") || strings.Contains(page, `"><script`) || !strings.Contains(page, "&lt;script&gt;alert(1)") {
			t.Errorf("%s: %s %s", name, r.Status, page)
		}
	}
	if r := x.post("/new/roster", []field{{"roster", hostile, "id,repo_url,name\n" + hostile + ",https://github.com/o/n,x\n"}}); r.StatusCode != 422 || strings.Contains(bodyOf(t, r), "<script>alert") {
		t.Error(r.Status)
	}
	k.err = nil
	if r := x.post("/new/roster", []field{{"roster", "class.csv", "id,repo_url,name,email\nm," + "https://github.com/o/n,<script>alert(1)</script>,<b>@x\n"}}); r.StatusCode != 303 {
		t.Fatal(r.Status, bodyOf(t, r))
	}
	for _, path := range []string{"/", "/cases/m", "/cases/m/live", "/live", "/compare"} {
		if page := bodyOf(t, x.ask(path, nil)); strings.Contains(page, "<script>alert") || !strings.Contains(page, "&lt;script&gt;alert") && path != "/live" && path != "/compare" {
			t.Error(path, page)
		}
	}
}

// Every reason why nothing starts has its answer, for people and for programs, and no upload is held after it.
func TestNotStarted(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want int
		says string
	}{
		"busy":     {fmt.Errorf("opening: %w", docket.ErrBusy), 409, "Another process judges this class"},
		"wrong":    {batch.Problems{"the id is empty"}, 422, "the id is empty"},
		"no space": {fmt.Errorf("preparing: %w", store.ErrSpace), 507, "disk"},
		"ours":     {errors.New("a defect"), 500, "a defect"},
	} {
		t.Run(name, func(t *testing.T) {
			x, k := starting(t, Access{As: "me"})
			k.err = test.err
			fields := append([]field{{"archive", "a.zip", "PK"}}, newSubmission...)
			for _, path := range []string{"/new", "/api/v1/cases"} {
				r := x.post(path, fields)
				if page := bodyOf(t, r); r.StatusCode != test.want || !strings.Contains(page, test.says) {
					t.Errorf("%s: %s %s", path, r.Status, page)
				}
			}
			if r := x.post("/cases/bob/again", nil); r.StatusCode != test.want {
				t.Error("again: ", r.Status)
			}
		})
	}
	x, k := starting(t, Access{As: "me"})
	if r := x.post("/new", append([]field{{"archive", "a.zip", "PK"}, {"document", "a.pdf", "x"}}, newSubmission...)); r.StatusCode != 303 || k.kept.Load() != 0 || len(k.added) != 1 || k.added[0].Document.Path == "" {
		t.Error(r.Status, k.kept.Load(), k.added)
	}
	for name, fields := range map[string][]field{"a field that nobody knows": {{"rubric", "", "easy.json"}}, "a long one": {{"id", "", strings.Repeat("x", mostField+1)}}, "many": slices.Repeat([]field{{"id", "", "x"}}, mostFields+1)} {
		if r := x.post("/new", fields); r.StatusCode != 422 {
			t.Error(name, r.Status)
		}
	}
	if r := x.ask("/new", url.Values{"id": {"x"}}); r.StatusCode != 415 {
		t.Error("a form without files: ", r.Status)
	}
}

// endless is a body without an end, which counts what was read of it.
type endless struct {
	head io.Reader
	read atomic.Int64
}

func (e *endless) Read(b []byte) (int, error) {
	n, err := e.head.Read(b)
	if errors.Is(err, io.EOF) {
		n, err = len(b), nil
	}
	e.read.Add(int64(n))
	return n, err
}

func (*endless) Close() error { return nil }

// A body without an end is read up to the limit, whatever is in it, and one that says its size is not read at all.
func TestEndlessUpload(t *testing.T) {
	const ours = 1 << 20 // that readers may have taken beyond the limit
	heads := map[string]string{"a file": "--b\r\nContent-Disposition: form-data; name=\"archive\"; filename=\"a.zip\"\r\n\r\n", "a field": "--b\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n",
		"a heading": "--b\r\nContent-Disposition: form-data; name=\"", "nothing": "", "a roster": "--b\r\nContent-Disposition: form-data; name=\"roster\"; filename=\"r.csv\"\r\n\r\n"}
	for name, head := range heads {
		for _, path := range []string{"/new", "/new/roster", "/api/v1/cases"} {
			x, k := starting(t, Access{As: "me"})
			e := &endless{head: strings.NewReader(head)}
			r := httptest.NewRequest(http.MethodPost, "http://"+host+path, e)
			r.ContentLength = -1
			r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
			w := httptest.NewRecorder()
			x.ServeHTTP(w, r)
			if w.Code/100 != 4 || e.read.Load() > max(k.most, mostRoster)+ours || k.read.Load() > k.most+1 || len(k.added) > 0 {
				t.Errorf("%s to %s: %d after %d bytes, of which %d were kept: %s", name, path, w.Code, e.read.Load(), k.read.Load(), w.Body)
			}
			said := &endless{head: strings.NewReader(head)}
			r = httptest.NewRequest(http.MethodPost, "http://"+host+path, said)
			r.ContentLength = 10 << 30
			r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
			w = httptest.NewRecorder()
			if x.ServeHTTP(w, r); w.Code != 413 || said.read.Load() > 0 {
				t.Errorf("%s to %s, which says its size: %d after %d bytes", name, path, w.Code, said.read.Load())
			}
		}
	}
	x, _ := starting(t, Access{As: "me"})
	e := &endless{head: strings.NewReader("{")}
	r := httptest.NewRequest(http.MethodPost, "http://"+host+"/api/v1/cases", e)
	r.ContentLength = -1
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if x.ServeHTTP(w, r); w.Code != 413 || e.read.Load() > ours {
		t.Errorf("JSON: %d after %d bytes", w.Code, e.read.Load())
	}
}

// Who sends nothing is cut off, and only so many upload at once.
func TestSlowUpload(t *testing.T) {
	server := httptest.NewUnstartedServer(nil)
	x, k := starting(t, Access{As: "me", Hosts: []string{server.Listener.Addr().String()}})
	x.patience = 10 * time.Millisecond
	server.Config.Handler = x.Handler
	server.Start()
	defer server.Close()
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := fmt.Fprintf(c, "POST /api/v1/cases HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b\r\n", server.Listener.Addr()); err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(c) // it ends, as the server lets go
	if err != nil || !strings.HasPrefix(string(raw), "HTTP/1.1 408 ") || len(k.added) > 0 {
		t.Error(err, string(raw))
	}
}

func TestManyUploads(t *testing.T) {
	x, k := starting(t, Access{As: "me"})
	k.held, k.inside = make(chan struct{}), make(chan struct{}, mostUploads)
	fields := append(slices.Clone(newSubmission), field{"archive", "a.zip", "PK"})
	ended := make(chan int, mostUploads)
	for range mostUploads {
		go func() { ended <- x.post("/new", fields).StatusCode }()
	}
	for range mostUploads {
		<-k.inside
	}
	if r := x.post("/new", fields); r.StatusCode != http.StatusServiceUnavailable {
		t.Error(r.Status)
	}
	if r := x.ask("/", nil); r.StatusCode != 200 {
		t.Error("others wait for uploads: ", r.Status)
	}
	k.err = batch.Problems{"no more"} // nothing is written by several at once
	close(k.held)
	for range mostUploads {
		<-ended
	}
	if r := x.post("/new", newSubmission); r.StatusCode != 422 {
		t.Error("a place is not free again: ", r.Status)
	}
}

// Programs send JSON, and nothing of the terms.
func TestStartJSON(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want int
		id   string
	}{
		"a submission":        {`{"id": "zoe", "repo_url": "https://github.com/o/zoe", "commit": "main", "replace": true}`, 202, "zoe"},
		"without an id":       {`{"repo_url": "https://github.com/o/zoe"}`, 202, "o__zoe"},
		"a rubric":            {`{"id": "zoe", "repo_url": "https://github.com/o/zoe", "rubric": "easy.json"}`, 422, ""},
		"a budget":            {`{"id": "zoe", "repo_url": "https://github.com/o/zoe", "budget": "1000"}`, 422, ""},
		"answers":             {`{"id": "zoe", "repo_url": "https://github.com/o/zoe", "answers": "/etc/passwd"}`, 422, ""},
		"a number for a text": {`{"id": 7}`, 422, ""},
		"no object":           {`[1]`, 400, ""},
		"no JSON":             {`{`, 400, ""},
		"too much":            {`{"id": "` + strings.Repeat("x", maxForm) + `"}`, 413, ""},
	} {
		t.Run(name, func(t *testing.T) {
			x, k := starting(t, Access{As: "me"})
			r := x.ask("/api/v1/cases", nil, func(r *http.Request) {
				r.Method, r.Body = http.MethodPost, io.NopCloser(strings.NewReader(test.body))
				r.Header.Set("Content-Type", "application/json")
			})
			body := bodyOf(t, r)
			if r.StatusCode != test.want {
				t.Fatal(r.Status, body)
			}
			var c apiCase
			if err := json.Unmarshal([]byte(body), &c); err != nil || test.want == 202 && (c.ID != test.id || c.Stage != "queued" || r.Header.Get("Location") != "/api/v1/cases/"+test.id) || test.want != 202 && len(k.added) > 0 {
				t.Error(err, body, r.Header, k.added)
			}
		})
	}
}
