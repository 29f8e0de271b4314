package web

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
)

// Options are what a server serves, and to whom.
type Options struct {
	Docket *docket.Docket
	Cohort *batch.Cohort
	Folder string // of the cohort
	Name   string // of the folder, as commands take it
	Tool   string // version of the program
	Access Access
	Now    func() time.Time
	Log    func(Visit) // is told of every answer; nil: nobody is
}

// Visit is one request and its answer, for a log.
type Visit struct {
	At     time.Time     `json:"at"`
	By     string        `json:"by"` // empty: nobody who is known
	Method string        `json:"method"`
	Path   string        `json:"path"` // without the token of a link
	Status int           `json:"status"`
	Took   time.Duration `json:"-"`
}

// Writes tells whether the request was to change something.
func (v Visit) Writes() bool { return v.Method != http.MethodGet && v.Method != http.MethodHead }

// Server serves one cohort. It is safe for concurrent use.
type Server struct {
	Options
	pages *template.Template
	files map[string][]byte // style and script
	css   string            // of pages that the report renders
	guard *guard

	plan    *plan         // of the audit's graph
	beat    time.Duration // how often what is watched is looked at
	streams atomic.Int64  // pages that watch

	mu   sync.Mutex // of the table
	last *table
}

//go:embed page
var pageFiles embed.FS

// New prepares a server.
func New(o Options) (*Server, error) {
	s := &Server{Options: o, files: map[string][]byte{}, guard: newGuard(o.Access, o.Now), beat: beat}
	style, err := report.Style()
	own, ownErr := pageFiles.ReadFile("page/web.css")
	script, scriptErr := pageFiles.ReadFile("page/web.js")
	if err := errors.Join(err, ownErr, scriptErr); err != nil {
		return nil, fmt.Errorf("reading the app's own files: %w", err)
	}
	s.css = string(own)
	s.files["web.css"], s.files["web.js"] = []byte(style+s.css), script
	if s.plan, err = auditPlan(); err != nil {
		return nil, err
	}
	if s.pages, err = template.ParseFS(pageFiles, "page/*.tmpl"); err != nil {
		return nil, fmt.Errorf("reading the app's own files: %w", err)
	}
	return s, nil
}

// role is what somebody may do. A greater one includes the smaller.
type role int

const (
	nobody role = iota
	reader
	decider
	starter
)

// handler answers one request, or tells why not.
type handler func(w http.ResponseWriter, r *http.Request) error

// route is one way in: its pattern, who may take it, and what answers.
type route struct {
	pattern string
	least   role
	answer  handler
}

// routes are all the ways in. What writes is missing from a server that only reads.
func (s *Server) routes() []route {
	list := []route{
		{"GET /{$}", reader, s.cohortPage},
		{"GET /cases/{id}", reader, s.casePage},
		{"GET /cases/{id}/record.json", reader, s.recordFile},
		{"GET /cases/{id}/live", reader, s.livePage},
		{"GET /cases/{id}/events", reader, s.liveEvents},
		{"GET /live", reader, s.workPage},
		{"GET /live/events", reader, s.workEvents},
		{"GET /cases/{id}/report.html", reader, s.reportFile},
		{"GET /compare", reader, s.comparePage},
		{"GET /statistics", reader, s.statisticsPage},
		{"GET /similarity", reader, s.similarityPage},
		{"GET /groups", reader, s.groupsPage},
		{"GET /appeals", reader, s.appealsPage},
		{"GET /calibration", reader, s.calibrationPage},
		{"GET /log", reader, s.logPage},
		{"GET /export", reader, s.export},
		{"GET /api/v1/cohort", reader, s.apiCohort},
		{"GET /api/v1/cases", reader, s.apiCases},
		{"GET /api/v1/cases/{id}", reader, s.apiCase},
		{"GET /api/v1/cases/{id}/record", reader, s.recordFile},
		{"GET /api/v1/decisions", reader, s.apiDecisions},
		{"GET /api/v1/openapi.yaml", reader, s.apiDescription},
		{"GET /own/{file}", nobody, s.ownFile},
		{"GET /login", nobody, s.loginPage},
		{"POST /login", nobody, s.login},
		{"POST /logout", nobody, s.logout},
		{"GET /s/{token}", nobody, s.studentPage},
		{"GET /s/{token}/{file}", nobody, s.studentFile},
	}
	if s.Access.ReadOnly {
		return list
	}
	return append(list,
		route{"POST /cases/{id}/decide", decider, s.decide},
		route{"POST /groups", decider, s.decideGroup},
		route{"POST /publish", decider, s.publish},
		route{"POST /cases/{id}/link", decider, s.link},
		route{"POST /cases/{id}/unlink", decider, s.unlink},
		route{"POST /s/{token}/appeal", nobody, s.appeal},
	)
}

// Handler is the whole server.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.pattern, s.open(r))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.refuse(w, r, errNotHere) })
	return s.enter(mux)
}

// refusal is an answer that is not what was asked for.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

var errNotHere = &refusal{http.StatusNotFound, "There is no such page here."}

// refuse says why a request is not answered.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	no, ok := errors.AsType[*refusal](err)
	switch {
	case ok:
	case errors.Is(err, docket.ErrUnknown):
		no = errNotHere
	default:
		no = &refusal{http.StatusInternalServerError, "The server could not answer: " + err.Error() + "."}
	}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		s.json(w, no.status, map[string]string{"error": no.text})
		return
	}
	if err := s.show(w, r, no.status, "refused", "Not possible", no.text); err != nil {
		http.Error(w, no.text, no.status)
	}
}

// view is what every page of the app's own reads.
type view struct {
	Title, Name, Here, Tool string
	By                      string // who is looking
	Decides, Starts, Leaves bool   // what the one who looks is offered
	Alike                   bool   // submissions were compared
	Appeals                 int    // that wait
	Back                    string // where an answer that is none leads back to
	Inside                  bool   // the ways to other pages are shown
	Body                    any
}

func (s *Server) view(r *http.Request, title string) view {
	id := visitor(r.Context())
	v := view{Title: title, Name: s.Name, Here: r.URL.Path, Tool: s.Tool, By: id.name, Decides: id.role >= decider && !s.Access.ReadOnly,
		Starts: id.role >= starter && !s.Access.ReadOnly, Leaves: id.cookie, Alike: s.Cohort.Shared.Similarity != nil, Back: backOf(r.URL)}
	v.Inside = id.role > nobody && !strings.HasPrefix(r.URL.Path, "/s/")
	if v.Inside {
		if t, err := s.table(r.Context()); err == nil { // else there is no number beside the word
			v.Appeals = t.appeals
		}
	}
	return v
}

// backOf is the page to which an act belongs: the case, the page of a link, or the cohort.
func backOf(u *url.URL) string {
	parts := strings.SplitN(strings.TrimPrefix(u.EscapedPath(), "/"), "/", 3)
	if len(parts) == 3 && (parts[0] == "cases" || parts[0] == "s") {
		return "/" + parts[0] + "/" + parts[1] + walkOf(u.Query())
	}
	if parts[0] == "s" {
		return ""
	}
	return "/"
}

// show writes a page. Nothing is sent before all of it is made.
func (s *Server) show(w http.ResponseWriter, r *http.Request, status int, page, title string, body any) error {
	v := s.view(r, title)
	v.Body = body
	var b bytes.Buffer
	if err := s.pages.ExecuteTemplate(&b, page, v); err != nil {
		return fmt.Errorf("rendering %s: %w", page, err)
	}
	send(w, "text/html; charset=utf-8", status, b.Bytes())
	return nil
}

// send writes an answer that is whole. Who went away meanwhile needs none.
func send(w http.ResponseWriter, kind string, status int, raw []byte) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}

// fragment renders a part that goes into a page of the report.
func (s *Server) fragment(name string, data any) (template.HTML, error) {
	var b bytes.Buffer
	if err := s.pages.ExecuteTemplate(&b, name, data); err != nil {
		return "", fmt.Errorf("rendering %s: %w", name, err)
	}
	return template.HTML(b.String()), nil // #nosec G203 -- html/template made it
}

// ownFile is the style or the script.
func (s *Server) ownFile(w http.ResponseWriter, r *http.Request) error {
	raw, ok := s.files[r.PathValue("file")]
	if !ok {
		return errNotHere
	}
	kind := "text/css; charset=utf-8"
	if strings.HasSuffix(r.PathValue("file"), ".js") {
		kind = "text/javascript; charset=utf-8"
	}
	w.Header().Set("Cache-Control", "max-age=300")
	send(w, kind, http.StatusOK, raw)
	return nil
}

// visitorKey is where a request's context holds who asks.
type visitorKey struct{}

// who is the one that asks.
type who struct {
	name   string
	role   role
	cookie bool // a token in a cookie says so
}

func visitor(ctx context.Context) who {
	w, _ := ctx.Value(visitorKey{}).(who)
	return w
}
