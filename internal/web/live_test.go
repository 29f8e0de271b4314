package web

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/store"
)

// watched is a class whose only judge is the test, in a folder that servers look at from beside.
type watched struct {
	folder string
	cohort *batch.Cohort
	judge  *docket.Docket
}

func dateOfTests() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func newWatched(t *testing.T, ids ...string) *watched {
	t.Helper()
	w := &watched{folder: t.TempDir(), cohort: &batch.Cohort{Schema: batch.Schema, ID: "c0ffee000001"}}
	var err error
	if w.judge, err = docket.Open(t.Context(), w.folder, docket.Setup{Now: dateOfTests}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.judge.Close() })
	var rows []docket.Submission
	for i, id := range ids {
		w.cohort.Roster = append(w.cohort.Roster, batch.Entry{ID: id, Target: "https://github.com/o/" + id})
		rows = append(rows, docket.Submission{ID: id, Seq: int64(i), Folder: id, Request: id, Spec: id})
	}
	if err := w.judge.Found(t.Context(), docket.Cohort{ID: w.cohort.ID, Terms: "{}"}); err != nil {
		t.Fatal(err)
	}
	if err := w.judge.Enrol(t.Context(), w.cohort.ID, rows); err != nil {
		t.Fatal(err)
	}
	return w
}

// open serves the class from beside, with a docket of the server's own.
func (w *watched) open(t *testing.T, change ...func(*Options)) (address string, s *Server, stop func()) {
	t.Helper()
	d, err := docket.Open(t.Context(), w.folder, docket.Setup{Now: dateOfTests, Beside: true})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Docket: d, Cohort: w.cohort, Folder: w.folder, Name: "class", Tool: "automaton test", Now: dateOfTests, Access: Access{As: "tester"}}
	for _, c := range change {
		c(&o)
	}
	l := httptest.NewUnstartedServer(nil)
	o.Access.Hosts = []string{l.Listener.Addr().String()}
	if s, err = New(o); err != nil {
		t.Fatal(err)
	}
	s.beat = time.Millisecond
	l.Config.Handler = s.Handler()
	l.Start()
	stop = func() {
		l.CloseClientConnections()
		l.Close()
		_ = d.Close()
	}
	t.Cleanup(stop)
	return l.URL, s, stop
}

// hear begins the hearing of the next submission.
func (w *watched) hear(t *testing.T, id string) {
	t.Helper()
	s, ok, err := w.judge.Claim(t.Context(), w.cohort.ID, "judge", 0)
	if err != nil || !ok || s.ID != id {
		t.Fatal(s.ID, ok, err)
	}
	if _, err := w.judge.Pin(t.Context(), w.lease(id), docket.Run{Key: "run-" + id, Commit: "c"}); err != nil {
		t.Fatal(err)
	}
}

func (w *watched) lease(id string) docket.Lease {
	return docket.Lease{Cohort: w.cohort.ID, ID: id, Holder: "judge"}
}

func (w *watched) tell(t *testing.T, id, lines string) {
	t.Helper()
	if err := w.judge.Tell(t.Context(), "run-"+id, []byte(lines)); err != nil {
		t.Fatal(err)
	}
}

// end ends the hearing of a submission with a record of the report's.
func (w *watched) end(t *testing.T, id, events string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "report", "testdata", "capped.json"))
	if err != nil {
		t.Fatal(err)
	}
	rec := new(court.Record)
	if err := json.Unmarshal(raw, rec); err != nil {
		t.Fatal(err)
	}
	if _, err := w.judge.Finish(t.Context(), w.lease(id), "run-"+id, docket.Result{Record: rec, Raw: raw, Files: map[string][]byte{store.EventsName: []byte(events)}}); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, address string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Body.Close() }()
	var b strings.Builder
	if _, err := bufio.NewReader(a.Body).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, b.String()
}

// watching is a browser that watches.
type watching struct {
	t    *testing.T
	from *bufio.Reader
	last string // id
}

func watch(t *testing.T, address, last string) *watching {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Body.Close() })
	if kind := a.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatal(a.Status, kind)
	}
	return &watching{t: t, from: bufio.NewReader(a.Body), last: last}
}

// next waits for a message, and gives its kind and what it holds.
func (w *watching) next() (kind, data string) {
	w.t.Helper()
	var lines []string
	for {
		line, err := w.from.ReadString('\n')
		if err != nil {
			w.t.Fatal("the server went away: ", err)
		}
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, ": ")
		switch {
		case line == "" && (kind != "" || lines != nil):
			return kind, strings.Join(lines, "\n")
		case name == "id":
			w.last = value
		case name == "event":
			kind = value
		case name == "data":
			lines = append(lines, value)
		}
	}
}

// shows waits until the page shows a text.
func (w *watching) shows(text string) {
	w.t.Helper()
	for {
		if _, data := w.next(); strings.Contains(data, text) {
			return
		}
	}
}

const atWorkNow = `{"seq":1,"at":"2026-03-01T12:00:00.000Z","kind":"case.start"}
{"seq":2,"at":"2026-03-01T12:00:01.000Z","kind":"node.start","node":"DocAnalyst"}
{"seq":3,"at":"2026-03-01T12:00:02.000Z","kind":"probe","node":"DocAnalyst","item":"a/b.c","text":"doc.paths","found":2}
`

// Who watches sees what comes, through a kill of the server and its restart, and nothing twice; the judge is another process.
func TestLive(t *testing.T) {
	w := newWatched(t, "ada", "bob")
	address, _, kill := w.open(t)
	page := watch(t, address+"/cases/ada/events", "")
	page.shows("This submission is")
	w.hear(t, "ada")
	w.tell(t, "ada", atWorkNow)
	page.shows("DocAnalyst: at work")
	seen := page.last
	kill()
	w.tell(t, "ada", `{"kind":"progress","node":"DocAnalyst","done":3,"of":9,"text":"<script>alert(1)</script>"}`+"\n")
	address, _, kill = w.open(t)
	page = watch(t, address+"/cases/ada/events", seen)
	kind, data := page.next()
	if kind != "" || !strings.Contains(data, "DocAnalyst: at work, 3 of 9") || !strings.Contains(data, "a, b.c: 2 pieces of evidence") {
		t.Errorf("%s %s", kind, data)
	}
	if strings.Contains(data, "<script>") || !strings.Contains(data, "&lt;script&gt;") {
		t.Error("text of the submission came as markup")
	}
	if _, body := get(t, address+"/cases/ada/live"); !strings.Contains(body, "3 of 9") || !strings.Contains(body, `data-live="/cases/ada/events?after=`+page.last+`"`) {
		t.Error(body)
	}
	seen = page.last
	kill()
	address, _, _ = w.open(t)
	page = watch(t, address+"/cases/ada/events", seen)
	whole := watch(t, address+"/live/events", "")
	whole.shows("0 of 2 have ended; 1 waits.")
	w.tell(t, "ada", `{"kind":"node.end","node":"DocAnalyst","ms":1200}`+"\n")
	if _, data := page.next(); !strings.Contains(data, "done in 1.2 s") {
		t.Error("what was seen came again, or what is new did not come: ", data)
	}
	w.end(t, "ada", atWorkNow+`{"kind":"case.end","ms":2000,"text":"complete","total":"3.10"}`+"\n")
	if kind, _ := page.next(); kind != "over" {
		t.Error("the end is not told: ", kind)
	}
	whole.shows("1 of 2 have ended")
	if _, body := get(t, address+"/cases/ada/live"); !strings.Contains(body, "complete, 3.10 of 5") || strings.Contains(body, "data-live") {
		t.Error(body)
	}
	if _, body := get(t, address+"/"); !strings.Contains(body, `data-live="/live/events`) {
		t.Error("the class does not show how far it is")
	}
}

// An attempt that did not come to its end is forgotten when the next one begins, and what nobody knows is passed over.
func TestHearing(t *testing.T) {
	w := newWatched(t, "ada")
	_, s, _ := w.open(t)
	table, err := s.table(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	states := func(h *hearing) string {
		var b strings.Builder
		for _, l := range h.Lanes {
			b.WriteString(l.Name[:1] + ":" + l.Words() + " ")
		}
		return b.String()
	}
	cases := map[string]struct{ lines, states, asked, said string }{
		"nothing":       {"", "R:waits D:waits V:waits E:waits P:waits D:waits T:waits C:waits ", "", "Nobody is at work."},
		"no event":      {"{\n\x00\n[]\n{\"kind\":\"new\"}\n", "R:waits D:waits V:waits E:waits P:waits D:waits T:waits C:waits ", "", "Nobody is at work."},
		"unknown node":  {`{"kind":"node.start","node":"Stranger"}`, "R:waits D:waits V:waits E:waits P:waits D:waits T:waits C:waits ", "", "Nobody is at work."},
		"late progress": {`{"kind":"progress","node":"TechLead","done":1,"of":2}`, "R:waits D:waits V:waits E:waits P:waits D:waits T:waits C:waits ", "", "Nobody is at work."},
		"second attempt": {atWorkNow + atWorkNow + `{"kind":"replayed","node":"RepoInvestigator"}`,
			"R:done D:at work V:waits E:waits P:waits D:waits T:waits C:waits ", "", "At work: DocAnalyst."},
		"judges": {`{"kind":"opinion","node":"Defense","item":"x","score":4,"round":1}
{"kind":"opinion","node":"TechLead","item":"x","score":2,"round":1}
{"kind":"opinion","node":"Stranger","item":"y","score":2,"round":1}
{"kind":"holding","node":"ChiefJustice","item":"x","rule":{"id":"variance","outcome":"fired","before":"3","after":"2.51267"}}
{"kind":"holding","node":"ChiefJustice","item":"x","rule":{"id":"other","outcome":"idle","before":"3","after":"2.51267"}}
{"kind":"case.end","text":"complete"}`, "R:waits D:waits V:waits E:waits P:waits D:waits T:waits C:waits ", "x 042 2.51 variance", "It has ended."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := s.newHearing(table)
			h.fold(c.lines)
			asked := ""
			for _, x := range h.Asked {
				asked += x.Name + " " + string(rune('0'+x.Scores[0])) + string(rune('0'+x.Scores[1])) + string(rune('0'+x.Scores[2])) + " " + x.After + " " + strings.Join(x.Fired, ",")
			}
			if got := states(h); got != c.states || asked != c.asked || !strings.Contains(h.Said(), c.said) {
				t.Errorf("%s\n%s\n%s", got, asked, h.Said())
			}
		})
	}
}

// Every node of the audit's graph has a place of its own, and every line leads down.
func TestAuditPlan(t *testing.T) {
	p, err := auditPlan()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Nodes) != 8 || len(p.Ends) != 2 || len(p.Edges) != 13 {
		t.Errorf("%d nodes, %d ends, %d edges", len(p.Nodes), len(p.Ends), len(p.Edges))
	}
	taken := map[[2]int]string{}
	for _, n := range append(p.Nodes, p.Ends...) {
		if other := taken[[2]int{n.X, n.Y}]; other != "" {
			t.Errorf("%s lies on %s", n.Name, other)
		}
		taken[[2]int{n.X, n.Y}] = n.Name
	}
	for _, e := range p.Edges {
		if e.Y1 >= e.Y2 {
			t.Errorf("%v leads up", e)
		}
	}
}

// No more pages watch than the server can bear.
func TestTooManyWatch(t *testing.T) {
	w := newWatched(t, "ada")
	address, s, _ := w.open(t)
	s.streams.Store(mostStreams)
	if status, _ := get(t, address+"/live/events"); status != http.StatusServiceUnavailable {
		t.Error(status)
	}
	s.streams.Store(0)
	watch(t, address+"/live/events", "").next()
	if status, _ := get(t, address+"/cases/nobody/events"); status != http.StatusNotFound {
		t.Error(status)
	}
	if n := s.streams.Load(); n > 2 {
		t.Error("places of those who went away are not given back: ", n)
	}
}
