package llmtest

import (
	"encoding/json"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Modes of a structured answer, as a Request names them.
const (
	Schema = "schema"
	Tool   = "tool"
	Object = "object"
	Text   = "text"
)

// Script is what a server does. The zero Script answers {} to everything.
type Script struct {
	// Answer gives the answer to a request; nil: {}. It is called from several
	// goroutines.
	Answer func(Request) Answer
	// Refuse are the modes that the server does not know: 400.
	Refuse []string
	// MaxTokensOnly makes a server that does not know max_completion_tokens.
	MaxTokensOnly bool
	// Key is the only key that is let in; empty: any, and none.
	Key string
	// Reach makes the paths of the server begin so, e.g. /openai.
	Reach string
}

// Answer is what a request gets. Without a fault it is a valid reply of the
// request's dialect.
type Answer struct {
	JSON    string // the structured answer, wherever the mode wants it
	Say     string // text in its place, even where a tool was forced
	Refusal string // the model refuses, in these words
	Stop    string // the finish or stop reason, as the wire names it; empty: what fits
	Empty   bool   // no candidate at all
	Usage   Usage
	Model   string                                   // as the server names it; empty: as asked
	Fault   func(http.ResponseWriter, *http.Request) // takes the place of all of the above
	Change  func(envelope map[string]any)            // the last word on a valid reply
	Header  http.Header
}

// Usage counts tokens as the providers do: In holds those that were cached or
// written. The zero Usage counts 100 in and 20 out.
type Usage struct{ In, Cached, Written, Out int }

// Request is what came over the wire.
type Request struct {
	N         int // 1, 2, …: in the order of arrival
	Path      string
	Header    http.Header
	Body      json.RawMessage
	Anthropic bool
	Mode      string
	Model     string
	System    string
	Messages  []Message
	MaxTokens int
	Name      string // of the schema or tool; empty where it stands in the text only
}

// Message is one turn.
type Message struct {
	Role, Text string
	Images     []string // media type and base64, as type;data
}

// Last is the text of the last turn.
func (r Request) Last() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Text
}

// Server is a model server on this machine.
type Server struct {
	URL string // the base_url for chat completions; messages are below it, too

	script Script
	http   *httptest.Server
	mu     sync.Mutex
	seen   []Request
}

// New starts a server that ends with the test.
func New(t testing.TB, s Script) *Server {
	t.Helper()
	srv := Start(s)
	t.Cleanup(srv.Close)
	return srv
}

// Start starts a server, for the one who has no test at hand. Close ends it.
func Start(s Script) *Server {
	srv := &Server{script: s}
	srv.http = httptest.NewUnstartedServer(srv)
	srv.http.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that hang up are what is tested
	srv.http.Start()
	srv.URL = srv.http.URL + s.Reach
	return srv
}

// Close ends the server, and with it all requests that hang.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Requests are all that came so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(io.LimitReader(req.Body, 64<<20))
	if err != nil {
		return // the client is gone
	}
	r := Request{Path: strings.TrimPrefix(req.URL.Path, s.script.Reach), Header: req.Header.Clone(), Body: body}
	r.Anthropic = r.Path == "/v1/messages"
	bad := s.read(&r, req)
	s.mu.Lock()
	s.seen = append(s.seen, r)
	r.N = len(s.seen)
	s.seen[r.N-1].N = r.N
	s.mu.Unlock()
	if bad != nil {
		bad.write(w, r.Anthropic)
		return
	}
	a := Answer{}
	if s.script.Answer != nil {
		a = s.script.Answer(r)
	}
	maps.Copy(w.Header(), a.Header)
	if a.Fault != nil {
		a.Fault(w, req)
		return
	}
	reply(w, r, a)
}

// read takes a request apart, and says what a server of its dialect refuses.
func (s *Server) read(r *Request, req *http.Request) *problem {
	switch {
	case !r.Anthropic && r.Path != "/chat/completions":
		return &problem{404, "not_found_error", "", "there is nothing at " + r.Path}
	case req.Method != http.MethodPost:
		return &problem{405, "invalid_request_error", "", "POST only"}
	case req.Header.Get("Content-Type") != "application/json":
		return &problem{415, "invalid_request_error", "", "application/json only"}
	case s.script.Key != "" && key(r) != s.script.Key:
		return &problem{401, "authentication_error", "invalid_api_key", "Incorrect API key provided: " + key(r)}
	}
	var bad *problem
	if r.Anthropic {
		bad = readMessages(r)
	} else {
		bad = s.readChat(r)
	}
	if bad == nil && slices.Contains(s.script.Refuse, r.Mode) {
		return &problem{400, "invalid_request_error", "", "this server does not support " + r.Mode}
	}
	return bad
}

func key(r *Request) string {
	if r.Anthropic {
		return r.Header.Get("X-Api-Key")
	}
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// problem is an error as servers send it.
type problem struct {
	status              int
	kind, code, message string
}

func (p *problem) write(w http.ResponseWriter, anthropic bool) {
	inner := map[string]any{"type": p.kind, "message": p.message}
	body := map[string]any{"error": inner}
	if anthropic {
		body["type"], body["request_id"] = "error", "req_1"
	} else {
		inner["param"], inner["code"] = nil, nil
		if p.code != "" {
			inner["code"] = p.code
		}
	}
	send(w, p.status, body)
}

func send(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // a script made it
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(raw) // a client that is gone needs no answer
}
