package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// host is the name under which the tests ask.
const host = "127.0.0.1:7878"

// recorded is a record of the reports' tests, ruled by this court.
func recorded(t testing.TB, name string) *court.Record {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "report", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	rec := new(court.Record)
	if err := json.Unmarshal(raw, rec); err != nil {
		t.Fatal(err)
	}
	if rec, err = trial.Ruling(rec); err != nil {
		t.Fatal(err)
	}
	rec.Seal()
	return rec
}

// site is a server over a cohort of its own.
type site struct {
	*Server
	http.Handler
	clock time.Time
}

// serving makes a cohort of submissions, each with a record, and a server over it.
func serving(t testing.TB, access Access, people map[string]*court.Record, ids ...string) *site {
	t.Helper()
	x := &site{clock: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
	now := func() time.Time { return x.clock }
	folder, ctx := t.TempDir(), t.Context()
	d, err := docket.Open(ctx, folder, docket.Setup{Now: now, Ruling: trial.Ruling})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	c := &batch.Cohort{Schema: batch.Schema, ID: "c0ffee000002"}
	if err := d.Found(ctx, docket.Cohort{ID: c.ID, Created: now(), Tool: "automaton 1", Terms: "{}"}); err != nil {
		t.Fatal(err)
	}
	var roster []docket.Submission
	for i, id := range ids {
		c.Roster = append(c.Roster, batch.Entry{ID: id, Name: "Name of " + id, Target: "https://example.org/" + id})
		roster = append(roster, docket.Submission{ID: id, Seq: int64(i), Folder: fmt.Sprintf("f%d", i), Request: "r", Spec: "s"})
	}
	if err := d.Enrol(ctx, c.ID, roster); err != nil {
		t.Fatal(err)
	}
	for range ids {
		judge(t, d, c.ID, people)
	}
	x.clock = x.clock.Add(time.Hour)
	access.Hosts = append(access.Hosts, host)
	if x.Server, err = New(Options{Docket: d, Cohort: c, Folder: folder, Name: "week2", Tool: "automaton 1", Access: access, Now: now}); err != nil {
		t.Fatal(err)
	}
	x.Handler = x.Server.Handler()
	return x
}

// judge takes the next submission and ends it with its record; without one it fails.
func judge(t testing.TB, d *docket.Docket, cohort string, records map[string]*court.Record) {
	t.Helper()
	ctx := t.Context()
	s, ok, err := d.Claim(ctx, cohort, "me", 0)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	lease := docket.Lease{Cohort: cohort, ID: s.ID, Holder: "me"}
	rec := records[s.ID]
	if rec == nil {
		if err := d.Fail(ctx, lease, docket.Private, "repository not found, or private", time.Time{}); err != nil {
			t.Fatal(err)
		}
		return
	}
	key := "run-of-" + s.ID
	if _, err := d.Pin(ctx, lease, docket.Run{Key: key, Request: "r", URL: rec.Case.RepoURL, Commit: rec.Case.Commit, Tool: "automaton 1"}); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	if s.ID == "ada" { // the run of another one kept nothing
		if files["cited"], err = json.Marshal(keptOf(rec)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Finish(ctx, lease, key, docket.Result{Record: rec, Raw: raw, Files: files}); err != nil {
		t.Fatal(err)
	}
}

// keptOf are the texts that a record cites, with something in them that must not act.
func keptOf(rec *court.Record) (list []batch.Text) {
	had := map[string]bool{}
	for _, p := range rec.Places() {
		if p.Path == "" || had[p.Path+p.Digest] {
			continue
		}
		had[p.Path+p.Digest] = true
		list = append(list, batch.Text{Path: p.Path, Digest: p.Digest, First: 1, Lines: slices.Repeat([]string{"<script>alert(1)</script>"}, 300)})
	}
	for n := range 12 {
		if rec.Case.PDF == nil {
			break
		}
		list = append(list, batch.Text{Page: n + 1, Digest: rec.Case.PDF.SHA256, First: 1, Lines: []string{"<img src=x onerror=alert(2)>"}})
	}
	return list
}

// three is a class of a capped, a good and a failed submission.
func three(t testing.TB, access Access) *site {
	return serving(t, access, map[string]*court.Record{"ada": recorded(t, "capped.json"), "bob": recorded(t, "good.json")}, "ada", "bob", "eve")
}

// ask asks for a page, or sends a form where one is given.
func (x *site) ask(path string, form url.Values, change ...func(*http.Request)) *http.Response {
	method, body := http.MethodGet, io.Reader(nil)
	if form != nil {
		method, body = http.MethodPost, strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, "http://"+host+path, body)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	x.ServeHTTP(w, r)
	return w.Result()
}

func bodyOf(t testing.TB, r *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func with(key, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(key, value) }
}

var secrets = []Token{{Name: "reads", Role: "read", Secret: strings.Repeat("r", 32)}, {Name: "decides", Role: "decide", Secret: strings.Repeat("d", 32)}}

func bearer(n int) func(*http.Request) { return with("Authorization", "Bearer "+secrets[n].Secret) }

// pages are those that anybody who reads may ask for.
var pages = []string{"/", "/?find=score%3C3&sort=name&up=1", "/?page=99", "/cases/ada", "/cases/bob", "/cases/eve", "/statistics", "/compare", "/compare?a=ada&b=bob",
	"/groups", "/appeals", "/calibration", "/log", "/export"}

func TestAccess(t *testing.T) {
	score := url.Values{"kind": {"comment"}, "seen": {"0"}, "reason": {"a reason of some length"}}
	for name, test := range map[string]struct {
		access Access
		path   string
		form   url.Values
		change []func(*http.Request)
		want   int
	}{
		"open":                        {Access{}, "/", nil, nil, 200},
		"a name bound to us":          {Access{}, "/", nil, []func(*http.Request){func(r *http.Request) { r.Host = "evil.example" }}, 421},
		"the same without its port":   {Access{}, "/", nil, []func(*http.Request){func(r *http.Request) { r.Host = "127.0.0.1" }}, 421},
		"another site's form":         {Access{}, "/cases/bob/decide", score, []func(*http.Request){with("Sec-Fetch-Site", "cross-site")}, 403},
		"another origin's form":       {Access{}, "/cases/bob/decide", score, []func(*http.Request){with("Origin", "http://evil.example")}, 403},
		"another port's form":         {Access{}, "/cases/bob/decide", score, []func(*http.Request){with("Origin", "http://127.0.0.1:1")}, 403},
		"our own form":                {Access{As: "me"}, "/cases/bob/decide", score, []func(*http.Request){with("Origin", "http://"+host)}, 303},
		"no token":                    {Access{Tokens: secrets}, "/", nil, nil, 303},
		"no token for a form":         {Access{Tokens: secrets}, "/cases/bob/decide", score, nil, 401},
		"a wrong token":               {Access{Tokens: secrets}, "/", nil, []func(*http.Request){with("Authorization", "Bearer "+strings.Repeat("x", 32))}, 401},
		"a token reads":               {Access{Tokens: secrets}, "/cases/ada", nil, []func(*http.Request){bearer(0)}, 200},
		"and does not decide":         {Access{Tokens: secrets}, "/cases/bob/decide", score, []func(*http.Request){bearer(0)}, 403},
		"another decides":             {Access{Tokens: secrets}, "/cases/bob/decide", score, []func(*http.Request){bearer(1)}, 303},
		"nothing writes":              {Access{ReadOnly: true, As: "me"}, "/cases/bob/decide", score, nil, 404},
		"the proxy says nobody":       {Access{UserHeader: "X-User"}, "/", nil, nil, 401},
		"the proxy says who":          {Access{UserHeader: "X-User"}, "/cases/bob/decide", score, []func(*http.Request){with("X-User", "tutor")}, 303},
		"a large form":                {Access{As: "me"}, "/cases/bob/decide", url.Values{"reason": {strings.Repeat("x", maxForm)}}, nil, 413},
		"a folder above":              {Access{}, "/cases/..%2f..%2fetc%2fpasswd", nil, nil, 404},
		"a folder above, plainly":     {Access{}, "/cases/../own/web.css", nil, nil, 307},
		"no file of the disk":         {Access{}, "/own/..%2fserver.go", nil, nil, 404},
		"an id that is none":          {Access{}, "/cases/%00", nil, nil, 404},
		"no report without a record":  {Access{}, "/cases/eve/report.html", nil, nil, 404},
		"a page that there is not":    {Access{}, "/nowhere", nil, nil, 404},
		"a score of a failed case":    {Access{As: "me"}, "/cases/eve/decide", score, nil, 422},
		"a decision without a number": {Access{As: "me"}, "/cases/bob/decide", url.Values{"kind": {"accept"}}, nil, 422},
	} {
		t.Run(name, func(t *testing.T) {
			x := three(t, test.access)
			r := x.ask(test.path, test.form, test.change...)
			if r.StatusCode != test.want {
				t.Errorf("%d, want %d: %s", r.StatusCode, test.want, bodyOf(t, r))
			}
			if page := bodyOf(t, r); r.StatusCode == http.StatusMisdirectedRequest && strings.Contains(page, "Groups") {
				t.Error("a foreign name is shown around: ", page)
			}
			for _, h := range []string{"Content-Security-Policy", "X-Content-Type-Options"} {
				if r.Header.Get(h) == "" {
					t.Error("there is no", h)
				}
			}
		})
	}
}

// What is logged of a link never lets anybody in.
func TestLoggedPath(t *testing.T) {
	x := three(t, Access{})
	var got []Visit
	x.Log = func(v Visit) { got = append(got, v) }
	x.Handler = x.Server.Handler()
	x.ask("/s/secret/appeal", url.Values{})
	x.ask("/cases/ada", nil)
	if len(got) != 2 || got[0].Path != "/s/{token}/appeal" || !got[0].Writes() || got[1].Path != "/cases/ada" || got[1].Writes() {
		t.Errorf("%+v", got)
	}
}

// Guessing is held up after some tries, for the token that is right, too, and not for others.
func TestGuessing(t *testing.T) {
	x := three(t, Access{Tokens: secrets})
	for range mostMisses {
		if r := x.ask("/", nil, with("Authorization", "Bearer wrong")); r.StatusCode != http.StatusUnauthorized {
			t.Fatal(r.Status)
		}
	}
	if r := x.ask("/", nil, bearer(0)); r.StatusCode != http.StatusTooManyRequests {
		t.Error(r.Status)
	}
	if r := x.ask("/", nil, bearer(0), func(r *http.Request) { r.RemoteAddr = "192.0.2.9:1" }); r.StatusCode != http.StatusOK {
		t.Error("another address: ", r.Status)
	}
	x.clock = x.clock.Add(2 * missWhile)
	if r := x.ask("/", nil, bearer(0)); r.StatusCode != http.StatusOK {
		t.Error("a while later: ", r.Status)
	}
}

// A token in a form becomes a cookie that no script and no other site sees.
func TestSignIn(t *testing.T) {
	x := three(t, Access{Tokens: secrets, Encrypted: true})
	if r := x.ask("/login", url.Values{"token": {"wrong"}}); r.StatusCode != http.StatusUnauthorized || len(r.Cookies()) > 0 {
		t.Error(r.Status, r.Cookies())
	}
	r := x.ask("/login", url.Values{"token": {secrets[0].Secret}})
	if r.StatusCode != http.StatusSeeOther || len(r.Cookies()) != 1 {
		t.Fatal(r.Status, r.Cookies())
	}
	c := r.Cookies()[0]
	if !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteStrictMode {
		t.Errorf("%+v", c)
	}
	if r := x.ask("/", nil, func(r *http.Request) { r.AddCookie(c) }); r.StatusCode != http.StatusOK || !strings.Contains(bodyOf(t, r), "reads, reading only") {
		t.Error(r.Status)
	}
}

func TestParseTokens(t *testing.T) {
	long := strings.Repeat("a", LeastSecret)
	for text, want := range map[string]string{
		long: "", "# of the course\n\ndecide ada " + long: "", "": "holds no token", "short": "line 1: the token has 5 bytes",
		"owner ada " + long: `the role "owner"`, "ada " + long: "neither TOKEN nor ROLE NAME TOKEN",
	} {
		list, err := ParseTokens(text)
		if want == "" && (err != nil || len(list) != 1) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
}

// Every page is whole HTML, and nothing in it is said by the submission.
func TestNothingActs(t *testing.T) {
	const bad = `"><script>alert(1)</script><img src=x onerror=alert(2)>`
	rec := recorded(t, "capped.json")
	rec.Rubric.Name, rec.Case.RepoURL, rec.Case.Slug = bad, "https://example.org/"+bad, bad
	for i := range rec.Rubric.Criteria {
		rec.Rubric.Criteria[i].Name = bad
	}
	for id, list := range rec.Evidences {
		for i := range list {
			list[i].Content, list[i].Rationale = bad, bad
		}
		rec.Evidences[id] = list
	}
	rec.Seal()
	x := serving(t, Access{As: bad}, map[string]*court.Record{bad: rec, "bob": recorded(t, "good.json")}, bad, "bob", "fail"+bad)
	at := pathOf(bad)
	if r := x.ask(at+"/decide", url.Values{"kind": {"comment"}, "seen": {"0"}, "reason": {bad}}); r.StatusCode != http.StatusSeeOther {
		t.Fatal(r.Status, bodyOf(t, r))
	}
	if r := x.ask(at+"/decide", url.Values{"kind": {"comment"}, "seen": {"0"}, "reason": {bad}}); r.StatusCode != http.StatusConflict {
		t.Error(r.Status)
	} else {
		harmless(t, "a conflict", r, bodyOf(t, r))
	}
	list := append([]string{at, pathOf("fail" + bad), "/?find=" + url.QueryEscape(bad), "/nowhere" + url.PathEscape(bad),
		"/compare?" + url.Values{"a": {bad}, "b": {"bob"}}.Encode()}, pages...)
	for _, path := range list {
		r := x.ask(path, nil)
		harmless(t, path, r, bodyOf(t, r))
	}
}

// harmless looks for elements and attributes that could do something.
func harmless(t *testing.T, path string, r *http.Response, body string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(path, err)
	}
	policy := r.Header.Get("Content-Security-Policy")
	if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("%s: policy %q", path, policy)
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "img" || n.Data == "iframe" || n.Data == "object" || n.Data == "base" {
			t.Errorf("%s: there is a %s", path, n.Data)
		}
		if n.Data == "script" && n.FirstChild != nil && strings.Contains(n.FirstChild.Data, "alert(") {
			t.Errorf("%s: a script of the submission", path)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || (a.Key == "href" || a.Key == "action") && strings.HasPrefix(strings.ToLower(a.Val), "javascript:") {
				t.Errorf("%s: <%s %s=%q>", path, n.Data, a.Key, a.Val)
			}
		}
	}
}

// What is decided counts at once, can be taken back, and never hides what the machine said.
func TestDecide(t *testing.T) {
	x := three(t, Access{As: "a.tutor"})
	before := bodyOf(t, x.ask("/cases/bob", nil))
	rec := recorded(t, "good.json")
	criterion := rec.Verdict.Rulings[0].Criterion
	form := url.Values{"kind": {"score"}, "criterion": {criterion}, "seen": {"0"}, "score": {"1,5"}, "reason": {"Shown in the oral exam."}}
	if r := x.ask("/cases/bob/decide", form); r.StatusCode != http.StatusSeeOther {
		t.Fatal(r.Status, bodyOf(t, r))
	}
	now := bodyOf(t, x.ask("/cases/bob", nil))
	machine := rec.Verdict.Overall.Exact.Shown()
	for _, want := range []string{"the machine said " + machine, "Shown in the oral exam.", "gave 1.50", "Human mark"} {
		if !strings.Contains(now, want) || strings.Contains(before, want) {
			t.Errorf("%q: before %v, now %v", want, strings.Contains(before, want), strings.Contains(now, want))
		}
	}
	if list := bodyOf(t, x.ask("/", nil)); strings.Contains(list, ">"+machine+"<") {
		t.Error("the list shows the machine's score")
	}
	// somebody who had the page open before does not win silently
	form.Set("score", "5")
	r := x.ask("/cases/bob/decide", form)
	if page := bodyOf(t, r); r.StatusCode != http.StatusConflict || !strings.Contains(page, "gave 1.50") || !strings.Contains(page, "5.00") {
		t.Error(r.Status, page)
	}
	undo := url.Values{"kind": {"undo"}, "undoes": {"1"}, "seen": {"1"}, "reason": {"That was the wrong case."}}
	if r := x.ask("/cases/bob/decide", undo); r.StatusCode != http.StatusSeeOther {
		t.Fatal(r.Status, bodyOf(t, r))
	}
	if list := bodyOf(t, x.ask("/", nil)); !strings.Contains(list, ">"+machine+"<") {
		t.Error("what was taken back still counts")
	}
	if log := bodyOf(t, x.ask("/log", nil)); !strings.Contains(log, "The chain of 2 holds") {
		t.Error(log)
	}
}

// A link leads to one case, once its score is given out, until it ends.
func TestLink(t *testing.T) {
	x := three(t, Access{As: "a.tutor", Tokens: secrets})
	page := bodyOf(t, x.ask("/cases/bob/link", url.Values{}, bearer(1)))
	_, rest, _ := strings.Cut(page, `<code id="address">http://`+host)
	at, _, ok := strings.Cut(rest, "<")
	if !ok || !strings.HasPrefix(at, "/s/") {
		t.Fatal(page)
	}
	if r := x.ask(at, nil); r.StatusCode != http.StatusForbidden || strings.Contains(bodyOf(t, r), "Exact") {
		t.Error("a draft: ", r.Status)
	}
	if r := x.ask("/cases/bob/decide", url.Values{"kind": {"publish"}, "seen": {"0"}}, bearer(1)); r.StatusCode != http.StatusSeeOther {
		t.Fatal(r.Status)
	}
	page = bodyOf(t, x.ask(at, nil))
	for _, hidden := range []string{"Name of ada", "example.org/ada", "/cases/", `href="/log`, "/decide"} {
		if strings.Contains(page, hidden) {
			t.Errorf("the page of a link holds %q", hidden)
		}
	}
	for path, want := range map[string]int{at + "/source?path=src%2Fa.py": 404, at + "/record.json": 200, at + "/report.html": 200, at + "/x": 404, "/cases/bob": 303, "/cases/ada": 303, "/": 303, "/api/v1/cohort": 401, at + "x": 404} {
		if r := x.ask(path, nil); r.StatusCode != want {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
	criterion := recorded(t, "good.json").Verdict.Rulings[0].Criterion
	appeal := url.Values{"criterion": {criterion}, "points": {"src/a.py:3\r\npdf:2"}, "reason": {"It is handled in this file."}}
	if r := x.ask(at+"/appeal", appeal); r.StatusCode != http.StatusSeeOther {
		t.Fatal(r.Status, bodyOf(t, r))
	}
	if queue := bodyOf(t, x.ask("/appeals", nil, bearer(0))); !strings.Contains(queue, "It is handled in this file.") || !strings.Contains(queue, "src/a.py:3") {
		t.Error(queue)
	}
	if r := x.ask("/cases/bob/unlink", url.Values{}, bearer(1)); r.StatusCode != http.StatusSeeOther {
		t.Fatal(r.Status)
	}
	for _, path := range []string{at, at + "/record.json"} {
		if r := x.ask(path, nil); r.StatusCode != http.StatusNotFound {
			t.Error("ended: ", r.Status)
		}
	}
	if r := x.ask(at+"/appeal", appeal); r.StatusCode != http.StatusNotFound {
		t.Error("ended: ", r.Status)
	}
}

// Appeals are answered one by one, or together where the form says which.
func TestAnswers(t *testing.T) {
	x := three(t, Access{As: "a.tutor"})
	criterion := recorded(t, "good.json").Verdict.Rulings[0].Criterion
	for i := range int64(3) {
		a := decision.Entry{By: "bob", Kind: decision.Appeal, Submission: "bob", Criterion: criterion, Points: []string{"src/a.py:3"}, Reason: fmt.Sprintf("It is handled here, %d.", i)}
		if _, err := x.Cohort.Decide(t.Context(), x.Docket, x.Folder, map[string]int64{"bob": i}, a); err != nil {
			t.Fatal(err)
		}
	}
	waiting := func() string {
		list, err := x.Docket.Decisions(t.Context(), x.Cohort.ID, "bob")
		var seqs []int64
		for _, a := range decision.Appeals(list) {
			seqs = append(seqs, a.Seq)
		}
		return fmt.Sprint(seqs, err)
	}
	form := func(seen string, answers ...string) url.Values {
		return url.Values{"kind": {"score"}, "criterion": {criterion}, "seen": {seen}, "score": {"4"}, "reason": {"Shown in the oral exam."}, "answers": answers, "from": {"queue"}}
	}
	if page := bodyOf(t, x.ask("/appeals", nil)); strings.Count(page, `type="hidden" name="answers" value="2"`) != 2 || strings.Count(page, `type="checkbox" name="answers" value="2"`) != 4 {
		t.Error(page)
	}
	if page := bodyOf(t, x.ask("/cases/bob", nil)); !strings.Contains(page, "3 appeals wait") || !strings.Contains(page, `type="checkbox" name="answers" value="3"`) {
		t.Error(page)
	}
	for _, step := range []struct {
		form   url.Values
		status int
		want   string
	}{
		{form("3"), 303, "[1 2 3] <nil>"},
		{form("4", "2"), 303, "[1 3] <nil>"},
		{form("5", "2"), 422, "[1 3] <nil>"}, // it was answered
		{form("5", "x"), 422, "[1 3] <nil>"},
		{form("5", "1", "3"), 303, "[] <nil>"},
	} {
		r := x.ask("/cases/bob/decide", step.form)
		if got := waiting(); r.StatusCode != step.status || got != step.want || r.StatusCode == 303 && r.Header.Get("Location") != "/appeals" {
			t.Errorf("%v: %s, %s, %s", step.form, r.Status, got, r.Header.Get("Location"))
		}
	}
	if log := bodyOf(t, x.ask("/log", nil)); !strings.Contains(log, "answering appeal 1 and 3") {
		t.Error(log)
	}
}

// Every place that a report names leads to a page of ours: to the text where the run kept it, and else to what the record quotes.
// Nothing is read from the disk, and nothing of it acts.
func TestSource(t *testing.T) {
	x := three(t, Access{As: "a.tutor"})
	links := func(page string) (list []string) {
		doc, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			for _, a := range n.Attr {
				if a.Key == "href" && strings.Contains(a.Val, "/source?") {
					list = append(list, a.Val)
				}
			}
		}
		return list
	}
	page := bodyOf(t, x.ask("/cases/ada", nil))
	lines, seen := 0, map[string]bool{}
	for _, at := range links(page) {
		if at, _, _ = strings.Cut(at, "#"); seen[at] {
			continue
		}
		seen[at] = true
		r := x.ask(at, nil)
		text := bodyOf(t, r)
		harmless(t, at, r, text)
		if r.StatusCode != http.StatusOK {
			t.Error(at, r.Status)
		}
		if strings.Contains(at, "line=") {
			lines++
			if !strings.Contains(text, "alert(1)&lt;/script&gt;") || !strings.Contains(text, `class="hit" id="L`) {
				t.Error(at, text)
			}
		}
	}
	if lines < 5 || strings.Contains(page, "/blob/") {
		t.Errorf("%d links lead to lines, or one leads elsewhere", lines)
	}
	// where nothing was kept, places lead to the repository, and our page has what the record quotes
	if page := bodyOf(t, x.ask("/cases/bob", nil)); !strings.Contains(page, "/blob/") || len(links(page)) > 0 {
		t.Errorf("%q", links(page))
	}
	quoted := false
	for _, list := range recorded(t, "good.json").Evidences {
		for _, e := range list {
			if len(e.At) > 0 && e.At[0].Line > 0 && e.Content != "" {
				quoted = true
				first, _, _ := strings.Cut(e.Content, "\n")
				query, _, _ := strings.Cut(e.At[0].Query(), "#")
				if r := x.ask("/cases/bob/source?"+query, nil); !strings.Contains(bodyOf(t, r), html.EscapeString(first)) {
					t.Error(e.Label, r.Status)
				}
			}
		}
	}
	if !quoted {
		t.Error("the record quotes nothing")
	}
	for path, want := range map[string]int{
		"/cases/ada/source?page=1&digest=d0c": 200, "/cases/ada/source?page=2": 200, "/cases/ada/source?page=77": 404, "/cases/ada/source": 404,
		"/cases/ada/source?path=/etc/passwd": 404, "/cases/ada/source?path=../../cohort.json&line=1": 404, "/cases/ada/source?path=%ff%00": 404,
		"/cases/ada/source?page=-1": 404, "/cases/ada/source?page=99999999999999999999": 404, "/cases/eve/source?page=1": 404, "/cases/nobody/source?page=1": 404,
	} {
		r := x.ask(path, nil)
		text := bodyOf(t, r)
		harmless(t, path, r, text)
		if r.StatusCode != want {
			t.Error(path, r.Status)
		}
	}
	if page := bodyOf(t, x.ask("/cases/ada/source?page=1", nil)); !strings.Contains(page, "&lt;img src=x") || !strings.Contains(page, `page=2" rel="next"`) {
		t.Error(page)
	}
}

// The queue hears an appeal: it shows what stands at the places and what the court gives now, decides nothing, and offers that score.
func TestHear(t *testing.T) {
	x := three(t, Access{As: "a.tutor", Tokens: secrets})
	rec := recorded(t, "good.json")
	criterion := rec.Verdict.Rulings[0].Criterion
	a := decision.Entry{By: "bob", Kind: decision.Appeal, Submission: "bob", Criterion: criterion, Points: []string{"src/a.py:3"}, Reason: "It is handled in this file."}
	if _, err := x.Cohort.Decide(t.Context(), x.Docket, x.Folder, map[string]int64{"bob": 0}, a); err != nil {
		t.Fatal(err)
	}
	if page := bodyOf(t, x.ask("/appeals", nil, bearer(1))); strings.Contains(page, "Hear the appeal") {
		t.Error("what cannot be done is offered")
	}
	if r := x.ask("/appeals/1/hear", url.Values{}, bearer(1)); r.StatusCode != http.StatusNotFound {
		t.Error(r.Status)
	}
	fail := errors.New("hearing an appeal: the repository is gone")
	x.Hear = func(_ context.Context, e batch.Entry, of *court.Record, x decision.Entry) (*court.Record, []store.Line, error) {
		if e.ID != "bob" || of.Digest != rec.Digest || x.Seq != 1 || fail != nil {
			return nil, nil, fail
		}
		then := *of
		v := *of.Verdict
		then.Verdict, v.Rulings = &v, slices.Clone(v.Rulings)
		v.Rulings[0].Exact = 12345
		return &then, []store.Line{{Check: "src/a.py:3", Result: store.OK, Text: "<b>seen</b>"}}, nil
	}
	if r := x.ask("/appeals/1/hear", url.Values{}, bearer(0)); r.StatusCode != http.StatusForbidden {
		t.Error("who reads: ", r.Status)
	}
	if r := x.ask("/appeals/1/hear", url.Values{}, bearer(1)); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(bodyOf(t, r), "not heard: the repository is gone.") {
		t.Error(r.Status)
	}
	fail = nil
	if r := x.ask("/appeals/1/hear", url.Values{}, bearer(1)); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/appeals#a-1" {
		t.Fatal(r.Status, bodyOf(t, r))
	}
	page := bodyOf(t, x.ask("/appeals", nil, bearer(1)))
	for _, want := range []string{"the court gives <b>1.23</b>, and gave " + rec.Verdict.Rulings[0].Exact.Shown(), "<b>seen</b> <code>src/a.py:3</code> &lt;b&gt;seen", `name="score" value="1.2345"`, `href="/appeals/1"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	if r := x.ask("/appeals/1", nil, bearer(0)); r.StatusCode != http.StatusOK || !strings.Contains(bodyOf(t, r), "1.23") {
		t.Error(r.Status)
	}
	for _, path := range []string{"/appeals/2", "/appeals/x"} {
		if r := x.ask(path, nil, bearer(0)); r.StatusCode != http.StatusNotFound {
			t.Error(path, r.Status)
		}
	}
	form := url.Values{"kind": {"score"}, "criterion": {criterion}, "seen": {"1"}, "score": {"1.2345"}, "answers": {"1"}, "from": {"queue"}, "reason": {"As the hearing found it."}}
	if r := x.ask("/cases/bob/decide", form, bearer(1)); r.StatusCode != http.StatusSeeOther {
		t.Fatal(r.Status, bodyOf(t, r))
	}
	if page := bodyOf(t, x.ask("/appeals", nil, bearer(1))); !strings.Contains(page, "No appeal waits.") {
		t.Error(page)
	}
}

// comparedPage is the page that comparing two submissions left.
func comparedPage(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (&report.Similarity{Submissions: 2, Pairs: []report.LikePair{{A: "ada", B: "bob", Contained: 9000, Alike: 8000, Longest: 120}}}).Page(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The page of similarity is one of the app's: it has the ways to the others, and what lies in the folder only fills it.
func TestSimilarity(t *testing.T) {
	x := three(t, Access{As: "a.tutor"})
	if r := x.ask("/similarity", nil); r.StatusCode != http.StatusNotFound || !strings.Contains(bodyOf(t, r), "automaton batch week2 --similarity") {
		t.Error(r.Status)
	}
	file := filepath.Join(x.Folder, similarityFile)
	if err := os.WriteFile(file, comparedPage(t), 0o600); err != nil {
		t.Fatal(err)
	}
	x.Cohort.Shared.Similarity = &batch.Similarity{}
	r := x.ask("/similarity", nil)
	page := bodyOf(t, r)
	harmless(t, "/similarity", r, page)
	if r.StatusCode != http.StatusOK || !strings.Contains(page, `<a href="/similarity" aria-current="page">`) || !strings.Contains(page, "ada and bob") || strings.Count(page, "<main") != 1 {
		t.Error(r.Status, page)
	}
	if err := os.WriteFile(file, []byte("another file"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := x.ask("/similarity", nil); r.StatusCode != http.StatusInternalServerError || !strings.Contains(bodyOf(t, r), "it is not one of ours") {
		t.Error(r.Status)
	}
}

// A page on which nothing is at work is told when something is.
func TestListTurnsLive(t *testing.T) {
	x := three(t, Access{As: "a.tutor"})
	_, rest, _ := strings.Cut(bodyOf(t, x.ask("/", nil)), `data-live="`)
	at, _, ok := strings.Cut(rest, `"`)
	if at = html.UnescapeString(at); !ok || !strings.Contains(at, "wait=") {
		t.Fatal(at)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if r := x.ask(at, nil, func(r *http.Request) { *r = *r.WithContext(gone) }); strings.Contains(bodyOf(t, r), "over") {
		t.Error("nothing is at work")
	}
	row := docket.Submission{ID: "fay", Seq: 9, Folder: "f9", Request: "r", Spec: "s"}
	if err := x.Docket.Enrol(t.Context(), x.Cohort.ID, []docket.Submission{row}); err != nil {
		t.Fatal(err)
	}
	x.clock = x.clock.Add(time.Hour)
	if got := bodyOf(t, x.ask(at, nil)); !strings.Contains(got, "event: over") {
		t.Errorf("%q", got)
	}
}

// A link that opens on this machine alone says so, and has the name that others use where there is one.
func TestLinkOutside(t *testing.T) {
	for name, test := range map[string]struct {
		hosts []string
		want  string
		here  bool
	}{
		"loopback":    {nil, "http://" + host + "/s/", true},
		"local names": {[]string{"localhost:1", "[::1]:2", "127.8.0.1"}, "http://" + host + "/s/", true},
		"a name":      {[]string{"grades.example.org"}, "http://grades.example.org/s/", false},
	} {
		t.Run(name, func(t *testing.T) {
			x := three(t, Access{As: "a.tutor", Hosts: test.hosts})
			page := bodyOf(t, x.ask("/cases/bob/link", url.Values{}))
			if !strings.Contains(page, `<code id="address">`+test.want) || strings.Contains(page, "opens on this machine alone") != test.here {
				t.Error(page)
			}
		})
	}
}

// What cannot be decided is said to be so, with what to do.
func TestLoose(t *testing.T) {
	x := three(t, Access{As: "a.tutor", ReadOnly: true})
	x.Loose = true
	if page := bodyOf(t, x.ask("/", nil)); !strings.Contains(page, "nothing can be decided on them") || !strings.Contains(page, "a.tutor, single audits") {
		t.Error(page)
	}
}

// Checks that nobody could answer in two submissions are a group, too, and the log names criteria as people do.
func TestOpenGroup(t *testing.T) {
	x := serving(t, Access{As: "a.tutor"}, map[string]*court.Record{"ada": recorded(t, "blind.json"), "bob": recorded(t, "blind.json")}, "ada", "bob")
	rec := recorded(t, "blind.json")
	page := bodyOf(t, x.ask("/groups", nil))
	_, open, _ := strings.Cut(page, "Not checked in several submissions")
	found := false
	for id, list := range rec.Evidences {
		for _, e := range list {
			worst := true
			for _, o := range list {
				worst = worst && (o.Check != e.Check || !o.Stands() || o.Outcome == court.Unknown)
			}
			if e.Outcome != court.Unknown || !e.Stands() || !worst || found {
				continue
			}
			found = true
			if !strings.Contains(open, `value="`+e.Check+`"`) || !strings.Contains(open, html.EscapeString(e.Rationale)) {
				t.Error(e.Check, e.Rationale, open)
			}
			form := url.Values{"kind": {"score"}, "score": {"4"}, "criterion": {id}, "check": {e.Check}, "seen": {"0"}, "reason": {"I looked at it by hand."}, "member": {"0 " + e.Label + " ada", "0 " + e.Label + " bob"}}
			if r := x.ask("/groups", form); r.StatusCode != http.StatusSeeOther {
				t.Fatal(r.Status, bodyOf(t, r))
			}
			name := ""
			for _, c := range rec.Rubric.Criteria {
				if c.ID == id {
					name = c.Name
				}
			}
			if log := bodyOf(t, x.ask("/log", nil)); !strings.Contains(log, "<small>"+name+"</small>") || strings.Contains(log, id) {
				t.Error(name, log)
			}
		}
	}
	if !found {
		t.Error("the record has no open check")
	}
}

// One act on a group is a decision for each of its cases.
func TestGroup(t *testing.T) {
	one, two := recorded(t, "capped.json"), recorded(t, "capped.json")
	x := serving(t, Access{As: "a.tutor"}, map[string]*court.Record{"ada": one, "b b": two}, "ada", "b b")
	page := bodyOf(t, x.ask("/groups", nil))
	var flaw court.Exhibit
	for _, list := range one.Evidences {
		for _, e := range list {
			if e.Security != nil && e.Security.Confirmed {
				flaw = e
			}
		}
	}
	if !strings.Contains(page, `value="0 `+flaw.Label+` b b"`) {
		t.Fatal(page)
	}
	form := url.Values{"kind": {"dismiss"}, "criterion": {flaw.Criterion}, "check": {flaw.Check}, "seen": {"0"}, "reason": {"A constant of the helper."},
		"member": {"0 " + flaw.Label + " ada", "0 " + flaw.Label + " b b"}}
	if r := x.ask("/groups", form); r.StatusCode != http.StatusSeeOther {
		t.Fatal(r.Status, bodyOf(t, r))
	}
	list, err := x.Docket.Decisions(t.Context(), x.Cohort.ID, "")
	if err != nil || len(list) != 2 || list[0].Group == "" || list[0].Group != list[1].Group || list[0].Evidence[0] != flaw.ID {
		t.Error(list, err)
	}
	if r := x.ask("/groups", form); r.StatusCode != http.StatusConflict {
		t.Error("again: ", r.Status)
	}
}

// Grades go out as they stand; drafts are held back where that is asked for.
func TestExport(t *testing.T) {
	x := three(t, Access{As: "a.tutor"})
	if r := x.ask("/cases/bob/decide", url.Values{"kind": {"publish"}, "seen": {"0"}}); r.StatusCode != http.StatusSeeOther {
		t.Fatal(r.Status)
	}
	capped, good := recorded(t, "capped.json").Verdict.Overall.Exact.Shown(), recorded(t, "good.json").Verdict.Overall.Exact.Shown()
	if all := bodyOf(t, x.ask("/export?format=csv", nil)); !strings.Contains(all, capped) || !strings.Contains(all, good) {
		t.Error(all)
	}
	if out := bodyOf(t, x.ask("/export?format=csv&published=1", nil)); strings.Contains(out, "Name of ada") || !strings.Contains(out, good) {
		t.Error(out)
	}
	if list := bodyOf(t, x.ask("/export?format=decisions", nil)); !strings.Contains(list, `"kind":"publish"`) {
		t.Error(list)
	}
}

// Who goes through a list stays in it: from the list to a case, to the next one, and over a decision.
func TestWalk(t *testing.T) {
	x := three(t, Access{As: "a.tutor"})
	const walk = "?find=score%3E1&sort=name"
	if page := bodyOf(t, x.ask("/"+walk, nil)); !strings.Contains(page, `href="/cases/ada?find=score%3E1&amp;sort=name"`) {
		t.Error(page)
	}
	page := bodyOf(t, x.ask("/cases/bob"+walk, nil))
	if !strings.Contains(page, `href="/cases/ada?find=score%3E1&amp;sort=name" rel="next"`) && !strings.Contains(page, `href="/cases/ada?find=score%3E1&amp;sort=name" rel="prev"`) || strings.Contains(page, "/cases/eve") {
		t.Error(page)
	}
	r := x.ask("/cases/bob/decide"+walk, url.Values{"kind": {"accept"}, "seen": {"0"}})
	if at := r.Header.Get("Location"); !strings.HasPrefix(at, "/cases/bob"+walk+"#") {
		t.Error(r.Status, at)
	}
	for find, want := range map[string]int{"status:draft": 2, "status:given": 0, "status:decided": 1, "flag:appeal": 0} {
		q := url.Values{"find": {find}}
		table, err := x.table(t.Context())
		if err != nil || len(table.listed(q)) != want {
			t.Errorf("%s: %d, want %d; %v", find, len(table.listed(q)), want, err)
		}
	}
}

// All drafts are given out by one act, unless somebody decided since the page was opened.
func TestPublish(t *testing.T) {
	x := three(t, Access{As: "a.tutor"})
	if page := bodyOf(t, x.ask("/export", nil)); !strings.Contains(page, "Give out all 2") {
		t.Error(page)
	}
	x.ask("/cases/bob/decide", url.Values{"kind": {"comment"}, "seen": {"0"}, "reason": {"a reason of some length"}})
	if r := x.ask("/publish", url.Values{"seen": {"0"}, "which": {"all"}}); r.StatusCode != http.StatusConflict {
		t.Error(r.Status)
	}
	if r := x.ask("/publish", url.Values{"seen": {"1"}, "which": {"all"}}); r.StatusCode != http.StatusSeeOther {
		t.Fatal(r.Status, bodyOf(t, r))
	}
	list, err := x.Docket.Decisions(t.Context(), x.Cohort.ID, "")
	if err != nil || len(list) != 3 || list[1].Kind != decision.Publish || list[1].Group == "" || list[1].Group != list[2].Group {
		t.Error(list, err)
	}
	if page := bodyOf(t, x.ask("/export", nil)); !strings.Contains(page, "All scores are given out.") {
		t.Error(page)
	}
}

func TestFind(t *testing.T) {
	x := three(t, Access{})
	table, err := x.table(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"": "ada bob eve", "status:failed": "eve", "score<=3": "ada", "score>3": "bob", "flag:capped": "ada", "name of BOB": "bob", "example.org/ada": "ada",
		"score<": "", "nobody": "", "bob score<1": "", "score>=1 -": "",
	} {
		var got []string
		q := parseQuery(text)
		for _, e := range table.rows {
			if q.holds(e) {
				got = append(got, e.ID)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q finds %q, want %q", text, s, want)
		}
	}
}

// Every page that anybody may read is answered.
func TestPages(t *testing.T) {
	x := three(t, Access{As: "a.tutor"})
	for _, path := range pages {
		if r := x.ask(path, nil); r.StatusCode != http.StatusOK {
			t.Error(path, r.Status, bodyOf(t, r))
		}
	}
}
